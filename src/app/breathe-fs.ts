/** A pause in which signals and input are heard: reading and rendering are synchronous for long stretches. */
import { setImmediate } from 'node:timers/promises'

/** Lets the event loop turn once. Throws the signal's reason when it was aborted. */
export async function breathe(signal?: AbortSignal): Promise<void> {
  await setImmediate()
  signal?.throwIfAborted()
}
