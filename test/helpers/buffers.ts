/** Buffers that readers of lines borrow. */
import { lineBuffers } from '../../src/rollout/read/lines.ts'

/** How many of the spare buffers an action did not release. */
export async function lostBuffers(run: () => Promise<unknown>): Promise<number> {
  const spare = Array.from({ length: 8 }, () => lineBuffers.acquire())
  for (const buffer of spare) lineBuffers.release(buffer)
  await run()
  const after = Array.from({ length: 8 }, () => lineBuffers.acquire())
  for (const buffer of after) lineBuffers.release(buffer)
  return after.filter((buffer) => !spare.includes(buffer)).length
}
