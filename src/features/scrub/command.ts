/** `codex-export scrub` */

import { existsSync } from 'node:fs'
import path from 'node:path'
import { type CommandModule, exitCodes } from '../../cli/command.ts'
import { writeTo } from '../../cli/product-fs.ts'
import { supervise } from '../../cli/supervise.ts'
import { note, type World } from '../../cli/world.ts'
import { resolveSettings } from '../../config/resolve.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import { formatAmount } from '../../util/time.ts'
import type { ScrubResult } from './scrub.ts'

/** Turns a private rollout into a fixture that can be shared. */
export const scrubCommand: CommandModule = {
  name: 'scrub',
  usage: 'scrub <file>',
  describe: 'Copy a rollout, keeping its shape but none of its words',
  positionals: { file: 'The path of a rollout of any age, plain or compressed' },
  examples: [['scrub rollout.jsonl --output fixture.jsonl', 'make a fixture to attach to a report']],
  async run({ world, flags }) {
    const { cwd, env, homeDir } = world
    // The configuration file is not read: none of its settings matters here, and it is a program.
    const { settings } = resolveSettings({ command: 'scrub', flags, env, cwd, homeDir, path })
    const target = String(flags['file'])
    if (target === '') throw new UsageError('`scrub` needs the path of a rollout.')
    const from = path.resolve(cwd, target)
    if (!existsSync(from))
      throw new UsageError(`There is no file \`${target}\`: \`scrub\` takes the path of a rollout, not a thread id.`)
    const product = { output: settings.output, homes: settings.homes, source: from }
    const { lines } = await writeTo(product, world, (write) => scrubTo(write, from, world))
    await note(world, `Scrubbed ${formatAmount(lines, 'line')}. Look through the result before you share it.\n`)
    return exitCodes.fine
  },
}

async function scrubTo(write: (bytes: Uint8Array) => Promise<void>, from: string, world: World): Promise<ScrubResult> {
  const { scrub } = await import('./scrub.ts')
  return supervise(world, (host) => scrub({ path: from, write }, host))
}
