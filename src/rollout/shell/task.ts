/** What a command line is about: its program, and which of its tasks. */

import type { CommandLine } from './dialect.ts'
import { gitWords, mainRun } from './program.ts'

/** Programs that run whatever they are given: the same task is the same first argument. */
const runners = /^(?:python\d?(?:\.\d+)?|node|deno|bun|ruby|perl|php|Rscript|java|npx|uvx?|tsx|powershell|PowerShell)$/
/** Words that only lead to the task: `npm run build`, `python -m pytest`, `uv run mypy`. */
const leading = new Set(['run', 'exec', 'run-script', '-m', 'x'])
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
  const isTask = runners.test(program) || named.test(word)
  return isTask ? `${program} ${word}` : program
}
