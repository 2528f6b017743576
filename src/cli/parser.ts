/** The command line: yargs over the command modules. */
import yargs, { type Argv } from 'yargs'
import { packageVersion } from '../config/version-fs.ts'
import { UsageError } from '../diagnostics/errors.ts'
import { buildCommand } from './build.ts'
import type { CommandModule } from './command.ts'
import { flagsOf } from './flags.ts'
import { listCommand } from './list.ts'
import { serveCommand } from './serve.ts'
import { showCommand } from './show.ts'
import type { World } from './world.ts'

const program = 'codex-export'

/** All commands, in the order of help. */
export const commands: readonly CommandModule[] = [buildCommand, listCommand, showCommand, serveCommand]

/** Runs the command that the arguments name, or prints help or version. Gives the exit code. */
export async function runCommand(world: World): Promise<number> {
  let code = 0
  let printed = ''
  const parser = makeParser(world.stdout.columns, async (command, flags) => {
    code = await command.run({ world, flags })
  })
  await parser.parseAsync([...world.args], {}, (_error, _values, output) => {
    printed = output
  })
  if (printed !== '') await world.stdout.write(`${printed}\n`)
  return code
}

/** Help of the whole program. */
export async function helpText(columns: number | undefined): Promise<string> {
  return `${await makeParser(columns, async () => {}).getHelp()}\n`
}

type RunCommand = (command: CommandModule, flags: Record<string, unknown>) => Promise<void>

function makeParser(columns: number | undefined, run: RunCommand): Argv {
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
    .wrap(Math.min(columns ?? 100, 120))
    .strict()
    .recommendCommands()
    .demandCommand(1, 1, 'a command is missing', 'only one command can be run at a time')
    .version(packageVersion())
    .alias({ help: 'h', version: 'V' })
    .epilogue('Options can also stand in site.config.ts and in CODEX_EXPORT_* variables: see docs/config.md.')
    .fail((message, error) => {
      throw error ?? new UsageError(reword(message))
    })
  for (const command of commands) addCommand(parser, command, run)
  return withoutTypes(parser)
}

function addCommand(parser: Argv, command: CommandModule, run: RunCommand): void {
  const configure = (own: Argv): Argv => {
    for (const [name, describe] of Object.entries(command.positionals ?? {})) {
      own.positional(name, { describe, type: 'string', demandOption: true })
    }
    for (const [line, meaning] of command.examples) own.example(`$0 ${line}`, meaning)
    return own.options(flagsOf(command.name))
  }
  parser.command(command.usage, command.describe, configure, (flags) => run(command, flags))
}

/** Help says what a value is (`DIR`, `NAME`); types such as `[string]` would only repeat that. */
function withoutTypes(parser: Argv): Argv {
  // Our version of yargs has the method, its types do not.
  return (parser as Argv & { usageConfiguration(to: object): Argv }).usageConfiguration({ 'hide-types': true })
}

/** Messages of yargs in the form of ours: values in backticks, a hint behind. */
function reword(message: string): string {
  const unknown = message.match(/^Unknown (arguments?|commands?): (.*)$/s)
  const text = unknown === null ? lowerFirst(message) : `unknown ${unknown[1]} ${inBackticks(unknown[2] ?? '')}`
  return `${text}; see \`${program} --help\``
}

function inBackticks(names: string): string {
  return names
    .split(', ')
    .map((name) => `\`${name}\``)
    .join(', ')
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
