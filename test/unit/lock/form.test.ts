import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutParts, partCount } from '../../../src/features/lock/locked-staging.ts'
import { paddedLength, partBytes } from '../../../src/features/lock/vault-fs.ts'

describe('the padded length of a file', () => {
  it('is never shorter, at most 12 % longer above a kilobyte, and grows with the length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1025, max: 2 ** 40 }), (length) => {
        const padded = paddedLength(length)
        expect(padded).toBeGreaterThanOrEqual(length)
        expect(padded).toBeLessThanOrEqual(length * 1.12)
        expect(paddedLength(length + 1)).toBeGreaterThanOrEqual(padded)
        expect(paddedLength(padded)).toBe(padded)
      }),
    )
  })

  it('is a kilobyte for everything shorter', () => {
    expect(new Set([0, 1, 500, 1024].map(paddedLength))).toEqual(new Set([1024]))
  })

  it('has fewer than 300 values for all files up to 4 MB', () => {
    const lengths = new Set<number>()
    for (let length = 0; length <= 4 << 20; length += 512) lengths.add(paddedLength(length))
    expect(lengths.size).toBeLessThan(300)
  })
})

describe('a file in parts', () => {
  const join = (parts: Iterable<Uint8Array>): Buffer => Buffer.concat([...parts])

  it('is one part if it is short or empty', () => {
    expect([...cutParts([])].map(({ length }) => length)).toEqual([0])
    expect([...cutParts(['', 'a', 'é'])].map(({ length }) => length)).toEqual([3])
    expect([partCount(0), partCount(1), partCount(partBytes), partCount(partBytes + 1)]).toEqual([1, 1, 1, 2])
  })

  it('has the same bytes as before, in as many parts as were counted', () => {
    const piece = fc.integer({ min: 0, max: 3 * partBytes })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (sizes) => {
        const pieces = sizes.map((size, index) => new Uint8Array(size).fill(index + 1))
        const parts = [...cutParts(pieces)]
        const whole = Buffer.concat(pieces)
        expect(parts).toHaveLength(partCount(whole.length))
        for (const part of parts.slice(0, -1)) expect(part).toHaveLength(partBytes)
        expect(join(parts).equals(whole)).toBe(true)
      }),
      { numRuns: 25 },
    )
  })
})
