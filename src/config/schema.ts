/** The one table of options: flags, help, environment, configuration file, docs and checks all come from it. */

import * as kinds from './kinds.ts'
import {
  auditOptions,
  commandOptions,
  type Option,
  type OptionTable,
  pages,
  reading,
  sites,
  whichOptions,
} from './options/option.ts'
import { privacyOptions, publicationOptions } from './options/privacy.ts'
import { publishOptions } from './options/publish.ts'
import type { AppearanceSettings, MemorySettings, PruneSettings, Settings, SiteSettings } from './settings.ts'

// Options: what a build makes and where.

/** What a build makes and where. */
const siteOptions: OptionTable<SiteSettings> = {
  out: {
    kind: kinds.folder,
    group: 'output',
    default: 'site',
    flag: 'out',
    config: true,
    commands: [...sites, 'publish'],
    help: 'Folder of the site.',
  },
  cache: {
    kind: kinds.folder,
    group: 'output',
    default: undefined,
    flag: 'cache',
    config: true,
    commands: sites,
    help: 'Folder for data that is kept between builds; it must be outside the site.',
    defaultHelp: "a folder named after the site below the user's cache folder",
  },
  formats: {
    kind: kinds.choices(['html', 'md', 'json']),
    group: 'output',
    default: ['html', 'md'],
    flag: 'format',
    config: true,
    commands: sites,
    help: 'Formats to write for each session, separated by commas.',
  },
  search: {
    kind: kinds.toggle,
    group: 'output',
    default: true,
    flag: 'search',
    config: true,
    commands: sites,
    help: 'Build the search index; `--no-search` leaves it out.',
  },
  searchOutputs: {
    kind: kinds.toggle,
    group: 'output',
    default: false,
    config: true,
    commands: sites,
    help: 'Also search the first 4,000 characters of each output of commands and tools: the index, and the time to build it, grow several times.',
  },
  offline: {
    kind: kinds.toggle,
    group: 'output',
    default: false,
    config: true,
    commands: sites,
    help: 'Keep visited pages and the search index in the browser, so that a site visited over https, or on this machine, can be read and searched without a network.',
  },
  passwordFile: {
    kind: kinds.file,
    group: 'privacy',
    default: undefined,
    flag: 'password-file',
    config: true,
    commands: sites,
    help: 'Lock the site with the password in this file: everything except a login page is encrypted. `SECURITY.md` says what that protects against.',
    defaultHelp: 'the site is not locked',
  },
  dryRun: {
    kind: kinds.toggle,
    group: 'output',
    default: false,
    flag: 'dry-run',
    flagOnly: true,
    commands: ['build', 'publish'],
    help: 'Show what would be written and removed, but change nothing.',
  },
  allowRemoval: {
    kind: kinds.toggle,
    group: 'output',
    default: false,
    flag: 'allow-removal',
    flagOnly: true,
    commands: [...sites, 'publish'],
    help: 'Continue even if a home or the site has lost all of its sessions, or more than half of at least ten, since the last build or publish.',
  },
  strict: {
    kind: kinds.toggle,
    group: 'output',
    default: false,
    flag: 'strict',
    config: true,
    commands: ['build'],
    help: 'Exit with 1 if there was a warning.',
  },
}

// Options: how pages look.

/** How pages look. */
const appearanceOptions: OptionTable<AppearanceSettings> = {
  title: {
    kind: kinds.text,
    group: 'look',
    default: 'Codex sessions',
    config: true,
    commands: pages,
    help: 'Title of the site.',
  },
  description: {
    kind: kinds.text,
    group: 'look',
    default: undefined,
    config: true,
    commands: sites,
    help: 'One sentence about the site, for its feed, search engines and previews of links.',
  },
  siteUrl: {
    kind: kinds.siteUrl,
    group: 'look',
    default: undefined,
    flag: 'site-url',
    config: true,
    commands: [...sites, 'publish'],
    help: 'Public address of the site. It adds a feed, a sitemap, canonical addresses and link previews, and lets search engines in through `robots.txt`.',
    defaultHelp: 'none; `robots.txt` keeps search engines out',
  },
  timeZone: {
    kind: kinds.timeZone,
    group: 'look',
    default: 'UTC',
    config: true,
    commands: reading,
    help: 'Time zone of displayed times, and of days in `since` and `until`.',
  },
  language: {
    kind: kinds.language,
    group: 'look',
    default: 'en',
    config: true,
    commands: pages,
    help: "Language of the site, for browsers and for the search index's word forms.",
  },
  templatesDir: {
    kind: kinds.folder,
    group: 'look',
    default: undefined,
    config: true,
    commands: pages,
    help: 'Folder of Eta templates that replace the built-in ones with the same name.',
  },
  prices: {
    kind: kinds.prices,
    group: 'look',
    default: undefined,
    config: true,
    commands: pages,
    help: 'Prices per million tokens by model, with the day on which they applied; sessions then show their cost.',
    defaultHelp: 'none; no cost is shown',
  },
  plugins: {
    kind: kinds.plugins,
    group: 'look',
    default: [],
    config: true,
    commands: [...pages, 'check'],
    help: 'Plugins for unified that change the transcript tree before it is rendered.',
  },
}

// Options: what the model remembers.

