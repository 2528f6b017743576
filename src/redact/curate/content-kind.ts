/**
 * Which kind of content a node is, and how it is shown. Every type of node has an entry, so a new type without one does not
 * compile.
 */

import type { ContentKind, Shown, Visibility } from '../../config/publication.ts'
import type { Image, Message, Reference, Session, TrastNode } from '../../transcript/trast.ts'

type Inner = Exclude<TrastNode, Session>

/** A kind; `undefined` for nodes that frame others or are shown with their parent. */
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
  // What was typed into a program is as private as its output.
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

/** Kind of a node. A type that a plugin invented counts as unknown. `undefined` means that it is shown whenever its parent is. */
export function contentKindOf(node: TrastNode, parent: TrastNode): ContentKind | undefined {
  if (!Object.hasOwn(table, node.type)) return 'unknown'
  // The table's key is the node's own type, so that a function in it takes the node.
  const answer = table[node.type as Inner['type']] as Answer<never>
  return typeof answer === 'function' ? answer(node as never, parent) : answer
}

/** How a node is shown. A picture that a tool returned is also an output, so the stricter of both applies. */
export function shownAs(node: TrastNode, parent: TrastNode, visibility: Visibility): Shown {
  const kind = contentKindOf(node, parent)
  const own = kind === undefined ? 'show' : visibility[kind]
  if (node.type !== 'image' || !isBody(node, parent)) return own
  return strength.indexOf(visibility.toolOutput) > strength.indexOf(own) ? visibility.toolOutput : own
}

const strength: readonly Shown[] = ['show', 'fold', 'omit']

function isBody({ origin }: Image, { type }: TrastNode): boolean {
  return origin === 'tool' || type === 'toolCall'
}

/** Kind of a text directly below another node. */
function bodyKind(parent: TrastNode): ContentKind | undefined {
  if (parent.type === 'toolCall') return 'toolOutput'
  // The text of a patch that could not be read as changes.
  if (parent.type === 'patch') return 'diffs'
  // The summary is injected for the model in place of what was said.
  return parent.type === 'notice' && parent.kind === 'compaction' ? 'injected' : undefined
}

/**
 * Commits and pull requests show what a command did, not what it printed, and an address which page was opened. Memories and
 * files were put into the context.
 */
function referenceKind({ kind, target }: Reference, parent: TrastNode): ContentKind | undefined {
  if (kind === 'commit' || kind === 'pullRequest') return undefined
  if (parent.type === 'search') return target === parent.url ? undefined : 'toolOutput'
  const isContext = kind === 'memory' || kind === 'session' || kind === 'file'
  return isContext && parent.type === 'message' ? 'injected' : bodyKind(parent)
}

function messageKind({ role, origin }: Message): ContentKind {
  if (origin === 'agent') return 'agents'
  // What Codex asks a reviewer contains commands and edits, and is listed in outlines as prompts are.
  if (role === 'user' && (origin === 'typed' || origin === 'codex')) return 'prompts'
  return role === 'assistant' && origin === 'generated' ? 'answers' : 'injected'
}
