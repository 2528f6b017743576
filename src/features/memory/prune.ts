/** `prune`: removes items from what the model remembers of a thread. */

import { quoted } from '../../cli/called-as-fs.ts'
import type { Settings } from '../../config/schema.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import { maskDir } from '../../site/cache/cache-folder-fs.ts'
import { familyValues } from '../../site/known/session-values.ts'
import { withSpool } from '../../site/spool-fs.ts'
import { threadIndex, threadScan } from '../../survey/lineage.ts'
import { type PrivacyOptions, privacyOf, privateThread } from '../../survey/privacy.ts'
import { defined, oncePer } from '../../util/own.ts'
import { findCuts, keptSize, layoutOf, storedText } from './edit/cuts.ts'
import { type FullRollout, withFile } from './edit/full-rollout.ts'
import {
  advised,
  byMark,
  type FitsOutput,
  fixedItems,
  isRemembered,
  type Mark,
  type NamedItems,
  outputOf,
  type PlannedItem,
  type PrunePlan,
  type PruneRequest,
  planNamed,
  planPrune,
  sentItem,
} from './edit/plan.ts'
import type { CutLayout } from './edit/record.ts'
import { readSelectors, type Selector } from './edit/selector.ts'
import { type Edit, isSameEdit } from './edit/spans.ts'
import { openMemory, outputBytes, removedBy, sameItems, type WorkingMemory } from './edit/working.ts'
import { resumableNotes } from './files/backups-fs.ts'
import {
  checkAtRest,
  checkClosed,
  checkDependents,
  checkForm,
  checkOnlyCopy,
  type MemoryHost,
  type OpenOptions,
} from './files/guard.ts'
import { type MaskStore, openMaskStore } from './files/mask-store-fs.ts'
import { findMemoryTarget, type MemoryTarget, type MemoryTargetOptions } from './files/target-fs.ts'
import { contentOf } from './history/content.ts'
import type { History, HistoryItem } from './history/history.ts'
import { displayText } from './history/preview.ts'
import { type HistoryOptions, readHistory } from './history/read.ts'
import {
  type Kept,
  type PruneOutput,
  type WrittenThread,
  writeCopy,
  writeInPlace,
  writeThread,
} from './prune-write-fs.ts'

export type { WrittenThread } from './prune-write-fs.ts'

/** Options of `prune`. */
export interface PruneOptions
  extends MemoryTargetOptions,
    PrivacyOptions,
    OpenOptions,
    Pick<Settings, 'output' | 'newThread' | 'inPlace' | 'force' | 'replacement'> {
  /** Selectors as typed; an excluded category is one of them. */
  readonly exclude: readonly string[]
  readonly include: readonly string[]
  readonly delete: readonly string[]
  /** Outputs that `replacement` replaces. */
  readonly replace: readonly string[]
  /** Lets the user mark items in a list. If it returns `undefined`, everything stays as it is. */
  readonly edit?: (view: EditView) => Promise<NamedItems | undefined>
  /** Called with the plan before anything is written. */
  readonly announce?: (planned: PruneResult) => Promise<void>
}

/** What a list for editing needs. Its texts are as they may be shown. */
export interface EditView {
  /** Site-safe name of the rollout. */
  title: string
  items: readonly HistoryItem[]
  /** The same items, marked with what the options asked for. */
  marked: readonly PlannedItem[]
  /** The text that replaces an output. */
  replacement: string
  /** The index of the output that a text can replace: the item itself, or the output of a call. */
  outputOf: (index: number) => number | undefined
  /** Whether `replacement` can take the place of an output. */
  fits: (index: number) => boolean
  /** Items that must stay, with the reason. */
  fixed: ReadonlyMap<number, string>
  /** Plans what happens to the items. */
  plan: (named: NamedItems) => PrunePlan
  /** The whole text of an item. */
  textOf: (index: number) => string
}

/** What a prune would do or did. Texts are as they may be shown; items are as they are. */
export interface PruneResult {
  threadId: string
  /** Site-safe name of the rollout. */
  file: string
  plan: PrunePlan
  /** What was written. */
  written?: Written
  /** The user left the list, so everything stays as it is. */
  isCancelled?: true
}

