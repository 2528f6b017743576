/** What kind of text each field of a tree holds, in a word for people. */
import type { TrastNode } from '../model/trast.ts'

/** By type of node; `undefined` where the node around it tells. */
const byType: Readonly<Record<TrastNode['type'], string | undefined>> = {
  session: 'head',
  preamble: undefined,
  turn: 'turn',
  message: 'message',
  reasoning: 'reasoning',
  command: 'command',
  output: 'output',
  input: 'input',
  patch: 'patch',
  fileChange: 'patch',
  hunk: 'patch',
  toolCall: 'argument',
  search: 'search',
  plan: 'plan',
  planStep: 'plan',
  image: 'picture',
  agent: 'agent',
  approval: 'approval',
  question: 'question',
  notice: 'notice',
  finding: 'review',
  error: 'error',
  group: undefined,
  unknown: 'unknown record',
  markdown: undefined,
  text: undefined,
  reference: 'reference',
}

/** By name of the field, whatever the node. */
const byKey: Readonly<Record<string, string>> = {
  title: 'title',
  cwd: 'folder',
  path: 'path',
  movedTo: 'path',
  branch: 'branch',
  remote: 'remote',
  answer: 'answer',
  options: 'question',
  url: 'address',
}

/** The kind of text in a node; `around` is that of the node around it. */
export function fieldOfNode(node: TrastNode, around: string): string {
  if (node.type !== 'message') return byType[node.type] ?? around
  if (node.role === 'assistant') return 'answer'
  return node.role === 'user' && node.origin === 'typed' ? 'prompt' : 'context'
}

/** The kind of text in a field of a node; `field` is that of the node. */
export function fieldOfKey(key: string, field: string): string {
  return byKey[key] ?? field
}
