/** Kubernetes secrets: every value below `data` and `stringData` of an object with `kind: Secret`. */

import { none, type Rule, type Secret } from '../rule.ts'
import { kindOfName } from '../values/names.ts'
import { isPlaceholder } from '../values/placeholders.ts'
import { isCiphertext, isPublic } from '../values/public.ts'
import { isStrong, isWordy } from '../values/randomness.ts'

/** How far around its kind to look for the fields of an object. */
const maxReach = 40_000
const maxLines = 2000
const vaultReach = 2000

/** Manifests in YAML and JSON, in lists and alone, in diffs and after line numbers. */
export const manifestRules: readonly Rule[] = [
  {
    id: 'typed-secret',
    anchors: ['kind: Secret', 'kind: "Secret"', "kind: 'Secret'", 'kind:   Secret'],
    follows: '[ \\t]*(?:#[^\\n]*)?(?:\\r?\\n|$)',
    read: readYaml,
  },
  {
    id: 'typed-secret',
    anchors: ['"kind":"Secret"', '"kind": "Secret"', '"kind" : "Secret"'],
    read: readJson,
  },
  {
    // What Vault prints for a secret as JSON: its data is in an object of that name, next to its metadata.
    id: 'typed-secret',
    anchors: ['"data":', '"data" :'],
    follows: '\\s{0,12}\\{\\s{0,40}"data"\\s{0,4}:\\s{0,12}\\{',
    read(text, offset) {
      const around = text.slice(Math.max(0, offset - vaultReach), offset + vaultReach)
      return /"(?:lease_duration|created_time)"/.test(around)
        ? pairsIn(text, text.indexOf('{', text.indexOf('{', offset) + 1))
        : none
    },
  },
]

// YAML: lines at the same column belong to the same object.

interface Line {
  /** Offset of the line. */
  at: number
  /** Offset of its key or value. */
  from: number
  /** Its end, without whitespace. */
  to: number
  /** The column of its key, without a tool's prefix. */
  column: number
  /** It begins an item of a list. */
  isItem: boolean
}

/** What tools write before lines: numbers, marks of a diff or of a quotation. Marks of lists and diffs count as spaces. */
const lineHead = /^(?:[ \t]*\d{1,6}(?:[:|)→][ \t]?|\t))?([ \t>|+-]*)/

function lineAt(text: string, at: number): Line {
  const stop = text.indexOf('\n', at)
  const end = stop < 0 ? text.length : stop
  const given = text.slice(at, Math.min(end, at + 400))
  const [head = '', indent = ''] = lineHead.exec(given) ?? []
  let to = end
  while (to > at && /\s/.test(text.charAt(to - 1))) to--
  return { at, from: Math.min(to, at + head.length), to, column: indent.length, isItem: /- $/.test(indent) }
}

function readYaml(text: string, offset: number): readonly Secret[] {
  const kind = lineAt(text, text.lastIndexOf('\n', offset) + 1)
  if (kind.from !== offset) return none
  const lines = [...linesBefore(text, kind), kind, ...linesAfter(text, kind)]
  return lines.flatMap((line, index) => {
    const field = /^(?:data|stringData):[ \t]*/.exec(text.slice(line.from, line.to))
    if (field === null || line.column !== kind.column) return []
    const rest = line.from + field[0].length
    if (text[rest] === '{') return pairsIn(text, rest)
    return entriesOf(text, lines.slice(index + 1), kind.column)
  })
}

/** Whether a line ends the object at a column: it belongs to an outer object, or begins a document. */
const isOuter = (text: string, line: Line, column: number): boolean =>
  line.from < line.to && (line.column < column || /^---|^\.\.\.$/.test(text.slice(line.at, line.to)))

function linesBefore(text: string, kind: Line): Line[] {
  const found: Line[] = []
  let first = kind
  while (first.at > 0 && kind.at - first.at < maxReach && found.length < maxLines && !startsItem(first, kind.column)) {
    // A search from before the first character would look at that character.
    const line = lineAt(text, first.at < 2 ? 0 : text.lastIndexOf('\n', first.at - 2) + 1)
    if (isOuter(text, line, kind.column)) break
    found.push(line)
    first = line
  }
  return found.reverse()
}

function linesAfter(text: string, kind: Line): Line[] {
  const found: Line[] = []
  for (let end = text.indexOf('\n', kind.to); end >= 0 && found.length < maxLines; end = text.indexOf('\n', end + 1)) {
    const line = lineAt(text, end + 1)
    if (line.at - kind.at > maxReach || isOuter(text, line, kind.column) || startsItem(line, kind.column)) break
    found.push(line)
  }
  return found
}

const startsItem = (line: Line, column: number): boolean => line.isItem && line.column === column

