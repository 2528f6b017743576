/** Conditional requests and byte ranges (RFC 9110, sections 13 and 14). */

/** Whether an `If-None-Match` header names the entity tag, or is `*`. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const tags = header.split(',').map((item) => item.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(tag)
}

/** Bytes to send: first and last, both included. */
export interface ByteSpan {
  first: number
  last: number
}

/** The span that a `Range` header asks for. `whole`: none, or a form that may be ignored; `none`: it lies outside. */
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
