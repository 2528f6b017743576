/** Brings a site to a store so that a kill at any point leaves a site whose pages have what they load. */

import { UsageError } from '../../diagnostics/errors.ts'
import { decodeManifest, manifestName, pathProblem } from '../../site/output/paths.ts'
import { compareText } from '../../util/compare.ts'
import { isObject, parseJson } from '../../util/json.ts'
import { isIdle, orderPublish, type PublishPlan, planPublish, type SiteFile } from './plan.ts'

/** How a sync is run. */
export interface SyncRun {
  /** Absolute path of a file of the site. */
  sourceOf: (path: string) => string
  /** Plan only. */
  dryRun: boolean
  /** Hears what would change before anything does; throws where that must not be. */
  check: (plan: PublishPlan) => void
  signal: AbortSignal
  /** Hears how many steps there are, before the first of them. */
  onPlan: (steps: number) => void
  onStep: () => void
}

/** Makes a store hold the files of a site. Throws a `UsageError` where somebody else's files are in the way, and what `check` throws. */
export async function syncSite(files: readonly SiteFile[], store: Store, run: SyncRun): Promise<PublishPlan> {
  const journal = await store.read(journalName)
  const owned = ownedPaths(await store.read(manifestName), journal)
  const paths = new Set([...files.map(({ path }) => path), ...owned])
  const marks = await store.probe(paths)
  const plan = planPublish(files, { marks, owned })
  refuseForeign(plan, store)
  run.check(plan)
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
    `\`${first}\`${more} in ${store.name} was not published from here and is where a file of the site must go. Choose another place, or move it away. Nothing was changed.`,
  )
}

// The seam between a publish and the places that files are put on one by one.

/** By what a place tells contents apart: SHA-256, MD5, or the id that git gives to a file, all in hex. */
export type MarkKind = 'sha256' | 'md5' | 'git'

/** A file on its way. */
export interface Upload {
  path: string
  size: number
  /** Absolute path of the file on this machine. */
  source: string
  /** Digest that the content must have; a file that changed meanwhile is refused. */
  mark: string
}

/** A folder or a bucket. Everything it throws is fit for people. */
export interface Store {
  /** For people: never with credentials. */
  readonly name: string
  readonly markKind: MarkKind
  /** How many files may be put or removed at once. */
  readonly parallel: number
  /** Marks of what stands at the given paths; more than these may be told. Throws where a path leads through a link. */
  probe(paths: Iterable<string>): Promise<ReadonlyMap<string, string>>
  /** Text of a small file; `undefined` where there is none. */
  read(path: string): Promise<string | undefined>
  /** Puts a file in one step: readers see the old one or the new one. */
  put(file: Upload): Promise<void>
  /** Puts a small text of our own. */
  putText(path: string, text: string): Promise<void>
  /** Removes a file, present or not. */
  remove(path: string): Promise<void>
  /** Ends the use of the store: connections are closed, drafts removed. */
  close(): Promise<void>
}

// What is ours at a host: the manifest of the site there, and while a publish is under way a journal beside it.

/** Name of the journal at the host. It is there only while a publish is under way, or after one that was cut off. */
export const journalName = '.codex-export-publishing.json'

const schema = 'codex-export/publishing'

/** Writes a journal: all paths that may have been published when it is read. */
export function encodeJournal(paths: Iterable<string>): string {
  return `${JSON.stringify({ schema, version: 1, paths: [...new Set(paths)].sort(compareText) })}\n`
}

/**
 * Paths that were published before, by the texts of manifest and journal as they stand at the host. What does not read
 * counts as absent: then nothing there is ours. Never throws.
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
