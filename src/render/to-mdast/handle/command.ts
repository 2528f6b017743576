/** Commands, what was sent to them and what they wrote. */
import type { Command, Input, Output } from '../../../model/trast.ts'
import { commandFacts } from '../../labels.ts'
import { factLine, fence, type Inline, mono, paragraph } from '../build.ts'
import { fencedLiteral } from '../cut.ts'
import type { Handle, State } from '../state.ts'

/** Fenced script, fenced output, then how it ended: `exit 1 · 2.3 s`. */
export const command: Handle<Command> = (node, state) => [
  ...fence(node.script === '' ? node.argv.join(' ') : node.script, 'sh'),
  ...state.all(node.children),
  ...factLine(outcome(node, state)),
]

function outcome(node: Command, state: State): Inline[] {
  const { cwd, actor } = node
  return [
    actor === 'user' ? 'run by the user' : '',
    ...commandFacts(node),
    cwd === undefined || cwd === state.cwd ? '' : mono(cwd),
  ]
}

/** What was sent to a running process. */
export const input: Handle<Input> = (node, state) => [
  paragraph('Sent to the process:'),
  ...fencedLiteral({ ...node, value: visibleKeys(node.value) }, state),
]

/** Control keys as people write them: a lone interrupt would be an empty fence. */
function visibleKeys(value: string): string {
  return value.replace(
    /[\0-\x08\x0B-\x1A\x1B\x1C-\x1F\x7F]/g,
    (key) => `^${String.fromCharCode(key.charCodeAt(0) ^ 0x40)}`,
  )
}

/** Fenced text, verbatim: what a command wrote is not ours to arrange. */
export const output: Handle<Output> = (node, state) => {
  const body = fencedLiteral(node, state)
  return body.length === 0 || node.stream !== 'stderr' ? body : [paragraph('Standard error:'), ...body]
}
