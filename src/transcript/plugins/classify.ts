/** Turns all fragments of a slice into nodes of the tree. */

import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import type {
  CompactionFact,
  ErrorFact,
  NoticeFact,
  PlanTextFact,
  ReasoningFact,
  ReviewFact,
  RollbackFact,
  TurnEndFact,
  UnknownFact,
} from '../../rollout/parse/facts.ts'
import { endingOf } from '../../rollout/shell/exit-codes.ts'
import { append } from '../../util/groups.ts'
import { defined, ownValue } from '../../util/own.ts'
import { drafts, type Fragment, type FragmentOf, hasFact, isFragment, mergeSources } from '../fragment.ts'
import { callNodes } from '../nodes/call.ts'
import { base, idMaker, type NodeContext, prose } from '../nodes/context.ts'
import { agentMessageNode, hookNode, messageNodes } from '../nodes/message.ts'
import { reviewNotice } from '../review.ts'
import { type SliceData, sliceOf } from '../slice.ts'
import type { Command, ErrorNode, FlowContent, Notice, Plan, Session, TrastNode, Unknown } from '../trast.ts'
import { walk } from '../view.ts'

/** Classifies every fragment of a slice. */
export const classify: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const slice = sliceOf(file)
  const context: NodeContext = { slice, turn: undefined, processes: new Map(), nodes }
  for (const child of drafts(tree)) {
    if (!isFragment(child) && 'children' in child) classifyChildren(child as Container, context)
  }
  for (const [id, { command }] of context.processes) slice.carry.processes[id] = command.script
  walk(tree, finishNode, slice)
}

function finishNode(node: TrastNode, slice: SliceData): void {
  if (node.type === 'command') setOutcome(node)
  if (slice.live !== true) finishRunning(node, slice)
}

/**
 * Settles what was running when its rollout was last written, because no record shows its end. Not called while the file
 * grows.
 */
function finishRunning(node: TrastNode, { last, carry }: SliceData): void {
  if (node.type === 'command') {
    const keepsRunning = !last && node.processId !== undefined && node.processId in carry.processes
    if (node.status === 'running') node.outcome ??= keepsRunning ? 'ranOn' : 'noEnd'
  } else if (node.type !== 'turn' && 'status' in node && node.status === 'running') node.status = 'unfinished'
}

/** Determines how a command ended that did not end with 0, once all of its output is known. */
function setOutcome(node: Command): void {
  const { status, exitCode, script, argv, cwd } = node
  if (status !== 'failed' || exitCode === undefined || node.outcome !== undefined) return
  if (wasStopped(node)) {
    node.status = 'completed'
    node.outcome = 'stopped'
    return
  }
  const outputs = node.children.filter((child) => child.type === 'output')
  const output = outputs.map(({ value }) => value).join('\n')
  const truncated = outputs.some(({ omitted }) => omitted !== undefined)
  const ending = endingOf({ exitCode, script, argv, cwd, output, truncated })
  if (ending === 'failed') return
  if (ending === 'noMatch' || ending === 'cutOff') node.status = 'completed'
  node.outcome = ending
}

/**
 * Whether the last input of a command was Ctrl-C from the model, and Codex did not refuse to send it: its exit code then
 * says nothing.
 */
function wasStopped({ children }: Command): boolean {
  const last = children.findLastIndex(({ type }) => type === 'input')
  const [input, answer] = children.slice(last === -1 ? children.length : last)
  if (input?.type !== 'input' || !input.value.includes('\x03')) return false
  return answer?.type !== 'output' || !/^\s*write_stdin failed:/.test(answer.value)
}

interface Container {
  type: string
  kind?: string
  status?: NonNullable<NodeContext['turn']>['status']
  cwd?: string
  children: (Fragment | FlowContent | Container)[]
}

