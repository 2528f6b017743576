/** From a planned prune to what is written. */
import { UsageError } from '../diagnostics/errors.ts'
import { type PrunePlan, sentItem, stays } from '../memory/edit/plan.ts'
import type { RemovedItem } from '../memory/edit/record.ts'
import { type Edit, isSameEdit } from '../memory/edit/spans.ts'
import { removedBy, type WorkingMemory } from '../memory/edit/working.ts'
import type { MaskStore } from '../memory/mask-store-fs.ts'
import { threadIndex } from './lineage.ts'
import type { MemoryTarget } from './memory-target.ts'
import { findCuts, keptSize } from './prune-cuts.ts'
import { checkAtRest, checkClosed, checkDependents, type MemoryHost, type OpenOptions } from './prune-guard.ts'
import { sameItems } from './prune-memory.ts'
import { type WrittenThread, writeThread } from './prune-thread-fs.ts'
import { type Whole, withFile } from './prune-whole.ts'
import { type Kept, type PruneWork, writeCopy, writeInPlace } from './prune-write.ts'
import { type HistoryOptions, readHistory } from './read-history.ts'

/** What is to be written, and how. */
export interface ApplyOptions extends OpenOptions {
  /** Absolute path of a copy to write. */
  readonly output: string | undefined
  /** Write a copy as a new thread of the same home. */
  readonly newThread?: boolean
  /** Write over the rollout itself. */
  readonly inPlace: boolean
  /** Write although the file looks as if it were going to be written on. */
  readonly force: boolean
}

/** A prune of a thread that was found and read. */
export interface PruneJob<O extends ApplyOptions = ApplyOptions> {
  options: O
  host: MemoryHost
  target: MemoryTarget
  whole: Whole
  store: MaskStore
  read: HistoryOptions
}

/** What was written: a copy, by its path, perhaps as a thread, or the rollout, by its backup. */
export type Written = { output: string } | WrittenThread | Kept

/** Writes what was planned. Throws `UsageError` for everything that stands in its way; then nothing was changed. */
export async function applyPrune(work: PruneJob, plan: PrunePlan, memory: WorkingMemory): Promise<Written> {
  const { options, host, target, whole } = work
  const removed = removedBy(plan.items, memory)
  const { cuts, mend, ...end } = findCuts(whole.source, removed)
  const job: PruneWork = {
    target,
    whole,
    removed,
    cuts,
    verify: (path) => verify(work, plan, path),
    spoolDir: work.read.spoolDir,
  }
  if (options.output !== undefined) {
    await writeCopy(options.output, job)
    return { output: options.output }
  }
  if (options.newThread) return writeThread({ ...job, cuts: mend === undefined ? cuts : [...cuts, mend] }, host.now())
  const { live, path, threads } = target
  checkDependents(live, threads, firstChange(whole, removed))
  const rule = await checkClosed(target, options, host)
  if (!options.force) checkAtRest({ path, end, now: host.now() })
  return writeInPlace(job, work.store, rule)
}

/** Reads a draft as Codex would. Throws `UsageError` where other words would be remembered than were planned. */
async function verify({ whole, target, read }: PruneJob, plan: PrunePlan, path: string): Promise<void> {
  const live = whole.thread.segments.at(-1) ?? target.live
  const thread = withFile(whole.thread, live, { path, compression: 'none' })
  const { items } = await readHistory(thread, threadIndex(target.threads), read)
  const planned = plan.items.filter(({ state }) => stays(state))
  if (
    sameItems(
      planned.map(sentItem),
      items.map(({ item }) => item),
    )
  )
    return
  throw new UsageError(
    'Without these items Codex would read the rest otherwise, for example because a rollback counts prompts; nothing was changed. Choose others, or fewer.',
  )
}

/** The first byte of the rollout as it is on disk that is to become another one. */
function firstChange({ source, removed: before }: Whole, after: readonly RemovedItem[]): number {
  const [old, next] = [before, after].map((removed) => findCuts(source, removed).cuts) as [Edit[], Edit[]] // as mapped
  const same = old.findIndex((cut, at) => !isSameEdit(cut, next[at]))
  const at = same === -1 ? old.length : same
  const place = Math.min(old[at]?.start ?? source.size, next[at]?.start ?? source.size)
  return place - source.size + keptSize(source, old.slice(0, at))
}