const entry = /^["']?([\w./-]{1,253})["']?:(?:[ \t]+|$)/
const block = /^[|>][+-]?\d?[+-]?(?:[ \t]+#.*)?$/

/** The values of the lines below `data` that are indented further. */
function entriesOf(text: string, given: readonly Line[], column: number): Secret[] {
  const all = given.filter(({ from, to }) => from < to)
  const end = all.findIndex((line) => line.column <= column)
  const lines = end < 0 ? all : all.slice(0, end)
  const own = lines[0]?.column ?? 0
  return lines.flatMap((line, index) => {
    const key = line.column > own ? null : entry.exec(text.slice(line.from, line.to))
    if (key === null) return []
    const [whole, name = ''] = key
    const start = line.from + whole.length
    const value = text.slice(start, line.to)
    return value === '' || block.test(value)
      ? blockBelow(text, lines.slice(index + 1), own, name)
      : valueAt(text, start, line.to, name)
  })
}

/** The lines of a value that begins below its key. */
function blockBelow(text: string, lines: readonly Line[], column: number, name: string): Secret[] {
  const end = lines.findIndex((line) => line.column <= column)
  const own = end < 0 ? lines : lines.slice(0, end)
  const [first, last] = [own[0], own.at(-1)]
  return first === undefined || last === undefined ? [] : secretOf(text, first.from, last.to, name)
}

/** A value of one line, without its quotes and any comment. */
function valueAt(text: string, from: number, to: number, name: string): Secret[] {
  const given = text.slice(from, to)
  const quoted = /^(["'])((?:(?!\1)[^\\]|\\.)*)\1/.exec(given)
  if (quoted !== null) return secretOf(text, from + 1, from + 1 + (quoted[2] ?? '').length, name)
  return secretOf(text, from, from + given.replace(/(?<![ \t])[ \t]+#.*$/, '').length, name)
}

/** A value below `data`, unless it is harmless. If it is encoded, it is judged, and known, by its decoded text. */
function secretOf(text: string, start: number, end: number, name: string): Secret[] {
  const given = text.slice(start, end)
  const value = plainOf(given)
  return isKept(given, name) && isKept(value, name) ? [{ start, end, value }] : []
}

const minKept = 4
const shortNumber = /^\d{1,5}$/

/** Whether a value is a secret. A user name, a host, a port and a path are not, unless their key says otherwise. */
function isKept(value: string, name: string): boolean {
  if (value.length < minKept || isPlaceholder(value, true) || shortNumber.test(value)) return false
  const kind = kindOfName(name)
  if (kind === 'password' || kind === 'secret') return !isCiphertext(value)
  return /^\d+$/.test(value) || opens(value) || (!isPublic(value) && !isWordy(value))
}

/** Whether a value is an address that grants access: it has a user or a random part. */
const opens = (value: string): boolean =>
  /^[\w+.-]{2,24}:\/\//.test(value) && (value.includes('@') || value.split(/[/?&=]/).some(isStrong))

const encoded = /^[A-Za-z0-9+/]{4,}={0,2}$/
const printable = /^[\t\n\r\x20-\x7E]+$/

function plainOf(value: string): string {
  if (value.length % 4 !== 0 || !encoded.test(value)) return value
  const text = atob(value).trim()
  return printable.test(text) ? text : value
}

// JSON: the object around the kind, found by its brackets.

function readJson(text: string, offset: number): readonly Secret[] {
  const start = objectStart(text, offset)
  return start < 0 ? none : fieldsOf(text, start).flatMap((at) => pairsIn(text, at))
}

/** Offset of the object that contains `offset`, which is outside of strings; -1 if there is none. */
function objectStart(text: string, offset: number): number {
  let depth = 0
  for (let at = offset - 1; at >= 0 && offset - at < maxReach; at--) {
    const sign = text[at]
    if (sign === '"') at = quoteBefore(text, at)
    else if (sign === '}' || sign === ']') depth++
    else if ((sign === '{' || sign === '[') && --depth < 0) return at
  }
  return -1
}

/** Offset of the quote that opens the string which ends at `end`. */
function quoteBefore(text: string, end: number): number {
  let at = text.lastIndexOf('"', end - 1)
  while (at > 0 && text[at - 1] === '\\') at = text.lastIndexOf('"', at - 1)
  return at
}

const dataField = /^"(?:data|stringData)"\s{0,4}:\s{0,4}(?=\{)/

/** Offsets of the objects of `data` and `stringData` in the object that begins at `start`. */
function fieldsOf(text: string, start: number): number[] {
  const found: number[] = []
  let depth = 0
  let at = start
  while (at < text.length && at - start < maxReach) {
    const sign = text.charAt(at)
    if (sign === '"') {
      if (depth === 1 && dataField.test(text.slice(at, at + 40))) found.push(text.indexOf('{', at))
      at = quoteAfter(text, at)
    } else depth += depthOf(sign)
    if (at < 0 || depth === 0) break
    at++
  }
  return found
}

function depthOf(sign: string): number {
  if (sign === '{' || sign === '[') return 1
  return sign === '}' || sign === ']' ? -1 : 0
}

function quoteAfter(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (at > 0 && text[at - 1] === '\\') at = text.indexOf('"', at + 1)
  return at
}

const pair =
  /\s*(?:,\s*)?["']?(?<name>[\w./-]{1,253})["']?\s*:\s*(?:"(?<text>(?:[^"\\]|\\.)*)"|'(?<single>[^'\n]*)'|(?<bare>[^\s,{}"']+))/dy

/** The values of an object that contains only simple values. */
function pairsIn(text: string, open: number): Secret[] {
  const found: Secret[] = []
  pair.lastIndex = open + 1
  for (let match = pair.exec(text); match !== null; match = pair.exec(text)) {
    const { text: own, single, bare } = match.indices?.groups ?? {}
    const [start, end] = own ?? single ?? bare ?? [0, 0]
    found.push(...secretOf(text, start, end, match.groups?.['name'] ?? ''))
  }
  return found
}
