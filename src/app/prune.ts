/** `prune`: what the model remembers of a thread, with items left out. */
import { UsageError } from '../diagnostics/errors.ts'
import { contentOf } from '../memory/content.ts'
import { advised } from '../memory/edit/advice.ts'
import { fixedItems } from '../memory/edit/fixed.ts'
import {
  type NamedItems,
  outputOf,
  type PlannedItem,
  type PrunePlan,
  type PruneRequest,
  planNamed,
  planPrune,
} from '../memory/edit/plan.ts'
import type { MaskRecord } from '../memory/edit/record.ts'
import { defaultReplacement } from '../memory/edit/replace.ts'
import { readSelectors, type Selector } from '../memory/edit/selector.ts'
import type { WorkingMemory } from '../memory/edit/working.ts'
import type { HistoryItem } from '../memory/history.ts'
import { type MaskStore, openMaskStore } from '../memory/mask-store-fs.ts'
import { displayText } from '../memory/preview.ts'
import { maskDir } from '../write/cache-dir-fs.ts'
import { familyValues } from './family-values.ts'
import { threadIndex } from './lineage.ts'
import { findMemoryTarget, type MemoryTarget, type MemoryTargetOptions } from './memory-target.ts'
import { resumableNotes } from './own-backups.ts'
import type { PrivacyOptions } from './privacy.ts'
import { privacyOf, privateThread } from './privacy.ts'
import { type ApplyOptions, applyPrune, type PruneJob, type Written } from './prune-apply.ts'
import { checkForm, type MemoryHost } from './prune-guard.ts'
import { openMemory } from './prune-memory.ts'
import type { HistoryOptions } from './read-history.ts'
import { withSpool } from './spool-fs.ts'
import { threadScan } from './thread-scan.ts'

export { isChange, type NamedItems, type PlannedItem, type PlannedState, type PrunePlan } from '../memory/edit/plan.ts'
export type { WrittenThread } from './prune-thread-fs.ts'

/** Options of `prune`. */
export interface PruneOptions extends MemoryTargetOptions, PrivacyOptions, ApplyOptions {
  /** Selections as typed. */
  readonly exclude: readonly string[]
  readonly include: readonly string[]
  readonly delete: readonly string[]
  /** Outputs in whose place a text is to stand, and that text. */
  readonly replace?: readonly string[]
  readonly replacement?: string | undefined
  /** Lets somebody mark items in a list; `undefined` from it leaves everything as it is. */
  readonly edit?: (view: EditView) => Promise<NamedItems | undefined>
  /** Told the plan before anything is written. */
  readonly announce?: (planned: PruneResult) => Promise<void>
}

/** What is edited in a list: texts are as they may be shown. */
export interface EditView {
  /** Site-safe name of the rollout. */
  title: string
  items: readonly HistoryItem[]
  /** The same with what was asked for beforehand. */
  marked: readonly PlannedItem[]
  /** What stands in place of an output. */
  replacement: string
  /** The item in whose place a text can stand: an output itself, or that of a call. */
  outputOf: (index: number) => number | undefined
  /** Items that must stay, and why. */
  fixed: ReadonlyMap<number, string>
  /** What would become of the items. */
  plan: (named: NamedItems) => PrunePlan
  /** The whole text of an item. */
  textOf: (index: number) => string
}

/** What a prune would do or did; texts are as they may be shown, items as they are. */
export interface PruneResult {
  threadId: string
  /** Site-safe name of the rollout. */
  file: string
  plan: PrunePlan
  /** What was written. */
  written?: Written
  /** Somebody left the list: everything stays as it is. */
  left?: true
}

/** Plans a prune and writes it where that is asked for. Throws `UsageError` for everything that stands in its way. */
export function prune(options: PruneOptions, host: MemoryHost): Promise<PruneResult> {
  return withSpool(async (spoolDir) => {
    const request = requestOf(options)
    const target = await findMemoryTarget(options, host, spoolDir)
    const store = openMaskStore(maskDir(host))
    const read: HistoryOptions = { spoolDir, signal: host.signal }
    host.progress.stage('Reading the session')
    const text = await shower({ options, host, target, read })
    const { whole, memory } = await openMemory({
      target,
      records: recordsOf(target, store),
      read: { ...read, show: text },
    })
    try {
      checkForm(target.live, whole.source)
      return await pruneMemory({ options, host, target, whole, store, read }, { memory, request, text })
    } finally {
      whole.source.close()
    }
  })
}

