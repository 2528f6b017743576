/** Adds a slice's nodes to the thread's statistics and receipt; inherited nodes count in no statistic. */
import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import type {
  Command,
  FileChange,
  Message,
  Patch,
  Session,
  Status,
  ToolCall,
  TrastNode,
  Turn,
} from '../../model/trast.ts'
import { walk } from '../../model/walk.ts'
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
  tree.stats = {
    ...slice.stats,
    edits: { ...slice.stats.edits, files: slice.editedFiles.size },
    usage: slice.usage,
    lines: slice.lines,
  }
}

type Counter = (node: never, slice: SliceData) => void

const counters: Readonly<Record<string, Counter>> = {
  turn: (node: Turn, { stats }) => {
    if (!node.data?.continued) stats.turns++
  },
  message: ({ origin }: Message, { stats }) => {
    if (origin === 'typed' || origin === 'generated') stats.messages++
  },
  command: ({ status, data }: Command, { stats }) => {
    if (!data?.continued) stats.commands.total++
    if (status === 'failed') stats.commands.failed++
  },
  toolCall: ({ server, tool, status }: ToolCall, { stats }) => {
    countTool(server === undefined ? tool : `${server}/${tool}`, status, stats)
  },
  patch: (node: Patch, slice) => {
    if (applied(node.status))
      for (const child of node.children) if (child.type === 'fileChange') countChange(child, slice)
  },
}

function countNode(node: TrastNode, slice: SliceData): void {
  // The table's key is the node's type, so that the counter takes it.
  counters[node.type]?.(node as never, slice)
}

function countChange({ movedTo, path, added, removed }: FileChange, { stats, editedFiles }: SliceData): void {
  editedFiles.add(movedTo ?? path)
  stats.edits.added += added
  stats.edits.removed += removed
}

function applied(status: Status): boolean {
  return status === 'completed' || status === 'unknown'
}

function countTool(name: string, status: Status, stats: SliceData['stats']): void {
  // A tool may be called `constructor`: own keys only.
  const known = Object.hasOwn(stats.tools, name) ? stats.tools[name] : undefined
  const tool = known ?? { calls: 0, failed: 0 }
  tool.calls++
  if (status === 'failed') tool.failed++
  Object.defineProperty(stats.tools, name, { value: tool, enumerable: true, configurable: true, writable: true })
}

/**
 * A carried line is `shown` where it begins a node, `folded` where it only joins one; a line that
 * no node took is `skipped` under its kind, so that the sum always holds (design: receipt).
 */
function countLines(tree: Session, { carried, lines }: SliceData): void {
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
    else lines.skipped[kind] = (lines.skipped[kind] ?? 0) + 1
  }
  carried.clear()
}
