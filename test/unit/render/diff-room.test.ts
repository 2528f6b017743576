import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { context, items } from '../../helpers/render.ts'
import { tagsOfClass } from '../../helpers/tags.ts'
import { fileChange, hunk, patch } from '../../helpers/tree.ts'

const css = readFileSync(new URL('../../../templates/assets/code.css', import.meta.url), 'utf8')

/** The height class of a diff with this many lines; empty if it is laid out immediately. */
function heightClassOf(lines: number): string {
  const html = items([patch([fileChange('a.ts', [hunk('+x\n'.repeat(lines).trimEnd())])])], context())
  const [diff] = tagsOfClass(html, 'diff')
  return `${diff?.attributes['class']}`.replace(/^diff ?/, '')
}

describe('the height reserved for a diff', () => {
  it('is none for a short one, which is laid out immediately', () => {
    expect([1, 12].map(heightClassOf)).toEqual(['', ''])
  })

  it.each([13, 24, 25, 48, 49, 96, 97, 192, 193, 384, 385, 768])(
    'differs from %i lines by at most half of them',
    (lines) => {
      const [, guess = ''] = new RegExp(`\\.${heightClassOf(lines)} \\{\\s*--lines: (\\d+);`).exec(css) ?? []
      expect(Math.abs(Number(guess) - lines)).toBeLessThanOrEqual(lines / 2)
      expect(Number(guess)).toBeGreaterThan(0)
    },
  )

  it('is the same for all diffs above the longest class', () => {
    expect(heightClassOf(2000)).toBe(heightClassOf(768))
  })
})
