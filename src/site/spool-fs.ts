/**
 * Temporary files: a folder for commands that write no site, texts that wait by number, and files that are written completely
 * before they are read.
 */

import { randomUUID } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import type { SessionDetail } from '../transcript/summary.ts'
import { readAt, writeAll } from '../util/files-fs.ts'
import { sha256 } from '../util/hash.ts'
import { type Content, decoded, encoded } from '../util/pieces.ts'
import { isDiskError, reasonOf } from '../util/reason.ts'
import type { BuildCache } from './cache/build-cache.ts'

/** Runs `work` with a temporary folder that is made when it is first asked for, and removed at the end in any case. */
export async function withSpool<T>(work: (spoolDir: () => string) => Promise<T>): Promise<T> {
  let folder: string | undefined
  try {
    return await work(() => {
      folder ??= makeTempFolder()
      return folder
    })
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes a temporary folder that nobody else can read; the caller removes it. Throws a `UsageError` if the disk refuses. */
export function makeTempFolder(prefix = 'codex-export-'): string {
  return temporary(() => mkdtempSync(join(tmpdir(), prefix)))
}

/** Does something that needs the system's folder for temporary files. Throws a `UsageError` if the disk refuses. */
function temporary<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!isDiskError(cause)) throw cause
    const variable = process.platform === 'win32' ? 'TEMP' : 'TMPDIR'
    throw new UsageError(
      `Cannot write temporary files in \`${tmpdir()}\`: ${reasonOf(cause)}. \`${variable}\` names another folder.`,
      { cause },
    )
  }
}

// A temporary file that is written completely before it is read.

/**
 * Writes pieces to a new file in a folder of `withSpool` and returns its path. Only its owner may read it, because transcripts
 * are private. Throws a `UsageError` if the disk refuses.
 */
export function writeSpoolFile(folder: string, content: Iterable<Uint8Array>): string {
  const path = join(folder, `${randomUUID()}.spool`)
  return temporary(() => {
    const descriptor = openSync(path, 'wx', 0o600)
    try {
      for (const piece of content) writeAll(descriptor, piece)
    } finally {
      closeSync(descriptor)
    }
    return path
  })
}

// Contents that are kept by number, as bytes: in memory up to a limit, then in a file.

/** Contents in order, by number. */
export interface PageSpool {
  add: (content: Content) => void
  /** Number of contents. */
  count: () => number
  /** The content that was added as number `index`, text as UTF-8; empty for any other number. */
  get: (index: number) => Uint8Array
  close: () => void
}

/** Bytes that a spool keeps in memory. A session has several spools. */
const memoryLimit = 2_000_000

/** A spool whose file, if it needs one, is in `folder()`; `name` must be unique there. */
export function pageSpool(folder: () => string, name: string): PageSpool {
  const locations: (Uint8Array | { start: number; length: number })[] = []
  let kept = 0
  let end = 0
  let file: number | undefined
  return {
    add(content) {
      const bytes = encoded(content)
      if (kept + bytes.length <= memoryLimit) {
        kept += bytes.length
        locations.push(Buffer.from(bytes))
        return
      }
      file ??= openSync(join(folder(), name), 'w+')
      let written = 0
      while (written < bytes.length) written += writeSync(file, bytes, written, bytes.length - written, end + written)
      locations.push({ start: end, length: bytes.length })
      end += bytes.length
    },
    count: () => locations.length,
    get(index) {
      const location = locations[index]
      if (location instanceof Uint8Array) return location
      if (location === undefined || file === undefined) return new Uint8Array()
      const bytes = readAt(file, location.start, location.start + location.length)
      if (bytes.length < location.length) throw new Error('A temporary file ended early')
      return bytes
    },
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

/** All contents of a spool in order. */
export function* spooled(spool: PageSpool): Generator<Uint8Array> {
  for (let index = 0; index < spool.count(); index++) yield spool.get(index)
}

// Details of sessions, from their rendering until the pages about several sessions: in the cache, never all in memory.

/** Details by thread id. */
export interface DetailStore {
  put: (detail: SessionDetail) => void
  /** `undefined` if neither this build nor the last one stored any. */
  get: (threadId: string) => SessionDetail | undefined
  /** A hash of the details; `undefined` as for `get`. */
  hashOf: (threadId: string) => string | undefined
  close: () => void
}

/** A store that keeps details for the next build. */
export function detailStore(cache: BuildCache): DetailStore {
  return { put: cache.setDetail, get: cache.detail, hashOf: cache.detailHash, close: () => {} }
}

/** A store for a dry run, which leaves the cache unchanged: new details wait in a spool. */
export function passingDetailStore(cache: BuildCache, spoolDir: () => string): DetailStore {
  const spool: PageSpool = pageSpool(spoolDir, 'details')
  const indexes = new Map<string, number>()
  return {
    put(detail) {
      indexes.set(detail.threadId, spool.count())
      spool.add(JSON.stringify(detail))
    },
    get(threadId) {
      const index = indexes.get(threadId)
      // The spool contains what `put` wrote.
      return index === undefined ? cache.detail(threadId) : (JSON.parse(decoded(spool.get(index))) as SessionDetail)
    },
    hashOf(threadId) {
      const index = indexes.get(threadId)
      return index === undefined ? cache.detailHash(threadId) : sha256(spool.get(index))
    },
    close: spool.close,
  }
}
