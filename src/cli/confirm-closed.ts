/** Asks on a terminal whether a session is closed, where that cannot be known. */
import type { PruneOptions } from '../app/prune.ts'
import { printable } from '../util/printable.ts'
import type { World } from './world.ts'

/** A question on stderr that only `y` and `yes` answer with yes; `undefined` where nobody can be asked. */
export function confirmClosed(
  { stdin, stderr }: Pick<World, 'stdin' | 'stderr'>,
  signal: AbortSignal,
): PruneOptions['confirmClosed'] {
  if (!stdin.isTerminal || !stderr.isTerminal) return undefined
  return async (doubt) => {
    await stderr.write(`${printable(doubt)}\nIs the session closed? (y/N) `)
    return /^y(?:es)?$/i.test((await stdin.readLine(signal))?.trim() ?? '')
  }
}
