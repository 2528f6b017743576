/** Reads one file of a site, whatever it is, and reports what should not be in it. */

import { type FileKind, fileKind, hasAt, isGzip, latin1, printableRuns } from './file-kind.ts'
import { type FileAuditContext, hitReporter, reportingScan, scanOf } from './file-report.ts'
import { type Load, type PageFacts, pageAudit, scriptLoads, styleLoads } from './page.ts'
import { hostOf } from './page-tags.ts'
import type { HitOptions } from './text-hits.ts'
import type { Mark } from './text-scan.ts'

/** Takes the bytes of a file in pieces. */
export interface FileAudit {
  write(bytes: Uint8Array): Promise<void>
  /** Facts of a page; `undefined` for other files. */
  end(): Promise<PageFacts | undefined>
}

/** HTML that is longer is hard to load for readers; pictures that stand in it do not count. */
const longestPage = 1 << 20
/** Other files than pages and texts are read whole up to here. */
const longestWhole = 64 << 20

/** The audit of the file at a path of the site; `start` is the beginning of its bytes. */
export function fileAudit(path: string, start: Uint8Array, tools: FileAuditContext): FileAudit {
  const kind = fileKind(path, start)
  if (kind === 'page' || kind === 'markup') return markupAudit(kind === 'page', tools)
  if (kind === 'text') return textAudit(tools)
  return wholeAudit(path, kind, tools)
}

function markupAudit(isPage: boolean, tools: FileAuditContext): FileAudit {
  const decoder = new TextDecoder()
  let size = 0
  const page = pageAudit({
    isPage,
    texts: scanOf(tools),
    attributes: scanOf(tools, 'In an attribute. '),
    report: tools.report,
    onPicture(address, mark) {
      size -= address.length
      const base64 = address.slice(address.indexOf(',') + 1)
      auditBytes(Buffer.from(base64, 'base64'), tools, mark)
    },
  })
  return {
    write(bytes) {
      size += bytes.length
      return page.write(decoder.decode(bytes, { stream: true }))
    },
    async end() {
      await page.write(decoder.decode())
      const facts = await page.end()
      if (isPage && size > longestPage)
        tools.report('oversized-page', {}, `Size: ${(size / longestPage).toFixed(1)} MiB.`)
      return facts
    },
  }
}

function textAudit(tools: FileAuditContext): FileAudit {
  const decoder = new TextDecoder()
  const scan = scanOf(tools)
  let line = 1
  const take = (text: string): void => {
    scan.write(text, { line })
    line += text.split('\n').length - 1
  }
  return {
    async write(bytes) {
      take(decoder.decode(bytes, { stream: true }))
    },
    async end() {
      take(decoder.decode())
      scan.end()
      return undefined
    },
  }
}

/** Reads a file that must be seen whole: what it packs, encodes or loads may lie anywhere in it. */
function wholeAudit(path: string, kind: FileKind, tools: FileAuditContext): FileAudit {
  const pieces: Uint8Array[] = []
  let size = 0
  return {
    async write(bytes) {
      size += bytes.length
      if (size <= longestWhole) pieces.push(bytes)
      else pieces.length = 0
    },
    async end() {
      if (size > longestWhole) tools.report('unread-content', {}, 'It is longer than 64 MiB.')
      else if (kind === 'bytes') auditBytes(Buffer.concat(pieces), tools, {}, path)
      else auditCode(Buffer.concat(pieces).toString('utf8'), kind, tools)
      return undefined
    },
  }
}

