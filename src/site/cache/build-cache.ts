/** What a build keeps for the next one: heads, scans and sessions of files that did not change. */

import type { Diagnostic } from '../../diagnostics/codes.ts'
import type { FileRecord, SearchRecord } from '../../render/output.ts'
import type { ProjectPages } from '../../render/pages/site.ts'
import type { RolloutFile, Thread } from '../../rollout/discover/rollout.ts'
import type { HeadReading } from '../../rollout/read/head-fs.ts'
import type { IndexEntry } from '../../search/script.ts'
import type { OldCopies } from '../../survey/old-copies.ts'
import type { ShownTexts } from '../../survey/privacy.ts'
import type { Scan } from '../../survey/scan.ts'
import type { ScanFacts, SessionDetail, SessionSummary } from '../../transcript/summary.ts'
import { hashKey, sha256 } from '../../util/hash.ts'
import { oncePer } from '../../util/own.ts'
import { decoded } from '../../util/pieces.ts'
import type { Cache } from './cache-fs.ts'

/** A session as the cache keeps it: everything but its bytes and its details. */
export interface CachedSession {
  key: string
  summary: SessionSummary
  /** Identifies what the summary says. */
  summaryKey: string
  files: FileRecord[]
  /** Pruned pages; their bytes are stored as blobs. */
  search: SearchRecord[]
  diagnostics: Diagnostic[]
  /** Identifies what decided which parts of it are published. */
  publication?: string
  values?: CachedValues
}

/** What the stages after rendering need from a session. */
export type SiteSession = Pick<CachedSession, 'key' | 'summary' | 'summaryKey' | 'search'>

/** Identifies what a summary says. */
export function summaryKey(summary: SessionSummary): string {
  return hashKey(JSON.stringify(summary))
}

/** What the next build must know about values that are secret in a whole family; neither the values nor their hashes are kept. */
export interface CachedValues {
  /** Identifies the files of the family when all its values were known; absent while some were not read. */
  family?: string
  /**
   * Whether the session reveals values, or contains some that are known: then it is redacted again when anything in the family
   * changes.
   */
  touched: boolean
  /** Its head or title contains known values, so these are not cached. */
  inHead?: boolean
}

/** The search index of the last build. */
export interface CachedSearch {
  key: string
  /** Newest last. */
  shards: CachedShard[]
  /** The joined index of all shards but the newest, as browsers load it. */
  joined?: CachedIndex | undefined
  /** The script that knows the indexes; empty if there was no page. */
  script: FileRecord[]
}

/** An index, and which of its files are in the site. */
export interface CachedIndex extends IndexEntry {
  key: string
  files: FileRecord[]
}

/** A part of the search index. */
export interface CachedShard extends CachedIndex {
  /** Folder of the texts of its pages, with a slash at the end; empty for the newest shard. */
  folder: string
  /** Files from which it is joined with others; the cache has them as blobs. */
  parts: string[]
}

/** A file whose content depends only on what its key identifies; a file without a key is made in each build. */
export interface KeyedFile extends FileRecord {
  key?: string
}

/** The pages around the sessions, as the last build made them. */
interface CachedSite {
  key: string
  files: KeyedFile[]
  /** Slugs of projects whose combined data is kept. */
  projects: string[]
}

/** What is shown of a thread under a plan, which is given as JSON. */
export interface ShownScan {
  plan: string
  texts: ShownTexts
}

/** A scan as the cache keeps it. */
export interface KeptScan extends Scan {
  shown?: ShownScan
}

