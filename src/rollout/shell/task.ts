/** What a command line is about: its program, and which of its tasks. */

import { ownValue } from '../../util/own.ts'
import { baseName, type CommandLine } from './dialect.ts'
import { gitWords, lookupOf } from './lookups.ts'
import { mainRun } from './program.ts'

/** Programs that run whatever they are given: the same task is the same first argument. */
const runners = /^(?:python\d?(?:\.\d+)?|node|deno|bun|ruby|perl|php|Rscript|java|npx|uvx?|tsx|powershell|PowerShell)$/
/** Words that only lead to the task: `npm run build`, `python -m pytest`, `uv run mypy`. */
const leading = new Set(['run', 'exec', 'run-script', '-m', 'x'])
/** Programs that only read: another file is another task. */
const readers = /^(?:cat|bat|head|tail|sed|awk|nl|wc|jq|ls|tree|stat|file|Get-Content|Get-ChildItem|Get-Item)$/
/** Those of them whose first operand is no file: a program of their own language. */
const scripted = /^(?:sed|awk|jq)$/
/** Programs whose tasks have two words: `gh pr view`, `docker compose up`; `true` stands for all their words. */
const twofold: Readonly<Record<string, true | ReadonlySet<string>>> = {
  ...Object.fromEntries(['gh', 'glab', 'ip', 'kubectl', 'aws', 'gcloud', 'az'].map((name) => [name, true])),
  docker: new Set(['compose', 'container', 'image', 'volume', 'network', 'buildx']),
  git: new Set(['stash', 'worktree', 'remote', 'submodule', 'bisect', 'lfs', 'sparse-checkout']),
  go: new Set(['mod', 'tool', 'work']),
  npm: new Set(['config', 'pkg', 'cache']),
  python: new Set(['pip']),
  python3: new Set(['pip']),
  uv: new Set(['pip', 'tool', 'python']),
}
/** Tasks that only look at what they are given: `pip show gate` and `pip show oil` ask for two things. */
const lookupVerbs =
  /^(?:cat|depends|describe|explain|find|get|info|inspect|list|locate|lookup|ls|policy|query|search|show|status|view|where|which|why)$/
/** Programs whose first word is a pattern, whatever it says. */
const searchers = /^(?:[efz]?grep|rg|ag|ack|findstr|pgrep|pkill|Select-String)$/
/** Commands of `git` that look at what they are given: something else is another task. */
const gitLookups = /^(?:log|show|diff|blame|ls-files|ls-tree|ls-remote|status)$/
/** Commands of `git` that ask by an option where they are given nothing: `git branch --show-current`. */
const gitQuestions = /^(?:branch|tag|config|rev-parse|symbolic-ref|cat-file|describe)$/
/** A task by name, as in `npm test` or `cargo clippy`; anything else is a file, a pattern, a value. */
const named = /^[a-z][a-z\d]*(?:[-:][a-z\d]+)*$/

/**
 * The program of a command line with the task that its words name: `npm test`, `cargo clippy`, `pytest`. Two lines with the
 * same one try the same thing. `undefined` where no program is known.
 */
export function taskOf(command: CommandLine): string | undefined {
  const main = mainRun(command)
  if (main === undefined) return undefined
  const { program } = main
  const words = program === 'git' ? gitWords(main.words) : main.words
  const [word, next] = words.filter((each) => !leading.has(each) && !each.startsWith('-'))
  if (word === undefined) return runners.test(program) ? inputTask(program, main.words, command.script) : program
  if (program === 'git' && (gitLookups.test(word) || gitQuestions.test(word))) return gitTask(words)
  if (next !== undefined && named.test(next) && isTwofold(program, word))
    return [program, word, next, ...lookedAt(words, [word, next])].join(' ')
  const isTask = runners.test(program) || named.test(word) || lookupOf(program, main.words) !== undefined
  if (isTask) return [program, word, ...lookedAt(words, searchers.test(program) ? [] : [word])].join(' ')
  return readers.test(program) ? [program, ...filesOf(program, main.words).map(baseName)].join(' ') : program
}

/** Whether a word of a program is only the first half of what its task is called. */
function isTwofold(program: string, word: string): boolean {
  const nested = ownValue(twofold, program)
  return nested === true || nested?.has(word) === true
}

/** What a task that only looks is asked for, where it stands behind the name: further back it may be the value of an option. */
function lookedAt(words: readonly string[], names: readonly string[]): string[] {
  const last = names.at(-1) ?? ''
  const asked = words[words.lastIndexOf(last) + 1]
  const isAsked = asked !== undefined && !asked.startsWith('-') && !redirection.test(asked)
  return isAsked && names.some((name) => lookupVerbs.test(name)) && !names.includes(asked) ? [asked] : []
}

/** Code that a runner reads from a here-document is a task by its first line that says something. */
function inputTask(program: string, words: readonly string[], script: string): string {
  const body = words.every((word) => word === '-') ? hereDocument.exec(script)?.[1] : undefined
  const mainLine = body
    ?.slice(0, 20_000)
    .split('\n')
    .find((line) => !commonplace.test(line))
  return mainLine === undefined ? program : `${program} ${mainLine.trim()}`
}

const hereDocument = /<<-?\s*\\?["']?\w[^\n]*\n([\s\S]*)/
/** Lines with which code of all kinds begins: blank ones, comments, what is loaded. */
const commonplace = /^\s*(?:$|#|\/\/|import\b|from\b|using\b|use\b|require\b|(?:const|var|let)\b.*\brequire\()/

/** What a command of `git` that only looks is asked for. */
function gitTask([command = '', ...words]: readonly string[]): string {
  const operands = words.filter((word) => !word.startsWith('-') && !redirection.test(word))
  const asked = operands.length > 0 || gitLookups.test(command) ? operands : words
  return ['git', command, ...asked].join(' ')
}

/** Where output goes is no operand. */
const redirection = /^[\d*&]?>/

/** The files that a reader is given, but of a cmdlet, whose options have values, the first operand. */
function filesOf(program: string, words: readonly string[]): readonly string[] {
  const operands = words.filter((word) => !word.startsWith('-') && !redirection.test(word))
  if (words.some((word) => /^-[A-Z][a-z]/.test(word))) return operands.slice(0, 1)
  return scripted.test(program) ? operands.slice(1) : operands.filter((word) => !/^\d+$/.test(word))
}
