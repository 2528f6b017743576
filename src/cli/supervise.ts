/** Runs a use case: progress, diagnostics and Ctrl-C. */

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
  /** File that holds all diagnostics, for the hint behind a cut list. */
  report?: string
  /** What the first Ctrl-C answers. */
  farewell?: string
}

/**
 * Runs `work` and then writes its diagnostics to stderr. The first Ctrl-C aborts the host's signal, the second ends
 * the process. Throws `Interrupted` when the work gave up because of that; work that ends well in spite of it counts.
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
    // Both the shell and the system tell a program that its terminal is gone: that is no second Ctrl-C.
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
    // A foreseen error is one line that tells all; an unforeseen one may have its reason in what came before.
    if (!isExpected(error)) await logDiagnostics(world, diagnostics)
    throw error
  } finally {
    release()
    world.stdout.clear = undefined
  }
}
