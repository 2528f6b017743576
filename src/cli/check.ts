/** `codex-export check` */
import type { CheckResult } from '../app/types.ts'
import { checkJson, checkText } from './check-text.ts'
import type { CommandModule } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { filtersOf, readSettings, sourcesOf } from './settings.ts'
import { noSessions } from './summary.ts'
import { supervise } from './supervise.ts'

/** Reads the sessions and prints what was found. */
export const checkCommand: CommandModule = {
  name: 'check',
  usage: 'check',
  describe: 'Read the sessions, write nothing, and print all that was found and the receipt of their lines',
  examples: [['check --since 7d', 'whether the sessions of the last week can be read without loss']],
  async run(invocation) {
    const { world } = invocation
    const call = await readSettings('check', invocation)
    const { check } = await import('../app/check.ts')
    const options = { sources: sourcesOf(call), filters: filtersOf(call), plugins: call.settings.plugins }
    const result = await supervise(world, (host) => check(options, host))
    if (result.sessions + result.failed === 0) await world.stderr.write(`${noSessions(result.places).join('\n')}\n`)
    await world.stdout.write(call.settings.json ? checkJson(result) : checkText(result))
    return isClean(result) ? exitCodes.fine : exitCodes.findings
  },
}

function isClean({ diagnostics, lines }: CheckResult): boolean {
  return diagnostics.every(({ level }) => level === 'info') && Object.keys(lines.unknown).length === 0
}
