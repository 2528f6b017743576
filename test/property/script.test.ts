/** What is told of a script of code mode is what the script did: held against scripts that are really run. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Attribution, attribute, type Found } from '../../src/rollout/script/attribute.ts'
import { readScript, type ScriptCall } from '../../src/rollout/script/read-script-fs.ts'
import { isKind, piecesOf } from '../../src/rollout/script/value.ts'
import { chanceOf, madeUpScript, type Ran, runScript } from '../helpers/scripts.ts'

/** The commands that a call may be, where a part of it is not known. */
function commandsOf({ args: [given] }: ScriptCall): RegExp {
  const pieces = isKind(given, 'fields') ? piecesOf(given.entries.get('cmd'), '') : []
  const parts = pieces.map((piece) =>
    typeof piece === 'string' ? piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : '[^]*',
  )
  return new RegExp(`^${parts.join('')}$`)
}

/** Whether what is told of a call is of this run of it. Pieces of an output may be made of it. */
function isOf({ result, error = '' }: Ran, { whole, output, exitCode }: Found): boolean {
  if (result === undefined) return exitCode === undefined && [whole, output].every((text = error) => text === error)
  if (exitCode !== undefined && exitCode !== result.exit_code) return false
  if (whole !== undefined) {
    const { output: shown, exit_code } = JSON.parse(whole)
    return shown === result.output && exit_code === result.exit_code
  }
  return (output ?? '').split('\n').every((line) => result.output.includes(line))
}

/** All that is told of a script and not so, with the script and what came of it. */
async function faultsOf(seed: number): Promise<string[]> {
  const next = chanceOf(seed)
  const code = madeUpScript(next)
  const run = await runScript(code, next, next(3) === 0 ? 8 : 0)
  const script = readScript(code)
  const patterns = script.calls.map(commandsOf)
  const missed = run.ran.filter(({ cmd }) => !patterns.some((pattern) => pattern.test(cmd)))
  const told = attribute(script, run.parts, run.completed)
  const faults = [
    ...missed.map(({ cmd }) => `is not told: ${cmd}`),
    ...script.calls.flatMap((call, index) => {
      const own = run.ran.filter(({ cmd }) => patterns[index]?.test(cmd))
      const isOnly = script.calls.filter((other) => other.code === call.code).length === 1
      return faultsOfCall(call, index, own, told, run.completed, isOnly)
    }),
  ]
  return faults.length === 0 ? [] : [...faults, code, JSON.stringify(run.parts, undefined, 1)]
}

/** `own`: the runs that may be of the call; `isOnly`: these are of no other. */
function faultsOfCall(
  { certain, repeated, code }: ScriptCall,
  index: number,
  own: Ran[],
  { found, absent, passed }: Attribution,
  completed: boolean,
  isOnly: boolean,
): string[] {
  const told = found.get(index)
  const isSure = completed && (certain || passed.has(index)) && !repeated && !absent.has(index)
  return [
    ...(isSure && own.length === 0 ? [`did not run: ${code}`] : []),
    ...(absent.has(index) && own.length > 0 && isOnly ? [`ran: ${code}`] : []),
    ...(told === undefined || own.some((one) => isOf(one, told)) ? [] : [`gave no ${JSON.stringify(told)}: ${code}`]),
  ]
}

describe('a script that was really run', () => {
  it('made the calls that are told, and they gave what is told', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        expect(await faultsOf(seed)).toEqual([])
      }),
      { numRuns: 1500 },
    )
  })
})
