/** File formats: what kind a file is, the texts in CBOR, and what pictures contain besides pixels. */

import { append } from '../../util/groups.ts'
import { ownValue } from '../../util/own.ts'

/**
 * `page`: HTML. `markup`: a drawing, a feed, a sitemap. `style`, `script`, `text`: as they are named. `bytes`: pictures, parts of
 * the search index, and everything else that is not text.
 */
export type FileKind = 'page' | 'markup' | 'style' | 'script' | 'text' | 'bytes'

const byExtension: Readonly<Record<string, FileKind>> = {
  html: 'page',
  htm: 'page',
  xhtml: 'page',
  svg: 'markup',
  xml: 'markup',
  css: 'style',
  js: 'script',
  mjs: 'script',
  cjs: 'script',
}

/** The kind of a file by its name and its first bytes: browsers go by the name, everyone else by the bytes. */
export function fileKind(path: string, start: Uint8Array): FileKind {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const byName = ownValue(byExtension, extension)
  if (byName !== undefined) return byName
  return isPacked(start) || start.subarray(0, 4096).includes(0) ? 'bytes' : 'text'
}

// Bytes of unknown kind: how they begin, and the texts in them.

/** Whether bytes contain `wanted` at an offset, which is given as one character per byte. */
export function hasAt(bytes: Uint8Array, at: number, wanted: string): boolean {
  for (let index = 0; index < wanted.length; index++) if (bytes[at + index] !== wanted.charCodeAt(index)) return false
  return true
}

/** Whether bytes are gzip data. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** How archives and packed files begin: gzip, zip, 7z, Zstandard, xz, bzip2, rar. */
const packed = [
  '\x1F\x8B',
  'PK\x03\x04',
  '7z\xBC\xAF\x27\x1C',
  '\x28\xB5\x2F\xFD',
  '\xFD7zXZ\0',
  'BZh91AY',
  'Rar!\x1A\x07',
]

/** Whether bytes are packed, by any of these formats. */
export function isPacked(bytes: Uint8Array): boolean {
  return packed.some((start) => hasAt(bytes, 0, start))
}

/** The bytes as text, one character per byte. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** The runs of at least six printable ASCII characters, one per line; then those of the bytes read as UTF-16. */
export function printableRuns(bytes: Uint8Array): string {
  const text = latin1(bytes)
  const wide = text.includes('\0') ? text.replaceAll('\0', '') : ''
  return [text, wide].flatMap((reading) => reading.match(/[\t\x20-\x7E]{6,}/g) ?? []).join('\n')
}

// The texts in CBOR (RFC 8949), the format of Pagefind's word lists.

/** Length of the argument after the first byte of an item, by its low five bits. */
const widths: Readonly<Record<number, number>> = { 24: 1, 25: 2, 26: 4, 27: 8 }

/**
 * All text strings in a run of CBOR items, in order, however deeply they are nested: heads follow each other, so no tree is
 * needed. `undefined` if the bytes are not CBOR.
 */
export function cborTexts(bytes: Uint8Array): string[] | undefined {
  const texts: string[] = []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for (let at = 0; at < bytes.length; ) {
    const head = readHead(view, at)
    if (head === undefined || head.end + head.length > bytes.length) return undefined
    at = head.end + head.length
    if (head.isText) texts.push(decoder.decode(bytes.subarray(head.end, at)))
  }
  return texts
}

interface Head {
  /** Offset of what it announces. */
  end: number
  /** Bytes of the string after it; 0 if it announces no string, or one in parts, which have heads of their own. */
  length: number
  isText: boolean
}

function readHead(view: DataView, at: number): Head | undefined {
  const first = view.getUint8(at)
  const [major, low] = [first >> 5, first & 31]
  const end = at + 1 + (widths[low] ?? 0)
  if ((low > 27 && low < 31) || end > view.byteLength) return undefined
  const isString = (major === 2 || major === 3) && low !== 31
  return { end, length: isString ? argument(view, at + 1, low) : 0, isText: isString && major === 3 }
}

function argument(view: DataView, at: number, low: number): number {
  switch (low) {
    case 24:
      return view.getUint8(at)
    case 25:
      return view.getUint16(at)
    case 26:
      return view.getUint32(at)
    case 27:
      return Number(view.getBigUint64(at))
    default:
      return low
  }
}

// What pictures contain besides pixels: text, places, devices, names.

