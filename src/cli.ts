#!/usr/bin/env node
/** The program as npm installs it. Loads nothing modern before the runtime is known to be new enough. */

import { exitCodes, nodeComplaint } from './cli/exit-codes.ts'

async function start(): Promise<number> {
  const complaint = nodeComplaint(process.versions.node)
  if (complaint !== undefined) {
    process.stderr.write(`${complaint}\n`)
    return exitCodes.usage
  }
  const { main } = await import('./cli/main.ts')
  const { processWorld } = await import('./cli/world.ts')
  return await main(processWorld(), () => import('./program.ts'))
}

// Not by `process.exit`: what was written must reach its reader first.
start().then((code) => {
  process.exitCode = code
})
