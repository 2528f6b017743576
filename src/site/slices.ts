/** Reads a thread slice by slice: the lines of each page become a tree, which is handed on and then dropped. */

import type { PluggableList } from 'unified'
import { VFile } from 'vfile'
import type { PluginList } from '../config/plugins.ts'
import { formatSelection, type Selection } from '../config/selectors.ts'
import {
  type CappedDiagnostics,
  cappedDiagnostics,
  type Diagnostic,
  diagnostic,
  formatDiagnostic,
  type RuleId,
  rules,
} from '../diagnostics/codes.ts'
import { PluginError } from '../diagnostics/errors.ts'
import { curation } from '../redact/curate/curate.ts'
import { type CurationPlan, isPlain, omitsAnything } from '../redact/curate/plan.ts'
import { trimHead } from '../redact/curate/trim.ts'
import { type Redactor, redactor as redactorOf } from '../redact/redactor.ts'
import { learnSecrets, redact } from '../redact/strings.ts'
import { firstFile, type Thread } from '../rollout/discover/rollout.ts'
import type { Entry } from '../rollout/parse/facts.ts'
import { slicePlans } from '../survey/inherited.ts'
import { baseOf, edges, familyData, type Neighbours } from '../survey/neighbours.ts'
import { askerOf, pluginFailure } from '../survey/scan.ts'
import { entriesOf, openThread, readInSteps, type SegmentReader, type ThreadLine } from '../survey/thread-lines.ts'
import { assemble } from '../transcript/fragment.ts'
import { cap } from '../transcript/plugins/limit.ts'
import { type CurationPlugins, normalizer } from '../transcript/preset.ts'
import {
  type AssetSink,
  emptyCarry,
  emptyDistinct,
  emptyLines,
  emptyStats,
  lineKey,
  type SliceData,
} from '../transcript/slice.ts'
import type { PagePlan, ScanFacts } from '../transcript/summary.ts'
import type { Session, Status } from '../transcript/trast.ts'
import { yieldToEventLoop } from '../util/event-loop.ts'
import { defined } from '../util/own.ts'

/** How to read a thread. */
interface SliceOptions {
  spoolDir: () => string
  signal?: AbortSignal
  assets: AssetSink
  /** Threads related to this one; without them, nothing is known of other threads. */
  neighbours?: Neighbours
  /** The user's plugins. */
  plugins?: PluginList
  /** What is omitted; absent if nothing is. */
  plan?: CurationPlan
  /** Whether the thread's file has just grown. */
  live?: boolean
  /** Removes secrets from each slice and from diagnostics; it has seen the facts. Without it, everything stays as it is. */
  redactor?: Redactor
  /** Takes each line of the thread, in order, before the tree of its page is made. */
  memory?: { line: (line: ThreadLine) => void }
}

/** A page of a thread. */
interface Slice {
  /** Its finished tree: facts of the whole thread, content of this page. */
  tree: Session
  page: PagePlan
}

/** A thread, page by page. */
export interface ThreadSlices {
  /** Facts and statistics of the whole thread, without child nodes. They are final after the last slice. */
  session: Session
  /** The slices in order; each is made when it is asked for, so that memory need hold only one. Throws what reading throws. */
  slices: AsyncGenerator<Slice, void, undefined>
  /** The diagnostics so far. */
  diagnostics: () => Diagnostic[]
}

/** The slices of a scanned thread. No file is opened before the first slice is asked for. */
export function slicesOf(thread: Thread, facts: ScanFacts, options: SliceOptions): ThreadSlices {
  const session = headerOf(thread, facts)
  const found = cappedDiagnostics()
  return { session, slices: readSlices({ thread, facts, options, header: session, found }), diagnostics: found.list }
}

interface SliceInput {
  thread: Thread
  facts: ScanFacts
  options: SliceOptions
  /** Takes over what every slice learns. */
  header: Session
  found: CappedDiagnostics
}

