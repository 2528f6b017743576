/** Kinds of option values: how each is read from text and from a configuration file. */

import { isObject } from '../util/json.ts'
import { isLine } from '../util/text.ts'
import { isTimeZone } from '../util/time.ts'
import { joinPolicies, type PersonalPolicy, personalDefaults, personalFrom, personalOff } from './personal.ts'
import { type PriceTable, pricesFrom } from './prices.ts'

/** A Codex home, a folder of rollouts or a single rollout. */
export interface Home {
  /** Always absolute in a resolved setting. */
  path: string
  /** Shown with the sessions of this home; leave it out if there is only one home. */
  label?: string
}

/** Makes paths absolute that come from one origin. */
export interface PathReader {
  /** The absolute form of a path as written; a leading `~` is the home folder. */
  absolute(path: string): string
  /** What separates paths in an environment variable: `:`, or `;` on Windows. */
  delimiter: string
}

/** A kind of value. The readers return `undefined` for an invalid value. */
export interface Kind<T> {
  /** What a value must be: completes `expected …`. */
  expected: string
  /** Represents the value in help, for example `DIR`; empty for switches, which take no value. */
  placeholder: string
  /** Whether the flag may be given several times. */
  many: boolean
  /** Reads the texts of a flag, or of an environment variable after `split`. */
  fromText(texts: readonly string[], paths: PathReader): T | undefined
  /** Reads a value from a configuration file. */
  fromConfig(value: unknown, paths: PathReader): T | undefined
  /** Splits an environment variable into parts; without it, the variable is one part. */
  split?: (text: string, paths: PathReader) => string[]
  /** Combines the values of two origins, the stronger one first; without it, only the stronger one counts. */
  join?(strong: T, weak: T): T
}

/** A kind whose flag takes a single text. */
export function single<T>(
  expected: string,
  placeholder: string,
  read: (text: string, paths: PathReader) => T | undefined,
): Kind<T> {
  return {
    expected,
    placeholder,
    many: false,
    fromText: ([text = ''], paths) => read(text, paths),
    fromConfig: (value, paths) => (typeof value === 'string' ? read(value, paths) : undefined),
  }
}

/** A whole number, which a configuration file may contain as a number or as text. */
function whole(expected: string, placeholder: string, read: (text: string) => number | undefined): Kind<number> {
  const kind = single(expected, placeholder, read)
  return {
    ...kind,
    fromConfig: (value, paths) => kind.fromConfig(typeof value === 'number' ? `${value}` : value, paths),
  }
}

/** A kind whose values can only be given in a configuration file. */
export function inFile<T>(expected: string, placeholder: string, fromConfig: Kind<T>['fromConfig']): Kind<T> {
  return { expected, placeholder, many: false, fromText: () => undefined, fromConfig }
}

/** Reads all values; `undefined` if one of them is invalid. */
function every<T>(values: readonly unknown[], read: (value: unknown) => T | undefined): T[] | undefined {
  const results: T[] = []
  for (const value of values) {
    const result = read(value)
    if (result === undefined) return undefined
    results.push(result)
  }
  return results
}

/** Reads the items of a list that is not empty. */
function someOf<T>(value: unknown, read: (value: unknown) => T | undefined): T[] | undefined {
  return Array.isArray(value) && value.length > 0 ? every(value, read) : undefined
}

const plain = (value: unknown): string | undefined => (isLine(value) ? value : undefined)

/** A path may contain any character but NUL. */
const pathText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' && !value.includes('\0') ? value : undefined

const commas = (text: string): string[] => text.split(',').map((part) => part.trim())

/** One line of text that is not blank. */
export const text: Kind<string> = single('one line of text', 'TEXT', plain)

/** A point in time as filters take it; the filters themselves check it against their clock. */
export const when: Kind<string> = single(
  'a day such as 2026-03-01 or yesterday, a period such as last week, a time such as 2026-03-01 09:30, or an age such as 7d',
  'WHEN',
  plain,
)

