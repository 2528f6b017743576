/** Asks on a terminal which of several threads is meant. */
import { candidateLine } from '../app/candidate-line.ts'
import type { Candidate, ShowOptions } from '../app/types.ts'
import { UsageError } from '../diagnostics/errors.ts'
import { cutToWidth } from '../util/columns.ts'
import { printable } from '../util/printable.ts'
import type { World } from './world.ts'

/** A numbered list on stderr and a question behind it, until the answer is one of the numbers or empty. */
export function choose(world: World, signal: AbortSignal, timeZone: string): ShowOptions['choose'] {
  return async (heading, candidates) => {
    const lines = candidates.map((candidate, index) => lineOf(candidate, index + 1, { world, timeZone }))
    await world.stderr.write(`${[printable(heading), ...lines].join('\n')}\n`)
    for (;;) {
      await world.stderr.write(`Number (1 to ${candidates.length}), or nothing to stop: `)
      const answer = (await world.stdin.readLine(signal))?.trim() ?? ''
      if (answer === '') throw new UsageError('No session was chosen.')
      const chosen = /^\d{1,3}$/.test(answer) ? candidates[Number(answer) - 1] : undefined
      if (chosen !== undefined) return chosen.id
      await world.stderr.write(`\`${printable(answer)}\` is none of the numbers.\n`)
    }
  }
}

function lineOf(candidate: Candidate, number: number, { world, timeZone }: { world: World; timeZone: string }): string {
  const line = `${String(number).padStart(3)}  ${printable(candidateLine(candidate, timeZone))}`
  // A terminal that does not know its width says 0.
  return cutToWidth(line, (world.stderr.columns || 80) - 1)
}
