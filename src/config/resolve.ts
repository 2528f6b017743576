/** Combines flags, environment, configuration file and defaults into settings. */

import { ConfigError, UsageError } from '../diagnostics/errors.ts'
import { closest } from '../util/closest.ts'
import { shortened } from '../util/text.ts'
import type { Kind, PathReader } from './kinds.ts'
import {
  type Command,
  envName,
  type Option,
  options,
  type SettingName,
  type Settings,
  settingNames,
  variablePrefix,
} from './schema.ts'

/** Path functions of one platform: the part of `node:path` that is needed here. */
interface PathModule {
  resolve(...paths: string[]): string
  delimiter: string
}

/** A configuration file after loading. */
export interface LoadedConfig {
  /** Name for messages. */
  name: string
  /** Absolute folder in which its relative paths start. */
  folder: string
  values: Readonly<Record<string, unknown>>
}

/** Where settings come from. */
export interface Inputs {
  command: Command
  /** Parsed flags without `--`; absent or `undefined` if not given. */
  flags: Readonly<Record<string, unknown>>
  env: Readonly<Record<string, string | undefined>>
  config?: LoadedConfig | undefined
  /** Working folder, absolute. */
  cwd: string
  homeDir: string
  path: PathModule
}

/** Which of the four gave a value. */
type Origin = 'flags' | 'environment' | 'config' | 'default'

/** All settings, and the origin of each. */
export interface Resolved {
  settings: Settings
  origins: Readonly<Record<SettingName, Origin>>
}

/**
 * The settings of a command. An invalid value is a `UsageError`, or a `ConfigError` if it is in the configuration file; all
 * values of that file are checked, including those that the command does not need.
 */
export function resolveSettings(inputs: Inputs): Resolved {
  if (inputs.config !== undefined) checkKeys(inputs.config)
  const settings: Record<string, unknown> = {}
  const origins: Record<string, Origin> = {}
  for (const name of settingNames) {
    const found = find(name, inputs)
    settings[name] = found.value
    origins[name] = found.origin
  }
  // The loop covers every name, and each value comes from the option's own kind or default.
  return { settings, origins } as unknown as Resolved
}

/**
 * The configuration file that flags or environment name, as an absolute path; `false` if none is to be used. It is needed before
 * the file can be loaded.
 */
export function configPath(inputs: Inputs): string | false | undefined {
  return find('configFile', inputs).value as Settings['configFile'] // as its kind reads it
}

/**
 * Refuses a variable whose name is close to that of an option, or that is named after an option without a variable: what it is
 * meant to hold back would be published, and what it is meant to prevent would be done. Other variables may belong to other
 * programs.
 */
export function refuseMisspeltVariables(env: Inputs['env']): void {
  const given = Object.keys(env).filter((name) => name.startsWith(variablePrefix) && env[name] !== '')
  if (given.length === 0) return
  const read = settingNames.flatMap((name) => envName(options[name]) ?? [])
  for (const name of given) {
    if (read.includes(name)) continue
    const written = name.slice(variablePrefix.length)
    const close = closest(
      written,
      read.map((known) => known.slice(variablePrefix.length)),
    )
    const hint = settingHint(written) ?? (close && `did you mean \`${variablePrefix}${close}\`?`)
    if (hint !== undefined) throw new UsageError(`Unknown variable \`${name}\`; ${hint}`)
  }
}

/** How to set the option that a variable is named after: by its flag, or by its key in a configuration file. */
function settingHint(written: string): string | undefined {
  const plain = (name: string | undefined): string | undefined => name?.replaceAll(/[-_]/g, '').toLowerCase()
  const named = settingNames.find((name) => [name, options[name].flag].some((known) => plain(known) === plain(written)))
  if (named === undefined) return undefined
  const { flag } = options[named]
  const variable = envName(options[named])
  if (variable !== undefined) return `did you mean \`${variable}\`?`
  return flag === undefined ? `set \`${named}\` in a configuration file.` : `give the flag \`--${flag}\`.`
}

interface Found {
  value: unknown
  origin: Origin
}

function find(name: SettingName, inputs: Inputs): Found {
  const option = options[name]
  const written = fromConfig(name, option, inputs)
  const { join } = option.kind
  if (join === undefined)
    return fromFlag(option, inputs) ?? fromVariable(option, inputs) ?? written ?? fromDefault(option, inputs)
  const given = [fromFlag(option, inputs), fromVariable(option, inputs), written].filter((found) => found !== undefined)
  const [first = fromDefault(option, inputs), ...others] = given
  return { ...first, value: others.reduce((value, other) => join(value, other.value), first.value) }
}

