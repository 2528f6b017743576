/** What a build remembers for the next one: heads, scans and sessions of files that did not change. */

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
  /** Names what the summary says. */
  summaryKey: string
  files: FileRecord[]
  /** Pruned pages; their bytes are blobs. */
  search: SearchRecord[]
  diagnostics: Diagnostic[]
  /** Names what decided what of it is published. */
  publication?: string
  values?: CachedValues
}

/** What of a session the stages behind its rendering ask for. */
export type SiteSession = Pick<CachedSession, 'key' | 'summary' | 'summaryKey' | 'search'>

/** Names what a summary says. */
export function summaryKey(summary: SessionSummary): string {
  return hashKey(JSON.stringify(summary))
}

/** What the next build must know of values that are secret in a whole family; none of them, nor a hash, is kept. */
export interface CachedValues {
  /** Names the files of the family whose values were all known; absent while some were not read. */
  family?: string
  /** The session tells values, or holds some that are known: it is redacted anew when anything of the family changes. */
  touched: boolean
  /** Known values stand in its head or title, which are not kept therefore. */
  inHead?: boolean
}

/** The index of the last build. */
export interface CachedSearch {
  key: string
  /** The newest last. */
  shards: CachedShard[]
  /** What all shards but the newest are in the browser. */
  joined?: CachedIndex | undefined
  /** The script that knows the indexes; none where there was no page. */
  script: FileRecord[]
}

/** An index, and what of it is in the site. */
export interface CachedIndex extends IndexEntry {
  key: string
  files: FileRecord[]
}

/** A part of the index. */
export interface CachedShard extends CachedIndex {
  /** What the texts of its pages are below, with a slash at its end; empty for the newest. */
  folder: string
  /** Files from which it is joined with others, which the cache has as blobs. */
  parts: string[]
}

/** A file whose text is made of what a key names; absent where it is made in each build. */
export interface KeyedFile extends FileRecord {
  key?: string
}

/** The pages around the sessions, of the last build. */
export interface CachedSite {
  key: string
  files: KeyedFile[]
  /** Slugs of projects of which it is kept what their sessions tell together. */
  projects: string[]
}

/** What is shown of a thread under a plan, which is named by its JSON. */
export interface ShownScan {
  plan: string
  texts: ShownTexts
}

/** A scan as the cache keeps it. */
export interface KeptScan extends Scan {
  shown?: ShownScan
}

/** What was remembered, by what it was made of; `undefined` where that changed. */
export interface BuildCache {
  head: (file: RolloutFile) => HeadReading | undefined
  setHead: (file: RolloutFile, reading: HeadReading) => void
  /** A scan counts only while the ancestors on which it depends are the same. */
  scan: (thread: Thread, ancestorKey: (facts: ScanFacts) => string) => KeptScan | undefined
  setScan: (thread: Thread, scan: Scan, ancestors: string) => void
  /** Adds to a scan, where it is kept, what is shown of it; whether it is. */
  setShown: (thread: Thread, shown: ShownScan) => boolean
  /** The scan that was kept last under the id of a thread. */
  lastScan: (threadId: string) => KeptScan | undefined
  /** Forgets head and scan of a thread: what they hold was found to be secret. */
  forget: (thread: Thread) => void
  /** Whether a thread, which is not published itself, was read before and tells no values. */
  isQuiet: (thread: Thread) => boolean
  setQuiet: (thread: Thread) => void
  session: (threadId: string, key: string) => CachedSession | undefined
  /** Whether there are sessions of the build before. */
  hasSessions: () => boolean
  /** Its sessions but for some, by thread id. */
  sessions: (but: ReadonlySet<string>) => CachedSession[]
  /** Kept from then on, also where the build is killed. */
  setSession: (threadId: string, session: CachedSession) => void
  /** Unmarked copies among some threads, as found before or now. */
  oldCopies: (bare: readonly Thread[], find: () => Promise<OldCopies>) => Promise<OldCopies>
  /** Details of a session, blobs like pruned pages. */
  detail: (threadId: string) => SessionDetail | undefined
  /** Names them without reading them. */
  detailHash: (threadId: string) => string | undefined
  setDetail: (detail: SessionDetail) => void
  /** The pages around the sessions, where their key is the same. */
  site: (key: string) => CachedSite | undefined
  /** The same of the last build, whatever it was made of: this one makes others, or none. */
  lastSite: () => CachedSite | undefined
  setSite: (site: CachedSite) => void
  /** What was made of the sessions of a project, where their key is the same. */
  project: (slug: string, key: string) => ProjectPages[] | undefined
  setProject: (slug: string, key: string, made: readonly ProjectPages[]) => void
  search: () => CachedSearch | undefined
  setSearch: (search: CachedSearch) => void
  page: (path: string) => string | undefined
  setPage: (path: string, html: string | Uint8Array) => void
  /** What was made of a page of a session that may go on, as `storedSlices` wrote it. */
  slice: (threadId: string, page: number) => Uint8Array | undefined
  setSlice: (threadId: string, page: number, packed: Uint8Array) => void
  /** Keeps what was made of the first pages of a session without reading it. */
  keepSlices: (threadId: string, pages: number) => void
  /** A file of a shard that is not in the site. */
  part: (name: string) => Uint8Array | undefined
  setPart: (name: string, content: Uint8Array) => void
  /** Keeps such a file without reading it; `false` where it is gone. */
  keepPart: (name: string) => boolean
  /** Takes what another cache of the same stamp holds, but for what is here already. */
  adopt: (other: Cache) => void
  /** Keeps the blobs of a session without reading them; `false` where one is gone. */
  keepBlobs: (threadId: string, session: CachedSession) => boolean
  /** Writes down what this build used; everything else is forgotten. */
  save: () => void
  /** Ends the reading of its files. */
  close: () => void
}

