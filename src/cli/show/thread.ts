/** Prepares one thread for what `show` writes. */

import type { Settings } from '../../config/schema.ts'
import type { Diagnostic } from '../../diagnostics/codes.ts'
import { assetSink } from '../../redact/picture.ts'
import { hiddenNodes } from '../../render/pages/totals.ts'
import { failures, type RenderContext } from '../../render/transcript/context.ts'
import { detailCollector } from '../../site/collect/detail.ts'
import { overviewCollector } from '../../site/collect/overview.ts'
import type { CuratedThread } from '../../site/curation.ts'
import { slicesOf } from '../../site/slices.ts'
import { type PageSpool, pageSpool } from '../../site/spool-fs.ts'
import type { Neighbours } from '../../survey/neighbours.ts'
import type { SessionOverview } from '../../transcript/overview.ts'
import type { SessionDetail } from '../../transcript/summary.ts'
import type { Session } from '../../transcript/trast.ts'
import { walk } from '../../transcript/view.ts'
import { defined } from '../../util/own.ts'
import type { Content } from '../../util/pieces.ts'

/** A thread to be shown. */
export interface ShowJob extends CuratedThread {
  neighbours: Neighbours
  context: RenderContext
  /** Prefix of the ids of its items; empty for the first thread of a document. */
  prefix: string
}

/** A thread that was read to its end, with its rendered slices in a spool. */
export interface ShownThread extends ShowJob {
  /** Facts and statistics of the whole thread, without child nodes. */
  session: Session
  slices: PageSpool
  /** Number of nodes that are not shown. */
  hidden: number
  overview: SessionOverview
  detail: SessionDetail
  diagnostics: Diagnostic[]
}

/** How threads are written in one format. */
export interface Output {
  /** Writes a slice; for HTML, a part of the page's body. */
  slice: (slice: Session, context: RenderContext) => Content
  /** The documents of threads, in pieces because bodies may be large. */
  pieces: (shown: readonly ShownThread[]) => Iterable<string | Uint8Array>
  /** Adds to the context of each thread, by its id; `ids` are all threads of one document, and `pictures` has their pictures. */
  context?: (ids: readonly string[], pictures: PictureStore) => (id: string) => Partial<RenderContext>
}

/** What rendering a thread needs from outside. */
export interface ShowServices {
  slice: Output['slice']
  plugins: Settings['plugins']
  pictures: PictureStore
  spoolDir: () => string
  signal: AbortSignal
}

/** Renders the slices of a thread into a spool, which the caller closes. Throws what reading throws. */
export async function showThread(task: ShowJob, tools: ShowServices): Promise<ShownThread> {
  const { thread, facts, redactor, plan, neighbours, context, prefix } = task
  const { plugins, pictures, spoolDir, signal } = tools
  const spool = pageSpool(spoolDir, `show-${prefix}slices`)
  const [overview, detail] = [overviewCollector(), detailCollector(thread.segments[0]?.head.cwd, context.timeZone)]
  const failed = new Map<string, Diagnostic>()
  const guarded = { ...context, onFailure: failures(failed, thread) }
  let hidden = 0
  try {
    const { session, slices, diagnostics } = slicesOf(thread, facts, {
      spoolDir,
      signal,
      neighbours,
      plugins,
      ...defined({ redactor, plan }),
      assets: assetSink(pictures.store, { keepsMetadata: redactor === undefined }),
    })
    for await (const { tree } of slices) {
      prefixIds(tree, prefix)
      hidden += hiddenNodes(tree)
      overview.take(tree, 1)
      detail.take(tree, 1)
      spool.add(tools.slice(tree, guarded))
      pictures.clear()
    }
    const leftOut = pictures.takeRefusedCount()
    if (leftOut > 0) session.stats.omitted = { ...session.stats.omitted, picture: leftOut }
    const collected = { overview: overview.overview(), detail: detail.finish(session, facts) }
    const reported = [...diagnostics(), ...failed.values()]
    return { ...task, session, slices: spool, hidden, diagnostics: reported, ...collected }
  } catch (error) {
    spool.close()
    throw error
  }
}

// Ids of several threads in one document.

/** Puts `prefix` before the id of every node of a slice, in place. */
function prefixIds(slice: Session, prefix: string): void {
  if (prefix === '') return
  for (const child of slice.children) {
    walk(child, (node) => {
      node.id = prefix + node.id
    })
  }
}

// Pictures inside a standalone page.

/** Largest size in bytes of a picture that is put into the page. */
const maxPictureBytes = 2 * 1024 * 1024

/** Pictures on their way into the page. */
export interface PictureStore {
  /** Stores the bytes of a picture under its asset name. */
  store: (name: string, bytes: Uint8Array) => void
  /** A picture as a `data:` URL, each time it is shown; `undefined` if it is too large or the allowance is used up. */
  address: (name: string) => string | undefined
  /** Drops the bytes of pictures, after the slice that showed them is done. */
  clear: () => void
  /** Returns the number of pictures that were refused since the last call. */
  takeRefusedCount: () => number
}

/** A store that hands out at most `maxBytes` bytes of pictures in total, first come, first served. */
export function pictureStore(maxBytes: number): PictureStore {
  const pictures = new Map<string, Uint8Array>()
  let remaining = maxBytes
  let refused = 0
  return {
    store(name, bytes) {
      if (bytes.length <= Math.min(maxPictureBytes, remaining)) pictures.set(name, bytes)
    },
    address(name) {
      const bytes = pictures.get(name)
      if (bytes === undefined || bytes.length > remaining) {
        refused++
        return undefined
      }
      remaining -= bytes.length
      const type = name.slice(name.lastIndexOf('.') + 1).replace('jpg', 'jpeg')
      return `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`
    },
    clear: () => pictures.clear(),
    takeRefusedCount() {
      const count = refused
      refused = 0
      return count
    },
  }
}
