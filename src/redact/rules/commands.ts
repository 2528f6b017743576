/** Passwords on command lines, and secrets that commands print or write to a file. */

import { addTo } from '../../util/groups.ts'
import { none, type Rule, type Secret } from '../rule.ts'
import { tryReachItem } from '../search.ts'
import { isAppPassword, isNamedSecret, isOnlyPassword, isTokenForUser } from '../values/named-value.ts'
import { isPlaceholder } from '../values/placeholders.ts'
import { isWordy } from '../values/randomness.ts'
import { listedWords, shellWords, type Word } from '../values/shell-words.ts'
import { isCookieValue } from './cookies.ts'
import { nameOfFile, nameOfPrinted } from './printed.ts'
import { type CommandRow, rows, subcommands } from './programs.ts'

/** A row, and what to look for in each word of a command. */
interface ReadRow extends CommandRow {
  /** Options that are followed by a password. */
  names: ReadonlySet<string>
  /** What it is attached to, also with `=`. */
  heads: readonly string[]
  /** A word that ends in one of the short options, or continues with what that takes. */
  letter?: RegExp
}

/** Short options of curl without an argument. */
const flags = '#0-46aBfgGiIjJklLMnNOpqRsSvVZ'

function toRead(row: CommandRow): ReadRow {
  const names = row.options?.split(' ') ?? []
  const heads = [
    ...(row.glued?.split(' ') ?? []),
    ...names.filter((name) => name.startsWith('--')).map((name) => `${name}=`),
  ]
  const read: ReadRow = { ...row, names: new Set(names), heads }
  if (row.letters !== undefined) read.letter = new RegExp(`^-[${flags}]{0,12}[${row.letters}]`)
  return read
}

const byProgram = new Map<string, ReadRow[]>()
for (const row of rows.map(toRead)) {
  for (const program of row.programs.split(' ')) addTo(byProgram, program, row)
}

const minLength = 4
/** Characters before a program's name that make it the end of a longer one. Other scripts and punctuation may precede it. */
const inName = /[A-Za-z0-9.\u00C0-\u024F]/
const maxLine = 640
const maxProgram = 64
const prompts = ['$', '%', '#', '❯']
const printers =
  'cat head tail echo printenv op pass bw vault aws gcloud az kubectl security secret-tool gh keyring doppler terraform heroku openssl pwgen docker ssh argocd wg lpass rbw chamber sops'.split(
    ' ',
  )
