/** Runs a use case: progress, diagnostics and Ctrl-C. */
import type { Host } from '../app/types.ts'
import type { Diagnostic } from '../diagnostics/codes.ts'
import { isExpected } from '../diagnostics/errors.ts'
import { logLines } from '../diagnostics/log.ts'
import { exitCodes } from './exit-codes.ts'
import { Interrupted, type StopSignal } from './interrupted.ts'
import { showProgress } from './progress.ts'
import type { World } from './world.ts'

/** How a use case is run. */
interface Manner {
  /** File that holds all diagnostics, for the hint behind a cut list. */
  report?: string
  /** What the first Ctrl-C answers. */
  farewell?: string
}

/**
 * Runs `work` and then writes its diagnostics to stderr. The first Ctrl-C aborts the host's signal, the second ends
 * the process. Throws `Interrupted` when the work gave up because of that; work that ends well in spite of it counts.
 */
export async function supervise<T>(world: World, work: (host: Host) => Promise<T>, manner: Manner = {}): Promise<T> {
  const diagnostics: Diagnostic[] = []
  const progress = showProgress(world.stderr, world.now)
  const interrupt = new AbortController()
  let stopped: StopSignal = 'SIGINT'
  const release = world.onInterrupt((signal) => {
    if (interrupt.signal.aborted) return world.exit(exitCodes[signal])
    stopped = signal
    progress.done(manner.farewell ?? 'Stopping. Press Ctrl-C again to end at once.')
    interrupt.abort(new Interrupted(signal))
  })
  try {
    const result = await work({
      signal: interrupt.signal,
      progress,
      report: (diagnostic) => diagnostics.push(diagnostic),
      now: world.now,
      env: world.env,
      homeDir: world.homeDir,
    })
    progress.done()
    await log(world, diagnostics, manner.report)
    return result
  } catch (error) {
    progress.done()
    if (interrupt.signal.aborted) throw new Interrupted(stopped, { cause: error })
    // A foreseen error is one line that tells all; an unforeseen one may have its reason in what came before.
    if (!isExpected(error)) await log(world, diagnostics)
    throw error
  } finally {
    release()
  }
}

async function log(world: World, diagnostics: readonly Diagnostic[], report?: string): Promise<void> {
  const lines = logLines(diagnostics, report)
  if (lines.length > 0) await world.stderr.write(`${lines.join('\n')}\n`)
}
