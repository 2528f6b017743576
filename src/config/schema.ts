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
    default: 'site',
    flag: 'out',
    config: true,
    commands: [...sites, 'publish'],
    help: 'Folder of the site.',
  },
  cache: {
    kind: kinds.folder,
    default: undefined,
    flag: 'cache',
    config: true,
    commands: sites,
    help: 'Folder for what is kept between builds; it must lie outside the site.',
    defaultHelp: "a folder named after the site below the user's cache folder",
  },
  formats: {
    kind: kinds.choices(['html', 'md', 'json']),
    default: ['html', 'md'],
    flag: 'format',
    config: true,
    commands: sites,
    help: 'What is written for each session, separated by commas.',
  },
  search: {
    kind: kinds.toggle,
    default: true,
    flag: 'search',
    config: true,
    commands: sites,
    help: 'Build the search index; `--no-search` leaves it out.',
  },
  searchOutputs: {
    kind: kinds.toggle,
    default: false,
    config: true,
    commands: sites,
    help: 'Search the outputs of commands and tools too, the first 4,000 characters of each: several times the index and the time to build it.',
  },
  offline: {
    kind: kinds.toggle,
    default: false,
    config: true,
    commands: sites,
    help: 'Keep visited pages and the search index in the browser, so that a site that was visited over https, or on this machine, can be read and searched without a network.',
  },
  passwordFile: {
    kind: kinds.file,
    default: undefined,
    flag: 'password-file',
    config: true,
    commands: sites,
    help: 'Lock the site with the password that stands in this file: everything but a login page is encrypted. `SECURITY.md` says what that protects from.',
    defaultHelp: 'the site is not locked',
  },
  dryRun: {
    kind: kinds.toggle,
    default: false,
    flag: 'dry-run',
    flagOnly: true,
    commands: ['build', 'publish'],
    help: 'Say what would be written and removed, and change nothing.',
  },
  allowRemoval: {
    kind: kinds.toggle,
    default: false,
    flag: 'allow-removal',
    flagOnly: true,
    commands: [...sites, 'publish'],
    help: 'Build, or publish, although a home, or the site, lost all of its sessions, or more than half of at least ten, since the last time.',
  },
  strict: {
    kind: kinds.toggle,
    default: false,
    flag: 'strict',
    config: true,
    commands: ['build'],
    help: 'Exit with 1 when there was a warning.',
  },
}

// Options: how pages look.

