/** JPEG: segments with a marker, and scans between them. */
import { ascii, viewOf } from './bytes.ts'
import { orientationBlock, orientationIn } from './orientation.ts'

const exif = 'Exif\0\0'
const endOfImage = 0xd9
const startOfScan = 0xda

/** The parts of a JPEG that it is drawn from; `undefined` where its segments cannot be followed. */
export function jpegParts(bytes: Uint8Array): Uint8Array[] | undefined {
  const parts = [bytes.subarray(0, 2)]
  let place = skipFill(bytes, 2)
  while (place + 4 <= bytes.length && bytes[place + 1] !== endOfImage) {
    const end = place + 2 + viewOf(bytes).getUint16(place + 2)
    if (bytes[place] !== 0xff || end < place + 4 || end > bytes.length) return undefined
    const marker = bytes[place + 1] ?? 0
    const part = segment(bytes.subarray(place, end), marker)
    if (part !== undefined) parts.push(part)
    place = marker === startOfScan ? scanEnd(bytes, end) : end
    if (place > end) parts.push(bytes.subarray(end, place))
    place = skipFill(bytes, place)
  }
  // Programs show a scan that was cut off; what stands behind the end goes.
  return parts.length < 3 ? undefined : [...parts, new Uint8Array([0xff, endOfImage])]
}

/** Bytes of ones before a marker may fill. */
function skipFill(bytes: Uint8Array, start: number): number {
  let place = start
  while (bytes[place] === 0xff && bytes[place + 1] === 0xff) place++
  return place
}

/** Where the next marker of a segment stands: in a scan zero bytes and restarts follow the byte that begins markers. */
function scanEnd(bytes: Uint8Array, start: number): number {
  for (let place = bytes.indexOf(0xff, start); place !== -1; place = bytes.indexOf(0xff, place + 1)) {
    const next = bytes[place + 1]
    if (next === undefined) break
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return place
  }
  return bytes.length
}

/** A segment as it stays: tables and frames, JFIF without its thumbnail, colours, and which side is up. */
function segment(bytes: Uint8Array, marker: number): Uint8Array | undefined {
  if (marker === 0xfe) return undefined
  if (marker < 0xe0 || marker > 0xef) return bytes
  const name = ascii(bytes, 4, 18)
  if (marker === 0xe0) return name.startsWith('JFIF\0') && bytes.length >= 18 ? withoutThumbnail(bytes) : undefined
  if (marker === 0xe1 && name.startsWith(exif)) return upright(bytes)
  if (marker === 0xe2 && name.startsWith('ICC_PROFILE\0')) return bytes
  // How colours are to be read.
  return marker === 0xee && name.startsWith('Adobe') ? bytes.subarray(0, 16) : undefined
}

function withoutThumbnail(bytes: Uint8Array): Uint8Array {
  const short = bytes.slice(0, 18)
  short.set([0, 16], 2)
  short.set([0, 0], 16)
  return short
}

function upright(bytes: Uint8Array): Uint8Array | undefined {
  const orientation = orientationIn(bytes.subarray(4 + exif.length))
  if (orientation === undefined) return undefined
  const block = orientationBlock(orientation)
  const name = [...exif].map((character) => character.charCodeAt(0))
  return new Uint8Array([0xff, 0xe1, 0, 2 + name.length + block.length, ...name, ...block])
}
