/**
 * What a command line runs, whatever the language it is written in: the programs, and how they hang together as far as
 * the end of the whole depends on it.
 */

/** Language of a command line. */
export type Dialect = 'posix' | 'powershell' | 'cmd'

/** One program with its words. No words: an assignment, an expression. */
export interface Run {
  kind: 'run'
  dialect: Dialect
  /** The name as written, then the arguments, without quotes. */
  words: readonly string[]
  /** What it has to say of errors goes to the null device. */
  quiet: boolean
  /** Where redirections lead output and errors to, as written, without quotes; never another stream. Absent: nowhere. */
  into?: readonly string[]
}

/** A piece of a command line. */
export type Step =
  | Run
  /** Runs side by side, each on the output of the one before. */
  | { kind: 'pipe'; stages: Step[]; negated: boolean }
  /** `left && right` and `left || right`. */
  | { kind: 'and' | 'or'; left: Step; right: Step }
  /** One after the other, whatever comes of each. */
  | { kind: 'list'; steps: Step[] }
  /** Conditions, cases and loops: what decides, and what may run. */
  | { kind: 'branch'; tests: Step[]; bodies: Step[] }
  /** Nothing waits for it. */
  | { kind: 'background'; step: Step }

/** Nothing that runs. */
export const nothing: Step = { kind: 'list', steps: [] }

/** Several steps as one. */
export function listOf(steps: Step[]): Step {
  const [only] = steps
  return steps.length === 1 && only !== undefined ? only : { kind: 'list', steps }
}

/** Longer chains are none that anybody wrote, and nest too deep. */
const maxLinks = 200

/** Links of a chain `a && b || c`, which binds from the left. */
export function chainOf(steps: readonly Step[], operators: readonly string[]): Step {
  if (steps.length > maxLinks) return { kind: 'list', steps: [...steps] }
  const [first = nothing, ...rest] = steps
  return rest.reduce<Step>(
    (left, right, index) => ({ kind: operators[index] === '||' ? 'or' : 'and', left, right }),
    first,
  )
}

/** All runs of a step, in the order in which they are written. */
export function* runsOf(step: Step): Generator<Run> {
  if (step.kind === 'run') yield step
  else for (const inner of partsOf(step)) yield* runsOf(inner)
}

function partsOf(step: Exclude<Step, Run>): Step[] {
  switch (step.kind) {
    case 'pipe':
      return step.stages
    case 'list':
      return step.steps
    case 'branch':
      return [...step.tests, ...step.bodies]
    case 'background':
      return [step.step]
    default:
      return [step.left, step.right]
  }
}
