/** Everything in a built site, with its search index unpacked. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Texts of all files by path: including the names of files, and parts of the index unpacked. */
export function siteTexts(root: string): Map<string, string> {
  const texts = new Map<string, string>()
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(root.length + 1)
    texts.set(name, `${name}\n${textOf(readFileSync(path))}`)
  }
  return texts
}

/** Names of the files that contain a text, in any letter case. */
export function filesWith(texts: ReadonlyMap<string, string>, words: string): string[] {
  const wanted = words.toLowerCase()
  return [...texts].filter(([, text]) => text.toLowerCase().includes(wanted)).map(([name]) => name)
}

function textOf(bytes: Buffer): string {
  const plain = unpacked(bytes).toString('utf8')
  // Parts of the index for pages from disk are scripts that contain them in base64. Only the start of a run is tried.
  const inside = plain.match(/(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{200,}/g) ?? []
  return [plain, ...inside.map((text) => unpacked(Buffer.from(text, 'base64')).toString('utf8'))].join('\n')
}

function unpacked(bytes: Buffer): Buffer {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes
}
