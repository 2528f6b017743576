/** Adds a slice's nodes to the thread's statistics and receipt; inherited nodes count in no statistic. */
import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import type { Session, Stats } from '../../model/trast.ts'
import { walk } from '../../model/walk.ts'
import { countOwn } from '../../util/own.ts'
import { countNode } from '../count-node.ts'
import { type SliceData, sliceOf } from '../slice.ts'

/** Fills `session.stats`: the sums of all slices so far. */
export const stats: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const slice = sliceOf(file)
  if (slice.counted) return
  slice.counted = true
  walk(tree, (node) => {
    if (node.data?.inherited) return false
    countNode(node, slice)
    return undefined
  })
  countLines(tree, slice)
  tree.stats = statsOf(slice)
}

function statsOf({ stats, usage, lines, distinct }: SliceData): Stats {
  const { files, commits, pullRequests } = distinct
  return {
    ...stats,
    durations: { ...stats.durations },
    edits: { ...stats.edits, files: files.size },
    usage,
    lines,
    ...(commits.size === 0 ? {} : { commits: [...commits] }),
    ...(pullRequests.size === 0 ? {} : { pullRequests: [...pullRequests] }),
  }
}

/**
 * A carried line is `shown` where it begins a node, `folded` where it only joins one; a line that
 * no node took is `skipped` under its kind, or as `omitted` where its node was left out, so that the sum always holds (design: receipt).
 */
function countLines(tree: Session, { carried, lines, gone }: SliceData): void {
  const shown = new Set<string>()
  const folded = new Set<string>()
  walk(tree, (node) => {
    const sources = node.data?.sources
    if (sources === undefined) return
    for (const [index, source] of sources.entries())
      (index === 0 ? shown : folded).add(`${source.file ?? 0}:${source.line}`)
  })
  for (const [line, kind] of carried) {
    if (shown.has(line)) lines.shown++
    else if (folded.has(line)) lines.folded++
    else countOwn(lines.skipped, gone?.has(line) ? 'omitted' : kind)
  }
  carried.clear()
}
