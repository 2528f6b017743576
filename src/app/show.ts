/** `show`: one transcript as Markdown, text, JSON or a page. */
import { UsageError } from '../diagnostics/errors.ts'
import { countLevel } from '../diagnostics/report.ts'
import type { ScannedThread } from '../model/summary.ts'
import type { Neighbours } from '../model/view.ts'
import type { KnownValues } from '../redact/known.ts'
import { agentAnchor, agentTitle, relinker } from '../render/alone.ts'
import type { RenderContext } from '../render/context.ts'
import { loadHighlight } from '../render/highlight/engine-fs.ts'
import { loadEngine } from '../render/prose/engine-fs.ts'
import { defined } from '../util/defined.ts'
import { type CuratedThread, type Curator, curatedThread, curator, redactedAgain } from './curation.ts'
import { loneNeighbours } from './family.ts'
import { knownTo, readFamily, tryValues } from './family-values.ts'
import { historyOf, threadIndex } from './lineage.ts'
import { findNeighbours } from './neighbours.ts'
import { spooled } from './page-spool-fs.ts'
import { type Privacy, privacyOf, privateHost } from './privacy.ts'
import { withSubAgents } from './show-agents.ts'
import { frameIn } from './show-formats.ts'
import { loadPage } from './show-page.ts'
import { type PictureShelf, pictureShelf } from './show-pictures.ts'
import { findTarget, type Target } from './show-target.ts'
import { type ShownThread, type ShowTask, type ShowTools, showThread } from './show-thread.ts'
import { withSpool } from './spool-fs.ts'
import type { Host, ShowOptions } from './types.ts'
import { mayMiss } from './values-told.ts'

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
    const show = (published: readonly CuratedThread[]): Promise<ShownThread[]> => {
      // Each time all pictures have room again.
      const shelf = pictureShelf(maxInline)
      const tools = { format, look, shelf, spoolDir, signal: host.signal }
      return showAll(published, target, { options, shelf, tools })
    }
    const shown = await show(asPublished(family, { curation, privacy }))
    try {
      const values = privacy && (await missedValues(shown, target, { privacy, host, spoolDir }))
      if (privacy !== undefined && values !== undefined) {
        close(shown.splice(0))
        shown.push(...(await show(asPublished(family, { curation, privacy, values }))))
      }
      for (const { diagnostics } of shown) for (const item of diagnostics) host.report(item)
      for (const piece of pieces(shown)) await options.write(piece)
      return shown.every(({ diagnostics }) => countLevel(diagnostics, 'fatal') === 0)
    } finally {
      close(shown)
    }
  })
}

/** Renders the slices of all threads. The caller closes them; after an error all are closed. */
async function showAll(
  published: readonly CuratedThread[],
  target: Target,
  { tools, ...surroundings }: Surroundings & { tools: ShowTools },
): Promise<ShownThread[]> {
  const shown: ShownThread[] = []
  try {
    for (const task of await tasksOf(published, target, surroundings)) shown.push(await showThread(task, tools))
    return shown
  } catch (error) {
    close(shown)
    throw error
  }
}

function close(shown: readonly ShownThread[]): void {
  for (const { slices } of shown) slices.close()
}

/** What the family tells by thread, where any of the shown threads may hold a value that it did not know. */
async function missedValues(
  shown: readonly ShownThread[],
  { thread, threads, scan }: Target,
  { privacy, host, spoolDir }: { privacy: Privacy; host: Host; spoolDir: () => string },
): Promise<ReadonlyMap<string, KnownValues> | undefined> {
  const index = threadIndex(threads)
  const reading = { privacy, spoolDir, signal: host.signal }
  const read = new Map(shown.map((item) => [item.thread.id, item]))
  const told = new Map<string, KnownValues>()
  for (const member of await readFamily(thread, { ...reading, threads, scan })) {
    const own = read.get(member.thread.id)?.redactor?.values().told
    told.set(member.thread.id, own ?? (await tryValues(member, reading)))
  }
  for (const { raw, redactor } of shown) {
    if (redactor === undefined) continue
    const history = historyOf(raw.thread, index)
    const seen = { thread: raw.thread, pages: raw.facts.pages, history, redactor, isRead: true }
    if (await mayMiss(seen, knownTo(raw.thread.id, told), spoolDir)) return told
  }
  return undefined
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
  /** Values that threads of the family tell, once they are known. */
  values?: ReadonlyMap<string, KnownValues>
}

/** A thread that is asked for by name is shown, also where a site would not publish it. */
function asPublished(family: readonly ScannedThread[], publishing: Publishing): CuratedThread[] {
  const { privacy, values } = publishing
  return family.map(({ thread, facts }) => {
    const item = curatedThread(thread, facts, publishing)
    return privacy === undefined || values === undefined
      ? item
      : redactedAgain(item, privacy, knownTo(thread.id, values))
  })
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
  return family.map(({ thread, facts, raw, redactor, plan }): ShowTask => {
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
      raw,
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
