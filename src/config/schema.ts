/** The one table of options: settings, flags, help, environment, configuration file, docs and checks all come from it. */

import { type Command, type Option, type OptionRow, optionOf } from './option.ts'
import { callOptions, memoryOptions } from './options/call.ts'
import { auditOptions, privacyOptions, publishOptions } from './options/publication.ts'
import { appearanceOptions, siteOptions, sourceOptions } from './options/site.ts'
import type { PageSettings, SettingName, Settings, SettingsOf } from './settings.ts'

export { type Command, folderConfigUse, type Option, optionGroups } from './option.ts'

/** In the order of help and docs. */
const rows: Readonly<Record<SettingName, OptionRow>> = {
  ...sourceOptions,
  ...siteOptions,
  ...privacyOptions,
  ...callOptions,
  ...appearanceOptions,
  ...publishOptions,
  ...auditOptions,
  ...memoryOptions,
}

/** Names of all settings, in the order of the table. */
export const settingNames: readonly SettingName[] = Object.keys(rows) as SettingName[] // typed above

/** Every option by the name of its setting. */
export const options: Readonly<Record<SettingName, Option>> = Object.fromEntries(
  settingNames.map((name) => [name, optionOf(rows[name])]),
) as Record<SettingName, Option> // one for each name

/** Those of all settings that a command takes. */
export function settingsOf<Name extends Command>(command: Name, settings: Settings): SettingsOf<Name> {
  const names = settingNames.filter((name) => options[name].commands.includes(command))
  // The type asks the same rows.
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as SettingsOf<Name>
}

/** Those of some settings that pages depend on. */
export function pageSettings(settings: PageSettings & Partial<Settings>): PageSettings {
  const names = settingNames.filter((name) => options[name].pages === true && name in settings)
  // The type asks the same rows.
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as unknown as PageSettings
}

/** Environment variable of an option: `CODEX_EXPORT_` and the flag in capitals; none for some flags. */
export function envName(option: Pick<Option, 'flag' | 'flagOnly'>): string | undefined {
  if (option.flag === undefined || option.flagOnly) return undefined
  return `CODEX_EXPORT_${option.flag.toUpperCase().replaceAll('-', '_')}`
}

// Options in words, for help and docs.

/** What an option defaults to, or `undefined` where it is simply off or absent. */
export function defaultText({ default: value, defaultHelp, kind }: Option): string | undefined {
  if (defaultHelp !== undefined) return defaultHelp
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.join(',')
  if (typeof value === 'boolean') return kind.placeholder === '' && value ? 'on' : undefined
  return value === undefined ? undefined : String(value)
}
