/** Leaves out of a tree what is not to be published, and folds what is to be folded. */

import type { PluggableList, Plugin } from 'unified'
import type { ContentKind, Shown, Visibility } from '../../config/publication.ts'
import type { Selection } from '../../config/selectors.ts'
import type {
  Group,
  Image,
  Message,
  Notice,
  Reference,
  Session,
  Source,
  ToolCall,
  TrastNode,
  Turn,
} from '../../transcript/trast.ts'
import { isScriptCall, walk } from '../../transcript/view.ts'
import { append } from '../../util/groups.ts'
import { isObject, parseJson } from '../../util/json.ts'
import { countOwn } from '../../util/own.ts'
import { formatAmount } from '../../util/time.ts'
import { type CurationPlan, excludedBy } from './plan.ts'

/** What the plugin needs and tells. */
interface CurateOptions {
  plan: CurationPlan
  /** Rollout ids of the thread's segments. */
  rollouts: readonly string[]
  /** Counts what was left out by kind; inherited nodes do not count. */
  tally: Record<string, number>
  /** Takes the selections that left something out. */
  used?: Set<Selection>
  /** Takes each record behind a node that was omitted. */
  omitted: (source: Source) => void
}

/** Applies a plan to the slices of a thread, in order. A second time changes nothing. */
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
      leave(child, child.type === 'turn' ? 'turns' : 'items', options)
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

/** The node, trimmed; what stands for it; or nothing. */
function keepOne(node: TrastNode, container: TrastNode, options: CurateOptions): TrastNode[] {
  const { plan, tally } = options
  const shown = shownAs(node, container, plan.visibility)
  if (shown === 'omit') {
    const kind = kindOf(node, container) ?? 'items'
    const work = workIn(node)
    leave(node, kind, options, work)
    return work.flatMap((child) => keepOne(child, container, options))
  }
  if (shown === 'fold' && node.data?.visibility !== 'hidden') node.data = { ...node.data, visibility: 'collapsed' }
  if (trim(node, plan.visibility) && !node.data?.inherited) countOwn(tally, 'toolArguments')
  if (!hasChildren(node)) return [node]
  if (plan.withoutInherited && node.type === 'group' && node.kind === 'inherited') {
    for (const child of node.children) leave(child, 'items', options)
    node.children = []
    return [node]
  }
  const before = node.children.length
  keepChildren(node, options)
  // A group is nothing by itself.
  const isEmptied = node.type === 'group' && before > 0 && node.children.length === 0
  return isEmptied ? [] : [node]
}

function hasChildren(node: TrastNode): node is Container {
  return 'children' in node
}

/** What a tool gave back. */
const results = new Set<TrastNode['type']>(['output', 'text', 'markdown', 'image', 'reference'])

/** Items that a script of a tool did: they stand for themselves. */
function workIn(node: TrastNode): TrastNode[] {
  if (node.type !== 'toolCall') return []
  return node.children.filter((child) => !results.has(child.type))
}

/** Counts a node that is left out, and the records behind it and all below it but for those that are spared. */
function leave(
  node: TrastNode,
  kind: string,
  { tally, omitted }: CurateOptions,
  spared: readonly TrastNode[] = [],
): void {
  if (!node.data?.inherited && !node.data?.continued) countOwn(tally, kind)
  walk(node, (inner) => {
    if (spared.includes(inner)) return false
    for (const source of inner.data?.sources ?? []) omitted(source)
    return undefined
  })
}

function widen(gap: Gap | undefined, node: TrastNode): Gap {
  const isTurn = node.type === 'turn'
  if (gap !== undefined && gap.turns === isTurn) return { ...gap, count: gap.count + 1 }
  return { id: node.id, turns: isTurn, count: 1, continued: node.data?.continued === true }
}

/** One line where turns or items were; parts of items leave none. */
function markIn(container: Container, gap: Gap): TrastNode | undefined {
  if (gap.turns) return turnMark(gap)
  return container.type === 'turn' || container.type === 'preamble' ? itemMark(gap) : undefined
}

/** The turn tells its error once more. */
function forgetError(turn: Extract<TrastNode, { type: 'turn' }>, { plan }: CurateOptions): void {
  const { error, children } = turn
  if (error === undefined || plan.exclude.length === 0) return
  const isRepeated = children.some((child) => child.type === 'error' && child.message === error)
  if (!isRepeated && children.some(isMark)) delete turn.error
}

// What stands in a tree for a person's decisions: lines where turns or items were left out, and a note.

/** A run of neighbours that are left out. */
interface Gap {
  /** Anchor of the first of them. */
  id: string
  /** Turns, else items. */
  turns: boolean
  count: number
  /** The first goes on from the page before, which tells of it. */
  continued: boolean
}

