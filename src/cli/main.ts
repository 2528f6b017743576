/** The program: runs a command and turns every outcome into an exit code. Heavy modules load only when needed. */

import { packageVersion } from '../config/package-fs.ts'
import { isExpected } from '../diagnostics/errors.ts'
import { errorCode, isDiskError, reasonOf } from '../util/reason.ts'
import { asCalled } from './called-as-fs.ts'
import { exitCodes, type Program } from './command.ts'
import { hasColour, Interrupted, type World } from './world.ts'

/** Runs the program in a world and returns the exit code; `load` loads its commands. Never throws. */
export async function main(world: World, load: () => Promise<Program>): Promise<number> {
  try {
    return await run(world, load)
  } catch (error) {
    return await explain(error, world)
  }
}

async function run(world: World, load: () => Promise<Program>): Promise<number> {
  const [first] = world.args
  if (first === '--version' || first === '-V') {
    await world.stdout.write(`${packageVersion()}\n`)
    return exitCodes.fine
  }
  // Throws where the working folder was deleted: modules that ask for it as they load would say so in their own words.
  void world.cwd
  const [program, { helpText, runCommand }] = await Promise.all([load(), import('./parser.ts')])
  if (first === undefined && world.stdout.isTerminal) {
    await world.stdout.write(await helpText(world, program))
    return exitCodes.fine
  }
  return await runCommand(world, program)
}

/** Prints one line for an expected error and the stack for any other; returns the exit code. */
export async function explain(error: unknown, world: World): Promise<number> {
  if (error instanceof Interrupted) {
    await world.stderr.write('codex-export: Interrupted.\n')
    return exitCodes[error.signal]
  }
  const message = isExpected(error) ? error.message : diskFault(error)
  if (message !== undefined) {
    await world.stderr.write(`${inRed('codex-export:', world)} ${await safeLines(asCalled(message, world))}\n`)
    return exitCodes.usage
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  await world.stderr.write(`codex-export: this is a bug in codex-export; please report it\n${await safeLines(text)}\n`)
  return exitCodes.findings
}

/** The message for a disk error that no other code handled. A missing file may be our own fault, so it is not covered. */
function diskFault(error: unknown): string | undefined {
  if (!isDiskError(error) || errorCode(error) === 'ENOENT') return undefined
  const path = error instanceof Error && 'path' in error ? ` \`${String(error.path)}\`` : ' a file'
  return `Cannot use${path}: ${reasonOf(error)}.`
}

function inRed(text: string, { stderr, env }: World): string {
  return hasColour(stderr, env) ? `\x1b[31m${text}\x1b[39m` : text
}

/** Makes a message safe to print: it may quote file names and values that were not meant for a terminal. */
async function safeLines(text: string): Promise<string> {
  const { printableLines } = await import('../util/printable.ts')
  return printableLines(text)
}