/** What was kept, found by what it was made from; `undefined` if that has changed. */
export interface BuildCache {
  head: (file: RolloutFile) => HeadReading | undefined
  setHead: (file: RolloutFile, reading: HeadReading) => void
  /** The scan of a thread, as long as the ancestors on which it depends are the same. */
  scan: (thread: Thread, ancestorKey: (facts: ScanFacts) => string) => KeptScan | undefined
  setScan: (thread: Thread, scan: Scan, ancestors: string) => void
  /** Adds what is shown of a scan to the scan, if that is kept; returns whether it is. */
  setShown: (thread: Thread, shown: ShownScan) => boolean
  /** The scan that was last kept under the id of a thread. */
  lastScan: (threadId: string) => KeptScan | undefined
  /** Forgets head and scan of a thread, because they turned out to contain a secret. */
  forget: (thread: Thread) => void
  /** Whether a thread that is not published was read before and reveals no values. */
  isQuiet: (thread: Thread) => boolean
  setQuiet: (thread: Thread) => void
  session: (threadId: string, key: string) => CachedSession | undefined
  /** Whether there are sessions of the last build. */
  hasSessions: () => boolean
  /** The sessions of the last build, except those with these thread ids. */
  sessions: (but: ReadonlySet<string>) => CachedSession[]
  /** Keeps a session from now on, even if the build is killed. */
  setSession: (threadId: string, session: CachedSession) => void
  /** Unmarked copies among some threads, as found before or now. */
  oldCopies: (bare: readonly Thread[], find: () => Promise<OldCopies>) => Promise<OldCopies>
  /** Details of a session; they are blobs, like pruned pages. */
  detail: (threadId: string) => SessionDetail | undefined
  /** Identifies the details without reading them. */
  detailHash: (threadId: string) => string | undefined
  setDetail: (detail: SessionDetail) => void
  /** The pages around the sessions, if their key is the same. */
  site: (key: string) => CachedSite | undefined
  /** The same from the last build, whatever they were made from; this build may make other pages, or none. */
  lastSite: () => CachedSite | undefined
  setSite: (site: CachedSite) => void
  /** What was made from the sessions of a project, if the key is the same. */
  project: (slug: string, key: string) => ProjectPages[] | undefined
  setProject: (slug: string, key: string, made: readonly ProjectPages[]) => void
  search: () => CachedSearch | undefined
  setSearch: (search: CachedSearch) => void
  page: (path: string) => string | undefined
  setPage: (path: string, html: string | Uint8Array) => void
  /** What was made of a page of a session that may continue, as `storedSlices` wrote it. */
  slice: (threadId: string, page: number) => Uint8Array | undefined
  setSlice: (threadId: string, page: number, packed: Uint8Array) => void
  /** Keeps what was made of the first pages of a session, without reading it. */
  keepSlices: (threadId: string, pages: number) => void
  /** A file of a shard that is not in the site. */
  part: (name: string) => Uint8Array | undefined
  setPart: (name: string, content: Uint8Array) => void
  /** Keeps such a file without reading it; `false` if it is missing. */
  keepPart: (name: string) => boolean
  /** Takes over what another cache of the same stamp contains, except for what is already here. */
  adopt: (other: Cache) => void
  /** Keeps the blobs of a session without reading them; `false` if one is missing. */
  keepBlobs: (threadId: string, session: CachedSession) => boolean
  /** Saves what this build used; everything else is forgotten. */
  save: () => void
  /** Closes the files that are being read. */
  close: () => void
}

/** Identifies the content of a file, as far as a directory walk shows it. */
const fileKey = oncePer((file: RolloutFile): string => {
  const backups = (file.backups ?? []).flatMap(({ path, bytes, mtimeMs }) => [path, bytes, mtimeMs])
  return hashKey([file.path, file.name, file.home, file.bytes, file.mtimeMs, ...backups].join('\0'))
})

/** Identifies the content and name of a thread; cached, because a build needs it in every stage. */
export const threadKey: (thread: Thread) => string = oncePer(({ id, name, archived, segments, copied }) => {
  const parts = segments.map(({ file, endByte, endOrdinal }) => `${fileKey(file)} ${endByte ?? ''} ${endOrdinal ?? ''}`)
  return hashKey([id, name ?? '', String(archived), JSON.stringify(copied) ?? '', ...parts].join('\0'))
})