async function* readSlices({ thread, facts, options, header, found }: SliceInput): ThreadSlices['slices'] {
  const readers = await openThread(thread, options.spoolDir)
  for (const reader of readers) for (const item of reader.diagnostics) found.add(item)
  try {
    const { redactor } = options
    const shared = { ...sharedData(thread, facts, options), ...familyData(facts, options.neighbours) }
    const omitted = new Set<number>()
    const used = new Set<Selection>()
    const curated = curationOf(options.plan, shared, { omitted, used })
    const processor = normalizer(hearingPlugins(options), privacyPlugins(options), curated)
    if (options.plan !== undefined) trimHead(header, options.plan.visibility)
    const pages = pagesOf(facts)
    const shown = new Set(pages)
    for (const page of slicePlans(pages)) {
      await yieldToEventLoop()
      options.signal?.throwIfAborted()
      const last = page === pages.at(-1)
      const base = page === pages[0] ? baseOf(facts, options.neighbours) : undefined
      omitted.clear()
      const slice: SliceData = { ...shared, last, counted: false, omitted, ...ofPage(page), ...defined({ base }) }
      const file = new VFile({ path: thread.segments[0]?.file.name ?? thread.id, data: { slice } })
      const session: Session = { ...header, children: [], data: {} }
      const entries = await readPage(readers, page, options)
      const raw = assemble(entries, session, file)
      await yieldToEventLoop()
      const tree = await processor.run(raw, file).catch((error: unknown) => {
        throw error instanceof PluginError ? inSession(error, thread) : error
      })
      for (const message of file.messages) found.add(diagnosticOf(message, thread, redactor))
      carryHeader(header, tree)
      await yieldToEventLoop()
      options.signal?.throwIfAborted()
      if (shown.has(page)) yield { tree, page }
    }
    for (const item of unusedSelections(options.plan, used, thread)) found.add(item)
  } finally {
    for (const reader of readers) reader.close()
  }
}

/** Adds session and line to the error, for callers who get no diagnostics. */
function inSession(error: PluginError, thread: Thread): PluginError {
  error.message = formatDiagnostic(pluginFailure(error, thread))
  return error
}

/** A thread without lines still has one page. */
function pagesOf({ pages }: ScanFacts): PagePlan[] {
  return pages.length > 0 ? pages : [{ number: 1, ranges: [], late: [], taken: [], storyWeight: 0 }]
}

/** What the plan of a page says about its slice. */
function ofPage({ cutTurn, folded }: PagePlan): Pick<SliceData, 'cutTurn' | 'wholeCopy'> {
  return { ...(folded === undefined ? {} : { wholeCopy: true }), ...defined({ cutTurn }) }
}

/** Lets the redactor learn from what will be omitted, so that its secrets are known in the rest. */
function hearingPlugins({ plugins = [], redactor, plan }: SliceOptions): PluginList {
  const isCut = redactor !== undefined && plan !== undefined && omitsAnything(plan)
  return isCut ? [...plugins, [learnSecrets, redactor]] : plugins
}

/** Outputs are shortened after redaction, which must see complete secrets. */
function privacyPlugins({ redactor, plan }: SliceOptions): PluggableList {
  const redaction: PluggableList = redactor === undefined ? [] : [[redact, redactor]]
  return plan?.maxOutput === undefined ? redaction : [...redaction, [cap, plan.maxOutput]]
}

/**
 * Reports selections that match nothing: they are mistaken or out of date, and what they were meant to omit may be somewhere
 * else.
 */
function unusedSelections(plan: CurationPlan | undefined, used: ReadonlySet<Selection>, thread: Thread) {
  const unused = plan?.exclude.filter((selection) => !used.has(selection)) ?? []
  const file = firstFile(thread)
  return unused.map((selection) => diagnostic('unused-selection', file, `It is \`${formatSelection(selection)}\`.`))
}

function curationOf(
  plan: CurationPlan | undefined,
  { rollouts, stats }: Pick<SliceData, 'rollouts' | 'stats'>,
  { omitted, used }: { omitted: Set<number>; used: Set<Selection> },
): CurationPlugins | undefined {
  if (plan === undefined || isPlain(plan)) return undefined
  return curation({
    plan,
    rollouts,
    used,
    // The totals of all slices start with it.
    tally: stats.omitted,
    omitted: (source) => omitted.add(lineKey(source)),
  })
}

function sharedData(
  thread: Thread,
  facts: ScanFacts,
  { assets, redactor, live }: SliceOptions,
): Omit<SliceData, 'last' | 'counted' | 'cutTurn' | 'base'> {
  const stats = emptyStats()
  return {
    threadId: thread.id,
    rollouts: thread.segments.map(({ rolloutId }) => rolloutId),
    ...defined({ inherited: facts.inherited, undone: facts.undone, live, asker: askerOf(thread.segments[0]?.head) }),
    rolledBack: facts.rolledBack,
    carry: emptyCarry(),
    assets,
    secretAnswer: answerMarks(redactor, stats.redacted),
    carried: new Map(),
    anchors: new Set(),
    lines: emptyLines(),
    stats,
    usage: {},
    distinct: emptyDistinct(),
  }
}

