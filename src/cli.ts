#!/usr/bin/env node
/** The program as npm installs it. Loads no modern code before it has checked that the runtime is new enough. */

import { Console } from 'node:console'
import { setFlagsFromString } from 'node:v8'
import { exitCodes, nodeComplaint } from './cli/command.ts'

// V8 11, the engine of Node 20, is told to optimise a function only after 16 times the usual work: a third of a build's CPU time
// went into compiling, most of it again for each session (docs/performance.md). Newer engines do better by themselves.
if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=1081344')
// Collects garbage when the heap has doubled since the last collection, instead of up to quadrupled: of a rollout of 100 MB, 80
// MB stay alive.
setFlagsFromString('--heap-growing-percent=100')

/** Whether the program reached its own end. Code of the user can end the process, or wait for something that never comes. */
let isDone = false

async function start(): Promise<number> {
  const complaint = nodeComplaint(process.versions.node)
  if (complaint !== undefined) {
    process.stderr.write(`${complaint}\n`)
    return exitCodes.usage
  }
  // Standard output is for the product; what a configuration or a plugin prints is for people.
  globalThis.console = new Console(process.stderr, process.stderr)
  const { explain, main } = await import('./cli/main.ts')
  const { processWorld } = await import('./cli/world.ts')
  const world = processWorld()
  process.once('uncaughtException', async (error) => {
    const { strayError } = await import('./diagnostics/errors.ts')
    const { packageFolder } = await import('./config/package-fs.ts')
    const code = await explain(strayError(error, packageFolder), world)
    isDone = true
    process.exit(code)
  })
  return await main(world, () => import('./program.ts'))
}

// If none of our handlers takes an error, for example that of a missing module, Node itself prints all there is to say.
process.on('uncaughtExceptionMonitor', () => {
  isDone ||= process.listenerCount('uncaughtException') === 0
})

process.once('exit', (code) => {
  // A second Ctrl-C ends the program on purpose.
  if (isDone || code > 128) return
  process.stderr.write(
    'codex-export: The program ended before its work was done. The configuration file, a plugin or a template ' +
      'ended it, or waits for something that never happens. If you use none of these, this is a bug in codex-export.\n',
  )
  process.exitCode = exitCodes.usage
})

// Not by `process.exit`, because everything written must reach its reader first. A plugin's timer or connection may delay the end
// by at most a second.
start().then((code) => {
  isDone = true
  process.exitCode = code
  setTimeout(() => process.exit(), 1000).unref()
})
