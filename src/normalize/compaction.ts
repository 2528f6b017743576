/** One marker per compaction, merged from all records that tell of it (rollout-format 6.4). */
import type { CompactionFact, MessageFact } from '../model/facts.ts'
import { type Fragment, holds, isFragment, mergeSources } from './fragment.ts'
import { type Builder, type Item, type Room, roomFor } from './room.ts'
import { typedText } from './texts.ts'

type Marker = Fragment & { fact: CompactionFact }

/** Takes a `compacted` line, its event or its item. */
export function takeCompaction(node: Marker, builder: Builder): void {
  const room = roomFor(node, builder)
  const open = openMarker(room)
  if (open !== undefined && !tells(open, node)) {
    mergeSources(open, node)
    if (node.fact.summary !== undefined) open.fact = { ...open.fact, summary: node.fact.summary }
  } else {
    takeSummary(node, room)
    room.children.push(node)
  }
  if (room.type === 'turn' && !room.children.some(isPrompt)) room.kind = 'compaction'
}

/** The newest marker of the turn, where only summaries and settings stand behind it. */
function openMarker(room: Room): Marker | undefined {
  // Re-established settings may stand between the records of one compaction (6.4).
  const last = room.children.findLast((child) => child.type !== 'notice')
  return last !== undefined && isFragment(last) && holds(last, 'compaction') ? last : undefined
}

/** Whether a marker already holds a record of this kind: then the next one is another compaction. */
function tells(marker: Marker, node: Marker): boolean {
  const kind = node.data.sources[0]?.kind
  return marker.data.sources.some((source) => source.kind === kind)
}

/** The assistant message before the line that is the summary itself becomes part of the marker. */
function takeSummary(node: Marker, room: Room): void {
  const { summary } = node.fact
  const index = room.children.findLastIndex(
    (child) => isFragment(child) && holds(child, 'message') && child.fact.role === 'assistant',
  )
  const message = room.children[index]
  if (message === undefined || !isFragment(message) || !holds(message, 'message')) return
  const text = typedText(message.fact).trim()
  const same = summary !== undefined && text !== '' && summary.trim().endsWith(text)
  if (!message.fact.compaction && !same) return
  room.children.splice(index, 1)
  mergeSources(node, message)
  if (summary === undefined) node.fact = { ...node.fact, summary: text }
}

/** Whether a message only tells that a compaction is over; then it is folded into the marker. */
export function takesCompactionMessage(node: Fragment & { fact: MessageFact }, builder: Builder): boolean {
  if (node.fact.role !== 'assistant' || typedText(node.fact).trim() !== 'Compact task completed') return false
  const marker = builder.room === undefined ? undefined : openMarker(builder.room)
  if (marker === undefined) return false
  mergeSources(marker, node)
  return true
}

function isPrompt(node: Item): boolean {
  return isFragment(node) && holds(node, 'message') && node.fact.role === 'user'
}
