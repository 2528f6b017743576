/** Finds what one run of a program does to the files that it is given. */

import { ownValue } from '../../util/own.ts'
import { baseName } from '../../util/paths.ts'
import { nameOf } from './program.ts'
import type { Run } from './steps.ts'

/** What a command did to a file: it wrote it, unless it moved or deleted it. Paths are absolute if the folder is known. */
export interface FileEffect {
  path: string
  movedTo?: string
  isDeleted?: true
}

/** What a run does to files if it succeeds. Names are as written. */
export function* changesOf(run: Run): Generator<FileEffect> {
  for (const path of filesOf(run)) yield { path }
  if (!mayAsk(run)) yield* movesOf(run)
}

/** Whether a run may skip a move or removal: it asks first, never overwrites, or only tries. */
function mayAsk(run: Run): boolean {
  const name = nameOf(run)?.toLowerCase() ?? ''
  if (run.dialect !== 'posix') return run.words.some((word) => /^-(?:whatif|confirm)\b|^\/p$/i.test(word))
  const careful =
    name === 'rm' ? /^-[a-zA-Z]*i|^--interactive/ : /^-[a-zA-Z]*[niu]|^--(?:no-clobber|interactive|update|dry-run)/
  return run.words.slice(1).some((word) => careful.test(word))
}

function filesOf(run: Run): string[] {
  const name = nameOf(run)?.toLowerCase() ?? ''
  const writer = ownValue(writers, name)
  return [...(run.into ?? []), ...(writer?.(run.words.slice(1)) ?? []), ...filesOfCode(run)]
}

type Writer = (words: readonly string[]) => string[]

const writers: Readonly<Record<string, Writer>> = {
  tee: (words) => words.filter(isOperand),
  sed: (words) =>
    words.some((word) => /^-[a-zA-Z]*i|^--in-place/.test(word))
      ? afterScript(words, /^-[ef]$|^--(?:expression|file)$/)
      : [],
  perl: (words) => (words.some((word) => /^-[a-zA-Z]*i/.test(word)) ? afterScript(words, /^-[a-zA-Z]*e$/i) : []),
  'set-content': (words) => named(words, ['path', 'literalpath']),
  'add-content': (words) => named(words, ['path', 'literalpath']),
  'out-file': (words) => named(words, ['filepath', 'literalpath']),
  'tee-object': (words) => named(words, ['filepath', 'literalpath']),
}

/** Files and folders that a run moves or removes, and copies that it makes of files. */
function movesOf(run: Run): FileEffect[] {
  const [, second = ''] = run.words
  const isGit = nameOf(run) === 'git' && /^(?:mv|rm)$/.test(second)
  const name = isGit ? second : (nameOf(run)?.toLowerCase() ?? '')
  const mover = ownValue(movers, name)
  return mover?.(run.words.slice(isGit ? 2 : 1)) ?? []
}

type Mover = (words: readonly string[]) => FileEffect[]

const remove: Mover = (words) => (words.includes('--cached') ? [] : words.filter(isName).map(deletion))
const move: Mover = (words) =>
  words.some((word) => /^-\w*t|^--target/.test(word)) ? [] : movesTo(words.filter(isName))
/** A copy of folders makes files that its line does not name. */
const copy: Mover = (words) => (words.some((word) => /^-\w*[aRr]/.test(word)) ? [] : copiesOf(move(words)))
const copiesOf = (moves: readonly FileEffect[]): FileEffect[] =>
  moves.map(({ path, movedTo = path }) => ({ path: movedTo }))
const deletion = (path: string): FileEffect => ({ path, isDeleted: true })
const ofPath = ['path', 'literalpath']

const movers: Readonly<Record<string, Mover>> = {
  rm: remove,
  del: remove,
  erase: remove,
  'remove-item': (words) => given(words, [ofPath]).map(deletion),
  cp: copy,
  copy,
  'copy-item': (words) =>
    words.some((word) => /^-r/i.test(word)) ? [] : copiesOf(movesTo(given(words, [ofPath, ['destination']]))),
  mv: move,
  move,
  'move-item': (words) => movesTo(given(words, [ofPath, ['destination']])),
  ren: (words) => renames(words.filter(isName)),
  'rename-item': (words) => renames(given(words, [ofPath, ['newname']])),
}