/** Plans a prune, and writes it if asked to. Throws a `UsageError` for everything that prevents it. */
export function prune(options: PruneOptions, host: MemoryHost): Promise<PruneResult> {
  return withSpool(async (spoolDir) => {
    const request = requestOf(options)
    const target = await findMemoryTarget(options, host, spoolDir)
    if (options.inPlace) checkOnlyCopy(target)
    const store = openMaskStore(maskDir(host), target.thread.id, target.live.rolloutId)
    const read: HistoryOptions = { spoolDir, signal: host.signal }
    host.progress.stage('Reading the session')
    const text = await redactorOf({ options, host, target, read })
    const { full, memory } = await openMemory({ target, records: store.records(), read: { ...read, show: text } })
    try {
      checkForm(target.live, full.source)
      return await pruneMemory({ options, host, target, full, store, read }, { memory, request, text })
    } finally {
      full.source.close()
    }
  })
}

/** Returns a function that redacts texts. Its redactor knows the session, like that of the session's page and lists. */
async function redactorOf({
  options,
  host,
  target,
  read,
}: Pick<PruneJob, 'options' | 'host' | 'target' | 'read'>): Promise<(words: string) => string> {
  const privacy = privacyOf(options, host)
  if (privacy === undefined) return (words) => words
  const { thread, threads } = target
  const scan = threadScan(threadIndex(threads), read)
  const { facts } = await scan(thread)
  const family = await familyValues(thread, { ...read, privacy, threads, scan })
  const own = facts === undefined ? undefined : privateThread(thread, facts, privacy, family).redactor
  return (own ?? privacy.redactor()).text
}

interface Asked {
  memory: WorkingMemory
  request: PruneRequest
  /** Redacts a text so that it may be shown. */
  text: (words: string) => string
}

async function pruneMemory(work: PruneJob, { memory, request, text }: Asked): Promise<PruneResult> {
  const { options, host, target } = work
  const { history, mask } = memory
  if (options.edit !== undefined) host.progress.done()
  const { version } = target.live.head
  const fits = fitsIn(work, history)
  const asked = advised(planPrune(history, mask, request, fits), history, version)
  const named = await options.edit?.(viewOf(work, { memory, text, asked, fits }))
  const plan = named === undefined ? asked : advised(planNamed(history, mask, named, fits), history, version)
  const result: PruneResult = {
    threadId: target.thread.id,
    file: target.live.file.name,
    plan: { ...plan, notes: [...plan.notes, ...faultNotes(work, request)].map(text) },
  }
  // If the user left the list, the rollout stays as it is.
  if (options.edit !== undefined && named === undefined) return { ...result, isCancelled: true }
  const mayWrite = options.output !== undefined || options.newThread || (options.inPlace && plan.changes)
  if (!mayWrite) return result
  await options.announce?.(result)
  return { ...result, written: await applyPrune(work, plan, memory) }
}

function viewOf(
  { target, options }: PruneJob,
  { memory, text, asked, fits }: Omit<Asked, 'request'> & { asked: PrunePlan; fits: FitsOutput },
): EditView {
  const { history, mask } = memory
  const { replacement } = options
  // Cached, because a filter asks for all texts again with every key typed.
  const textOf = oncePer(({ item }: HistoryItem) => text(displayText(item, contentOf(item))))
  return {
    title: target.live.file.name,
    items: history.items,
    marked: asked.items,
    replacement,
    fits: (index) => fits(index, replacement),
    outputOf: (index) => outputOf(history.items, index),
    fixed: fixedItems(history),
    plan: (named) => advised(planNamed(history, mask, named, fits), history, target.live.head.version),
    textOf(index) {
      const item = history.items[index - 1]
      return item === undefined ? '' : textOf(item)
    },
  }
}

/** A rollout that keeps its length has no place for a longer text. Its outputs are measured at the first question. */
function fitsIn(work: PruneJob, history: History): FitsOutput {
  if (layoutFor(work) !== 'blank') return () => true
  let sizes: ReadonlyMap<number, number> | undefined
  return (index, text) => {
    sizes ??= outputBytes(work.full.source, history)
    return storedText(text).length <= (sizes.get(index) ?? Number.POSITIVE_INFINITY)
  }
}

