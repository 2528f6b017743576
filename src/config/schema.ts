/** The one table of options, from which settings, flags, help, environment, configuration file, docs and checks are made. */

import { type Command, type CommandsOf, type Option, type OptionRow, optionOf, type SettingOf } from './option.ts'
import { callOptions } from './options/call.ts'
import { memoryOptions } from './options/memory.ts'
import { auditOptions, privacyOptions, publishOptions } from './options/publication.ts'
import { appearanceOptions, siteOptions, sourceOptions } from './options/site.ts'
import type { PersonalPolicy } from './personal.ts'
import type { CurationConfig } from './publication.ts'

export { type Command, folderConfigUse, type Option, optionGroups } from './option.ts'

/** All rows, in the order of help and docs. */
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

/** The settings that a command takes, picked from all settings. */
export function settingsOf<Name extends Command>(command: Name, settings: Settings): SettingsOf<Name> {
  const names = settingNames.filter((name) => options[name].commands.includes(command))
  // The type reads the same rows.
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as SettingsOf<Name>
}

/** The settings that pages depend on, picked from those given. */
export function pageSettings(settings: PageSettings & Partial<Settings>): PageSettings {
  const names = settingNames.filter((name) => options[name].pages === true && name in settings)
  // The type reads the same rows.
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as unknown as PageSettings
}

/** Beginning of all environment variables of the program. */
export const variablePrefix = 'CODEX_EXPORT_'

/** Environment variable of an option: the prefix and the flag in upper case; `undefined` if it has none. */
export function envName(option: Pick<Option, 'flag' | 'flagOnly'>): string | undefined {
  if (option.flag === undefined || option.flagOnly) return undefined
  return `${variablePrefix}${option.flag.toUpperCase().replaceAll('-', '_')}`
}

// Options described in words, for help and docs.

/** An option with the help texts of one command. */
export function optionAt(command: Command, option: Option): Option {
  return { ...option, ...option.ownHelp?.[command] }
}

/** The default of an option in words; `undefined` if the option is simply off or absent. */
export function defaultText({ default: value, defaultHelp, kind }: Option): string | undefined {
  if (defaultHelp !== undefined) return defaultHelp
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.join(',')
  if (typeof value === 'boolean') return kind.placeholder === '' && value ? 'on' : undefined
  return value === undefined ? undefined : String(value)
}

// What a user may set: the types that follow from the table of options.

type Rows = typeof sourceOptions &
  typeof siteOptions &
  typeof privacyOptions &
  typeof callOptions &
  typeof appearanceOptions &
  typeof publishOptions &
  typeof auditOptions &
  typeof memoryOptions

/** The name of a setting, which is the key of its row and of a configuration file. */
export type SettingName = keyof Rows

/** Values of all options, combined from flags, environment, configuration file and defaults. */
export type Settings = { readonly [Name in keyof Rows]: SettingOf<Rows[Name]> }

/** The settings that a command takes. */
export type SettingsOf<Name extends Command> = Pick<
  Settings,
  { [Key in SettingName]: Name extends CommandsOf<Rows[Key]> ? Key : never }[SettingName]
>

type PageSettingName = { [Key in SettingName]: Rows[Key] extends { pages: true } ? Key : never }[SettingName]

/** The settings that pages depend on. A standalone page lacks those that only a whole site has. */
export type PageSettings = Pick<Settings, PageSettingName & keyof SettingsOf<'show'>> &
  Partial<Pick<Settings, PageSettingName>>

/** Settings whose form in a configuration file differs from that of the setting. */
interface WrittenForms {
  /** How many characters of each output are published, such as `4k`. */
  maxOutput: string
  /** Path of a JSON file with decisions about single sessions, or the decisions themselves. */
  curation: string | CurationConfig
  /** Which personal data is replaced; what is left out has its default. */
  personal: boolean | Partial<PersonalPolicy>
}

type Written = {
  -readonly [Name in keyof Rows]?: Name extends keyof WrittenForms ? WrittenForms[Name] : Settings[Name]
}

/** What a configuration file may contain. Relative paths start at the file's folder. */
export type SiteConfig = Pick<
  Written,
  { [Name in SettingName]: Rows[Name] extends { config: true } ? Name : never }[SettingName]
>

/** Returns a configuration unchanged; it lets an editor know the keys. Use it as `export default defineConfig({…})`. */
export function defineConfig(config: SiteConfig): SiteConfig {
  return config
}
