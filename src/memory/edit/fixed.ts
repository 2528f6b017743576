/** Items that cannot be taken out of the file that a thread goes on in. */
import type { History, HistoryItem, MemorySegment } from '../history.ts'

/** Why an item must stay, by index; the reason follows "Items 3, 7 stay: ". */
export function fixedItems(history: History): Map<number, string> {
  const fixed = new Map<number, string>()
  const anew = putAnew(history)
  for (const item of history.items) {
    const reason = reasonOf(item, history.segments) ?? (anew.has(placeOf(item)) ? 'put there anew by Codex' : undefined)
    if (reason === undefined) continue
    fixed.set(item.index, reason)
    // What is left of a pair would be no valid request.
    if (item.pair !== undefined && !fixed.has(item.pair)) fixed.set(item.pair, 'the other half of its pair must')
  }
  return fixed
}

const context: ReadonlySet<string> = new Set(['developer', 'userInstructions', 'environmentContext'])

/**
 * Where context stands that Codex puts before a summary when it makes the memory after a compaction without a history
 * of its own (rollout-format 3.6): without the record it would take another one.
 */
function putAnew({ items }: History): Set<string> {
  const summary = items.findLast(
    ({ category, sources }) => category === 'compactionSummary' && sources[0]?.replacement === undefined,
  )
  const before = summary === undefined ? [] : items.slice(0, summary.index - 1)
  return new Set(before.filter(({ category }) => context.has(category)).map(placeOf))
}

function placeOf({ sources: [source] }: HistoryItem): string {
  return `${source?.segment}:${source?.line}:${source?.replacement}`
}

function reasonOf(
  { sources, synthetic, category }: HistoryItem,
  segments: readonly MemorySegment[],
): string | undefined {
  const [source, ...more] = sources
  if (source === undefined) return synthetic ? undefined : 'in no file'
  if (more.length > 0) return 'made of several records'
  if (source.segment !== segments.length - 1) return elsewhere(segments[source.segment])
  if (source.part !== undefined) return 'on one line with another record'
  // Without the record, Codex would not know of the compaction and remember everything before it.
  if (category === 'compactionSummary' && source.replacement === undefined) return 'the only trace of a compaction'
  return undefined
}

function elsewhere(segment: MemorySegment | undefined): string {
  if (segment?.own) return `in an older file of the session, \`${segment.file}\`, into which the newest one points`
  return `in the file of another session, \`${segment?.file ?? '?'}\``
}
