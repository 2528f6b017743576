/** Work that was handed to other threads. */
import type { Agent } from '../../../model/trast.ts'
import { callFacts } from '../../labels.ts'
import { factLine, type Inline, paragraph, quote, strong } from '../build.ts'
import { threadLink } from '../link-thread.ts'
import type { Handle } from '../state.ts'

const words: Readonly<Record<Agent['action'], string>> = {
  spawn: 'Started an agent',
  send: 'Wrote to an agent',
  wait: 'Waited for an agent',
  resume: 'Resumed an agent',
  close: 'Closed an agent',
  list: 'Listed the agents',
}

/** A line that names the agent and links its transcript, then what was said. */
export const agent: Handle<Agent> = (node, state) => {
  const names = [node.name ?? '', node.role ?? ''].filter((name) => name !== '').join(', ')
  const thread: Inline[] = node.threadId === undefined ? [] : [' · ', ...threadLink(node.threadId, state.context)]
  const messages = node.children.filter((child) => child.type === 'message')
  const rest = node.children.filter((child) => child.type !== 'message')
  const said = state.at({ quoted: true }).all(messages)
  return [
    paragraph(strong(words[node.action]), names === '' ? '' : `: ${names}`, ...thread),
    ...(said.length === 0 ? [] : [quote(said)]),
    ...state.all(rest),
    ...factLine(callFacts(node)),
  ]
}
