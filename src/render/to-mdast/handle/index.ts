/** The handler table: one entry for every type of node, so that a new type does not compile until it has one. */
import type { TrastNode } from '../../../model/trast.ts'
import type { Handle } from '../state.ts'
import { agent } from './agent.ts'
import { command, input, output } from './command.ts'
import { group } from './group.ts'
import { image } from './image.ts'
import { markdown, text } from './literal.ts'
import { message } from './message.ts'
import { approval, error, finding, notice, question } from './notice.ts'
import { fileChange, hunk, patch } from './patch.ts'
import { plan, planStep } from './plan.ts'
import { reasoning } from './reasoning.ts'
import { reference } from './reference.ts'
import { search } from './search.ts'
import { preamble, turn } from './session-parts.ts'
import { toolCall } from './tool-call.ts'
import { unknown } from './unknown.ts'

/** A handler for every node but the session itself. */
export type Handlers = {
  [K in Exclude<TrastNode['type'], 'session'>]: Handle<Extract<TrastNode, { type: K }>>
}

/** The built-in handlers. */
export const handlers: Handlers = {
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
