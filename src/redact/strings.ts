/** Visits every string of a value, whatever its shape. */

import type { Plugin } from 'unified'
import type { Session } from '../transcript/trast.ts'
import type { Finding } from './broken.ts'
import type { Redactor } from './redactor.ts'
import { nameOfFile, namesOfPrinted, type Printed } from './rules/printed.ts'
import { isNamedSecret } from './values/named-value.ts'
import { passwordWords } from './values/names.ts'

/** Ids and kinds that links and readers depend on; people wrote none of them. */
const structural = new Set(['type', 'id', 'asset', 'position', 'redacted'])
/** Kinds of records as Codex names them; any other kind is an ordinary text. */
const kindOfRecord = /^[A-Za-z_]+(?:\/[A-Za-z_]+)*$/
const nothing: ReadonlySet<string> = new Set()
const option = /^--?(?:[a-z0-9]+-)*(?:password|passwd|token|secret|api-?key|access-key|secret-key|passphrase)$/i

/** The part of a redactor that replaces texts. */
export interface TextRedactor extends Pick<Redactor, 'text' | 'named' | 'answer' | 'inspect'> {
  /** Says which child of a node holds the next text that only its context reveals. */
  enter?: (child: object) => void
}

/**
 * Replaces the secrets in all strings of an object or list, in place and in order, including the keys of objects that are not
 * nodes. Fields of nodes with ids and kinds stay; below `payload`, which is as recorded, no field is exempt.
 */
export function redactStrings(value: object, redactor: TextRedactor): void {
  redactIn(value, redactor, structural)
}

/** Passes all these strings to `onText`, field values with their names; replaces nothing. */
export function visitStrings(value: object, onText: (text: string, name?: string) => void): void {
  const text = (given: string, name?: string): string => {
    onText(given, name)
    return given
  }
  const inspect = (given: string): Finding[] => {
    onText(given)
    return []
  }
  redactStrings(value, { text, named: text, answer: (given) => text(given, 'password'), inspect })
}

function redactIn(value: object, redactor: TextRedactor, kept: ReadonlySet<string>): void {
  if (Array.isArray(value)) {
    redactList(value, redactor, kept)
    return
  }
  if (kept === structural) redactByContext(value, redactor)
  redactFields(fieldsOf(value), redactor, kept)
}

/** Any object may be read by its own keys. */
const fieldsOf = (value: object): Record<string, unknown> => value as Record<string, unknown>

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

/** The name of an option that takes a secret, or an empty string. */
function optionIn(item: unknown): string {
  return typeof item === 'string' && option.test(item) ? item.replace(/^--?/, '') : ''
}

function redactFields(fields: Record<string, unknown>, redactor: TextRedactor, kept: ReadonlySet<string>): void {
  const renamed: [key: string, shown: string][] = []
  for (const key of Object.keys(fields)) {
    if (kept.has(key)) continue
    redactValue(fields, key, redactor, kept)
    const shown = redactor.text(key)
    if (shown !== key) renamed.push([key, shown])
  }
  renameKeys(fields, renamed)
}

function redactValue(
  fields: Record<string, unknown>,
  key: string,
  redactor: TextRedactor,
  kept: ReadonlySet<string>,
): void {
  const item = fields[key]
  if (typeof item === 'string') {
    const isKind = key === 'kind' && kept === structural && kindOfRecord.test(item)
    if (!isKind) redactField(fields, key, item, redactor)
  } else if (typeof item === 'object' && item !== null) redactIn(item, redactor, key === 'payload' ? nothing : kept)
}

/** Renames keys. Those that get the name of another are numbered, so that no field is lost. */
function renameKeys(fields: Record<string, unknown>, renamed: readonly [key: string, shown: string][]): void {
  if (renamed.length === 0) return
  // The last number of each name: to count anew from one for each key would take time by the square of the keys.
  const numbers = new Map<string, number>()
  for (const [key, shown] of renamed) {
    let number = numbers.get(shown) ?? 1
    let name = shown
    while (Object.hasOwn(fields, name)) name = `${shown} (${++number})`
    numbers.set(shown, number)
    Object.defineProperty(fields, name, { value: fields[key], configurable: true, enumerable: true, writable: true })
    delete fields[key]
  }
}

function redactField(fields: Record<string, unknown>, key: string, item: string, redactor: TextRedactor): void {
  const shown = redactor.named(withoutLiterals(fields, key, item, redactor), key)
  // A field is written only if it changed: engines recompile code that relied on a field when it is written, even with the same
  // value.
  if (shown !== item) fields[key] = shown
}

/**
 * Replaces texts below a node that only their context reveals as secrets: what a command printed, a file holds, a person typed.
 * The node's own texts stay, except for words and answers whose context is the node.
 */
