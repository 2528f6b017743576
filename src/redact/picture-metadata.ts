/** Removes what pictures contain besides pixels: places, times, names, texts, thumbnails, files hidden after their end. */

import { sumBy } from '../util/groups.ts'

/**
 * Returns a PNG, JPEG, WebP or GIF without metadata; pixels, colours, frames and orientation stay as they are. Returns
 * `undefined` for other formats, and if the parts of the picture cannot be told apart.
 */
export function withoutMetadata(bytes: Uint8Array): Uint8Array | undefined {
  const parts = partsOf(bytes)
  return parts === undefined ? undefined : Buffer.concat(parts)
}

function partsOf(bytes: Uint8Array): Uint8Array[] | undefined {
  const head = ascii(bytes, 0, 12)
  if (bytes.length < 12) return undefined
  if (head.startsWith('\x89PNG\r\n\x1A\n')) return pngParts(bytes)
  if (head.startsWith('\xFF\xD8\xFF')) return jpegParts(bytes)
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return webpParts(bytes)
  return /^GIF8[79]a/.test(head) ? gifParts(bytes) : undefined
}

// GIF: blocks of sub-blocks.

const [extension, image, trailer] = [0x21, 0x2c, 0x3b]
const control = 0xf9
const application = 0xff
/** Applications that record how often to repeat, and colour profiles. */
const applications: ReadonlySet<string> = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'])

/** The parts of a GIF that it is drawn from; `undefined` if its blocks cannot be followed. */
function gifParts(bytes: Uint8Array): Uint8Array[] | undefined {
  let offset = 13 + colours(bytes[10] ?? 0)
  const parts = [bytes.subarray(0, offset)]
  while (offset < bytes.length) {
    const kind = bytes[offset]
    if (kind === trailer) return [...parts, bytes.subarray(offset, offset + 1)]
    const body = bodyOf(bytes, offset)
    const end = body === undefined ? undefined : blocksEnd(bytes, body)
    if (end === undefined) return undefined
    if (kind === image || isKept(bytes, offset)) parts.push(bytes.subarray(offset, end))
    offset = end
  }
  return undefined
}

/** The size of a colour table in bytes. */
function colours(packed: number): number {
  return packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0
}

/** Offset of the sub-blocks of a block. */
function bodyOf(bytes: Uint8Array, offset: number): number | undefined {
  if (bytes[offset] === extension) return offset + 2
  return bytes[offset] === image ? offset + 10 + colours(bytes[offset + 9] ?? 0) + 1 : undefined
}

function blocksEnd(bytes: Uint8Array, start: number): number | undefined {
  let offset = start
  for (let size = bytes[offset]; size !== undefined; size = bytes[offset]) {
    offset += 1 + size
    if (size === 0) return offset
  }
  return undefined
}

function isKept(bytes: Uint8Array, offset: number): boolean {
  const label = bytes[offset + 1]
  return label === control || (label === application && applications.has(ascii(bytes, offset + 3, offset + 14)))
}

// PNG: chunks with a name.

const signature = 8
/** Chunks that pictures are drawn from. Texts, times, EXIF and unknown ones are removed, as is anything after the end. */
const kept: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs acTL fcTL fdAT'.split(' '),
)

/** The parts of a PNG that it is drawn from; `undefined` if its chunks do not reach its end. */
function pngParts(bytes: Uint8Array): Uint8Array[] | undefined {
  const view = viewOf(bytes)
  const parts = [bytes.subarray(0, signature)]
  for (let offset = signature; offset + 12 <= bytes.length; ) {
    const end = offset + 12 + view.getUint32(offset)
    const name = ascii(bytes, offset + 4, offset + 8)
    if (end > bytes.length || !/^[A-Za-z]{4}$/.test(name)) return undefined
    if (kept.has(name)) parts.push(bytes.subarray(offset, end))
    if (name === 'IEND') return parts
    offset = end
  }
  return undefined
}

// JPEG: segments with a marker, and scans between them.

const exif = 'Exif\0\0'
const endOfImage = 0xd9
const startOfScan = 0xda

/** The parts of a JPEG that it is drawn from; `undefined` if its segments cannot be followed. */
function jpegParts(bytes: Uint8Array): Uint8Array[] | undefined {
  const parts = [bytes.subarray(0, 2)]
  let offset = skipFill(bytes, 2)
  while (offset + 4 <= bytes.length && bytes[offset + 1] !== endOfImage) {
    const end = offset + 2 + viewOf(bytes).getUint16(offset + 2)
    if (bytes[offset] !== 0xff || end < offset + 4 || end > bytes.length) return undefined
    const marker = bytes[offset + 1] ?? 0
    const part = segment(bytes.subarray(offset, end), marker)
    if (part !== undefined) parts.push(part)
    offset = marker === startOfScan ? scanEnd(bytes, end) : end
    if (offset > end) parts.push(bytes.subarray(end, offset))
    offset = skipFill(bytes, offset)
  }
  // Programs show a scan that was cut off, so an end is added. Anything after the original end is removed.
  return parts.length < 3 ? undefined : [...parts, new Uint8Array([0xff, endOfImage])]
}

/** Skips bytes of 0xFF, which may be padding before a marker. */
function skipFill(bytes: Uint8Array, start: number): number {
  let offset = start
  while (bytes[offset] === 0xff && bytes[offset + 1] === 0xff) offset++
  return offset
}

