/** `codex-export scrub` */
import { type FileHandle, open, realpath, rm } from 'node:fs/promises'
import path from 'node:path'
import type { ScrubResult } from '../app/types.ts'
import { resolveSettings } from '../config/resolve.ts'
import { UsageError } from '../diagnostics/errors.ts'
import { errorCode, reasonOf } from '../util/reason.ts'
import { formatAmount } from '../util/time.ts'
import type { CommandModule } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { supervise } from './supervise.ts'
import type { World } from './world.ts'

/** Makes a fixture that can be shared of a private rollout. */
export const scrubCommand: CommandModule = {
  name: 'scrub',
  usage: 'scrub <file>',
  describe: 'Make a copy of a rollout that has its shape and none of its words',
  positionals: { file: 'The path of a rollout of any age, plain or compressed' },
  examples: [['scrub rollout.jsonl --output fixture.jsonl', 'a fixture that can be attached to a report']],
  async run({ world, flags }) {
    const { cwd, env, homeDir } = world
    // Without a configuration file: none of its settings matters here, and it is a program.
    const { settings } = resolveSettings({ command: 'scrub', flags, env, cwd, homeDir, path })
    const target = String(flags['file'])
    if (target === '') throw new UsageError('`scrub` needs the path of a rollout.')
    const from = path.resolve(cwd, target)
    const { output } = settings
    const { lines } =
      output === undefined
        ? await scrubTo((bytes) => world.stdout.write(bytes), from, world)
        : await scrubToFile(output, from, world)
    await world.stderr.write(`Scrubbed ${formatAmount(lines, 'line')}. Look through the result before you share it.\n`)
    return exitCodes.fine
  },
}

async function scrubTo(write: (bytes: Uint8Array) => Promise<void>, from: string, world: World): Promise<ScrubResult> {
  const { scrub } = await import('../app/scrub.ts')
  return supervise(world, (host) => scrub({ path: from, write }, host))
}

/** The file is made when the first bytes are there, and removed when not all of them came. */
async function scrubToFile(output: string, from: string, world: World): Promise<ScrubResult> {
  if (await isSame(output, from)) throw new UsageError('`--output` names the rollout itself; name another file.')
  let file: FileHandle | undefined
  try {
    const write = async (bytes: Uint8Array): Promise<void> => {
      file ??= await create(output)
      await file.writeFile(bytes)
    }
    const result = await scrubTo(write, from, world)
    await write(new Uint8Array())
    await file?.close()
    return result
  } catch (error) {
    await file?.close()
    if (file !== undefined) await rm(output, { force: true })
    throw error
  }
}

async function create(output: string): Promise<FileHandle> {
  try {
    return await open(output, 'w')
  } catch (cause) {
    const reason = errorCode(cause) === 'ENOENT' ? 'its folder does not exist' : reasonOf(cause)
    throw new UsageError(`Cannot write \`${output}\`: ${reason}.`, { cause })
  }
}

async function isSame(a: string, b: string): Promise<boolean> {
  try {
    return (await realpath(a)) === (await realpath(b))
  } catch {
    return false
  }
}
