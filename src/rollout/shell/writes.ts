/** Which files of its project a command line writes, as far as the line itself says so. */

import { append } from '../../util/groups.ts'
import { ownValue } from '../../util/own.ts'
import { baseName, isAbsolute, pathBelow, resolvePath } from '../../util/paths.ts'
import { bareSteps, type CommandLine, maxScript } from './dialect.ts'
import { nameOf } from './program.ts'
import type { Run, Step } from './steps.ts'

/** What writes, moves or removes a file leaves one of these in the line; most lines have none and are not read. */
const hints =
  />|\btee\b|\bsed\b|\bperl\b|-(?:content|file|object|item)\b|\b(?:[as]c|mv|rm|mi|ri|rni|move|ren|del|erase)\b/i

/** What a command did to a file: it wrote it, unless it moved or removed it. Paths are absolute where the folder is known. */
export interface FileEffect {
  path: string
  movedTo?: string
  isDeleted?: true
}

/**
 * What a command that succeeded has done to files, in order: targets of redirections, of `tee`, of cmdlets that set
 * content, and files that `sed` or `perl` edited in place; files that were moved or removed. Not among them: what a
 * condition, a loop or a fallback may have done, names that only the shell knew, and files outside of the folder in which
 * the command ran.
 */
export function effectsOf(command: CommandLine): FileEffect[] {
  if (!hints.test(command.script)) return []
  const { cwd } = command
  const names = boundNames(command.script)
  const effects: FileEffect[] = []
  const place: WorkingFolder = { folder: cwd, isKnown: true }
  const whole = (name: string): string | undefined => {
    const path = names.get(name) ?? name
    if (unclear.test(path) || (!place.isKnown && !isAbsolute(path))) return undefined
    const resolved = resolvePath(place.folder, path)
    return isInside(resolved, cwd) ? resolved : undefined
  }
  for (const run of certainRuns(bareSteps(command))) {
    for (const effect of effectsIn(run)) append(effects, resolvedEffect(effect, whole))
    enter(run, place)
  }
  return effects
}

function* effectsIn(run: Run): Generator<FileEffect> {
  for (const path of filesOf(run)) yield { path }
  yield* movesOf(run)
}

/** Nothing where one of its names is not known. */
function resolvedEffect(effect: FileEffect, whole: (name: string) => string | undefined): FileEffect[] {
  const [path, movedTo] = [whole(effect.path), whole(effect.movedTo ?? effect.path)]
  if (path === undefined || movedTo === undefined) return []
  return [{ ...effect, path, ...(effect.movedTo === undefined ? {} : { movedTo }) }]
}

