/** Reads a folder as whoever is handed it would: every entry, no link followed. */
import { lstat, open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compareText } from '../util/compare.ts'
import { errorCode } from '../util/reason.ts'
import type { SiteEntry } from './listing.ts'

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
