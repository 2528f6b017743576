/** Removes from a tree what is not to be published, and folds what is to be folded. */

import type { PluggableList, Plugin } from 'unified'
import type { ContentKind, Shown, Visibility } from '../../config/publication.ts'
import type { Selection } from '../../config/selectors.ts'
import type { Group, Image, Message, Notice, Reference, Session, Source, TrastNode } from '../../transcript/trast.ts'
import { walk } from '../../transcript/view.ts'
import { append } from '../../util/groups.ts'
import { countOwn } from '../../util/own.ts'
import { formatAmount } from '../../util/time.ts'
import { type CurationPlan, excludedBy } from './plan.ts'
import { trim, trimHead } from './trim.ts'

/** What the plugin needs and reports. */
interface CurateOptions {
  plan: CurationPlan
  /** Rollout ids of the thread's segments. */
  rollouts: readonly string[]
  /** Counts what was omitted by kind; inherited nodes do not count. */
  tally: Record<string, number>
  /** Collects the selections that omitted something. */
  used?: Set<Selection>
  /** Receives each record of a node that was omitted. */
  omitted: (source: Source) => void
}

/** Applies a plan to the slices of a thread, in order. Applying it again changes nothing. */
export const curate: Plugin<[CurateOptions], Session> = (options: CurateOptions) => {
  let note = options.plan.note
  return (tree: Session) => {
    keepChildren(tree, options)
    if (note !== undefined) tree.children.unshift(noteMark(note))
    note = undefined
  }
}

/** A node with children, whatever they may be. */
type Container = TrastNode & { children: TrastNode[] }

function keepChildren(container: Container, options: CurateOptions): void {
  const kept: TrastNode[] = []
  let gap: Gap | undefined
  const close = (): void => {
    const mark = gap === undefined ? undefined : markIn(container, gap)
    if (mark !== undefined) kept.push(mark)
    gap = undefined
  }
  for (const child of container.children) {
    const by = excludedBy(child, options.plan.exclude, options.rollouts)
    if (by.length > 0) {
      for (const selection of by) options.used?.add(selection)
      gap = widen(gap, child)
      omit(child, child.type === 'turn' ? 'turns' : 'items', options)
    } else {
      const rest = keepOne(child, container, options)
      if (rest.length > 0) close()
      append(kept, rest)
    }
  }
  close()
  container.children = kept
  if (container.type === 'turn') forgetError(container, options)
}

/** Returns the node, trimmed; what replaces it; or nothing. */
function keepOne(node: TrastNode, container: TrastNode, options: CurateOptions): TrastNode[] {
  const { plan, tally } = options
  const shown = shownAs(node, container, plan.visibility)
  if (shown === 'omit') {
    const kind = contentKindOf(node, container) ?? 'items'
    const work = workIn(node)
    omit(node, kind, options, work)
    return work.flatMap((child) => keepOne(child, container, options))
  }
  if (shown === 'fold' && node.data?.visibility !== 'hidden') node.data = { ...node.data, visibility: 'collapsed' }
  if (trim(node, plan.visibility) && !node.data?.inherited) countOwn(tally, 'toolArguments')
  if (!hasChildren(node)) return [node]
  if (plan.withoutInherited && node.type === 'group' && node.kind === 'inherited') {
    for (const child of node.children) omit(child, 'items', options)
    node.children = []
    return [node]
  }
  const before = node.children.length
  keepChildren(node, options)
  // A group without children means nothing.
  const isEmptied = node.type === 'group' && before > 0 && node.children.length === 0
  return isEmptied ? [] : [node]
}

function hasChildren(node: TrastNode): node is Container {
  return 'children' in node
}

/** What a tool returned. */
const results = new Set<TrastNode['type']>(['output', 'text', 'markdown', 'image', 'reference'])

