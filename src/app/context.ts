/** `context`: what the model remembers of a thread, item by item. */
import { UsageError } from '../diagnostics/errors.ts'
import { type Calibration, calibrated, calibrationOf } from '../memory/calibrate.ts'
import { workingMemory } from '../memory/edit/working.ts'
import { outlineOf } from '../memory/finish.ts'
import type { CompactionFacts, MemoryItem, MemoryOutline } from '../memory/history.ts'
import { openMaskStore } from '../memory/mask-store-fs.ts'
import { sumOf, totalsOf } from '../memory/totals.ts'
import type { CategoryTotals } from '../model/memory.ts'
import type { Thread } from '../model/rollout.ts'
import type { ScanFacts } from '../model/summary.ts'
import { defined } from '../util/defined.ts'
import { maskDir } from '../write/cache-dir-fs.ts'
import { endBehind, readMemory } from './context-memory.ts'
import { familyValues } from './family-values.ts'
import { scanWithLineage, type ThreadIndex, threadIndex } from './lineage.ts'
import { findMemoryTarget, type MemoryTargetOptions } from './memory-target.ts'
import type { PrivacyOptions } from './privacy.ts'
import { privacyOf, privateHost, privateThread } from './privacy.ts'
import { type MemoryInputs, openMemory } from './prune-memory.ts'
import { type HistoryOptions, readHistory } from './read-history.ts'
import { withSpool } from './spool-fs.ts'
import { threadScan } from './thread-scan.ts'
import type { Host } from './types.ts'

export type { CompactionFacts, MemoryItem }

/** Options of `context`. */
export interface ContextOptions extends MemoryTargetOptions, PrivacyOptions {
  /** Number of the turn behind which the memory is told; the last where absent. */
  readonly at: number | undefined
}

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
  const { whole, memory } = await openMemory({ target, records, read: { ...read, at: undefined } })
  try {
    const { history: now } = memory
    const earlier = read.at === undefined ? now : await readHistory(whole.thread, threadIndex(target.threads), read)
    const list = earlier === now ? now : (workingMemory(earlier, whole.removed)?.history ?? earlier)
    const items = list.items.map(({ item: _item, ...described }) => described)
    return { memory: { ...list, items }, turns: now.turn }
  } finally {
    whole.source.close()
  }
}

function tokensOf({ recorded, window }: MemoryOutline, totals: CategoryTotals): ContextTokens {
  const estimated = sumOf(totals).tokens
  const calibration = recorded === undefined ? undefined : calibrationOf(recorded)
  const total = calibration === undefined ? estimated : calibrated(estimated, calibration)
  const share = window === undefined ? undefined : total / window
  return { estimated, total, ...defined({ calibration, window, share }) }
}
