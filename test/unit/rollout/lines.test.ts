import { describe, expect, test } from 'vitest'
import { lineBuffers, readLines, walkLines } from '../../../src/rollout/read/lines.ts'
import { bufferSource } from '../../../src/rollout/read/source.ts'
import { linesOf } from '../../helpers/rollout.ts'

describe('readLines', () => {
  test('gives number, offset, length and content of every line', () => {
    expect(linesOf('{"a":1}\n{"b":"ä"}\n')).toEqual({
      lines: [
        { number: 1, byteOffset: 0, byteLength: 7, terminated: true, text: '{"a":1}' },
        { number: 2, byteOffset: 8, byteLength: 10, terminated: true, text: '{"b":"ä"}' },
      ],
      totals: { lines: 2, bytes: 19 },
    })
  })

  test('gives a last line without newline as not terminated', () => {
    const { lines, totals } = linesOf('one\ntwo')
    expect(lines.map(({ text, terminated }) => [text, terminated])).toEqual([
      ['one', true],
      ['two', false],
    ])
    expect(totals).toEqual({ lines: 2, bytes: 7 })
  })

  test('gives no line for an empty file and one blank line for a newline', () => {
    expect(linesOf('').totals).toEqual({ lines: 0, bytes: 0 })
    expect(linesOf('\n').lines).toEqual([{ number: 1, byteOffset: 0, byteLength: 0, terminated: true, text: '' }])
  })

  test('drops a byte order mark from the first line only and counts its bytes', () => {
    const { lines } = linesOf('\ufeff{}\n\ufeff{}\n')
    expect(lines.map(({ text, byteLength }) => [text, byteLength])).toEqual([
      ['{}', 5],
      ['\ufeff{}', 5],
    ])
  })

  test('drops the CR of Windows line ends and counts its byte', () => {
    const { lines, totals } = linesOf('{"a":1}\r\n\r\n{"b":2}\r\n')
    expect(lines.map(({ text, byteLength }) => [text, byteLength])).toEqual([
      ['{"a":1}', 8],
      ['', 1],
      ['{"b":2}', 8],
    ])
    expect(totals.bytes).toBe(20)
  })

  test('grows its buffer for a line that is longer', () => {
    const long = 'x'.repeat(1000)
    const { lines } = linesOf(`a\n${long}\nb\n`, undefined, { chunkBytes: 16 })
    expect(lines.map(({ text }) => text)).toEqual(['a', long, 'b'])
  })

  test('reads a range with the offsets and numbers of the whole file', () => {
    const { lines, totals } = linesOf('one\ntwo\nthree\nfour\n', { start: 4, end: 14, firstLine: 2 })
    expect(lines.map(({ number, byteOffset, text }) => [number, byteOffset, text])).toEqual([
      [2, 4, 'two'],
      [3, 8, 'three'],
    ])
    expect(totals).toEqual({ lines: 2, bytes: 10 })
  })

  test('ends a range that is cut inside a line with a line that is not terminated', () => {
    const { lines } = linesOf('one\ntwo\n', { start: 0, end: 6, firstLine: 1 })
    expect(lines.at(-1)).toMatchObject({ text: 'tw', terminated: false })
  })

  test('reads nothing beyond the end of the source', () => {
    expect(linesOf('one\n', { start: 0, end: 99, firstLine: 1 }).totals).toEqual({ lines: 1, bytes: 4 })
    expect(linesOf('one\n', { start: 4, end: 99, firstLine: 2 }).totals).toEqual({ lines: 0, bytes: 0 })
    expect(linesOf('one\n', { start: 9, end: 99, firstLine: 2 }).totals).toEqual({ lines: 0, bytes: 0 })
  })

  test('stops when the callback says so', () => {
    const seen: number[] = []
    const source = bufferSource(Buffer.from('1\n2\n3\n'))
    const totals = readLines(source, ({ number }) => {
      seen.push(number)
      return number < 2
    })
    expect(seen).toEqual([1, 2])
    expect(totals).toEqual({ lines: 2, bytes: 4 })
  })

  test('reuses the buffer of a walk that ended, but never that of a walk still in progress', () => {
    const memory = new Set<ArrayBufferLike>()
    const walk = (text: string, inner?: () => void): string[] => {
      const texts: string[] = []
      readLines(bufferSource(Buffer.from(text)), ({ bytes }) => {
        memory.add(bytes.buffer)
        inner?.()
        texts.push(bytes.toString())
      })
      return texts
    }
    expect(walk('one\ntwo\n')).toEqual(['one', 'two'])
    expect(walk('three\nfour')).toEqual(['three', 'four'])
    expect(memory.size).toBe(1)
    expect(walk('five\nsix\n', () => walk('others\n'))).toEqual(['five', 'six'])
    expect(memory.size).toBe(2)
  })

  test('reads on after a line that outgrows the buffer, and gives no more lines after the last', () => {
    const memory: (ArrayBufferLike | undefined)[] = []
    const walk = walkLines(bufferSource(Buffer.from(`a\n${'x'.repeat(200_000)}\nb`)))
    const lengths = Array.from({ length: 5 }, () => {
      const line = walk.next()
      memory.push(line?.bytes.buffer)
      return line?.bytes.length
    })
    expect(lengths).toEqual([1, 200_000, 1, undefined, undefined])
    expect(memory[1]).not.toBe(memory[0])
    readLines(bufferSource(Buffer.from('one')), ({ bytes }) => void memory.push(bytes.buffer))
    expect(memory.at(-1)).toBe(memory[0])
  })

  test('returns its buffer if it is stopped, however often it is closed, and gives no more lines', () => {
    const source = bufferSource(Buffer.from('one\ntwo\n'))
    const walk = walkLines(source)
    const memory = walk.next()?.bytes.buffer
    walk.close()
    walk.close()
    expect(walk.next()).toBeUndefined()
    const [again, other] = [lineBuffers.acquire(), lineBuffers.acquire()]
    expect(again.buffer).toBe(memory)
    expect(other.buffer).not.toBe(memory)
    lineBuffers.release(again)
    expect(() =>
      readLines(source, () => {
        throw new Error('stop')
      }),
    ).toThrow('stop')
    expect(lineBuffers.acquire()).toBe(again)
  })
})
