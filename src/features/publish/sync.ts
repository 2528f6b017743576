/** Uploads a site to a store so that, if it is killed at any point, all pages there still have what they load. */

import { UsageError } from '../../diagnostics/errors.ts'
import { decodeManifest, manifestName, pathProblem } from '../../site/output/paths.ts'
import { compareText } from '../../util/compare.ts'
import { isObject, parseJson } from '../../util/json.ts'
import { isIdle, orderPublish, type PublishPlan, planPublish, type SiteFile } from './plan.ts'

/** How a sync is run. */
interface SyncRun {
  /** Returns the absolute path of a file of the site on this machine. */
  sourceOf: (path: string) => string
  /** Plan only. */
  dryRun: boolean
  /** Called with the plan before anything changes; throws to prevent it. */
  check: (plan: PublishPlan) => void
  signal: AbortSignal
  /** Called with the number of steps, before the first of them. */
  onPlan: (steps: number) => void
  onStep: () => void
}

/**
 * Makes a store contain the files of a site. Throws a `UsageError` if somebody else's files are in the way, and whatever
 * `check` throws.
 */
export async function syncSite(files: readonly SiteFile[], store: Store, run: SyncRun): Promise<PublishPlan> {
  const journal = await store.read(journalName)
  const owned = ownedPaths(await store.read(manifestName), journal)
  const paths = new Set([...files.map(({ path }) => path), ...owned])
  const marks = await store.probe(paths)
  const plan = planPublish(files, { marks, owned })
  refuseForeign(plan, store)
  run.check(plan)
  run.signal.throwIfAborted()
  if (run.dryRun) return plan
  await store.tidy()
  if (isIdle(plan) && journal === undefined) return plan
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
  // From here on, any later publish knows from the journal that all these paths are ours.
  await store.putText(journalName, encodeJournal(run.paths))
  await each(order.clear, (path) => store.remove(path))
  for (const group of order.put)
    await each(group, ({ path, size, mark }) => store.put({ path, size, mark, source: run.sourceOf(path) }))
  for (const group of order.remove) await each(group, (path) => store.remove(path))
  await store.remove(journalName)
}

/**
 * Runs `work` for several items at once. After the first error, or an abort, it starts no more, and waits for those under
 * way.
 */
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
    `\`${first}\`${more} in ${store.name} was not published from here and is where a file of the site must go. Choose another place, or move it away. Nothing was changed.`,
  )
}

// The interface between a publish and targets that receive files one by one.

/** The digest by which a target compares contents: SHA-256, MD5, or the id that git gives to a file, all in hex. */
export type MarkKind = 'sha256' | 'md5' | 'git'

/** A file to upload. */
export interface Upload {
  path: string
  size: number
  /** Absolute path of the file on this machine. */
  source: string
  /** Digest that the content must have; a file that has changed in the meantime is refused. */
  mark: string
}

/** A folder or a bucket. Its errors have messages for people. */
export interface Store {
  /** Name for people, never with credentials. */
  readonly name: string
  readonly markKind: MarkKind
  /** How many files may be put or removed at once. */
  readonly parallel: number
  /** Marks of the files that exist at the given paths; may include others. Throws if a path leads through a link. */
  probe(paths: Iterable<string>): Promise<ReadonlyMap<string, string>>
  /** The text of a small file; `undefined` if it does not exist. */
  read(path: string): Promise<string | undefined>
  /** Writes a file in one step: readers see the old one or the new one. */
  put(file: Upload): Promise<void>
  /** Writes a small text of our own. */
  putText(path: string, text: string): Promise<void>
  /** Removes a file if it exists. */
  remove(path: string): Promise<void>
  /** Removes drafts of processes that ended before they could. */
  tidy(): Promise<void>
  /** Closes connections and removes drafts of its own. */
  close(): Promise<void>
}

// What is ours at a host: what the manifest of the site there names and, while a publish is under way, a journal.

/** Name of the journal at the host. It exists only while a publish is under way, or after one that was interrupted. */
export const journalName = '.codex-export-publishing.json'

const schema = 'codex-export/publishing'

/** Returns the text of a journal: all paths that this publish, or those before it, may have put there. */
export function encodeJournal(paths: Iterable<string>): string {
  return `${JSON.stringify({ schema, version: 1, paths: [...new Set(paths)].sort(compareText) })}\n`
}

/**
 * Paths that were published before, according to the texts of the manifest and the journal at the host. An invalid text
 * counts as absent, and without both nothing there is ours. Never throws.
 */
export function ownedPaths(manifest: string | undefined, journal: string | undefined): Set<string> {
  const owned = new Set(journalPaths(journal))
  const decoded = manifest === undefined ? undefined : decodeManifest(manifest)
  if (decoded === undefined || 'problem' in decoded) return owned
  for (const path of Object.keys(decoded.manifest.files)) owned.add(path)
  return owned.add(manifestName)
}

function journalPaths(text: string | undefined): string[] {
  const value = parseJson(text ?? '')
  if (!isObject(value) || value['schema'] !== schema || value['version'] !== 1) return []
  const { paths } = value
  if (!Array.isArray(paths)) return []
  return paths.filter(
    (path): path is string => typeof path === 'string' && (path === manifestName || pathProblem(path) === undefined),
  )
}
