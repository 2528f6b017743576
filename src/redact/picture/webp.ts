/** WebP: a RIFF container of chunks. */
import { ascii, joined, viewOf } from './bytes.ts'
import { orientationBlock, orientationIn } from './orientation.ts'

const kept: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
/** What stands before the chunks of a frame. */
const frameHead = 16
const flags = { exif: 0x08, xmp: 0x04 }

/** The parts of a WebP that it is drawn from; `undefined` where its chunks cannot be followed. */
export function webpParts(bytes: Uint8Array): Uint8Array[] | undefined {
  const end = Math.min(bytes.length, 8 + viewOf(bytes).getUint32(4, true))
  const chunks = chunksIn(bytes, 12, end)
  if (chunks === undefined || chunks.length === 0) return undefined
  const parts = chunks.flatMap(({ name, data }) => partOf(name, data) ?? [])
  const head = bytes.slice(0, 12)
  viewOf(head).setUint32(4, 4 + parts.reduce((sum, { length }) => sum + length, 0), true)
  const whole = [head, ...parts]
  const [, extended] = whole
  if (extended !== undefined && ascii(extended, 0, 4) === 'VP8X') {
    const turned = parts.some((part) => ascii(part, 0, 4) === 'EXIF')
    extended[8] = ((extended[8] ?? 0) & ~(flags.exif | flags.xmp)) | (turned ? flags.exif : 0)
  }
  return whole
}

interface Chunk {
  name: string
  data: Uint8Array
}

function chunksIn(bytes: Uint8Array, start: number, end: number): Chunk[] | undefined {
  const view = viewOf(bytes)
  const chunks: Chunk[] = []
  for (let place = start; place < end; ) {
    const size = place + 8 <= end ? view.getUint32(place + 4, true) : end
    if (place + 8 + size > end) return undefined
    chunks.push({ name: ascii(bytes, place, place + 4), data: bytes.subarray(place + 8, place + 8 + size) })
    // Chunks begin at even places.
    place += 8 + size + (size % 2)
  }
  return chunks
}

function partOf(name: string, data: Uint8Array): Uint8Array | undefined {
  if (name === 'EXIF') return turned(data)
  if (!kept.has(name)) return undefined
  if (name !== 'ANMF') return chunk(name, data)
  const inner = chunksIn(data, frameHead, data.length) ?? []
  const frames = inner.filter((item) => kept.has(item.name)).map((item) => chunk(item.name, item.data))
  return chunk(name, joined([data.subarray(0, frameHead), ...frames]))
}

/** Some writers put the name of JPEG's segment before the block. */
function turned(data: Uint8Array): Uint8Array | undefined {
  const orientation = orientationIn(ascii(data, 0, 6) === 'Exif\0\0' ? data.subarray(6) : data)
  return orientation === undefined ? undefined : chunk('EXIF', orientationBlock(orientation))
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const whole = new Uint8Array(8 + data.length + (data.length % 2))
  whole.set([...name].map((character) => character.charCodeAt(0)))
  viewOf(whole).setUint32(4, data.length, true)
  whole.set(data, 8)
  return whole
}
