/** `show`: one transcript as Markdown, text, JSON or an HTML page. */

import { pageSettings } from '../../config/schema.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import type { KnownValues } from '../../redact/known/values.ts'
import type { RenderContext } from '../../render/transcript/context.ts'
import { loadEngine } from '../../render/transcript/engines-fs.ts'
import { envelopeFoot, envelopeHead } from '../../render/transcript/json.ts'
import type { Thread } from '../../rollout/discover/rollout.ts'
import {
  type CuratedThread,
  type Curator,
  curatedThread,
  curator,
  plannedThread,
  redactedAgain,
} from '../../site/curation.ts'
import { knownTo, mayMiss, readFamily, tryValues } from '../../site/known/session-values.ts'
import { countLevel } from '../../site/report.ts'
import { spooled, withSpool } from '../../site/spool-fs.ts'
import type { Host } from '../../site/types.ts'
import { historyOf, threadIndex } from '../../survey/lineage.ts'
import { edges, findNeighbours, loneNeighbours, type Neighbours } from '../../survey/neighbours.ts'
import { type Privacy, privacyOf, privateHost } from '../../survey/privacy.ts'
import { requiredFacts } from '../../survey/scan.ts'
import type { ScanFacts, ScannedThread } from '../../transcript/summary.ts'
import type { Session } from '../../transcript/trast.ts'
import { agentAnchor } from '../../transcript/urls.ts'
import { append, groupBy } from '../../util/groups.ts'
import { defined } from '../../util/own.ts'
import { printableJson } from '../../util/printable.ts'
import { findTarget, type ShowOptions, type Target } from './target.ts'
import {
  type Output,
  type PictureStore,
  pictureStore,
  type ShowJob,
  type ShownThread,
  type ShowServices,
  showThread,
} from './thread.ts'

/** What `show` wrote. */
export interface ShownSessions {
  /** Whether every item could be shown. */
  isComplete: boolean
  /** The thread and its sub-agents, without child nodes. */
  sessions: readonly Session[]
}

/**
 * Writes one thread, followed by its sub-agents if requested. Nothing is written before everything has been read. Throws a
 * `UsageError` for an unknown or ambiguous target, with the candidates.
 */
export function show(options: ShowOptions, outer: Host): Promise<ShownSessions> {
  const privacy = privacyOf(options, outer)
  const host = privateHost(outer, privacy)
  if (options.withAgents && options.format === 'json')
    throw new UsageError('A JSON tree holds one thread: use `--with-agents` with `html`, `md` or `text`.')
  return withSpool(async (spoolDir) => {
    const { maxInline, plugins } = options
    const output = await outputOf(options)
    const target = await findTarget(options, host, spoolDir)
    const family = await familyOf(target, options, host)
    const curation = curator(options.publication, threadIndex(target.threads))
    const show = (published: readonly CuratedThread[]): Promise<ShownThread[]> => {
      // A new store, so that each pass starts with the full allowance for pictures.
      const pictures = pictureStore(maxInline)
      const tools = { slice: output.slice, plugins, pictures, spoolDir, signal: host.signal }
      return showAll(published, target, { options, output, pictures, tools })
    }
    const shown = await show(asPublished(family, { curation, privacy }))
    try {
      const values = privacy && (await missedValues(shown, target, { privacy, host, spoolDir }))
      if (privacy !== undefined && values !== undefined) {
        close(shown.splice(0))
        append(shown, await show(asPublished(family, { curation, privacy, values })))
      }
      for (const { diagnostics } of shown) for (const item of diagnostics) host.report(item)
      for (const piece of output.pieces(shown)) await options.write(piece)
      const isComplete = shown.every(({ diagnostics }) => countLevel(diagnostics, 'fatal') === 0)
      return { isComplete, sessions: shown.map(({ session }) => session) }
    } finally {
      close(shown)
    }
  })
}

