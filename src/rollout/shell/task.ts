/** What a command line tries: its program, and which of the program's tasks; and whether it hides that it failed. */

import { ownValue } from '../../util/own.ts'
import { stripAnsi } from '../../util/printable.ts'
import { bareSteps, baseName, type CommandLine, maxScript } from './dialect.ts'
import { failureLine } from './exit-codes.ts'
import { gitWords, lookupOf } from './lookups.ts'
import { mainRun, mainRunOf } from './program.ts'
import { decidersOf, endSettingsOf, runsOf } from './steps.ts'

/** Programs that run whatever they are given: the first argument identifies the task. */
const runners = /^(?:python\d?(?:\.\d+)?|node|deno|bun|ruby|perl|php|Rscript|java|npx|uvx?|tsx|powershell|PowerShell)$/
/** Words that only introduce the task: `npm run build`, `python -m pytest`, `uv run mypy`. */
const leading = new Set(['run', 'exec', 'run-script', '-m', 'x'])
/** Programs that only read: for them, another file is another task. */
const readers = /^(?:cat|bat|head|tail|sed|awk|nl|wc|jq|ls|tree|stat|file|Get-Content|Get-ChildItem|Get-Item)$/
/** Readers whose first operand is not a file but a program in their own language. */
const scripted = /^(?:sed|awk|jq)$/
/** Programs with tasks of two words: `gh pr view`, `docker compose up`. `true`: all their tasks have two. */
const twoWordTasks: Readonly<Record<string, true | ReadonlySet<string>>> = {
  ...Object.fromEntries(['gh', 'glab', 'ip', 'kubectl', 'aws', 'gcloud', 'az'].map((name) => [name, true])),
  docker: new Set(['compose', 'container', 'image', 'volume', 'network', 'buildx']),
  git: new Set(['stash', 'worktree', 'remote', 'submodule', 'bisect', 'lfs', 'sparse-checkout']),
  go: new Set(['mod', 'tool', 'work']),
  npm: new Set(['config', 'pkg', 'cache']),
  python: new Set(['pip']),
  python3: new Set(['pip']),
  uv: new Set(['pip', 'tool', 'python']),
}
/** Tasks that only look something up: `pip show gate` and `pip show oil` are two tasks. */
const lookupVerbs =
  /^(?:cat|depends|describe|explain|find|get|info|inspect|list|locate|lookup|ls|policy|query|search|show|status|view|where|which|why)$/
