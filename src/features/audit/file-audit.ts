/** Reads one file of a site, whatever it is, and reports what should not be in it. */

import type { Finding } from '../../diagnostics/finding.ts'
import {
  cborTexts,
  type FileKind,
  fileKind,
  hasAt,
  isGzip,
  isPacked,
  latin1,
  pictureMetadata,
  printableRuns,
} from './file-formats.ts'
import { type PageFacts, pageAudit, scriptLoads, styleLoads } from './page.ts'
import { escapedParts, unescapeCss, unescapedParts, unescapedSoFar } from './page-source.ts'
import { hostOf } from './page-tags.ts'
import type { ForeignQueue } from './secretlint.ts'
import type { FindSecrets, Hit, HitOptions } from './text-hits.ts'
import { breaksIn, type Mark, type OnHit, type TextScan, textScan } from './text-scan.ts'

/** Receives the bytes of a file in pieces. */
export interface FileAudit {
  write(bytes: Uint8Array): Promise<void>
  /** Facts of a page; `undefined` for other files. */
  end(): Promise<PageFacts | undefined>
}

/** Longer HTML is hard for readers to load; pictures inside it do not count. */
const maxPageLength = 1 << 20
/** Files other than pages and texts are buffered and read up to this size. */
const maxBufferedLength = 64 << 20

/** The audit of the file at a path of the site; `start` contains its first bytes. */
export function fileAudit(path: string, start: Uint8Array, tools: FileAuditContext): FileAudit {
  const kind = fileKind(path, start)
  if (kind === 'page' || kind === 'markup') return markupAudit(kind === 'page', tools)
  if (kind === 'text') return textAudit(tools, /\.(?:json|jsonl|ndjson|map|webmanifest)$/i.test(path))
  return bufferedAudit(path, kind, tools)
}

function markupAudit(isPage: boolean, tools: FileAuditContext): FileAudit {
  const decoder = new TextDecoder()
  let size = 0
  const page = pageAudit({
    isPage,
    texts: scanOf(tools),
    comments: scanOf(tools, 'In a comment. '),
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
      if (isPage && size > maxPageLength)
        tools.report('oversized-page', {}, `Size: ${(size / maxPageLength).toFixed(1)} MiB.`)
      return facts
    },
  }
}

/** Audits a text. If it is JSON, a string may spell a secret by escapes. */
function textAudit(tools: FileAuditContext, isJson: boolean): FileAudit {
  const decoder = new TextDecoder()
  const scan = scanOf(tools)
  const decoded = scanOf(tools, 'In escapes. ')
  let line = 1
  /** What an escape in the next piece may belong to, and its line. */
  let waiting = { text: '', line }
  const writeParts = (parts: readonly string[]): void => {
    for (const part of parts) decoded.write(`${part}\n`, { line: waiting.line })
  }
  const addText = (text: string): void => {
    scan.write(text, { line })
    line += breaksIn(text)
    if (!isJson) return
    const whole = waiting.text + text
    const { parts, readTo } = unescapedSoFar(whole)
    writeParts(parts)
    waiting = { text: whole.slice(readTo), line: waiting.line + breaksIn(whole.slice(0, readTo)) }
  }
  return {
    async write(bytes) {
      addText(decoder.decode(bytes, { stream: true }))
    },
    async end() {
      addText(decoder.decode())
      writeParts(unescapedParts(waiting.text))
      scan.end()
      decoded.end()
      return undefined
    },
  }
}

/** Buffers a file and reads it as a whole, because what it packs, encodes or loads may be anywhere in it. */
function bufferedAudit(path: string, kind: FileKind, tools: FileAuditContext): FileAudit {
  const pieces: Uint8Array[] = []
  let size = 0
  return {
    async write(bytes) {
      size += bytes.length
      if (size <= maxBufferedLength) pieces.push(bytes)
      else pieces.length = 0
    },
    async end() {
      if (size > maxBufferedLength) tools.report('unread-content', {}, 'It is longer than 64 MiB.')
      else if (kind === 'bytes') auditBytes(Buffer.concat(pieces), tools, {}, path)
      else auditCode(Buffer.concat(pieces).toString('utf8'), kind, tools)
      return undefined
    },
  }
}

