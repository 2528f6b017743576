/** Names whose values are in lists next to them: several names before one assignment, and several values after one name. */

import { beginsJoinedList } from '../joints.ts'
import { tryReachItem } from '../search.ts'
import type { Name } from './notation-values.ts'
import type { Notation } from './notations.ts'
import { readValue, type Value } from './value-reader.ts'

const before = /(?:^|\n)[ \t]*(?:(?:const|let|var|local|my)[ \t(]{1,3})?((?:\$?[\w.]{1,40},[ \t]{0,3}){1,4})$/
const quoteAhead = '(?=[rbfu]?["\'])'

/** Reads a value of a multiple assignment: before it there are as many literals as there are names before this one. */
function readAssigned({ text, start, around }: Name, at: number): Value | undefined {
  const names = before.exec(text.slice(Math.max(0, start - 160), start))?.[1]?.match(/,/g)?.length
  if (names === undefined) return undefined
  const skipped = new RegExp(
    `(?:[rbfu]?(?:"[^"\\\\\\n]{0,120}"|'[^'\\\\\\n]{0,120}'),[ \\t]{0,3}){${names}}${quoteAhead}`,
    'y',
  )
  skipped.lastIndex = at
  return skipped.test(text) ? readValue(text, skipped.lastIndex, around()) : undefined
}

/** Reads up to the brackets that close a long string of Lua. */
function readLong({ text }: Name, at: number): Value | undefined {
  const length = text.slice(at, at + 512).search(/\]\]|\n/)
  return length < 1 || !text.startsWith(']]', at + length) ? undefined : { start: at, end: at + length, quoted: true }
}

const read = (name: Name, at: number): Value | undefined => readValue(name.text, at, name.around())

const severalSecrets = /(?:pass(?:word|phrase|code)?|pwd|secret|token|key)s$/i

/** Tried before all others, because one of those would take a part of these for a value. */
export const listNotations: readonly Notation[] = [
  // `USER, PASSWORD = "ada", "…"`
  {
    id: 'names',
    hints: ['", ', "', ", '","', "','"],
    between: new RegExp(`(?:,[ \\t]{0,3}\\$?[\\w.]{1,40}){0,3}[ \\t]{0,3}:?=[ \\t]{0,3}${quoteAhead}`, 'y'),
    read: readAssigned,
    binding: 'firm',
  },
  // `password = ["…", "…"].join("")`
  {
    id: 'joined',
    hints: ['["', "['", '("', "('", '[\n', '(\n'],
    between: new RegExp(`["']?[ \\t]{0,3}[:=][ \\t]{0,3}(?:""\\.join\\(|''\\.join\\()?[[(]\\s{0,40}${quoteAhead}`, 'y'),
    read: (name, at) => (beginsJoinedList(name.text, at) ? read(name, at) : undefined),
    binding: 'firm',
  },
  // `"passwords": ["…", "…"]`; under a singular name, a list holds a user and a password
  {
    id: 'array',
    hints: ['['],
    between: new RegExp(`["']?[ \\t]{0,3}[:=][ \\t]{0,3}\\[\\s{0,40}${quoteAhead}`, 'y'),
    read: (name, at) => (severalSecrets.test(name.text.slice(name.start, name.end)) ? read(name, at) : undefined),
    binding: 'firm',
  },
  // `password = [[…]]`
  { id: 'long', hints: ['[['], between: /[ \t]{0,3}=[ \t]{0,3}\[\[/y, read: readLong, binding: 'firm' },
  // `passwords:` with `- …` below, which may also be rules for passwords
  {
    id: 'items',
    hints: ['- '],
    between: /["']?:[ \t]{0,4}\r?\n[ \t]{0,40}-[ \t]{1,4}(?![^\n]{0,80}:(?:\s|$))/y,
    read,
    binding: 'loose',
  },
  // `ENV.fetch("NAME") { "…" }`, `var("NAME").unwrap_or_else(|_| "…".into())`, `getenv("NAME").orElseGet(() -> "…")`
  {
    id: 'otherwise',
    hints: [') {', '.unwrap_or_else', 'rElse'],
    between: new RegExp(
      `["']\\)(?:[ \\t]{0,3}\\{[ \\t]{0,3}|\\s{0,40}\\.(?:unwrap_or_else|orElseGet|orElse|getOrElse)\\((?:(?:\\|_?\\w{0,20}\\||\\(\\)[ \\t]?[=-]>)[ \\t]{0,3})?)${quoteAhead}`,
      'y',
    ),
    read,
    binding: 'firm',
  },
  // `("password" . "…")`, `{password, <<"…">>}`, `password: []const u8 = "…"`, `s:8:"password";s:12:"…"`
  {
    id: 'foreign',
    hints: [' . ', '<<', ': []', ';s:'],
    between: new RegExp(
      `(?:["'][ \\t]\\.[ \\t]|["'];s:\\d{1,5}:|["']?,[ \\t]{0,3}<<|[ \\t]{0,2}:[ \\t]{0,2}\\[\\](?:const[ \\t])?\\w{1,12}[ \\t]{0,3}=[ \\t]{0,3})${quoteAhead}`,
      'y',
    ),
    read,
    binding: 'firm',
  },
]

const maxItems = 32
const beginsItem = /(?:\[\s{0,40}["']?|\n[ \t]{0,40}-[ \t]{1,4}["']?)$/
const nextItem = /["']?(?:,\s{0,40}(?=["'])|[ \t]{0,4}\r?\n[ \t]{0,40}-[ \t]{1,4}(?![^\n]{0,80}:(?:\s|$)))/y

/** The values of a list after its first. */
export function furtherItems(text: string, { start, end }: Value, name: Name): Value[] {
  if (!beginsItem.test(text.slice(Math.max(0, start - 84), start))) return []
  const items: Value[] = []
  for (let at = end; ; ) {
    nextItem.lastIndex = at
    if (!nextItem.test(text)) break
    const value = readValue(text, nextItem.lastIndex, name.around())
    if (value === undefined || value.end <= at || !tryReachItem(items.length, maxItems, value.end - at)) break
    items.push(value)
    at = value.end
  }
  return items
}