/** Programs whose first word is always a pattern. */
const searchers = /^(?:[efz]?grep|rg|ag|ack|findstr|pgrep|pkill|Select-String)$/
/** Commands of `git` that look at their operands: other operands are another task. */
const gitLookups = /^(?:log|show|diff|blame|ls-files|ls-tree|ls-remote|status)$/
/** Commands of `git` whose options are the question if there is no operand: `git branch --show-current`. */
const gitQuestions = /^(?:branch|tag|config|rev-parse|symbolic-ref|cat-file|describe)$/
/** Programs that fetch an address: for them, another address is another task. */
const fetchers = /^(?:curl|wget|https?|xh|Invoke-WebRequest|Invoke-RestMethod|iwr|irm)$/
/** `https://example.org/a`, `localhost:3000/a`, `127.0.0.1`; with the address without scheme, query and fragment. */
const address = /^(?:\w+:\/\/|(?=localhost\b|\d+(?:\.\d+){3}\b|[\w.-]+:\d))([^?#]+)/
/** A task by name, as in `npm test` or `cargo clippy`; anything else is a file, a pattern, a value. */
const named = /^[a-z][a-z\d]*(?:[-:][a-z\d]+)*$/

/**
 * The program of a command line with the task that its words name: `npm test`, `cargo clippy`, `pytest`. Two lines with
 * the same result try the same thing. `undefined` if no program is known.
 */
export function taskOf(command: CommandLine): string | undefined {
  const main = mainRun(command)
  if (main === undefined) return undefined
  const { program, words } = main
  if (fetchers.test(program)) return [program, ...words.flatMap((word) => addressOf(word) ?? [])].join(' ')
  return namedTask(program, words, command.script)
}

function namedTask(program: string, allWords: readonly string[], script: string): string {
  const words = program === 'git' ? gitWords(allWords) : allWords
  const [word, next] = words.filter((each) => !leading.has(each) && !each.startsWith('-'))
  if (word === undefined) return runners.test(program) ? inputTask(program, allWords, script) : program
  if (program === 'git' && (gitLookups.test(word) || gitQuestions.test(word))) return gitTask(words)
  if (next !== undefined && named.test(next) && needsTwoWords(program, word))
    return [program, word, next, ...lookedUp(words, [word, next])].join(' ')
  const isTask = runners.test(program) || named.test(word) || lookupOf(program, allWords) !== undefined
  if (isTask) return [program, word, ...lookedUp(words, searchers.test(program) ? [] : [word])].join(' ')
  return readers.test(program) ? [program, ...filesOf(program, allWords).map(baseName)].join(' ') : program
}

/** What a word fetches; `undefined` if it is no address. */
function addressOf(word: string): string | undefined {
  return address.exec(word)?.[1]?.replace(/(?<!\/)\/+$/, '')
}

/** Whether a word is only the first half of a task's name. */
function needsTwoWords(program: string, word: string): boolean {
  const nested = ownValue(twoWordTasks, program)
  return nested === true || nested?.has(word) === true
}

/** What a lookup task looks up, if that directly follows the task's name: later words may be values of options. */
function lookedUp(words: readonly string[], names: readonly string[]): string[] {
  const last = names.at(-1) ?? ''
  const asked = words[words.lastIndexOf(last) + 1]
  const isAsked = asked !== undefined && !asked.startsWith('-') && !redirection.test(asked)
  return isAsked && names.some((name) => lookupVerbs.test(name)) && !names.includes(asked) ? [asked] : []
}

/** Code that a runner reads from a here-document is identified by its first meaningful line. */
function inputTask(program: string, words: readonly string[], script: string): string {
  const body = words.every((word) => word === '-') ? hereDocument.exec(script)?.[1] : undefined
  const mainLine = body
    ?.slice(0, 20_000)
    .split('\n')
    .find((line) => !commonplace.test(line))
  return mainLine === undefined ? program : `${program} ${mainLine.trim()}`
}

const hereDocument = /<<-?\s*\\?["']?\w[^\n]*\n([\s\S]*)/
/** Lines with which all kinds of code begin: blank lines, comments, imports. */
const commonplace = /^\s*(?:$|#|\/\/|import\b|from\b|using\b|use\b|require\b|(?:const|var|let)\b.*\brequire\()/

/** The task of a `git` command that only looks: the command and what it is asked for. */
function gitTask([command = '', ...words]: readonly string[]): string {
  const operands = words.filter((word) => !word.startsWith('-') && !redirection.test(word))
  const asked = operands.length > 0 || gitLookups.test(command) ? operands : words
  return ['git', command, ...asked].join(' ')
}

/** A redirection is not an operand. */
const redirection = /^[\d*&]?>/

/** The files that a reader is given; for a cmdlet, whose options take values, only the first operand. */
function filesOf(program: string, words: readonly string[]): readonly string[] {
  const operands = words.filter((word) => !word.startsWith('-') && !redirection.test(word))
  if (words.some((word) => /^-[A-Z][a-z]/.test(word))) return operands.slice(0, 1)
  return scripted.test(program) ? operands.slice(1) : operands.filter((word) => !/^\d+$/.test(word))
}

// Failures that an exit code of 0 hides, because the shell returned the code of another program.

/**
 * How programs that fail end their output, without colours: sums of test runners and compilers, what ended a program, and
 * what programs that run others say about them.
 */
const lastWords = new RegExp(
  [
    // Counts that are not zero: `Tests 2 failed`, `1 test failed`, `2 errors`, ` 1 fail`, `Failed: 1`, `failures=1`
    String.raw`\b[1-9]\d* (?:tests? |suites? |problems? \()?(?:failed|failing|failures?|errors?)\b`,
    String.raw`^\s*(?:(?:#|\u2139) fail [1-9]|not ok \d|[1-9]\d* fail$)|\b(?:[Ff]ail(?:ed|ing|ures)|[Ee]rrors)(?:: {1,8}|=)[1-9]`,
    // What ended a program: `HingeError: no oil`, `Error: Cannot find module`, `panic: …`, `Exception in thread "main"`
    String.raw`^(?:[\u2502|] ?)?(?:(?:\w+\.)*\w*(?:Error|Exception)|ERROR|panic|fatal): |^Exception in thread |\(\w+Error\)$`,
    '^Error from server|: command not found$',
    // Programs that run others: `make: *** […] Error 1`, `npm error code …`, `exit status 2`, `Failed to compile.`
    String.raw`^g?make(?:\[\d+\])?: \*\*\*|^npm error |\b[Cc]ommand failed\b|\bexit(?:ed with)?(?: exit)? (?:code|status):? [1-9]`,
    String.raw`^ERROR in |^error during |\bFailed to compile\b|^Failed!|^\[(?:ERROR|error)\] |^# \S+\n(?:vet: )?\S+\.go:\d+:\d+: `,
    String.raw`\bCode style issues\b`,
  ].join('|'),
  'm',
)

/**
 * Whether a command ended with 0, but not by its own program (`npm test | tail`, `make || true`), and that program
 * printed that it failed.
 */
export function hidesFailure(command: CommandLine, output: string): boolean {
  if (command.script.length > maxScript) return false
  const shown = stripAnsi(output)
  if (!failureLine.test(shown) && !lastWords.test(shown)) return false
  const step = bareSteps(command)
  const main = mainRunOf(step)?.run
  return main !== undefined && !decidersOf(step, endSettingsOf([...runsOf(step)])).includes(main)
}
