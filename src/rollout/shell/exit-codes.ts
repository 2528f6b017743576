/**
 * Interprets the exit code of a command line: a failure, a search without a hit, a signal, a timeout, or a reader that
 * closed the pipe.
 */

import { bareSteps, baseName, type CommandLine, maxScript } from './dialect.ts'
import { gitWords, type Lookup, lookupOf } from './lookups.ts'
import { nameOf } from './program.ts'
import {
  decidersOf,
  decidingSteps,
  type EndSettings,
  endSettingsOf,
  functionKey,
  functionsOf,
  isPassedOn,
  isTransparent,
  nothing,
  type Pipe,
  type Run,
  runsOf,
  type Step,
  stageDialect,
} from './steps.ts'

/** How a command ended that did not end with 0. `cutOff`: the reader of its output had enough, and that ended the program. */
type Ending = 'failed' | 'noMatch' | 'timedOut' | 'killed' | 'cutOff'

/** A command that ended with a code other than 0. */
export interface EndedCommand extends CommandLine {
  exitCode: number
  /** What it printed. */
  output: string
  /** Codex omitted part of the output. */
  truncated?: boolean
}

/** `STATUS_CONTROL_C_EXIT` of Windows, as an unsigned and a signed number. */
const windowsControlC = [0xc0_00_01_3a, 0xc0_00_01_3a - 2 ** 32]

/**
 * 128 plus the number of a signal that ends a process from outside: INT, QUIT, KILL, TERM (POSIX sh, 2.8.2). HUP is
 * missing, because git uses its code for wrong options.
 */
const killed = new Set([130, 131, 137, 143, ...windowsControlC])
const ranOutOfTime = /(?:^|\n)(?:Error: )?command timed out after \d+ milliseconds/

/** How a command ended, judged by its exit code. */
export function endingOf(command: EndedCommand): Ending {
  const { exitCode, output } = command
  if (ranOutOfTime.test(output.slice(0, 4000))) return 'timedOut'
  // The code of timeout(1) and of Codex itself; for xargs(1) it means something else.
  if (exitCode === 124 && !/\bxargs\b/.test(command.script)) return 'timedOut'
  if (killed.has(exitCode)) return 'killed'
  if (command.script.length > maxScript) return 'failed'
  const step = bareSteps(command)
  const runs = [...runsOf(step)]
  const read = { step, runs, settings: endSettingsOf(runs) }
  if (isCutOff(command, read)) return 'cutOff'
  return isMiss(command, read) ? 'noMatch' : 'failed'
}

/** A script as steps, all its runs, and its settings for how it ends. */
interface ReadScript {
  step: Step
  runs: readonly Run[]
  settings: EndSettings
}

/** Codes that may mean "no hit": all codes in the table of lookups, and those of `find -exec` and `xargs`. */
const missCodes = new Set([1, 2, 3, 4, 32, 123, 127])

function isMiss({ exitCode, output }: EndedCommand, { step, runs, settings }: ReadScript): boolean {
  if (!missCodes.has(exitCode)) return false
  const ends = [...decidersOf(step, settings), ...runs.filter((run) => exitsWith(run, exitCode))]
  const deciders = insideFunctions(ends, { exitCode, settings, functions: functionsOf(step) }, [])
  const found = deciders.map((run) => judge(run, exitCode))
  if (found.length === 0 || found.includes('fails') || !found.some((item) => typeof item === 'object')) return false
  return !showsError(output, { runs, deciders, lookups: found.filter((item) => typeof item === 'object') })
}

/**
 * The runs that decided, with a call of the script's own function replaced by the runs in it. `open`: the functions
 * around them.
 */
function insideFunctions(
  deciders: readonly Run[],
  read: { exitCode: number; settings: EndSettings; functions: ReadonlyMap<string, Step> },
  open: readonly string[],
): Run[] {
  return deciders.flatMap((run) => {
    const name = functionKey(run.words[0] ?? '', run.dialect)
    const body = run.dialect === 'posix' ? read.functions.get(name) : undefined
    if (body === undefined || open.includes(name)) return [run]
    const ends = [...runsOf(body)].filter((inner) => exitsWith(inner, read.exitCode))
    return insideFunctions([...decidersOf(body, read.settings), ...ends], read, [...open, name])
  })
}

/** Whether a run ends the script with this code, or may. */
function exitsWith({ words }: Run, exitCode: number): boolean {
  if (!/^(?:exit|return|throw)$/i.test(words[0] ?? '') || isTransparent(words[1])) return words[0] === 'throw'
  const operand = words.find((word) => /^-?\d+$/.test(word))
  return operand === undefined || Number(operand) === exitCode
}

// What the code of one program may mean.

/** Shell builtins that change its state and print nothing. */
const quietBuiltins = ['cd', 'pushd', 'popd', 'export', 'set', 'setopt', 'shopt', 'unset', ':'] as const

