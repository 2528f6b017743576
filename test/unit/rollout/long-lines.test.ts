import { describe, expect, test } from 'vitest'
import { readLines } from '../../../src/rollout/read/lines.ts'
import type { ByteSource } from '../../../src/rollout/read/source.ts'
import { parseLine } from '../../../src/rollout/read/value.ts'
import { linesOf, type TextLine } from '../../helpers/rollout.ts'

/** Limits small enough to be readable in a failure. */
const small = { chunkBytes: 8, maxLineBytes: 32, maxStringBytes: 16, maxKeptBytes: 128 }

function only(lines: readonly TextLine[]): TextLine {
  expect(lines).toHaveLength(1)
  const [line] = lines
  if (line === undefined) throw new Error('there is no line')
  return line
}

describe('lines over the limit', () => {
  test('lose the content of long strings and say how many bytes that was', () => {
    const line = only(linesOf(`{"keep":"short one","drop":"${'A'.repeat(100)}","n":1}\n`, undefined, small).lines)
    expect(JSON.parse(line.text)).toEqual({ keep: 'short one', drop: '[omitted 100 bytes]', n: 1 })
    expect(line).toMatchObject({ omitted: 100, byteLength: 136, terminated: true })
    expect(line.oversized).toBeUndefined()
  })

  test('do not shift the positions of the lines after them', () => {
    const text = `{"a":1}\n{"drop":"${'A'.repeat(100)}"}\n{"b":2}\n`
    const { lines, totals } = linesOf(text, undefined, small)
    expect(lines.map(({ number, byteOffset }) => [number, byteOffset])).toEqual([
      [1, 0],
      [2, 8],
      [3, 120],
    ])
    expect(lines.at(-1)?.text).toBe('{"b":2}')
    expect(totals).toEqual({ lines: 3, bytes: text.length })
  })

  test('are not misled by escaped quotes and backslashes at any chunk border', () => {
    const value = { quote: 'say "hi" \\', long: `${'\\"'.repeat(40)}\\`, tail: '\\\\' }
    const text = JSON.stringify(value)
    for (let chunkBytes = 1; chunkBytes <= 32; chunkBytes++) {
      const line = only(linesOf(text, undefined, { ...small, chunkBytes, maxLineBytes: chunkBytes }).lines)
      expect(JSON.parse(line.text)).toEqual({ ...value, long: '[omitted 162 bytes]' })
    }
  })

  test('hand a long string to a callback whose answer replaces it', () => {
    const taken: string[] = []
    const starts: string[] = []
    const image = `data:image/png;base64,${'QUJD'.repeat(50)}`
    const options = {
      ...small,
      maxStringBytes: 100,
      longString: (start: Buffer) => {
        starts.push(start.toString())
        return { write: (part: Buffer) => taken.push(part.toString()), end: () => 'asset "1"' }
      },
    }
    const line = only(linesOf(`{"image":"${image}","n":1}`, undefined, options).lines)
    expect(JSON.parse(line.text)).toEqual({ image: 'asset "1"', n: 1 })
    expect(starts).toEqual([image.slice(0, 64)])
    expect(taken.join('')).toBe(image)
    expect(line.omitted).toBeUndefined()
  })

  test('keep only their beginning when they are too long even without long strings', () => {
    const text = `{"list":[${'1,'.repeat(200)}1]}\n{}\n`
    const [line, next] = linesOf(text, undefined, small).lines
    expect(line).toMatchObject({ oversized: true, byteLength: 412, omitted: 380, text: text.slice(0, 32) })
    expect(next?.text).toBe('{}')
  })

  test('keep only their beginning if they cannot be JSON', () => {
    const line = only(linesOf('#'.repeat(100), undefined, small).lines)
    expect(line).toMatchObject({ oversized: true, omitted: 68, text: '#'.repeat(32), terminated: false })
  })

  test('may be cut off like any other last line', () => {
    const line = only(linesOf(`{"drop":"${'A'.repeat(100)}`, undefined, small).lines)
    expect(line).toMatchObject({ text: '{"drop":"[omitted 100 bytes]', terminated: false, omitted: 100 })
  })

  test.each([
    ['one long string', '{"image":"', 'A', '"}'],
    ['no JSON at all', '#', '#', '#'],
    ['many small values', '[1', ',', '1]'],
  ])('of 300 MB need little memory: %s', (_, head, fill, tail) => {
    const before = process.memoryUsage().rss
    const { source, peak } = generated(head, fill, tail, 300_000_000)
    const faults: string[] = []
    const totals = readLines(source, (line) => {
      faults.push(...parseLine({ ...line, bytes: Buffer.from(line.bytes) }).faults)
    })
    expect(totals).toEqual({ lines: 1, bytes: 300_000_000 })
    expect(faults).toContain('oversized-line')
    expect(peak() - before).toBeLessThan(120_000_000)
  })
})

/**
 * A line that is never in memory as a whole: `head`, then one byte repeated, then `tail`. Records the peak of memory.
 */
function generated(head: string, fill: string, tail: string, size: number): { source: ByteSource; peak: () => number } {
  let peak = 0
  const source: ByteSource = {
    size,
    read(target, targetOffset, length, position) {
      const count = Math.min(length, size - position)
      target.fill(fill.charCodeAt(0), targetOffset, targetOffset + count)
      if (position === 0) target.set(Buffer.from(head), targetOffset)
      if (position + count === size) target.set(Buffer.from(tail), targetOffset + count - tail.length)
      peak = Math.max(peak, process.memoryUsage().rss)
      return count
    },
    close() {},
  }
  return { source, peak: () => Math.max(peak, process.memoryUsage().rss) }
}