function classifyChildren(container: Container, context: NodeContext): void {
  if (!container.children.some((child) => isFragment(child) || 'children' in child)) return
  const turn =
    container.type === 'turn' && container.status !== undefined
      ? { status: container.status, ...defined({ cwd: container.cwd }) }
      : context.turn
  const inner = { ...context, turn }
  const children: Container['children'] = []
  for (const child of container.children) {
    if (isFragment(child)) append(children, nodes(child, inner))
    else {
      if (child.type === 'turn' || child.type === 'group') classifyChildren(child as Container, inner)
      children.push(child)
    }
  }
  container.children = joinUserCommands(children)
  if (container.type === 'turn' && container.kind === 'shell') foldAbort(container)
}

function nodes(fragment: Fragment, context: NodeContext): FlowContent[] {
  const made = nodesOf(fragment, context)
  // Nodes from copied records stay marked.
  if (fragment.data.inherited) for (const node of made) node.data = { ...node.data, inherited: true }
  return made
}

function nodesOf(fragment: Fragment, context: NodeContext): FlowContent[] {
  if (hasFact(fragment, 'message')) return messageNodes(fragment, context)
  if (hasFact(fragment, 'callGroup')) return callNodes(fragment, context)
  if (hasFact(fragment, 'reasoning')) return reasoningNodes(fragment)
  if (hasFact(fragment, 'agentMessage')) return [agentMessageNode(fragment)]
  if (hasFact(fragment, 'hook')) return [hookNode(fragment)]
  if (hasFact(fragment, 'compaction')) return [compactionNode(fragment)]
  if (hasFact(fragment, 'rollback')) return [rollbackNode(fragment)]
  if (hasFact(fragment, 'turnEnd')) return [turnEndNode(fragment)]
  if (hasFact(fragment, 'review')) return [reviewNode(fragment)]
  if (hasFact(fragment, 'planText')) return [planTextNode(fragment)]
  if (hasFact(fragment, 'notice')) return [noticeNode(fragment)]
  if (hasFact(fragment, 'error')) return [errorNode(fragment)]
  // `turns` has used everything else; its line is counted under its kind.
  return hasFact(fragment, 'unknown') ? [unknownNode(fragment)] : []
}

/** A thought: its summary, and its full text if that says more. */
function reasoningNodes(fragment: FragmentOf<ReasoningFact>): FlowContent[] {
  const { summary, raw } = fragment.fact
  const isSummarised = (text: string): boolean => summary.some((other) => other.trim() === text.trim())
  const forms = [
    { form: 'summary', texts: summary },
    { form: 'raw', texts: raw.filter((text) => !isSummarised(text)) },
  ] as const
  return forms
    .filter(({ texts }) => texts.some((text) => text.trim() !== ''))
    .map(({ form, texts }, index) => reasoningNode(fragment, form, texts, index))
}

function reasoningNode(
  { id: own, at, position, data }: Fragment,
  form: 'summary' | 'raw',
  texts: readonly string[],
  index: number,
): FlowContent {
  const id = index === 0 ? own : `${own}.raw`
  return {
    type: 'reasoning',
    id,
    ...defined({ at, position }),
    data: { ...data, ...(index === 0 ? {} : { sources: [] }), visibility: 'collapsed' },
    encrypted: false,
    form,
    children: texts.map((value, part) => ({ type: 'markdown', id: `${id}.${part + 1}`, value })),
  }
}

/**
 * Joins the two records of a user's `!command`, an item and a message to the model, into one node (rollout-format 4.3,
 * rule 8).
 */
function joinUserCommands(children: Container['children']): Container['children'] {
  const items = children.filter(
    (child): child is Command => child.type === 'command' && (child as Command).actor === 'user',
  )
  if (items.length < 2) return children
  const dropped = new Set<Command>()
  for (const item of items) {
    if (item.callId === undefined) continue
    const duplicate = items.find(
      (other) => other.callId === undefined && !dropped.has(other) && other.script.trim() === item.script.trim(),
    )
    if (duplicate === undefined) continue
    dropped.add(duplicate)
    mergeSources(item, duplicate)
  }
  return children.filter((child) => !dropped.has(child as Command))
}

/**
 * Folds the marker of an aborted shell turn into the command that the user stopped, unless the marker gives a reason: the
 * command's own status says the same.
 */
