/** Work handed to other threads. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Agent } from '../../../model/trast.ts'
import { relativeLink, sessionPage } from '../../../model/urls.ts'
import { literal } from '../../literal.ts'
import { isTrouble } from '../../words.ts'
import { callMark, fold, item } from '../parts.ts'
import type { State } from '../state.ts'

const verbs: Readonly<Record<Agent['action'], string>> = {
  spawn: 'Started a sub-agent',
  send: 'Wrote to a sub-agent',
  wait: 'Waited for a sub-agent',
  resume: 'Resumed a sub-agent',
  close: 'Closed a sub-agent',
  list: 'Listed sub-agents',
}

const contents: Readonly<Record<Agent['action'], string>> = {
  spawn: 'Task and result',
  send: 'Message',
  wait: 'Result',
  resume: 'Task and result',
  close: 'Result',
  list: 'List',
}

/** A card: what was asked of which agent, with a link to its page where that is built. */
export function agent(node: Agent, state: State): ElementContent[] {
  const thread = node.threadId === undefined ? undefined : state.context.threads(node.threadId)
  const name = node.name ?? thread?.title ?? node.threadId
  const mark = callMark(node)
  const title: ElementContent[] = []
  if (name !== undefined) title.push({ type: 'text', value: ' ' }, nameOf(node, name, thread?.built === true, state))
  if (node.role !== undefined)
    title.push({ type: 'text', value: ' ' }, h('span', { className: ['role'] }, literal(node.role)))
  const head = h('p', {}, [
    ...(mark.length === 0 ? [] : [h('span', { className: ['mark'] }, mark)]),
    h('b', {}, verbs[node.action]),
    ...title,
  ])
  const isStart = node.action === 'spawn' || node.action === 'resume'
  const about =
    thread === undefined || thread.title === name || !isStart
      ? []
      : [h('p', { className: ['about'] }, literal(thread.title))]
  const inside = state.all(node.children)
  const more =
    inside.length === 0
      ? []
      : [fold({ what: contents[node.action], quiet: true }, [h('div', { className: ['inside'] }, inside)])]
  return [item(node, { kind: 'agent', failed: isTrouble(node.status) }, state, [head, ...about, ...more])]
}

function nameOf(node: Agent, name: string, built: boolean, state: State): ElementContent {
  if (!built || node.threadId === undefined) return h('span', {}, literal(name))
  return h('a', { href: relativeLink(state.path, sessionPage(node.threadId)) }, literal(name))
}
