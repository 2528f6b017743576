/** The index of a cache as text. */

/** What an index holds. */
export interface CacheIndex {
  /** Values by key. */
  entries: Map<string, unknown>
  /** SHA-256 of blobs by key. */
  blobs: Map<string, string>
}

const schema = 'codex-export/cache'
const version = 1

/** Reads an index; one that is damaged, or written under another stamp, is empty. Never throws. */
export function decodeCache(text: string, stamp: string): CacheIndex {
  const empty: CacheIndex = { entries: new Map(), blobs: new Map() }
  const value = parse(text)
  if (value?.['schema'] !== schema || value['version'] !== version || value['stamp'] !== stamp) return empty
  const { entries, blobs } = value
  if (!isRecord(entries) || !isRecord(blobs)) return empty
  const hashes = Object.entries(blobs).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { entries: new Map(Object.entries(entries)), blobs: new Map(hashes) }
}

/** The stamp under which an index was written; `undefined` for what is none. Never throws. */
export function stampOf(text: string): string | undefined {
  const value = parse(text)
  const stamp = value?.['stamp']
  return value?.['schema'] === schema && typeof stamp === 'string' ? stamp : undefined
}

/** Writes an index. Entries stand in the order in which they were first set. */
export function encodeCache(stamp: string, entries: CacheIndex['entries'], blobs: CacheIndex['blobs']): string {
  const index = { schema, version, stamp, entries: Object.fromEntries(entries), blobs: Object.fromEntries(blobs) }
  return `${JSON.stringify(index)}\n`
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