/** Renders the slices of all threads. The caller closes them; after an error, all are closed already. */
async function showAll(
  published: readonly CuratedThread[],
  target: Target,
  { tools, ...surroundings }: Surroundings & { tools: ShowServices },
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

/** The secret values that the family reveals, by thread, if any of the shown threads may contain one that it did not know. */
async function missedValues(
  shown: readonly ShownThread[],
  { thread, threads, scan }: Target,
  { privacy, host, spoolDir }: { privacy: Privacy; host: Host; spoolDir: () => string },
): Promise<ReadonlyMap<string, KnownValues> | undefined> {
  const index = threadIndex(threads)
  const reading = { privacy, spoolDir, signal: host.signal }
  const read = new Map(shown.map((item) => [item.thread.id, item]))
  const valuesByThread = new Map<string, KnownValues>()
  for (const member of await readFamily(thread, { ...reading, threads, scan })) {
    const known = read.get(member.thread.id)?.redactor?.values().values
    valuesByThread.set(member.thread.id, known ?? (await tryValues(member, reading)))
  }
  for (const { raw, redactor } of shown) {
    if (redactor === undefined) continue
    const history = historyOf(raw.thread, index)
    const seen = { thread: raw.thread, pages: raw.facts.pages, history, report: redactor.values(), isRead: true }
    if (await mayMiss(seen, knownTo(raw.thread.id, valuesByThread), spoolDir)) return valuesByThread
  }
  return undefined
}

/** The thread and, if requested, its sub-agents. */
async function familyOf({ thread, threads, scan }: Target, options: ShowOptions, host: Host): Promise<ScannedThread[]> {
  const facts = requiredFacts(thread, await scan(thread))
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
  /** Secret values by the thread that reveals them, once they are known. */
  values?: ReadonlyMap<string, KnownValues>
}

/** A thread that is asked for by name is shown even if a site would not publish it. */
function asPublished(family: readonly ScannedThread[], publishing: Publishing): CuratedThread[] {
  const { privacy, values } = publishing
  return family.map(({ thread, facts }) => {
    const item = curatedThread(plannedThread(thread, facts, publishing.curation), privacy)
    return privacy === undefined || values === undefined
      ? item
      : redactedAgain(item, privacy, knownTo(thread.id, values))
  })
}

interface Surroundings {
  options: ShowOptions
  output: Output
  pictures: PictureStore
}

async function tasksOf(
  family: readonly CuratedThread[],
  { threads }: Target,
  { options, output, pictures }: Surroundings,
): Promise<ShowJob[]> {
  const [engine, index] = [await loadEngine(), threadIndex(threads)]
  const ids = family.map(({ thread }) => thread.id)
  const inPage = output.context?.(ids, pictures)
  const titles = new Map(family.map(({ thread, facts }) => [thread.id, { title: facts.title, built: true }]))
  const { neighbours } = findNeighbours(family, new Set(index.byId.keys()))
  return family.map(({ thread, facts, raw, redactor, plan }): ShowJob => {
    const context: RenderContext = {
      ...pageSettings(options),
      threadId: thread.id,
      threads: (id) => (options.format === 'html' ? titles.get(id) : undefined),
      engine,
      ...defined({ subtitle: facts.subtitle }),
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

/** Neighbours that are shown too; for others, only whether their files are available. */
function around(lone: Neighbours, shown: Neighbours | undefined): Neighbours {
  const parent = shown?.parent?.built ? shown.parent : lone.parent
  return { ...lone, ...defined({ parent }), agents: shown?.agents ?? [] }
}

/** Loads the writer for a format, and no other. Throws a `ConfigError` for templates that cannot be used. */
async function outputOf(options: ShowOptions): Promise<Output> {
  const { format, generator } = options
  if (format === 'html') return (await import('./page.ts')).pageOutput(options)
  if (format === 'json') {
    const slice = ({ children }: Session): string =>
      printableJson(children.map((child) => JSON.stringify(child)).join(','))
    return documents(slice, ({ session }) => ({
      head: printableJson(envelopeHead(session, generator)),
      separator: ',',
      foot: printableJson(envelopeFoot(session)),
    }))
  }
  if (format === 'text') {
    const { renderTextHead, renderTextSlice, renderTextFoot } = await import('../../render/transcript/text.ts')
    return documents(renderTextSlice, framed(renderTextHead, renderTextFoot))
  }
  const { renderMarkdownHead, markdownPieces, renderMarkdownFoot } = await import('../../render/transcript/markdown.ts')
  return documents(markdownPieces, framed(renderMarkdownHead, renderMarkdownFoot))
}

/** The text around and between the slices of a thread. */
interface Frame {
  head: string
  separator: string
  foot: string
}

type RenderFrame = (session: Session, context: RenderContext) => string

function framed(head: RenderFrame, foot: RenderFrame): (shown: ShownThread) => Frame {
  return ({ session, context }) => ({ head: head(session, context), separator: '', foot: foot(session, context) })
}

/** One document per thread, with a blank line between documents. */
function documents(slice: Output['slice'], frame: (shown: ShownThread) => Frame): Output {
  return {
    slice,
    *pieces(shown) {
      for (const [index, thread] of shown.entries()) {
        if (index > 0) yield '\n'
        yield* document(thread, frame(thread))
      }
    },
  }
}

function* document({ slices }: ShownThread, { head, separator, foot }: Frame): Generator<string | Uint8Array> {
  yield head
  let empty = true
  for (const slice of spooled(slices)) {
    if (slice.length === 0) continue
    if (!empty) yield separator
    yield slice
    empty = false
  }
  yield foot
}

// The sub-agents of a thread, at every level.

/**
 * A thread followed by its sub-agents, each after the thread that started it, in the order of their starts, and each only once,
 * because files may refer to each other in circles. `scan` returns `undefined` for a thread that cannot be read.
 */
async function withSubAgents(
  first: ScannedThread,
  threads: readonly Thread[],
  scan: (thread: Thread) => Promise<ScanFacts | undefined>,
): Promise<ScannedThread[]> {
  const children = groupBy(threads, mayBelongTo)
  const family: ScannedThread[] = []
  const seen = new Set<string>()
  const add = async (member: ScannedThread): Promise<void> => {
    seen.add(member.thread.id)
    family.push(member)
    for (const thread of children.get(member.thread.id) ?? []) {
      if (seen.has(thread.id)) continue
      const facts = await scan(thread)
      if (facts !== undefined && edges(thread, facts).parentId === member.thread.id) await add({ thread, facts })
    }
  }
  await add(first)
  return family
}

/** Parent of a thread as far as its head alone shows it; its scan decides. */
function mayBelongTo({ segments }: Thread): string | undefined {
  const head = segments[0]?.head
  return head?.parentId ?? (head?.agent === undefined ? undefined : head.forkedFromId)
}
