/** `codex-export context` */
import { resolve } from 'node:path'
import type { ContextResult } from '../app/context.ts'
import { generatorName } from '../config/version-fs.ts'
import type { CommandModule } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { personalOf } from './personal.ts'
import { readSettings, sourcesOf } from './settings.ts'
import { supervise } from './supervise.ts'
import type { World } from './world.ts'

/** Prints what the model remembers of one thread. */
export const contextCommand: CommandModule = {
  name: 'context',
  usage: 'context <target>',
  describe: 'Print what the model remembers of a session, item by item',
  positionals: { target: 'The beginning of a thread id, or the path of a rollout' },
  examples: [
    ['context 0199a213', 'what Codex would send with the next request of a thread'],
    ['context 0199a213 --at 12', 'the same as it was behind turn 12'],
  ],
  async run(invocation) {
    const { world, flags } = invocation
    const call = await readSettings('context', invocation)
    const target = String(flags['target'])
    const { context } = await import('../app/context.ts')
    const options = {
      sources: sourcesOf(call),
      target,
      targetPath: resolve(world.cwd, target),
      redact: call.settings.redact,
      personal: personalOf(call),
      at: call.settings.at,
    }
    const result = await supervise(world, (host) => context(options, host))
    if (call.settings.json) await printJson(result, world)
    else await printText(result, world)
    return exitCodes.fine
  },
}

async function printJson({ title, turns, memory, totals, tokens }: ContextResult, { stdout }: World): Promise<void> {
  const head = { schema: 'codex-export/context', version: 1, generator: generatorName() }
  const document = { ...head, title, turns, tokens, totals, ...memory }
  await stdout.write(`${JSON.stringify(document, undefined, 2)}\n`)
}

async function printText(result: ContextResult, { stdout, stderr }: World): Promise<void> {
  const { contextText } = await import('./context-text.ts')
  const { lines, leftOut } = contextText(result, stdout.isTerminal ? stdout.columns || 80 : undefined)
  await stdout.write(`${lines.join('\n')}\n`)
  if (leftOut.length > 0) await stderr.write(`no room for ${leftOut.join(', ')}: \`--json\` has everything\n`)
}