/** A command after a prompt, with one word below. */
const printedLine = /^[$%❯#] [^\n]{3,300}\r?\n[ \t]{0,12}[^\s]{6,256}(?=\s*(?:\n|$))/

/** The same without a prompt, for commands that print only the value of a secret. */
const bareLine =
  /^(?:(?:kubectl|oc) get secrets? [^\n]{3,300}\bbase64 (?:-d|-D|--decode)|security find-(?:generic|internet)-password (?:[^\n]{1,300} )?-\w{0,8}w\b[^\n|]{0,200})\r?\n[^\s]{6,256}(?=\s*(?:\n|$))/

/** The heading that Vault prints above a secret. */
const vaultHead = /^Key {2,60}Value *\r?\n-{3} {2,60}-{5} *\r?\n/
const vaultRow = /^([\w.-]{1,64}) {2,60}(\S{1,512})[ \t]*(?:\r?\n|$)/
/** Names of what is stored next to a secret. */
const besides = /user|name|mail|host|url|uri|path|time|version|(?:^|_)ids?$/i
const maxRows = 40

/** The values of a table printed by Vault: all of them under the title of data, else the one named `value`. */
function vaultRows(text: string, offset: number): readonly Secret[] {
  let at = offset + (vaultHead.exec(text.slice(offset, offset + 160))?.[0].length ?? 0)
  if (at === offset) return none
  const isData = /=+ Data =+ *\r?\n$/.test(text.slice(Math.max(0, offset - 80), offset))
  const found: Secret[] = []
  for (let row = 0; tryReachItem(row, maxRows, maxLine); row++) {
    const [line = '', name = '', value = ''] = vaultRow.exec(text.slice(at, at + maxLine)) ?? []
    if (line === '') break
    const isValue = name === 'value' || (isData && !besides.test(name))
    const start = at + line.indexOf(value, name.length)
    if (isValue && isNamedSecret(value, 'password', 'loose')) found.push({ start, end: start + value.length, value })
    at += line.length
  }
  return found
}

/** Commands with a password among their words, and those that write one to a file whose name reveals it. */
export const commandRules: readonly Rule[] = [
  {
    id: 'command-secret',
    anchors: [...byProgram.keys()].flatMap(
      (program) => subcommands.get(program)?.map((word) => `${program} ${word} `) ?? `${program} `,
    ),
    follows: '\\S',
    read(text, offset) {
      if (offset > 0 && inName.test(text.charAt(offset - 1))) return none
      const [program, ...words] = shellWords(text, offset)
      if (program === undefined) return none
      return (byProgram.get(program.text) ?? []).flatMap((row) => secretsOf(row, words))
    },
  },
  {
    // `["mysql", "-pPASSWORD"]`, `command = "docker"` with `args = ["login", …]`. Lists contain all sorts of words, so words that
    // only their position reveals do not count.
    id: 'command-secret',
    anchors: [...byProgram.keys()].flatMap((program) => [`${program}"`, `${program}'`]),
    follows: '[\\s,]',
    read(text, offset) {
      const [program = ''] = /^[^"']*/.exec(text.slice(offset, offset + maxProgram)) ?? []
      if (offset > 0 && inName.test(text.charAt(offset - 1))) return none
      const known = (byProgram.get(program) ?? []).filter(({ position }) => position === undefined)
      if (known.length === 0) return none
      const words = listedWords(text, offset + program.length)
      return known.flatMap((row) => secretsOf(row, words))
    },
  },
  {
    // A shell prompt, a command that prints a secret, and the secret in the line below.
    id: 'named-secret',
    anchors: prompts.flatMap((prompt) => printers.map((program) => `${prompt} ${program} `)),
    lines: true,
    read(text, offset) {
      const [line = ''] = printedLine.exec(text.slice(offset, offset + maxLine)) ?? []
      const name = line === '' ? undefined : nameOfPrinted(line)
      const value = /(\S+)$/.exec(line)?.[1] ?? ''
      const start = offset + line.length - value.length
      return name !== undefined && isNamedSecret(value, name) ? [{ start, end: start + value.length, value }] : none
    },
  },
  {
    // The same in a text that begins with the command.
    id: 'named-secret',
    anchors: [
      'kubectl get secret',
      'oc get secret',
      'security find-generic-password ',
      'security find-internet-password ',
    ],
    read(text, offset) {
      if (offset > 0 && text.charAt(offset - 1) !== '\n') return none
      const [line = ''] = bareLine.exec(text.slice(offset, offset + maxLine)) ?? []
      const value = /\n(\S+)$/.exec(line)?.[1] ?? ''
      const start = offset + line.length - value.length
      return isNamedSecret(value, 'password') ? [{ start, end: start + value.length, value }] : none
    },
  },
  { id: 'named-secret', anchors: ['Key  '], follows: ' {0,58}Value', read: vaultRows, lines: true },
  {
    // `echo … > token.txt`
    id: 'named-secret',
    anchors: ['echo ', 'printf ', 'Write-Output '],
    follows: '(?:["\']%s\\n)?[^\\n]{6,400}',
    pattern:
      /(?:echo|printf|Write-Output)(?: -[neE]{1,3}| ["']%s(?:\\n|\n)?["'])* {1,3}["']?(?<secret>[^\s"'<>|]{6,256})["']? {0,3}(?:>{1,2}|\| {0,3}(?:sudo )?tee(?: -a)?) {0,3}["']?(?<name>[^\s"'<>|;&()]{2,200})/y,
    isSecret: isKept,
  },
  {
    // `cat > .vault_pass <<EOF` with the value below
    id: 'named-secret',
    anchors: ['cat >', 'tee '],
    pattern:
      /(?:cat >{1,2}|tee(?: -a)?) {0,3}["']?(?<name>[^\s"'<>|;&()]{2,200})["']? {0,3}(?:> ?\/dev\/null {0,3})?<<[ -]?["']?(?<tag>\w{1,40})["']?\r?\n[ \t]*(?<secret>\S{6,256})(?=\r?\n[ \t]*\k<tag>)/y,
    isSecret: isKept,
  },
  {
    // `cat <<EOF > .vault_pass`
    id: 'named-secret',
    anchors: ['cat <<'],
    pattern:
      /cat <<[ -]?["']?(?<tag>\w{1,40})["']? {0,3}(?:>{1,2}|\| {0,3}(?:sudo )?tee(?: -a)?) {0,3}["']?(?<name>[^\s"'<>|;&()]{2,200})["']?\r?\n[ \t]*(?<secret>\S{6,256})(?=\r?\n[ \t]*\k<tag>)/y,
    isSecret: isKept,
  },
]

function secretsOf(row: ReadRow, words: readonly Word[]): Secret[] {
  const { needs, position, assigns } = row
  const from = needs === undefined ? 0 : words.findIndex(({ text }) => needs.test(text)) + 1
  if (needs !== undefined && from === 0) return []
  if (assigns) return words.slice(from).flatMap((word) => assignedIn(word, row))
  const found = words.flatMap((word, index) => afterOptions(row, word, words[index + 1]))
  if (position !== undefined) {
    const plain = words.slice(from).filter(({ text }) => !/^[-/]/.test(text))
    const word = plain.at(position < 0 ? position : position - 1)
    if (word !== undefined) found.push(word)
  }
  return found.flatMap((word) => secretIn(word, row))
}

/** The value of a word `NAME=…`, which may itself follow an option. */
function assignedIn({ start, text }: Word, row: CommandRow): Secret[] {
  if (text.startsWith('--from-')) return /^--from-literal=/.test(text) ? pairIn(start + 15, text.slice(15), row) : []
  return text.startsWith('--')
    ? pairIn(
        start,
        text.replace(/^--[\w-]+=/, (head) => ' '.repeat(head.length)),
        row,
      )
    : pairIn(start, text, row)
}

const assigned = /^ *["']?[A-Za-z_][\w.:/[\]-]{0,120}=/

function pairIn(start: number, text: string, { isDoubtful }: CommandRow): Secret[] {
  const head = assigned.exec(text)?.[0].length ?? 0
  if (head === 0) return []
  const { start: at, end, text: value } = withoutHead({ start, end: start + text.length, text }, head)
  return isNamedSecret(value, 'password', isDoubtful ? 'loose' : 'firm') ? [{ start: at, end, value }] : []
}

/** The passwords that an option takes: in the next word, after `=`, or right after the option. */
function afterOptions({ names, heads, letter }: ReadRow, word: Word, next: Word | undefined): Word[] {
  const own = letter === undefined ? undefined : afterLetter(letter, word, next)
  if (own !== undefined) return [own]
  const head = heads.find((sign) => word.text.startsWith(sign) && word.text.length > sign.length)
  const found = names.has(word.text) && next !== undefined ? [next] : []
  return head === undefined ? found : [...found, withoutHead(word, head.length)]
}

/** What a short option takes that may follow others in one word. */
function afterLetter(letter: RegExp, word: Word, next: Word | undefined): Word | undefined {
  const head = letter.exec(word.text)?.[0]
  if (head === undefined) return undefined
  return head.length === word.text.length ? next : withoutHead(word, head.length)
}

function withoutHead({ start, end, text }: Word, length: number): Word {
  const [quote = ''] = /^["']/.exec(text.slice(length)) ?? []
  const after = quote !== '' && text.endsWith(quote) ? 1 : 0
  return {
    start: start + length + quote.length,
    end: end - after,
    text: text.slice(length + quote.length, text.length - after),
  }
}

function secretIn(given: Word, row: CommandRow): Secret[] {
  const word = withoutKind(given)
  const { start, text } = word
  if (row.isCookie) return cookiesIn(word)
  if (row.cut === undefined) return secretFrom(word, 0, row)
  if (/^\w+:\/\//.test(text)) return []
  // The `:` of a mark does not separate a user from a password.
  const at = afterCut(
    text.replaceAll(/\[redacted:[^\]]*\]?/g, (mark) => ' '.repeat(mark.length)),
    row.cut,
  )
  // A token may take the place of the user, even without a password.
  const user = row.cut === ':' ? text.slice(0, at === 0 ? text.length : at - 1) : ''
  const found = isTokenForUser(user) ? [{ start, end: start + user.length, value: user }] : []
  return at === 0 ? found : [...found, ...secretFrom(word, at, row)]
}

/** The values of a cookie header. The name of a cookie file has no `=`. */
function cookiesIn({ start, text }: Word): Secret[] {
  return Array.from(text.matchAll(/=([^;]+)/g), ({ 1: value = '', index }) => {
    const from = start + index + 1
    return { start: from, end: from + value.length, value, rule: 'cookie' }
  }).filter(({ value }) => isCookieValue(value))
}

/** The part of a word from an offset on, if it is a password. */
function secretFrom({ start, text }: Word, at: number, { cut, isDoubtful, isSure }: CommandRow): Secret[] {
  const value = cut === '/' ? text.slice(at).replace(/@[\w./:"]*$/, '') : text.slice(at)
  // A password equal to the user's name is a default of the image or the server.
  const isGiven = isSure === true && isOnlyPassword(value) && value !== text.slice(0, Math.max(0, at - 1))
  const isSecret = isDoubtful ? isNamedSecret(value, 'password', 'loose') : isGiven || isPassword(value)
  return isSecret ? [{ start: start + at, end: start + at + value.length, value }] : []
}

function afterCut(text: string, cut: NonNullable<CommandRow['cut']>): number {
  return cut === 'file' ? (/^(?:[A-Za-z]:\\)?[^:]+:/.exec(text)?.[0].length ?? 0) : text.indexOf(cut) + 1
}

/** Whether a value is not an option, a path, a number or a word, because commands take these, too. */
function isPassword(value: string): boolean {
  if (value.length < minLength || isPlaceholder(value) || /^(?:\d+|-.*|\/.*|\*)$/.test(value)) return false
  return /\d/.test(value) || !isWordy(value) || isAppPassword(value)
}

/** A word without the prefix that openssl puts before passwords. */
function withoutKind(word: Word): Word {
  return /^(?:pass|str):/.test(word.text) ? withoutHead(word, word.text.indexOf(':') + 1) : word
}

function isKept(value: string, path: string): boolean {
  const name = nameOfFile(path)
  return name !== undefined && isNamedSecret(value, name)
}
