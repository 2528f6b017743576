/** What the exit code of a command line means: a failure, a search without a hit, a signal, the end of its time. */

import { bareSteps, baseName, type CommandLine, maxScript } from './dialect.ts'
import { gitWords, type Lookup, lookupOf, nameOf } from './program.ts'
import { type Run, runsOf, type Step } from './steps.ts'

/** How a command ended that did not end with 0. */
export type Ending = 'failed' | 'noMatch' | 'timedOut' | 'killed'

/** A command that ended with another code than 0. */
export interface EndedCommand extends CommandLine {
  exitCode: number
  /** What it printed. */
  output: string
}

/** `STATUS_CONTROL_C_EXIT` of Windows, without and with its sign. */
const windowsControlC = [0xc0_00_01_3a, 0xc0_00_01_3a - 2 ** 32]

/**
 * 128 and the number of a signal that ends a process from outside: INT, QUIT, KILL, TERM (POSIX sh, 2.8.2). That of HUP is
 * what git says of wrong options.
 */
const killed = new Set([130, 131, 137, 143, ...windowsControlC])
const ranOutOfTime = /(?:^|\n)(?:Error: )?command timed out after \d+ milliseconds/

/** What became of a command, told by its exit code. */
export function endingOf(command: EndedCommand): Ending {
  const { exitCode, output } = command
  if (ranOutOfTime.test(output.slice(0, 4000))) return 'timedOut'
  // The code of timeout(1) and of Codex itself; xargs(1) has another meaning for it.
  if (exitCode === 124 && !/\bxargs\b/.test(command.script)) return 'timedOut'
  if (killed.has(exitCode)) return 'killed'
  return isMiss(command) ? 'noMatch' : 'failed'
}

/** Codes that any row of the table holds, and those of `find -exec` and `xargs`. */
const answers = new Set([1, 2, 3, 4, 32, 123, 127])

function isMiss(command: EndedCommand): boolean {
  const { exitCode, script, output } = command
  if (!answers.has(exitCode) || script.length > maxScript) return false
  const step = bareSteps(command)
  const runs = [...runsOf(step)]
  const settings = { errexit: runs.some(isErrexit), pipefail: runs.some(isPipefail) }
  const deciders = [...decidersOf(step, settings), ...runs.filter((run) => exitsWith(run, exitCode))]
  const found = deciders.map((run) => judge(run, exitCode))
  if (found.length === 0 || found.includes('fails') || !found.some((item) => typeof item === 'object')) return false
  return !tellsOfErrors(output, { runs, deciders, lookups: found.filter((item) => typeof item === 'object') })
}

// Which program's code is that of the whole.

interface Settings {
  errexit: boolean
  pipefail: boolean
}

/** The runs of which one gave the code that ended a step, where it was not 0. */
function decidersOf(step: Step, settings: Settings): Run[] {
  switch (step.kind) {
    case 'run':
      return [step]
    case 'pipe':
      return step.negated
        ? [negation]
        : step.stages.flatMap((stage, index) => {
            const isLast = index === step.stages.length - 1
            const counts = isLast || settings.pipefail || stageDialect(stage) === 'powershell'
            return counts ? decidersOf(stage, settings) : []
          })
    case 'and':
      return [...decidersOf(step.left, settings), ...decidersOf(step.right, settings)]
    case 'or':
      return decidersOf(step.right, settings)
    case 'branch':
      return step.bodies.flatMap((body) => decidersOf(body, settings))
    case 'background':
      return []
    default:
      return decidersOfList(step.steps, settings)
  }
}

/** A `!` in front: its 1 says that there was a hit. */
const negation: Run = { kind: 'run', dialect: 'posix', words: ['!'], quiet: false }

/** The last step decides, with `set -e` any; a bare `exit` gives on what came before it. */
function decidersOfList(steps: readonly Step[], settings: Settings): Run[] {
  if (settings.errexit) return steps.flatMap((step) => decidersOf(step, settings))
  const last = steps.findLast((step) => !isPassedOn(step))
  return last === undefined ? [] : decidersOf(last, settings)
}

function isPassedOn(step: Step): boolean {
  return step.kind === 'run' && /^(?:exit|return)$/i.test(step.words[0] ?? '') && isTransparent(step.words[1])
}

function isTransparent(operand: string | undefined): boolean {
  return operand === undefined || /^\$(?:\?|LASTEXITCODE)$/i.test(operand)
}

/** Whether a script ends itself with the code, or may. */
function exitsWith({ words }: Run, exitCode: number): boolean {
  if (!/^(?:exit|return|throw)$/i.test(words[0] ?? '') || isTransparent(words[1])) return words[0] === 'throw'
  const operand = words.find((word) => /^-?\d+$/.test(word))
  return operand === undefined || Number(operand) === exitCode
}

function stageDialect(stage: Step): Run['dialect'] | undefined {
  for (const run of runsOf(stage)) return run.dialect
  return undefined
}

function isErrexit({ words }: Run): boolean {
  return (words[0] === 'set' || words[0] === 'setopt') && words.some((word) => /^(?:-\w*e\w*|errexit)$/i.test(word))
}

function isPipefail({ words }: Run): boolean {
  return (words[0] === 'set' || words[0] === 'setopt') && words.some((word) => /^pipe_?fail$/i.test(word))
}

// What one program's code may mean.

