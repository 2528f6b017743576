/** `show`: one transcript as Markdown, text, JSON or a page. */
import { UsageError } from '../diagnostics/errors.ts'
import { countLevel } from '../diagnostics/report.ts'
import type { ScannedThread } from '../model/summary.ts'
import type { Neighbours } from '../model/view.ts'
import { agentAnchor, agentTitle, relinker } from '../render/alone.ts'
import type { RenderContext } from '../render/context.ts'
import { loadHighlight } from '../render/highlight/engine-fs.ts'
import { loadEngine } from '../render/prose/engine-fs.ts'
import { defined } from '../util/defined.ts'
import { type CuratedThread, type Curator, curatedThread, curator } from './curation.ts'
import { loneNeighbours } from './family.ts'
import { threadIndex } from './lineage.ts'
import { findNeighbours } from './neighbours.ts'
import { spooled } from './page-spool-fs.ts'
import { type Privacy, privacyOf, privateHost } from './privacy.ts'
import { withSubAgents } from './show-agents.ts'
import { frameIn } from './show-formats.ts'
import { loadPage } from './show-page.ts'
import { type PictureShelf, pictureShelf } from './show-pictures.ts'
import { findTarget, type Target } from './show-target.ts'
import { type ShownThread, type ShowTask, showThread } from './show-thread.ts'
import { withSpool } from './spool-fs.ts'
import type { Host, ShowOptions } from './types.ts'

/**
 * Writes one thread, with its sub-agents behind it where asked for. Nothing is written before all was read. Throws
 * `UsageError` for an unknown or ambiguous target, with the candidates. Gives whether every item could be shown.
 */
export function show(options: ShowOptions, outer: Host): Promise<boolean> {
  const privacy = privacyOf(options, outer)
  const host = privateHost(outer, privacy)
  if (options.withAgents && options.format === 'json')
    throw new UsageError('A JSON tree holds one thread: `--with-agents` goes with `html`, `md` and `text`.')
  return withSpool(async (spoolDir) => {
    const { look, format, maxInline } = options
    const pieces: Write =
      format === 'html'
        ? await loadPage(look, options.publication)
        : (threads) => documents(threads, format, look.generator)
    const target = await findTarget(options, host, spoolDir)
    const family = await familyOf(target, options, host)
    const curation = curator(options.publication, threadIndex(target.threads))
    const shelf = pictureShelf(maxInline)
    const tools = { format, look, shelf, spoolDir, signal: host.signal }
    const shown: ShownThread[] = []
    try {
      for (const task of await tasksOf(asPublished(family, { curation, privacy }), target, { options, shelf })) {
        const thread = await showThread(task, tools)
        shown.push(thread)
        for (const item of thread.diagnostics) host.report(item)
      }
      for (const piece of pieces(shown)) await options.write(piece)
      return shown.every(({ diagnostics }) => countLevel(diagnostics, 'fatal') === 0)
    } finally {
      for (const { slices } of shown) slices.close()
    }
  })
}

/** What is written of threads, in pieces: bodies may be large. */
type Write = (threads: readonly ShownThread[]) => Iterable<string>

/** The thread and, where asked for, its sub-agents. */
async function familyOf({ thread, threads, scan }: Target, options: ShowOptions, host: Host): Promise<ScannedThread[]> {
  const { facts, diagnostics } = await scan(thread)
  if (facts === undefined)
    throw new UsageError(diagnostics.map(({ file, message }) => `\`${file ?? thread.id}\`: ${message}`).join(' '))
  if (!options.withAgents) return [{ thread, facts }]
  return withSubAgents({ thread, facts }, threads, async (child) => {
    host.signal.throwIfAborted()
    const found = await scan(child)
    if (found.facts === undefined) for (const item of found.diagnostics) host.report(item)
    return found.facts
  })
}

interface Publishing {
  curation: Curator
  privacy: Privacy | undefined
}

/** A thread that is asked for by name is shown, also where a site would not publish it. */
function asPublished(family: readonly ScannedThread[], publishing: Publishing): CuratedThread[] {
  return family.map(({ thread, facts }) => curatedThread(thread, facts, publishing))
}

interface Surroundings {
  options: ShowOptions
  shelf: PictureShelf
}

async function tasksOf(
  family: readonly CuratedThread[],
  { threads }: Target,
  { options: { format, look }, shelf }: Surroundings,
): Promise<ShowTask[]> {
  const [engine, index] = [await loadEngine(), threadIndex(threads)]
  const ids = family.map(({ thread }) => thread.id)
  const inPage = format === 'html' ? await pageContext(ids, shelf) : undefined
  const titles = new Map(family.map(({ thread, facts }) => [thread.id, { title: facts.title, built: true }]))
  const { neighbours } = findNeighbours(family, new Set(index.byId.keys()))
  return family.map(({ thread, facts, redactor, plan }): ShowTask => {
    const context: RenderContext = {
      threadId: thread.id,
      timeZone: look.timeZone,
      threads: (id) => (format === 'html' ? titles.get(id) : undefined),
      engine,
      ...defined({ prices: look.prices }),
      ...inPage?.(thread.id),
    }
    const lone = loneNeighbours(thread, facts, index)
    const prefix = thread.id === ids[0] ? '' : `${agentAnchor(thread.id)}-`
    return {
      thread,
      facts,
      ...defined({ redactor, plan }),
      context,
      prefix,
      neighbours: around(lone, neighbours.get(thread.id)),
    }
  })
}

/** What a page that stands alone adds to the context of each of its threads. */
async function pageContext(
  ids: readonly string[],
  shelf: PictureShelf,
): Promise<(id: string) => Partial<RenderContext>> {
  const highlight = await loadHighlight()
  const [first = '', ...below] = ids
  return (id) => ({
    highlight,
    picture: shelf.address,
    relink: relinker(id, first, below),
    ...(id === first ? {} : { title: agentTitle(id) }),
  })
}

/** Neighbours that are shown too, and of others whether their files are at hand. */
function around(lone: Neighbours, shown: Neighbours | undefined): Neighbours {
  const parent = shown?.parent?.built ? shown.parent : lone.parent
  return { ...lone, ...defined({ parent }), agents: shown?.agents ?? [] }
}

/** Documents of threads, with a blank line between two of them. */
function* documents(
  shown: readonly ShownThread[],
  format: Parameters<typeof frameIn>[0],
  generator: string,
): Generator<string> {
  for (const [index, { session, context, slices }] of shown.entries()) {
    const { head, separator, foot } = frameIn(format, session, { context, generator })
    yield index === 0 ? head : `\n${head}`
    let empty = true
    for (const slice of spooled(slices)) {
      if (slice === '') continue
      yield empty ? slice : separator + slice
      empty = false
    }
    yield foot
  }
}
