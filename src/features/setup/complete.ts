/** What may stand at the end of a command line, from the commands and the table of options. */

import type { CommandModule } from '../../cli/command.ts'
import { type Option, options, settingNames } from '../../config/schema.ts'

/** A word that may stand there. */
export interface Candidate {
  value: string
  help: string
}

/** What fits: words, or values that only the sessions tell. `files` leaves it to the shell. */
export type Completion =
  | { kind: 'words'; words: Candidate[] }
  | { kind: 'threads' | 'projects' | 'files'; begin: string }

/** Completes the last of the words behind the program's name, which may be empty. */
export function complete(words: readonly string[], commands: readonly CommandModule[]): Completion {
  const [name = '', ...rest] = words
  const begin = words.at(-1) ?? ''
  if (rest.length === 0)
    return fitting(
      commands.map(({ name: value, describe: help }) => ({ value, help })),
      begin,
    )
  const command = commands.find((one) => one.name === name)
  if (command === undefined) return { kind: 'words', words: [] }
  const own = settingNames.map((key) => options[key]).filter((option) => option.commands.includes(command.name))
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(begin) ?? []
  const before = flag ?? words.at(-2)
  const awaited = own.find((option) => option.kind.placeholder !== '' && flagsOf(option).includes(before ?? ''))
  if (awaited !== undefined) return prefixed(valuesOf(awaited, value ?? begin), flag)
  if (begin.startsWith('-')) return fitting(own.flatMap(candidates), begin)
  return positional(command, begin)
}

function flagsOf({ flag, short }: Option): string[] {
  return [...(flag === undefined ? [] : [`--${flag}`]), ...(short === undefined ? [] : [`-${short}`])]
}

function candidates({ flag, kind, help: text, default: preset, off }: Option): Candidate[] {
  if (flag === undefined) return []
  const help = text.replaceAll('`', '')
  const isOn = kind.placeholder === '' && preset !== false
  return [{ value: `--${flag}`, help }, ...(isOn || off === false ? [{ value: `--no-${flag}`, help }] : [])]
}

/** Values of an option that takes one. */
function valuesOf({ flag, kind: { placeholder } }: Option, begin: string): Completion {
  if (flag === 'project') return { kind: 'projects', begin }
  if (flag === 'id' || flag === 'exclude-id') return { kind: 'threads', begin }
  if (/^(?:DIR|FILE)$/.test(placeholder)) return { kind: 'files', begin }
  // Of a list of words the last one is completed.
  const [list = ''] = placeholder.includes(',') ? (/^(?:.*,)?/s.exec(begin) ?? []) : []
  const words = placeholder.split(/[|,]/).filter((word) => /^[a-z\d-]+$/i.test(word) && word !== word.toUpperCase())
  return fitting(
    words.map((word) => ({ value: list + word, help: '' })),
    begin,
  )
}

/** `--format=md` is one word for most shells. */
function prefixed(completion: Completion, flag: string | undefined): Completion {
  if (flag === undefined || completion.kind !== 'words') return completion
  return { kind: 'words', words: completion.words.map(({ value, help }) => ({ value: `${flag}=${value}`, help })) }
}

function positional({ usage, positionals = {} }: CommandModule, begin: string): Completion {
  const [, name] = /[<[](\w+)/.exec(usage) ?? []
  const help = positionals[name ?? ''] ?? ''
  const [, listed] = /: ([\w-]+(?:, [\w-]+)+)$/.exec(help) ?? []
  if (listed !== undefined)
    return fitting(
      listed.split(', ').map((value) => ({ value, help: '' })),
      begin,
    )
  if (name === undefined || name === 'query') return { kind: 'words', words: [] }
  return { kind: help.includes('thread id') ? 'threads' : 'files', begin }
}

/** Those that begin as the word does. */
export function fitting(words: readonly Candidate[], begin: string): Completion {
  return { kind: 'words', words: words.filter(({ value }) => value.startsWith(begin)) }
}
