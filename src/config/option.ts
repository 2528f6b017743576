/** What an option is: its row in the table, the commands that take it, and the kinds of values by name. */

import * as kinds from './kinds.ts'
import * as plugins from './plugins.ts'
import * as publication from './publication.ts'
import * as publish from './publish.ts'

// Commands.

/**
 * What a command does with the `site.config.*` of the working folder, which is a program. `run`: commands that build or publish
 * run it, as build tools do. `ask`: commands that print or check texts of sessions run it if the user allowed it, and never go on
 * without it unless told to, since it may contain privacy rules. `ignore`: none of its settings matters.
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

/** Names for groups of commands that take the same options. */
const commandGroups = {
  /** All commands. */
  all: Object.keys(folderConfigUse) as readonly (keyof typeof folderConfigUse)[],
  /** Commands that read sessions of homes. */
  reading: ['build', 'merge', 'list', 'show', 'share', 'search', 'serve', 'check'],
  /** Commands that work on what the model remembers. */
  remembering: ['context', 'prune', 'restore'],
  /** Commands that make a site. */
  sites: ['build', 'merge', 'serve'],
  /** Commands that make pages. */
  pages: ['build', 'merge', 'show', 'share', 'serve'],
  /** Commands that depend on which parts of sessions are published. */
  published: ['build', 'merge', 'show', 'share', 'serve', 'check'],
  /** Commands that filter sessions. */
  filters: ['build', 'merge', 'list', 'search', 'mcp', 'serve', 'check'],
} as const

/** Headings of help, in their order. */
export const optionGroups = {
  input: 'Input:',
  selection: 'Selection:',
  output: 'Output:',
  privacy: 'Privacy:',
  look: 'Look:',
} as const

/** One option, as a row of the table. Its key in the table is the name of the setting. */
export interface OptionRow {
  /** The name under which a `Kind` is exported, or one of the kinds that are made from other columns. */
  readonly kind: KindName | 'choice' | 'choices' | 'publish'
  /** The words to choose from. */
  readonly of?: readonly string[]
  /** The kinds of values in an object, by key. */
  readonly keys?: Readonly<Record<string, KindName>>
  /** Replaces the placeholder of the kind. */
  readonly placeholder?: string
  /** Heading of help under which the option is listed. */
  readonly group: keyof typeof optionGroups
  /** As a configuration file would contain it; without it, the setting is `undefined`. */
  readonly default?: unknown
  /** Name of the flag without `--`; the environment variable is derived from it, see `envName`. */
  readonly flag?: string
  /** A one-letter form of the flag. */
  readonly short?: string
  /** The value of the `--no-` form of a flag that takes a value. */
  readonly off?: false
  /** The option cannot be set by an environment variable. */
  readonly flagOnly?: true
  /** A configuration file may contain it, under the name of the setting. */
  readonly config?: true
  /** Pages depend on it: a build passes it to all of them, and renders them again when it changes. */
  readonly pages?: true
  /** Commands that take the option, or groups of them. */
  readonly commands: readonly (Command | keyof typeof commandGroups)[]
  /** One sentence for help and docs, without the default. `{kinds}` stands for the kinds of content. */
  readonly help: string
  /** What happens by default, if the value alone does not show it. */
  readonly defaultHelp?: string
  /** What help of single commands says instead of `help` and `defaultHelp`, which are written for all commands. */
  readonly ownHelp?: Readonly<Partial<Record<Command, Pick<OptionRow, 'defaultHelp'> & { readonly help?: string }>>>
}

/** A row with its kind and commands resolved. */
export interface Option extends Omit<OptionRow, 'kind' | 'commands' | 'of' | 'keys' | 'placeholder'> {
  readonly kind: kinds.Kind<unknown>
  readonly commands: readonly Command[]
}

/** Resolves the kind and the commands of a row. */
export function optionOf(row: OptionRow): Option {
  const kind = valueKind(row)
  const own = row.placeholder === undefined ? kind : { ...kind, placeholder: row.placeholder }
  const help = row.help.replace('{kinds}', publication.contentKinds.join(', '))
  return { ...row, help, kind: own, commands: row.commands.flatMap(commandsOf) }
}

function commandsOf(name: Command | keyof typeof commandGroups): readonly Command[] {
  return name in commandGroups ? commandGroups[name as keyof typeof commandGroups] : [name as Command]
}

// Kinds of values, by the names under which they are exported.

type KindModules = typeof kinds & typeof plugins & typeof publication & typeof publish

/** Name of a kind. */
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

function valueKind({ kind, of = [], keys = {} }: OptionRow): kinds.Kind<unknown> {
  if (kind === 'choice') return kinds.choice(of)
  if (kind === 'choices') return kinds.choices(of)
  if (kind !== 'publish') return kindsByName[kind]
  const kindsOfKeys = Object.entries(keys).map(([key, name]): [string, kinds.Kind<unknown>] => [key, kindsByName[name]])
  return publish.publishTable(Object.fromEntries(kindsOfKeys))
}

/** The type of a row's setting after all origins were read. */
export type SettingOf<Row> = Row extends { default: unknown }
  ? WrittenValue<Row>
  : WrittenValue<Row> | (Row extends { off: infer Off } ? Off : never) | undefined

/** The type of the values of a kind. */
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

/** The commands that take the option of a row. */
export type CommandsOf<Row> = Row extends { commands: readonly (infer Name)[] }
  ? Name extends keyof typeof commandGroups
    ? (typeof commandGroups)[Name][number]
    : Name
  : never
