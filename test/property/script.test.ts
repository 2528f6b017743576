/** What is said about a code-mode script is what the script did, compared with scripts that are really run. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Attribution, attribute, type Found } from '../../src/rollout/script/attribute.ts'
import { readScript, type ScriptCall } from '../../src/rollout/script/read-script-fs.ts'
import { isKind, piecesOf } from '../../src/rollout/script/value.ts'
import { chanceOf, madeUpScript, type Ran, runScript } from '../helpers/scripts.ts'

/** The commands that a call may have made if a part of it is unknown. */
function commandsOf({ args: [given] }: ScriptCall): RegExp {
  const pieces = isKind(given, 'fields') ? piecesOf(given.entries.get('cmd'), '') : []
  const parts = pieces.map((piece) =>
    typeof piece === 'string' ? piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : '[^]*',
  )
  return new RegExp(`^${parts.join('')}$`)
}

/** Whether what is said about a call fits this run of it. It may contain only pieces of an output. */
function isOf({ result, error = '' }: Ran, { whole, output, exitCode }: Found): boolean {
  if (result === undefined) return exitCode === undefined && [whole, output].every((text = error) => text === error)
  if (exitCode !== undefined && exitCode !== result.exit_code) return false
  if (whole !== undefined) {
    const { output: shown, exit_code } = JSON.parse(whole)
    return shown === result.output && exit_code === result.exit_code
  }
  return (output ?? '').split('\n').every((line) => result.output.includes(line))
}

/** Everything that is wrong in what is said about a script, with the script and its outputs. */
async function faultsOf(seed: number): Promise<string[]> {
  const next = chanceOf(seed)
  const code = madeUpScript(next)
  const run = await runScript(code, next, next(3) === 0 ? 8 : 0)
  const script = readScript(code)
  const patterns = script.calls.map(commandsOf)
  const missed = run.ran.filter(({ cmd }) => !patterns.some((pattern) => pattern.test(cmd)))
  const attributed = attribute(script, run.parts, run.completed)
  const faults = [
    ...missed.map(({ cmd }) => `was not read: ${cmd}`),
    ...script.calls.flatMap((call, index) => {
      const own = run.ran.filter(({ cmd }) => patterns[index]?.test(cmd))
      const isOnly = script.calls.filter((other) => other.code === call.code).length === 1
      return faultsOfCall(call, index, own, attributed, run.completed, isOnly)
    }),
  ]
  return faults.length === 0 ? [] : [...faults, code, JSON.stringify(run.parts, undefined, 1)]
}

/** `own`: the runs that may be of this call. `isOnly`: no other call may have made them. */
function faultsOfCall(
  { certain, repeated, code }: ScriptCall,
  index: number,
  own: Ran[],
  { found, absent, reached }: Attribution,
  completed: boolean,
  isOnly: boolean,
): string[] {
  const attributed = found.get(index)
  const isSure = completed && (certain || reached.has(index)) && !repeated && !absent.has(index)
  return [
    ...(isSure && own.length === 0 ? [`did not run: ${code}`] : []),
    ...(absent.has(index) && own.length > 0 && isOnly ? [`ran: ${code}`] : []),
    ...(attributed === undefined || own.some((one) => isOf(one, attributed))
      ? []
      : [`gave no ${JSON.stringify(attributed)}: ${code}`]),
  ]
}

describe('a script that was really run', () => {
  it('made the calls that were read, and they gave what was attributed to them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        expect(await faultsOf(seed)).toEqual([])
      }),
      { numRuns: 1500 },
    )
  })
})
