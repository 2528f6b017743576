/** Brings a site to a store so that a kill at any point leaves a site whose pages have what they load. */
import { UsageError } from '../diagnostics/errors.ts'
import { manifestName } from '../model/paths.ts'
import { encodeJournal, journalName, ownedPaths } from './journal.ts'
import { isIdle, orderPublish, type PublishPlan, planPublish, type SiteFile } from './plan.ts'
import type { Store } from './store.ts'
import { refuseWithdrawal } from './withdrawal.ts'

/** How a sync is run. */
export interface SyncRun {
  /** Absolute path of a file of the site. */
  sourceOf: (path: string) => string
  /** Plan only. */
  dryRun: boolean
  /** Go on although most sessions at the store would go. */
  allowRemoval: boolean
  signal: AbortSignal
  /** Hears how many steps there are, before the first of them. */
  onPlan: (steps: number) => void
  onStep: () => void
}

/** Makes a store hold the files of a site. Throws a `UsageError` where somebody else's files are in the way, a `RemovalError` where most sessions would go. */
export async function syncSite(files: readonly SiteFile[], store: Store, run: SyncRun): Promise<PublishPlan> {
  const journal = await store.read(journalName)
  const owned = ownedPaths(await store.read(manifestName), journal)
  const paths = new Set([...files.map(({ path }) => path), ...owned])
  const marks = await store.look(paths)
  const plan = planPublish(files, { marks, owned })
  refuseForeign(plan, store)
  if (!run.allowRemoval) refuseWithdrawal(plan, store.name.replaceAll('`', ''))
  run.signal.throwIfAborted()
  const isDone = isIdle(plan) && journal === undefined
  if (run.dryRun || isDone) return plan
  await carryOut(plan, store, { ...run, paths })
  return plan
}

async function carryOut(plan: PublishPlan, store: Store, run: SyncRun & { paths: Iterable<string> }): Promise<void> {
  const order = orderPublish(plan)
  run.onPlan(plan.added.length + plan.changed.length + plan.removed.length)
  const step = async (work: Promise<void>): Promise<void> => {
    await work
    run.onStep()
  }
  const { signal } = run
  const each = <T>(items: readonly T[], work: (item: T) => Promise<void>) =>
    inParallel(items, { parallel: store.parallel, signal }, (item) => step(work(item)))
  // From here on everything that may be there is known to be ours, whoever comes next.
  await store.putText(journalName, encodeJournal(run.paths))
  await each(order.clear, (path) => store.remove(path))
  for (const group of order.put)
    await each(group, ({ path, size, mark }) => store.put({ path, size, mark, source: run.sourceOf(path) }))
  for (const group of order.remove) await each(group, (path) => store.remove(path))
  await store.remove(journalName)
}

/** Runs some works at once; after the first error, or an abort, no further one is begun, and those under way end first. */
async function inParallel<T>(
  items: readonly T[],
  { parallel, signal }: { parallel: number; signal: AbortSignal },
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  let isFailed = false
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (isFailed) return
      try {
        signal.throwIfAborted()
        await work(item)
      } catch (error) {
        isFailed = true
        throw error
      }
    }
  }
  const results = await Promise.allSettled(Array.from({ length: Math.min(parallel, items.length) }, worker))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

function refuseForeign({ foreign }: PublishPlan, store: Store): void {
  const [first] = foreign
  if (first === undefined) return
  const more = foreign.length === 1 ? '' : ` (and ${foreign.length - 1} more files)`
  throw new UsageError(
    `\`${first}\`${more} in ${store.name} was not published from here and stands where a file of the site goes. Choose another place, or move it away. Nothing was changed.`,
  )
}
