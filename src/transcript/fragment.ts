/**
 * Fragments: facts on their way into the tree. A raw slice is a session root whose children are fragments in file order.
 * Structure plugins merge and group them; `classify` turns all of them into nodes.
 */

import type { VFile } from 'vfile'
import type { CallFact, Entry, Fact, MessageFact, OutputFact, PictureFact, ResultFact } from '../rollout/parse/facts.ts'
import { countOwn } from '../util/own.ts'
import { diagnosticMessage, lineKey, type SliceData, sliceOf } from './slice.ts'
import type { Data, Node, Session, Source, TopContent } from './trast.ts'
import { itemAnchor } from './urls.ts'

/** Everything that is known about one call. */
export interface CallGroup {
  kind: 'callGroup'
  call?: CallFact
  outputs: OutputFact[]
  results: ResultFact[]
  /** Records of what a code-mode script did. */
  nested: Fragment[]
  /** Pictures from a following message. */
  pictures: PictureFact[]
  /** The message that the call sent to the user. */
  said?: MessageFact
  /** When its first output was written. */
  answeredAt?: string
}

/** A fact on its way into the tree. */
export interface Fragment extends Node {
  type: 'fragment'
  data: Data & { sources: Source[] }
  fact: Fact | CallGroup
  /** Position in the slice, which keeps the order after merges. */
  order: number
  /** Index into the thread's segments. */
  segment: number
}

/** A fragment with a fact of this type. */
export type FragmentOf<F extends Fragment['fact']> = Fragment & { fact: F }

/** The fragment of a call. */
export type CallFragment = FragmentOf<CallGroup>

/** A node of a slice before `classify` has run. */
export type Draft = TopContent | Fragment

/** Whether a child of a slice is still a fragment. */
export function isFragment(node: { type: string }): node is Fragment {
  return node.type === 'fragment'
}

/** Whether a fragment contains a fact of this kind. */
export function hasFact<K extends Fragment['fact']['kind']>(
  fragment: Fragment,
  kind: K,
): fragment is FragmentOf<Extract<Fragment['fact'], { kind: K }>> {
  return fragment.fact.kind === kind
}

/** The children of a slice as the structure plugins see them. */
export function drafts(session: Session): Draft[] {
  // Between assembly and `classify` a session contains fragments; its public type describes the final tree.
  return session.children as unknown as Draft[]
}

/** Puts drafts back as the children of a slice. */
export function setDrafts(session: Session, children: Draft[]): void {
  session.children = children as unknown as TopContent[]
}

/** Adds the sources of `from` to `into`, whose position and id stay. */
export function mergeSources(into: { data?: Data }, from: { data?: Data }): void {
  const added = from.data?.sources ?? []
  const existing = into.data?.sources
  if (existing !== undefined && added.length === 0) return
  into.data = { ...into.data, sources: existing === undefined ? [...added] : [...existing, ...added] }
}

// From the entries of one slice to its raw tree: a session root with fragments in file order.

/** Adds the entries as fragments to `session`, counts their lines and reports their faults on `file`. */
export function assemble(entries: Iterable<Entry>, session: Session, file: VFile): Session {
  const slice = sliceOf(file)
  const fragments: Fragment[] = []
  for (const entry of entries) {
    countLine(entry, slice)
    for (const fault of entry.faults)
      diagnosticMessage(file, fault, entry.source, fault === 'unknown-record' ? entry.kind : undefined)
    for (const [index, fact] of entry.facts.entries()) {
      fragments.push(fragment(entry, fact, index, { slice, order: fragments.length }))
    }
  }
  setDrafts(session, fragments)
  return session
}

/** Faults that mean that part of a line was not read. */
const losing: ReadonlySet<string> = new Set(['damaged-line', 'torn-last-line', 'deep-json'])

function countLine(entry: Entry, { lines, carried }: SliceData): void {
  // Records that ran together are on one physical line, which counts once.
  if (entry.source.part !== undefined && entry.source.part > 0) return
  lines.total++
  // This includes lines of which some records were read.
  if (entry.count === 'damaged' || entry.faults.some((fault) => losing.has(fault))) lines.damaged++
  else if (entry.faults.includes('unknown-record')) countOwn(lines.unknown, entry.kind)
  else if (entry.count === 'skipped') countOwn(lines.skipped, entry.kind)
  else carried.set(lineKey(entry.source), entry.kind)
}

function fragment(
  entry: Entry,
  fact: Fragment['fact'],
  index: number,
  { slice, order }: { slice: SliceData; order: number },
): Fragment {
  const { source } = entry
  const anchor = itemAnchor(source.line, source.file === undefined ? undefined : slice.rollouts[source.file])
  // `l5.1` is another node of line 5's record; another record on the line is `l5-2`.
  const record = source.part === undefined || source.part === 0 ? anchor : `${anchor}-${source.part + 1}`
  const made: Fragment = {
    type: 'fragment',
    id: index === 0 ? record : `${record}.${index}`,
    position: { start: { line: source.line, column: 1 }, end: { line: source.line + 1, column: 1 } },
    data: { sources: entry.count === 'carried' ? [source] : [] },
    fact,
    order,
    segment: source.file ?? 0,
  }
  if (entry.at !== undefined) made.at = entry.at
  return made
}
