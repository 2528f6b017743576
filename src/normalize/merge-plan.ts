/** Plans in prose: an item holds the text, an answer may be nothing but its block (rollout-format 5.1). */
import type { MessageFact, PlanTextFact } from '../model/facts.ts'
import { type Fragment, holds, mergeSources } from './fragment.ts'
import { planText, typedText, visibleText } from './texts.ts'

type Plan = Fragment & { fact: PlanTextFact }

/** Plans and plan-only answers of the open turn. */
export type PlanState = Fragment[]

/** Whether a plan is told already: an earlier version of it, or an answer that is nothing but its block. */
export function takesPlan(node: Plan, state: PlanState): boolean {
  const { id } = node.fact
  const known = state.find((other) => sameId(other, id) || planOf(other) === node.fact.text.trim())
  if (known === undefined) {
    state.push(node)
    return false
  }
  mergeSources(known, node)
  known.fact = node.fact
  return true
}

/** Whether an answer is nothing but a plan that is told already. */
export function takesPlanAnswer(node: Fragment & { fact: MessageFact }, state: PlanState): boolean {
  const text = planOf(node)
  if (text === undefined) return false
  const known = state.find((other) => holds(other, 'planText') && other.fact.text.trim() === text)
  if (known === undefined) {
    state.push(node)
    return false
  }
  mergeSources(known, node)
  return true
}

function sameId(other: Fragment, id: string | undefined): boolean {
  return id !== undefined && holds(other, 'planText') && other.fact.id === id
}

/** The plan that an answer's words are, where they are nothing else. */
function planOf(node: Fragment): string | undefined {
  if (!holds(node, 'message') || node.fact.log !== 'item') return undefined
  const text = typedText(node.fact)
  return visibleText(text) === '' && text.trim() !== '' ? planText(text) : undefined
}
