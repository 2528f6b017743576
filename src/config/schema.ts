/** The one table of options: flags, help, environment, configuration file, docs and checks all come from it. */
import { auditOptions } from './options/audit.ts'
import { commandOptions } from './options/command.ts'
import { lookOptions } from './options/look.ts'
import { memoryOptions } from './options/memory.ts'
import type { Option, OptionTable } from './options/option.ts'
import { privacyOptions } from './options/privacy.ts'
import { pruneOptions } from './options/prune.ts'
import { publicationOptions } from './options/publication.ts'
import { publishOptions } from './options/publish.ts'
import { siteOptions } from './options/site.ts'
import { whichOptions } from './options/which.ts'
import type { Settings } from './settings.ts'

export { type Command, folderConfigUse, type Option } from './options/option.ts'

/** Every option by the name of its setting, in the order of help and docs. */
export const options: OptionTable<Settings> = {
  ...whichOptions,
  ...siteOptions,
  ...privacyOptions,
  ...publicationOptions,
  ...commandOptions,
  ...lookOptions,
  ...publishOptions,
  ...auditOptions,
  ...memoryOptions,
  ...pruneOptions,
}

/** Names of all settings, in the order of the table. */
export const settingNames: readonly (keyof Settings)[] = Object.keys(options) as (keyof Settings)[] // typed above

/** Environment variable of an option: `CODEX_EXPORT_` and the flag in capitals; none for some flags. */
export function envName(option: Pick<Option<unknown>, 'flag' | 'flagOnly'>): string | undefined {
  if (option.flag === undefined || option.flagOnly) return undefined
  return `CODEX_EXPORT_${option.flag.toUpperCase().replaceAll('-', '_')}`
}
