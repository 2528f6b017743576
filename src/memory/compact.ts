/** What a compaction leaves of the memory (rollout-format 3.6, 6.4). */

import type { CategoryTotals } from '../model/memory.ts'
import { asArray, asObject, asString } from '../parse/decode.ts'
import { contentOf } from './content.ts'
import { cutMiddle } from './cut-output.ts'
import { type Describe, type Entry, entryOf, isContext, type Place } from './entry.ts'
import { pictureTokens, tokenBytes } from './estimate.ts'
import type { ResponseItem } from './history.ts'
import { isSent } from './items.ts'
import { totalsOf } from './totals.ts'

/** Tokens of user messages that builds without `replacement_history` carry over, newest first. */
const carriedTokens = 20_000

/** The memory as the record itself tells it. */
export function replaced(
  items: readonly ResponseItem[],
  { before, summary }: { before: readonly Entry[]; summary: string },
  place: Place,
  describe: Describe,
): Entry[] {
  const origins = new Map(before.map((entry) => [keyOf(entry), entry.turn]))
  return items.flatMap((item, replacement) => {
    if (!isSent(item)) return []
    const entry = entryOf(item, { ...place, source: { ...place.source, replacement } }, describe)
    if (isSummary(item, summary)) entry.category = 'compactionSummary'
    // What was carried over is as old as it was.
    const turn = origins.get(keyOf(entry))
    if (turn !== undefined) entry.turn = turn
    delete entry.opens
    return [entry]
  })
}

/**
 * The memory that follows from the summary alone: the context as it stands, what the user said, the summary. Older
 * summaries that say what they are were left out by the builds that wrote them so.
 */
export function rebuilt(before: readonly Entry[], summary: string, place: Place, describe: Describe): Entry[] {
  const context = lastContext(before).map((entry): Entry => ({ ...entry, rebuilt: true }))
  const said = newest(before.filter((entry) => isCarried(entry, describe)))
  const text = summary === '' ? '(no summary available)' : summary
  const last: Entry = { ...entryOf(userMessage(text), place, describe), category: 'compactionSummary' }
  delete last.opens
  return [...context, ...said, last]
}

function userMessage(text: string): ResponseItem {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
}

function isCarried({ category, text }: Entry, { classify }: Describe): boolean {
  if (category === 'userMessage') return true
  return category === 'compactionSummary' && classify(text, undefined).class === 'typed'
}

/** The texts of the newest messages, as far as there is room; the oldest of them is cut in the middle. */
function newest(entries: readonly Entry[]): Entry[] {
  let room = carriedTokens
  const kept: Entry[] = []
  for (const entry of entries.toReversed()) {
    if (room <= 0) break
    const carried = carriedOver(entry, room)
    room -= carried.tokens
    kept.push(carried)
  }
  return kept.reverse()
}

/** A message as it is said again: its words, and none of its pictures. */
function carriedOver({ opens: _opens, pictures, ...entry }: Entry, room: number): Entry {
  const tokens = Math.min(room, entry.tokens - pictures * pictureTokens)
  const carried = { ...entry, pictures: 0, tokens }
  if (entry.item === undefined) return carried
  const text = contentOf(entry.item).texts.join('\n')
  const words = tokens < entry.tokens - pictures * pictureTokens ? cutMiddle(text, room * tokenBytes, 'tokens') : text
  return { ...carried, item: userMessage(words) }
}

/** The last whole block of context: from its first to its last neighbouring item. */
export function lastContext(entries: readonly Entry[]): Entry[] {
  const last = entries.findLastIndex(({ category }) => category === 'environmentContext')
  if (last < 0) return entries.filter(isContext)
  let [start, end] = [last, last + 1]
  for (let entry = entries[start - 1]; entry !== undefined && isContext(entry); entry = entries[start - 1]) start--
  for (let entry = entries[end]; entry !== undefined && isContext(entry); entry = entries[end]) end++
  return entries.slice(start, end)
}

/** Numbers of the items that are no longer there. */
export function droppedBy(before: readonly Entry[], after: readonly Entry[]): CategoryTotals {
  const left = new Map<string, number>()
  for (const entry of after) left.set(keyOf(entry), (left.get(keyOf(entry)) ?? 0) + 1)
  const dropped = before.filter((entry) => {
    const kept = left.get(keyOf(entry)) ?? 0
    left.set(keyOf(entry), kept - 1)
    return kept <= 0
  })
  return totalsOf(dropped)
}

/** Equal for items that nobody would tell apart. */
function keyOf({ category, text, tokens }: Entry): string {
  return `${category} ${tokens} ${text}`
}

/** The text of a compaction comes back as a message of the user (rollout-format 5.4). */
function isSummary(item: ResponseItem, summary: string): boolean {
  if (summary === '' || item['role'] !== 'user') return false
  return asArray(item['content']).some((part) => asString(asObject(part)?.['text']) === summary)
}