/** A folder as an absolute path. */
export const folder: Kind<string> = single('the path of a folder', 'DIR', (value, paths) => {
  const path = pathText(value)
  return path === undefined ? undefined : paths.absolute(path)
})

/** A file as an absolute path. */
export const file: Kind<string> = { ...folder, expected: 'the path of a file', placeholder: 'FILE' }

/** On or off. */
export const toggle: Kind<boolean> = {
  expected: 'true or false',
  placeholder: '',
  many: false,
  fromText: ([value = '']) => {
    if (/^(?:true|yes|on|1)$/i.test(value)) return true
    return /^(?:false|no|off|0)$/i.test(value) ? false : undefined
  },
  fromConfig: (value) => (typeof value === 'boolean' ? value : undefined),
}

/** A policy for personal data; as a switch, either the defaults or no replacement. */
export const personal: Kind<PersonalPolicy> = {
  expected: "true or false; in a configuration file { home?, names?, emails?, roots?: { '/folder': 'name' } }",
  placeholder: '',
  many: false,
  fromText: (values, paths) => policyOf(toggle.fromText(values, paths)),
  fromConfig: (value) => (typeof value === 'boolean' ? policyOf(value) : personalFrom(value)),
  join: joinPolicies,
}

function policyOf(on: boolean | undefined): PersonalPolicy | undefined {
  if (on === undefined) return undefined
  return on ? personalDefaults : personalOff
}

/**
 * One or more texts, one of which must match. An empty list is refused: a program whose list came out empty would get everything.
 */
export const texts: Kind<readonly string[]> = {
  expected: 'one or more texts',
  placeholder: 'TEXT',
  many: true,
  fromText: (values) => every(values, plain),
  fromConfig: (value) => someOf(value, plain),
  split: commas,
}

/** Texts that add up over all origins, so that none takes back what another says. */
export const allTexts: Kind<readonly string[]> = {
  ...texts,
  fromConfig: (value) => (Array.isArray(value) ? every(value, plain) : undefined),
  join: (strong, weak) => [...strong, ...weak],
}

/** Codex homes: paths in text, `{path, label}` in a configuration file. */
export const homes: Kind<readonly Home[]> = {
  expected: 'one or more folders of rollouts or rollout files; in a configuration file a list of { path, label }',
  placeholder: 'DIR',
  many: true,
  fromText: (values, paths) => every(values, (value) => homeAt(value, paths)),
  fromConfig: (value, paths) => someOf(value, (item) => homeFrom(item, paths)),
  split: (value, paths) => value.split(paths.delimiter).filter((part) => part !== ''),
}

function homeAt(value: unknown, paths: PathReader): Home | undefined {
  const path = pathText(value)
  return path === undefined ? undefined : { path: paths.absolute(path) }
}

function homeFrom(value: unknown, paths: PathReader): Home | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { path, label, ...rest } = value as Record<string, unknown> // any object may be read by key
  const home = homeAt(path, paths)
  if (home === undefined || Object.keys(rest).length > 0) return undefined
  if (label === undefined) return home
  const shown = plain(label)
  return shown === undefined ? undefined : { ...home, label: shown }
}

/** One of several words. */
export function choice<T extends string>(words: readonly T[]): Kind<T> {
  return single(`one of ${words.join(', ')}`, words.join('|'), (value) => words.find((word) => word === value))
}

/** One or more of several words, in the order of `words` and without repeats; separated by commas in text. */
export function choices<T extends string>(words: readonly T[]): Kind<readonly T[]> {
  const pick = (values: readonly unknown[]): readonly T[] | undefined => {
    const known = every(values, (value) => words.find((word) => word === value))
    return known === undefined || known.length === 0 ? undefined : words.filter((word) => known.includes(word))
  }
  return {
    expected: `one or more of ${words.join(', ')}`,
    placeholder: words.join(','),
    many: true,
    fromText: (values) => pick(values.flatMap(commas)),
    fromConfig: (value) => (Array.isArray(value) ? pick(value) : undefined),
  }
}

