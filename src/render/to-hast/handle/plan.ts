/** Plans: a checklist, or the text of plan mode. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Plan, PlanStep } from '../../../model/trast.ts'
import { literal } from '../../literal.ts'
import { fold, isCollapsed, item } from '../parts.ts'
import type { State } from '../state.ts'

const states: Readonly<Record<PlanStep['status'], { mark: string; word: string; className: string }>> = {
  completed: { mark: '\u2713', word: 'done', className: 'done' },
  inProgress: { mark: '\u2192', word: 'in progress', className: 'now' },
  pending: { mark: '\u25CB', word: 'to do', className: 'next' },
}

/** A plan with how much of it is done. */
export function plan(node: Plan, state: State): ElementContent[] {
  const steps = node.children.filter((child) => child.type === 'planStep')
  const notes = node.children.filter((child) => child.type !== 'planStep')
  const done = steps.filter((step) => step.status === 'completed').length
  const gist = steps.length === 0 ? '' : `${done} of ${steps.length} done`
  const list = steps.length === 0 ? [] : [h('ol', { className: ['plan'] }, state.all(steps))]
  const text = notes.length === 0 ? [] : [h('div', { className: ['inside'] }, state.all(notes))]
  return [item(node, 'planned', state, [fold({ what: 'Plan', gist, open: !isCollapsed(node) }, [...text, ...list])])]
}

/** A step with its state as a mark, a class and a word for screen readers. */
export function planStep(node: PlanStep, _state: State): ElementContent[] {
  const { mark, word, className } = states[node.status]
  return [
    h(
      'li',
      { className: [className] },
      h('span', { className: ['box'], role: 'img', ariaLabel: word }, mark),
      h('span', {}, literal(node.value)),
    ),
  ]
}
