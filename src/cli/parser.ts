/** The command line: yargs over the command modules. */

import type { Argv, Options } from 'yargs'
import yargs from 'yargs'
import { packageVersion } from '../config/version-fs.ts'
import { UsageError } from '../diagnostics/errors.ts'
import type { CommandModule, Program } from './command.ts'
import { flagsOf, usageMessage } from './flags.ts'
import type { World } from './world.ts'

const program = 'codex-export'

/** Runs the command that the arguments name, or prints help or version. Gives the exit code. */
export async function runCommand(world: World, { commands, features }: Program): Promise<number> {
  let code = 0
  let printed = ''
  const parser = makeParser(world, commands, async (command, flags) => {
    code = await command.run({ world, flags, features })
  })
  await parser.parseAsync([...world.args], {}, (_error, _values, output) => {
    printed = output
  })
  if (printed !== '') await world.stdout.write(`${printed}\n`)
  return code
}

/** Help of the whole program. */
export async function helpText(world: World, { commands }: Program): Promise<string> {
  return `${await makeParser(world, commands, async () => {}).getHelp()}\n`
}

type RunCommand = (command: CommandModule, flags: Record<string, unknown>) => Promise<void>

/** Whether the arguments may ask for help. yargs lays out the help of every call, which takes longer than to parse it. */
function asksForHelp(args: readonly string[]): boolean {
  return args.some((arg) => arg === 'help' || /^--h|^-[a-z]*h/i.test(arg))
}

function makeParser({ args, stdout }: World, commands: readonly CommandModule[], run: RunCommand): Argv {
  const names = commands.map(({ name }) => name)
  const parser = yargs([])
    .scriptName(program)
    .usage('$0 <command>\n\nTurns the sessions that Codex leaves on disk into a static, searchable site.')
    .locale('en')
    .parserConfiguration({
      'greedy-arrays': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
    .exitProcess(false)
    .wrap(Math.min(stdout.columns ?? 100, 120))
    .strict()
    .recommendCommands()
    .demandCommand(1, 1, 'A command is missing.', 'Only one command can be run at a time.')
    .version(packageVersion())
    .alias({ help: 'h', version: 'V' })
    .epilogue('You can also set options in site.config.ts and in CODEX_EXPORT_* variables: see docs/config.md.')
    .fail((message, error) => {
      throw error ?? new UsageError(usageMessage(message, args, names))
    })
  const isHelp = asksForHelp(args)
  for (const command of commands) addCommand(parser, command, { run, isHelp })
  return withoutTypes(parser)
}

function addCommand(parser: Argv, command: CommandModule, { run, isHelp }: { run: RunCommand; isHelp: boolean }): void {
  const configure = (own: Argv): Argv => {
    for (const [name, describe] of Object.entries(command.positionals ?? {})) {
      own.positional(name, { describe, type: 'string', demandOption: command.usage.includes(`<${name}>`) })
    }
    if (!isHelp) return own.options(hidden(flagsOf(command.name)))
    for (const [line, meaning] of command.examples) own.example(`$0 ${line}`, meaning)
    return own.options(flagsOf(command.name))
  }
  parser.command(command.usage, command.describe, configure, (flags) => run(command, flags))
}

/** The same options, left out of help. */
function hidden(flags: Record<string, Options>): Record<string, Options> {
  return Object.fromEntries(Object.entries(flags).map(([flag, option]) => [flag, { ...option, hidden: true }]))
}

/** Help says what a value is (`DIR`, `NAME`); types such as `[string]` would only repeat that. */
function withoutTypes(parser: Argv): Argv {
  // Our version of yargs has the method, its types do not.
  return (parser as Argv & { usageConfiguration(to: object): Argv }).usageConfiguration({ 'hide-types': true })
}
