/** Work of other agents: cards for calls that began it, lines for other calls, and the task of an agent. */

import type { ElementContent } from 'hast'
import { encryptedNote } from '../../../transcript/nodes/context.ts'
import type { Agent, Message } from '../../../transcript/trast.ts'
import { anchorLink, relativeLink, sessionPage } from '../../../transcript/urls.ts'
import { agentReports, reportHead } from '../../agent-answers.ts'
import { h } from '../../hast.ts'
import { agentLine } from '../../labels.ts'
import { agentLabel, firstLine, isTrouble } from '../../phrases.ts'
import { literal } from '../../visible-text.ts'
import { callMark, fold, item, joined, single } from './parts.ts'
import { body, prose } from './prose.ts'
import type { State } from './state.ts'

/** A card for a call that begins work elsewhere, a line for any other. */
export function agent(node: Agent, state: State): ElementContent[] {
  const frame = { kind: 'agent', failed: isTrouble(node.status) } as const
  const isBeginning = node.action === 'spawn' || node.action === 'resume'
  return [item(node, frame, state, isBeginning ? card(node, state) : line(node, state))]
}

/** UTF-16 units of a task that its card shows. */
const maxTask = 300

/** What was asked of which agent, with a link to its page if that is built, and the outcome. */
function card(node: Agent, state: State): ElementContent[] {
  const mark = callMark(node)
  const name = nameOf(node, state)
  const asked = askedOf(node, state)
  const head = h('p', {}, [
    ...(mark.length === 0 ? [] : [h('span', { className: ['mark'] }, mark)]),
    h('b', {}, agentLine(node)),
    ...(name === undefined ? [] : [{ type: 'text', value: ' ' } as const, name]),
    ...(node.role === undefined ? [] : [' ', h('span', { className: ['role'] }, literal(node.role))]),
  ])
  const sealed = node.children.find(isSealed)
  const words = asked.words === '' && sealed !== undefined ? 'Its task is encrypted.' : asked.words
  const about = words === '' ? [] : [h('p', { id: asked.id ?? sealed?.id, className: ['about'] }, literal(words))]
  // A task that the card shows is not repeated, and an encrypted one has nothing to open.
  const others = node.children.filter((child) => child.id !== asked.id && child !== sealed)
  const inside = others.flatMap((child) => contentOf(child, node, state))
  if (inside.length === 0) return [head, ...about]
  const isCut = others.some(isTaskOf)
  // The call returns at once with the name of the agent; what the agent reports comes later, as a separate item.
  const returned = isCut ? 'Whole task, and what the call returned' : 'What the call returned'
  const what = isCut && others.length === 1 ? 'Whole task' : returned
  return [head, ...about, fold({ what, quiet: true }, [h('div', { className: ['inside'] }, inside)])]
}

/** The words of a card, with the id of the task if they are all of it. */
function askedOf({ name, threadId, children }: Agent, { context }: State): { words: string; id?: string } {
  const task = children.find(isTaskOf)
  const words = task === undefined ? '' : firstLine(wordsOf(task), maxTask)
  const title = threadId === undefined ? undefined : context.threads(threadId)?.title
  if (task === undefined || words === '')
    return { words: title === undefined || title === agentLabel(name ?? '') ? '' : title }
  const [only] = task.children
  const isOnlyTask = task.children.length === 1 && only?.type === 'markdown' && only.omitted === undefined
  return isOnlyTask && only.value.trim() === words ? { words, id: task.id } : { words }
}

/** Whether only the ciphertext of a task is on disk. */
function isSealed(child: Agent['children'][number]): boolean {
  if (!isTaskOf(child)) return false
  const [only] = child.children
  return child.children.length === 1 && only?.type === 'text' && only.value === encryptedNote
}

function isTaskOf(child: Agent['children'][number]): child is Message {
  return child.type === 'message' && child.role === 'user'
}

function line(node: Agent, state: State): ElementContent[] {
  const name = nameOf(node, state)
  const head = { what: agentLine(node), mark: callMark(node), quiet: true }
  const inside = node.children.flatMap((child) => contentOf(child, node, state))
  if (inside.length === 0) return [single({ ...head, gist: name === undefined ? [] : [name] })]
  const href = pageOf(node, state)
  // The line shows the name without a link, because a summary cannot contain one.
  const where = href === undefined ? [] : [h('p', { className: ['where'] }, h('a', { href }, 'Its session'))]
  return [fold({ ...head, gist: labelOf(node, state) }, [h('div', { className: ['inside'] }, where, inside)])]
}

/** An answer as its reports, each below the name of its agent; any other child unchanged. */
function contentOf(child: Agent['children'][number], node: Agent, state: State): ElementContent[] {
  const isPlain = child.type === 'output' && child.omitted === undefined && child.data === undefined
  const reports = isPlain ? agentReports(child.value, node) : undefined
  if (reports === undefined) return state.all([child])
  return reports.flatMap((report) => {
    const { name, state: condition } = reportHead(report, state.context.threads)
    const label = report.agent !== undefined && report.agent === node.threadId ? labelOf(node, state) : name
    const parts = [
      ...(label === '' ? [] : [[h('b', {}, literal(label))]]),
      ...(condition === '' ? [] : [literal(condition)]),
    ]
    const head = parts.length === 0 ? [] : [h('p', { className: ['where'] }, joined(parts, ' · '))]
    return report.words === '' ? head : [...head, body(prose(report.words, { id: child.id }, state), report.words)]
  })
}

function labelOf(node: Agent, state: State): string {
  const title = node.threadId === undefined ? undefined : state.context.threads(node.threadId)?.title
  return agentLabel(node.name ?? title ?? node.threadId ?? '')
}

function nameOf(node: Agent, state: State): ElementContent | undefined {
  const label = labelOf(node, state)
  if (label === '') return undefined
  const href = pageOf(node, state)
  return href === undefined ? h('span', {}, literal(label)) : h('a', { href }, literal(label))
}

function pageOf({ threadId }: Agent, { context, path }: State): string | undefined {
  if (threadId === undefined || context.threads(threadId)?.built !== true) return undefined
  return relativeLink(path, sessionPage(threadId))
}

function wordsOf({ children }: Message): string {
  return children.map((child) => (child.type === 'markdown' ? child.value : '')).join('\n')
}

// The task of this thread.

/** What the agent was asked to do. If its own thread does not have the words, a link leads to the call that gave the task. */
export function task(node: Message, state: State): ElementContent[] {
  if (wordsOf(node).trim() !== '') return state.all(node.children)
  const { origin, threads } = state.context
  const { parentId } = state.session.lineage
  if (origin === undefined || parentId === undefined || threads(parentId)?.built !== true)
    return state.all(node.children)
  const href = relativeLink(state.path, anchorLink(parentId, origin))
  return [
    ...state.all(node.children),
    h('p', { className: ['where'] }, h('a', { href }, 'The call that gave the task')),
  ]
}
