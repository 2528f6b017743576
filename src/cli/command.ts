/** What every command module exports, what it is run with, and the codes that it ends with. */

import type { Command } from '../config/schema.ts'
import type { BuildFeatures } from '../site/context.ts'
import type { World } from './world.ts'

/** Parsed arguments of one call. */
export interface Invocation {
  world: World
  /** Flags without `--`, and positionals by name. */
  flags: Readonly<Record<string, unknown>>
  /** What features add to a build. */
  features: BuildFeatures
  /** Every command of the program. */
  commands: readonly CommandModule[]
}

/** One command of the program. */
export interface CommandModule {
  name: Command
  /** Command line behind the program's name, in the notation of yargs: `<needed>`, `[optional]`. */
  usage: string
  describe: string
  /** Positionals by name, with their help. */
  positionals?: Readonly<Record<string, string>>
  examples: readonly (readonly [line: string, meaning: string])[]
  /** Gives the exit code. */
  run(invocation: Invocation): Promise<number>
}

/** What a program is made of. */
export interface Program {
  /** In the order of help. */
  commands: readonly CommandModule[]
  features: BuildFeatures
}

// How the program ends before and after its work. Runtimes that are too old parse this file too: keep it plain.

/** Exit codes of every command. */
export const exitCodes = {
  fine: 0,
  /** A session gave no page, or `--strict` and a warning. Also: the program itself failed. */
  findings: 1,
  /** Wrong use or configuration. */
  usage: 2,
  /** By the signal: 128 and its number, as shells have it. */
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
} as const

/** One line for people when a Node version does not fit `engines` of `package.json`, else `undefined`. */
export function nodeComplaint(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22
  if (fits) return undefined
  return `codex-export: Node ${version} is too old; install Node 20.19, 22.12 or newer`
}