/** Parts of a shell that change its state and print nothing. */
const quietBuiltins = ['cd', 'pushd', 'popd', 'export', 'set', 'setopt', 'shopt', 'unset', ':'] as const

/** Programs that cannot end with such a code, or say so when they do: `cat: x: No such file`. */
const tellers = new Set([
  ...quietBuiltins,
  ...['source', '.', 'local', 'declare', 'alias'],
  ...['true', 'echo', 'printf', 'sleep', 'pwd', 'date', 'umask', 'read', 'wait', 'trap', 'ulimit', 'break', 'continue'],
  ...[
    'cat',
    'tac',
    'head',
    'tail',
    'sed',
    'gsed',
    'awk',
    'gawk',
    'mawk',
    'ls',
    'find',
    'nl',
    'wc',
    'sort',
    'uniq',
    'cut',
  ],
  ...[
    'tr',
    'tee',
    'stat',
    'file',
    'du',
    'df',
    'mkdir',
    'touch',
    'cp',
    'mv',
    'rm',
    'ln',
    'chmod',
    'basename',
    'dirname',
  ],
  ...['realpath', 'column', 'fold', 'fmt', 'rev', 'paste', 'comm', 'join', 'less', 'more', 'bat', 'xargs', 'env', 'id'],
  ...['whoami', 'hostname', 'uname', 'ps', 'tree', 'seq', 'yes', 'jq', 'strings', 'base64', 'md5sum', 'sha256sum'],
  ...['set-location', 'push-location', 'pop-location', 'write-output', 'write-host', 'out-null', 'select-object'],
  ...['where-object', 'foreach-object', 'sort-object', 'measure-object', 'group-object', 'out-string', 'format-table'],
  ...[
    'format-list',
    'tee-object',
    'out-host',
    'convertto-json',
    'get-content',
    'get-childitem',
    'get-item',
    'start-sleep',
  ],
  ...['get-location', 'set-strictmode', 'set-variable', 'import-module', 'get-date', 'join-path', 'split-path'],
])

type Judgement = Lookup | 'told' | 'fails'

function judge(run: Run, exitCode: number): Judgement {
  const [word, ...words] = run.words
  if (word === undefined) return 'told'
  const name = nameOf(run) ?? baseName(word)
  const nested = nestedLookup(name, words, exitCode)
  if (nested !== undefined) return nested
  const lookup = lookupOf(name, words)
  if (lookup?.codes.includes(exitCode)) return lookup
  const isTeller = tellers.has(name.toLowerCase()) || (name === 'git' && readsOnly(words))
  return isTeller && !run.quiet ? 'told' : 'fails'
}

/** `xargs grep x` and `find … -exec grep x {} +`: their own codes for one of their commands that ended with another than 0. */
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

/** Commands of git that end with 128 or 129 where they fail, and say why. */
function readsOnly(words: readonly string[]): boolean {
  return /^(?:status|log|show|branch|rev-parse|ls-files|ls-tree|diff|remote|tag|blame|describe|shortlog|reflog)$/.test(
    gitWords(words)[0] ?? '',
  )
}

// What the output says: a miss may not stand beside an error of what decided.

/** Messages of shells and sandboxes that could not run what they were told to. */
const shellError =
  /^(?:(?:\S*\/)?(?:ba|z|da|k|a|fi)?sh(?:\.exe)?(?:: line \d+|:\d+)?: (?!warning: )|\(eval\):\d+: |bwrap: |sandbox-exec: |(?:fatal|error): )/m
/** Records of errors as PowerShell prints them. */
const errorRecord =
  /FullyQualifiedErrorId|^\s*\+ CategoryInfo|^(?:\u001B\[[\d;]*m)*[A-Z]\w+-\w+ ?: |^(?:\u001B\[[\d;]*m)*Line \|/m
/** Lines that say nothing of an error. */
const noise = /^.*: warning: .*$|^(?:rg: )?No files were searched.*$|^Running with --debug .*$/gm

interface Evidence {
  runs: readonly Run[]
  deciders: readonly Run[]
  lookups: readonly Lookup[]
}

function tellsOfErrors(printed: string, { runs, deciders, lookups }: Evidence): boolean {
  const output = printed.replace(noise, '')
  if (output.trim() === '') return false
  // Nothing but searches that print their hits: then what was printed is an error.
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
const printless = new Set([
  ...quietBuiltins,
  ...['true', 'sleep', 'set-location'],
  ...['select-object', 'where-object', 'sort-object', 'foreach-object', 'out-string'],
])

/** Whether a run prints nothing, or is one of the searches that decide. */
function isSilent(run: Run, deciders: readonly Run[]): boolean {
  const [word, ...words] = run.words
  if (word === undefined) return true
  const name = nameOf(run) ?? word
  return printless.has(name.toLowerCase()) || (deciders.includes(run) && lookupOf(name, words)?.silent === true)
}

/** `0` of a search that counts, and what was asked for beside the hits. */
function isCount(output: string, runs: readonly Run[]): boolean {
  const words = runs.flatMap((run) => run.words)
  if (words.some((word) => /^--(?:stats|json|debug|trace|verbose)$/.test(word))) return true
  return words.some((word) => /^(?:-\w*c\w*|--count(?:-matches)?)$/.test(word)) && /^(?:.*:)?0$/m.test(output.trim())
}
