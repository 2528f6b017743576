/** The command line: yargs over the command modules. */

import type { Argv, Options } from 'yargs'
import yargs from 'yargs'
import { packageVersion } from '../config/package-fs.ts'
import {
  type Command,
  defaultText,
  type Option,
  optionAt,
  optionGroups,
  options,
  settingNames,
} from '../config/schema.ts'
import { UsageError } from '../diagnostics/errors.ts'
import { closest } from '../util/closest.ts'
import { defined } from '../util/own.ts'
import { joinTexts } from '../util/text.ts'
import { beforeDashes, quoted } from './called-as-fs.ts'
import type { CommandModule, Program } from './command.ts'
import type { World } from './world.ts'

/** Runs the command that the arguments name, or prints help or the version. Returns the exit code. */
export async function runCommand(outside: World, { commands, features }: Program): Promise<number> {
  const world = { ...outside, args: withHelp(commandFirst(outside.args, commands), commands) }
  let code = 0
  let printed = ''
  const parser = makeParser(world, commands, async (command, flags) => {
    refuseOtherThanSwitches(world.args, command.name)
    const typed = unmarked(flags)
    code = await command.run({
      command: command.name,
      world: { ...world, verbosity: verbosityOf(typed) },
      flags: typed,
      features,
      commands,
    })
  })
  await parser.parseAsync(marked(world.args, commands), {}, (_error, _values, output) => {
    printed = output
  })
  if (printed !== '') await world.stdout.write(`${printed}\n`)
  return code
}

/** The arguments with the command moved before any options that were typed in front of it, as in `--json list`. */
export function commandFirst(args: readonly string[], commands: readonly CommandModule[]): readonly string[] {
  if (args[0] === '--' && args.length > 1) return args.slice(1)
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (!arg.startsWith('-')) {
      const isCommand = commands.some(({ name }) => name === arg)
      return isCommand ? [arg, ...args.slice(0, index), ...args.slice(index + 1)] : args
    }
    const option = optionOf(arg)
    if (option === undefined) return args
    const takesValue = option.kind.placeholder !== '' && !arg.startsWith('--no-')
    if (takesValue && !arg.includes('=')) index++
  }
  return args
}

/** The option that an argument names, of whatever command. */
function optionOf(arg: string): Option | undefined {
  const [written = ''] = arg.split('=', 1)
  return settingNames
    .map((name): Option => options[name])
    .find(
      ({ flag, short }) =>
        (flag !== undefined && [`--${flag}`, `--no-${flag}`].includes(written)) ||
        (short !== undefined && written === `-${short}`),
    )
}

/**
 * Turns `help build` into `build --help`. If the first word is not a command, keeps only that word, so that it is refused as one.
 */
function withHelp(args: readonly string[], commands: readonly CommandModule[]): readonly string[] {
  const isWord = (arg: string | undefined): arg is string => arg !== undefined && arg !== '' && !arg.startsWith('-')
  const [first, second] = args
  const command = first === 'help' ? second : first
  if (!isWord(command)) return args
  if (!commands.some(({ name }) => name === command)) return [command]
  return first === 'help' ? [command, '--help'] : args
}

/** Help of the whole program. */
export async function helpText(world: World, { commands }: Program): Promise<string> {
  return `${await makeParser(world, commands, async () => {}).getHelp()}\n`
}

function verbosityOf({ quiet, verbose }: Record<string, unknown>): World['verbosity'] {
  if (quiet && verbose) throw new UsageError('`--quiet` and `--verbose` cannot be given together.')
  if (quiet) return 'quiet'
  return verbose ? 'verbose' : 'normal'
}

/**
 * Put before an argument that must not be read as an option or as `help`, whatever it looks like; no system passes arguments that
 * contain this character.
 */
const mark = '\0'

/** The arguments, with marks on those after `--`, which yargs would give to no command, and on words to search for. */
function marked(args: readonly string[], commands: readonly CommandModule[]): string[] {
  const acceptsWords = commands.some(({ name, usage }) => name === args[0] && usage.endsWith('..>'))
  const before = beforeDashes(args)
  const words = before.map((arg) => (acceptsWords && arg === 'help' ? mark + arg : arg))
  return [...words, ...args.slice(before.length + 1).map((arg) => mark + arg)]
}

/** Flag values without marks. */
function unmarked(flags: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain)
    return typeof value === 'string' && value.startsWith(mark) ? value.slice(mark.length) : value
  }
  return Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, plain(value)]))
}

/** Refuses other values for switches: yargs reads every value but `true` as `false`, so `--dry-run=yes` would write. */
function refuseOtherThanSwitches(args: readonly string[], command: Command): void {
  for (const [flag, { boolean, alias }] of Object.entries(flagsOf(command))) {
    if (!boolean) continue
    for (const arg of beforeDashes(args)) {
      const [, written, value] = arg.match(/^(--?[\w-]+)=(.*)$/s) ?? []
      if (written !== `--${flag}` && written !== `-${alias}`) continue
      if (value !== 'true' && value !== 'false')
        throw new UsageError(`\`${written}\` is \`${value}\`; expected true or false.`)
    }
  }
}

