/** Command lines of the Windows command interpreter as steps. */

import { ownValue } from '../../util/own.ts'
import { chainOf, listOf, type Run, type Step } from './steps.ts'

const piece =
  /"(?<quoted>[^"\n]*)"?|\^(?<escaped>[\s\S])|(?<redirection>\d?>>?(?:&\d)?|<)|(?<border>&&|\|\||[&|\r\n()])|(?<blank>[ \t,;=]+)|(?<bare>[^\s"^<>&|(),;=]+)/g

/** The steps of a command line. */
export function cmdSteps(script: string): Step {
  const links: { step: Step; before: string }[] = []
  let stages: Step[] = []
  let words: string[] = []
  let before = '&'
  const endStage = (): void => {
    const found = run(words)
    if (found !== undefined) stages.push(found)
    words = []
  }
  for (const token of tokens(script)) {
    if ('word' in token) {
      words.push(token.word)
      continue
    }
    endStage()
    if (token.border === '|' || stages.length === 0) continue
    links.push({ step: pipeOf(stages), before })
    stages = []
    before = token.border
  }
  endStage()
  if (stages.length > 0) links.push({ step: pipeOf(stages), before })
  return chains(links)
}

function pipeOf(stages: Step[]): Step {
  const [only] = stages
  return stages.length === 1 && only !== undefined ? only : { kind: 'pipe', stages, negated: false }
}

/** Links by what stands before them: `&` and line ends part chains. */
function chains(links: readonly { step: Step; before: string }[]): Step {
  const steps: Step[] = []
  for (const { step, before } of links) {
    const last = steps.pop()
    if (last === undefined) steps.push(step)
    else if (before === '&&' || before === '||') steps.push(chainOf([last, step], [before]))
    else steps.push(last, step)
  }
  return listOf(steps)
}

/** Words and borders, in order; what a redirection leads to is no word. */
function* tokens(script: string): Generator<{ word: string } | { border: string }> {
  let word = ''
  let isTarget = false
  for (const { groups = {} } of script.matchAll(piece)) {
    const { quoted, escaped, bare, redirection, border } = groups
    const part = quoted ?? escaped ?? bare
    if (part !== undefined) {
      word += part
      continue
    }
    if (word !== '' && !isTarget) yield { word }
    if (word !== '') isTarget = false
    word = ''
    if (redirection !== undefined) isTarget = !redirection.includes('&')
    if (border !== undefined) yield { border }
  }
  if (word !== '' && !isTarget) yield { word }
}

/** Words before a command that belong to the grammar, each with how many words follow it. */
const grammar: Readonly<Record<string, number>> = {
  call: 0,
  not: 0,
  else: 0,
  do: 0,
  '/i': 0,
  exist: 1,
  defined: 1,
  errorlevel: 1,
}

function run(all: readonly string[]): Run | undefined {
  let words = all.map((word, index) => (index === 0 ? word.replace(/^@/, '') : word))
  for (let count = grammarWords(words); count > 0; count = grammarWords(words)) words = words.slice(count)
  return words.length === 0 ? undefined : { kind: 'run', dialect: 'cmd', words, quiet: false }
}

/** How many of the first words belong to the grammar. */
function grammarWords([word = '', next = '', ...rest]: readonly string[]): number {
  const first = word.toLowerCase()
  if (first === 'for') return rest.findIndex((part) => part.toLowerCase() === 'do') + 3
  // Two texts are compared, or one word tells what is asked.
  if (first === 'if') return /^(?:not|\/i|exist|defined|errorlevel)$/i.test(next) ? 1 : 3
  const operands = ownValue(grammar, first)
  return operands === undefined ? 0 : 1 + operands
}
