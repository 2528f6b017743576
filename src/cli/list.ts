/** `codex-export list` */
import type { ListResult } from '../app/types.ts'
import { formatAmount } from '../util/time.ts'
import type { CommandModule } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { personalOf } from './personal.ts'
import { filtersOf, readSettings, sourcesOf } from './settings.ts'
import { noSessions } from './summary.ts'
import { supervise } from './supervise.ts'
import type { World } from './world.ts'

/** Prints the session index. */
export const listCommand: CommandModule = {
  name: 'list',
  usage: 'list',
  describe: 'Print the session index, one row a thread',
  examples: [['list --since 7d', 'sessions of the last week']],
  async run(invocation) {
    const { world } = invocation
    const call = await readSettings('list', invocation)
    const { list } = await import('../app/list.ts')
    const options = {
      sources: sourcesOf(call),
      filters: filtersOf(call),
      redact: call.settings.redact,
      personal: personalOf(call),
    }
    const result = await supervise(world, (host) => list(options, host))
    if (call.settings.json) await world.stdout.write(`${JSON.stringify(result.rows, undefined, 2)}\n`)
    else await print(result, call.settings.timeZone, world)
    return result.failed > 0 ? exitCodes.findings : exitCodes.fine
  },
}

async function print(result: ListResult, timeZone: string, { stdout, stderr }: World): Promise<void> {
  if (result.rows.length === 0) return stderr.write(`${noSessions(result.places).join('\n')}\n`)
  const { listTable } = await import('./list-table.ts')
  const { lines, leftOut } = listTable(result, timeZone, stdout.isTerminal ? (stdout.columns ?? 80) : undefined)
  await stdout.write(`${lines.join('\n')}\n`)
  const sum = formatAmount(result.rows.length, 'session')
  const hint = leftOut.length === 0 ? '' : `; no room for ${leftOut.join(', ')}: \`--json\` has everything`
  await stderr.write(`${sum}${hint}\n`)
}
