/** Reads a folder as whoever is handed it would: every entry, no link followed. */

import { lstat, open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, inflateSync } from 'node:zlib'
import { type Finding, finding } from '../../diagnostics/finding.ts'
import { manifestName, pathProblem } from '../../site/output/paths.ts'
import { compareText } from '../../util/compare.ts'
import { printable } from '../../util/printable.ts'
import { errorCode } from '../../util/reason.ts'

const pieceSize = 256 * 1024

/** Lists all entries below an absolute folder, in the order of their paths. Throws what reading throws. */
export async function listSite(root: string): Promise<SiteEntry[]> {
  const entries: SiteEntry[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) folders.push(path)
      else entries.push(await entryAt(root, path))
    }
  }
  return entries.sort((a, b) => compareText(a.path, b.path))
}

async function entryAt(root: string, path: string): Promise<SiteEntry> {
  const stats = await lstat(join(root, path))
  if (stats.isFile()) return { path, kind: 'file', bytes: stats.size }
  return { path, kind: stats.isSymbolicLink() ? 'link' : 'other', bytes: 0 }
}

/** The bytes of a file in pieces of at most 256 KiB. Throws what reading throws. */
export async function* readPieces(root: string, path: string): AsyncGenerator<Uint8Array> {
  const handle = await open(join(root, path))
  try {
    for (;;) {
      const buffer = Buffer.allocUnsafe(pieceSize)
      const { bytesRead } = await handle.read(buffer, 0, pieceSize)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

/** The text of a file; `undefined` where there is none. Throws what else reading throws. */
export async function readText(root: string, path: string): Promise<string | undefined> {
  try {
    return await readFile(join(root, path), 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined
    throw error
  }
}

// What the names in a site's folder say against its manifest, before any file is opened.

/** An entry of a site's folder that is no folder itself. */
export interface SiteEntry {
  /** Relative, with `/` between its parts. */
  path: string
  kind: 'file' | 'link' | 'other'
  bytes: number
}

/** Findings of the names: links, files that the manifest does not list or that are not there, names that collide. */
export function auditListing(entries: readonly SiteEntry[], files: Readonly<Record<string, string>>): Finding[] {
  const present = new Set(entries.map(({ path }) => path))
  const missing = Object.keys(files).filter((path) => !present.has(path))
  return [
    ...entries.flatMap((entry) => auditEntry(entry, files)),
    ...missing.map((path) => finding('missing-file', { file: path })),
    ...collisions(entries),
  ]
}

function auditEntry({ path, kind }: SiteEntry, files: Readonly<Record<string, string>>): Finding[] {
  if (path === manifestName) return kind === 'file' ? [] : [finding('symbolic-link', { file: path })]
  const found: Finding[] = []
  if (kind !== 'file') found.push(finding('symbolic-link', { file: path }))
  else if (!Object.hasOwn(files, path)) found.push(finding('unlisted-file', { file: path }))
  const problem = pathProblem(path)
  if (problem !== undefined) found.push(finding('unportable-name', { file: path }, `Reason: ${problem}.`))
  return found
}

/** Names that are one file where case or the form of accents does not count. */
function collisions(entries: readonly SiteEntry[]): Finding[] {
  const first = new Map<string, string>()
  const found: Finding[] = []
  for (const { path } of entries) {
    const folded = path.normalize('NFC').toLowerCase()
    const other = first.get(folded)
    if (other === undefined) first.set(folded, path)
    else {
      const detail = `\`${printable(other)}\` is the same name on systems that ignore case.`
      found.push(finding('unportable-name', { file: path }, detail))
    }
  }
  return found
}

// Unpacks what a browser would, up to a limit: a small file may hold gigabytes.

const longest = 64 << 20

/** What a gzip file or a zlib stream holds; `undefined` where it is broken or longer than 64 MiB. */
export function unpack(bytes: Uint8Array, by: 'gzip' | 'zlib'): Uint8Array | undefined {
  try {
    const options = { maxOutputLength: longest }
    return by === 'gzip' ? gunzipSync(bytes, options) : inflateSync(bytes, options)
  } catch {
    // It is told as content that could not be read.
    return undefined
  }
}