/** How pages look. */
const appearanceOptions: OptionTable<AppearanceSettings> = {
  title: {
    kind: kinds.text,
    default: 'Codex sessions',
    config: true,
    commands: pages,
    help: 'Title of the site.',
  },
  description: {
    kind: kinds.text,
    default: undefined,
    config: true,
    commands: sites,
    help: 'One sentence about the site, for its feed, search engines and previews of links.',
  },
  siteUrl: {
    kind: kinds.siteUrl,
    default: undefined,
    flag: 'site-url',
    config: true,
    commands: [...sites, 'publish'],
    help: 'Address under which the site is public: it then gets a feed, a sitemap, canonical addresses and data for previews of links, and `robots.txt` lets search engines in.',
    defaultHelp: 'none, and `robots.txt` keeps search engines out',
  },
  timeZone: {
    kind: kinds.timeZone,
    default: 'UTC',
    config: true,
    commands: reading,
    help: 'Time zone of shown times and of days in `since` and `until`.',
  },
  language: {
    kind: kinds.language,
    default: 'en',
    config: true,
    commands: pages,
    help: "Language of the site, for browsers and for the search index's word forms.",
  },
  templatesDir: {
    kind: kinds.folder,
    default: undefined,
    config: true,
    commands: pages,
    help: 'Folder with eta templates that replace the built-in ones of the same name.',
  },
  prices: {
    kind: kinds.prices,
    default: undefined,
    config: true,
    commands: pages,
    help: 'Prices of a million tokens by model, with the day on which they held: sessions then show what they cost.',
    defaultHelp: 'none, and no cost is shown',
  },
  plugins: {
    kind: kinds.plugins,
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
    default: undefined,
    flag: 'at',
    flagOnly: true,
    commands: ['context'],
    help: 'Show the memory as it was behind the turn of this number.',
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
    default: [],
    flag: 'exclude',
    help: 'Items that the model is to forget, in a list with commas: by index (`3,7-12`), turn (`turn:4`, `before:4`, `older:10` than the last ten), size (`over:2000` tokens), tool (`tool:exec_command`), category (`category:toolOutput`) or line (`l120-l188`); `+` joins conditions that must all hold (`category:toolOutput+older:3`). May be given several times. They can be included again.',
  },
  excludeCategories: {
    ...pruning,
    kind: kinds.texts('CATEGORY'),
    default: [],
    flag: 'exclude-category',
    help: 'Categories of items to exclude, in a list with commas, such as `reasoning,toolOutput`; may be given several times.',
  },
  includeItems: {
    ...pruning,
    kind: kinds.texts('ITEMS'),
    default: [],
    flag: 'include',
    help: 'Items that were excluded and are to come back.',
  },
  deleteItems: {
    ...pruning,
    kind: kinds.texts('ITEMS'),
    default: [],
    flag: 'delete',
    help: 'Items to take out of the list for good; only `restore` brings them back.',
  },
  replaceItems: {
    ...pruning,
    kind: kinds.texts('ITEMS'),
    default: [],
    flag: 'replace',
    help: 'Outputs in whose place the model is to see a short text; a call stands for its output. `--include` brings them back.',
  },
  replacement: {
    ...pruning,
    kind: kinds.text,
    default: '[output removed]',
    flag: 'replacement',
    help: 'That text.',
  },
  newThread: {
    ...pruning,
    kind: kinds.toggle,
    default: false,
    flag: 'new-thread',
    help: 'Write a pruned copy as a new thread, which Codex resumes beside the session; that one stays as it is.',
  },
  inPlace: {
    ...pruning,
    kind: kinds.toggle,
    default: false,
    flag: 'in-place',
    help: 'Write over the rollout itself, after a backup of it.',
  },
  interactive: {
    ...pruning,
    kind: kinds.toggle,
    default: false,
    flag: 'interactive',
    help: 'Mark items in a list on the terminal.',
    defaultHelp: 'on a terminal, when no items are named',
  },
  force: {
    ...writing,
    kind: kinds.toggle,
    default: false,
    flag: 'force',
    help: 'Prune although the rollout is fresh, its last line is cut off or its last turn has not ended; restore although the session went on since.',
  },
  assumeClosed: {
    ...writing,
    kind: kinds.toggle,
    default: false,
    flag: 'assume-closed',
    help: 'Say that the session is closed where that cannot be known, as on a network disk. If it is open, all that you type there from now on is lost.',
    defaultHelp: 'off; a terminal is asked',
  },
  backup: {
    kind: kinds.file,
    default: undefined,
    flag: 'from',
    flagOnly: true,
    commands: ['restore'],
    help: 'Backup to restore.',
    defaultHelp: 'the one that the last prune names, else the newest that has something the rollout lacks',
  },
  undo: {
    kind: kinds.toggle,
    default: false,
    flag: 'undo',
    flagOnly: true,
    commands: ['restore'],
    help: 'Undo the last prune or restore, then the one before. What was said since stays.',
  },
  moveBackups: {
    kind: kinds.toggle,
    default: false,
    flag: 'move-backups',
    flagOnly: true,
    commands: ['restore'],
    help: 'Move the backups that earlier versions left beside the rollout, where a Codex before 0.93 may resume them.',
  },
  listBackups: {
    kind: kinds.toggle,
    default: false,
    flag: 'list',
    flagOnly: true,
    commands: ['restore'],
    help: 'Show the backups and change nothing.',
  },
}

export { type Command, folderConfigUse, type Option } from './options/option.ts'

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
