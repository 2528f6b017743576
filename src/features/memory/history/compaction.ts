/** What a compaction leaves of the memory (rollout-format 3.6, 6.4). */

import { asArray, asObject, asString } from '../../../rollout/parse/decode.ts'
import { classifyPart } from '../../../rollout/parse/prompt.ts'
import { withoutEqual } from '../../../util/groups.ts'
import { contentOf } from './content.ts'
import { type Describe, type Entry, entryOf, isContext, type SourceRef, saidIn } from './entry.ts'
import { pictureTokens, tokenBytes } from './estimate.ts'
import type { ResponseItem } from './history.ts'
import { cutMiddle, isSent } from './items.ts'

/** Tokens of user messages that builds without `replacement_history` carry over, newest first. */
const carriedTokens = 20_000

/** The memory as the record itself tells it. */
export function replaced(
  items: readonly ResponseItem[],
  { before, summary }: { before: readonly Entry[]; summary: string },
  place: SourceRef,
  describe: Describe,
): Entry[] {
  const origins = new Map(before.map((entry) => [keyOf(entry), entry.turn]))
  return items.flatMap((item, replacement) => {
    if (!isSent(item)) return []
    const entry = entryOf(item, { ...place, source: { ...place.source, replacement } }, describe)
    if (isSummary(item, summary)) asSummary(entry)
    // What was carried over is as old as it was.
    const turn = origins.get(keyOf(entry))
    if (turn !== undefined) entry.turn = turn
    return [entry]
  })
}

/**
 * The memory that follows from the summary alone: the context as it stands, what the user said, the summary. Older
 * summaries that say what they are were left out by the builds that wrote them so.
 */
export function rebuilt(before: readonly Entry[], summary: string, place: SourceRef, describe: Describe): Entry[] {
  const context = lastContext(before).map((entry): Entry => ({ ...entry, rebuilt: true }))
  const said = newest(before.filter(isCarried))
  const text = summary === '' ? '(no summary available)' : summary
  const last = entryOf(userMessage(text), place, describe)
  asSummary(last)
  return [...context, ...said, last]
}

/** Codex takes it for words of the user. */
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

/** The texts of the newest messages, as far as there is room; the oldest of them is cut in the middle. */
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

/** A message as it is said again: its words, and none of its pictures. One that was carried over before is that already. */
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
 * The last whole block of neighbouring context, with the newest environment. An environment alone that was written
 * since tells only that the folder changed.
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

/** Whether two environments tell of the same things. */
function isLike(one: Entry, other: Entry): boolean {
  const [a, b] = [one, other].map(({ text }) => [...text.matchAll(/<\w+/g)].join(' '))
  return a === b
}

/** The items that are no longer there, in their order. */
export function droppedBy(before: readonly Entry[], after: readonly Entry[]): Entry[] {
  const [old, fresh] = [new Set(before), new Set(after)]
  // What was carried over before is the same object: its key need not be made.
  const gone = before.filter((entry) => !fresh.has(entry))
  const added = after.filter((entry) => !old.has(entry))
  return withoutEqual(gone, added, keyOf)
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