/** A variable that gets a text: `$p = 'a.ts'` of PowerShell, `p=a.ts` of the POSIX shells. */
const binding =
  /(?:^|[;\n&])[ \t]*(?:\$(?<name>\w+)[ \t]*=[ \t]*(?<quote>['"])(?<text>[^'"$`\n]+)\k<quote>|(?<bare>[A-Za-z_]\w*)=(?<sign>['"]?)(?<value>[^\s'"$`;|&<>()]+)\k<sign>)(?=[ \t]*(?:[;\n&]|$))/g

/** How a script names texts, as `$p` and `${p}`; not what it gives a name twice. */
function boundNames(script: string): Map<string, string> {
  const names = new Map<string, string>()
  if (!script.includes('$')) return names
  const seen = new Set<string>()
  for (const { groups = {} } of script.slice(0, maxScript).matchAll(binding)) {
    const name = groups['name'] ?? groups['bare'] ?? ''
    for (const form of [`$${name}`, `\${${name}}`]) {
      if (seen.has(name)) names.delete(form)
      else names.set(form, groups['text'] ?? groups['value'] ?? '')
    }
    seen.add(name)
  }
  return names
}

/** The runs that must have run where the whole succeeded. */
function* certainRuns(step: Step): Generator<Run> {
  switch (step.kind) {
    case 'run':
      yield step
      break
    case 'pipe':
      for (const stage of step.stages) yield* certainRuns(stage)
      break
    case 'list':
      for (const part of step.steps) yield* certainRuns(part)
      break
    case 'and':
      yield* certainRuns(step.left)
      yield* certainRuns(step.right)
      break
    case 'or':
      yield* certainRuns(step.left)
      break
    default:
      break
  }
}

function filesOf(run: Run): string[] {
  const name = nameOf(run)?.toLowerCase() ?? ''
  const writer = ownValue(writers, name)
  return [...(run.into ?? []), ...(writer?.(run.words.slice(1)) ?? [])]
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

/** Files and folders that a run moves or removes. */
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
const deletion = (path: string): FileEffect => ({ path, isDeleted: true })
const ofPath = ['path', 'literalpath']

const movers: Readonly<Record<string, Mover>> = {
  rm: remove,
  del: remove,
  erase: remove,
  'remove-item': (words) => given(words, [ofPath]).map(deletion),
  mv: move,
  move,
  'move-item': (words) => movesTo(given(words, [ofPath, ['destination']])),
  ren: (words) => renames(words.filter(isName)),
  'rename-item': (words) => renames(given(words, [ofPath, ['newname']])),
}

/** The new name stands in the folder of the old one. */
function renames([from = '', to = '']: readonly string[]): FileEffect[] {
  return from === '' || to === '' || baseName(to) !== to
    ? []
    : [{ path: from, movedTo: from.slice(0, -baseName(from).length) + to }]
}

/** A word that is no switch, also not one of `cmd`. */
function isName(word: string): boolean {
  return isOperand(word) && !/^\/[a-z]$/i.test(word)
}

/** The last name is that of a folder where several go there, or where it ends like one; else it must look like a file. */
function movesTo(names: readonly string[]): FileEffect[] {
  const to = names.at(-1) ?? ''
  const from = names.slice(0, -1)
  const [first = ''] = from
  if (from.length > 1 || /[/\\]$/.test(to) || to === '.') {
    const folder = to.replace(/[/\\]+$/, '')
    return from.map((path) => ({ path, movedTo: `${folder}/${baseName(path)}` }))
  }
  return from.length === 1 && /.\.\w+$/.test(baseName(to)) ? [{ path: first, movedTo: to }] : []
}

function isOperand(word: string): boolean {
  return word !== '' && !word.startsWith('-')
}

/** Operands behind the script; the script is the first of them unless an option gave it. */
function afterScript(words: readonly string[], option: RegExp): string[] {
  const isGiven = words.some((word) => option.test(word))
  const operands = words.filter((word, index) => isOperand(word) && !option.test(words[index - 1] ?? ''))
  return isGiven ? operands : operands.slice(1)
}

/** Switches of these cmdlets: no value follows them. */
const switches = /^-(?:append|force|nonewline|noclobber|passthru|asbytestream|recurse|whatif|confirm|verbose)$/i

/** The path of a cmdlet, which stands behind its name or first among what has no name. */
function named(words: readonly string[], names: readonly string[]): string[] {
  return given(words, [names])
}

/** What a cmdlet is given by these names, the first of which each may go without, in this order. */
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

/** What the shell makes another name of, and devices. */
const unclear = /[$*?`%{}<>|\n]|^$|^(?:nul|con|-)$|^~/i

function isInside(path: string, cwd: string | undefined): boolean {
  return cwd === undefined ? !isAbsolute(path) && !path.startsWith('..') : pathBelow(path, cwd) !== path
}

/** Where a script is, as far as it tells. */
interface WorkingFolder {
  folder: string | undefined
  isKnown: boolean
}

function enter({ words }: Run, place: WorkingFolder): void {
  const [name = '', ...rest] = words
  if (!/^(?:cd|chdir|pushd|popd|set-location|push-location|pop-location|sl)$/i.test(name)) return
  const target = rest.find(isOperand)
  const isFollowed = target !== undefined && !unclear.test(target)
  place.isKnown = isFollowed && (isAbsolute(target) || (place.isKnown && place.folder !== undefined))
  if (place.isKnown) place.folder = resolvePath(place.folder, target ?? '')
}
