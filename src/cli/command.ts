/** What every command module exports, and what it is run with. */

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
