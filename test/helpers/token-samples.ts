/** Samples of tokens, built from their forms when a test runs, so that no file of the project contains one. */
import { parseForm } from '../../src/redact/kinds/form.ts'
import { noise } from './planted.ts'

const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))

/**
 * A token of a form, different for each seed; parts of variable length and open ends have up to three characters more
 * than the minimum.
 */
export function sampleOf(form: string, seed: number): string {
  return parseForm(form)
    .parts.map((part, index) => {
      const own = seed * 31 + index
      if ('uuid' in part)
        return [8, 4, 4, 4, 12].map((length, at) => noise(own + at, length, '0123456789abcdef')).join('-')
      if ('texts' in part) return part.texts[seed % part.texts.length] ?? ''
      const pattern = new RegExp(`[${part.chars}]`)
      // Only letters and digits: a punctuation mark at the end of a token is not part of it in a sentence.
      const from = printable.filter((character) => pattern.test(character) && /[A-Za-z0-9]/.test(character)).join('')
      return noise(own, part.min + (seed % (1 + Math.min(3, part.max - part.min))), from)
    })
    .join('')
}