/** A piece of metadata of a picture. */
interface Metadata {
  /** Where the format stores it: `tEXt`, `Exif`, `comment`, `behind the picture`. */
  kind: string
  bytes: Uint8Array
  /** Its text is zlib data from this byte on. */
  packedFrom?: number
}

/** The metadata of a picture; `undefined` if the bytes are not a PNG, JPEG, GIF or WebP, or are broken. */
export function pictureMetadata(bytes: Uint8Array): Metadata[] | undefined {
  if (hasAt(bytes, 0, '\x89PNG\r\n\x1A\n')) return pngMetadata(bytes)
  if (hasAt(bytes, 0, '\xFF\xD8\xFF')) return jpegMetadata(bytes)
  if (hasAt(bytes, 0, 'GIF8')) return gifMetadata(bytes)
  if (hasAt(bytes, 0, 'RIFF') && hasAt(bytes, 8, 'WEBP')) return webpMetadata(bytes)
  return undefined
}

/** Chunks that a PNG is drawn from; programs put anything into others. */
const pngDrawn: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(' '),
)

function pngMetadata(bytes: Uint8Array): Metadata[] | undefined {
  const found: Metadata[] = []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at)
    const kind = latin1(bytes.subarray(at + 4, at + 8))
    const content = bytes.subarray(at + 8, at + 8 + length)
    at += 12 + length
    if (at > bytes.length || !/^[A-Za-z]{4}$/.test(kind)) return undefined
    if (!pngDrawn.has(kind)) found.push(kind === 'eXIf' ? { kind: 'Exif', bytes: content } : pngText(kind, content))
    if (kind === 'IEND') return withoutOrientation([...found, ...trailingBytes(bytes, at)])
  }
  return undefined
}

/** A text chunk: a keyword, a zero, and flags that depend on the kind; a packed text begins after them. */
function pngText(kind: string, bytes: Uint8Array): Metadata {
  const end = bytes.indexOf(0)
  if (kind === 'zTXt' && end >= 0) return { kind, bytes, packedFrom: end + 2 }
  if (kind === 'iTXt' && end >= 0 && bytes[end + 1] === 1) {
    const language = bytes.indexOf(0, end + 3)
    const keyword = bytes.indexOf(0, language + 1)
    return { kind, bytes, packedFrom: keyword + 1 }
  }
  return { kind, bytes }
}

function jpegMetadata(bytes: Uint8Array): Metadata[] | undefined {
  const found: Metadata[] = []
  for (let at = 2; at + 2 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) return undefined
    if (marker === endOfImage) return withoutOrientation([...found, ...trailingBytes(bytes, at + 2)])
    if (marker === 0xff) {
      at++
      continue
    }
    const segment = jpegSegment(bytes, at, marker)
    if (segment === undefined) return undefined
    found.push(...segment.found)
    at = segment.end
    // Browsers show a picture whose pixels are cut off.
    if (marker === startOfScan && at === bytes.length) return withoutOrientation(found)
  }
  return undefined
}

/** The metadata in a segment, and the offset of the next one; `undefined` if it is cut off. */
function jpegSegment(bytes: Uint8Array, at: number, marker: number): { found: Metadata[]; end: number } | undefined {
  if (at + 4 > bytes.length) return undefined
  const length = (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0)
  if (length < 2) return undefined
  const end = at + 2 + length
  const content = bytes.subarray(at + 4, end)
  const kind = jpegKind(marker, content)
  const found = kind === undefined ? [] : [{ kind, bytes: content }]
  return { found, end: marker === startOfScan ? scanEnd(bytes, end) : end }
}

const [startOfScan, endOfImage] = [0xda, 0xd9]

/** Offset of the marker after the pixels of a scan. Among pixels, zero bytes and restart markers may follow a byte of 0xFF. */
function scanEnd(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}

/** The kind of metadata in a JPEG segment; `undefined` for colour profiles and what the picture is drawn from. */
function jpegKind(marker: number, content: Uint8Array): string | undefined {
  if (marker === 0xfe) return 'comment'
  if (marker < 0xe0 || marker > 0xef) return undefined
  if (marker === 0xe0 && hasAt(content, 0, 'JF')) {
    return hasAt(content, 0, 'JFIF\0') && content.length <= jfifLength ? undefined : 'thumbnail'
  }
  if (hasAt(content, 0, 'Exif\0')) return 'Exif'
  if (hasAt(content, 0, 'ICC_PROFILE\0') || hasAt(content, 0, 'Adobe')) return undefined
  return hasAt(content, 0, 'http://ns.adobe.com/') ? 'XMP' : `APP${marker - 0xe0}`
}

