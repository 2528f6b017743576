/**
 * Frames of zstd are recognised by their headers, so that a frame that is cut off is noticed on every version of Node.
 */
import { expect, test } from 'vitest'
import { bufferSource } from '../../../src/rollout/read/source.ts'
import { decompress, frameAt, hasNativeZstd } from '../../../src/rollout/read/zstd-fs.ts'
import { zstdBomb, zstdFrame } from '../../helpers/zstd.ts'

const skipped = Buffer.concat([Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0]), Buffer.from('abc')])
/**
 * A window, a dictionary id of two bytes, a size of four, a checksum; then a single segment with a size of one byte and
 * of eight.
 */
const headers = {
  'all fields': [0x86, 0x38, 1, 2, 9, 0, 0, 0],
  'one segment': [0x20, 9],
  'a long size': [0xe0, 9, 0, 0, 0, 0, 0, 0, 0],
}
const magic = [0x28, 0xb5, 0x2f, 0xfd]
const block = [(9 << 3) | 1, 0, 0, ...Buffer.from('{"a": 1}\n')]

const endsOf = (bytes: Buffer, size = bytes.length): (number | undefined)[] => {
  const ends: (number | undefined)[] = []
  for (let start = 0; start < size; start = ends.at(-1) ?? size)
    ends.push(frameAt(bufferSource(bytes), start, size).end)
  return ends
}

test('frames end where their last block does, whatever they contain', () => {
  const [a, b, c] = [zstdFrame('one\n'), zstdFrame('two\n'.repeat(99), 7), zstdBomb(3)]
  const sum = [skipped, a, b, c].map((_, at, all) => Buffer.concat(all.slice(0, at + 1)).length)
  expect(endsOf(Buffer.concat([skipped, a, b, c]))).toEqual(sum)
})

test.each(Object.entries(headers))(
  'a frame with %s in its header ends in its last byte, and nowhere if it is cut off',
  (name, header) => {
    const bytes = Buffer.from([...magic, ...header, ...block, ...(name === 'all fields' ? [1, 2, 3, 4] : [])])
    expect(endsOf(bytes)).toEqual([bytes.length])
    for (let cut = 1; cut < bytes.length; cut++) expect(endsOf(bytes, cut), String(cut)).toEqual([undefined])
  },
)

test('what is no frame has no end', () => {
  expect(endsOf(Buffer.from('{"a": 1}\n'))).toEqual([undefined])
  expect(endsOf(Buffer.concat([zstdFrame('one\n'), Buffer.from('junk')])).at(-1)).toBeUndefined()
})

test('a rollout cut off anywhere gives what can be read, then an error, with either decoder', async () => {
  const whole = Buffer.concat([zstdFrame('one\n', 2), skipped, zstdFrame('two\n')])
  const ends = endsOf(whole)
  for (let size = 1; size <= whole.length; size++)
    for (const native of [false, ...(hasNativeZstd ? [true] : [])]) {
      const parts: Uint8Array[] = []
      const read = (async () => {
        for await (const part of decompress(bufferSource(whole.subarray(0, size)), size, native)) parts.push(part)
      })()
      if (ends.includes(size)) await read
      else await expect(read, `${size}, ${native}`).rejects.toThrow('its zstd data is broken or cut off')
      expect('one\ntwo\n'.startsWith(Buffer.concat(parts).toString())).toBe(true)
    }
})

test('empty blocks are not read one by one, however many there are', () => {
  const bytes = Buffer.concat([Buffer.from([...magic, 0, 0x38]), Buffer.alloc(3 * 100_000), Buffer.from([1, 0, 0])])
  const source = bufferSource(bytes)
  let reads = 0
  const read: typeof source.read = (...place) => {
    reads++
    return source.read(...place)
  }
  expect(frameAt({ ...source, read }, 0, bytes.length).end).toBe(bytes.length)
  expect(reads).toBeLessThan(100)
})
