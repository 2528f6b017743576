/** Plans. */
import type { ListItem, RootContent } from 'mdast'
import type { Plan, PlanStep } from '../../../model/trast.ts'
import { paragraph, strong } from '../build.ts'
import type { Handle } from '../state.ts'

/** A label, then the plan's text and its steps as one task list. */
export const plan: Handle<Plan> = (node, state) => {
  const steps = node.children.filter((child) => child.type === 'planStep')
  const prose = node.children.filter((child) => child.type !== 'planStep')
  const list: RootContent[] = steps.length === 0 ? [] : [taskList(steps)]
  return [paragraph(strong('Plan')), ...list, ...state.all(prose)]
}

/** A step that stands alone. */
export const planStep: Handle<PlanStep> = (node) => [taskList([node])]

function taskList(steps: PlanStep[]): RootContent {
  return { type: 'list', ordered: false, spread: false, children: steps.map(task) }
}

function task(node: PlanStep): ListItem {
  const state = node.status === 'inProgress' ? [strong('in progress'), ' '] : []
  return {
    type: 'listItem',
    spread: false,
    checked: node.status === 'completed',
    children: [paragraph(...state, node.value.trim())],
  }
}
