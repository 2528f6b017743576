/**
 * What a command line runs, in any language: the programs, and how they are connected as far as the end of the whole
 * depends on it.
 */

import { append } from '../../util/groups.ts'

/** Language of a command line. */
export type Dialect = 'posix' | 'powershell' | 'cmd'

/** One program with its words. Without words: an assignment or an expression. */
export interface Run {
  kind: 'run'
  dialect: Dialect
  /** The name as written, then the arguments, all without quotes. */
  words: readonly string[]
  /** Its error messages go to the null device. */
  quiet: boolean
  /** Its output, or that of its pipeline, is assigned to a variable. */
  isKept?: true
  /** Files to which output and errors are redirected, as written, without quotes; never another stream. Absent: none. */
  into?: readonly string[]
  /** Text that it is given as input. */
  input?: string
}

/** A piece of a command line. */
export type Step =
  | Run
  /** Runs in parallel, each reading the output of the one before it. */
  | { kind: 'pipe'; stages: Step[]; negated: boolean }
  /** `left && right` and `left || right`. */
  | { kind: 'and' | 'or'; left: Step; right: Step }
  /**
   * One after another, however each ends. `isApart`: in a shell of its own, with its own folder and its own end.
   * `defines`: nothing runs here; the list defines a function.
   */
  | { kind: 'list'; steps: Step[]; isApart?: true; defines?: Definition }
  /** Conditions, cases and loops: what decides, and what may then run. */
  | { kind: 'branch'; tests: Step[]; bodies: Step[] }
  /** Nothing waits for it. */
  | { kind: 'background'; step: Step }

/** A function of a script, under the name that `functionKey` gives to its calls. */
interface Definition {
  name: string
  body: Step
}

/** Nothing that runs. */
export const nothing: Step = { kind: 'list', steps: [] }

/** The definition of a function, whose body runs only where it is called. */
export function definitionOf(name: string, body: Step): Step {
  return { kind: 'list', steps: [], defines: { name, body } }
}

/** Several steps as one. */
export function listOf(steps: Step[]): Step {
  const [only] = steps
  return steps.length === 1 && only !== undefined ? only : { kind: 'list', steps }
}

/** Stages of a pipeline as a step. */
export function pipeOf(stages: Step[], negated: boolean = false): Step {
  const [only] = stages
  return stages.length === 1 && only !== undefined && !negated ? only : { kind: 'pipe', stages, negated }
}

/** No real chain is longer, and longer ones would nest too deeply. */
const maxLinks = 200

/** The chain `a && b || c` as a step; it is left-associative. */
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

/** The same step, with all its error messages going to the null device. */
export function silenced(step: Step): Step {
  return step.kind === 'run' ? { ...step, quiet: true } : withParts(step, silenced)
}

/** The bodies of all functions that a step defines anywhere, by name; if several have one name, the last. */
export function functionsOf(step: Step): Map<string, Step> {
  const found = new Map<string, Step>()
  const open = [step]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === 'run') continue
    const { defines } = next.kind === 'list' ? next : {}
    if (defines !== undefined) found.set(defines.name, found.get(defines.name) ?? defines.body)
    append(open, [...partsOf(next), ...(defines === undefined ? [] : [defines.body])])
  }
  return found
}

/** The key of a function's name: in PowerShell case does not matter. */
export function functionKey(word: string, dialect: Dialect): string {
  return dialect === 'powershell' ? word.toLowerCase() : word
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

/** The same step with each of its parts changed; the body of a function that it defines is none. */
export function withParts(step: Exclude<Step, Run>, change: (part: Step) => Step): Step {
  switch (step.kind) {
    case 'pipe':
      return { ...step, stages: step.stages.map(change) }
    case 'list':
      return { ...step, steps: step.steps.map(change) }
    case 'branch':
      return { ...step, tests: step.tests.map(change), bodies: step.bodies.map(change) }
    case 'background':
      return { ...step, step: change(step.step) }
    default:
      return { ...step, left: change(step.left), right: change(step.right) }
  }
}

// Which program's exit code becomes that of the whole command.

/** Settings of a script that decide how it ends. */
export interface EndSettings {
  errexit: boolean
  pipefail: boolean
}

/** Runs in parallel, connected by pipes. */
export type Pipe = Extract<Step, { kind: 'pipe' }>

/** The runs that may have given a step its exit code, if that is not 0. */
export function decidersOf(step: Step, settings: EndSettings): Run[] {
  return decidingSteps(step, settings).flatMap((decider) => {
    if (decider.kind === 'run') return [decider]
    if (decider.negated) return [negation]
    return decider.stages.flatMap((stage, index) => {
      const isLast = index === decider.stages.length - 1
      const counts = isLast || settings.pipefail || stageDialect(stage) === 'powershell'
      return counts ? decidersOf(stage, settings) : []
    })
  })
}

/** The same, with each pipeline as a whole. */
export function decidingSteps(step: Step, settings: EndSettings): (Run | Pipe)[] {
  switch (step.kind) {
    case 'run':
    case 'pipe':
      return [step]
    case 'and':
      return [...decidingSteps(step.left, settings), ...decidingSteps(step.right, settings)]
    case 'or':
      return decidingSteps(step.right, settings)
    case 'branch':
      return step.bodies.flatMap((body) => decidingSteps(body, settings))
    case 'background':
      return []
    default:
      return decidingStepsOfList(step.steps, settings)
  }
}

/** Represents a negated pipeline, whose 1 says that there was a hit. */
const negation: Run = { kind: 'run', dialect: 'posix', words: ['!'], quiet: false }

/** The last step decides, or with `set -e` any step. A bare `exit` passes on the code of what precedes it. */
function decidingStepsOfList(steps: readonly Step[], settings: EndSettings): (Run | Pipe)[] {
  if (settings.errexit) return steps.flatMap((step) => decidingSteps(step, settings))
  const last = steps.findLast((step) => !isPassedOn(step))
  return last === undefined ? [] : decidingSteps(last, settings)
}

/** Whether a step passes on the code of what precedes it. */
export function isPassedOn(step: Step): boolean {
  return step.kind === 'run' && /^(?:exit|return)$/i.test(step.words[0] ?? '') && isTransparent(step.words[1])
}

/** Whether an operand makes `exit` pass on the previous code. */
export function isTransparent(operand: string | undefined): boolean {
  return operand === undefined || /^\$(?:\?|LASTEXITCODE)$/i.test(operand)
}

/** The language of a stage of a pipeline. */
export function stageDialect(stage: Step): Run['dialect'] | undefined {
  for (const run of runsOf(stage)) return run.dialect
  return undefined
}

/** The settings made by any of these runs. */
export function endSettingsOf(runs: readonly Run[]): EndSettings {
  return { errexit: runs.some(isErrexit), pipefail: runs.some(isPipefail) }
}

/** Whether a run makes its shell end at the first failure. */
export function isErrexit({ words }: Run): boolean {
  return (words[0] === 'set' || words[0] === 'setopt') && words.some((word) => /^(?:-(?=\w*e)\w+|errexit)$/i.test(word))
}

function isPipefail({ words }: Run): boolean {
  return (words[0] === 'set' || words[0] === 'setopt') && words.some((word) => /^pipe_?fail$/i.test(word))
}
