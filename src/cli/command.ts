/** What every command module exports and receives, and the exit codes. */

import type { Command } from '../config/schema.ts'
import type { BuildFeatures } from '../site/context.ts'
import type { World } from './world.ts'

/** Parsed arguments of one call. */
export interface Invocation {
  command: Command
  world: World
  /** Values of flags by name without `--`, and positionals by name. */
  flags: Readonly<Record<string, unknown>>
  /** What features add to a build. */
  features: BuildFeatures
  /** Every command of the program. */
  commands: readonly CommandModule[]
}

/** One command of the program. */
export interface CommandModule {
  name: Command
  /** Command line after the program's name, in the notation of yargs: `<needed>`, `[optional]`. */
  usage: string
  describe: string
  /** Positionals by name, with their help. */
  positionals?: Readonly<Record<string, string>>
  examples: readonly (readonly [line: string, meaning: string])[]
  /** Returns the exit code. */
  run(invocation: Invocation): Promise<number>
}

/** The parts of the program. */
export interface Program {
  /** In the order in which help lists them. */
  commands: readonly CommandModule[]
  features: BuildFeatures
}

// How the program ends before and after its work. Runtimes that are too old parse this file too, so it uses plain syntax only.

/** Exit codes of every command. */
export const exitCodes = {
  fine: 0,
  /** A session has no page, or there was a warning with `--strict`. Also used if the program itself failed. */
  findings: 1,
  /** Wrong use or configuration. */
  usage: 2,
  /** By signal: 128 plus its number, as in shells. */
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
} as const

/** One line for people if a Node version does not satisfy `engines` of `package.json`; otherwise `undefined`. */
export function nodeComplaint(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22
  if (fits) return undefined
  return `codex-export: Node ${version} is too old; install Node 20.19, 22.12 or newer`
}