/**
 * Copies the entries of a cache into another one of the same stamp, with the blobs of its sessions: without them, a session would
 * be shown with those of an earlier state.
 */
function adopt(from: Cache, to: Cache): void {
  for (const name of from.keys()) {
    const id = sessionIn(name)
    const value = from.get(name)
    // The entry under this name was written by `setSession`.
    const keys = id === undefined ? [] : blobsOf(id, value as CachedSession)
    if (keys.every((key) => adoptBlob(key, from, to))) to.set(name, value)
  }
}

/** Copies a blob unless the same bytes are already there; returns whether they are there afterwards. */
function adoptBlob(key: string, from: Cache, to: Cache): boolean {
  if (to.hasBlob(key) && to.blobHash(key) === from.blobHash(key)) return true
  const bytes = from.getBlob(key)
  if (bytes !== undefined) to.setBlob(key, bytes)
  return bytes !== undefined
}

/** Thread id of the session that is stored under a name of the cache; `undefined` for any other entry. */
function sessionIn(name: string): string | undefined {
  return name.startsWith('session ') ? name.slice('session '.length) : undefined
}

/** Names of the blobs of a session. */
function blobsOf(threadId: string, { search }: Pick<CachedSession, 'search'>): string[] {
  return [`detail ${threadId}`, ...search.map(({ path }) => `page ${path}`)]
}

/** Accesses entries and blobs of a cache, and marks each as used. */
class UsedCache {
  readonly #cache: Cache

  constructor(cache: Cache) {
    this.#cache = cache
  }

  /** An entry; `undefined` if it was made under another key, so that nothing stale is ever used. */
  get<T>(name: string, key: string): (T & { key: string }) | undefined {
    // What is stored under our stamp was written by `set`.
    const value = this.#cache.get(name) as (T & { key: string }) | undefined
    if (value?.key !== key) return undefined
    this.#cache.use(name)
    return value
  }

  set(name: string, value: { key: string }, options?: { atOnce: boolean }): void {
    this.#cache.set(name, value, options)
    this.#cache.use(name)
  }

  blob(name: string): Uint8Array | undefined {
    this.#cache.use(name)
    return this.#cache.getBlob(name)
  }

  textBlob(name: string): string | undefined {
    const bytes = this.blob(name)
    return bytes === undefined ? undefined : decoded(bytes)
  }

  setBlob(name: string, content: string | Uint8Array): void {
    this.#cache.setBlob(name, content)
    this.#cache.use(name)
  }

  /** Keeps a blob without reading it; `false` if it is missing. */
  keepBlob(name: string): boolean {
    this.#cache.use(name)
    return this.#cache.hasBlob(name)
  }
}

