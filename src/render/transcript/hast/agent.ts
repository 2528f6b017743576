/** Other agents: the work that was handed to them, and the task that this thread got from one. */

import type { ElementContent } from 'hast'
import type { Agent, Message } from '../../../transcript/trast.ts'
import { anchorLink, relativeLink, sessionPage } from '../../../transcript/urls.ts'
import { walk } from '../../../transcript/view.ts'
import { h } from '../../hast.ts'
import { agentLabel, firstLine, isTrouble } from '../../phrases.ts'
import { literal } from '../../visible-text.ts'
import { callMark, fold, item, single } from './parts.ts'
import type { State } from './state.ts'

const verbs: Readonly<Record<Agent['action'], string>> = {
  spawn: 'Started a sub-agent',
  send: 'Wrote to a sub-agent',
  wait: 'Waited for a sub-agent',
  resume: 'Resumed a sub-agent',
  close: 'Closed a sub-agent',
  list: 'Listed sub-agents',
}

/** A card for what begins work elsewhere; a line for all else. */
export function agent(node: Agent, state: State): ElementContent[] {
  const frame = { kind: 'agent', failed: isTrouble(node.status) } as const
  const isBeginning = node.action === 'spawn' || node.action === 'resume'
  return [item(node, frame, state, isBeginning ? card(node, state) : line(node, state))]
}

/** UTF-16 units of a task that stand in its card. */
const maxTask = 300

/** What was asked of which agent, with a link to its page where that is built. */
function card(node: Agent, state: State): ElementContent[] {
  const mark = callMark(node)
  const name = nameOf(node, state)
  const task = node.children.find((child) => child.type === 'message' && child.role === 'user')
  const title = node.threadId === undefined ? undefined : state.context.threads(node.threadId)?.title
  const asked = task?.type === 'message' ? firstLine(wordsOf(task), maxTask) : ''
  const words = asked === '' && title !== undefined && title !== node.name ? title : asked
  const head = h('p', {}, [
    ...(mark.length === 0 ? [] : [h('span', { className: ['mark'] }, mark)]),
    h('b', {}, verbs[node.action]),
    ...(name === undefined ? [] : [{ type: 'text', value: ' ' } as const, name]),
    ...(node.role === undefined ? [] : [' ', h('span', { className: ['role'] }, literal(node.role))]),
  ])
  const about = words === '' ? [] : [h('p', { className: ['about'] }, literal(words))]
  const inside = state.all(node.children)
  if (inside.length === 0) return [head, ...about]
  const more = fold({ what: 'Task and result', quiet: true }, [h('div', { className: ['inside'] }, inside)])
  return [head, ...about, more]
}

function line(node: Agent, state: State): ElementContent[] {
  const name = nameOf(node, state)
  const head = { what: verbs[node.action], mark: callMark(node), quiet: true }
  const inside = state.all(node.children)
  if (inside.length === 0) return [single({ ...head, gist: name === undefined ? [] : [name] })]
  const where = name?.type === 'element' && name.tagName === 'a' ? [h('p', { className: ['where'] }, name)] : []
  return [fold({ ...head, gist: labelOf(node, state) }, [h('div', { className: ['inside'] }, where, inside)])]
}

function labelOf(node: Agent, state: State): string {
  const title = node.threadId === undefined ? undefined : state.context.threads(node.threadId)?.title
  return agentLabel(node.name ?? title ?? node.threadId ?? '')
}

function nameOf(node: Agent, state: State): ElementContent | undefined {
  const label = labelOf(node, state)
  if (label === '') return undefined
  const { threadId } = node
  if (threadId === undefined || state.context.threads(threadId)?.built !== true) return h('span', {}, literal(label))
  return h('a', { href: relativeLink(state.path, sessionPage(threadId)) }, literal(label))
}

function wordsOf({ children }: Message): string {
  return children.map((child) => (child.type === 'markdown' ? child.value : '')).join('\n')
}

// The task of this thread.

/**
 * What the agent was asked to do. Where its own record is encrypted, the words are those of the call in the history that it
 * inherited; where that has none, a link leads to the call.
 */
export function task(node: Message, state: State): ElementContent[] {
  if (wordsOf(node).trim() !== '') return state.all(node.children)
  const words = taskInHistory(agentLabel(node.recipient ?? ''), state)
  if (words !== undefined) return state.all(words.children)
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

function taskInHistory(name: string, { session }: State): Message | undefined {
  let found: Message | undefined
  for (const child of session.children) {
    if (child.type !== 'group' || child.kind !== 'inherited') continue
    walk(child, (node) => {
      if (node.type !== 'agent' || node.action !== 'spawn' || agentLabel(`/${node.name ?? ''}`) !== name) return
      const message = node.children.find((inner) => inner.type === 'message')
      if (message !== undefined && wordsOf(message) !== '') found = message
    })
  }
  return found
}
