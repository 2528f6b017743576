/** What a user may set. `schema.ts` says for each how to set it, what it defaults to and what it means. */

import type { PluggableList } from 'unified'
import type { PersonalPolicy } from './personal.ts'
import type { PriceTable } from './prices.ts'
import type { ContentKind, Preset, Visibility } from './publication.ts'

/** A Codex home, a folder of rollouts or a single rollout. */
export interface Home {
  /** In a resolved setting always absolute. */
  path: string
  /** Shown with the sessions of this home; empty where there is only one. */
  label?: string
}

/** Output formats of `build`. */
export type SiteFormat = 'html' | 'md' | 'json'

/** Output formats of `show`. */
export type ShowFormat = 'md' | 'html' | 'json' | 'text'

/** Which sessions are read. */
export interface SourceSettings {
  /** Codex homes to read; empty means `CODEX_HOME`, else `~/.codex`. */
  homes: readonly Home[]
  /** Only sessions whose folder, repository URL or branch holds one of these; empty means all. */
  projects: readonly string[]
  /** Only sessions active since then: `2026-03-01`, an instant, or `7d`. */
  since: string | undefined
  /** Only sessions begun until then; a day counts to its end. */
  until: string | undefined
  /** Only threads whose id begins with one of these; empty means all. */
  ids: readonly string[]
  /** `true`: only archived sessions, `false`: none of them, `undefined`: both. */
  archived: boolean | undefined
}

/** What a build makes and where. */
export interface SiteSettings {
  /** Folder that the site is written to. */
  out: string
  /** Folder for what is kept between builds; `undefined` means one below the user's cache folder. */
  cache: string | undefined
  /** What is written for each session. */
  formats: readonly SiteFormat[]
  /** Build the search index. */
  search: boolean
  /** Outputs of commands and tools are searched too. */
  searchOutputs: boolean
  /** A service worker keeps visited pages and the index. */
  offline: boolean
  /** File that holds the password of the site; `undefined` leaves the site open. */
  passwordFile: string | undefined
  /** Plan the build and write nothing. */
  dryRun: boolean
  /** Go on although most sessions vanished since the last build or publish. */
  allowRemoval: boolean
  /** Exit with 1 when there was a warning. */
  strict: boolean
}

/** What of the sessions is shown. */
export interface PrivacySettings {
  /** Take secrets out of everything that is written or printed. */
  redact: boolean
  /** Which personal data are replaced there, too. */
  personal: PersonalPolicy
  /** Replace e-mail addresses whatever `personal` says. */
  redactEmails: boolean
}

/** Where decisions about single sessions stand: in a file, absolute, or in the configuration itself. */
export type CurationSource = { file: string } | { sessions: unknown }

/** What of the sessions is published. */
export interface PublicationSettings {
  /** Visibility for a purpose. */
  preset: Preset
  /** How single kinds are shown, in place of what the preset says. */
  visibility: Partial<Visibility>
  /** Kinds to show, to fold, to leave out; the last is strongest. */
  show: readonly ContentKind[]
  fold: readonly ContentKind[]
  omit: readonly ContentKind[]
  /** Characters of each output that are published; `undefined` means all. */
  maxOutput: number | undefined
  /** Decisions about single sessions. */
  curation: CurationSource | undefined
  /** Only sessions that began on one of these branches, `*` for any characters; empty means all. */
  branches: readonly string[]
  /** No threads whose id begins with one of these. */
  exclude: readonly string[]
  /** What to do with pages whose rollouts no longer exist. */
  missing: 'remove' | 'keep'
}

/** A curation as a configuration file may hold it. */
export interface CurationConfig {
  /** By the beginning of a thread id. */
  sessions: Record<string, { exclude?: string[]; title?: string; note?: string; hidden?: boolean }>
}

/** What one call of a command does. */
export interface CommandSettings {
  /** Format of `show`. */
  format: ShowFormat
  /** File that `show` and `scrub` write; `undefined` means standard output. */
  output: string | undefined
  /** `show` puts the sub-agents behind the session. */
  withAgents: boolean
  /** Bytes of pictures that a page of `show` may hold. */
  maxInline: number
  /** Port of `serve`; 0 takes a free one. */
  port: number
  /** Open the site in the browser. */
  open: boolean
  /** Print one JSON document on standard output. */
  json: boolean
  /** Print SARIF. */
  sarif: boolean
  /** Configuration file; `undefined` means a `site.config.*` in the working folder, `false` none. */
  configFile: string | false | undefined
}

/** How pages look. */
export interface AppearanceSettings {
  /** Title of the site. */
  title: string
  /** One sentence about the site. */
  description: string | undefined
  /** Absolute address under which the site is public, with a slash at its end. */
  siteUrl: string | undefined
  /** IANA time zone of shown times and of days in filters. */
  timeZone: string
  /** BCP 47 tag of the site's language. */
  language: string
  /** Folder with templates that replace the built-in ones of the same name. */
  templatesDir: string | undefined
  /** Prices of tokens; `undefined` shows no cost. */
  prices: PriceTable | undefined
  /** unified plugins for the transcript tree. */
  plugins: PluggableList
}

