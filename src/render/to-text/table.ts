/** The handler table of plain text: one entry for every type of node. */
import type { TrastNode } from '../../model/trast.ts'
import { approval, error, finding, image, question, reference, unknown } from './leaves.ts'
import { literalText, proseText } from './lines.ts'
import type { Handle } from './state.ts'
import { group, message, notice, preamble, reasoning, turn } from './talk.ts'
import { agent, command, fileChange, hunk, input, output, patch, plan, planStep, search, toolCall } from './work.ts'

type Table = { [K in Exclude<TrastNode['type'], 'session'>]: Handle<Extract<TrastNode, { type: K }>> }

const table: Table = {
  agent,
  approval,
  command,
  error,
  fileChange,
  finding,
  group,
  hunk,
  image,
  input,
  markdown: (node) => proseText(node),
  message,
  notice,
  output,
  patch,
  plan,
  planStep,
  preamble,
  question,
  reasoning,
  reference,
  search,
  text: (node) => literalText(node),
  toolCall,
  turn,
  unknown,
}

/** Renders one node; a type that a plugin added is shown like a record that is not known. */
export const renderNode: Handle<TrastNode> = (node, state) => {
  const entries: Record<string, unknown> = table
  const handle = Object.hasOwn(entries, node.type) ? entries[node.type] : undefined
  // The table is total by type: the entry of a node's own type takes that node.
  if (typeof handle === 'function') return (handle as Handle<TrastNode>)(node, state)
  const { type, id, ...payload } = node
  return unknown({ type: 'unknown', id, recordType: type, payload }, state)
}