/** A style sheet or script: its text, what it loads, and the bytes that it holds in base64. */
function auditCode(text: string, kind: FileKind, tools: FileAuditContext): void {
  const scan = scanOf(tools)
  scan.write(text, { line: 1 })
  scan.end()
  const tell = ({ at, address }: Load): void => {
    const line = text.slice(0, at).split('\n').length
    tools.report('external-request', { line }, `It asks \`${hostOf(address)}\`.`)
  }
  for (const load of kind === 'style' ? styleLoads(text) : scriptLoads(text)) tell(load)
  if (kind === 'style') return
  for (const [, base64 = ''] of text.matchAll(/["'`]([A-Za-z0-9+/]{64,}={0,2})["'`]/g)) {
    auditBytes(Buffer.from(base64, 'base64'), tools, {})
  }
}

// Bytes that are no text: packed ones, pictures, and others, of which the printable parts are read.

/** Reads bytes; `path` is that of the file where they are a file of their own. */
function auditBytes(bytes: Uint8Array, tools: FileAuditContext, mark: Mark, path?: string): void {
  if (isGzip(bytes)) {
    const content = tools.unpack(bytes, 'gzip')
    if (content === undefined) tools.report('unread-content', mark, 'It cannot be unpacked.')
    else auditUnpacked(content, tools, mark)
  } else auditPicture(bytes, tools, mark, path)
}

function auditPicture(bytes: Uint8Array, tools: FileAuditContext, mark: Mark, path = ''): void {
  const metadata = pictureMetadata(bytes)
  if (metadata === undefined) {
    if (/\.(?:png|jpe?g|gif|webp)$/i.test(path)) tools.report('unread-content', mark, 'It is not a complete picture.')
    scanWhole(printableRuns(bytes), tools, mark)
    return
  }
  for (const { kind, bytes: content, packedFrom } of metadata) {
    tools.report('picture-metadata', mark, `Kind: ${kind}.`)
    scanWhole(latin1(content), tools, mark)
    const text = packedFrom === undefined ? undefined : tools.unpack(content.subarray(packedFrom), 'zlib')
    if (text !== undefined) scanWhole(latin1(text), tools, mark)
  }
}

const pagefindMark = 'pagefind_dcd'

/** A part of the search index: texts of pages as JSON, or words as CBOR; the words have lost their case. */
function auditUnpacked(content: Uint8Array, tools: FileAuditContext, mark: Mark): void {
  const bytes = hasAt(content, 0, pagefindMark) ? content.subarray(pagefindMark.length) : content
  // Paths in a program are those of the machine on which its maker built it.
  const isProgram = hasAt(bytes, 0, '\0asm')
  const isJson = hasAt(bytes, 0, '{') && bytes.at(-1) === 0x7d
  scanWhole(isJson ? Buffer.from(bytes).toString('utf8') : wordsOf(bytes), tools, mark, {
    anyCase: !isJson,
    secretsOnly: isProgram,
  })
}

/** The words of a list, one a line; of a program and of what is no list, the printable parts. */
function wordsOf(bytes: Uint8Array): string {
  const texts = hasAt(bytes, 0, '\0asm') ? undefined : cborTexts(bytes)
  return texts?.join('\n') ?? printableRuns(bytes)
}

function scanWhole(
  text: string,
  tools: FileAuditContext,
  mark: Mark,
  options: Omit<HitOptions, 'findSecrets'> = {},
): void {
  const report = hitReporter(tools)
  const scan = reportingScan(tools, options, (hit, window) => report(hit, window, mark))
  scan.write(text, mark)
  scan.end()
}

// The texts in CBOR (RFC 8949), the form of Pagefind's word lists.

/** Length of the argument behind the first byte of an item, by its low five bits. */
const widths: Readonly<Record<number, number>> = { 24: 1, 25: 2, 26: 4, 27: 8 }

/**
 * All text strings in a run of CBOR items, in order, whatever they stand in: heads follow each other, so no tree is
 * needed. `undefined` where the bytes are no CBOR.
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
  /** Where what it announces begins. */
  end: number
  /** Bytes of the string behind it; 0 where it announces no string, or one in parts, which have heads of their own. */
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

// What pictures say beside their pixels: text, places, devices, names.

/** A piece of metadata of a picture. */
export interface Metadata {
  /** Where the format keeps it: `tEXt`, `Exif`, `comment`, `behind the picture`. */
  kind: string
  bytes: Uint8Array
  /** Its text is packed by zlib, from this byte on. */
  packedFrom?: number
}

/** The metadata of a picture; `undefined` where the bytes are no PNG, JPEG, GIF or WebP, or are broken. */
export function pictureMetadata(bytes: Uint8Array): Metadata[] | undefined {
  if (hasAt(bytes, 0, '\x89PNG\r\n\x1A\n')) return pngMetadata(bytes)
  if (hasAt(bytes, 0, '\xFF\xD8\xFF')) return jpegMetadata(bytes)
  if (hasAt(bytes, 0, 'GIF8')) return gifMetadata(bytes)
  if (hasAt(bytes, 0, 'RIFF') && hasAt(bytes, 8, 'WEBP')) return webpMetadata(bytes)
  return undefined
}

const pngTexts = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME'])

function pngMetadata(bytes: Uint8Array): Metadata[] | undefined {
  const found: Metadata[] = []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at)
    const kind = latin1(bytes.subarray(at + 4, at + 8))
    const content = bytes.subarray(at + 8, at + 8 + length)
    at += 12 + length
    if (at > bytes.length) return undefined
    if (pngTexts.has(kind)) found.push(kind === 'eXIf' ? { kind: 'Exif', bytes: content } : pngText(kind, content))
    if (kind === 'IEND') return withoutOrientation([...found, ...behind(bytes, at)])
  }
  return undefined
}