/** Length of a JFIF segment that contains only the density of the pixels. */
const jfifLength = 14

/**
 * The metadata of a GIF, which is in extension blocks: comments, and data of applications other than those for loops and colours.
 */
function gifMetadata(bytes: Uint8Array): Metadata[] | undefined {
  const found: Metadata[] = []
  let at = 13 + tableSize(bytes[10] ?? 0)
  while (bytes[at] === 0x2c || bytes[at] === 0x21) {
    const isPicture = bytes[at] === 0x2c
    const start = isPicture ? at + 11 + tableSize(bytes[at + 9] ?? 0) : at + 2
    const label = bytes[at + 1]
    at = afterBlocks(bytes, start)
    const content = bytes.subarray(start, at)
    const isFound = !isPicture && isMetadata(label, content)
    if (isFound) found.push({ kind: label === 0xfe ? 'comment' : 'extension', bytes: content })
  }
  return bytes[at] === 0x3b ? [...found, ...trailingBytes(bytes, at + 1)] : undefined
}

/** Applications whose data says how often to repeat the pictures, or describes their colours. */
const gifApplications = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']

/** Whether an extension is metadata: it neither times pictures nor loops them nor describes their colours. */
function isMetadata(label: number | undefined, content: Uint8Array): boolean {
  if (label === 0xff) return !gifApplications.some((name) => hasAt(content, 1, name))
  return label !== 0xf9
}

function tableSize(flags: number): number {
  return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0
}

function afterBlocks(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0)
  return at + 1
}

function webpMetadata(bytes: Uint8Array): Metadata[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = 8 + view.getUint32(4, true)
  const found = webpChunks(bytes.subarray(0, end), 12, webpDrawn)
  return found === undefined ? undefined : withoutOrientation([...found, ...trailingBytes(bytes, end)])
}

/** Chunks that a WebP, and one frame of it, is drawn from. */
const webpDrawn: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const frameDrawn: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ALPH'])
/** The size of what precedes a frame's own chunks. */
const frameHead = 16

/** The metadata among the chunks from an offset on; `undefined` if one of them is cut off. */
function webpChunks(bytes: Uint8Array, start: number, drawn: ReadonlySet<string>): Metadata[] | undefined {
  const found: Metadata[] = []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = start
  while (at + 8 <= bytes.length) {
    const kind = latin1(bytes.subarray(at, at + 4))
    const next = at + 8 + view.getUint32(at + 4, true)
    const content = bytes.subarray(at + 8, next)
    if (!drawn.has(kind)) found.push({ kind: webpKind(kind), bytes: content })
    else if (kind === 'ANMF') {
      const inner = webpChunks(content, frameHead, frameDrawn)
      if (inner === undefined) return undefined
      append(found, inner)
    }
    at = next + (next & 1)
  }
  return at > bytes.length + 1 || at < bytes.length ? undefined : found
}

function webpKind(kind: string): string {
  if (kind === 'EXIF') return 'Exif'
  if (kind === 'XMP ') return 'XMP'
  return /^[\w ]{4}$/.test(kind) ? kind.trim() : 'unknown chunk'
}

function trailingBytes(bytes: Uint8Array, at: number): Metadata[] {
  return at < bytes.length ? [{ kind: 'behind the picture', bytes: bytes.subarray(at) }] : []
}

/** A picture may state its orientation: Exif with that one entry does not count as metadata. */
function withoutOrientation(found: readonly Metadata[]): Metadata[] {
  return found.filter(({ kind, bytes }) => kind !== 'Exif' || !isOrientationOnly(bytes))
}

function isOrientationOnly(content: Uint8Array): boolean {
  const bytes = hasAt(content, 0, 'Exif\0\0') ? content.subarray(6) : content
  if (bytes.length > 32 || bytes.length < 22) return false
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isLittle = hasAt(bytes, 0, 'II')
  return (
    view.getUint32(4, isLittle) === 8 && view.getUint16(8, isLittle) === 1 && view.getUint16(10, isLittle) === 0x0112
  )
}