type RunCommand = (command: CommandModule, flags: Record<string, unknown>) => Promise<void>

/**
 * Whether the arguments may ask for help. For every call that does not, the layout of help is skipped, because it takes longer
 * than parsing.
 */
function asksForHelp(args: readonly string[]): boolean {
  return args.some((arg) => arg === 'help' || /^--h|^-[a-zA-Z]*h/.test(arg))
}

function makeParser({ args, stdout, program }: World, commands: readonly CommandModule[], run: RunCommand): Argv {
  const isHelp = args.length === 0 || asksForHelp(args)
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
    .wrap(isHelp ? Math.min(stdout.columns ?? 100, 120) : null)
    .strict()
    .recommendCommands()
    .demandCommand(1, 1, commandMissing, 'Only one command can be run at a time.')
    .version(packageVersion())
    .alias({ help: 'h', version: 'V' })
    .epilogue('You can also set options in site.config.ts and in CODEX_EXPORT_* variables: see docs/config.md.')
    .fail((message, error) => {
      throw error ?? new UsageError(usageMessage(message, args, commands))
    })
  // The options of other commands matter only for help, and for words that are not commands.
  const named = isHelp ? [] : commands.filter(({ name }) => name === args[0])
  for (const command of named.length > 0 ? named : commands) addCommand(parser, command, { run, isHelp })
  return withoutTypes(parser)
}

function addCommand(parser: Argv, command: CommandModule, { run, isHelp }: { run: RunCommand; isHelp: boolean }): void {
  const configure = (ofCommand: Argv): Argv => {
    for (const [name, describe] of Object.entries(command.positionals ?? {})) {
      ofCommand.positional(name, { describe, type: 'string', demandOption: command.usage.includes(`<${name}>`) })
    }
    if (!isHelp) return ofCommand.options(hidden(flagsOf(command.name)))
    // Each example on its own lines: a command that is wrapped in a column cannot be copied.
    for (const [line, meaning] of command.examples) ofCommand.example(`# ${meaning}\n$0 ${line}`, '')
    return ofCommand.options(flagsOf(command.name))
  }
  parser.command(command.usage, command.describe, configure, (flags) => run(command, flags))
}

/** The same options, hidden from help. */
function hidden(flags: Record<string, Options>): Record<string, Options> {
  return Object.fromEntries(Object.entries(flags).map(([flag, option]) => [flag, { ...option, hidden: true }]))
}

/** Help names the values (`DIR`, `NAME`); types such as `[string]` would only repeat that. */
function withoutTypes(parser: Argv): Argv {
  // Our version of yargs has this method, but its types do not.
  return (parser as Argv & { usageConfiguration(to: object): Argv }).usageConfiguration({ 'hide-types': true })
}

// The option table as yargs options.

/** Flags of a command, sorted by group. Values stay text: `resolveSettings` reads those of flags and environment alike. */
function flagsOf(command: Command): Record<string, Options> {
  const flags: Record<string, Options> = {}
  const order = Object.keys(optionGroups)
  for (const name of settingNames.toSorted(
    (a, b) => order.indexOf(options[a].group) - order.indexOf(options[b].group),
  )) {
    const option: Option = options[name]
    const { flag, kind, commands, short } = option
    if (flag === undefined || !commands.includes(command)) continue
    const type = kind.placeholder === '' ? { boolean: true } : { string: true }
    flags[flag] = {
      ...type,
      ...(kind.many && { array: true }),
      ...defined({ alias: short }),
      group: optionGroups[option.group],
      describe: describe(optionAt(command, option)),
    }
  }
  return flags
}

