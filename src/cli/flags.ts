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

function describe(option: Option<unknown>): string {
  const preset = defaultText(option)
  const notes = [option.kind.placeholder, preset === undefined ? '' : `default: ${preset.replaceAll('`', '')}`]
  const shown = notes.filter((note) => note !== '').join('; ')
  const help = option.help.replaceAll('`', '')
  return shown === '' ? help : `${help} (${shown})`
}
