/** What a build does to the output folder, and in which order: decided from the two manifests alone. */
import { installRank } from '../model/install-order.ts'
import type { FileRecord, WritePlan } from '../model/output.ts'
import { obstaclesTo } from '../model/paths.ts'
import { compareText } from '../util/compare.ts'

/** A file of the new site. */
export interface NextFile extends FileRecord {
  /** Its name in staging, where its content waits; absent where the old file stays as it is. */
  staged?: string
}

/** The renames of a swap, in order. */
export interface SwapOrder {
  /** Old files that stand where a new one needs a folder, or the reverse: they go first. */
  clear: string[]
  /** New files: what pages load, then pages, then what leads to them. */
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

/** Orders the renames of a plan. */
export function orderSwap(plan: WritePlan): SwapOrder {
  const blocks = obstaclesTo([...plan.written, ...plan.kept])
  return {
    clear: plan.removed.filter(blocks),
    install: [...plan.written].sort((a, b) => installRank(a) - installRank(b) || compareText(a, b)),
    remove: plan.removed.filter((path) => !blocks(path)),
  }
}
