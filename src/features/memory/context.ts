/** `context`: lists what the model remembers of a thread, item by item. */

import type { Settings } from '../../config/schema.ts'
import type { Redactor } from '../../redact/redactor.ts'
import { redactStrings } from '../../redact/strings.ts'
import type { Thread } from '../../rollout/discover/rollout.ts'
import { maskDir } from '../../site/cache/cache-folder-fs.ts'
import { familyValues } from '../../site/known/session-values.ts'
import { withSpool } from '../../site/spool-fs.ts'
import type { Host } from '../../site/types.ts'
import { type ThreadIndex, threadIndex, threadScan } from '../../survey/lineage.ts'
import { type PrivacyOptions, privacyOf, privateHost, privateThread } from '../../survey/privacy.ts'
import type { ScanFacts } from '../../transcript/summary.ts'
import { withoutEqual } from '../../util/groups.ts'
import { defined } from '../../util/own.ts'
import { sentItem } from './edit/plan.ts'
import { type MemoryInputs, openMemory, workingMemory } from './edit/working.ts'
import { openMaskStore } from './files/mask-store-fs.ts'
import { findMemoryTarget, type MemoryTargetOptions } from './files/target-fs.ts'
import { type CategoryTotals, sumOf, totalsOf } from './history/categories.ts'
import { type Calibration, calibrated, calibrationOf } from './history/estimate.ts'
import type { CompactionFacts, HistoryItem, MemoryItem, MemoryOutline } from './history/history.ts'
import { type HistoryOptions, historyOf, outlineOf, readHistory, readMemory, requireFacts } from './history/read.ts'

export type { CompactionFacts, MemoryItem }

/** Options of `context`. Without `at`, it shows the memory after the last turn. */
export interface ContextOptions extends MemoryTargetOptions, PrivacyOptions, Pick<Settings, 'at'> {
  /** Return also what is sent of each item. */
  readonly keepItems?: boolean
  /** Compare with the memory after this turn. */
  readonly since?: number
}

/** What the model remembers, as it may be shown. */
export interface ContextResult {
  title: string
  /** Number of turns of the thread. */
  turns: number
  memory: MemoryOutline
  totals: CategoryTotals
  tokens: ContextTokens
  /** What is sent of each item, by its index, as it may be shown; present if asked for. */
  whole?: ReadonlyMap<number, unknown>
  /** What changed since the turn `since`. */
  change?: MemoryChange
}

/** The items that only one of two moments has. */
export interface MemoryChange {
  /** Number of the turn after which the first moment is. */
  since: number
  removed: MemoryItem[]
  added: MemoryItem[]
}

/** Tokens of the next request, all of them estimates. */
export interface ContextTokens {
  /** Sum of the items, by the length of their texts. */
  estimated: number
  /** How the sum becomes `total`; absent if the file records no counts. */
  calibration?: Calibration
  total: number
  /** Tokens that the window holds, and the share of it that is used, if the file records its size. */
  window?: number
  share?: number
}

/**
 * Returns the memory of one thread, including items that were excluded from it, with the numbers that `prune` takes.
 * Throws a `UsageError` if the thread or turn does not exist.
 */
export function context(options: ContextOptions, outer: Host): Promise<ContextResult> {
  const privacy = privacyOf(options, outer)
  const host = privateHost(outer, privacy)
  return withSpool(async (spoolDir) => {
    const target = await findMemoryTarget(options, host, spoolDir)
    const { thread, live, threads } = target
    host.progress.stage('Reading the session')
    const index = threadIndex(threads)
    const reading = { spoolDir, signal: host.signal }
    const facts = await requireFacts(thread, index, reading)
    const family =
      privacy && (await familyValues(thread, { ...reading, privacy, threads, scan: threadScan(index, reading) }))
    const shown = privateThread(thread, facts, privacy, family)
    const show = shown.redactor?.text
    const records = openMaskStore(maskDir(host), thread.id, live.rolloutId).records()
    const listAt = (at: number | undefined): Promise<Listed> =>
      records.length === 0
        ? readOutline({ thread, facts }, index, { ...reading, show, at, keepItems: options.keepItems ?? false })
        : readMasked({ target, records, read: { ...reading, show, at } })
    const { memory: list, turns } = await listAt(options.at)
    for (const violation of list.violations) host.report(violation)
    const { memory, whole } = withoutItems(list, options.keepItems ? shown.redactor : undefined)
    const totals = totalsOf(memory.items.filter(({ included }) => included))
    const change = options.since === undefined ? undefined : changeOf((await listAt(options.since)).memory, memory)
    const extra = defined({ whole: options.keepItems ? whole : undefined, change })
    return { title: shown.facts.title, turns, memory, totals, tokens: tokensOf(memory, totals), ...extra }
  })
}

