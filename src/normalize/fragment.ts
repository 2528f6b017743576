/**
 * Fragments: facts on their way into the tree.
 *
 * A raw slice is a session root whose children are fragments in file order. Structure
 * plugins merge and group them; `classify` turns each into nodes, so that none is left.
 */
import type { CallFact, Fact, OutputFact, PictureFact, ResultFact } from '../model/facts.ts'
import type { Data, Node, Session, Source, TopContent } from '../model/trast.ts'

/** Everything that is known about one call. */
export interface CallGroup {
  kind: 'callGroup'
  call?: CallFact
  outputs: OutputFact[]
  results: ResultFact[]
  /** What a code-mode script did meanwhile. */
  nested: Fragment[]
  /** Pictures that a following message brought. */
  pictures: PictureFact[]
}

/** A fact on its way into the tree. */
export interface Fragment extends Node {
  type: 'fragment'
  data: Data & { sources: Source[] }
  fact: Fact | CallGroup
  /** Index of the slice's entry: tells order after merges. */
  order: number
  /** Index into the thread's segments. */
  segment: number
}

/** A node of a slice before `classify` has run. */
export type Draft = TopContent | Fragment

/** Whether a child of a slice is still a fragment. */
export function isFragment(node: { type: string }): node is Fragment {
  return node.type === 'fragment'
}

/** Whether a fragment holds a fact of a kind. */
export function holds<K extends Fragment['fact']['kind']>(
  fragment: Fragment,
  kind: K,
): fragment is Fragment & { fact: Extract<Fragment['fact'], { kind: K }> } {
  return fragment.fact.kind === kind
}

/** The children of a slice as the structure plugins see them. */
export function drafts(session: Session): Draft[] {
  // Between assembly and `classify` a session holds fragments; the public type tells of the end.
  return session.children as unknown as Draft[]
}

/** Puts drafts back as the children of a slice. */
export function setDrafts(session: Session, children: Draft[]): void {
  session.children = children as unknown as TopContent[]
}

/** Merges the records of `from` into `into`, whose place and id stay. */
export function mergeSources(into: { data?: Data }, from: { data?: Data }): void {
  const sources = [...(into.data?.sources ?? []), ...(from.data?.sources ?? [])]
  into.data = { ...into.data, sources }
}
