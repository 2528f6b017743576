/** What a command line is about: its program, and which of its tasks. */

import { baseName, type CommandLine } from './dialect.ts'
import { gitWords, lookupOf, mainRun } from './program.ts'

/** Programs that run whatever they are given: the same task is the same first argument. */
const runners = /^(?:python\d?(?:\.\d+)?|node|deno|bun|ruby|perl|php|Rscript|java|npx|uvx?|tsx|powershell|PowerShell)$/
/** Words that only lead to the task: `npm run build`, `python -m pytest`, `uv run mypy`. */
const leading = new Set(['run', 'exec', 'run-script', '-m', 'x'])
/** Programs that only read: another file is another task. */
const readers = /^(?:cat|bat|head|tail|sed|awk|nl|wc|jq|ls|tree|stat|file|Get-Content|Get-ChildItem|Get-Item)$/
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
  const word = words.find((each) => !leading.has(each) && !each.startsWith('-'))
  if (word === undefined) return program
  const isTask = runners.test(program) || named.test(word) || lookupOf(program, main.words) !== undefined
  if (isTask) return `${program} ${word}`
  return readers.test(program) ? `${program} ${baseName(fileOf(main.words))}` : program
}

/** The file that a reader is given: the last operand, but of a cmdlet, whose options have values, the first one. */
function fileOf(words: readonly string[]): string {
  const operands = words.filter((word) => !/^(?:-|[\d*]?>)/.test(word))
  return (words.some((word) => /^-[A-Z][a-z]/.test(word)) ? operands[0] : operands.at(-1)) ?? ''
}