/** Replaces what is not to be shown: with a redactor that knows the session, as its page and lists have one. */
async function shower({ options, host, target, read }: Shown): Promise<(words: string) => string> {
  const privacy = privacyOf(options, host)
  if (privacy === undefined) return (words) => words
  const { thread, threads } = target
  const scan = threadScan(threadIndex(threads), read)
  const { facts } = await scan(thread)
  const family = await familyValues(thread, { ...read, privacy, threads, scan })
  const own = facts === undefined ? undefined : privateThread(thread, facts, privacy, family).redactor
  return (own ?? privacy.redactor()).text
}

type Shown = Pick<PruneJob<PruneOptions>, 'options' | 'host' | 'target' | 'read'>

interface Asked {
  memory: WorkingMemory
  request: PruneRequest
  /** Makes a text fit to be shown. */
  text: (words: string) => string
}

async function pruneMemory(work: PruneJob<PruneOptions>, { memory, request, text }: Asked): Promise<PruneResult> {
  const { options, host, target } = work
  const { history, mask } = memory
  if (options.edit !== undefined) host.progress.done()
  const { version } = target.live.head
  const asked = advised(planPrune(history, mask, request), history, version)
  const named = await options.edit?.(viewOf(work, { memory, text, asked }))
  const plan = named === undefined ? asked : advised(planNamed(history, mask, named), history, version)
  const result: PruneResult = {
    threadId: target.thread.id,
    file: target.live.file.name,
    plan: { ...plan, notes: [...plan.notes, ...faultNotes(work, request)].map(text) },
  }
  // Who leaves the list leaves the rollout as it is.
  if (options.edit !== undefined && named === undefined) return { ...result, left: true }
  const mayWrite = options.output !== undefined || options.newThread === true || (options.inPlace && plan.changes)
  if (!mayWrite) return result
  await options.announce?.(result)
  return { ...result, written: await applyPrune(work, plan, memory) }
}

function recordsOf({ thread, live }: MemoryTarget, store: MaskStore): MaskRecord[] {
  return store.load(thread.id, live.rolloutId)
}

function viewOf(
  { target, options }: PruneJob<PruneOptions>,
  { memory, text, asked }: Omit<Asked, 'request'> & { asked: PrunePlan },
): EditView {
  const { history, mask } = memory
  return {
    title: target.live.file.name,
    items: history.items,
    marked: asked.items,
    replacement: options.replacement ?? defaultReplacement,
    outputOf: (index) => outputOf(history.items, index),
    fixed: fixedItems(history),
    plan: (named) => advised(planNamed(history, mask, named), history, target.live.head.version),
    textOf: remembered((index) => text(itemText(history.items[index - 1]))),
  }
}

/** What is told of a mask that is missing or does not fit. Throws `UsageError` where it is needed. */
function faultNotes({ whole, target }: PruneJob<PruneOptions>, { include }: PruneRequest): string[] {
  const notes = resumableNotes(whole.resumable, target.thread.id)
  if (whole.fault === undefined) return notes
  if (include.length === 0)
    return [`${whole.fault} Everything that is in the rollout now counts as included.`, ...notes]
  throw new UsageError(
    `\`--include\` needs the mask of the last prune. ${whole.fault} \`codex-export restore ${target.thread.id}\` brings a backup back.`,
  )
}

function requestOf(options: PruneOptions): PruneRequest {
  const read = (name: 'exclude' | 'include' | 'delete' | 'replace'): Selector[] => {
    const result = readSelectors(options[name] ?? [])
    if ('selectors' in result) return result.selectors
    throw new UsageError(`\`--${name}\`: ${result.fault}`)
  }
  return {
    exclude: read('exclude'),
    include: read('include'),
    delete: read('delete'),
    replace: read('replace'),
    text: options.replacement ?? defaultReplacement,
  }
}

/** Each text is asked for again with every key that is typed into a filter. */
function remembered(make: (index: number) => string): (index: number) => string {
  const texts = new Map<number, string>()
  return (index) => {
    const text = texts.get(index) ?? make(index)
    texts.set(index, text)
    return text
  }
}

function itemText(item: HistoryItem | undefined): string {
  return item === undefined ? '' : displayText(item.item, contentOf(item.item))
}
