/** Reads what a client asks for; pure functions of text, so every trick can be tested. */

/** What a request asks for. `bad`: the path is not legitimate. */
type RequestTarget = SitePath | { kind: 'bad' }

/** A path of the site, and the query that follows it. */
export interface SitePath {
  kind: 'path'
  path: string
  query: string
}

const bad: RequestTarget = { kind: 'bad' }

/**
 * Reads the target of a request line, for example `/sessions/a/?q=x`. It is decoded once; encoded separators, dot segments,
 * backslashes and control characters make it bad. A folder means its `index.html`.
 */
export function readTarget(target: string): RequestTarget {
  const [, encoded, query] = /^\/([^?#]*)(\?[^#]*)?/.exec(target) ?? []
  if (encoded === undefined || /%2f|%5c/i.test(encoded)) return bad
  const path = decode(encoded)
  if (path === undefined || /[\p{Cc}\\]/u.test(path)) return bad
  const parts = path.split('/')
  if (parts.some((part, index) => part === '.' || part === '..' || (part === '' && index < parts.length - 1)))
    return bad
  return { kind: 'path', path: parts.at(-1) === '' ? `${path}index.html` : path, query: query ?? '' }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The link from the path of a folder without a final slash to the folder: relative, because a proxy may serve the site below a path. */
export function folderLink(path: string): string {
  return `${encodeURIComponent(path.split('/').at(-1) ?? '')}/`
}

/**
 * Whether a `Host` header names this server. Otherwise a page of another site could point its own name at this machine and read
 * the site through the visitor's browser.
 */
export function isOwnHost(header: string | undefined, port: number): boolean {
  const name = header?.toLowerCase()
  return ['127.0.0.1', 'localhost', '[::1]'].some((own) => name === `${own}:${port}` || (port === 80 && name === own))
}

// Conditional requests and byte ranges (RFC 9110, sections 13 and 14).

/** Whether an `If-None-Match` header names the entity tag, or is `*`. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const tags = header.split(',').map((item) => item.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(tag)
}

/** Bytes to send: first and last, both included. */
interface ByteSpan {
  first: number
  last: number
}

/**
 * The span that a `Range` header asks for. `whole`: there is no range, or it has a form that may be ignored; `none`: it is
 * outside the file.
 */
export function readRange(header: string | undefined, size: number): ByteSpan | 'whole' | 'none' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (match === null) return 'whole'
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return 'whole'
  if (from === '')
    return Number(to) === 0 || size === 0 ? 'none' : { first: Math.max(0, size - Number(to)), last: size - 1 }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < first) return 'whole'
  return first < size ? { first, last } : 'none'
}
