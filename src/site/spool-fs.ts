/** Temporary files: a folder for commands that write no site, texts that wait by number, files that are written whole. */

import { randomUUID } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionDetail } from '../transcript/summary.ts'
import { sha256 } from '../util/hash.ts'
import type { BuildCache } from './cache/build-cache.ts'

/** Runs `work` with a temporary folder that is made when first asked for and removed at the end, whatever happens. */
export async function withSpool<T>(work: (spoolDir: () => string) => Promise<T>): Promise<T> {
  let folder: string | undefined
  try {
    return await work(() => {
      folder ??= mkdtempSync(join(tmpdir(), 'codex-export-'))
      return folder
    })
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}

// A temporary file that is written whole before it is read.

/** Writes pieces to a new file in a folder and gives its path. Only its owner may read it: transcripts are private. */
export function writeSpoolFile(folder: string, content: Iterable<Uint8Array>): string {
  const path = join(folder, `${randomUUID()}.spool`)
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    for (const piece of content) for (let done = 0; done < piece.length; ) done += writeSync(descriptor, piece, done)
  } finally {
    closeSync(descriptor)
  }
  return path
}

// Texts that are kept by number: in memory up to a limit, then in a file.

/** Texts in order, by number. */
export interface PageSpool {
  add: (text: string) => void
  /** Number of texts. */
  count: () => number
  /** The text that was added as number `index`. */
  get: (index: number) => string
  close: () => void
}

/** UTF-16 units that stay in memory. A session has several spools, and the heap may take twice what lives in it. */
const memoryLimit = 1_000_000

/** A spool whose file, where it needs one, lies in `folder()` under a name of its own. */
export function pageSpool(folder: () => string, name: string): PageSpool {
  const places: (string | { start: number; length: number })[] = []
  let kept = 0
  let end = 0
  let file: number | undefined
  return {
    add(text) {
      if (kept + text.length <= memoryLimit) {
        kept += text.length
        places.push(text)
        return
      }
      file ??= openSync(join(folder(), name), 'w+')
      const bytes = Buffer.from(text)
      let written = 0
      while (written < bytes.length) written += writeSync(file, bytes, written, bytes.length - written, end + written)
      places.push({ start: end, length: bytes.length })
      end += bytes.length
    },
    count: () => places.length,
    get(index) {
      const place = places[index]
      if (place === undefined || file === undefined || typeof place === 'string')
        return typeof place === 'string' ? place : ''
      const bytes = Buffer.allocUnsafe(place.length)
      let done = 0
      while (done < place.length) {
        const read = readSync(file, bytes, done, place.length - done, place.start + done)
        if (read === 0) throw new Error('A temporary file ended early')
        done += read
      }
      return bytes.toString('utf8')
    },
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

/** All texts of a spool in order. */
export function* spooled(spool: PageSpool): Generator<string> {
  for (let index = 0; index < spool.count(); index++) yield spool.get(index)
}

// Details of sessions between their rendering and the pages across them: in the cache, never all in memory.

/** Details by thread id. */
export interface DetailStore {
  put: (detail: SessionDetail) => void
  /** `undefined` where neither this build nor the one before kept any. */
  get: (threadId: string) => SessionDetail | undefined
  /** Names them by their content; `undefined` as with `get`. */
  hashOf: (threadId: string) => string | undefined
  close: () => void
}

/** A store that keeps details for the next build. */
export function detailStore(cache: BuildCache): DetailStore {
  return { put: cache.setDetail, get: cache.detail, hashOf: cache.detailHash, close: () => {} }
}

/** A store for a dry run, which leaves the cache as it is: new details wait in a spool. */
export function passingDetailStore(cache: BuildCache, spoolDir: () => string): DetailStore {
  const spool: PageSpool = pageSpool(spoolDir, 'details')
  const places = new Map<string, number>()
  return {
    put(detail) {
      places.set(detail.threadId, spool.count())
      spool.add(JSON.stringify(detail))
    },
    get(threadId) {
      const place = places.get(threadId)
      // What the spool holds is what `put` wrote.
      return place === undefined ? cache.detail(threadId) : (JSON.parse(spool.get(place)) as SessionDetail)
    },
    hashOf(threadId) {
      const place = places.get(threadId)
      return place === undefined ? cache.detailHash(threadId) : sha256(spool.get(place))
    },
    close: spool.close,
  }
}
