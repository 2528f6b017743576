/** What a build does to the output folder, and in which order: decided from the two manifests alone. */
import { installRank } from '../model/install-order.ts'
import type { FileRecord, WritePlan } from '../model/output.ts'
import { obstaclesTo } from '../model/paths.ts'
import { compareText } from '../util/compare.ts'

/** A file of the new site. */
export interface NextFile extends FileRecord {
  /** Its content waits in staging; absent where the old file stays as it is. */
  staged?: true
}

/** The renames of a swap, in order. */
export interface SwapOrder {
  /** Old files that stand where a new one needs a folder, or the reverse: they go first. */
  clear: string[]
  /**
   * New files: those that the old site does not have, since nothing leads to them yet, then those that replace one. Of
   * either what pages load, then pages, each session by itself and its pages last, then what leads to them.
   */
  install: string[]
  /** Old files that are no longer produced: they go last, so that no reachable page lacks anything. */
  remove: string[]
}

/** Compares the old site's files with the new ones; all lists in code unit order. */
export function planWrites(old: Readonly<Record<string, string>>, next: Iterable<NextFile>): WritePlan {
  const plan: WritePlan = { written: [], kept: [], removed: [] }
  const paths = new Set<string>()
  for (const file of next) {
    paths.add(file.path)
    const list = file.staged === undefined ? plan.kept : plan.written
    list.push(file.path)
  }
  for (const path of Object.keys(old)) if (!paths.has(path)) plan.removed.push(path)
  plan.written.sort(compareText)
  plan.kept.sort(compareText)
  plan.removed.sort(compareText)
  return plan
}

/** Orders the renames of a plan; `replaces` tells whether a path stands in the old site. */
export function orderSwap(plan: WritePlan, replaces: (path: string) => boolean): SwapOrder {
  const blocks = obstaclesTo([...plan.written, ...plan.kept])
  const keys = new Map(plan.written.map((path) => [path, orderKey(path, replaces(path))]))
  return {
    clear: plan.removed.filter(blocks),
    install: [...plan.written].sort((a, b) => compareText(keys.get(a) ?? '', keys.get(b) ?? '')),
    // What leads to pages first, what they load last: also a page that nobody reaches any more has it.
    remove: plan.removed
      .filter((path) => !blocks(path))
      .sort((a, b) => installRank(b) - installRank(a) || compareText(a, b)),
  }
}

/** Text by which a path is sorted: new or not, its kind, its session, its own rank, the path. */
function orderKey(path: string, isReplaced: boolean): string {
  const rank = installRank(path)
  const session = /^sessions\/[^/]+\//.exec(path)?.[0]
  const place = session === undefined ? `${rank}` : `1${session}`
  return [isReplaced ? 1 : 0, place, rank, path].join('\0')
}
