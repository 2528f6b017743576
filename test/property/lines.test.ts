/** Whatever a file contains, every physical line is counted once, and closed pages stay as they are. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conversation, type Style, pageSizes as sizes, styles, write } from '../helpers/conversation.ts'
import { nodesOf, receiptSum } from '../helpers/slice.ts'
import { useTempDir } from '../helpers/temp.ts'
import { transcribePages } from '../helpers/thread.ts'

const name = 'rollout-2026-03-14T09-00-00-0198c0de-0000-7000-8000-000000000001.jsonl'
const style = fc.constantFrom<Style>(...styles)

/** What happened to the text of one line. */
type Damage = 'glue' | 'cut' | 'nul' | 'latin' | 'blank' | 'garbage' | 'twice' | 'carriage'

const damages = fc.array(
  fc.tuple(
    fc.nat(),
    fc.constantFrom<Damage>('glue', 'cut', 'nul', 'latin', 'blank', 'garbage', 'twice', 'carriage'),
    fc.nat(),
  ),
  { maxLength: 8 },
)

/** The bytes of a file with damaged lines. */
function damaged(values: readonly unknown[], changes: [number, Damage, number][], closed: boolean): Buffer {
  const lines: Buffer[] = values.map((value) => Buffer.from(`${JSON.stringify(value)}\n`))
  for (const [place, damage, at] of changes) {
    const index = place % lines.length
    const line = lines[index] ?? Buffer.alloc(0)
    const text = line.subarray(0, -1)
    const cut = at % (text.length + 1)
    const changed: Record<Damage, Buffer> = {
      glue: text,
      cut: Buffer.concat([text.subarray(0, cut), Buffer.from('\n')]),
      nul: Buffer.concat([Buffer.alloc(cut % 9), line]),
      latin: Buffer.concat([text.subarray(0, cut), Buffer.from([0xff]), text.subarray(cut), Buffer.from('\n')]),
      blank: Buffer.concat([Buffer.from(' \n'), line]),
      garbage: Buffer.concat([Buffer.from('{"type":"event_msg",\n'), line]),
      twice: Buffer.concat([line, line]),
      carriage: Buffer.concat([text, Buffer.from('\r\n')]),
    }
    lines[index] = changed[damage]
  }
  const bytes = Buffer.concat(lines)
  return closed ? bytes : bytes.subarray(0, -1)
}

/** The number of physical lines of a file: a last line needs no newline, but at least one byte. */
function countLines(bytes: Buffer): number {
  let count = 0
  for (const byte of bytes) if (byte === 0x0a) count++
  return bytes.length > 0 && bytes.at(-1) !== 0x0a ? count + 1 : count
}

describe('a damaged file', () => {
  test('is read to its end, with each line counted once and a unique id for each node', async () => {
    const path = join(useTempDir(), name)
    await fc.assert(
      fc.asyncProperty(
        conversation,
        style,
        damages,
        fc.boolean(),
        sizes,
        async (turns, how, changes, closed, pageSizes) => {
          const bytes = damaged(write(turns, how).values, changes, closed)
          writeFileSync(path, bytes)
          for (const pages of [await transcribePages(path), await transcribePages(path, pageSizes)]) {
            const { lines } = pages.session.stats
            expect(lines.total).toBe(countLines(bytes))
            expect(receiptSum(lines)).toBe(lines.total)
            const ids = pages.slices.flatMap((slice) => nodesOf(slice).slice(1)).map(({ id }) => id)
            expect(ids.length).toBe(new Set(ids).size)
            for (const slice of pages.slices) expect(JSON.parse(JSON.stringify(slice))).toStrictEqual(slice)
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  test('is read in the same way twice', async () => {
    const path = join(useTempDir(), name)
    await fc.assert(
      fc.asyncProperty(conversation, style, damages, async (turns, how, changes) => {
        writeFileSync(path, damaged(write(turns, how).values, changes, true))
        expect(await transcribePages(path)).toEqual(await transcribePages(path))
      }),
      { numRuns: 25 },
    )
  })
})

describe('a file that grows', () => {
  test('keeps the borders of its closed pages', async () => {
    const path = join(useTempDir(), name)
    await fc.assert(
      fc.asyncProperty(conversation, style, sizes, fc.nat(), async (turns, how, pageSizes, at) => {
        const lines = write(turns, how).values.map((value) => `${JSON.stringify(value)}\n`)
        const bordersOf = async (count: number) => {
          writeFileSync(path, lines.slice(0, count).join(''))
          const { facts } = await transcribePages(path, pageSizes)
          return facts.pages.map(({ ranges }) => ranges)
        }
        const early = await bordersOf(1 + (at % lines.length))
        const late = await bordersOf(lines.length)
        expect(late.slice(0, early.length - 1)).toEqual(early.slice(0, -1))
      }),
      { numRuns: 60 },
    )
  })
})