/** What the model remembers, and which of it is looked at. */
const memoryOptions: OptionTable<MemorySettings> = {
  at: {
    kind: kinds.turnNumber,
    group: 'selection',
    default: undefined,
    flag: 'at',
    flagOnly: true,
    commands: ['context'],
    help: 'Show the memory as it was after this turn.',
    defaultHelp: 'the end of the session',
  },
}

// Options: which items of a memory are left out, and where that is written.

const pruning = { flagOnly: true, commands: ['prune'] } as const
const writing = { flagOnly: true, commands: ['prune', 'restore'] } as const

/** Which items of a memory are left out, and where that is written. */
const pruneOptions: OptionTable<PruneSettings> = {
  excludeItems: {
    ...pruning,
    kind: kinds.texts('ITEMS'),
    group: 'selection',
    default: [],
    flag: 'exclude',
    help: 'Items that the model should forget, separated by commas: by index (`3,7-12`), turn (`turn:4`, `before:4`, `older:10` for all but the last ten), size (`over:2000` tokens), tool (`tool:exec_command`), category (`category:toolOutput`) or line (`l120-l188`). Join conditions that must all hold with `+` (`category:toolOutput+older:3`). Repeatable; `--include` brings items back.',
  },
  excludeCategories: {
    ...pruning,
    kind: kinds.texts('CATEGORY'),
    group: 'selection',
    default: [],
    flag: 'exclude-category',
    help: 'Categories of items to exclude, separated by commas, such as `reasoning,toolOutput`. Repeatable.',
  },
  includeItems: {
    ...pruning,
    kind: kinds.texts('ITEMS'),
    group: 'selection',
    default: [],
    flag: 'include',
    help: 'Excluded items to bring back.',
  },
  deleteItems: {
    ...pruning,
    kind: kinds.texts('ITEMS'),
    group: 'selection',
    default: [],
    flag: 'delete',
    help: 'Items to remove for good; only `restore` brings them back.',
  },
  replaceItems: {
    ...pruning,
    kind: kinds.texts('ITEMS'),
    group: 'selection',
    default: [],
    flag: 'replace',
    help: 'Outputs to replace with a short text; naming a call replaces its output. `--include` brings them back.',
  },
  replacement: {
    ...pruning,
    kind: kinds.text,
    group: 'output',
    default: '[output removed]',
    flag: 'replacement',
    help: 'Text that `--replace` puts in place of outputs.',
  },
  newThread: {
    ...pruning,
    kind: kinds.toggle,
    group: 'output',
    default: false,
    flag: 'new-thread',
    help: 'Write the pruned copy as a new thread that Codex can resume; the session itself stays as it is.',
  },
  inPlace: {
    ...pruning,
    kind: kinds.toggle,
    group: 'output',
    default: false,
    flag: 'in-place',
    help: 'Overwrite the rollout itself, after a backup.',
  },
  interactive: {
    ...pruning,
    kind: kinds.toggle,
    group: 'selection',
    default: false,
    flag: 'interactive',
    help: 'Mark items in a list on the terminal.',
    defaultHelp: 'on a terminal, when no items are named',
  },
  force: {
    ...writing,
    kind: kinds.toggle,
    group: 'output',
    default: false,
    flag: 'force',
    help: 'Prune even if the rollout is fresh, its last line is cut off or its last turn is unfinished; restore even if the session has continued.',
  },
  assumeClosed: {
    ...writing,
    kind: kinds.toggle,
    group: 'output',
    default: false,
    flag: 'assume-closed',
    help: 'Treat the session as closed where this cannot be checked, as on a network disk. If it is open, everything typed there from now on is lost.',
    defaultHelp: 'off; on a terminal you are asked',
  },
  backup: {
    kind: kinds.file,
    group: 'input',
    default: undefined,
    flag: 'from',
    flagOnly: true,
    commands: ['restore'],
    help: 'Backup to restore.',
    defaultHelp: 'the one that the last prune names, or else the newest with something the rollout lacks',
  },
  undo: {
    kind: kinds.toggle,
    group: 'output',
    default: false,
    flag: 'undo',
    flagOnly: true,
    commands: ['restore'],
    help: 'Undo the last prune or restore, then the one before it. What was said since stays.',
  },
  moveBackups: {
    kind: kinds.toggle,
    group: 'output',
    default: false,
    flag: 'move-backups',
    flagOnly: true,
    commands: ['restore'],
    help: 'Move backups that earlier versions left beside the rollout, where Codex before 0.93 may resume them.',
  },
  listBackups: {
    kind: kinds.toggle,
    group: 'output',
    default: false,
    flag: 'list',
    flagOnly: true,
    commands: ['restore'],
    help: 'List the backups and change nothing.',
  },
}

export { type Command, folderConfigUse, type Option, optionGroups } from './options/option.ts'

/** Every option by the name of its setting, in the order of help and docs. */
export const options: OptionTable<Settings> = {
  ...whichOptions,
  ...siteOptions,
  ...privacyOptions,
  ...publicationOptions,
  ...commandOptions,
  ...appearanceOptions,
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

// Options in words, for help and docs.

/** What an option defaults to, or `undefined` where it is simply off or absent. */
export function defaultText({ default: value, defaultHelp, kind }: Option<unknown>): string | undefined {
  if (defaultHelp !== undefined) return defaultHelp
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.join(',')
  if (typeof value === 'boolean') return kind.placeholder === '' && value ? 'on' : undefined
  return value === undefined ? undefined : String(value)
}