/** The layout of what will be written: a copy and a new thread are cut. */
function layoutFor({ options, target }: Pick<PruneJob, 'options' | 'target'>): CutLayout | undefined {
  return options.output === undefined && !options.newThread ? layoutOf(target.live) : undefined
}

/** Notes about a mask that is missing or does not fit. Throws a `UsageError` if the request needs it. */
function faultNotes({ full, target }: PruneJob, { include }: PruneRequest): string[] {
  const notes = resumableNotes(full.resumable, target.thread.id)
  if (full.fault === undefined) return notes
  if (include.length === 0) return [`${full.fault} Everything in the rollout now counts as included.`, ...notes]
  throw new UsageError(
    `\`--include\` needs the record of what the last prune excluded. ${full.fault} \`codex-export restore ${quoted(target.thread.id)}\` restores a backup.`,
  )
}

function requestOf(options: PruneOptions): PruneRequest {
  const read = (name: Mark): Selector[] => {
    const result = readSelectors(options[name])
    if ('selectors' in result) return result.selectors
    throw new UsageError(`\`--${name}\`: ${result.fault}`)
  }
  return { ...byMark(read), text: options.replacement }
}

// Writing what was planned.

/** A prune of a thread that has been found and read. */
interface PruneJob {
  options: PruneOptions
  host: MemoryHost
  target: MemoryTarget
  full: FullRollout
  store: MaskStore
  read: HistoryOptions
}

/** What was written: a copy or a new thread, with its path, or the rollout itself, with its backup. */
type Written = { output: string } | WrittenThread | Kept

/** Writes what was planned. Throws a `UsageError` for everything that prevents it; then the rollout is unchanged. */
async function applyPrune(work: PruneJob, plan: PrunePlan, memory: WorkingMemory): Promise<Written> {
  const { options, host, target, full } = work
  const removed = removedBy(plan.items, memory)
  const layout = layoutFor(work)
  const { cuts, mend, ...end } = findCuts(full.source, removed, layout)
  const job: PruneOutput = {
    target,
    full,
    removed,
    cuts,
    ...defined({ layout }),
    verify: (path) => verify(work, plan, path),
    spoolDir: work.read.spoolDir,
  }
  if (options.output !== undefined) {
    await writeCopy(options.output, job)
    return { output: options.output }
  }
  if (options.newThread) return writeThread({ ...job, cuts: mend === undefined ? cuts : [...cuts, mend] }, host.now())
  const { live, path, threads } = target
  checkDependents(live, threads, firstChange(full, cuts))
  const rule = await checkClosed(target, options, host)
  if (!options.force) checkAtRest(path, end, host.now())
  return writeInPlace(job, work.store, rule)
}

/** Reads a draft as Codex would. Throws a `UsageError` if the memory is not the planned one. */
async function verify({ full, target, read }: PruneJob, plan: PrunePlan, path: string): Promise<void> {
  const live = full.thread.segments.at(-1) ?? target.live
  const thread = withFile(full.thread, live, { path, compression: 'none' })
  const { items } = await readHistory(thread, threadIndex(target.threads), read)
  const planned = plan.items.filter(({ state }) => isRemembered(state))
  if (
    sameItems(
      planned.map(sentItem),
      items.map(({ item }) => item),
    )
  )
    return
  throw new UsageError(
    'Without these items Codex would read the rest differently, for example because a rollback counts prompts. Nothing was changed. Choose other items, or fewer.',
  )
}

/** The offset, in the rollout on disk, of the first byte that the prune changes. */
function firstChange({ source, removed, layout }: FullRollout, next: readonly Edit[]): number {
  const old = findCuts(source, removed, layout).cuts
  const same = old.findIndex((cut, at) => !isSameEdit(cut, next[at]))
  const at = same === -1 ? old.length : same
  const offset = Math.min(old[at]?.start ?? source.size, next[at]?.start ?? source.size)
  return offset - source.size + keptSize(source, old.slice(0, at))
}
