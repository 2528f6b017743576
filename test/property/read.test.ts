/** Whatever the bytes are, the reader does not throw, and every byte and line is accounted for once. */
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeHead } from '../../src/rollout/parse/head.ts'
import { type Line, type LineOptions, readLines } from '../../src/rollout/read/lines.ts'
import { openRollout } from '../../src/rollout/read/open-fs.ts'
import { bufferSource } from '../../src/rollout/read/source.ts'
import { parseLine, readDocument } from '../../src/rollout/read/value.ts'

import { messageLine, metaLine, threadId, writeRollout } from '../helpers/rollout.ts'
import { useTempDir } from '../helpers/temp.ts'
import { zstdFrame } from '../helpers/zstd.ts'

const record = fc.oneof(
  fc.json(),
  fc.string({ unit: 'grapheme', maxLength: 40 }).map(messageLine),
  fc.constant(metaLine({ id: threadId(1) })),
)

/** Correct lines, and lines as crashes, editors and networks leave them. */
const lineBytes = fc.oneof(
  { weight: 4, arbitrary: record.map((text) => Buffer.from(text)) },
  fc.tuple(record, record).map((texts) => Buffer.from(texts.join(''))),
  fc.tuple(record, fc.nat()).map(([text, at]) => Buffer.from(text.slice(0, at % (text.length + 1)))),
  fc.nat({ max: 40 }).map((size) => Buffer.alloc(size)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('', ' ', '\r', '\ufeff', '{"a":"', '"', '\\', '}{', '[[[[').map((text) => Buffer.from(text)),
)

/** A whole file, with or without a newline at its end. */
const fileBytes = fc.tuple(fc.array(lineBytes, { maxLength: 12 }), fc.boolean()).map(([lines, closed]) => {
  const parts = lines.flatMap((line) => [line, Buffer.from('\n')])
  return Buffer.concat(closed ? parts : parts.slice(0, -1))
})

/** Buffers that end anywhere, and a `maxLineBytes` so small that lines are skimmed. */
const borders = fc.record({
  chunkBytes: fc.integer({ min: 1, max: 50 }),
  maxLineBytes: fc.integer({ min: 1, max: 200 }),
  maxStringBytes: fc.integer({ min: 1, max: 60 }),
  maxKeptBytes: fc.integer({ min: 200, max: 4000 }),
})

/** Lines with copied content, and the values that parsing them gives. */
function read(bytes: Uint8Array, options?: LineOptions) {
  const lines: Line[] = []
  const values: unknown[] = []
  const totals = readLines(
    bufferSource(bytes),
    (line) => {
      lines.push({ ...line, bytes: Buffer.from(line.bytes) })
      values.push(...parseLine(line).values)
    },
    undefined,
    options,
  )
  return { lines, values, totals }
}

/** The lines that a file has by definition: what comes before each newline, and a rest that is not empty. */
function physicalLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  let start = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, at))
    start = at + 1
  }
  return start < bytes.length ? [...lines, bytes.subarray(start)] : lines
}

