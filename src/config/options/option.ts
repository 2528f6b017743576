/** What an option is, and the commands that take it. */

import type { Kind } from '../kinds.ts'
import * as kinds from '../kinds.ts'
import type { AuditSettings, CommandSettings, SourceSettings } from '../settings.ts'

/** The commands of the program. */
export type Command =
  | 'build'
  | 'list'
  | 'show'
  | 'serve'
  | 'check'
  | 'scrub'
  | 'publish'
  | 'context'
  | 'prune'
  | 'restore'

/** Headings of help, in its order. */
export const optionGroups = {
  input: 'Input:',
  selection: 'Selection:',
  output: 'Output:',
  privacy: 'Privacy:',
  look: 'Look:',
} as const

/** One option. */
export interface Option<T> {
  kind: Kind<T>
  /** Heading of help under which it stands. */
  group: keyof typeof optionGroups
  default: T
  /** One sentence for help and docs, without the default. */
  help: string
  /** What happens by default, where the value alone does not tell. */
  defaultHelp?: string
  /** Commands that take the option. */
  commands: readonly Command[]
  /** Name of the flag without `--`; the environment variable follows from it, see `envName`. */
  flag?: string
  /** What `--no-` before the flag gives, where the flag takes a value. */
  off?: T
  /** The flag may not come from the environment. */
  flagOnly?: true
  /** A configuration file may hold it, under the name of the setting. */
  config?: true
}

/** An option for each setting of a group. */
export type OptionTable<T> = { readonly [K in keyof T]: Option<T[K]> }

/** Commands that read sessions of homes. */
export const reading: readonly Command[] = ['build', 'list', 'show', 'serve', 'check']
/** Commands that read what the model remembers. */
export const remembering: readonly Command[] = ['context', 'prune', 'restore']
/** Commands that make a site. */
export const sites: readonly Command[] = ['build', 'serve']
/** Commands that make pages. */
export const pages: readonly Command[] = ['build', 'show', 'serve']
/** Commands for which it matters what of sessions is published. */
export const published: readonly Command[] = [...pages, 'check']
/** Commands that pick sessions. */
export const filters: readonly Command[] = ['build', 'list', 'serve', 'check']

/**
 * What a command does with the `site.config.*` of the working folder, which is a program. `run`: builds and hosts run it,
 * as build tools do. `ask`: what prints or checks texts of sessions runs it where the user allowed it, and never goes on
 * without it unasked, since it may hold rules of privacy. `ignore`: none of its settings matters.
 */
export const folderConfigUse: Readonly<Record<Command, 'run' | 'ask' | 'ignore'>> = {
  build: 'run',
  serve: 'run',
  publish: 'run',
  list: 'ask',
  show: 'ask',
  check: 'ask',
  context: 'ask',
  prune: 'ask',
  restore: 'ask',
  scrub: 'ignore',
}

// Options: what one call of a command does.

/** What one call of a command does. */
export const commandOptions: OptionTable<CommandSettings> = {
  format: {
    kind: kinds.choice(['md', 'html', 'json', 'text']),
    group: 'output',
    default: 'md',
    flag: 'format',
    flagOnly: true,
    commands: ['show'],
    help: 'Format of the transcript.',
  },
  output: {
    kind: kinds.file,
    group: 'output',
    default: undefined,
    flag: 'output',
    flagOnly: true,
    commands: ['show', 'check', 'scrub', 'prune'],
    help: 'File to write the result to; `prune` writes a pruned copy.',
    defaultHelp: 'standard output',
  },
  withAgents: {
    kind: kinds.toggle,
    group: 'selection',
    default: false,
    flag: 'with-agents',
    flagOnly: true,
    commands: ['show'],
    help: 'Also print the sub-agents of all levels after the session, each with its prompt; not in `json`, which holds one thread.',
  },
  maxInline: {
    kind: kinds.size,
    group: 'look',
    default: 20 * 1024 * 1024,
    flag: 'max-inline',
    commands: ['show'],
    help: 'Total size of the pictures in a page that `show` writes, such as `500k` or `20m`, at most 2 MiB each. Other pictures are named with size and hash.',
    defaultHelp: '20m',
  },
  port: {
    kind: kinds.port,
    group: 'output',
    default: 4173,
    flag: 'port',
    commands: ['serve'],
    help: 'Port on 127.0.0.1; 0 picks a free one.',
  },
  open: {
    kind: kinds.toggle,
    group: 'output',
    default: false,
    flag: 'open',
    flagOnly: true,
    commands: ['serve'],
    help: 'Open the site in the browser.',
  },
  json: {
    kind: kinds.toggle,
    group: 'output',
    default: false,
    flag: 'json',
    flagOnly: true,
    commands: ['build', 'list', 'check', 'publish', ...remembering],
    help: 'Print one JSON document on standard output.',
  },
  sarif: {
    kind: kinds.toggle,
    group: 'output',
    default: false,
    flag: 'sarif',
    flagOnly: true,
    commands: ['check'],
    help: 'Print the findings as SARIF 2.1.0, for code scanning.',
  },
  configFile: {
    kind: kinds.file,
    group: 'input',
    default: undefined,
    flag: 'config',
    off: false,
    commands: [...reading, 'publish', ...remembering],
    help: 'Configuration file to run; `--no-config` runs none.',
    defaultHelp: '`site.config.ts`, `.mts`, `.js` or `.mjs` in the working folder; commands that only read ask first',
  },
}

