/** What was made of closed pages of sessions that go on, between two builds: what is new then costs its own page. */

import { gunzipSync, gzipSync } from 'node:zlib'
import type { FileRecord, OutputFile } from '../render/output.ts'
import type { RenderContext } from '../render/transcript/context.ts'
import type { ThreadLink } from '../transcript/view.ts'
import { sumBy } from '../util/groups.ts'
import { unitsOf } from '../util/pieces.ts'

/** The texts that are made of a slice, in pieces; those of formats that are not asked for are empty. */
export interface RenderedSlice {
  markdown: readonly string[]
  body: readonly string[]
  /** What the story of several pages tells of it. */
  story?: readonly string[]
  /** Nodes that the page does not show. */
  hidden: number
  /** The pruned page for the index. */
  search: readonly string[]
  /** Scripts that pages ask for. */
  files: OutputFile[]
}

/** Texts of closed pages, for the next build. */
export interface KeptSlices {
  /** What was made of a page under the same key, where the threads that it names are as they were. */
  get(page: KeptPage, threads: RenderContext['threads']): RenderedSlice | undefined
  /** `asked` are the threads that were looked up. */
  set(page: KeptPage, rendered: RenderedSlice, asked: ReadonlyMap<string, ThreadLink | undefined>): void
  /** The files of a session's pages as this process wrote them last, by path. */
  written?(threadId: string): Map<string, WrittenPage>
}

/** A page around the texts of closed slices. */
export interface WrittenPage extends FileRecord {
  /** Names what it tells of the session and of those around it, but for numbers. */
  around: string
  /** The entries of its outline. */
  outline: readonly string[]
}

/** A page, and what names all that its texts are made of, but for the threads that they name. */
export interface KeptPage {
  threadId: string
  page: number
  key: string
}

/** A slice that is kept. */
interface KeptSlice {
  key: string
  rendered: RenderedSlice
  /** Ids of the threads that it names, and what was known of them. */
  asked: string[]
  links: string
}

function keptSlice(
  key: string,
  rendered: RenderedSlice,
  links: ReadonlyMap<string, ThreadLink | undefined>,
): KeptSlice {
  const asked = [...links.keys()]
  return { key, rendered, asked, links: linksOf(asked, (id) => links.get(id)) }
}

/** What a slice was made into, where it would be made into the same. */
function stillRendered(
  known: KeptSlice | undefined,
  key: string,
  threads: RenderContext['threads'],
): RenderedSlice | undefined {
  return known?.key === key && linksOf(known.asked, threads) === known.links ? known.rendered : undefined
}

function linksOf(asked: readonly string[], threads: RenderContext['threads']): string {
  return JSON.stringify(asked.map((id) => threads(id) ?? null))
}

// In the cache, for the next build of any process.

/** Texts of closed pages in a cache: `read` gives what `keep` was told of a page. */
export function storedSlices(
  read: (threadId: string, page: number) => Uint8Array | undefined,
  keep: (threadId: string, page: number, packed: Uint8Array) => void,
): KeptSlices {
  return {
    get({ threadId, page, key }, threads) {
      const packed = read(threadId, page)
      // What is stored is what `set` wrote.
      const known = packed && (JSON.parse(gunzipSync(packed).toString()) as KeptSlice)
      return stillRendered(known, key, threads)
    },
    set({ threadId, page, key }, rendered, asked) {
      // As large as the page and its twin; packed at the least level, a third of that or less.
      keep(threadId, page, gzipSync(JSON.stringify(keptSlice(key, rendered, asked)), { level: 1 }))
    },
  }
}

// In memory, for sessions that are being written while one process builds again and again.

/** UTF-16 units that are kept at most: about a session of 20 MB. */
const maxKeptUnits = 32_000_000

interface SizedSlice extends KeptSlice {
  units: number
}

/** Keeps slices under a stamp that names the site's settings; those of another stamp are forgotten. */
export function sliceKeeper(maxUnits: number = maxKeptUnits): (stamp: string) => KeptSlices {
  /** By session, the one that was asked for last at the end. */
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
      return stillRendered(pagesOf(threadId).get(page), key, threads)
    },
    set({ threadId, page, key }, rendered, asked) {
      const pages = pagesOf(threadId)
      units -= pages.get(page)?.units ?? 0
      pages.delete(page)
      const own = unitsIn(rendered)
      for (const other of sessions.keys()) if (other !== threadId && units + own > maxUnits) forget(other)
      if (units + own > maxUnits) return
      units += own
      pages.set(page, { ...keptSlice(key, rendered, asked), units: own })
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