export function redactByContext(given: object, redactor: TextRedactor): void {
  const node = fieldsOf(given)
  const { type, script, path, children } = node
  if (!Array.isArray(children)) return
  if (type === 'command' && typeof script === 'string') {
    redactTyped(children, redactor)
    joinOutputs(children, redactor)
    redactWords(node['argv'], redactor)
    const printed = namesOfPrinted(script)
    if (printed !== undefined) redactLines(children, printed, redactor)
  } else if (type === 'fileChange' && typeof path === 'string') {
    const name = nameOfFile(path)
    if (name !== undefined) redactLines(children, { name, binding: 'firm' }, redactor)
  } else if (type === 'question') redactAnswer(node, children, redactor)
  else if (type === 'session') redactReplies(children, redactor)
}

/** A line that consists of a single word, after the sign of a diff. */
const loneWord = /^(?<sign>[ \t]*|[-+])(?<word>[^\s+-]\S{5,511})(?=\r?$)/gm
/** In longer output, only what looks random counts: a file of that many lines rarely holds nothing but secrets. */
const maxSure = 20_000
/** A key in a frame is found as a whole. */
const frame = 'BEGIN '

/** A line with a value after its key, in YAML, JSON or tables of two columns. */
const lonePair =
  /^(?<head>[ \t]*(?:- )?["']?[\w./-]{1,120}(?:["']?[ \t]*:[ \t]+|=|[ \t]{2,60})["']?)(?<word>[^\s"',{}[\]|>]{6,512})(?=["']?,?\r?$)/gm

function redactLines(children: readonly unknown[], printed: Printed, redactor: TextRedactor): void {
  const { name, pairs } = printed
  for (const child of children) {
    const value = literalOf(child)
    if (value === undefined || value.includes(frame)) continue
    redactor.enter?.(child as Literal)
    const binding = value.length > maxSure ? 'loose' : printed.binding
    const words = value.replace(loneWord, (_, sign: string, word: string) =>
      isNamedSecret(word, name, binding) && (binding !== 'loose' || !/[,;]/.test(word))
        ? sign + redactor.named(word, name)
        : sign + word,
    )
    const shown =
      pairs === undefined || value.length > maxSure
        ? words
        : words.replace(lonePair, (whole, head: string, word: string) =>
            isNamedSecret(word, name, pairs) ? head + redactor.named(word, name) : whole,
          )
    // A child with a string `value` may be given another.
    if (shown !== value) (child as Literal).value = shown
  }
}

const passwords = passwordWords.join('|')
const secretWords = `${passwords}|\\btoken\\b|\\bsecret\\b|api[ _-]?key|credentials?`
const namesSecret = new RegExp(secretWords, 'i')
/** A program that asks for a password at the end of its output; what is typed there is a password, even if it is a plain word. */
const asksForPassword = new RegExp(
  `(?:${passwords})(?: (?:for|of) [^\\n:]{1,80}| \\([^\\n()]{1,40}\\))?[ \\t]?[:：][ \\t]*$`,
  'i',
)
/** A program that asks for something else to log in with, or asks a question about it. */
const asksForToken = new RegExp(`(?:${secretWords})[^\\n]{0,80}[:：?][ \\t]*$`, 'i')

/** Replaces what was typed when a program asked for a password. */
function redactTyped(children: readonly unknown[], redactor: TextRedactor): void {
  let asked = ''
  for (const child of children) {
    const value = literalOf(child)
    if (value === undefined) continue
    const isInput = (child as { type?: unknown }).type === 'input'
    const typed = isInput && asksForToken.test(asked) ? value.trim() : ''
    if (typed.length >= minTyped && !typed.startsWith('[redacted:')) {
      redactor.enter?.(child as Literal)
      const shown = redactor.named(typed, 'password')
      const isWord = shown === typed && asksForPassword.test(asked)
      ;(child as Literal).value = value.replace(typed, () => (isWord ? redactor.answer(typed) : shown))
    }
    asked = isInput ? '' : value.slice(-200)
  }
}

/** Shorter input is `y` or `no`. */
const minTyped = 4

interface Literal {
  value: string
}

/**
 * Output that was read while a line was being printed ends within it, so a secret may begin in one output and end in the next.
 */
function joinOutputs(children: readonly unknown[], redactor: TextRedactor): void {
  for (let index = 1; index < children.length; index++) {
    const [before, after] = [literalOf(children[index - 1]), literalOf(children[index])]
    if (!before || !after) continue
    const tail = before.slice(-maxLine).split('\n').at(-1) ?? ''
    const head = after.slice(0, maxLine).split('\n', 1)[0] ?? ''
    if (tail === '' || head === '') continue
    const found = redactor.inspect(tail + head)
    const joint = found.find(({ start, end }) => start < tail.length && end > tail.length)
    if (joint === undefined) continue
    redactor.enter?.(children[index - 1] as Literal)
    // The part in the next output is learned by itself, because that output is shown alone where outputs are listed one by one.
    redactor.inspect(head.slice(0, joint.end - tail.length), 'password')
    ;(children[index - 1] as Literal).value = before.slice(0, before.length - tail.length) + redactor.text(tail + head)
    ;(children[index] as Literal).value = after.slice(head.length)
  }
}

const maxLine = 512

function literalOf(node: unknown): string | undefined {
  const value = typeof node === 'object' && node !== null && 'value' in node ? node.value : undefined
  return typeof value === 'string' ? value : undefined
}

const quotable = /[\s"'$`\\;&|<>()]/

/** Words of a command, whose meaning depends on each other: `sshpass`, `-p`, a password. */
function redactWords(words: unknown, redactor: TextRedactor): void {
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string' && !quotable.test(word))) return
  const line = words.join(' ')
  const shown = redactor.text(line)
  if (shown === line) return
  const left = shown.split(' ')
  if (left.length === words.length) for (const [index, word] of left.entries()) words[index] = word
}

/** Replaces the answer to a question that asks for a secret, unless it is one of the options. */
function redactAnswer(node: Record<string, unknown>, children: readonly unknown[], redactor: TextRedactor): void {
  const { answer, header, options } = node
  if (typeof answer !== 'string' || (Array.isArray(options) && options.includes(answer))) return
  if (namesSecret.test(`${typeof header === 'string' ? header : ''} ${textIn(children)}`))
    node['answer'] = reply(answer, redactor)
}

/** Replaces what a person typed after the agent had asked for a password. */
function redactReplies(turns: readonly unknown[], redactor: TextRedactor): void {
  let asked = false
  for (const node of turns.flatMap((turn) => [turn, ...childrenOf(turn)])) {
    const { type, role, origin } = node as Record<string, unknown>
    if (type !== 'message' || (role !== 'user' && role !== 'assistant')) continue
    const leaves = leavesOf(node)
    if (asked && (origin === 'typed' || origin === 'codex')) {
      redactor.enter?.(node as object)
      for (const leaf of leaves) leaf.value = reply(leaf.value, redactor)
    }
    asked = role === 'assistant' && asksForSecret(textIn(leaves))
  }
}

/** Whether a message ends by asking for a password or another secret. */
export function asksForSecret(message: string): boolean {
  return asksToSend.test(message.slice(-maxAsked))
}

const maxAsked = 400
const asksToSend = new RegExp(
  `(?:what|which|provide|send|share|paste|enter|tell|give|need|type|请|輸入|输入|提供|教えて)[^.!\\n]{0,80}(?:${secretWords})`,
  'i',
)

const childrenOf = (node: unknown): unknown[] =>
  typeof node === 'object' && node !== null && 'children' in node && Array.isArray(node.children) ? node.children : []

/** The texts below a node, in order. */
function leavesOf(node: unknown): Literal[] {
  return literalOf(node) === undefined ? childrenOf(node).flatMap(leavesOf) : [node as Literal]
}

const textIn = (nodes: readonly unknown[]): string =>
  nodes
    .flatMap(leavesOf)
    .map(({ value }) => value)
    .join(' ')

const replyWords = /[^\s"'`]{6,256}/g
/** Whether a word of a reply looks random; a choice such as `option2` does not. */
const isRandom = (word: string): boolean => isNamedSecret(word, 'password', 'loose')

function reply(text: string, redactor: TextRedactor): string {
  return text.replace(replyWords, (word) => (isRandom(word) ? redactor.named(word, 'password') : word))
}

/** The secrets in what a person answered to a message that asked for one. */
export function secretsInReply(text: string): string[] {
  return (text.match(replyWords) ?? []).filter(isRandom)
}

/** The value of a field; the script of a code-mode call with the secrets in its string literals replaced. */
function withoutLiterals(fields: Record<string, unknown>, key: string, item: string, redactor: TextRedactor): string {
  const isScript = key === 'code' || (key === 'input' && fields['tool'] === 'exec' && fields['family'] === 'custom')
  return isScript ? redactLiterals(item, redactor) : item
}

/**
 * String literals of a script, in any quotes. A quote without an end does not begin one, nor does one after a backslash, because
 * it would be tried to the end.
 */
const literals = /(?<!\\)(?:"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`)/g
const escaped = /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|\r?\n|([\s\S]))/gi
const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', 0: '\0' }

/**
 * A script with the secrets of its string literals replaced as each literal reads alone: a quoted command line is read as a
 * command line, which the script around it would hide.
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

// Takes the secrets out of a tree.

/** Replaces secrets in every text of the tree and counts them in `stats.redacted`. */
export const redact: Plugin<[Redactor], Session> = (redactor: Redactor) => (tree: Session) => {
  redactor.beginPassage('page')
  redactStrings(tree, redactor)
  redactor.beginPassage('around')
  tree.stats.redacted = { ...redactor.counts }
}

/** Learns the secrets of a tree before parts of it are omitted, so that they are recognised in the rest. */
export const learnSecrets: Plugin<[Redactor], Session> = (redactor: Redactor) => (tree: Session) => {
  redactor.beginPassage('page')
  visitStrings(tree, redactor.observe)
}