/** The new name is in the folder of the old one. */
function renames([from = '', to = '']: readonly string[]): FileEffect[] {
  return from === '' || to === '' || baseName(to) !== to
    ? []
    : [{ path: from, movedTo: from.slice(0, -baseName(from).length) + to }]
}

/** Whether a word is not an option, nor a switch of `cmd`. */
function isName(word: string): boolean {
  return isOperand(word) && !/^\/[a-z]$/i.test(word)
}

/** The last name is a folder if several names go there, or if it ends like one; otherwise it must look like a file. */
function movesTo(names: readonly string[]): FileEffect[] {
  const to = names.at(-1) ?? ''
  const from = names.slice(0, -1)
  const [first = ''] = from
  if (from.length > 1 || /[/\\]$/.test(to) || to === '.') {
    const folder = to.replace(/[/\\]+$/, '')
    return from.map((path) => ({ path, movedTo: `${folder}/${baseName(path)}` }))
  }
  return from.length === 1 && first !== to && /.\.\w+$/.test(baseName(to)) ? [{ path: first, movedTo: to }] : []
}

/** Whether a word is not an option. */
export function isOperand(word: string): boolean {
  return word !== '' && !word.startsWith('-')
}

/** The operands after the script. The script is the first operand unless an option gave it. */
function afterScript(words: readonly string[], option: RegExp): string[] {
  const isGiven = words.some((word) => option.test(word))
  const operands = words.filter((word, index) => isOperand(word) && !option.test(words[index - 1] ?? ''))
  return isGiven ? operands : operands.slice(1)
}

/** Switches of these cmdlets, which take no value. */
const switches = /^-(?:append|force|nonewline|noclobber|passthru|asbytestream|recurse|whatif|confirm|verbose)$/i

/** The path that a cmdlet is given: after one of these parameter names, or as the first argument without a name. */
function named(words: readonly string[], names: readonly string[]): string[] {
  return given(words, [names])
}

/** The arguments of a cmdlet for these parameters, by name or, if a parameter is not named, by position. */
function given(words: readonly string[], parameters: readonly (readonly string[])[]): string[] {
  const found: (string | undefined)[] = parameters.map(() => undefined)
  const others: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    const name = word.slice(1).toLowerCase()
    const at = name.length > 2 ? parameters.findIndex((names) => names.some((each) => each.startsWith(name))) : -1
    if (!word.startsWith('-')) others.push(word)
    else if (at >= 0) found[at] = words[++index] ?? ''
    else if (!switches.test(word)) index++
  }
  return found.flatMap((value) => value ?? others.shift() ?? [])
}

// Which files Python and Node code writes, by the names in the code.

interface Language {
  /** Programs that run it, and the option before code on their command line. */
  programs: RegExp
  option: RegExp
  /** A text over several lines begins or ends. */
  quotes: RegExp
  /** Lines that may not run, and what ends the code before the rest has run. */
  unsure: RegExp
  exit: RegExp
  /** `name = 'path'`, and what writes a path: `text` in quotes, or `name`. */
  binding: RegExp
  writes: readonly RegExp[]
}

