/** Every string of a value, whatever its shape. */

import type { Plugin } from 'unified'
import type { Session } from '../transcript/trast.ts'
import type { Redactor } from './redactor.ts'
import { nameOfFile, nameOfPrinted } from './rules/commands.ts'

/** Ids and kinds that links and readers depend on: nothing that people wrote. */
const structural = new Set(['type', 'id', 'asset', 'position', 'redacted'])
/** Kinds of records as Codex names them; another one is a text as any other. */
const kindOfRecord = /^[A-Za-z_]+(?:\/[A-Za-z_]+)*$/
const nothing: ReadonlySet<string> = new Set()
const option = /^--?(?:[a-z0-9]+-)*(?:password|passwd|token|secret|api-?key|access-key|secret-key|passphrase)$/i

type TextRedactor = Pick<Redactor, 'text' | 'named'>

/**
 * Replaces the secrets in all strings of an object or list, in place and in order, keys of other objects than nodes
 * included. Fields of nodes that hold ids and kinds stay; below `payload`, which is as it was recorded, nothing does.
 */
export function redactStrings(value: object, redactor: TextRedactor): void {
  redactIn(value, redactor, structural)
}

/** Gives all these strings, values of fields with their names; nothing is replaced. */
export function visitStrings(value: object, onText: (text: string, name?: string) => void): void {
  const text = (given: string, name?: string): string => {
    onText(given, name)
    return given
  }
  redactStrings(value, { text, named: text })
}

function redactIn(value: object, redactor: TextRedactor, kept: ReadonlySet<string>): void {
  if (Array.isArray(value)) {
    redactList(value, redactor, kept)
    return
  }
  // Any object may be read by its own keys.
  const fields = value as Record<string, unknown>
  if (kept === structural) redactPrinted(fields, redactor)
  redactFields(fields, redactor, kept)
}

function redactList(list: unknown[], redactor: TextRedactor, kept: ReadonlySet<string>): void {
  for (let index = 0; index < list.length; index++) {
    const item = list[index]
    if (typeof item === 'string') {
      const name = index === 0 ? '' : optionIn(list[index - 1])
      const shown = name === '' ? redactor.text(item) : redactor.named(item, name)
      if (shown !== item) list[index] = shown
    } else if (typeof item === 'object' && item !== null) redactIn(item, redactor, kept)
  }
}

/** The name of an option that takes a secret. */
function optionIn(item: unknown): string {
  return typeof item === 'string' && option.test(item) ? item.replace(/^--?/, '') : ''
}

function redactFields(fields: Record<string, unknown>, redactor: TextRedactor, kept: ReadonlySet<string>): void {
  for (const key of Object.keys(fields)) {
    if (kept.has(key)) continue
    const item = fields[key]
    if (typeof item === 'string') {
      const isKind = key === 'kind' && kept === structural && kindOfRecord.test(item)
      if (!isKind) redactField(fields, key, item, redactor)
    } else if (typeof item === 'object' && item !== null) redactIn(item, redactor, key === 'payload' ? nothing : kept)
    renameKey(fields, key, redactor)
  }
}

function redactField(fields: Record<string, unknown>, key: string, item: string, redactor: TextRedactor): void {
  const shown = redactor.named(withoutLiterals(fields, key, item, redactor), key)
  // Engines compile code again that relied on a field which is then written, be it what it held.
  if (shown !== item) fields[key] = shown
}

/** The lines below a command that prints a secret, and of a file that holds one: nothing else tells what they are. */
function redactPrinted({ type, script, path, children }: Record<string, unknown>, redactor: TextRedactor): void {
  let name: string | undefined
  if (type === 'command' && typeof script === 'string') name = nameOfPrinted(script)
  else if (type === 'fileChange' && typeof path === 'string') name = nameOfFile(path)
  if (name !== undefined && Array.isArray(children)) redactLines(children, name, redactor)
}

/** A line that is one word and no more, behind the sign of a diff. */
const loneWord = /^(?<sign>[ \t]*|[-+])(?<word>[^\s+-]\S{5,511})(?=\r?$)/gm
/** Who prints more prints no secret alone. */
const maxPrinted = 20_000
/** A key in a frame is found as a whole. */
const frame = 'BEGIN '

function redactLines(children: unknown[], name: string, redactor: TextRedactor): void {
  for (const child of children) {
    if (typeof child !== 'object' || child === null || !('value' in child)) continue
    const { value } = child
    if (typeof value !== 'string' || value.length > maxPrinted || value.includes(frame)) continue
    const shown = value.replace(loneWord, (_, sign: string, word: string) => sign + redactor.named(word, name))
    if (shown !== value) child.value = shown
  }
}

/** The value of a field; of a code-mode script with the secrets of its texts replaced. */
function withoutLiterals(fields: Record<string, unknown>, key: string, item: string, redactor: TextRedactor): string {
  const isScript = key === 'code' || (key === 'input' && fields['tool'] === 'exec' && fields['family'] === 'custom')
  return isScript ? redactLiterals(item, redactor) : item
}

/** Texts of a script, in any quotes. A quote that does not end is none. */
const literals = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`/g
const escaped = /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|\r?\n|([\s\S]))/gi
const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', 0: '\0' }

/**
 * A script with the secrets of its texts replaced as each text stands alone: a command line in quotes is read as a command
 * line, which the script around it hides.
 */
function redactLiterals(script: string, redactor: TextRedactor): string {
  return script.replace(literals, (literal) => {
    const quote = literal.charAt(0)
    const text = literal.slice(1, -1).replace(escaped, (_all, point, unicode, hex, sign) => {
      const code = point ?? unicode ?? hex
      return code === undefined ? (letters[sign] ?? sign ?? '') : characterOf(Number.parseInt(code, 16))
    })
    const shown = redactor.text(text)
    if (shown === text) return literal
    const plain = quote === '`' ? shown.replace(/[\\`]/g, '\\$&') : JSON.stringify(shown).slice(1, -1)
    return quote + (quote === "'" ? plain.replaceAll('\\"', '"').replaceAll("'", "\\'") : plain) + quote
  })
}

function characterOf(code: number): string {
  return code > 0x10ffff ? '' : String.fromCodePoint(code)
}

function renameKey(fields: Record<string, unknown>, key: string, redactor: TextRedactor): void {
  const shown = redactor.text(key)
  if (shown === key) return
  Object.defineProperty(fields, shown, { value: fields[key], configurable: true, enumerable: true, writable: true })
  delete fields[key]
}

// Takes the secrets out of a tree.

/** Replaces secrets in every text of the tree and counts them in `stats.redacted`. */
export const redact: Plugin<[Redactor], Session> = (redactor: Redactor) => (tree: Session) => {
  redactor.passage('page')
  redactStrings(tree, redactor)
  redactor.passage('around')
  tree.stats.redacted = { ...redactor.counts }
}

/** Takes the secrets of a tree of which parts are to be left out, before that happens: they are known in the rest. */
export const hearSecrets: Plugin<[Redactor], Session> = (redactor: Redactor) => (tree: Session) => {
  redactor.passage('page')
  visitStrings(tree, redactor.hear)
}