/** Marks for secret answers, made by the session's redactor; if nothing else is redacted, they are counted here. */
function answerMarks(own: Redactor | undefined, counts: Record<string, number>): SliceData['secretAnswer'] {
  const marks = own ?? redactorOf({ find: () => [] })
  return (answer) => {
    const mark = marks.answer(answer)
    if (own === undefined) Object.assign(counts, marks.counts)
    return mark
  }
}

/** Entries of a page: its ranges without the lines that earlier pages took, then late records of its calls. */
async function readPage(
  readers: readonly SegmentReader[],
  page: PagePlan,
  { memory, signal }: SliceOptions,
): Promise<Entry[]> {
  const taken = new Set(page.taken)
  const entries: Entry[] = []
  // One by one, because a line may contain thousands, more than a call takes as arguments.
  const add = (line: ThreadLine): void => {
    for (const entry of entriesOf(line)) entries.push(entry)
  }
  const take = (line: ThreadLine): void => {
    memory?.line(line)
    if (taken.size === 0 || !taken.has(`${line.segment}:${line.line}`)) add(line)
  }
  const read = async (work: (line: ThreadLine) => void, range: PagePlan['ranges'][number]): Promise<void> => {
    const reader = readers[range.segment]
    if (reader !== undefined) await readInSteps(reader, work, { range, signal })
  }
  for (const range of page.ranges) await read(take, range)
  for (const range of page.late) await read(add, range)
  return entries
}

function headerOf(thread: Thread, facts: ScanFacts): Session {
  const [first] = thread.segments
  const head = first?.head
  return {
    type: 'session',
    id: 'session',
    threadId: thread.id,
    title: facts.title,
    titleFrom: facts.titleFrom,
    ...defined({ star: facts.star, tags: facts.tags }),
    ...defined({ cwd: head?.cwd, git: head?.git, startedAt: facts.startedAt, endedAt: facts.endedAt }),
    client: defined({ originator: head?.originator, version: head?.version, source: head?.source }),
    archived: thread.archived,
    status: 'unknown',
    models: [],
    lineage: {
      ...defined({ rootId: head?.rootId, ...edges(thread, facts) }),
      segments: thread.segments.map(({ rolloutId }) => rolloutId),
    },
    children: [],
    stats: { ...emptyStats(), lines: emptyLines() },
  }
}

/** Takes over what a slice learned about the whole thread. */
function carryHeader(header: Session, tree: Session): void {
  header.models = tree.models
  header.stats = tree.stats
  if (tree.contextWindow !== undefined) header.contextWindow = tree.contextWindow
  const status = lastStatus(tree)
  if (status !== undefined) header.status = status
  tree.status = header.status
  addData(header, tree)
}

/** Sources of the session may be on any page; what a plugin adds is taken from the first page. */
function addData(header: Session, { data: { sources = [], ...others } = {} }: Session): void {
  const existing = header.data?.sources ?? []
  // In place, because a session may have been resumed many times.
  for (const source of sources) existing.push(source)
  header.data = { ...others, ...header.data, ...(existing.length === 0 ? {} : { sources: existing }) }
}

/** State of the last turn in a slice, even if it is in a group. */
function lastStatus(tree: Session): Status | undefined {
  const last = tree.children.findLast(
    (child) => child.type === 'turn' || (child.type === 'group' && child.kind === 'rolledBack'),
  )
  if (last?.type === 'turn') return last.status
  return last?.type === 'group' ? last.children.findLast((child) => child.type === 'turn')?.status : undefined
}

function diagnosticOf(message: VFile['messages'][number], thread: Thread, redactor: Redactor | undefined): Diagnostic {
  // Only `diagnosticMessage` sets our source, and it accepts only rule ids.
  const ruleId = (message.source === 'codex-export' ? message.ruleId : undefined) as RuleId | undefined
  const segment = Number(/^segment (\d+)$/.exec(message.note ?? '')?.[1] ?? 0)
  return {
    ruleId: ruleId ?? 'plugin-message',
    level: ruleId === undefined ? pluginLevel(message.fatal) : rules[ruleId].level,
    ...defined({ file: thread.segments[segment]?.file.name, line: message.line }),
    message: redactor?.text(message.reason) ?? message.reason,
  }
}

function pluginLevel(fatal: boolean | null | undefined): Diagnostic['level'] {
  return fatal === false ? 'warning' : 'info'
}
