/** `context`: what the model remembers of a thread, item by item. */

import type { Settings } from '../../config/settings.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import type { Thread } from '../../rollout/discover/rollout.ts'
import { maskDir } from '../../site/cache/cache-dir-fs.ts'
import { familyValues } from '../../site/known/family-values.ts'
import { withSpool } from '../../site/spool-fs.ts'
import type { Host } from '../../site/types.ts'
import { scanWithLineage, type ThreadIndex, threadIndex } from '../../survey/lineage.ts'
import { type PrivacyOptions, privacyOf, privateHost, privateThread } from '../../survey/privacy.ts'
import { threadScan } from '../../survey/thread-scan.ts'
import type { ScanFacts } from '../../transcript/summary.ts'
import { defined } from '../../util/defined.ts'
import { workingMemory } from './edit/working.ts'
import { openMaskStore } from './files/mask-store-fs.ts'
import { findMemoryTarget, type MemoryTargetOptions } from './files/target.ts'
import type { CategoryTotals } from './history/categories.ts'
import { type Calibration, calibrated, calibrationOf } from './history/estimate.ts'
import { outlineOf } from './history/finish.ts'
import type { CompactionFacts, MemoryItem, MemoryOutline } from './history/history.ts'
import { endBehind, type HistoryOptions, readHistory, readMemory } from './history/read.ts'
import { sumOf, totalsOf } from './history/totals.ts'
import { type MemoryInputs, openMemory } from './prune-memory.ts'

export type { CompactionFacts, MemoryItem }

/** Options of `context`; without `at` the memory after the last turn is meant. */
export interface ContextOptions extends MemoryTargetOptions, PrivacyOptions, Pick<Settings, 'at'> {}

/** What the model remembers, as it may be shown. */
export interface ContextResult {
  title: string
  /** Turns of the thread. */
  turns: number
  memory: MemoryOutline
  totals: CategoryTotals
  tokens: ContextTokens
}

/** Tokens of the next request, all of them estimates. */
export interface ContextTokens {
  /** Sum of the items, by the length of their texts. */
  estimated: number
  /** How the sum becomes `total`; absent where the file records no counts. */
  calibration?: Calibration
  total: number
  /** Tokens that the window holds, and the share of it that is taken, where the file tells. */
  window?: number
  share?: number
}

/**
 * Tells the memory of one thread, with what was excluded from it under the numbers that `prune` takes. Throws
 * `UsageError` for a thread or turn that is not there.
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
    const { facts, diagnostics } = await scanWithLineage(thread, index, reading)
    if (facts === undefined) throw new UsageError(diagnostics.map(({ message }) => message).join(' '))
    const family =
      privacy && (await familyValues(thread, { ...reading, privacy, threads, scan: threadScan(index, reading) }))
    const shown = privateThread(thread, facts, privacy, family)
    const show = shown.redactor?.text
    const records = openMaskStore(maskDir(host)).load(thread.id, live.rolloutId)
    const { memory, turns } =
      records.length === 0
        ? await readOutline({ thread, facts }, index, { ...reading, show, at: options.at })
        : await readMasked({ target, records, read: { ...reading, show, at: options.at } })
    for (const violation of memory.violations) host.report(violation)
    const totals = totalsOf(memory.items.filter(({ included }) => included))
    return { title: shown.facts.title, turns, memory, totals, tokens: tokensOf(memory, totals) }
  })
}

/** The memory at a moment, and what is told beside it. */
interface Listed {
  memory: MemoryOutline
  /** Turns of the thread. */
  turns: number
}

/** The list of a rollout from which nothing is known to be out, read without its items. */
async function readOutline(
  { thread, facts }: { thread: Thread; facts: ScanFacts },
  index: ThreadIndex,
  { spoolDir, signal, show, at }: HistoryOptions,
): Promise<Listed> {
  const end = endBehind(facts, at)
  const reading = { spoolDir, signal, keepItems: false, ...defined({ end }) }
  const { built, head } = await readMemory({ thread, facts }, index, reading)
  return { memory: outlineOf(built, head, show), turns: facts.turns }
}

/** The list that `prune` edits; at an earlier moment with the marks of what is out now. */
async function readMasked({ target, records, read }: MemoryInputs): Promise<Listed> {
  const { full, memory } = await openMemory({ target, records, read: { ...read, at: undefined } })
  try {
    const { history: now } = memory
    const earlier = read.at === undefined ? now : await readHistory(full.thread, threadIndex(target.threads), read)
    const list = earlier === now ? now : (workingMemory(earlier, full.removed)?.history ?? earlier)
    const items = list.items.map(({ item: _item, ...described }) => described)
    return { memory: { ...list, items }, turns: now.turn }
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
