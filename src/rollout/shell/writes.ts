/** Which files of its project a command line writes, as far as the line itself says so. */

import { isAbsolute, pathBelow, resolvePath } from '../../util/paths.ts'
import { bareSteps, type CommandLine, maxScript } from './dialect.ts'
import { nameOf } from './program.ts'
import type { Run, Step } from './steps.ts'

/** What writes a file leaves one of these in the line; most lines have none and are not read. */
const hints = />|\btee\b|\bsed\b|\bperl\b|-(?:content|file|object)\b|\b[as]c\b/i

/**
 * Paths of the files that a command which succeeded has written: targets of redirections, of `tee`, of cmdlets that set
 * content, and files that `sed` or `perl` edited in place; each once, absolute where the folder is known. Not among
 * them: what a condition, a loop or a fallback may have written, names that only the shell knew, and files outside of
 * the folder in which the command ran.
 */
export function writtenBy(command: CommandLine): string[] {
  if (!hints.test(command.script)) return []
  const { cwd } = command
  const names = boundNames(command.script)
  const found = new Set<string>()
  const place: WorkingFolder = { folder: cwd, isKnown: true }
  for (const run of certainRuns(bareSteps(command))) {
    for (const written of filesOf(run)) {
      const path = names.get(written) ?? written
      if (unclear.test(path) || (!place.isKnown && !isAbsolute(path))) continue
      const whole = resolvePath(place.folder, path)
      if (isInside(whole, cwd)) found.add(whole)
    }
    enter(run, place)
  }
  return [...found]
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
  const writer = Object.hasOwn(writers, name) ? writers[name] : undefined
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
const switches = /^-(?:append|force|nonewline|noclobber|passthru|asbytestream|whatif|confirm|verbose)$/i

/** The path of a cmdlet, which stands behind its name or first among what has no name. */
function named(words: readonly string[], names: readonly string[]): string[] {
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (!word.startsWith('-')) return [word]
    const name = word.slice(1).toLowerCase()
    if (name.length > 2 && names.some((each) => each.startsWith(name))) return [words[index + 1] ?? '']
    if (!switches.test(word)) index++
  }
  return []
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