/** A build's view of a cache. */
export function buildCache(cache: Cache): BuildCache {
  const used = new UsedCache(cache)
  return {
    head: (file) => used.get<HeadReading>(`head ${file.path}`, fileKey(file)),
    setHead: (file, reading) => used.set(`head ${file.path}`, { key: fileKey(file), ...reading }),
    scan(thread, ancestorKey) {
      const cached = used.get<{ ancestors: string } & KeptScan>(`scan ${thread.id}`, threadKey(thread))
      return cached?.facts !== undefined && ancestorKey(cached.facts) === cached.ancestors ? cached : undefined
    },
    setScan(thread, scan, ancestors) {
      const value: { key: string; ancestors: string } & Scan = { key: threadKey(thread), ancestors, ...scan }
      used.set(`scan ${thread.id}`, value)
    },
    setShown(thread, shown) {
      const name = `scan ${thread.id}`
      const cached = used.get<KeptScan>(name, threadKey(thread))
      if (cached === undefined) return false
      // Not copied, because with each of thousands of threads a copy would get its own object shape.
      cached.shown = shown
      used.set(name, cached)
      return true
    },
    lastScan: (threadId) => cache.get(`scan ${threadId}`) as KeptScan | undefined,
    forget({ id, segments }) {
      for (const name of [`scan ${id}`, ...segments.map(({ file }) => `head ${file.path}`)]) cache.release(name)
    },
    isQuiet: (thread) => used.get(`quiet ${thread.id}`, threadKey(thread)) !== undefined,
    setQuiet: (thread) => used.set(`quiet ${thread.id}`, { key: threadKey(thread) }),
    session: (threadId, key) => used.get<CachedSession>(`session ${threadId}`, key),
    hasSessions: () => cache.keys().some((name) => sessionIn(name) !== undefined),
    sessions: (but) =>
      cache.keys().flatMap((name) => {
        const id = sessionIn(name)
        return id === undefined || but.has(id) ? [] : [cache.get(name) as CachedSession]
      }),
    // Whether heads and scans may be kept is known only at the end of a build, so only sessions are kept at once.
    setSession: (threadId, session) => used.set(`session ${threadId}`, session, { atOnce: true }),
    async oldCopies(bare, find) {
      const key = sha256(bare.map(threadKey).join('\0'))
      const cached = used.get<OldCopies>('old copies', key)
      if (cached !== undefined) return cached
      const found = await find()
      used.set('old copies', { key, ...found })
      return found
    },
    detail(threadId) {
      const text = used.textBlob(`detail ${threadId}`)
      // The blob was written by `setDetail`: the cache has compared its hash.
      return text === undefined ? undefined : (JSON.parse(text) as SessionDetail)
    },
    detailHash: (threadId) => cache.blobHash(`detail ${threadId}`),
    setDetail: (detail) => used.setBlob(`detail ${detail.threadId}`, JSON.stringify(detail)),
    ...sitePages(cache, used),
    search: () => {
      cache.use('search')
      return cache.get('search') as CachedSearch | undefined
    },
    setSearch: (search) => used.set('search', search),
    page: (path) => used.textBlob(`page ${path}`),
    setPage: (path, html) => used.setBlob(`page ${path}`, html),
    slice: (threadId, page) => used.blob(`slice ${threadId} ${page}`),
    setSlice: (threadId, page, packed) => used.setBlob(`slice ${threadId} ${page}`, packed),
    keepSlices(threadId, pages) {
      for (let page = 1; page <= pages; page++) used.keepBlob(`slice ${threadId} ${page}`)
    },
    part: (name) => used.blob(`part ${name}`),
    setPart: (name, content) => used.setBlob(`part ${name}`, content),
    keepPart: (name) => used.keepBlob(`part ${name}`),
    adopt: (other) => adopt(other, cache),
    keepBlobs(threadId, session) {
      return blobsOf(threadId, session)
        .map((name) => used.keepBlob(name))
        .every(Boolean)
    },
    save() {
      cache.forgetUnused()
      cache.save()
    },
    close: () => cache.close(),
  }
}

/** The part for the pages around the sessions. */
function sitePages(
  cache: Cache,
  used: UsedCache,
): Pick<BuildCache, 'site' | 'lastSite' | 'setSite' | 'project' | 'setProject'> {
  return {
    site(key) {
      const site = used.get<CachedSite>('site', key)
      for (const slug of site?.projects ?? []) used.keepBlob(`project ${slug}`)
      return site
    },
    lastSite: () => cache.get('site') as CachedSite | undefined,
    setSite: (site) => used.set('site', site),
    project(slug, key) {
      const text = used.textBlob(`project ${slug}`)
      // The blob was written by `setProject`.
      const cached = text === undefined ? undefined : (JSON.parse(text) as { key: string; made: ProjectPages[] })
      return cached?.key === key ? cached.made : undefined
    },
    setProject: (slug, key, made) => used.setBlob(`project ${slug}`, JSON.stringify({ key, made })),
  }
}
