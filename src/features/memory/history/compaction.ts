/** What a compaction leaves of the memory (rollout-format 3.6, 6.4). */

import { asArray, asObject, asString } from '../../../rollout/parse/decode.ts'
import { classifyPart } from '../../../rollout/parse/prompt.ts'
import { withoutEqual } from '../../../util/groups.ts'
import { contentOf } from './content.ts'
import { type Describe, type Entry, entryOf, isContext, type SourceRef, saidIn } from './entry.ts'
import { pictureTokens, tokenBytes } from './estimate.ts'
import type { ResponseItem } from './history.ts'
import { cutMiddle, isSent } from './items.ts'

/** Tokens of user messages that builds without `replacement_history` carry over, newest messages first. */
const carriedTokens = 20_000

/** The memory after a compaction whose record contains it. */
export function replaced(
  items: readonly ResponseItem[],
  { before, summary }: { before: readonly Entry[]; summary: string },
  sourceRef: SourceRef,
  describe: Describe,
): Entry[] {
  const origins = new Map(before.map((entry) => [keyOf(entry), entry.turn]))
  return items.flatMap((item, replacement) => {
    if (!isSent(item)) return []
    const entry = entryOf(item, { ...sourceRef, source: { ...sourceRef.source, replacement } }, describe)
    if (isSummary(item, summary)) asSummary(entry)
    // Items that were carried over keep their turn.
    const turn = origins.get(keyOf(entry))
    if (turn !== undefined) entry.turn = turn
    return [entry]
  })
}

/**
 * The memory after a compaction with only a summary: the context, what the user said, the summary. Builds whose summaries
 * are recognisable as such leave out older summaries.
 */
export function rebuilt(before: readonly Entry[], summary: string, sourceRef: SourceRef, describe: Describe): Entry[] {
  const context = lastContext(before).map((entry): Entry => ({ ...entry, rebuilt: true }))
  const said = newest(before.filter(isCarried))
  const text = summary === '' ? '(no summary available)' : summary
  const last = entryOf(userMessage(text), sourceRef, describe)
  asSummary(last)
  return [...context, ...said, last]
}

/** Marks an entry as a summary. Codex treats it as a message of the user. */
function asSummary(entry: Entry): void {
  entry.category = 'compactionSummary'
  entry.opens = true
  delete entry.leads
}

function userMessage(text: string): ResponseItem {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
}

function isCarried({ category, text, opens, carried }: Entry): boolean {
  if (carried) return true
  if (category !== 'compactionSummary') return opens === true
  return classifyPart(text, undefined).class === 'typed'
}

/** The texts of the newest messages that fit; the oldest of them is cut in the middle. */
function newest(entries: readonly Entry[]): Entry[] {
  let capacity = carriedTokens
  const kept: Entry[] = []
  for (const entry of entries.toReversed()) {
    if (capacity <= 0) break
    kept.push(carriedOver(entry, capacity))
    capacity -= Math.ceil((entry.bytes ?? 0) / tokenBytes)
  }
  return kept.reverse()
}

/** A message as it is carried over: its words without its pictures. One that was carried over before is like that already. */
function carriedOver(entry: Entry, capacity: number): Entry {
  const { pictures, bytes = 0, recorded: _recorded, ...rest } = entry
  const isCut = bytes > capacity * tokenBytes
  if (entry.carried && !isCut) return entry
  const tokens = isCut ? capacity : rest.tokens - pictures * pictureTokens
  const again: Entry = { ...rest, carried: true, bytes, pictures: 0, tokens }
  if (rest.item === undefined) return again
  const words = saidIn(contentOf(rest.item))
  return { ...again, item: userMessage(isCut ? cutMiddle(words, capacity * tokenBytes, 'tokens') : words) }
}

/**
 * The last complete block of consecutive context, with the newest environment. A later environment on its own only shows
 * that the folder changed.
 */
export function lastContext(entries: readonly Entry[]): Entry[] {
  const blocks: Entry[][] = [[]]
  for (const entry of entries) {
    if (isContext(entry)) blocks.at(-1)?.push(entry)
    else if (blocks.at(-1)?.length !== 0) blocks.push([])
  }
  const hasEnvironment = blocks.filter((block) => block.some(isEnvironment))
  if (hasEnvironment.length === 0) return blocks.flat()
  const size = hasEnvironment.some((block) => block.length > 1) ? 2 : 1
  const whole = hasEnvironment.findLast((block) => block.length >= size) ?? []
  const newest = entries.findLast(isEnvironment)
  return whole.map((entry) => (newest && isEnvironment(entry) && isLike(entry, newest) ? newest : entry))
}

function isEnvironment({ category }: Entry): boolean {
  return category === 'environmentContext'
}

/** Whether two environments consist of the same tags. */
function isLike(one: Entry, other: Entry): boolean {
  const [a, b] = [one, other].map(({ text }) => [...text.matchAll(/<\w+/g)].join(' '))
  return a === b
}

/** The items that a compaction removed, in their order. */
export function droppedBy(before: readonly Entry[], after: readonly Entry[]): Entry[] {
  const [old, fresh] = [new Set(before), new Set(after)]
  // Entries that were carried over unchanged are the same objects, so their keys need not be made.
  const removed = before.filter((entry) => !fresh.has(entry))
  const added = after.filter((entry) => !old.has(entry))
  return withoutEqual(removed, added, keyOf)
}

/** A key that is equal for items that look the same. */
function keyOf({ category, text, tokens }: Entry): string {
  return `${category} ${tokens} ${text}`
}

/** Whether an item is the summary: a compaction's text is repeated as a message of the user (rollout-format 5.4). */
function isSummary(item: ResponseItem, summary: string): boolean {
  if (summary === '' || item['role'] !== 'user') return false
  return asArray(item['content']).some((part) => asString(asObject(part)?.['text']) === summary)
}
