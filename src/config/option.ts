/** What an option is: its row in the table, the commands that take it, and the kinds of values by name. */

import * as kinds from './kinds.ts'
import * as plugins from './plugins.ts'
import * as publication from './publication.ts'
import * as publish from './publish.ts'

// Commands.

/**
 * What a command does with the `site.config.*` of the working folder, which is a program. `run`: builds and hosts run it,
 * as build tools do. `ask`: what prints or checks texts of sessions runs it where the user allowed it, and never goes on
 * without it unasked, since it may hold rules of privacy. `ignore`: none of its settings matters.
 */
export const folderConfigUse = {
  build: 'run',
  merge: 'run',
  serve: 'run',
  publish: 'run',
  list: 'ask',
  show: 'ask',
  share: 'run',
  search: 'ask',
  mcp: 'ignore',
  check: 'ask',
  context: 'ask',
  prune: 'ask',
  restore: 'ask',
  scrub: 'ignore',
  init: 'ignore',
  open: 'ask',
  doctor: 'ignore',
  completion: 'ignore',
} as const

/** The commands of the program. */
export type Command = keyof typeof folderConfigUse

/** Commands that take the same options, under one name. */
const commandGroups = {
  /** Whatever they do. */
  all: Object.keys(folderConfigUse) as readonly (keyof typeof folderConfigUse)[],
  /** They read sessions of homes. */
  reading: ['build', 'merge', 'list', 'show', 'share', 'search', 'serve', 'check'],
  /** They read what the model remembers. */
  remembering: ['context', 'prune', 'restore'],
  /** They make a site. */
  sites: ['build', 'merge', 'serve'],
  /** They make pages. */
  pages: ['build', 'merge', 'show', 'share', 'serve'],
  /** For them it matters what of sessions is published. */
  published: ['build', 'merge', 'show', 'share', 'serve', 'check'],
  /** They pick sessions. */
  filters: ['build', 'merge', 'list', 'search', 'mcp', 'serve', 'check'],
} as const

/** Headings of help, in its order. */
export const optionGroups = {
  input: 'Input:',
  selection: 'Selection:',
  output: 'Output:',
  privacy: 'Privacy:',
  look: 'Look:',
} as const

/** One option, as a row of the table says it. Its name is that of the setting. */
export interface OptionRow {
  /** A `Kind` by the name of its export, or one of the two kinds that are made from words. */
  readonly kind: KindName | 'choice' | 'choices' | 'publish'
  /** The words that can be chosen. */
  readonly of?: readonly string[]
  /** The kinds of values in an object, by their keys. */
  readonly keys?: Readonly<Record<string, KindName>>
  /** In place of what the kind says. */
  readonly placeholder?: string
  /** Heading of help under which it stands. */
  readonly group: keyof typeof optionGroups
  /** As a configuration file would hold it; absent: the setting is then `undefined`. */
  readonly default?: unknown
  /** Name of the flag without `--`; the environment variable follows from it, see `envName`. */
  readonly flag?: string
  /** One letter that stands for the flag. */
  readonly short?: string
  /** What `--no-` before the flag gives, where the flag takes a value. */
  readonly off?: false
  /** The flag may not come from the environment. */
  readonly flagOnly?: true
  /** A configuration file may hold it, under the name of the setting. */
  readonly config?: true
  /** Pages depend on it: a build hands it to all of them, and makes them anew when it changes. */
  readonly pages?: true
  /** Commands that take the option, or groups of them. */
  readonly commands: readonly (Command | keyof typeof commandGroups)[]
  /** One sentence for help and docs, without the default. `{kinds}` stands for the kinds of content. */
  readonly help: string
  /** What happens by default, where the value alone does not tell. */
  readonly defaultHelp?: string
  /** What help of single commands says in place of `help` and `defaultHelp`, which speak of all commands. */
  readonly ownHelp?: Readonly<Partial<Record<Command, Pick<OptionRow, 'defaultHelp'> & { readonly help?: string }>>>
}