const pythonPath = String.raw`(?:(?:pathlib\.)?Path\(\s*r?(['"])(?<text>[^'"\\\n]+)\1\s*\)|(?<name>[A-Za-z_]\w*))`
const python: Language = {
  programs: /^(?:python|pypy)[\d.]*$/,
  option: /^-[a-zA-Z]*c$/,
  quotes: /'''|"""/g,
  unsure: /^(?:if|elif|else|for|while|def|class|try|except|finally|match|case|async|@)|\blambda\b/,
  exit: /\b(?:exit|_exit|quit)\(\s*0?\s*\)|\bSystemExit(?:\(\s*0?\s*\))?\s*(?:$|[;#\n])/,
  binding:
    /(?:^|;\s*)(?<name>[A-Za-z_]\w*)\s*=\s*(?:(?:pathlib\.)?Path\(\s*)?r?(['"])(?<text>[^'"\\\n]+)\2\s*\)?\s*(?=[;#]|$)/g,
  writes: [
    new RegExp(String.raw`(?:^|;\s*)${pythonPath}\.write_(?:text|bytes)\(`, 'g'),
    new RegExp(String.raw`(?<![\w.])${pythonPath}\.open\(\s*(?:mode\s*=\s*)?['"][wax]`, 'g'),
    /(?<![\w.])open\(\s*(?:r?(['"])(?<text>[^'"\\\n]+)\1|(?<name>[A-Za-z_]\w*))\s*,\s*(?:mode\s*=\s*)?['"][wax]/g,
  ],
}
const node: Language = {
  programs: /^(?:node|nodejs|bun)$/,
  option: /^(?:-e|--eval|-p|--print)$/,
  quotes: /(?<!\\)`/g,
  unsure: /^(?:if|else|for|while|do|function|async function|class|switch|case|try|catch)\b/,
  exit: /\bprocess\.exit\(\s*0?\s*\)/,
  binding: /(?:^|;\s*)(?:const|let|var)\s+(?<name>\w+)\s*=\s*(['"`])(?<text>[^'"`\\$\n]+)\2\s*(?=;|$)/g,
  writes: [
    /(?:^|[;}]\s*)(?:await\s+)?(?:[\w.]+\.)?(?:write|append)File(?:Sync)?\(\s*(?:(['"`])(?<text>[^'"`\\$\n]+)\1|(?<name>\w+))\s*,/g,
  ],
}

/** Longest code that is read, and longest line of it, in UTF-16 units. */
const maxCode = 50_000
const maxLine = 2000

/** Code that writes a file contains one of these. */
export const codeHints: RegExp = /\bwrite_(?:text|bytes)\b|\bopen\(|\b(?:write|append)File/

/**
 * Files that the code of a run writes if it runs to its end, by the names in the code. Only lines without indentation count,
 * because it is not known what a condition, a loop or a function does.
 */
export function filesOfCode(run: Run): string[] {
  const program = nameOf(run)?.toLowerCase() ?? ''
  const language = [python, node].find(({ programs }) => programs.test(program))
  const code = language && codeOf(run, language)
  if (language === undefined || code === undefined || code.length > maxCode) return []
  return codeHints.test(code) && !language.exit.test(code) ? writtenBy(topLines(code, language), language) : []
}

function writtenBy(lines: readonly string[], { binding, writes }: Language): string[] {
  const names = new Map<string, string>()
  const paths: (string | undefined)[] = []
  for (const line of lines) {
    for (const { groups } of line.matchAll(binding)) {
      const { name = '', text = '' } = groups ?? {}
      // A name that is bound twice may have either value.
      names.set(name, names.has(name) ? '' : text)
    }
    const found = writes.flatMap((write) => [...line.matchAll(write)]).filter(({ index }) => !isQuoted(line, index))
    for (const { groups } of found) paths.push(groups?.['text'] ?? names.get(groups?.['name'] ?? ''))
  }
  return paths.flatMap((path) => path || [])
}

/** The code that an option gives, or the input if the program is given no file. */
function codeOf({ words, input }: Run, { option }: Language): string | undefined {
  const at = words.findIndex((word, index) => index > 0 && option.test(word))
  if (at > 0) return words[at + 1]
  return words.slice(1).every((word) => word.startsWith('-')) ? input : undefined
}

/** Lines without indentation that certainly run, outside of strings over several lines. */
function topLines(code: string, { quotes, unsure }: Language): string[] {
  let isText = false
  return code.split('\n').filter((line) => {
    const wasText = isText
    const marks = line.match(quotes)?.length ?? 0
    if (marks % 2 === 1) isText = !isText
    return !wasText && /^\S/.test(line) && line.length <= maxLine && !unsure.test(line)
  })
}

/** Whether an offset is in quotes on its line. */
function isQuoted(line: string, offset: number): boolean {
  let quote = ''
  for (let at = 0; at < offset; at++) {
    const char = line.charAt(at)
    if (char === '\\') at++
    else if (quote === '' ? /['"`]/.test(char) : char === quote) quote = quote === '' ? char : ''
  }
  return quote !== ''
}
