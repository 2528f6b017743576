/** The table of handlers, one for every type of node, so that a new type does not compile until it has one; and turns. */

import type { ElementContent, Root } from 'hast'
import type { Plugin } from 'unified'
import { failuresAmong } from '../../../transcript/fixes.ts'
import type { FlowContent, Preamble, Session, Turn } from '../../../transcript/trast.ts'
import { joinTexts } from '../../../util/text.ts'
import { formatDuration, formatInstant } from '../../../util/time.ts'
import { h } from '../../hast.ts'
import { turnError, turnKinds } from '../../labels.ts'
import { contextText, formatCompact, isTrouble, statusWord } from '../../phrases.ts'
import { literal } from '../../visible-text.ts'
import { type BridgeOptions, bridgeContext, type RenderContext } from '../context.ts'
import { answerOf } from '../story.ts'
import type { HandlerTable } from '../walk.ts'
import { agent } from './agent.ts'
import { command, input, output, search, toolCall } from './command.ts'
import { image, markdown, message, reasoning, reference, text } from './message.ts'
import { approval, error, finding, group, notice, question, unknown } from './notice.ts'
import { itemClasses, time } from './parts.ts'
import { fileChange, hunk, patch, plan, planStep } from './patch.ts'
import { createState, type State } from './state.ts'
import { turnStory, work } from './story.ts'

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

// A turn as a section: a request and everything that was done about it. Its heading is enough to find it: with a name, each turn
// would be a landmark, and hide the others of the page.

/** A section with a heading that says when, how long, by which model and how it ended. */
function turn(node: Turn, state: State): ElementContent[] {
  const answer = answerOf(node)
  const inner = state.at({ level: 3, cwd: node.cwd ?? state.cwd, answer, fixes: failuresAmong(node.children).repairs })
  const name = `Turn ${node.number}${node.data?.continued ? ', continued' : ''}`
  const prompt = promptOf(node)
  // What comes before the prompt shows no time that is the prompt's too.
  if (prompt?.at !== undefined) state.memory.minute = formatInstant(prompt.at, state.context.timeZone, 'minute')
  const facts = factsOf(node)
  const word = statusWord(node.status)
  // In the story of several pages, a continued turn is the same section, apart from the border between its slices.
  if (state.context.half === 'story' && node.data?.continued)
    return [h('section', { className: ['turn', 'on'] }, turnStory(node, inner), errorOf(node), endOf(node))]
  return [
    h('section', { id: node.id, className: classesOf(node) }, [
      h('header', { className: ['stamp'] }, [
        h('h2', {}, h('a', { href: `#${node.id}` }, name)),
        node.at === undefined ? undefined : time(node.at, state, 'minute'),
        facts.map((fact) => h('span', {}, fact)),
        word === '' ? undefined : h('b', isTrouble(node.status) ? { className: ['bad'] } : {}, word),
      ]),
      turnStory(node, inner),
      errorOf(node),
      endOf(node),
    ]),
  ]
}

/** Classes by which the style sheet distinguishes turns. */
function classesOf(node: Turn): string[] {
  return ['turn', ...sizeOf(node), ...(isUnasked(node) ? ['unasked'] : [])]
}

/** The class that says how much space a browser reserves for a turn that it has not drawn yet, by number of items. */
function sizeOf({ children }: Turn): string[] {
  if (children.length > 60) return ['huge']
  return children.length > 15 ? ['long'] : []
}

/** Whether a turn has no prompt, because none was recorded. */
function isUnasked(turn: Turn): boolean {
  return turn.kind === 'user' && !turn.data?.continued && promptOf(turn) === undefined
}

function promptOf({ children }: Turn): FlowContent | undefined {
  return children.find((child) => child.type === 'message' && child.role === 'user' && child.origin !== 'injected')
}

function factsOf(node: Turn): string[] {
  const model = joinTexts([node.model, node.effort], ' ')
  return [
    turnKinds[node.kind],
    node.durationMs === undefined || node.durationMs === 0 ? '' : formatDuration(node.durationMs),
    model,
    node.usage === undefined ? '' : `${formatCompact(node.usage.total)} tokens`,
    contextText(node),
  ].filter((fact) => fact !== '')
}

/** The error that ended the turn, unless it is already among its items. */
function errorOf(node: Turn): ElementContent | undefined {
  const error = turnError(node)
  if (error === undefined) return undefined
  const words = h('p', { role: 'note' }, h('b', {}, 'Error: '), literal(error))
  return h('div', { id: `${node.id}-error`, className: itemClasses({ kind: 'error', failed: true }) }, words)
}

/** The note at the end of a turn without a recorded end; a turn that a page border cuts has it after its last part. */
function endOf({ id, status, data }: Turn): ElementContent | undefined {
  if (status !== 'unfinished' || data?.continues) return undefined
  return h(
    'div',
    { id: `${id}-end`, className: itemClasses({ kind: 'notice' }) },
    h('p', {}, 'Unfinished: no end is recorded'),
  )
}

/** What comes before the first turn. */
function preamble(node: Preamble, state: State): ElementContent[] {
  if (node.children.length === 0) return []
  const items = work(node.children, state.at({ level: 3 }))
  if (items.length === 0) return []
  return [
    h('section', { className: ['turn', 'before'] }, [
      h('header', { className: ['stamp'] }, h('h2', {}, 'Before the first turn')),
      items,
    ]),
  ]
}
