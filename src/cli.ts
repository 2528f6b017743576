#!/usr/bin/env node
/** The program as npm installs it. Loads nothing modern before the runtime is known to be new enough. */

import { setFlagsFromString } from 'node:v8'
import { exitCodes, nodeComplaint } from './cli/command.ts'

// V8 11, the engine of Node 20, optimises a function at four times its usual work: a third of a build's CPU was spent on
// compiling, and most of that again for each session (docs/performance.md). Newer engines do better by themselves.
if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=270336')
// Collects when the heap is twice what lived last, instead of up to four times: of a rollout of 100 MB, 80 MB live.
setFlagsFromString('--heap-growing-percent=100')

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