/** Separates a list from what is sent of its items, which is returned by their index. */
function withoutItems(
  list: MemoryOutline<MemoryItem | HistoryItem>,
  redactor: Redactor | undefined,
): { memory: MemoryOutline; whole: Map<number, unknown> } {
  const whole = new Map<number, unknown>()
  const items = list.items.map((entry): MemoryItem => {
    if (!('item' in entry)) return entry
    const { item: _, ...described } = entry
    whole.set(entry.index, shownItem(sentItem({ item: entry, ...defined({ text: entry.replaced?.text }) }), redactor))
    return described
  })
  return { memory: { ...list, items }, whole }
}

/**
 * What is sent of an item as it may be shown: redacted, with pictures and ciphertext replaced by their lengths. Without a
 * redactor, the item as it is.
 */
function shownItem(item: object, redactor: Redactor | undefined): unknown {
  if (redactor === undefined) return item
  const copy: object = JSON.parse(JSON.stringify(item, withoutBulk))
  redactStrings(copy, redactor)
  return copy
}

function withoutBulk(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (/^encrypted_/.test(key)) return `[${value.length} characters of ciphertext]`
  return value.startsWith('data:') ? `[picture of ${value.length} characters]` : value
}

/** The items that only one of two memories has; equal items are paired in order. */
function changeOf(before: MemoryOutline, after: MemoryOutline): MemoryChange {
  const keyOf = ({ category, preview, sources }: MemoryItem): string => JSON.stringify([category, preview, sources])
  const { items: old } = withoutItems(before, undefined).memory
  return {
    since: before.turn,
    removed: withoutEqual(old, after.items, keyOf),
    added: withoutEqual(after.items, old, keyOf),
  }
}

/** The memory at a moment, and the number of turns. */
interface Listed {
  memory: MemoryOutline<MemoryItem | HistoryItem>
  /** Number of turns of the thread. */
  turns: number
}

/** The list of a rollout that was not pruned, as far as is known. Its items are kept only if asked for. */
async function readOutline(
  { thread, facts }: { thread: Thread; facts: ScanFacts },
  index: ThreadIndex,
  options: HistoryOptions & { keepItems: boolean },
): Promise<Listed> {
  const { built, head } = await readMemory({ thread, facts }, index, options)
  const memory = (options.keepItems ? historyOf : outlineOf)(built, head, options.show)
  return { memory, turns: facts.turns }
}

/** The list that `prune` edits. For an earlier moment, it is marked with what is removed now. */
async function readMasked({ target, records, read }: MemoryInputs): Promise<Listed> {
  const { full, memory } = await openMemory({ target, records, read: { ...read, at: undefined } })
  try {
    const { history: now } = memory
    const earlier = read.at === undefined ? now : await readHistory(full.thread, threadIndex(target.threads), read)
    const list = earlier === now ? now : (workingMemory(earlier, full.removed)?.history ?? earlier)
    return { memory: list, turns: now.turn }
  } finally {
    full.source.close()
  }
}

function tokensOf({ recorded, reasoningKept, window }: MemoryOutline, totals: CategoryTotals): ContextTokens {
  const estimated = sumOf(totals).tokens
  const calibration = recorded === undefined ? undefined : calibrationOf(recorded, reasoningKept)
  const total = calibration === undefined ? estimated : calibrated(estimated, calibration)
  const share = window === undefined ? undefined : total / window
  return { estimated, total, ...defined({ calibration, window, share }) }
}