// Options: the audit of a built site.

const waivers: kinds.Kind<AuditSettings['waivers']> = {
  expected: "{ fingerprint: 'reason' } with fingerprints of 16 hex digits as `check` tells them, and a reason for each",
  placeholder: 'TABLE',
  many: false,
  fromText: () => undefined,
  fromConfig(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const entries: [string, unknown][] = Object.entries(value)
    const areWhole = entries.every(([key, reason]) => /^[\da-f]{16}$/.test(key) && isReason(reason))
    return areWhole ? (value as AuditSettings['waivers']) : undefined // every key and value was looked at
  },
}

/** One line that says something. */
function isReason(value: unknown): boolean {
  return typeof value === 'string' && value.trim().length >= 3 && !/\p{Cc}/u.test(value)
}

/** What is asked in the audit of a built site, and what it lets pass. */
export const auditOptions: OptionTable<AuditSettings> = {
  scanners: {
    kind: { ...kinds.choices(['gitleaks', 'trufflehog']), placeholder: 'NAME' },
    group: 'privacy',
    default: [],
    flag: 'scanner',
    flagOnly: true,
    commands: ['check', 'publish'],
    help: 'Also check the texts of a built site with a scanner on your path: `gitleaks` or `trufflehog`. Repeatable. It runs without a network where the system allows that, and contacts no vendor.',
  },
  waivers: {
    kind: waivers,
    group: 'privacy',
    default: {},
    defaultHelp: 'none',
    config: true,
    commands: ['check', 'publish'],
    help: 'Secrets in a built site that the audit accepts: the reason, by the fingerprint of the finding. A waiver that matches nothing is reported.',
  },
}

// Options: which sessions are read.

/** Which sessions are read. */
export const whichOptions: OptionTable<SourceSettings> = {
  homes: {
    kind: kinds.homes,
    group: 'input',
    default: [],
    flag: 'codex-home',
    config: true,
    commands: [...reading, ...remembering],
    help: 'Read a Codex home, a folder of rollouts or one rollout file. Repeatable.',
    defaultHelp: '`CODEX_HOME`, else `~/.codex`',
  },
  projects: {
    kind: kinds.texts('NAME'),
    group: 'selection',
    default: [],
    flag: 'project',
    config: true,
    commands: reading,
    help: 'Only sessions whose folder, repository URL or branch contains this text, ignoring case. Repeatable.',
  },
  since: {
    kind: kinds.when,
    group: 'selection',
    default: undefined,
    flag: 'since',
    config: true,
    commands: filters,
    help: 'Only sessions active since this day (2026-03-01), instant or age (7d, 2w).',
  },
  until: {
    kind: kinds.when,
    group: 'selection',
    default: undefined,
    flag: 'until',
    config: true,
    commands: filters,
    help: 'Only sessions that began by then; a day counts to its end.',
  },
  ids: {
    kind: kinds.texts('ID'),
    group: 'selection',
    default: [],
    flag: 'id',
    config: true,
    commands: filters,
    help: 'Only threads whose id starts with ID. Repeatable.',
  },
  archived: {
    kind: kinds.toggle,
    group: 'selection',
    default: undefined,
    flag: 'archived',
    config: true,
    commands: filters,
    help: 'Only archived sessions; `--no-archived` excludes them.',
    defaultHelp: 'both',
  },
}