/** A TCP port. */
export const port: Kind<number> = whole('a whole number from 0 to 65535', 'N', (value) =>
  /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined,
)

/** The number of a turn. */
export const turnNumber: Kind<number> = whole('the number of a turn, from 1', 'TURN', (value) =>
  /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined,
)

/** The position of something in a list, such as an item. */
export const fromOne: Kind<number> = { ...turnNumber, expected: 'a whole number from 1', placeholder: 'N' }

/** A number of things, such as lines. */
export const fromZero: Kind<number> = whole('a whole number from 0', 'N', (value) =>
  /^\d{1,9}$/.test(value) ? Number(value) : undefined,
)

/** One of several parts, `I/N` with I from 1, or `auto`. */
export const shard: Kind<string> = single('I/N with I from 1 to N, or auto', 'I/N', (value) => {
  const [, index, total] = /^([1-9]\d{0,4})\/([1-9]\d{0,4})$/.exec(value) ?? []
  return value === 'auto' || (index !== undefined && Number(index) <= Number(total)) ? value : undefined
})

/** How many sessions are rendered at once. */
export const jobs: Kind<number> = whole('a whole number from 1 to 64', 'N', (value) =>
  /^\d{1,2}$/.test(value) && Number(value) >= 1 && Number(value) <= 64 ? Number(value) : undefined,
)

const units: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

/** A number of bytes, optionally with a unit of 1024 bytes, its square or its cube. */
export const size: Kind<number> = single('a size such as 500k or 20m', 'SIZE', (value) => {
  const [, digits, unit = ''] = /^(\d{1,9})([kmg]?)$/i.exec(value) ?? []
  const factor = units[unit.toLowerCase()]
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor
})

/** A time zone that the runtime knows. */
export const timeZone: Kind<string> = single('an IANA time zone such as Europe/Berlin', 'ZONE', (value) =>
  value !== '' && isTimeZone(value) ? value : undefined,
)

/** A language tag, in its canonical form. */
export const language: Kind<string> = single('a BCP 47 language tag such as en or pt-BR', 'TAG', (value) => {
  try {
    return Intl.getCanonicalLocales(value)[0]
  } catch {
    return undefined
  }
})

/** The public address of a site, in its canonical form, ending in a slash. */
export const siteUrl: Kind<string> = single(
  'an absolute address such as https://example.org/sessions/, without a query, a fragment or a password',
  'URL',
  (value) => {
    if (!/^https?:\/\//i.test(value) || /[?#\s]/.test(value) || !URL.canParse(value)) return undefined
    const { href, username, password } = new URL(value)
    if (username !== '' || password !== '') return undefined
    return href.endsWith('/') ? href : `${href}/`
  },
)

/** A dated price table. */
export const prices: Kind<PriceTable> = inFile(
  "`false`, or { date: '2026-11-01', currency: 'USD', models: { name: { input, cached, output, cacheWrite?, source?, date? } } }",
  'TABLE',
  pricesFrom,
)

/** Findings of an audit that are accepted: reasons by fingerprint. */
export const waivers: Kind<Readonly<Record<string, string>>> = inFile(
  "{ fingerprint: 'reason' } with fingerprints of 16 hex digits as `check` prints them, and a reason for each",
  'TABLE',
  (value) => {
    if (!isObject(value)) return undefined
    const areValid = Object.entries(value).every(([key, reason]) => /^[\da-f]{16}$/.test(key) && isReason(reason))
    return areValid ? (value as Record<string, string>) : undefined // every key and value was checked
  },
)

/** Whether a value is one line of at least three characters. */
function isReason(value: unknown): boolean {
  return isLine(value) && value.trim().length >= 3
}
