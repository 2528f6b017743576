/** The scan of bytes finds what a plain loop finds, wherever it starts and ends. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findSign, neighboursOf, scanned } from '../../src/features/terminal-search/byte-scan.ts'

const size = 400
/** Few different bytes, so that a sign with a follower is frequent; `Z` and `z` differ in the bit of letter cases. */
const bytes = fc
  .uint8Array({ minLength: size + 1, maxLength: size + 1 })
  .map((all) => all.map((byte) => [0x5a, 0x7a, 0x1a, 0x3a, 0x79, 0xff, 0x00, 0x80][byte % 8] ?? 0))
const offset = fc.integer({ min: 0, max: size })

it('finds the first byte that is between its neighbours, in both letter cases or in one', () => {
  fc.assert(
    fc.property(
      bytes,
      fc.tuple(offset, offset),
      fc.constantFrom<[number, 0 | 0x20]>([0x7a, 0x20], [0x7a, 0], [0x3a, 0], [0xff, 0]),
      fc.subarray([0x79, 0xff, 0x00, 0x1a]),
      fc.subarray([0x79, 0x5a, 0x7a, 0x00]),
      (all, ends, [code, caseBit], after, before) => {
        const [start, end] = ends.sort((a, b) => a - b) as [number, number]
        scanned.set(all)
        const matches = (byte: number, at: number): boolean =>
          at >= start &&
          at < end &&
          (byte | caseBit) === code &&
          after.includes(all[at + 1] ?? -1) &&
          // What comes before the first byte is a control character.
          before.includes(all[at - 1] ?? 0)
        const neighbours = neighboursOf(
          (byte) => before.includes(byte < 0x10 ? 0 : byte),
          (byte) => after.includes(byte),
        )
        expect(findSign({ code, caseBit, neighbours }, start, end)).toBe(all.findIndex(matches))
      },
    ),
    { numRuns: 2000 },
  )
})
