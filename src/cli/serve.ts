/** `codex-export serve` */
import { RemovalError } from '../diagnostics/removal.ts'
import { printableLines } from '../util/printable.ts'
import { buildOptions, reportOf } from './build.ts'
import type { CommandModule } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { readSettings } from './settings.ts'
import { supervise } from './supervise.ts'

/** Builds the site and serves it on this machine until Ctrl-C. */
export const serveCommand: CommandModule = {
  name: 'serve',
  usage: 'serve',
  describe: 'Build the site and serve it on 127.0.0.1 until Ctrl-C',
  examples: [['serve --port 8080 --open', 'on a port of your choice, opened in the browser']],
  async run(invocation) {
    const { world, features } = invocation
    const call = await readSettings('serve', invocation)
    const { out, port, open } = call.settings
    const [{ build }, { serve }] = await Promise.all([import('../app/build.ts'), import('../app/serve.ts')])
    const options = buildOptions(call)
    try {
      await supervise(world, (host) => build(options, host, features), reportOf(options))
    } catch (error) {
      // The site of the last build still stands, and it is what the reader came for.
      if (!(error instanceof RemovalError)) throw error
      await world.stderr.write(`${printableLines(error.message)}\nServing the site of the last build.\n`)
    }
    await supervise(world, (host) => serve({ out, port, open }, host), { farewell: 'Stopped.' })
    return exitCodes.fine
  },
}
