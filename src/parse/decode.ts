/** Small total decoders for untrusted JSON: each gives a value or `undefined`, none throws. */

/** An object of a JSON text. */
export type JsonObject = Record<string, unknown>

/** A plain object, else `undefined`. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
}

/** An array, else an empty one. */
export function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** A string, else `undefined`. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A string with at least one character that is not blank. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** A finite number, also from a numeric string (rollout-format 9, hazard 13). */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

/** A non-negative integer; fractions are rounded. */
export function asCount(value: unknown): number | undefined {
  const number = asNumber(value)
  return number === undefined || number < 0 ? undefined : Math.round(number)
}

/** `true` or `false`, else `undefined`. */
export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

/** An instant as ISO UTC with milliseconds, from RFC 3339 text. */
export function asInstant(value: unknown): string | undefined {
  const text = asString(value)
  if (text === undefined) return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time)) return undefined
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) ? text : new Date(time).toISOString()
}

/** The strings of an array. */
export function asStrings(value: unknown): string[] {
  return asArray(value).filter((item) => typeof item === 'string')
}

/** A path: `file:` URIs are decoded, the Windows long-path prefix is dropped (rollout-format 9, hazard 14). */
export function asPath(value: unknown): string | undefined {
  const text = asText(value)
  if (text === undefined) return undefined
  if (!/^file:\/\//i.test(text)) return text.replace(/^\\\\\?\\(UNC\\)?/i, (_, share) => (share ? '\\\\' : ''))
  // `file:///path` and `file://localhost/path` are local; another host is a share.
  const path = text
    .slice('file://'.length)
    .replace(/^localhost(?=\/)/i, '')
    .replace(/^(?!\/)/, '//')
  try {
    return decodeURIComponent(path).replace(/^\/([a-z]:)/i, '$1')
  } catch {
    return path
  }
}

/** Milliseconds from `{secs, nanos}`, a number of milliseconds, or text such as `1.2s`; negative ones are none. */
export function asDuration(value: unknown): number | undefined {
  const object = asObject(value)
  if (object !== undefined) {
    const seconds = asNumber(object['secs'])
    return seconds === undefined ? undefined : asCount(seconds * 1000 + (asNumber(object['nanos']) ?? 0) / 1e6)
  }
  const text = asString(value)?.match(/^([\d.]+)\s*(ms|s)$/)
  if (text) return Math.round(Number(text[1]) * (text[2] === 's' ? 1000 : 1))
  return asCount(value)
}

/** A remote URL without credentials (rollout-format 9, hazard 18). */
export function asRemote(value: unknown): string | undefined {
  return asText(value)?.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1')
}
