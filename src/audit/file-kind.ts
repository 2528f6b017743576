/** How a file of a site is read. */
import { isGzip } from './bytes.ts'

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