/** Identity of a file's content, as far as a walk can tell. */
const fileKey = oncePer((file: RolloutFile): string => {
  const backups = (file.backups ?? []).flatMap(({ path, bytes, mtimeMs }) => [path, bytes, mtimeMs])
  return hashKey([file.path, file.name, file.home, file.bytes, file.mtimeMs, ...backups].join('\0'))
})

/** Identity of a thread's content and name: a build asks for it in every stage. */
export const threadKey: (thread: Thread) => string = oncePer(({ id, name, archived, segments, copied }) => {
  const parts = segments.map(({ file, endByte, endOrdinal }) => `${fileKey(file)} ${endByte ?? ''} ${endOrdinal ?? ''}`)
  return hashKey([id, name ?? '', String(archived), JSON.stringify(copied) ?? '', ...parts].join('\0'))
})

/** Copies the entries of a cache into another one of the same stamp, and the blobs of its sessions: one without them would be shown with those of an earlier state. */
function adopt(from: Cache, to: Cache): void {
  for (const name of from.keys()) {
    const id = sessionIn(name)
    const value = from.get(name)
    // What stands under this name is what `setSession` wrote.
    const keys = id === undefined ? [] : blobsOf(id, value as CachedSession)
    if (keys.every((key) => adoptBlob(key, from, to))) to.set(name, value)
  }
}

/** Copies a blob, unless the very bytes are there; tells whether they are there then. */
function adoptBlob(key: string, from: Cache, to: Cache): boolean {
  if (to.hasBlob(key) && to.blobHash(key) === from.blobHash(key)) return true
  const bytes = from.getBlob(key)
  if (bytes !== undefined) to.setBlob(key, bytes)
  return bytes !== undefined
}

/** Thread id of the session that stands under a name of the cache; `undefined` for another entry. */
function sessionIn(name: string): string | undefined {
  return name.startsWith('session ') ? name.slice('session '.length) : undefined
}

/** Names of the blobs of a session. */
function blobsOf(threadId: string, { search }: Pick<CachedSession, 'search'>): string[] {
  return [`detail ${threadId}`, ...search.map(({ path }) => `page ${path}`)]
}

/** Reaches entries and blobs of a cache, each of which counts as used from then on. */
class UsedCache {
  readonly #cache: Cache

  constructor(cache: Cache) {
    this.#cache = cache
  }

  /** An entry; absent where it was made under another key, so that nothing stale is ever used. */
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

  /** Keeps a blob without reading it; `false` where it is gone. */
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
      const known = used.get<{ ancestors: string } & KeptScan>(`scan ${thread.id}`, threadKey(thread))
      return known?.facts !== undefined && ancestorKey(known.facts) === known.ancestors ? known : undefined
    },
    setScan(thread, scan, ancestors) {
      const value: { key: string; ancestors: string } & Scan = { key: threadKey(thread), ancestors, ...scan }
      used.set(`scan ${thread.id}`, value)
    },
    setShown(thread, shown) {
      const name = `scan ${thread.id}`
      const known = used.get<KeptScan>(name, threadKey(thread))
      if (known === undefined) return false
      // A copy would have a shape of its own, with each of thousands of threads.
      known.shown = shown
      used.set(name, known)
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
    // Of heads and scans it is known in the end only whether they may be kept.
    setSession: (threadId, session) => used.set(`session ${threadId}`, session, { atOnce: true }),
    async oldCopies(bare, find) {
      const key = sha256(bare.map(threadKey).join('\0'))
      const known = used.get<OldCopies>('old copies', key)
      if (known !== undefined) return known
      const found = await find()
      used.set('old copies', { key, ...found })
      return found
    },
    detail(threadId) {
      const text = used.textBlob(`detail ${threadId}`)
      // What a blob holds is what `setDetail` wrote: the cache has compared its hash.
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

/** The pages around the sessions. */
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
      // What a blob holds is what `setProject` wrote.
      const known = text === undefined ? undefined : (JSON.parse(text) as { key: string; made: ProjectPages[] })
      return known?.key === key ? known.made : undefined
    },
    setProject: (slug, key, made) => used.setBlob(`project ${slug}`, JSON.stringify({ key, made })),
  }
}