/** Audits a style sheet or script: its text, what it loads, and the bytes that it contains in base64. */
function auditCode(text: string, kind: FileKind, tools: FileAuditContext): void {
  const scan = scanOf(tools)
  scan.write(text, { line: 1 })
  for (const part of kind === 'style' ? escapedParts(text) : unescapedParts(text)) scan.write(`\n${part}\n`, {})
  scan.end()
  const read = kind === 'style' ? unescapeCss(text) : text
  let [line, counted] = [1, 0]
  for (const { at, address } of kind === 'style' ? styleLoads(text) : scriptLoads(text)) {
    line += breaksIn(read.slice(counted, at))
    counted = at
    tools.report('external-request', { line }, `It asks \`${hostOf(address)}\`.`)
  }
  if (kind === 'style') return
  for (const [, base64 = ''] of text.matchAll(/["'`]([A-Za-z0-9+/]{64,}={0,2})["'`]/g)) {
    auditBytes(Buffer.from(base64, 'base64'), tools, {})
  }
}

// Bytes that are not text: packed ones, pictures, and others, of which the printable parts are read.

/** Reads bytes; `path` is given if they are a file of their own. */
function auditBytes(bytes: Uint8Array, tools: FileAuditContext, mark: Mark, path?: string): void {
  if (isGzip(bytes)) {
    const content = tools.unpack(bytes, 'gzip')
    if (content === undefined) tools.report('unread-content', mark, 'It cannot be unpacked.')
    else if (isPacked(content)) tools.report('unread-content', mark, 'It is packed more than once.')
    else auditUnpacked(content, tools, mark)
  } else auditPicture(bytes, tools, mark, path)
}

function auditPicture(bytes: Uint8Array, tools: FileAuditContext, mark: Mark, path = ''): void {
  const metadata = pictureMetadata(bytes)
  if (metadata === undefined) {
    if (isPacked(bytes)) tools.report('unread-content', mark, 'It is packed in a way that is not read.')
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

/** Audits a part of the search index: texts of pages as JSON, or words as CBOR. The words have lost their case. */
function auditUnpacked(content: Uint8Array, tools: FileAuditContext, mark: Mark): void {
  const bytes = hasAt(content, 0, pagefindMark) ? content.subarray(pagefindMark.length) : content
  // Paths in a program are those of the machine on which it was built.
  const isProgram = hasAt(bytes, 0, '\0asm')
  const isJson = hasAt(bytes, 0, '{') && bytes.at(-1) === 0x7d
  scanWhole(isJson ? Buffer.from(bytes).toString('utf8') : wordsOf(bytes), tools, mark, {
    anyCase: !isJson,
    secretsOnly: isProgram,
  })
}

/**
 * The words of a list, separated by an empty line, because what is in the next line could be read as the rest of a key that a
 * terminal broke. For a program, and for what is not a list, the printable parts.
 */
function wordsOf(bytes: Uint8Array): string {
  const texts = hasAt(bytes, 0, '\0asm') ? undefined : cborTexts(bytes)
  return texts?.join('\n\n') ?? printableRuns(bytes)
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

// How findings in a file are reported, and texts read.

/** What the audit of files needs. */
export interface FileAuditContext {
  findSecrets: FindSecrets
  /** The content of gzip or zlib data; `undefined` if it is broken or too long. */
  unpack: (bytes: Uint8Array, by: 'gzip' | 'zlib') => Uint8Array | undefined
  /** Receives a finding; `value` is what was found, which is shown to nobody. */
  report: (ruleId: Finding['ruleId'], mark: Mark, detail?: string, value?: string) => void
  /** Receives windows that other scanners read, too. */
  foreign: Pick<ForeignQueue, 'add'>
}

/** Reports a hit with the words around it masked; `where` is a sentence about its location. */
function hitReporter({ report }: Pick<FileAuditContext, 'report'>, where = ''): OnHit {
  return (hit, text, mark) => {
    const mask = `[redacted:${hit.ruleId.slice(hit.ruleId.indexOf('/') + 1)}]`
    const encoded = hit.encoded === undefined ? '' : ' In base64.'
    const value = hit.encoded ?? text.slice(hit.start, hit.end)
    report(hit.ruleId, mark, `${where}Around it: \`${maskedContext(text, hit, mask)}\`.${encoded}`, value)
  }
}

/** A scan of a text that reports its hits; `where` is a sentence about their location. */
function scanOf(tools: FileAuditContext, where?: string): TextScan {
  const scan = reportingScan(tools, {}, hitReporter(tools, where))
  const write: TextScan['write'] = (text, mark) => {
    const letters = text.replace(data, (run) => {
      const bytes = Buffer.from(run, 'base64')
      if (!isBinary(bytes)) return run
      auditBytes(bytes, tools, mark)
      return ' '.repeat(run.length)
    })
    scan.write(letters, mark)
  }
  return { ...scan, write }
}

/** Bytes in base64. In a megabyte of what a locked site seals, some vendor's token occurs about once by chance. */
const data = /(?=[A-Za-z0-9]{0,400}[+/])[A-Za-z0-9+/]{1000,}={0,2}/g

/** Whether more than a quarter of the first bytes do not occur in texts. */
function isBinary(bytes: Uint8Array): boolean {
  const first = bytes.subarray(0, 4096)
  let strange = 0
  for (const byte of first) if ((byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) || byte > 126) strange++
  return strange * 4 > first.length
}

/** A scan that passes its hits, and those of other scanners, to `onHit`. */
export function reportingScan(
  tools: FileAuditContext,
  options: Omit<HitOptions, 'findSecrets'>,
  onHit: OnHit,
): TextScan {
  const { findSecrets, foreign } = tools
  return textScan({ findSecrets, ...options }, onHit, (window) => foreign.add(window, onHit))
}

// The words around a finding, masked: enough to locate it, without its content.

const reach = 32

/**
 * The surroundings of a part of a text: letters become `x`, digits `0`, whitespace one space, and `instead` replaces the part
 * itself. At most 32 characters on each side.
 */
export function maskedContext(text: string, { start, end }: Pick<Hit, 'start' | 'end'>, instead: string): string {
  const from = Math.max(0, start - reach)
  const to = Math.min(text.length, end + reach)
  const before = mask(text.slice(from, start))
  const after = mask(text.slice(end, to))
  return `${from > 0 ? '…' : ''}${before}${instead}${after}${to < text.length ? '…' : ''}`.trim()
}

/** Punctuation stays, because `key=` and `"key": "` show where to look. Anything beyond ASCII is masked, too. */
function mask(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\p{N}]/gu, '0')
    .replace(/[^\x20-\x2F0\x3A-\x40\x5B-\x60\x7B-\x7E]/gu, 'x')
    .replaceAll('`', "'")
}
