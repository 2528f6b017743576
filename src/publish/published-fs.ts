/** Which sessions were published at places that cannot be asked: repositories that a site is committed to by hand. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../util/hash.ts'
import { makePrivate } from '../util/private-folder-fs.ts'

/** Folders of the sessions that were published at a place last; none where nothing is known. */
export function readPublished(cacheDir: string, place: string): Set<string> {
  try {
    const value: unknown = JSON.parse(readFileSync(fileOf(cacheDir, place), 'utf8'))
    return new Set(Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [])
  } catch {
    return new Set()
  }
}

/** Remembers them. Throws the error of the system. */
export function savePublished(cacheDir: string, place: string, folders: Iterable<string>): void {
  makePrivate(cacheDir)
  const file = fileOf(cacheDir, place)
  const draft = `${file}.${process.pid}.tmp`
  writeFileSync(draft, JSON.stringify([...folders]), { mode: 0o600 })
  renameSync(draft, file)
}

function fileOf(cacheDir: string, place: string): string {
  return join(cacheDir, `published-${sha256(place).slice(0, 12)}.json`)
}
