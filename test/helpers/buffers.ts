/** Buffers that readers of lines borrow. */
import { lineBuffers } from '../../src/rollout/read/lines.ts'

/** How many of the spare buffers an action did not give back. */
export async function lostBuffers(run: () => Promise<unknown>): Promise<number> {
  const spare = Array.from({ length: 8 }, () => lineBuffers.take())
  for (const buffer of spare) lineBuffers.giveBack(buffer)
  await run()
  const left = Array.from({ length: 8 }, () => lineBuffers.take())
  for (const buffer of left) lineBuffers.giveBack(buffer)
  return left.filter((buffer) => !spare.includes(buffer)).length
}