/** A row with its kind and commands at hand. */
export interface Option extends Omit<OptionRow, 'kind' | 'commands' | 'of' | 'keys' | 'placeholder'> {
  readonly kind: kinds.Kind<unknown>
  readonly commands: readonly Command[]
}

/** Makes a row ready for use. */
export function optionOf(row: OptionRow): Option {
  const kind = kindOf(row)
  const own = row.placeholder === undefined ? kind : { ...kind, placeholder: row.placeholder }
  const help = row.help.replace('{kinds}', publication.contentKinds.join(', '))
  return { ...row, help, kind: own, commands: row.commands.flatMap(commandsOf) }
}

function commandsOf(name: Command | keyof typeof commandGroups): readonly Command[] {
  return name in commandGroups ? commandGroups[name as keyof typeof commandGroups] : [name as Command]
}

// Kinds of values, by the names of their exports.

type KindModules = typeof kinds & typeof plugins & typeof publication & typeof publish

/** Names of kinds. */
type KindName = {
  [Name in keyof KindModules]: KindModules[Name] extends kinds.Kind<unknown> ? Name : never
}[keyof KindModules]

const kindsByName: Pick<KindModules, KindName> = {
  text: kinds.text,
  texts: kinds.texts,
  allTexts: kinds.allTexts,
  when: kinds.when,
  folder: kinds.folder,
  file: kinds.file,
  toggle: kinds.toggle,
  homes: kinds.homes,
  port: kinds.port,
  turnNumber: kinds.turnNumber,
  fromOne: kinds.fromOne,
  fromZero: kinds.fromZero,
  jobs: kinds.jobs,
  shard: kinds.shard,
  size: kinds.size,
  timeZone: kinds.timeZone,
  language: kinds.language,
  siteUrl: kinds.siteUrl,
  prices: kinds.prices,
  plugins: plugins.plugins,
  tokens: plugins.tokens,
  personal: kinds.personal,
  waivers: kinds.waivers,
  visibility: publication.visibility,
  curation: publication.curation,
  contentChoices: publication.contentChoices,
  allContentChoices: publication.allContentChoices,
  publishTarget: publish.publishTarget,
  place: publish.place,
  branch: publish.branch,
  author: publish.author,
  workflowName: publish.workflowName,
  endpoint: publish.endpoint,
  region: publish.region,
}

function kindOf({ kind, of = [], keys = {} }: OptionRow): kinds.Kind<unknown> {
  if (kind === 'choice') return kinds.choice(of)
  if (kind === 'choices') return kinds.choices(of)
  if (kind !== 'publish') return kindsByName[kind]
  const kindsOfKeys = Object.entries(keys).map(([key, name]): [string, kinds.Kind<unknown>] => [key, kindsByName[name]])
  return publish.publishTable(Object.fromEntries(kindsOfKeys))
}

/** What the setting of a row holds, once all is read. */
export type SettingOf<Row> = Row extends { default: unknown }
  ? WrittenValue<Row>
  : WrittenValue<Row> | (Row extends { off: infer Off } ? Off : never) | undefined

/** What a value of a kind is. */
type ValueOf<Name extends KindName> = KindModules[Name] extends kinds.Kind<infer Value> ? Value : never

type WrittenValue<Row> = Row extends { kind: 'choice'; of: readonly (infer Word)[] }
  ? Word
  : Row extends { kind: 'choices'; of: readonly (infer Word)[] }
    ? readonly Word[]
    : Row extends { keys: infer Keys }
      ? { [Key in keyof Keys]?: Keys[Key] extends KindName ? ValueOf<Keys[Key]> : never }
      : Row extends { kind: infer Name extends KindName }
        ? ValueOf<Name>
        : never

/** Commands that take the option of a row. */
export type CommandsOf<Row> = Row extends { commands: readonly (infer Name)[] }
  ? Name extends keyof typeof commandGroups
    ? (typeof commandGroups)[Name][number]
    : Name
  : never
