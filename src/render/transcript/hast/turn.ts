/** Turns: a request and all that was done about it. */

import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import { failuresAmong } from '../../../transcript/fixes.ts'
import type { Preamble, Turn } from '../../../transcript/trast.ts'
import { formatDuration } from '../../../util/time.ts'
import { contextText, formatCompact, isTrouble, statusWord } from '../../phrases.ts'
import { literal } from '../../visible-text.ts'
import { answerOf } from '../story.ts'
import { itemClasses } from './kinds.ts'
import { time } from './parts.ts'
import type { State } from './state.ts'
import { turnStory, work } from './story.ts'

const kinds: Readonly<Record<Turn['kind'], string>> = {
  user: '',
  compaction: 'compaction',
  shell: 'shell',
  review: 'review',
  agent: 'from another agent',
  goal: 'goal',
}

/** A section with a heading that tells when, how long, by which model and how it ended. */
export function turn(node: Turn, state: State): ElementContent[] {
  const id = `${node.id}-h`
  const answer = answerOf(node)
  const inner = state.at({ level: 3, cwd: node.cwd ?? state.cwd, answer, fixes: failuresAmong(node.children).fixes })
  const name = `Turn ${node.number}${node.data?.continued ? ', continued' : ''}`
  const facts = factsOf(node)
  const word = isTrouble(node.status) ? statusWord(node.status) : ''
  // In a story of several pages a turn that goes on is the same section, but for the border between its slices.
  if (state.context.story && node.data?.continued)
    return [h('section', { className: ['turn', 'on'], ariaLabelledBy: [id] }, turnStory(node, inner), errorOf(node))]
  return [
    h('section', { id: node.id, className: ['turn', ...sizeOf(node)], ariaLabelledBy: [id] }, [
      h('header', { className: ['stamp'] }, [
        h('h2', { id }, h('a', { href: `#${node.id}` }, name)),
        node.at === undefined ? undefined : time(node.at, state, 'minute'),
        facts.map((fact) => h('span', {}, fact)),
        word === '' ? undefined : h('b', { className: ['bad'] }, word),
      ]),
      turnStory(node, inner),
      errorOf(node),
    ]),
  ]
}

/** How much room a browser sets aside for a turn that it has not drawn yet, by the number of items. */
function sizeOf({ children }: Turn): string[] {
  if (children.length > 60) return ['huge']
  return children.length > 15 ? ['long'] : []
}

function factsOf(node: Turn): string[] {
  const model = [node.model, node.effort].filter((part) => part !== undefined).join(' ')
  return [
    kinds[node.kind],
    node.durationMs === undefined || node.durationMs === 0 ? '' : formatDuration(node.durationMs),
    model,
    node.usage === undefined ? '' : `${formatCompact(node.usage.total)} tokens`,
    contextText(node),
  ].filter((fact) => fact !== '')
}

/** The error that ended the turn, unless it stands among its items already. */
function errorOf(node: Turn): ElementContent | undefined {
  const { error } = node
  if (error === undefined) return undefined
  if (node.children.some((child) => child.type === 'error' && child.message === error)) return undefined
  const words = h('p', { role: 'note' }, h('b', {}, 'Error: '), literal(error))
  return h('div', { id: `${node.id}-error`, className: itemClasses('error', true) }, words)
}

/** What stands before the first turn. */
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
