/** The option table as yargs options. */

import type { Options } from 'yargs'
import { type Command, defaultText, type Option, optionGroups, options, settingNames } from '../config/schema.ts'

/** Flags of a command, by their groups. Values stay text: `resolveSettings` reads those of flags and environment alike. */
export function flagsOf(command: Command): Record<string, Options> {
  const flags: Record<string, Options> = {}
  const order = Object.keys(optionGroups)
  for (const name of settingNames.toSorted(
    (a, b) => order.indexOf(options[a].group) - order.indexOf(options[b].group),
  )) {
    const option: Option = options[name]
    const { flag, kind, commands } = option
    if (flag === undefined || !commands.includes(command)) continue
    const type = kind.placeholder === '' ? { boolean: true } : { string: true }
    flags[flag] = {
      ...type,
      ...(kind.many && { array: true }),
      group: optionGroups[option.group],
      describe: describe(option),
    }
  }
  return flags
}

/** The flags of one call that another command takes too, as they would be typed. */
export function repeatedFlags(given: Readonly<Record<string, unknown>>, command: Command): string[] {
  return Object.keys(flagsOf(command)).flatMap((flag) => {
    const value = given[flag]
    if (value === undefined) return []
    if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`]
    const values = Array.isArray(value) ? value : [value]
    return values.flatMap((item) => [`--${flag}`, quoted(String(item))])
  })
}

/** An argument that can be copied into a shell. */
function quoted(text: string): string {
  if (/^[\w./\\:~,@=-]+$/.test(text)) return text
  return /[$`"]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`
}

function describe(option: Option): string {
  const preset = defaultText(option)
  const notes = [
    option.kind.placeholder.replaceAll(',', ', '),
    preset === undefined ? '' : `default: ${preset.replaceAll('`', '')}`,
  ]
  const shown = notes.filter((note) => note !== '').join('; ')
  const help = option.help.replaceAll('`', '')
  return shown === '' ? help : `${help} (${shown})`
}

// Messages of yargs about wrong use, in the form of ours: one line, values in backticks, a hint behind.

/** What is wrong with the arguments. `commands` are the names of all commands. */
export function usageMessage(message: string, args: readonly string[], commands: readonly string[]): string {
  const [first = ''] = args.filter((arg) => !arg.startsWith('-'))
  const command = commands.includes(first) ? first : undefined
  const help = command === undefined ? 'codex-export --help' : `codex-export ${command} --help`
  return `${reword(message, args, command)} See \`${help}\`.`
}

function reword(message: string, args: readonly string[], command: string | undefined): string {
  const meant = message.match(/^Did you mean (.*)\?$/)?.[1]
  const unknown = message.match(/^Unknown arguments?: (.*)$/s)?.[1]
  if (meant !== undefined) return `Unknown command ${inBackticks(commandIn(args))}; did you mean \`${meant}\`?`
  if (unknown !== undefined) return unknownArguments(unknown.split(', '), args, command)
  return message.startsWith('Not enough non-option arguments') ? 'An argument is missing.' : message
}

function unknownArguments(names: readonly string[], args: readonly string[], command: string | undefined): string {
  const written = names.map((name) => asWritten(name, args))
  const plural = written.length === 1 ? '' : 's'
  const options = written.every((text) => text.startsWith('-'))
  const noun = options ? 'option' : 'argument'
  if (command === undefined && !options) return `Unknown command ${inBackticks(commandIn(args))}.`
  return `Unknown ${noun}${plural} ${written.map(inBackticks).join(', ')}.`
}

/** yargs names flags without their dashes. */
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
