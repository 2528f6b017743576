/** The table of handlers: one for every type of node, so that a new type does not compile until it has one. */

import type { ElementContent, Root } from 'hast'
import type { Plugin } from 'unified'
import type { Session } from '../../../transcript/trast.ts'
import { type BridgeOptions, bridgeContext, type RenderContext } from '../context.ts'
import type { HandlerTable } from '../walk.ts'
import { agent } from './agent.ts'
import { command, input, output, search, toolCall } from './command.ts'
import { image } from './image.ts'
import { markdown, message, reasoning, reference, text } from './message.ts'
import { approval, error, finding, group, notice, question, unknown } from './notice.ts'
import { fileChange, hunk, patch, plan, planStep } from './patch.ts'
import { createState, type State } from './state.ts'
import { preamble, turn } from './turn.ts'

const handlers: HandlerTable<State, ElementContent> = {
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

/** Hast of a session's children, or of one slice of them: the part between the header and the foot of a page. */
export function toHast(session: Session, context: RenderContext): Root {
  const state = createState(session, context, { handlers, other: unknown })
  return { type: 'root', children: state.all(session.children) }
}

/** Options of `rolloutToHast`; every field has a default. */
export type ToHastOptions = BridgeOptions

/** unified plugin: a session tree becomes the hast of its page, `unified().use(rolloutToHast, options)`. */
export const rolloutToHast: Plugin<[ToHastOptions?], Session, Root> =
  (options = {}) =>
  (tree) =>
    toHast(tree, bridgeContext(tree.threadId, options))
