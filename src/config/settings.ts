/** What a user may set: the types that the table of options gives. */

import type { Command, CommandsOf, SettingOf } from './option.ts'
import type { callOptions, memoryOptions } from './options/call.ts'
import type { auditOptions, privacyOptions, publishOptions } from './options/publication.ts'
import type { appearanceOptions, siteOptions, sourceOptions } from './options/site.ts'
import type { PersonalPolicy } from './personal.ts'
import type { CurationConfig } from './publication.ts'

type Rows = typeof sourceOptions &
  typeof siteOptions &
  typeof privacyOptions &
  typeof callOptions &
  typeof appearanceOptions &
  typeof publishOptions &
  typeof auditOptions &
  typeof memoryOptions

/** The name of a setting: that of its row, and of its key in a configuration file. */
export type SettingName = keyof Rows

/** Values of all options after flags, environment, configuration file and defaults were laid over each other. */
export type Settings = { readonly [Name in keyof Rows]: SettingOf<Rows[Name]> }

/** The settings that a command takes. */
export type SettingsOf<Name extends Command> = Pick<
  Settings,
  { [Key in SettingName]: Name extends CommandsOf<Rows[Key]> ? Key : never }[SettingName]
>

type PageSettingName = { [Key in SettingName]: Rows[Key] extends { pages: true } ? Key : never }[SettingName]

/** The settings that pages depend on. Those that only a whole site has are absent from a page that stands alone. */
export type PageSettings = Pick<Settings, PageSettingName & keyof SettingsOf<'show'>> &
  Partial<Pick<Settings, PageSettingName>>

/** Where a configuration file holds something else than the setting. */
interface WrittenForms {
  /** Characters of each output that are published, such as `4k`. */
  maxOutput: string
  /** Path of a JSON file with decisions about single sessions, or the decisions themselves. */
  curation: string | CurationConfig
  /** Which personal data are replaced; what is left out is as by default. */
  personal: boolean | Partial<PersonalPolicy>
}

type Written = {
  -readonly [Name in keyof Rows]?: Name extends keyof WrittenForms ? WrittenForms[Name] : Settings[Name]
}

/** What a configuration file may hold. Relative paths start at the file's folder. */
export type SiteConfig = Pick<
  Written,
  { [Name in SettingName]: Rows[Name] extends { config: true } ? Name : never }[SettingName]
>

/** Gives back a configuration as it is; an editor then knows its keys. Use as `export default defineConfig({…})`. */
export function defineConfig(config: SiteConfig): SiteConfig {
  return config
}