/** Programs that cannot end with such a code, or report the reason: `cat: x: No such file`. */
const reporters = new Set([
  ...quietBuiltins,
  ...(
    'source . local declare alias true echo printf sleep pwd date umask read wait trap ulimit break continue cat ' +
    'tac head tail sed gsed awk gawk mawk ls find nl wc sort uniq cut tr tee stat file du df mkdir touch cp mv rm ' +
    'ln chmod basename dirname realpath column fold fmt rev paste comm join less more bat xargs env id whoami ' +
    'hostname uname ps tree seq yes jq strings base64 md5sum sha256sum set-location push-location pop-location ' +
    'write-output write-host out-null select-object where-object foreach-object sort-object measure-object ' +
    'group-object out-string format-table format-list tee-object out-host convertto-json get-content ' +
    'get-childitem get-item start-sleep get-location set-strictmode set-variable import-module get-date join-path ' +
    'split-path'
  ).split(' '),
])

/** What a run's code means: a lookup without a hit; not an error, which the run `reports`; or that it `fails`. */
type Judgement = Lookup | 'reports' | 'fails'

function judge(run: Run, exitCode: number): Judgement {
  const [word, ...words] = run.words
  if (word === undefined) return 'reports'
  const name = nameOf(run) ?? baseName(word)
  const nested = nestedLookup(name, words, exitCode)
  if (nested !== undefined) return nested
  const lookup = lookupOf(name, words)
  if (lookup?.codes.includes(exitCode)) return lookup
  const isReporter = reporters.has(name.toLowerCase()) || (name === 'git' && readsOnly(words))
  return isReporter && !run.quiet ? 'reports' : 'fails'
}

/** `xargs grep x` and `find … -exec grep x {} +` have codes of their own for a command of theirs that did not end with 0. */
function nestedLookup(name: string, words: readonly string[], exitCode: number): Lookup | undefined {
  const isFind = name === 'find' && exitCode === 1
  if (!isFind && !(name === 'xargs' && (exitCode === 123 || exitCode === 1))) return undefined
  const start = isFind
    ? words.findIndex((word) => /^-exec(?:dir)?$/.test(word)) + 1
    : words.findIndex((word) => lookupOf(baseName(word), []) !== undefined)
  const [program, ...rest] = start < (isFind ? 1 : 0) ? [] : words.slice(start)
  const lookup = program === undefined ? undefined : lookupOf(baseName(program), rest)
  return lookup?.codes.includes(1) && lookup.silent ? lookup : undefined
}

/** Commands of git that end with 128 or 129 if they fail, and print why. */
function readsOnly(words: readonly string[]): boolean {
  return /^(?:status|log|show|branch|rev-parse|ls-files|ls-tree|diff|remote|tag|blame|describe|shortlog|reflog)$/.test(
    gitWords(words)[0] ?? '',
  )
}

// What the output says: there was no miss if what decided printed an error.

/** Messages of shells and sandboxes that could not run what they were given. */
const shellError =
  /^(?:(?:\S*\/)?(?:ba|z|da|k|a|fi)?sh(?:\.exe)?(?:: line \d+|:\d+)?: (?!warning: )|\(eval\):\d+: |bwrap: |sandbox-exec: |(?:fatal|error): )/m
