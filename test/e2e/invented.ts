/** Conversations of any length, with the mix of items that sessions have, and words that do not compress to nothing. */
import type { Step, TurnScript } from '../helpers/conversation.ts'

const nouns = [
  'gate',
  'hinge',
  'ledger',
  'harbour',
  'parser',
  'queue',
  'invoice',
  'lantern',
  'beacon',
  'socket',
  'index',
]
const verbs = [
  'mend',
  'measure',
  'rename',
  'split',
  'follow',
  'test',
  'move',
  'sort',
  'explain',
  'cache',
  'retry',
  'drop',
]

/** Numbers from 0 up to a bound, the same in every run (a linear congruential generator). */
function makeRandom(): (below: number) => number {
  let state = 2_463_534_242
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

/** Turns of `items` items each: a thought, commands of which some fail, patches, a plan, an answer in Markdown. */
export function inventTurns(count: number, items: number): TurnScript[] {
  const random = makeRandom()
  const pick = (list: readonly string[]): string => list[random(list.length)] ?? ''
  const phrase = (): string => `${pick(verbs)} the ${pick(nouns)} of ${pick(nouns)} ${random(9000)}`
  const lines = (length: number): string => Array.from({ length }, () => `${pick(nouns)}/${phrase()}\n`).join('')

  const step = (index: number): Step => {
    if (index % 9 === 0) return { type: 'think', parts: [`**${phrase()}**\n\n${phrase()}, then ${phrase()}.`] }
    if (index % 9 === 4) return { type: 'patch', path: `src/${pick(nouns)}-${random(40)}.ts` }
    if (index % 9 === 7) return { type: 'answer', text: `I ${phrase()} first, and ${phrase()}.`, sides: 'both' }
    const script = `rg --line-number "${pick(nouns)}" src/${pick(nouns)}.ts | sort`
    return { type: 'command', script, exitCode: random(12) === 0 ? 1 : 0, output: lines(3 + random(18)) }
  }
  const answer = (): string =>
    `Done: ${phrase()}.\n\n- \`${pick(nouns)}()\` can ${phrase()}\n- ${phrase()}\n\n| ${pick(nouns)} | ${pick(nouns)} |\n|---|--:|\n| ${random(99)} | ${random(99)} |`

  return Array.from({ length: count }, () => ({
    prompt: `Please ${phrase()}, ${phrase()} and ${phrase()}.`,
    sides: 'both',
    steps: [
      { type: 'plan', steps: [phrase(), phrase(), phrase()] },
      ...Array.from({ length: items - 3 }, (_, index) => step(index)),
      { type: 'answer', text: answer(), sides: 'both' },
    ],
    end: 'complete',
  }))
}
