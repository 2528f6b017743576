/** Searches for a word in bytes of every kind that a site consists of. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Bytes by name: the files of a folder, the objects of a bucket, the blobs of a commit. */
export type Contents = Iterable<readonly [name: string, bytes: Uint8Array]>

/** Files below a folder, as bytes. */
export function* folderContents(root: string): Generator<readonly [string, Uint8Array]> {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) yield [path.slice(root.length + 1), readFileSync(path)]
  }
}

/** Names of the contents that contain a word: in their name, as text, in base64, or compressed; in any letter case. */
export function tracesOf(word: string, contents: Contents): string[] {
  const wanted = word.toLowerCase()
  return [...contents]
    .filter(([name, bytes]) => name.toLowerCase().includes(wanted) || contains(bytes, wanted))
    .map(([name]) => name)
}

function contains(bytes: Uint8Array, wanted: string, depth = 0): boolean {
  const buffer = Buffer.from(bytes)
  const text = buffer.toString('latin1')
  if (text.toLowerCase().includes(wanted)) return true
  if (depth === 4) return false
  if (buffer[0] === 0x1f && buffer[1] === 0x8b && contains(gunzipSync(buffer), wanted, depth + 1)) return true
  const runs = text.match(/[A-Za-z0-9+/]{24,}={0,2}/g) ?? []
  return runs.some((run) => contains(Buffer.from(run, 'base64'), wanted, depth + 1))
}