/** A text chunk: a keyword, a zero, and flags that depend on the kind; a packed text begins behind them. */
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
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    const length = view.getUint16(at + 2)
    const content = bytes.subarray(at + 4, at + 2 + length)
    const kind = jpegKind(marker, content)
    if (kind !== undefined) found.push({ kind, bytes: content })
    // Behind this the pixels begin; what stands behind their end is told.
    if (marker === 0xda) return withoutOrientation([...found, ...behindJpeg(bytes)])
    at += 2 + length
    if (length < 2) return undefined
  }
  return undefined
}

/** Where a segment of a JPEG holds metadata, its name; colours and the numbers of the format are none. */
function jpegKind(marker: number, content: Uint8Array): string | undefined {
  if (marker === 0xfe) return 'comment'
  if (marker < 0xe1 || marker > 0xef) return undefined
  if (hasAt(content, 0, 'Exif\0')) return 'Exif'
  if (hasAt(content, 0, 'ICC_PROFILE\0') || hasAt(content, 0, 'Adobe')) return undefined
  return hasAt(content, 0, 'http://ns.adobe.com/') ? 'XMP' : `APP${marker - 0xe0}`
}

function behindJpeg(bytes: Uint8Array): Metadata[] {
  const end = latin1(bytes).lastIndexOf('\xFF\xD9')
  return end < 0 ? [] : behind(bytes, end + 2)
}

/** GIF: blocks of extensions between pictures; comments, and texts of programs other than those that loop or colour. */
function gifMetadata(bytes: Uint8Array): Metadata[] | undefined {
  const found: Metadata[] = []
  let at = 13 + tableSize(bytes[10] ?? 0)
  while (bytes[at] === 0x2c || bytes[at] === 0x21) {
    const isPicture = bytes[at] === 0x2c
    const start = isPicture ? at + 11 + tableSize(bytes[at + 9] ?? 0) : at + 2
    const label = bytes[at + 1]
    at = behindBlocks(bytes, start)
    const content = bytes.subarray(start, at)
    const says = !isPicture && saysSomething(label, content)
    if (says) found.push({ kind: label === 0xfe ? 'comment' : 'extension', bytes: content })
  }
  return bytes[at] === 0x3b ? [...found, ...behind(bytes, at + 1)] : undefined
}

/** An extension that neither times pictures nor loops nor colours them. */
function saysSomething(label: number | undefined, content: Uint8Array): boolean {
  return label !== 0xf9 && !hasAt(content, 1, 'NETSCAPE2.0') && !hasAt(content, 1, 'ICCRGBG1')
}

function tableSize(flags: number): number {
  return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0
}

function behindBlocks(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0)
  return at + 1
}

function webpMetadata(bytes: Uint8Array): Metadata[] | undefined {
  const found: Metadata[] = []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = 8 + view.getUint32(4, true)
  let at = 12
  while (at + 8 <= Math.min(end, bytes.length)) {
    const kind = latin1(bytes.subarray(at, at + 4))
    const length = view.getUint32(at + 4, true)
    if (kind === 'EXIF' || kind === 'XMP ') {
      const content = bytes.subarray(at + 8, at + 8 + length)
      found.push({ kind: kind === 'EXIF' ? 'Exif' : 'XMP', bytes: content })
    }
    at += 8 + length + (length & 1)
  }
  return at > bytes.length + 1 ? undefined : withoutOrientation([...found, ...behind(bytes, Math.max(at, end))])
}

function behind(bytes: Uint8Array, at: number): Metadata[] {
  return at < bytes.length ? [{ kind: 'behind the picture', bytes: bytes.subarray(at) }] : []
}

/** A picture may say how it is turned: Exif with one entry, the orientation, and nothing else. */
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
