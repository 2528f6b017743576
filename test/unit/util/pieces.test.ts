import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areText, decoded, encoded, encodedCopy, toPieces, unitsOf } from '../../../src/util/pieces.ts'

const text = fc.string({ unit: 'grapheme' })

describe('content in pieces', () => {
  it('has the bytes of its whole text', () => {
    const pieces = fc.array(fc.oneof(text, fc.uint8Array()))
    fc.assert(
      fc.property(pieces, (content) => {
        const whole = Buffer.concat(content.map((piece) => Buffer.from(piece as string)))
        expect(Buffer.compare(encoded(content), whole)).toBe(0)
        expect(unitsOf(content)).toBe(content.reduce((sum, { length }) => sum + length, 0))
      }),
    )
  })

  it('may also be one text or bytes, of any length', () => {
    const long = 'ü🚀'.repeat(700_000)
    for (const content of [long, [long.slice(0, 3), long.slice(3)], Buffer.from(long)])
      expect(Buffer.compare(encoded(content), Buffer.from(long))).toBe(0)
    expect(decoded(encoded('\uFEFFa'))).toBe('\uFEFFa')
  })

  it('is joined from short texts, and compared without being put together', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(text, fc.constant('long '.repeat(9000)))), text, (texts, more) => {
        const whole = texts.join('')
        const pieces = [...toPieces(texts)]
        expect(pieces.join('')).toBe(whole)
        expect(pieces.slice(0, -1).every(({ length }) => length >= 16_384)).toBe(true)
        expect(areText(texts, whole)).toBe(true)
        expect(areText(texts, whole + more)).toBe(more === '')
        expect(areText([...texts, more], whole)).toBe(more === '')
      }),
    )
  })

  it('does not change after it was copied', () => {
    const copy = encodedCopy(['first'])
    encoded('other')
    expect(decoded(copy)).toBe('first')
  })
})