/** Error records as PowerShell prints them. */
const errorRecord =
  /FullyQualifiedErrorId|^[ \t]*\+ CategoryInfo|^(?:\u001B\[[\d;]*m)*[A-Z]\w+-\w+ ?: |^(?:\u001B\[[\d;]*m)*Line \|/m
/** Lines that do not report an error. */
const noise = /^.*: warning: .*$|^(?:rg: )?No files were searched.*$|^Running with --debug .*$/gm

interface Evidence {
  runs: readonly Run[]
  deciders: readonly Run[]
  lookups: readonly Lookup[]
}

function showsError(printed: string, { runs, deciders, lookups }: Evidence): boolean {
  const output = printed.replace(noise, '')
  if (output.trim() === '') return false
  // If there are only searches, which print nothing but hits, whatever was printed is an error.
  if (lookups.every(({ silent }) => silent) && runs.every((run) => isSilent(run, deciders)))
    return !isCount(output, runs)
  if (shellError.test(output)) return true
  const isPowershell = deciders.some(({ dialect }) => dialect === 'powershell')
  if (isPowershell && lookups.some(({ silent }) => silent) && errorRecord.test(output)) return true
  return deciders.some((run) => {
    const name = nameOf(run)
    return name !== undefined && output.split('\n').some((line) => line.startsWith(`${name}: `)) && !isAnswer(name)
  })
}

/** Programs whose "no" is a line that begins with their name: `which: no x in (…)`. */
function isAnswer(name: string): boolean {
  return /^(?:which|type|command|hash|diff|cmp|pip3?|dpkg(?:-query)?|killall|Get-Command|Get-Process|Get-Service)$/.test(
    name,
  )
}

/** Programs that print nothing of their own. */
const silentPrograms = new Set([
  ...quietBuiltins,
  ...['true', 'sleep', 'set-location'],
  ...['select-object', 'where-object', 'sort-object', 'foreach-object', 'out-string'],
])

/** Whether a run prints nothing, or is one of the searches that decided. */
function isSilent(run: Run, deciders: readonly Run[]): boolean {
  const [word, ...words] = run.words
  if (word === undefined) return true
  const name = nameOf(run) ?? word
  return silentPrograms.has(name.toLowerCase()) || (deciders.includes(run) && lookupOf(name, words)?.silent === true)
}

/** Whether an output is the `0` of a counting search, or something that was requested besides the hits. */
function isCount(output: string, runs: readonly Run[]): boolean {
  const words = runs.flatMap((run) => run.words)
  if (words.some((word) => /^--(?:stats|json|debug|trace|verbose)$/.test(word))) return true
  return (
    words.some((word) => /^(?:-(?=\w*c)\w+|--count(?:-matches)?)$/.test(word)) && /^(?:.*:)?0$/m.test(output.trim())
  )
}

// A pipeline whose reader had enough: the code of the program before it says nothing.

/** 128 plus the number of SIGPIPE. */
const brokenPipe = 141
/** What programs print when nobody reads their output any more; most such lines begin with the program's name. */
const brokenPipeLine =
  /^(?:(?:(?:fatal|\w*error): |thread '[^'\n]*' panicked|failed printing).*|([\w.+-]+): .*)(?:Broken pipe|EPIPE).*$/gim
/** Programs that print one line for each line that they read. */
const linewise = /^(?:cat|cut|nl|rev|sort|tac|Out-(?:Default|Host|String)|Sort-Object|Write-Output)$/
/** How programs that do more than print what they find report a failure. */
export const failureLine: RegExp =
  /(?:^|[\s:(])(?:error(?: ?\[?\w+\]?)?:|FAIL(?:ED|URES?)?\b|Traceback \(|npm ERR!|panicked at (?!library\/std\/src\/io)|\w*Exception:)/m

/**
 * Whether a reader at the end of a pipeline read enough lines and thereby ended the program before it: by SIGPIPE, with
 * a message about the broken pipe, or in PowerShell by stopping it, which gives 1 whatever the program's own code would
 * have been.
 */
function isCutOff(command: EndedCommand, { step, runs, settings }: ReadScript): boolean {
  const { exitCode } = command
  const cuts = decidingSteps(step, settings).flatMap((decider) => cutOf(decider) ?? [])
  if (cuts.length === 0) return false
  const complaints = [...command.output.matchAll(brokenPipeLine)].map(([, name]) => name)
  const output = command.output.replace(brokenPipeLine, '')
  const count = countLines(output, command.truncated)
  return cuts.some(({ pipe, lines, before, dialect }) => {
    if (count < lines || showsFailure(output, before)) return false
    if (dialect === 'powershell') {
      const inPipe = new Set(runsOf(pipe))
      const others = runs.filter((run) => !inPipe.has(run) && !run.isKept && !isPassedOn(run))
      const headings = others.filter(isHeading)
      // All other output must be known, else it is unclear how much this pipeline printed.
      const isKnown = sequenceOf(step).includes(pipe) && others.every((run) => isHeading(run) || isSilent(run, []))
      return exitCode === 1 && isKnown && before.some(isNative) && count >= lines + headings.length
    }
    const names = before.map(nameOf)
    return exitCode === brokenPipe || (settings.pipefail && complaints.some((name) => !name || names.includes(name)))
  })
}

interface Cut {
  pipe: Pipe
  /** At least this many lines are printed if the reader had enough. */
  lines: number
  /** The runs before the reader. */
  before: Run[]
  /** Language of the reader. */
  dialect: Run['dialect']
}

/** How a pipeline may be cut off, if its last stages read only a number of lines; `undefined` for any other. */
function cutOf(pipe: Run | Pipe): Cut | undefined {
  if (pipe.kind === 'run' || pipe.negated) return undefined
  const lineLimits = pipe.stages.map((stage) => (stage.kind === 'run' ? lineLimitOf(stage) : undefined))
  const isTail = (stage: Step, index: number): boolean =>
    lineLimits[index] !== undefined || (stage.kind === 'run' && linewise.test(nameOf(stage) ?? ''))
  const end = pipe.stages.findLastIndex((stage, index) => !isTail(stage, index)) + 1
  const first = lineLimits.findIndex((lines, index) => index >= Math.max(end, 1) && lines !== undefined)
  const dialect = stageDialect(pipe.stages[first] ?? nothing)
  if (dialect === undefined) return undefined
  const lines = Math.min(...lineLimits.slice(first).flatMap((count) => count ?? []))
  return { pipe, lines, before: pipe.stages.slice(0, first).flatMap((stage) => [...runsOf(stage)]), dialect }
}

/** After how many lines a run stops reading its input; `undefined` if it reads to the end, or reads a file. */
function lineLimitOf(run: Run): number | undefined {
  const words = run.words.slice(1)
  const name = nameOf(run) ?? ''
  if (run.dialect === 'powershell') return name === 'Select-Object' ? linesSelected(words.join(' ')) : undefined
  if (/^g?head$/.test(name)) return linesOfHead(words.join(' '))
  if (/^g?sed$/.test(name)) return linesOfSed(words)
  if (!/^(?:[efg]?grep|rg)$/.test(name)) return undefined
  const count = /(?:^| )(?:-\w*m|--max-count)[ =]?(\d+)(?= |$)/.exec(words.join(' '))
  if (words.some((word) => /^-\w*q|^--quiet$/.test(word))) return 0
  return count === null ? undefined : Number(count[1])
}

function linesSelected(words: string): number | undefined {
  const found = /(?:^| )-f(?:i(?:r(?:st?)?)?)?[ :](\d+)(?= |$)/i.exec(words)
  return found === null || /(?:^| )-(?:l(?:a(?:st?)?)?|w(?:a(?:it?)?)?)(?=[ :]|$)/i.test(words)
    ? undefined
    : Number(found[1])
}

/** With bytes (`-c`) the number of lines is not known. */
function linesOfHead(words: string): number | undefined {
  const found = /^(?:-[qvz] )*(?:(?:-n ?|--lines[ =]|-)(\d+)|(?:-c ?|--bytes[ =])\d\w*|)(?: ?-)?$/.exec(words)
  return found === null ? undefined : Number(found[1] ?? (words.includes('c') || words.includes('bytes') ? 0 : 10))
}

/** Lines that `sed` prints before it quits: `20q`, and with `-n` also `1,20p;20q` and `20{p;q}`. */
function linesOfSed(words: readonly string[]): number | undefined {
  const isQuiet = words.some((word) => /^-(?=E*n)[En]+$|^--(?:quiet|silent)$/.test(word))
  const script = words
    .filter((word) => !word.startsWith('-'))
    .join(';')
    .replace(/\s/g, '')
  const [, quit, command] = /^(\d+)(q);?$/i.exec(script) ?? []
  if (!isQuiet) return quit === undefined ? undefined : Number(quit) - (command === 'Q' ? 1 : 0)
  if (/^\d+\{p;q;?\}$/.test(script)) return 1
  const [, from, to, end] = /^(?:(\d+),)?(\d+)p;(\d+)q;?$/i.exec(script) ?? []
  return to === undefined ? undefined : Math.max(0, Math.min(Number(to), Number(end)) - Number(from ?? to) + 1)
}

/** The steps that run one after another; groups and branches are not opened. */
function sequenceOf(step: Step): Step[] {
  if (step.kind === 'list') return step.steps.flatMap(sequenceOf)
  return step.kind === 'and' ? [step.left, step.right].flatMap(sequenceOf) : [step]
}

/** Whether a run prints one fixed line, not the value of a variable or command. */
function isHeading({ words }: Run): boolean {
  return /^(?:echo|write-(?:output|host))$/i.test(words[0] ?? '') && words.length < 3 && !/[$(\n]/.test(words[1] ?? '$')
}

/** Whether a run is a program; a cmdlet that is stopped does not end with another code. */
function isNative(run: Run): boolean {
  const name = nameOf(run)
  return name !== undefined && !/^[A-Z][a-z]+-[A-Z]/.test(name)
}

/** The number of lines printed; if Codex cut the output, the number that it reports, else infinity. */
function countLines(output: string, truncated = false): number {
  const total = /^Total output lines: (\d+)$/m.exec(output.slice(0, 400))
  if (truncated) return total === null ? Number.POSITIVE_INFINITY : Number(total[1])
  return output.split('\n').filter((line, index, all) => line !== '' || index < all.length - 1).length
}

/**
 * Whether an output shows an error besides the cut-off: of the shell, of a program by its name, or of what the program
 * did.
 */
function showsFailure(output: string, before: readonly Run[]): boolean {
  if (shellError.test(output) || errorRecord.test(output)) return true
  const names = before.flatMap((run) => nameOf(run) ?? [])
  if (output.split('\n').some((line) => names.some((name) => line.startsWith(`${name}: `)))) return true
  // What a search or a reader prints is not its own text.
  return before.some((run) => judge(run, 1) === 'fails') && failureLine.test(output)
}
