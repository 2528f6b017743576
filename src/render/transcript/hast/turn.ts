/** A turn as a section: a request and everything that was done about it. */

import type { ElementContent } from 'hast'
import { failuresAmong } from '../../../transcript/fixes.ts'
import type { Preamble, Turn } from '../../../transcript/trast.ts'
import { joinTexts } from '../../../util/join-texts.ts'
import { formatDuration } from '../../../util/time.ts'
import { h } from '../../hast.ts'
import { turnError, turnKinds } from '../../labels.ts'
import { contextText, formatCompact, isTrouble, statusWord } from '../../phrases.ts'
import { literal } from '../../visible-text.ts'
import { answerOf } from '../story.ts'
import { itemClasses, time } from './parts.ts'
import type { State } from './state.ts'
import { turnStory, work } from './story.ts'

/** A section with a heading that says when, how long, by which model and how it ended. */
export function turn(node: Turn, state: State): ElementContent[] {
  const id = `${node.id}-h`
  const answer = answerOf(node)
  const inner = state.at({ level: 3, cwd: node.cwd ?? state.cwd, answer, fixes: failuresAmong(node.children).repairs })
  const name = `Turn ${node.number}${node.data?.continued ? ', continued' : ''}`
  const facts = factsOf(node)
  const word = statusWord(node.status)
  // In the story of several pages, a continued turn is the same section, apart from the border between its slices.
  if (state.context.half === 'story' && node.data?.continued)
    return [
      h('section', { className: ['turn', 'on'], ariaLabel: name }, turnStory(node, inner), errorOf(node), endOf(node)),
    ]
  return [
    h('section', { id: node.id, className: classesOf(node), ariaLabelledBy: [id] }, [
      h('header', { className: ['stamp'] }, [
        h('h2', { id }, h('a', { href: `#${node.id}` }, name)),
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
function isUnasked({ kind, data, children }: Turn): boolean {
  if (kind !== 'user' || data?.continued) return false
  return !children.some((child) => child.type === 'message' && child.role === 'user' && child.origin !== 'injected')
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
export function preamble(node: Preamble, state: State): ElementContent[] {
  if (node.children.length === 0) return []
  const items = work(node.children, state.at({ level: 3 }))
  if (items.length === 0) return []
  const id = `${node.id}-before`
  return [
    h('section', { className: ['turn', 'before'], ariaLabelledBy: [id] }, [
      h('header', { className: ['stamp'] }, h('h2', { id }, 'Before the first turn')),
      items,
    ]),
  ]
}