function fromFlag({ kind, flag, off, commands }: Option, inputs: Inputs): Found | undefined {
  const given = flag === undefined || !commands.includes(inputs.command) ? undefined : inputs.flags[flag]
  if (given === undefined) return undefined
  if (given === false && off !== undefined) return { value: off, origin: 'flags' }
  const name = `\`--${flag}\``
  if (Array.isArray(given) && given.includes(false) && given.some((value) => value !== false))
    throw new UsageError(`${name} and \`--no-${flag}\` were both given: leave one of them out.`)
  const values = Array.isArray(given) ? given.map(String) : [String(given)]
  // `--no-out` arrives as `false`, `--out` without a value as an empty text, `--id` without one as an empty list.
  const empty = values.length === 0 || values.includes('') || (typeof given === 'boolean' && kind.placeholder !== '')
  if (empty) throw new UsageError(`${name} needs a value: ${kind.expected}.`)
  if (values.length > 1 && !kind.many) throw new UsageError(`${name} was given ${values.length} times; give it once.`)
  const value = kind.fromText(values, pathReader(inputs, inputs.cwd))
  if (value === undefined) throw new UsageError(misfit(name, values.join(','), kind))
  return { value, origin: 'flags' }
}

function fromVariable(option: Option, inputs: Inputs): Found | undefined {
  const name = option.commands.includes(inputs.command) ? envName(option) : undefined
  const text = name === undefined ? undefined : inputs.env[name]
  if (text === undefined || text === '') return undefined
  const paths = pathReader(inputs, inputs.cwd)
  const value = option.kind.fromText(option.kind.split?.(text, paths) ?? [text], paths)
  if (value === undefined) throw new UsageError(misfit(`\`${name}\``, text, option.kind))
  return { value, origin: 'environment' }
}

function fromConfig(name: SettingName, { kind }: Option, inputs: Inputs): Found | undefined {
  const { config } = inputs
  const written = config !== undefined && Object.hasOwn(config.values, name) ? config.values[name] : undefined
  if (config === undefined || written === undefined) return undefined
  const value = kind.fromConfig(written, pathReader(inputs, config.folder))
  if (value === undefined) throw new ConfigError(misfit(`\`${name}\` in \`${config.name}\``, written, kind))
  return { value, origin: 'config' }
}

/**
 * Defaults are read like keys of a configuration file in the working folder. An empty list of words, which only a default may be,
 * is used as it is.
 */
function fromDefault({ default: written, kind }: Option, inputs: Inputs): Found {
  return { value: kind.fromConfig(written, pathReader(inputs, inputs.cwd)) ?? written, origin: 'default' }
}

function misfit(where: string, value: unknown, kind: Kind<unknown>): string {
  return `${where} is \`${shorten(value)}\`; expected ${kind.expected}.`
}

/** A value for a message: texts and numbers as they are, anything else as JSON if possible; one line of at most 80 characters. */
function shorten(value: unknown): string {
  // As JSON, a number that is not finite would be `null`.
  const isPlain = typeof value === 'string' || typeof value === 'number'
  const line = (isPlain ? String(value) : inJson(value)).replace(/\s+/g, ' ')
  return shortened(line, 80, 79)
}

function inJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value
  } catch {
    return typeof value // it contains itself or a big integer
  }
}

function checkKeys({ name, values }: LoadedConfig): void {
  const known = settingNames.filter((key) => options[key].config)
  const unknown = Object.keys(values).find((key) => !known.some((other) => other === key))
  if (unknown === undefined) return
  const close = closest(unknown, known)
  const hint = close === undefined ? 'docs/config.md lists the known ones.' : `did you mean \`${close}\`?`
  throw new ConfigError(`\`${name}\` has the unknown key \`${unknown}\`; ${hint}`)
}

function pathReader({ path, homeDir }: Inputs, base: string): PathReader {
  return {
    delimiter: path.delimiter,
    absolute: (text) => path.resolve(base, /^~(?=[/\\]|$)/.test(text) ? homeDir + text.slice(1) : text),
  }
}

// Options that have no effect, or the opposite of what they say, in combination with others.

/** What options need in order to have an effect: their names, a phrase that follows "without", and whether the need is met. */
type Need = readonly [
  names: readonly SettingName[],
  missing: string,
  isMet: (settings: Settings, argument: string | undefined) => boolean,
]

const watch: Need = [['poll'], '`--watch`', (settings) => settings.watch]
const markdown: Need = [['frontMatter'], 'the format `md`', ({ formats }) => formats.includes('md')]

