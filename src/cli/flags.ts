/** The option table as yargs options. */
import type { Options } from 'yargs'
import { defaultText } from '../config/describe.ts'
import { type Command, type Option, options, settingNames } from '../config/schema.ts'

/** Flags of a command. Values stay text: `resolveSettings` reads those of flags and environment alike. */
export function flagsOf(command: Command): Record<string, Options> {
  const flags: Record<string, Options> = {}
  for (const name of settingNames) {
    const option: Option<unknown> = options[name]
    const { flag, kind, commands } = option
    if (flag === undefined || !commands.includes(command)) continue
    const type = kind.placeholder === '' ? { boolean: true } : { string: true }
    flags[flag] = { ...type, ...(kind.many && { array: true }), describe: describe(option) }
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

function describe(option: Option<unknown>): string {
  const preset = defaultText(option)
  const notes = [option.kind.placeholder, preset === undefined ? '' : `default: ${preset.replaceAll('`', '')}`]
  const shown = notes.filter((note) => note !== '').join('; ')
  const help = option.help.replaceAll('`', '')
  return shown === '' ? help : `${help} (${shown})`
}