/** `2 turns were left out`, under the anchor of the first. */
function turnMark({ id, count, continued }: Gap): Group {
  const rest = continued && count === 1
  return mark(id, rest ? 'The rest of a turn was left out' : wereLeftOut(count, 'turn'))
}

/** The same for items of a turn. */
function itemMark({ id, count }: Gap): Group {
  return mark(id, wereLeftOut(count, 'item'))
}

/** What the curator has to say about the session. */
function noteMark(value: string): Notice {
  const children: Notice['children'] = [{ type: 'markdown', id: 'note.1', value }]
  return { type: 'notice', id: 'note', kind: 'note', data: { sources: [] }, children }
}

/** Whether a node is such a line. */
function isMark(node: TrastNode): boolean {
  return node.type === 'group' && node.kind === 'omitted' && node.children.length === 0
}

function wereLeftOut(count: number, what: string): string {
  return `${formatAmount(count, what)} ${count === 1 ? 'was' : 'were'} left out`
}

function mark(id: string, label: string): Group {
  return { type: 'group', id, kind: 'omitted', label, data: { sources: [] }, children: [] }
}

// The plugins that curate a tree, in their places.

/** Takes away numbers and facts of the head, once all is counted. */
const trimmedHead: Plugin<[CurateOptions], Session> =
  ({ plan }: CurateOptions) =>
  (tree: Session) =>
    trimHead(tree, plan.visibility)

/** Plugins before and after statistics are counted. */
export function curation(options: CurateOptions): { before: PluggableList; after: PluggableList } {
  return { before: [[curate, options]], after: [[trimmedHead, options]] }
}

// Which kind of content a node is: every type of node has an answer, so that a new type does not compile without one.

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
function shownAs(node: TrastNode, parent: TrastNode, visibility: Visibility): Shown {
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

// Fields of nodes that stay: what belongs to a kind that is left out is taken from them.

/** Trims one node, without those below it. Gives whether arguments of a tool were left out. */
function trim(node: TrastNode, visibility: Visibility): boolean {
  if (node.type === 'turn') trimTurn(node, visibility)
  else if (node.type === 'notice' && visibility.stats === 'omit') trimNotice(node)
  // What was asked of the user.
  else if ((node.type === 'command' || node.type === 'patch') && visibility.approvals === 'omit')
    delete node.justification
  const hidesScripts = inScripts.some((kind) => visibility[kind] === 'omit')
  if (hidesScripts) delete node.data?.code
  if (node.type !== 'toolCall') return false
  if (hidesScripts && isScriptCall(node)) return trimScript(node)
  return visibility.toolArguments === 'omit' && trimCall(node)
}

/** The text of a script tells all that it does: it goes where any of that is left out. */
const inScripts = [
  'toolArguments',
  'tools',
  'commands',
  'edits',
  'diffs',
  'searches',
  'plans',
  'agents',
  'approvals',
] as const

function trimScript(call: ToolCall): boolean {
  const isLess = call.input !== ''
  call.input = ''
  return isLess
}

function trimTurn(turn: Turn, { errors, stats }: Visibility): void {
  if (errors === 'omit') delete turn.error
  if (stats !== 'omit') return
  delete turn.usage
  delete turn.contextTokens
  delete turn.contextWindow
}

function trimNotice(notice: Notice): void {
  delete notice.facts?.tokensBefore
  delete notice.facts?.tokensAfter
}

function trimCall(call: ToolCall): boolean {
  const input = keyArguments(call.input)
  const isLess = !isSameJson(input, call.input)
  call.input = input
  return isLess
}

function isSameJson(kept: string, whole: string): boolean {
  if (kept === '') return whole.trim() === ''
  return JSON.stringify(parseJson(whole)) === kept
}

/** Takes from the head of a session what belongs to the machine, and the numbers that are left out, in place. */
export function trimHead(session: Session, { internals, stats }: Visibility): void {
  if (internals === 'omit') {
    delete session.client.originator
    delete session.client.source
  }
  if (stats !== 'omit') return
  delete session.contextWindow
  session.stats = { ...session.stats, usage: {} }
}

// What the arguments of a tool tell of the call in few words.

/** Characters of a value, and number of values, that are kept. */
const max = { characters: 80, values: 12 }

/** JSON arguments with their short values of one line only; free text, which may be a whole document, is left out. */
function keyArguments(input: string): string {
  const fields = parseJson(input)
  if (!isObject(fields)) return ''
  const kept = Object.entries(fields).filter(([, value]) => isShort(value))
  return JSON.stringify(Object.fromEntries(kept.slice(0, max.values)))
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= max.characters && !/[\r\n]/.test(value)
  return typeof value === 'number' || typeof value === 'boolean'
}
