/** `context`: what the model remembers of a thread, item by item. */
import { UsageError } from '../diagnostics/errors.ts'
import { type Calibration, calibrated, calibrationOf } from '../memory/calibrate.ts'
import { outlineOf } from '../memory/finish.ts'
import type { CompactionFacts, MemoryItem, MemoryOutline } from '../memory/history.ts'
import { type Encoding, readCounted } from '../memory/tokenizer.ts'
import { sumOf, totalsOf } from '../memory/totals.ts'
import type { CategoryTotals } from '../model/memory.ts'
import { defined } from '../util/defined.ts'
import { endOfTurn, readMemory } from './context-memory.ts'
import { scanWithLineage, threadIndex } from './lineage.ts'
import { findMemoryTarget, type MemoryTargetOptions } from './memory-target.ts'
import { privacyOf, privateHost, privateThread } from './privacy.ts'
import { withSpool } from './spool-fs.ts'
import type { Host, PrivacyOptions } from './types.ts'

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
  /** Encoding that texts were counted by. */
  encoding: Encoding
  /** Sum of the items. */
  estimated: number
  /** How the sum becomes `total`; absent where the file records no counts. */
  calibration?: Calibration
  total: number
  /** Tokens that the window holds, and the share of it that is taken, where the file tells. */
  window?: number
  share?: number
}

/** Tells the memory of one thread. Throws `UsageError` for a thread or turn that is not there. */
export function context(options: ContextOptions, outer: Host): Promise<ContextResult> {
  const privacy = privacyOf(options, outer)
  const host = privateHost(outer, privacy)
  return withSpool(async (spoolDir) => {
    const { thread, threads } = await findMemoryTarget(options, host, spoolDir)
    host.progress.stage('Reading the session')
    const index = threadIndex(threads)
    const reading = { spoolDir, signal: host.signal }
    const { facts, diagnostics } = await scanWithLineage(thread, index, reading)
    if (facts === undefined) throw new UsageError(diagnostics.map(({ message }) => message).join(' '))
    if (options.at !== undefined && options.at > facts.turns)
      throw new UsageError(`\`--at ${options.at}\`: the session has ${facts.turns} turns.`)
    const shown = privateThread(thread, facts, privacy)
    const end = options.at === undefined ? undefined : endOfTurn(facts, options.at)
    const described = { ...reading, keepItems: false, ...defined({ end }) }
    const { result, encoding } = await readCounted(
      (count) => readMemory({ thread, facts }, index, { ...described, count }),
      ({ built }) => built.model,
    )
    const { built, head } = result
    const memory = outlineOf(built, head, shown.redactor?.text)
    for (const violation of memory.violations) host.report(violation)
    const totals = totalsOf(memory.items)
    return { title: shown.facts.title, turns: facts.turns, memory, totals, tokens: tokensOf(memory, totals, encoding) }
  })
}

function tokensOf({ recorded, window }: MemoryOutline, totals: CategoryTotals, encoding: Encoding): ContextTokens {
  const estimated = sumOf(totals).tokens
  const calibration = recorded === undefined ? undefined : calibrationOf(recorded)
  const total = calibration === undefined ? estimated : calibrated(estimated, calibration)
  const share = window === undefined ? undefined : total / window
  return { encoding, estimated, total, ...defined({ calibration, window, share }) }
}