/** The flags of one call that another command accepts too, as they would be typed. */
export function repeatedFlags(flags: Readonly<Record<string, unknown>>, command: Command): string[] {
  return Object.keys(flagsOf(command)).flatMap((flag) => {
    const value = flags[flag]
    if (value === undefined) return []
    if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`]
    const values = Array.isArray(value) ? value : [value]
    return values.flatMap((item) => [`--${flag}`, quoted(String(item))])
  })
}

function describe(option: Option): string {
  const defaultValue = defaultText(option)
  const notes = [
    option.kind.placeholder.replaceAll(',', ', '),
    defaultValue === undefined ? '' : `default: ${defaultValue.replaceAll('`', '')}`,
  ]
  const shown = joinTexts(notes, '; ')
  const help = option.help.replaceAll('`', '')
  return shown === '' ? help : `${help} (${shown})`
}

// Messages of yargs about wrong use, brought into our form: one line, values in backticks, a hint at the end.

/** Says what is wrong with the arguments. */
function usageMessage(message: string, args: readonly string[], commands: readonly CommandModule[]): string {
  const [first = ''] = args.filter((arg) => !arg.startsWith('-'))
  const command = commands.find(({ name }) => name === first)
  const help = command === undefined ? 'codex-export --help' : `codex-export ${command.name} --help`
  if (command !== undefined && message.startsWith('Not enough non-option arguments'))
    return `An argument is missing: ${inBackticks(command.usage)}. See \`${help}\`.`
  return `${reword(message, args, command?.name, commands)} See \`${help}\`.`
}

const commandMissing = 'A command is missing.'

/** Says what is wrong with options given without a command: an option that no command has is reported first. */
function withoutCommand(args: readonly string[]): string | undefined {
  const option = args.find((arg) => arg.startsWith('-') && arg !== '--' && optionOf(arg) === undefined)
  if (option === undefined) return undefined
  const [written = ''] = option.split('=', 1)
  return unknownArguments([written], args, undefined)
}

function reword(
  message: string,
  args: readonly string[],
  command: string | undefined,
  commands: readonly CommandModule[],
): string {
  if (message === commandMissing) return withoutCommand(args) ?? message
  const unknown = message.match(/^Unknown arguments?: (.*)$/s)?.[1]
  if (message.startsWith('Did you mean ')) {
    const written = commandIn(args)
    const meant = closest(
      written,
      commands.map(({ name }) => name),
    )
    return `Unknown command ${inBackticks(written)}${meant === undefined ? '.' : `; did you mean \`${meant}\`?`}`
  }
  if (unknown !== undefined) return unknownArguments(unknown.split(', '), args, command)
  return message
}

function unknownArguments(names: readonly string[], args: readonly string[], command: string | undefined): string {
  const written = names.map((name) => (name.startsWith(mark) ? name.slice(mark.length) : asWritten(name, args)))
  const negated = command === 'search' ? args.find((arg) => /^-[^\W_]{2}/.test(arg)) : undefined
  if (negated !== undefined && names.every((name) => negated.includes(name)))
    return `Unknown option ${inBackticks(negated)}; to exclude turns that contain it, quote it with another word, as in \`'timeout ${negated}'\`.`
  const dashed = dashedValue(args)
  if (dashed !== undefined) return `A value that begins with a dash follows \`=\`: ${inBackticks(dashed)}.`
  const plural = written.length === 1 ? '' : 's'
  const options = written.every((text) => text.startsWith('-'))
  const noun = options ? 'option' : 'argument'
  if (command === undefined && !options) return `Unknown command ${inBackticks(commandIn(args))}.`
  const hint = written.length > 1 ? undefined : flagHint(written[0] ?? '', command)
  return `Unknown ${noun}${plural} ${written.map(inBackticks).join(', ')}${hint === undefined ? '.' : `; ${hint}`}`
}

/** An option and what follows it, which begins with a dash and is not an option, as it has to be written. */
function dashedValue(args: readonly string[]): string | undefined {
  for (const [index, arg] of args.entries()) {
    if (arg === '--') return undefined
    const next = args[index + 1] ?? ''
    const option = arg.startsWith('-') && !arg.includes('=') ? optionOf(arg) : undefined
    if (option === undefined || option.kind.placeholder === '' || arg.startsWith('--no-')) continue
    if (/^-[^-]/.test(next) && optionOf(next) === undefined) return `${arg}=${next}`
  }
  return undefined
}

/** What may have been meant by a flag that a command does not have. */
function flagHint(written: string, command: string | undefined): string | undefined {
  const close = closestFlag(written, command)
  if (close !== undefined) return `did you mean \`${close}\`?`
  // The key of a configuration file, typed as a flag.
  const typed = written
    .replace(/^--(?:no-)?/, '')
    .replaceAll('-', '')
    .toLowerCase()
  const name = settingNames.find((key) => {
    const { config, commands }: Option = options[key]
    return config === true && key.toLowerCase() === typed && commands.some((one) => one === command)
  })
  if (name === undefined || !written.startsWith('--')) return undefined
  const { flag }: Option = options[name]
  return flag === undefined ? `set \`${name}\` in a configuration file.` : `did you mean \`--${flag}\`?`
}

/** The flag of a command or of the program itself that a misspelt one is closest to. */
function closestFlag(written: string, command: string | undefined): string | undefined {
  const ofCommand = settingNames.flatMap((name) => {
    const { flag, commands, kind, default: defaultValue }: Option = options[name]
    if (flag === undefined || !commands.some((one) => one === command)) return []
    return kind.placeholder === '' && defaultValue !== false ? [flag, `no-${flag}`] : [flag]
  })
  const flags = ['help', 'version', ...ofCommand]
  const close = written.startsWith('--') ? closest(written.slice('--'.length), flags) : undefined
  return close === undefined ? undefined : `--${close}`
}

/** A flag as it was typed: yargs names flags without their dashes. */
function asWritten(name: string, args: readonly string[]): string {
  const flags = [`--${name}`, `--no-${name}`, `-${name}`]
  return flags.find((flag) => args.some((arg) => arg === flag || arg.startsWith(`${flag}=`))) ?? name
}

function commandIn(args: readonly string[]): string {
  return args.find((arg) => !arg.startsWith('-')) ?? ''
}

function inBackticks(text: string): string {
  return `\`${text}\``
}