/** Offset of the next segment's marker. In a scan, zero bytes and restart markers may follow a byte of 0xFF. */
function scanEnd(bytes: Uint8Array, start: number): number {
  for (let offset = bytes.indexOf(0xff, start); offset !== -1; offset = bytes.indexOf(0xff, offset + 1)) {
    const next = bytes[offset + 1]
    if (next === undefined) break
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return offset
  }
  return bytes.length
}

/** What is kept of a segment: tables and frames, JFIF without its thumbnail, colour profiles, and the orientation. */
function segment(bytes: Uint8Array, marker: number): Uint8Array | undefined {
  if (marker === 0xfe) return undefined
  if (marker < 0xe0 || marker > 0xef) return bytes
  const name = ascii(bytes, 4, 18)
  if (marker === 0xe0) return name.startsWith('JFIF\0') && bytes.length >= 18 ? withoutThumbnail(bytes) : undefined
  if (marker === 0xe1 && name.startsWith(exif)) return upright(bytes)
  if (marker === 0xe2 && name.startsWith('ICC_PROFILE\0')) return bytes
  // Says how colours are encoded.
  return marker === 0xee && name.startsWith('Adobe') ? cutSegment(bytes, 16) : undefined
}

function withoutThumbnail(bytes: Uint8Array): Uint8Array {
  const short = cutSegment(bytes, 18)
  short.set([0, 0], 16)
  return short
}

/** The first bytes of a segment, as a segment of that length. */
function cutSegment(bytes: Uint8Array, length: number): Uint8Array {
  const short = bytes.slice(0, length)
  short.set([0, short.length - 2], 2)
  return short
}

function upright(bytes: Uint8Array): Uint8Array | undefined {
  const orientation = orientationIn(bytes.subarray(4 + exif.length))
  if (orientation === undefined) return undefined
  const block = orientationBlock(orientation)
  const name = [...exif].map((character) => character.charCodeAt(0))
  return new Uint8Array([0xff, 0xe1, 0, 2 + name.length + block.length, ...name, ...block])
}

// WebP: a RIFF container of chunks.

const keptChunks: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ICCP'])
/** Those of a frame. */
const keptInFrame: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ALPH'])
/** The size of what precedes the chunks of a frame. */
const frameHead = 16
const flags = { exif: 0x08, xmp: 0x04 }

/** The parts of a WebP that it is drawn from; `undefined` if its chunks cannot be followed. */
function webpParts(bytes: Uint8Array): Uint8Array[] | undefined {
  const end = Math.min(bytes.length, 8 + viewOf(bytes).getUint32(4, true))
  const chunks = chunksIn(bytes, 12, end)
  if (chunks === undefined || chunks.length === 0) return undefined
  const parts: Uint8Array[] = []
  for (const { name, data } of chunks) {
    const part = name === 'ANMF' ? frameOf(data) : partOf(name, data)
    if (part !== undefined) parts.push(part)
    else if (name === 'ANMF') return undefined
  }
  const head = bytes.slice(0, 12)
  viewOf(head).setUint32(4, 4 + sumBy(parts, ({ length }) => length), true)
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
  for (let offset = start; offset < end; ) {
    const size = offset + 8 <= end ? view.getUint32(offset + 4, true) : end
    if (offset + 8 + size > end) return undefined
    chunks.push({ name: ascii(bytes, offset, offset + 4), data: bytes.subarray(offset + 8, offset + 8 + size) })
    // Chunks begin at even offsets.
    offset += 8 + size + (size % 2)
  }
  return chunks
}

function partOf(name: string, data: Uint8Array): Uint8Array | undefined {
  if (name === 'EXIF') return turned(data)
  return keptChunks.has(name) ? chunk(name, data) : undefined
}

/** A frame with the chunks that it is drawn from; `undefined` if they cannot be followed. */
function frameOf(data: Uint8Array): Uint8Array | undefined {
  const inner = data.length < frameHead ? undefined : chunksIn(data, frameHead, data.length)
  if (inner === undefined) return undefined
  const kept = inner.filter(({ name }) => keptInFrame.has(name)).map((item) => chunk(item.name, item.data))
  return chunk('ANMF', Buffer.concat([data.subarray(0, frameHead), ...kept]))
}

/** The EXIF chunk with only the orientation. Some writers put the name of the JPEG segment before the block. */
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

// Small reads and writes of bytes.

/** Part of the bytes as text, one character for each byte. */
function ascii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end))
}

/** A view to read numbers with. */
function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

// The one fact of EXIF that a picture needs: its orientation.

const tag = 0x0112
const maxEntries = 1000

/** Orientation in a TIFF block, 2 to 8; `undefined` if the picture is upright or no orientation can be read. */
export function orientationIn(tiff: Uint8Array): number | undefined {
  if (tiff.length < 14) return undefined
  const view = viewOf(tiff)
  const order = ascii(tiff, 0, 2)
  if (order !== 'II' && order !== 'MM') return undefined
  const little = order === 'II'
  const start = view.getUint32(4, little)
  if (start + 2 > tiff.length) return undefined
  const count = Math.min(view.getUint16(start, little), maxEntries)
  for (let index = 0; index < count; index++) {
    const entry = start + 2 + 12 * index
    if (entry + 12 > tiff.length) return undefined
    if (view.getUint16(entry, little) !== tag) continue
    const value = view.getUint16(entry + 8, little)
    return value >= 2 && value <= 8 ? value : undefined
  }
  return undefined
}

/** A TIFF block with an orientation and nothing else. */
function orientationBlock(orientation: number): Uint8Array {
  const head = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1]
  const entry = [tag >> 8, tag & 255, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
  return new Uint8Array([...head, ...entry, 0, 0, 0, 0])
}
