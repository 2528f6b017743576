/** Runs a use case with progress, diagnostics and Ctrl-C. */

import type { Diagnostic } from '../diagnostics/codes.ts'
import { isExpected } from '../diagnostics/errors.ts'
import type { Host } from '../site/types.ts'
import { defined } from '../util/own.ts'
import { exitCodes } from './command.ts'
import { logDiagnostics } from './log.ts'
import { progressOf } from './progress.ts'
import { Interrupted, type StopSignal, type World } from './world.ts'

/** How a use case is run. */
interface RunOptions {
  /** File that contains all diagnostics, for the hint after a shortened list. */
  report?: string
  /** What is printed at the first Ctrl-C. */
  farewell?: string
}

/**
 * Runs `work` and then writes its diagnostics to stderr. The first Ctrl-C aborts the host's signal; the second ends the process.
 * Throws `Interrupted` if the work gave up because of that; if the work still completes, its result counts.
 */
export async function supervise<T>(
  world: World,
  work: (host: Host) => Promise<T>,
  options: RunOptions = {},
): Promise<T> {
  const diagnostics: Diagnostic[] = []
  const progress = progressOf(world)
  const interrupt = new AbortController()
  let stopped: StopSignal = 'SIGINT'
  const release = world.onInterrupt((signal) => {
    // When its terminal disappears, a program is told by both the shell and the system, so this is not a second Ctrl-C.
    if (interrupt.signal.aborted && signal === 'SIGHUP') return
    if (interrupt.signal.aborted) return world.exit(exitCodes[signal])
    stopped = signal
    progress.done(options.farewell ?? 'Stopping. Press Ctrl-C again to stop at once.')
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
      ...defined({ crowded: world.boundHeap }),
    })
    progress.done()
    await logDiagnostics(world, diagnostics, options.report)
    return result
  } catch (error) {
    progress.done()
    if (interrupt.signal.aborted) throw new Interrupted(stopped, { cause: error })
    // The line of an expected error says everything; an unexpected one may be explained by the diagnostics before it.
    if (!isExpected(error)) await logDiagnostics(world, diagnostics)
    throw error
  } finally {
    release()
    world.stdout.clear = undefined
  }
}