function foldAbort(turn: Container): void {
  const command = turn.children.findLast((child): child is Command => child.type === 'command')
  const abort = turn.children.findLast((child): child is Notice => child.type === 'notice')
  if (command?.actor !== 'user' || command.status !== 'interrupted' || abort?.kind !== 'abort') return
  if (abort.facts !== undefined || !abort.children.every((child) => isPlainReason(child))) return
  mergeSources(command, abort)
  turn.children = turn.children.filter((child) => child !== abort)
}

/** Whether a text says no more than the name of its marker. */
function isPlainReason(child: TrastNode): boolean {
  return child.type === 'text' && 'value' in child && child.value === 'interrupted'
}

// Markers: compactions, rollbacks, aborts, reviews, errors, plans in prose, unknown records.

/** A compaction with its summary, folded. */
function compactionNode(fragment: FragmentOf<CompactionFact>): Notice {
  const { summary } = fragment.fact
  const node = base(fragment)
  return {
    ...node,
    type: 'notice',
    kind: 'compaction',
    data: { ...node.data, visibility: 'collapsed' },
    children: summary === undefined ? [] : [prose(summary, `${fragment.id}.1`)],
  }
}

/** A rollback, with the number of turns that it removed. */
function rollbackNode(fragment: FragmentOf<RollbackFact>): Notice {
  return { ...base(fragment), type: 'notice', kind: 'rollback', facts: { count: fragment.fact.turns }, children: [] }
}

/** What cut a turn off, if not the user. */
const endReasons: Readonly<Record<string, string>> = {
  replaced: 'replaced by the next prompt',
  budget_limited: 'its budget was used up',
  usage_limit_exceeded: 'the usage limit was reached',
}

/** How a turn ended, if it did not complete or nobody answered in it. */
function turnEndNode(fragment: FragmentOf<TurnEndFact>): Notice | ErrorNode {
  const { error, errorBody: body, reason, status } = fragment.fact
  const isUnanswered = error === undefined && status === 'completed'
  if (error !== undefined && status !== 'interrupted')
    return { ...base(fragment), type: 'error', message: error, ...defined({ body }) }
  const known = ownValue(endReasons, reason ?? '')
  const words = [known === undefined ? reason : undefined, error].filter((text) => text !== undefined).join(': ')
  return {
    ...base(fragment),
    type: 'notice',
    kind: isUnanswered ? 'unanswered' : 'abort',
    ...(known === undefined ? {} : { facts: { reason: known } }),
    children: [words, body ?? '']
      .filter((text) => text !== '')
      .map((value, index) => ({ type: 'text', id: `${fragment.id}.${index + 1}`, value })),
  }
}

/** A marker with a text. */
function noticeNode(fragment: FragmentOf<NoticeFact>): Notice {
  const { notice, text } = fragment.fact
  return {
    ...base(fragment),
    type: 'notice',
    kind: notice,
    children: [{ type: 'text', id: `${fragment.id}.1`, value: text }],
  }
}

/** A review with its findings; a review without a verdict was interrupted. */
function reviewNode(fragment: FragmentOf<ReviewFact>): Notice {
  return { ...base(fragment), type: 'notice', ...reviewNotice(fragment.fact, idMaker(fragment)) }
}

/** An error that the file recorded. */
function errorNode(fragment: FragmentOf<ErrorFact>): ErrorNode {
  const { message, code, body } = fragment.fact
  return { ...base(fragment), type: 'error', message, ...defined({ code, body }) }
}

/** A plan in prose. */
function planTextNode(fragment: FragmentOf<PlanTextFact>): Plan {
  return {
    ...base(fragment),
    type: 'plan',
    children: [{ type: 'markdown', id: `${fragment.id}.1`, value: fragment.fact.text }],
  }
}

/** A record that this version does not know. */
function unknownNode(fragment: FragmentOf<UnknownFact>): Unknown {
  const { recordType, payload } = fragment.fact
  return { ...base(fragment), type: 'unknown', recordType, payload }
}
