/** Which kind of content a node is, and how it is shown: every type of node has an answer, so that a new type does not compile without one. */

import type { ContentKind, Shown, Visibility } from '../../config/publication.ts'
import type { Image, Message, Reference, Session, TrastNode } from '../../transcript/trast.ts'

type Inner = Exclude<TrastNode, Session>

/** A kind; `undefined` for what frames others or goes with its parent. */
type Answer<Type extends Inner['type']> =
  | ContentKind
  | undefined
  | ((node: Extract<Inner, { type: Type }>, parent: TrastNode) => ContentKind | undefined)

const table: { readonly [Type in Inner['type']]: Answer<Type> } = {
  agent: 'agents',
  approval: 'approvals',
  command: 'commands',
  error: 'errors',
  fileChange: 'edits',
  finding: (_node, parent) => (parent.type === 'notice' ? undefined : 'notices'),
  group: undefined,
  hunk: 'diffs',
  image: 'images',
  // What was typed into a program is as private as what it printed.
  input: 'toolOutput',
  markdown: (_node, parent) => bodyKind(parent),
  message: messageKind,
  // A reviewer's answer holds the review as a notice.
  notice: (_node, parent) => (parent.type === 'message' ? undefined : 'notices'),
  output: 'toolOutput',
  patch: 'edits',
  plan: 'plans',
  planStep: 'plans',
  preamble: undefined,
  question: 'approvals',
  reasoning: 'reasoning',
  reference: referenceKind,
  search: 'searches',
  text: (_node, parent) => bodyKind(parent),
  toolCall: 'tools',
  turn: undefined,
  unknown: 'unknown',
}

/** Kind of a node; a type that a plugin made up counts as unknown. `undefined`: shown as long as its parent is. */
export function kindOf(node: TrastNode, parent: TrastNode): ContentKind | undefined {
  if (!Object.hasOwn(table, node.type)) return 'unknown'
  // The table's key is the node's own type, so that a function in it takes the node.
  const answer = table[node.type as Inner['type']] as Answer<never>
  return typeof answer === 'function' ? answer(node as never, parent) : answer
}

/** How a node is shown. A picture that a tool gave back is also an output: the stricter of both counts. */
export function shownAs(node: TrastNode, parent: TrastNode, visibility: Visibility): Shown {
  const kind = kindOf(node, parent)
  const own = kind === undefined ? 'show' : visibility[kind]
  if (node.type !== 'image' || !isBody(node, parent)) return own
  return strength.indexOf(visibility.toolOutput) > strength.indexOf(own) ? visibility.toolOutput : own
}

const strength: readonly Shown[] = ['show', 'fold', 'omit']

function isBody({ origin }: Image, { type }: TrastNode): boolean {
  return origin === 'tool' || type === 'toolCall'
}

/** What a text is that stands right below another node. */
function bodyKind(parent: TrastNode): ContentKind | undefined {
  if (parent.type === 'toolCall') return 'toolOutput'
  // The text of a patch that could not be read as changes.
  if (parent.type === 'patch') return 'diffs'
  // The summary is what the model is told in place of what was said.
  return parent.type === 'notice' && parent.kind === 'compaction' ? 'injected' : undefined
}

/** Commits and pull requests that a command made tell what was done, not what was printed; memories and files were put into the context. */
function referenceKind({ kind }: Reference, parent: TrastNode): ContentKind | undefined {
  if (kind === 'commit' || kind === 'pullRequest') return undefined
  const isContext = kind === 'memory' || kind === 'session' || kind === 'file'
  return isContext && parent.type === 'message' ? 'injected' : bodyKind(parent)
}

function messageKind({ role, origin }: Message): ContentKind {
  if (origin === 'agent') return 'agents'
  // What Codex asks a reviewer holds commands and edits, and stands in outlines as prompts do.
  if (role === 'user' && (origin === 'typed' || origin === 'codex')) return 'prompts'
  return role === 'assistant' && origin === 'generated' ? 'answers' : 'injected'
}