/** Items that a tool's script produced; they are kept or omitted by their own kinds. */
function workIn(node: TrastNode): TrastNode[] {
  if (node.type !== 'toolCall') return []
  return node.children.filter((child) => !results.has(child.type))
}

/** Counts a node that is omitted, and reports its records and those of all nodes below it, except for spared ones. */
function omit(
  node: TrastNode,
  kind: string,
  { tally, omitted }: CurateOptions,
  exceptions: readonly TrastNode[] = [],
): void {
  if (!node.data?.inherited && !node.data?.continued) countOwn(tally, kind)
  walk(node, (inner) => {
    if (exceptions.includes(inner)) return false
    for (const source of inner.data?.sources ?? []) omitted(source)
    return undefined
  })
}

function widen(gap: Gap | undefined, node: TrastNode): Gap {
  const isTurn = node.type === 'turn'
  if (gap !== undefined && gap.turns === isTurn) return { ...gap, count: gap.count + 1 }
  return { id: node.id, turns: isTurn, count: 1, continued: node.data?.continued === true }
}

/** One line in place of omitted turns or items; omitted parts of items leave none. */
function markIn(container: Container, gap: Gap): TrastNode | undefined {
  if (gap.turns) return turnMark(gap)
  return container.type === 'turn' || container.type === 'preamble' ? itemMark(gap) : undefined
}

/**
 * Removes the copy of an error that a turn holds, if the error itself may have been omitted. If the turn continues on another page,
 * that is where the error is.
 */
function forgetError(turn: Extract<TrastNode, { type: 'turn' }>, { plan }: CurateOptions): void {
  const { error, children, data } = turn
  if (error === undefined || plan.exclude.length === 0) return
  const isRepeated = children.some((child) => child.type === 'error' && child.message === error)
  if (!isRepeated && (data?.continues === true || children.some(isMark))) delete turn.error
}

// What a person's decisions add to a tree: lines in place of omitted turns or items, and a note.

/** A run of neighbours that are omitted. */
interface Gap {
  /** Anchor of the first of them. */
  id: string
  /** Turns if true, else items. */
  turns: boolean
  count: number
  /** The first continues from the previous page, which has a line for it. */
  continued: boolean
}

/** `2 turns were left out`, under the anchor of the first. */
function turnMark({ id, count, continued }: Gap): Group {
  const rest = continued && count === 1
  return mark(id, rest ? 'The rest of a turn was left out' : omittedLabel(count, 'turn'))
}

/** The same for items of a turn. */
function itemMark({ id, count }: Gap): Group {
  return mark(id, omittedLabel(count, 'item'))
}

/** The curator's note about the session. */
function noteMark(value: string): Notice {
  const children: Notice['children'] = [{ type: 'markdown', id: 'note.1', value }]
  return { type: 'notice', id: 'note', kind: 'note', data: { sources: [] }, children }
}

/** Whether a node is such a line. */
function isMark(node: TrastNode): boolean {
  return node.type === 'group' && node.kind === 'omitted' && node.children.length === 0
}

function omittedLabel(count: number, what: string): string {
  return `${formatAmount(count, what)} ${count === 1 ? 'was' : 'were'} left out`
}

function mark(id: string, label: string): Group {
  return { type: 'group', id, kind: 'omitted', label, data: { sources: [] }, children: [] }
}

// The plugins that curate a tree.

/** Removes numbers and facts from the head, after everything was counted. */
const trimmedHead: Plugin<[CurateOptions], Session> =
  ({ plan }: CurateOptions) =>
  (tree: Session) =>
    trimHead(tree, plan.visibility)

/** Plugins before and after statistics are counted. */
export function curation(options: CurateOptions): { before: PluggableList; after: PluggableList } {
  return { before: [[curate, options]], after: [[trimmedHead, options]] }
}

// Which kind of content a node is, and how it is shown. Every type of node has an entry, so a new type without one does not
// compile.

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
function shownAs(node: TrastNode, parent: TrastNode, visibility: Visibility): Shown {
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
