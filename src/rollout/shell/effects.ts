/** Finds which files of its project a command line writes, as far as the line itself and its output show. */

import { append } from '../../util/groups.ts'
import { isAbsolute, pathBelow, resolvePath } from '../../util/paths.ts'
import { bareSteps, type CommandLine, maxScript } from './dialect.ts'
import { nameOf } from './program.ts'
import { isErrexit, type Pipe, type Run, runsOf, type Step } from './steps.ts'
import { changesOf, codeHints, type FileEffect, filesOfCode, isOperand } from './writes.ts'

/** Every command that writes, moves or removes a file contains one of these; most lines contain none and are not read. */
const hints =
  />|\btee\b|\bsed\b|\bperl\b|-(?:content|file|object|item)\b|\b(?:[as]c|mv|rm|mi|ri|rni|cp[ip]?|copy|move|ren|del|erase)\b/i

/**
 * What a command that succeeded has done to files, in order: targets of redirections, of `tee`, of cmdlets that set
 * content, files that `sed` or `perl` edited in place, and that code of Python or Node wrote; files that were moved, copied or removed. Not among them: what a
 * condition, a loop or a fallback may have done, what follows a possible exit, what a program complained about in what was
 * printed, names that only the shell knew, and files outside of the folder in which the command ran. A file that is removed
 * may not have been there.
 */
export function effectsOf(command: CommandLine, printed: () => string = () => ''): FileEffect[] {
  if (!hints.test(command.script) && !codeHints.test(command.script)) return []
  const { cwd } = command
  const names = boundNames(command.script)
  let text: string | undefined
  const walk: Walk = {
    effects: [],
    printed: () => {
      text ??= printed()
      return text
    },
    resolve: (name, { folder, isKnown }) => {
      const path = names.get(name) ?? name
      if (unclear.test(path) || (!isKnown && !isAbsolute(path))) return undefined
      const resolved = resolvePath(folder, path)
      return isInside(resolved, cwd) ? resolved : undefined
    },
  }
  follow(bareSteps(command), { folder: cwd, isKnown: true, isOver: false, isStrict: false }, true, walk)
  return walk.effects
}

interface Walk {
  effects: FileEffect[]
  /** Returns what the command printed; only called if the line changes something. */
  printed: () => string
  /** A name as a path; `undefined` if it is not known, or outside the folder. */
  resolve: (name: string, shell: Shell) => string | undefined
}

/** The state of a shell while a script is followed, as far as the script shows it. */
interface Shell {
  folder: string | undefined
  isKnown: boolean
  /** The shell may have ended. */
  isOver: boolean
  /** The shell ends at the first failure. */
  isStrict: boolean
}

/** Follows what ran. `isSure`: the step succeeded, because the whole command did. */
function follow(step: Step, shell: Shell, isSure: boolean, walk: Walk): void {
  switch (step.kind) {
    case 'run':
      followRun(step, shell, isSure, walk)
      break
    case 'pipe':
      followPipe(step, shell, isSure, walk)
      break
    case 'list':
      followList(step.steps, step.isApart ? { ...shell } : shell, isSure, walk)
      break
    case 'and':
      follow(step.left, shell, isSure, walk)
      if (isSure || reportsFailure(step.left, walk)) follow(step.right, shell, isSure, walk)
      else doubt([step.right], shell)
      break
    case 'or':
      follow(step.left, shell, isSure && endsBadly(step.right), walk)
      if (!endsBadly(step.right) && [...runsOf(step.left)].some(isMove)) shell.isKnown = false
      doubt([step.right], shell)
      break
    default:
      doubt(step.kind === 'branch' ? [...step.tests, ...step.bodies] : [], shell)
  }
}

function followPipe({ stages, negated }: Pipe, shell: Shell, isSure: boolean, walk: Walk): void {
  // A negated pipe did nothing for certain, because it succeeded by failing. Otherwise each stage is a shell of its own.
  if (negated) doubt(stages, shell)
  else
    for (const [index, stage] of stages.entries())
      follow(stage, { ...shell }, isSure && index === stages.length - 1, walk)
}

function followList(steps: readonly Step[], shell: Shell, isSure: boolean, walk: Walk): void {
  for (const [index, part] of steps.entries())
    follow(part, shell, shell.isStrict || (isSure && index === steps.length - 1), walk)
}

function followRun(run: Run, shell: Shell, isSure: boolean, walk: Walk): void {
  if (shell.isOver) return
  const changes = [...changesOf(run)]
  if (changes.length > 0 || isMove(run)) {
    const isDone = !complains(run, walk.printed()) && (isSure || !run.quiet)
    for (const change of changes) addEffect(change, run, isDone, shell, walk)
    if (isMove(run)) move(run, shell, isSure, walk)
  }
  if (endsWell(run)) shell.isOver = true
  if (isErrexit(run)) shell.isStrict = true
}

function addEffect(change: FileEffect, run: Run, isDone: boolean, shell: Shell, walk: Walk): void {
  // The shell creates the target of a redirection before the program starts.
  const isTarget = run.into?.includes(change.path) === true
  if (isTarget ? !complainsOf(change.path, walk.printed()) : isDone)
    append(
      walk.effects,
      resolvedEffect(change, (name) => walk.resolve(name, shell)),
    )
}

