/** How a file of a site is read. */

/**
 * `page`: HTML. `markup`: a drawing, a feed, a sitemap. `style`, `script`, `text`: as they are. `bytes`: pictures, parts
 * of the search index, and all else that is no text.
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

/** The kind of a file by its name and the first bytes of it: browsers go by the name, everyone else by the bytes. */
export function fileKind(path: string, start: Uint8Array): FileKind {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const byName = byExtension[extension]
  if (byName !== undefined) return byName
  return isGzip(start) || start.subarray(0, 4096).includes(0) ? 'bytes' : 'text'
}

// Bytes of unknown kind: what they begin with, and the texts in them.

/** Whether bytes have others at a place, given as text of one byte a character. */
export function hasAt(bytes: Uint8Array, at: number, wanted: string): boolean {
  for (let index = 0; index < wanted.length; index++) if (bytes[at + index] !== wanted.charCodeAt(index)) return false
  return true
}

/** Whether bytes are packed by gzip. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** A byte a character. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** The runs of at least six printable ASCII characters, one a line; then those of the bytes as UTF-16. */
export function printableRuns(bytes: Uint8Array): string {
  const text = latin1(bytes)
  const wide = text.includes('\0') ? text.replaceAll('\0', '') : ''
  return [text, wide].flatMap((reading) => reading.match(/[\t\x20-\x7E]{6,}/g) ?? []).join('\n')
}
