/** The one table of options: flags, help, environment, configuration file, docs and checks all come from it. */
import type { Kind } from './kinds.ts'
import * as kinds from './kinds.ts'
import type { Settings } from './settings.ts'

/** The commands of the program. */
export type Command = 'build' | 'list' | 'show' | 'serve' | 'check' | 'scrub'

/** One option. */
export interface Option<T> {
  kind: Kind<T>
  default: T
  /** One sentence for help and docs, without the default. */
  help: string
  /** What happens by default, where the value alone does not tell. */
  defaultHelp?: string
  /** Commands that take the option. */
  commands: readonly Command[]
  /** Name of the flag without `--`; the environment variable follows from it, see `envName`. */
  flag?: string
  /** The flag may not come from the environment. */
  flagOnly?: true
  /** A configuration file may hold it, under the name of the setting. */
  config?: true
}

/** Those that read sessions of homes. */
const all = ['build', 'list', 'show', 'serve', 'check'] as const
const sites = ['build', 'serve'] as const
const pages = ['build', 'show', 'serve'] as const
const filters = ['build', 'list', 'serve', 'check'] as const
/** Every option by the name of its setting, in the order of help and docs. */
export const options: { readonly [K in keyof Settings]: Option<Settings[K]> } = {
  homes: {
    kind: kinds.homes,
    default: [],
    flag: 'codex-home',
    config: true,
    commands: all,
    help: 'Codex home, folder of rollouts or rollout file to read; may be given several times.',
    defaultHelp: '`CODEX_HOME`, else `~/.codex`',
  },
  out: {
    kind: kinds.folder,
    default: 'site',
    flag: 'out',
    config: true,
    commands: sites,
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
  projects: {
    kind: kinds.texts('NAME'),
    default: [],
    flag: 'project',
    config: true,
    commands: all,
    help: 'Only sessions whose folder, repository URL or branch holds this text, in any case; may be given several times.',
  },
  since: {
    kind: kinds.when,
    default: undefined,
    flag: 'since',
    config: true,
    commands: filters,
    help: 'Only sessions active since then: a day (2026-03-01), an instant, or an age (7d, 2w).',
  },
  until: {
    kind: kinds.when,
    default: undefined,
    flag: 'until',
    config: true,
    commands: filters,
    help: 'Only sessions begun until then; a day counts to its end.',
  },
  ids: {
    kind: kinds.texts('ID'),
    default: [],
    flag: 'id',
    commands: filters,
    help: 'Only threads whose id begins like this; may be given several times.',
  },
  archived: {
    kind: kinds.toggle,
    default: undefined,
    flag: 'archived',
    config: true,
    commands: filters,
    help: 'Only archived sessions, with `--no-archived` none of them.',
    defaultHelp: 'both',
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
  redact: {
    kind: kinds.toggle,
    default: true,
    flag: 'redact',
    config: true,
    commands: ['build', 'list', 'show', 'serve'],
    help: 'Replace keys, tokens, passwords and other secrets by `[redacted:…]` wherever they stand; `--no-redact` leaves them in.',
  },
  dryRun: {
    kind: kinds.toggle,
    default: false,
    flag: 'dry-run',
    flagOnly: true,
    commands: ['build'],
    help: 'Say what would be written and removed, and write nothing.',
  },
  strict: {
    kind: kinds.toggle,
    default: false,
    flag: 'strict',
    config: true,
    commands: ['build'],
    help: 'Exit with 1 when there was a warning.',
  },
  format: {
    kind: kinds.choice(['md', 'html', 'json', 'text']),
    default: 'md',
    flag: 'format',
    flagOnly: true,
    commands: ['show'],
    help: 'Format of the transcript.',
  },
  output: {
    kind: kinds.file,
    default: undefined,
    flag: 'output',
    flagOnly: true,
    commands: ['show', 'scrub'],
    help: 'File to write the result to.',
    defaultHelp: 'standard output',
  },
  withAgents: {
    kind: kinds.toggle,
    default: false,
    flag: 'with-agents',
    flagOnly: true,
    commands: ['show'],
    help: 'Put the sub-agents of all levels behind the session, each with its prompt; not in `json`, which holds one thread.',
  },
  maxInline: {
    kind: kinds.size,
    default: 20 * 1024 * 1024,
    flag: 'max-inline',
    commands: ['show'],
    help: 'Size of pictures that a page of `show` may hold in all, such as `500k` or `20m`; no picture may be larger than 2 MiB. Others are named with size and hash.',
    defaultHelp: '20m',
  },
  port: {
    kind: kinds.port,
    default: 4173,
    flag: 'port',
    commands: ['serve'],
    help: 'Port on 127.0.0.1; 0 takes a free one.',
  },
  open: {
    kind: kinds.toggle,
    default: false,
    flag: 'open',
    flagOnly: true,
    commands: ['serve'],
    help: 'Open the site in the browser.',
  },
  json: {
    kind: kinds.toggle,
    default: false,
    flag: 'json',
    flagOnly: true,
    commands: ['build', 'list', 'check'],
    help: 'Print one JSON document on standard output.',
  },
  configFile: {
    kind: kinds.file,
    default: undefined,
    flag: 'config',
    commands: all,
    help: 'Configuration file.',
    defaultHelp: '`site.config.ts`, `.mts`, `.js` or `.mjs` in the working folder',
  },
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
    commands: sites,
    help: 'Address under which the site is public: it then gets a feed, a sitemap, canonical addresses and data for previews of links, and `robots.txt` lets search engines in.',
    defaultHelp: 'none, and `robots.txt` keeps search engines out',
  },
  openGraphImages: {
    kind: kinds.toggle,
    default: false,
    config: true,
    commands: sites,
    help: 'Draw a picture of each session for previews of links: one more file a session. It needs `siteUrl`, `openGraphFont` and the package `@resvg/resvg-js`, which you install.',
  },
  openGraphFont: {
    kind: kinds.file,
    default: undefined,
    config: true,
    commands: sites,
    help: 'TrueType or OpenType font of these pictures. Characters that it lacks are left out; where it lacks most of a title, the name of the project stands in its place.',
  },
  timeZone: {
    kind: kinds.timeZone,
    default: 'UTC',
    config: true,
    commands: all,
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

/** Names of all settings, in the order of the table. */
export const settingNames: readonly (keyof Settings)[] = Object.keys(options) as (keyof Settings)[] // typed above

/** Environment variable of an option: `CODEX_EXPORT_` and the flag in capitals; none for some flags. */
export function envName(option: Pick<Option<unknown>, 'flag' | 'flagOnly'>): string | undefined {
  if (option.flag === undefined || option.flagOnly) return undefined
  return `CODEX_EXPORT_${option.flag.toUpperCase().replaceAll('-', '_')}`
}