function move(run: Run, shell: Shell, isSure: boolean, { printed }: Walk): void {
  if (!complains(run, printed())) enter(run, shell)
  if (run.quiet && !isSure) shell.isKnown = false
}

/** After steps that may not have run, the folder is not known, nor whether they ended the shell. */
function doubt(steps: readonly Step[], shell: Shell): void {
  for (const step of steps) {
    for (const run of runsOf(step)) {
      if (endsWell(run)) shell.isOver = true
      if (isMove(run)) shell.isKnown = false
    }
  }
}

/** Whether a run leaves the script with success. */
function endsWell({ words: [name = '', code] }: Run): boolean {
  if (/^(?:exit|return)$/i.test(name)) return code === undefined || !/^[1-9]\d*$/.test(code)
  return name === 'exec' && code !== undefined
}

/** Whether a step leaves the script with a failure: `|| exit 1`, and `|| exit` after a failure. */
function endsBadly(step: Step): boolean {
  return [...runsOf(step)].some(({ words: [name = '', code] }) => /^(?:exit|return)$/i.test(name) && code !== '0')
}

/** Programs that always print a message when they fail. */
const reporters = new Set(
  'cd pushd popd mkdir cp mv rm sed echo printf cat touch ln chmod tee set export sleep set-location set-content add-content'.split(
    ' ',
  ),
)

function reportsFailure(step: Step, { printed }: Walk): boolean {
  return [...runsOf(step)].every(
    (run) =>
      !run.quiet &&
      (run.words.length === 0 || reporters.has(nameOf(run)?.toLowerCase() ?? run.words[0] ?? '')) &&
      !complains(run, printed()),
  )
}

/** How error messages of cmdlets and of `cmd` begin. */
const complaints = {
  powershell:
    /^(?:(?:Set|Add)-Content|Out-File|Tee-Object|(?:Copy|Remove|Move|Rename)-Item|Set-Location|Push-Location) ?:/m,
  cmd: /^(?:Could Not Find|The system cannot|Access is denied|The process cannot|A duplicate file name|A subdirectory or file)/m,
}

/** Whether a program printed an error, recognised by its name before the message. */
function complains(run: Run, printed: string): boolean {
  if (run.dialect !== 'posix') return complaints[run.dialect].test(printed)
  const [name = ''] = run.words
  if (/(?:^|\/)perl$/.test(name) && /^Can't open /m.test(printed)) return true
  if (/^Traceback \(most recent call last\):|^Node\.js v\d/m.test(printed) && filesOfCode(run).length > 0) return true
  for (let at = printed.indexOf(`${name}:`); at >= 0 && name !== ''; at = printed.indexOf(`${name}:`, at + 1))
    if (at === 0 || /[\s:/]/.test(printed.charAt(at - 1))) return true
  return false
}

function complainsOf(target: string, printed: string): boolean {
  const complaint = /^: (?:No such file|Permission denied|Is a directory|Not a directory|cannot |Read-only)/i
  for (let at = printed.indexOf(`${target}: `); at >= 0; at = printed.indexOf(`${target}: `, at + 1))
    if (complaint.test(printed.slice(at + target.length, at + target.length + 40))) return true
  return false
}

/** An effect with resolved paths; nothing if one of its names is not known. */
function resolvedEffect(effect: FileEffect, resolve: (name: string) => string | undefined): FileEffect[] {
  const [path, movedTo] = [resolve(effect.path), resolve(effect.movedTo ?? effect.path)]
  if (path === undefined || movedTo === undefined) return []
  return [{ ...effect, path, ...(effect.movedTo === undefined ? {} : { movedTo }) }]
}

/** An assignment of a text: `$p = 'a.ts'` in PowerShell, `p=a.ts` in the POSIX shells. */
const binding =
  /(?:^|[;\n&])[ \t]*(?:\$(?<name>\w+)[ \t]*=[ \t]*(?<quote>['"])(?<text>[^'"$`\n]+)\k<quote>|(?<bare>[A-Za-z_]\w*)=(?<sign>['"]?)(?<value>[^\s'"$`;|&<>()]+)\k<sign>)(?=[ \t]*(?:[;\n&]|$))/g

/** Texts that a script assigns to variables, by `$p` and `${p}`; without variables that are assigned twice. */
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

/** Names that the shell expands, and devices. */
const unclear = /[$*?`%{}<>|\n]|^$|^(?:nul|con|-)$|^~/i

function isInside(path: string, cwd: string | undefined): boolean {
  return cwd === undefined ? !isAbsolute(path) && !path.startsWith('..') : pathBelow(path, cwd) !== path
}

function isMove({ words: [name = ''] }: Run): boolean {
  return /^(?:cd|chdir|pushd|popd|set-location|push-location|pop-location|sl)$/i.test(name)
}

function enter({ words }: Run, shell: Shell): void {
  const target = words.slice(1).find(isOperand)
  const isFollowed = target !== undefined && !unclear.test(target)
  shell.isKnown = isFollowed && (isAbsolute(target) || (shell.isKnown && shell.folder !== undefined))
  if (shell.isKnown) shell.folder = resolvePath(shell.folder, target ?? '')
}