/** The needs by command. */
const needs: Readonly<Partial<Record<Command, readonly Need[]>>> = {
  build: [
    ...[watch, markdown],
    [['shards'], '`--shard`', ({ shard }) => shard !== undefined],
    [
      ['out', 'allowRemoval'],
      'a site to write: a shard is written below `--shards`',
      ({ shard }) => shard === undefined,
    ],
  ],
  show: [[['maxInline'], 'the format `html`', ({ format }) => format === 'html']],
  context: [
    [['by', 'wholeItems'], 'a list of items: `--item` prints one', ({ oneItem }) => oneItem === undefined],
    [
      ['by'],
      'a list of items: `--diff` prints what changed',
      (settings) => settings.diff === undefined || asksJson(settings),
    ],
  ],
  search: [
    [['around'], 'lines to print: `--count` prints numbers', ({ count }) => !count],
    [['out'], 'turns to link or open: `--count` prints numbers', ({ count, open }) => !count || open],
  ],
  restore: [
    [['force', 'assumeClosed'], 'a backup to restore: `--list` changes nothing', ({ listBackups }) => !listBackups],
  ],
  merge: [markdown],
  serve: [watch, markdown],
  share: [
    [['assumeYes'], '`--gist` or `--to`', ({ gist, to }) => gist || to !== undefined],
    [['endpoint', 'region', 'pathStyle'], '`--to s3://…`', ({ to }) => to?.startsWith('s3://') === true],
  ],
  publish: [
    [['endpoint', 'region', 'pathStyle'], 'the target `s3`', targets('s3')],
    [['history'], 'the target `git`', targets('git')],
    [['toBranch'], 'the target `git` or `github-pages`', targets('git', 'github-pages')],
    [['siteName', 'replace'], 'the target `github-pages`', targets('github-pages')],
    [['to'], 'the target `dir`, `git` or `s3`', targets('dir', 'git', 's3')],
  ],
  prune: [
    // Without items, a list on the terminal asks which outputs to replace.
    [['replacement'], '`--replace`', (settings) => settings.replaceItems.length > 0 || !namesItems(settings)],
  ],
  check: [
    [
      [
        ...(['homes', 'projects', 'since', 'until', 'ids', 'exclude', 'branches', 'archived', 'redact'] as const),
        ...(['preset', 'show', 'fold', 'omit', 'maxOutput', 'curation'] as const),
      ],
      'sessions to check: a site is read as it is',
      (_, site) => site === undefined,
    ],
    [
      ['redact', 'personal', 'redactEmails', 'preset', 'show', 'fold', 'omit', 'maxOutput', 'curation'],
      'texts to check: `--unknown` looks at the format alone',
      ({ unknown }) => !unknown,
    ],
  ],
}

/** Whether `context` prints JSON, which in any case contains all items. */
function asksJson({ json, wholeItems, oneItem }: Settings): boolean {
  return json || wholeItems || oneItem !== undefined
}

function targets(...names: readonly string[]): Need[2] {
  return ({ publish }, argument) => names.includes(argument ?? publish?.target ?? '')
}

function namesItems({ interactive, excludeItems, excludeCategories, deleteItems }: Settings): boolean {
  return !interactive && excludeItems.length + excludeCategories.length + deleteItems.length > 0
}

/** What to say about each flag of a call that has no effect; `argument` is the one after the command. */
export function unusedFlags(command: Command, { settings, origins }: Resolved, argument: string | undefined): string[] {
  const unmet = (needs[command] ?? []).filter(([, , isMet]) => !isMet(settings, argument))
  return unmet.flatMap(([names, missing]) => {
    const given = names.filter((name) => origins[name] === 'flags')
    return given.map((name) => `\`--${options[name].flag}\` does nothing without ${missing}.`)
  })
}

/**
 * Throws a `UsageError` if the same origin turns redaction off and asks for personal data to be replaced. Otherwise the origin
 * closer to the call wins, as always.
 */
export function refuseContradictions(command: Command, { settings, origins }: Resolved): void {
  if (settings.redact || !options.redact.commands.includes(command)) return
  const wanted = settings.redactEmails ? 'redactEmails' : 'personal'
  const isWanted = settings.redactEmails || settings.personal.home
  if (isWanted && origins[wanted] === origins.redact)
    throw new UsageError(
      `\`--no-redact\` replaces nothing, but \`--${options[wanted].flag}\` asks for replacements: leave one of them out.`,
    )
}
