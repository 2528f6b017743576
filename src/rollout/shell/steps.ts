/**
 * What a command line runs, whatever the language it is written in: the programs, and how they hang together as far as
 * the end of the whole depends on it.
 */

import { append } from '../../util/groups.ts'

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
  /** A variable takes its output, or that of the pipeline in which it is. */
  isKept?: true
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
  /**
   * One after the other, whatever comes of each. `isApart`: in a shell of its own, whose folder and end are its own. `defines`:
   * nothing runs here, but what a function does where it is called.
   */
  | { kind: 'list'; steps: Step[]; isApart?: true; defines?: Definition }
  /** Conditions, cases and loops: what decides, and what may run. */
  | { kind: 'branch'; tests: Step[]; bodies: Step[] }
  /** Nothing waits for it. */
  | { kind: 'background'; step: Step }

/** A function of a script, by the name that `functionKey` gives its calls. */
interface Definition {
  name: string
  body: Step
}

/** Nothing that runs. */
export const nothing: Step = { kind: 'list', steps: [] }

/** Where a script defines a function: what it does, it does where it is called. */
export function definitionOf(name: string, body: Step): Step {
  return { kind: 'list', steps: [], defines: { name, body } }
}

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

/** What the functions do that a step defines anywhere, by name; of several with one name, the last. */
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

/** The name that a function is called by: in PowerShell without regard to case. */
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

// Which program's code is that of the whole.

/** How a script was set to end. */
export interface EndSettings {
  errexit: boolean
  pipefail: boolean
}

/** Runs side by side. */
export type Pipe = Extract<Step, { kind: 'pipe' }>

/** The runs of which one gave the code that ended a step, where it was not 0. */
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

/** The same with pipelines as a whole. */
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

/** A `!` in front: its 1 says that there was a hit. */
const negation: Run = { kind: 'run', dialect: 'posix', words: ['!'], quiet: false }

/** The last step decides, with `set -e` any; a bare `exit` gives on what came before it. */
function decidingStepsOfList(steps: readonly Step[], settings: EndSettings): (Run | Pipe)[] {
  if (settings.errexit) return steps.flatMap((step) => decidingSteps(step, settings))
  const last = steps.findLast((step) => !isPassedOn(step))
  return last === undefined ? [] : decidingSteps(last, settings)
}

/** Whether a step gives on the code of what came before it. */
export function isPassedOn(step: Step): boolean {
  return step.kind === 'run' && /^(?:exit|return)$/i.test(step.words[0] ?? '') && isTransparent(step.words[1])
}

/** What `exit` is given where it gives on the code before it. */
export function isTransparent(operand: string | undefined): boolean {
  return operand === undefined || /^\$(?:\?|LASTEXITCODE)$/i.test(operand)
}

/** The language of a stage of a pipeline. */
export function stageDialect(stage: Step): Run['dialect'] | undefined {
  for (const run of runsOf(stage)) return run.dialect
  return undefined
}

/** The settings that any of some runs makes. */
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
