/** What was made of closed pages of sessions that continue, kept between two builds, so that only a new page costs time. */

import { gunzipSync, gzipSync } from 'node:zlib'
import type { FileRecord, OutputFile } from '../render/output.ts'
import type { RenderContext } from '../render/transcript/context.ts'
import type { ThreadLink } from '../survey/neighbours.ts'
import { sumBy } from '../util/groups.ts'
import { defined } from '../util/own.ts'
import { type Content, encoded, encodedCopy, unitsOf } from '../util/pieces.ts'

/** The texts made from a slice; formats that were not asked for are empty. */
export interface RenderedSlice {
  markdown: Content
  body: Content
  /** The part of the story that this slice contributes, if the session has several pages. */
  story?: Content
  /** Number of nodes that the page does not show. */
  hidden: number
  /** The pruned page for the search index. */
  search: Content
  /** UTF-16 units of the pruned page. */
  searchUnits: number
  /** Scripts that pages load on demand. */
  files: OutputFile[]
}

/** Texts of closed pages, for the next build. */
export interface KeptSlices {
  /** What was made of a page under the same key, if the threads that it names are unchanged. */
  get(page: KeptPage, threads: RenderContext['threads']): RenderedSlice | undefined
  /** Stores it; `asked` are the threads that were looked up. */
  set(page: KeptPage, rendered: RenderedSlice, asked: ReadonlyMap<string, ThreadLink | undefined>): void
  /** The files of a session's pages as this process last wrote them, by path. */
  written?(threadId: string): Map<string, WrittenPage>
}

/** The file of a page, and what it shows besides its own closed slices. */
export interface WrittenPage extends FileRecord {
  /** Identifies what it says about the session and those around it, apart from numbers. */
  around: string
  /** The entries of its outline. */
  outline: readonly string[]
}

/** A page, with a key for everything that its texts are made from except the threads that they name. */
interface KeptPage {
  threadId: string
  page: number
  key: string
}

/** Identifies everything that the texts of a kept slice are made from. */
interface SliceKey {
  key: string
  /** Ids of the threads that it names, and what was known about them. */
  asked: string[]
  links: string
}

function sliceKey(key: string, links: ReadonlyMap<string, ThreadLink | undefined>): SliceKey {
  const asked = [...links.keys()]
  return { key, asked, links: linksOf(asked, (id) => links.get(id)) }
}

/** Whether a slice would give the same texts. */
function isSame(storedKey: SliceKey, key: string, threads: RenderContext['threads']): boolean {
  return storedKey.key === key && linksOf(storedKey.asked, threads) === storedKey.links
}

function linksOf(asked: readonly string[], threads: RenderContext['threads']): string {
  return JSON.stringify(asked.map((id) => threads(id) ?? null))
}

// In the cache, for the next build of any process.

/** The first line of a slice in the cache. Its texts follow unchanged: those of the files, and then that of the story. */
interface StoredHead extends SliceKey, Pick<RenderedSlice, 'hidden' | 'searchUnits'> {
  /** Paths of the files. */
  paths: string[]
  /** Length in bytes of each text. */
  lengths: number[]
}

function encodeSlice(storedKey: SliceKey, { hidden, searchUnits, ...texts }: RenderedSlice): Uint8Array {
  const { markdown, body, search, files, story } = texts
  const contents = [
    markdown,
    body,
    search,
    ...files.map(({ content }) => content),
    ...(story === undefined ? [] : [story]),
  ]
  const bytes = contents.map(encodedCopy)
  const paths = files.map(({ path }) => path)
  const head: StoredHead = { ...storedKey, hidden, searchUnits, paths, lengths: bytes.map(({ length }) => length) }
  // The texts are as large as the page and its twin; at the lowest level of compression, a third of that or less.
  return gzipSync(encoded([`${JSON.stringify(head)}\n`, ...bytes]), { level: 1 })
}

function readStored(
  bytes: Uint8Array,
  { hidden, searchUnits, paths, lengths }: StoredHead,
  from: number,
): RenderedSlice {
  let end = from
  const contents = lengths.map((length) => {
    end += length
    return bytes.subarray(end - length, end)
  })
  const [markdown = none, body = none, search = none, ...rest] = contents
  const files = paths.map((path, index) => ({ path, content: rest[index] ?? none }))
  return { markdown, body, hidden, search, searchUnits, files, ...defined({ story: rest[paths.length] }) }
}

const none = new Uint8Array()

/** Texts of closed pages in a cache: `read` returns what `keep` stored for a page. */
export function storedSlices(
  read: (threadId: string, page: number) => Uint8Array | undefined,
  keep: (threadId: string, page: number, packed: Uint8Array) => void,
): KeptSlices {
  return {
    get({ threadId, page, key }, threads) {
      const packed = read(threadId, page)
      if (packed === undefined) return undefined
      const bytes = gunzipSync(packed)
      const end = bytes.indexOf('\n')
      // The stored head was written by `set`.
      const head = JSON.parse(bytes.toString('utf8', 0, end)) as StoredHead
      return isSame(head, key, threads) ? readStored(bytes, head, end + 1) : undefined
    },
    set({ threadId, page, key }, rendered, asked) {
      keep(threadId, page, encodeSlice(sliceKey(key, asked), rendered))
    },
  }
}

// In memory, for sessions that are being written while one process builds again and again.

/** Most UTF-16 units that are kept: about a session of 20 MB. */
const maxKeptUnits = 32_000_000

interface SizedSlice extends SliceKey {
  rendered: RenderedSlice
  units: number
}

/** Keeps slices under a stamp that identifies the site's settings; those of another stamp are forgotten. */
export function sliceKeeper(maxUnits: number = maxKeptUnits): (stamp: string) => KeptSlices {
  /** By session, the most recently used one last. */
  const sessions = new Map<string, Map<number, SizedSlice>>()
  const written = new Map<string, Map<string, WrittenPage>>()
  let units = 0
  let keptStamp = ''
  const forget = (threadId: string): void => {
    for (const slice of sessions.get(threadId)?.values() ?? []) units -= slice.units
    sessions.delete(threadId)
    written.delete(threadId)
  }
  const pagesOf = (threadId: string): Map<number, SizedSlice> => {
    const pages = sessions.get(threadId) ?? new Map<number, SizedSlice>()
    sessions.delete(threadId)
    sessions.set(threadId, pages)
    return pages
  }
  const kept: KeptSlices = {
    get({ threadId, page, key }, threads) {
      const storedKey = pagesOf(threadId).get(page)
      return storedKey !== undefined && isSame(storedKey, key, threads) ? storedKey.rendered : undefined
    },
    set({ threadId, page, key }, rendered, asked) {
      const pages = pagesOf(threadId)
      units -= pages.get(page)?.units ?? 0
      pages.delete(page)
      const own = unitsIn(rendered)
      for (const other of sessions.keys()) if (other !== threadId && units + own > maxUnits) forget(other)
      if (units + own > maxUnits) return
      units += own
      pages.set(page, { ...sliceKey(key, asked), rendered, units: own })
    },
    written(threadId) {
      const files = written.get(threadId) ?? new Map<string, WrittenPage>()
      if (sessions.has(threadId)) written.set(threadId, files)
      return files
    },
  }
  return (stamp) => {
    if (stamp !== keptStamp) for (const threadId of [...sessions.keys()]) forget(threadId)
    keptStamp = stamp
    return kept
  }
}

function unitsIn({ markdown, body, story = [], search, files }: RenderedSlice): number {
  return sumBy([markdown, body, story, search, ...files.map(({ content }) => content)], unitsOf)
}
