/** `codex-export show` */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ShowOptions } from '../app/types.ts'
import { UsageError } from '../diagnostics/errors.ts'
import { errorCode, reasonOf } from '../util/reason.ts'
import type { CommandModule } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { lookOf, readSettings, sourcesOf } from './settings.ts'
import { supervise } from './supervise.ts'

/** Prints one transcript. */
export const showCommand: CommandModule = {
  name: 'show',
  usage: 'show <target>',
  describe: 'Print one transcript',
  positionals: { target: 'The beginning of a thread id, or the path of a rollout' },
  examples: [
    ['show 0199a213', 'the thread whose id begins like this, as Markdown'],
    ['show rollout.jsonl --format html --output page.html', 'a rollout as a page'],
  ],
  async run(invocation) {
    const { world, flags } = invocation
    const call = await readSettings('show', invocation)
    const { format, output } = call.settings
    const target = String(flags['target'])
    if (target === '') throw new UsageError('`show` needs the beginning of a thread id, or the path of a rollout.')
    const options: ShowOptions = {
      sources: sourcesOf(call),
      look: lookOf(call),
      target,
      targetPath: resolve(world.cwd, target),
      format,
    }
    const { show } = await import('../app/show.ts')
    const product = await supervise(world, (host) => show(options, host))
    if (output === undefined) await world.stdout.write(product)
    else await save(output, product)
    return exitCodes.fine
  },
}

async function save(file: string, product: string): Promise<void> {
  try {
    await writeFile(file, product)
  } catch (cause) {
    const reason = errorCode(cause) === 'ENOENT' ? 'its folder does not exist' : reasonOf(cause)
    throw new UsageError(`Cannot write \`${file}\`: ${reason}.`, { cause })
  }
}