describe('reading any bytes', () => {
  test('gives every line exactly once, at its place', () => {
    fc.assert(
      fc.property(fileBytes, borders, (bytes, options) => {
        const { lines, totals } = read(bytes, options)
        const expected = physicalLines(bytes)
        expect(totals).toEqual({ lines: expected.length, bytes: bytes.length })
        expect(lines.map(({ number }) => number)).toEqual(expected.map((_, index) => index + 1))
        for (const [index, { byteOffset, byteLength, terminated }] of lines.entries()) {
          expect(bytes.subarray(byteOffset, byteOffset + byteLength).equals(expected[index] ?? Buffer.of(0))).toBe(true)
          expect(terminated).toBe(byteOffset + byteLength < bytes.length)
        }
      }),
    )
  })

  test('gives the same content wherever buffers end', () => {
    fc.assert(
      fc.property(fileBytes, fc.integer({ min: 1, max: 50 }), (bytes, chunkBytes) => {
        expect(read(bytes, { chunkBytes })).toEqual(read(bytes))
      }),
    )
  })

  test('keeps a skimmed line valid JSON with its short values', () => {
    const short = fc.string({ maxLength: 8 })
    const object = fc.dictionary(short, fc.oneof(short, fc.string({ minLength: 100, maxLength: 300 }), fc.integer()))
    fc.assert(
      fc.property(object, fc.integer({ min: 1, max: 64 }), (value, chunkBytes) => {
        const bytes = Buffer.from(JSON.stringify(value))
        const { values } = read(bytes, { chunkBytes, maxLineBytes: chunkBytes, maxStringBytes: 64, maxKeptBytes: 1e6 })
        const entries = Object.entries(value).map(([key, item]) => {
          const length = Buffer.byteLength(JSON.stringify(item)) - 2
          const isLong = typeof item === 'string' && length > 64 && bytes.length > chunkBytes
          return [key, isLong ? `[omitted ${length} bytes]` : item]
        })
        expect(values).toEqual([JSON.parse(JSON.stringify(Object.fromEntries(entries)))])
      }),
    )
  })

  test('gives the same lines for a range as for the whole', () => {
    fc.assert(
      fc.property(fileBytes, fc.nat(), fc.nat(), (bytes, a, b) => {
        const { lines } = read(bytes)
        const [first, last] = [a % (lines.length + 1), b % (lines.length + 1)].sort((x, y) => x - y) as [number, number]
        const start = lines[first]?.byteOffset ?? bytes.length
        const end = lines[last]?.byteOffset ?? bytes.length
        const part: number[] = []
        readLines(bufferSource(bytes), ({ number, byteOffset }) => part.push(number, byteOffset), {
          start,
          end,
          firstLine: first + 1,
        })
        expect(part).toEqual(lines.slice(first, last).flatMap(({ number, byteOffset }) => [number, byteOffset]))
      }),
    )
  })

  test('loses at most the line of the cut if a file is cut at any byte', () => {
    const lines = [metaLine({ id: threadId(1) }), messageLine('ä€😀 "quoted" \\'), messageLine('}{')]
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    for (let size = 0; size <= bytes.length; size++) {
      const whole = physicalLines(bytes.subarray(0, size)).filter((line) => lines.includes(line.toString()))
      expect(read(bytes.subarray(0, size)).values).toEqual(whole.map((line) => JSON.parse(line.toString())))
    }
  })

  test('gives the same records for shuffled lines', () => {
    const shuffled = fc
      .array(record, { maxLength: 10 })
      .chain((texts) => fc.tuple(fc.constant(texts), fc.shuffledSubarray(texts, { minLength: texts.length })))
    const sorted = (texts: readonly string[]) =>
      read(Buffer.from(texts.join('\n')))
        .values.map((value) => JSON.stringify(value))
        .sort()
    fc.assert(
      fc.property(shuffled, ([texts, others]) => {
        expect(sorted(others)).toEqual(sorted(texts))
      }),
    )
  })

  test('always gives a head and a document', () => {
    fc.assert(
      fc.property(fileBytes, (bytes) => {
        expect(decodeHead(read(bytes).values, { name: 'a.jsonl' }).threadId).not.toBe('')
        expect(readDocument(bufferSource(bytes))).toBeTypeOf('object')
      }),
    )
    fc.assert(
      fc.property(
        fc.array(fc.object({ key: fc.constantFrom('id', 'type', 'payload', 'session', 'source', 'git') })),
        (records) => {
          expect(decodeHead(records, { name: 'a.jsonl' }).threadId).not.toBe('')
        },
      ),
    )
  })
})

test('a compressed file damaged at any byte gives a part of its bytes or one clear error', async () => {
  const text = `${metaLine({ id: threadId(1) })}\n${messageLine('Hello')}\n`.repeat(40)
  const folder = useTempDir()
  const whole = zstdFrame(text, 500)
  const damage = fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 }), fc.nat({ max: whole.length }))
  await fc.assert(
    fc.asyncProperty(damage, async ([at, byte, size]) => {
      const bytes = Buffer.from(whole)
      bytes[at] = byte
      const file = writeRollout(join(folder, 'a.jsonl.zst'), bytes.subarray(0, size))
      try {
        const source = await openRollout(file, { spoolDir: () => folder, memoryBytes: 3000, maxBytes: 1_000_000 })
        expect(readLines(source, parseLine).bytes).toBe(source.size)
        source.close()
      } catch (error) {
        expect(String(error)).toMatch(/its zstd data is broken or cut off|it is not a zstd file|more than the limit/)
      }
    }),
    { numRuns: 200 },
  )
})
