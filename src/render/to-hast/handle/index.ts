/** The table of handlers: one for every type of node, so that a new type does not compile until it has one. */
import type { ElementContent } from 'hast'
import type { Session, TrastNode } from '../../../model/trast.ts'
import type { Handle, State } from '../state.ts'
import { agent } from './agent.ts'
import { approval, question } from './approval.ts'
import { command, input, output } from './command.ts'
import { group } from './group.ts'
import { image } from './image.ts'
import { message } from './message.ts'
import { error, finding, notice } from './notice.ts'
import { fileChange, hunk, patch } from './patch.ts'
import { markdown, reference, text } from './phrase.ts'
import { plan, planStep } from './plan.ts'
import { reasoning } from './reasoning.ts'
import { search } from './search.ts'
import { toolCall } from './tool-call.ts'
import { preamble, turn } from './turn.ts'
import { unknown } from './unknown.ts'

type Shown = Exclude<TrastNode, Session>

/** A handler for each type of node below the session. */
export type HandlerTable = { readonly [Type in Shown['type']]: Handle<Extract<Shown, { type: Type }>> }

const table: HandlerTable = {
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
  markdown,
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
  text,
  toolCall,
  turn,
  unknown,
}

/** Hast of one node. Hidden nodes show nothing; types that no handler knows (a plugin's) look like unknown records. */
export function one(node: TrastNode, state: State): ElementContent[] {
  if (node.data?.visibility === 'hidden') return []
  if (!Object.hasOwn(table, node.type)) return unknown(node, state)
  const handle = table[node.type as Shown['type']] as Handle<TrastNode> // the table is total and keyed by the node's own type
  return handle(node, state)
}
