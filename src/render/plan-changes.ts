/** What a plan changed against the one before it. */
import type { PlanStep } from '../model/trast.ts'

/** What happened to a step. */
export type PlanChange = 'done' | 'started' | 'reopened' | 'added'

/** Steps that differ. */
export interface PlanChanges {
  /** By step of the new plan; a step that stayed as it was is absent. */
  changes: Map<PlanStep, PlanChange>
  /** Steps of the old plan that the new one no longer has, in order. */
  removed: PlanStep[]
}

const byStatus: Readonly<Record<PlanStep['status'], PlanChange>> = {
  completed: 'done',
  inProgress: 'started',
  pending: 'reopened',
}

/**
 * Compares two checklists by the text of their steps; a text that stands there twice is matched in order. Nothing
 * changed where there is no earlier one, and nothing is told where no step is common: that is another plan.
 */
export function planChanges(before: readonly PlanStep[] | undefined, after: readonly PlanStep[]): PlanChanges {
  const changes = new Map<PlanStep, PlanChange>()
  const left = new Map<string, PlanStep[]>()
  for (const step of before ?? []) {
    const same = left.get(step.value)
    if (same === undefined) left.set(step.value, [step])
    else same.push(step)
  }
  let common = 0
  for (const step of after) {
    const old = left.get(step.value)?.shift()
    if (old === undefined) changes.set(step, 'added')
    else {
      common += 1
      if (old.status !== step.status) changes.set(step, byStatus[step.status])
    }
  }
  if (common === 0) return { changes: new Map(), removed: [] }
  const missing = new Set([...left.values()].flat())
  return { changes, removed: (before ?? []).filter((step) => missing.has(step)) }
}
