/** GIF: blocks of sub-blocks. */
import { ascii } from './bytes.ts'

const [extension, image, trailer] = [0x21, 0x2c, 0x3b]
const control = 0xf9
const application = 0xff
/** Applications that say how often to repeat, and what colours are. */
const applications: ReadonlySet<string> = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'])

/** The parts of a GIF that it is drawn from; `undefined` where its blocks cannot be followed. */
export function gifParts(bytes: Uint8Array): Uint8Array[] | undefined {
  let place = 13 + colours(bytes[10] ?? 0)
  const parts = [bytes.subarray(0, place)]
  while (place < bytes.length) {
    const kind = bytes[place]
    if (kind === trailer) return [...parts, bytes.subarray(place, place + 1)]
    const body = bodyOf(bytes, place)
    const end = body === undefined ? undefined : blocksEnd(bytes, body)
    if (end === undefined) return undefined
    if (kind === image || isKept(bytes, place)) parts.push(bytes.subarray(place, end))
    place = end
  }
  return undefined
}

/** Bytes of a table of colours. */
function colours(packed: number): number {
  return packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0
}

/** Where the sub-blocks of a block begin. */
function bodyOf(bytes: Uint8Array, place: number): number | undefined {
  if (bytes[place] === extension) return place + 2
  return bytes[place] === image ? place + 10 + colours(bytes[place + 9] ?? 0) + 1 : undefined
}

function blocksEnd(bytes: Uint8Array, start: number): number | undefined {
  let place = start
  for (let size = bytes[place]; size !== undefined; size = bytes[place]) {
    place += 1 + size
    if (size === 0) return place
  }
  return undefined
}

function isKept(bytes: Uint8Array, place: number): boolean {
  const label = bytes[place + 1]
  return label === control || (label === application && applications.has(ascii(bytes, place + 3, place + 14)))
}