/** Hosts that `publish` knows, in the order of help. */
export const publishTargets = ['dir', 'git', 'github-pages', 's3'] as const

/** A host that `publish` knows. */
export type PublishTarget = (typeof publishTargets)[number]

/** What a configuration file may say about publishing. */
export interface PublishConfig {
  /** Host that `publish` puts the site on. */
  target?: PublishTarget
  /** A folder, the address or path of a git repository, or `s3://bucket/prefix`. */
  to?: string
  /** Branch that holds the site. */
  branch?: string
  /** Keep earlier versions of the site in the history of the branch. */
  history?: boolean
  /** Author of commits, `Name <mail>`. */
  author?: string
  /** Name of the workflow file of `github-pages`. */
  name?: string
  /** Address of the service of an object store. */
  endpoint?: string
  region?: string
  /** The bucket stands in the path of requests. */
  pathStyle?: boolean
}

/** Where a site is published. Flags are stronger than what stands in `publish`. */
export interface PublishSettings {
  publish: PublishConfig | undefined
  to: string | undefined
  toBranch: string | undefined
  history: boolean | undefined
  siteName: string | undefined
  endpoint: string | undefined
  region: string | undefined
  pathStyle: boolean | undefined
  /** Publish in spite of findings. */
  allowFindings: boolean
  /** Publish a site that holds secrets as they were. */
  allowUnredacted: boolean
  /** Replace a file that somebody else wrote. */
  replace: boolean
}

/** Programs that look for secrets in a built site. */
export type ScannerName = 'gitleaks' | 'trufflehog'

/** What is asked in the audit of a built site, and what it lets pass. */
export interface AuditSettings {
  /** Programs that are asked, too. */
  scanners: readonly ScannerName[]
  /** Reasons by the fingerprints of findings. */
  waivers: Readonly<Record<string, string>>
}

/** Which items of a memory are left out, and where that is written. */
export interface PruneSettings {
  /** Selections of items: excluded until they are included again, included again, deleted. */
  excludeItems: readonly string[]
  excludeCategories: readonly string[]
  includeItems: readonly string[]
  deleteItems: readonly string[]
  /** Selections of outputs in whose place a text stands, and the text. */
  replaceItems: readonly string[]
  replacement: string
  /** Write a pruned copy as a thread of its own. */
  newThread: boolean
  /** Write over the rollout itself. */
  inPlace: boolean
  /** Mark items in a list on the terminal. */
  interactive: boolean
  /** Write although a file looks unfinished, restore although lines would only be in a backup. */
  force: boolean
  /** What cannot be known of a session counts as closed. */
  assumeClosed: boolean
  /** Backup that `restore` puts back; `undefined` means the one that the last prune names. */
  backup: string | undefined
  /** `restore` undoes the last prune or restore. */
  undo: boolean
  /** `restore` moves backups of earlier versions to where no Codex looks. */
  moveBackups: boolean
  /** `restore` only shows the backups. */
  listBackups: boolean
}

/** What the model remembers, and which of it is looked at. */
export interface MemorySettings {
  /** Number of the turn behind which the memory is shown; `undefined` means the last. */
  at: number | undefined
}

/** Values of all options after flags, environment, configuration file and defaults were laid over each other. */
export interface Settings
  extends SourceSettings,
    SiteSettings,
    PrivacySettings,
    PublicationSettings,
    CommandSettings,
    AppearanceSettings,
    PublishSettings,
    AuditSettings,
    MemorySettings,
    PruneSettings {}

/** What a configuration file may hold. Relative paths start at the file's folder. */
export type SiteConfig = Partial<
  Pick<
    Settings,
    | 'homes'
    | 'out'
    | 'cache'
    | 'projects'
    | 'since'
    | 'until'
    | 'ids'
    | 'exclude'
    | 'branches'
    | 'archived'
    | 'formats'
    | 'search'
    | 'searchOutputs'
    | 'offline'
    | 'passwordFile'
    | 'redact'
    | 'preset'
    | 'visibility'
    | 'missing'
    | 'strict'
    | 'title'
    | 'description'
    | 'siteUrl'
    | 'timeZone'
    | 'language'
    | 'templatesDir'
    | 'prices'
    | 'plugins'
    | 'publish'
    | 'waivers'
  >
> & {
  /** Characters of each output that are published, such as `4k`. */
  maxOutput?: string
  /** Path of a JSON file with decisions about single sessions, or the decisions themselves. */
  curation?: string | CurationConfig
  /** Which personal data are replaced; what is left out is as by default. */
  personal?: boolean | Partial<PersonalPolicy>
}

// Typing of configuration files.

/** Gives back a configuration as it is; an editor then knows its keys. Use as `export default defineConfig({…})`. */
export function defineConfig(config: SiteConfig): SiteConfig {
  return config
}
