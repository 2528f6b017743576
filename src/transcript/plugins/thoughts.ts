/** Merges the thoughts of both logs: an item has all parts, each event has one (rollout-format 5.3). */

import type { ReasoningFact } from '../../rollout/parse/facts.ts'
import { append } from '../../util/groups.ts'
import { type Draft, type FragmentOf, hasFact, isFragment, mergeSources } from '../fragment.ts'
import { withoutBlanks } from '../texts.ts'

/** A thought on its way into the tree. */
type Thought = FragmentOf<ReasoningFact>

interface WaitingPart {
  text: string
  thought: Thought
}

/** Parts of a turn's thoughts whose twins have not come. */
interface ThoughtState {
  item: WaitingPart[]
  event: WaitingPart[]
  byId: Map<string, Thought>
  /** The last event was a second copy. */
  isCopied?: boolean
}

/** A state in which no thought waits for a twin. */
export function thoughtState(): ThoughtState {
  return { item: [], event: [], byId: new Map() }
}

/** Folds a thought into the one that it repeats, or adds it to `out`. */
export function takeReasoning(node: Thought, state: ThoughtState, out: (Draft | undefined)[]): void {
  const { id, log } = node.fact
  const known = id === undefined ? undefined : state.byId.get(id)
  if (known !== undefined) {
    replace(known, node, state)
    return
  }
  const twin = matchParts(node, state[log === 'item' ? 'event' : 'item'])
  const target = twin ?? runBefore(node, out)
  if (target === undefined) out.push(node)
  else mergeSources(target, node)
  if (target !== undefined && twin === undefined) extend(target, node)
  const kept = target ?? node
  if (twin === undefined) for (const text of parts(node.fact)) state[log].push({ text, thought: kept })
  if (id !== undefined) state.byId.set(id, kept)
}

/** Merges a thought that is the second copy of the event directly before it; `false` if it is not. */
export function tryMergeCopy(node: Thought, state: ThoughtState, out: readonly (Draft | undefined)[]): boolean {
  const before = runBefore(node, out)
  const isCopy = before !== undefined && state.isCopied !== true && isSame(parts(before.fact).at(-1), parts(node.fact))
  state.isCopied = isCopy
  if (isCopy) mergeSources(before, node)
  return isCopy
}

function isSame(text: string | undefined, others: readonly string[]): boolean {
  return text !== undefined && others.length === 1 && others[0] === text
}

/** Merges a thought with a known id: the twin of the other log, or a later, longer version (2.4). The longer one stays. */
function replace(known: Thought, node: Thought, state: ThoughtState): void {
  mergeSources(known, node)
  const other = node.fact.log === 'item' ? 'event' : 'item'
  if (parts(node.fact).length >= parts(known.fact).length) {
    known.fact = { ...known.fact, summary: node.fact.summary, raw: node.fact.raw }
  }
  const texts = parts(node.fact)
  state[other] = state[other].filter(({ thought, text }) => thought !== known || !texts.includes(text))
}

/**
 * Removes the parts of `node` from the other log's queue; parts that only `node` has are added to the thought that was
 * found.
 */
function matchParts(node: Thought, queue: WaitingPart[]): Thought | undefined {
  let found: Thought | undefined
  const missing: string[] = []
  for (const text of parts(node.fact)) {
    const waiting = dequeue(text, queue)
    if (waiting === undefined) missing.push(text)
    else found ??= waiting.thought
  }
  if (found !== undefined && missing.length > 0) {
    const target = node.fact.summary.length > 0 ? found.fact.summary : found.fact.raw
    append(
      target,
      missing.filter((text) => !target.includes(text)),
    )
  }
  return found
}

/** Removes a part from a queue: the same text, the parts that it joins, or the beginning of one that joins it with others. */
function dequeue(text: string, queue: WaitingPart[]): WaitingPart | undefined {
  const same = queue.findIndex((waiting) => waiting.text === text)
  if (same >= 0) return queue.splice(same, 1)[0]
  if (text === '') return undefined
  const joined = withoutBlanks(text)
  for (const start of queue.keys()) {
    let sum = ''
    for (let end = start; end < queue.length && sum.length < joined.length; end++) {
      sum += withoutBlanks(queue[end]?.text ?? '')
      if (!joined.startsWith(sum)) break
      if (sum === joined) return queue.splice(start, end - start + 1)[0]
    }
  }
  const longer = queue.find((waiting) => waiting.text.startsWith(`${text}\n\n`))
  if (longer !== undefined) longer.text = longer.text.slice(text.length).trim()
  return longer
}

/** The event thought directly before this one: a run of events is one thought (section 12, row 11). */
function runBefore(node: Thought, out: readonly (Draft | undefined)[]): Thought | undefined {
  const last = out.at(-1)
  if (node.fact.log !== 'event' || node.fact.id !== undefined || last === undefined || !isFragment(last))
    return undefined
  return hasFact(last, 'reasoning') && last.fact.log === 'event' && last.fact.id === undefined ? last : undefined
}

function extend(target: Thought, node: Thought): void {
  target.fact = {
    ...target.fact,
    summary: [...target.fact.summary, ...node.fact.summary],
    raw: [...target.fact.raw, ...node.fact.raw],
  }
}

function parts(fact: ReasoningFact): string[] {
  return [...fact.summary, ...fact.raw].map((text) => text.trim())
}
