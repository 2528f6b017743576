/** Plans: a checklist that tells what changed, or the text of plan mode. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Plan, PlanStep } from '../../../model/trast.ts'
import { literal } from '../../literal.ts'
import { type PlanChange, planChanges } from '../../plan-changes.ts'
import { fold, isCollapsed, item } from '../parts.ts'
import type { State } from '../state.ts'

const states: Readonly<Record<PlanStep['status'], { mark: string; word: string; className: string }>> = {
  completed: { mark: '\u2713', word: 'done', className: 'done' },
  inProgress: { mark: '\u2192', word: 'in progress', className: 'now' },
  pending: { mark: '\u25CB', word: 'to do', className: 'next' },
}

/** A plan with how much of it is done, and what changed since the plan before it on the page. */
export function plan(node: Plan, state: State): ElementContent[] {
  const steps = node.children.filter(isShownStep)
  const notes = node.children.filter((child) => child.type !== 'planStep')
  const done = steps.filter((step) => step.status === 'completed').length
  const gist = steps.length === 0 ? '' : `${done} of ${steps.length} done`
  const { changes, removed } = planChanges(state.memory.plan, steps)
  if (steps.length > 0) state.memory.plan = steps
  const rows = [...steps.map((step) => stepRow(step, changes.get(step))), ...removed.map(removedRow)]
  const list = rows.length === 0 ? [] : [h('ol', { className: ['plan'] }, rows)]
  const text = notes.length === 0 ? [] : [h('div', { className: ['inside'] }, state.all(notes))]
  const body = fold({ what: 'Plan', gist, open: !isCollapsed(node) }, [...text, ...list])
  return [item(node, { kind: 'plan' }, state, [body])]
}

function isShownStep(node: Plan['children'][number]): node is PlanStep {
  return node.type === 'planStep' && node.data?.visibility !== 'hidden'
}

/** A step on its own, as a plugin may place it. */
export function planStep(node: PlanStep, _state: State): ElementContent[] {
  return [stepRow(node)]
}

const changeWords: Readonly<Record<PlanChange, string>> = {
  done: 'just done',
  started: 'started',
  reopened: 'to do again',
  added: 'added',
}

/** A step with its state as a mark, a class and a word for screen readers. */
function stepRow(node: PlanStep, change?: PlanChange): ElementContent {
  const { mark, word, className } = states[node.status]
  return h('li', { className: [className] }, [
    h('span', { className: ['box'], role: 'img', ariaLabel: word }, mark),
    h('span', {}, literal(node.value)),
    change === undefined ? undefined : h('em', {}, changeWords[change]),
  ])
}

function removedRow(node: PlanStep): ElementContent {
  return h('li', { className: ['gone'] }, [
    h('span', { className: ['box'], role: 'img', ariaLabel: 'removed' }, '\u2212'),
    h('del', {}, literal(node.value)),
    h('em', {}, 'removed'),
  ])
}
