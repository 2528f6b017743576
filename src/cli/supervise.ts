/** Runs a use case with progress, diagnostics and Ctrl-C. */

import type { Diagnostic } from '../diagnostics/codes.ts'
import { isExpected } from '../diagnostics/errors.ts'
import { type Host, type Progress, silent } from '../site/types.ts'
import { defined } from '../util/own.ts'
import { formatCount } from '../util/time.ts'
import { exitCodes } from './command.ts'
import { logDiagnostics } from './log.ts'
import { Interrupted, type Sink, type StopSignal, type World } from './world.ts'

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

// Progress for people: a bar on a terminal, elsewhere a line per stage. Without colours.

/** Work that takes less time than this shows no bar. */
const barDelayMs = 1000
const redraw = 100
const barWidth = 24
const eraseLine = '\r\u001b[2K'

/** The form of progress for a call. */
function progressOf({ stdout, stderr, now, verbosity }: World): Progress {
  const shown = showProgress(stderr, now)
  // Otherwise, what a command prints during its work would start after the bar.
  if (stdout.isTerminal) stdout.clear = () => shown.done()
  if (verbosity === 'quiet') return { ...silent, done: (summary) => shown.done(summary) }
  return verbosity === 'verbose' ? timedProgress(shown, stderr, now) : shown
}

/** Progress that also prints how long each stage took. */
function timedProgress(shown: Progress, sink: Sink, now: () => number): Progress {
  let stage: { name: string; begin: number } | undefined
  const end = (): void => {
    if (stage === undefined) return
    shown.done()
    say(sink, `${stage.name}: ${((now() - stage.begin) / 1000).toFixed(2)} s`)
    stage = undefined
  }
  return {
    ...shown,
    stage(name, total) {
      if (name !== stage?.name) {
        end()
        stage = { name, begin: now() }
      }
      shown.stage(name, total)
    },
    done(summary) {
      end()
      shown.done(summary)
    },
  }
}

/** The form of progress for a stream. */
export function showProgress(sink: Sink, now: () => number): Progress {
  return sink.isTerminal ? barProgress(sink, now) : lineProgress(sink)
}

function lineProgress(sink: Sink): Progress {
  let last = ''
  return {
    stage(name, total) {
      const line = total === undefined ? name : `${name} (${formatCount(total)})`
      // A stage that continues is printed once.
      if (line !== last) say(sink, line)
      last = line
    },
    tick() {},
    done(summary) {
      if (summary !== undefined) say(sink, summary)
    },
  }
}

function say(sink: Sink, line: string): void {
  void sink.write(`${line}\n`)
}

/** Draws when ticks arrive and never by a timer, because a busy process could not run one. */
function barProgress(sink: Sink, now: () => number): Progress {
  const begin = now()
  let label = ''
  let count = 0
  let goal: number | undefined
  let meter: Meter | undefined
  let drawn: number | undefined

  function draw(): void {
    const time = now()
    if (time - begin < barDelayMs || (drawn !== undefined && time - drawn < redraw)) return
    drawn = time
    const line = barLine(label, count, goal, meter?.read(time))
    void sink.write(eraseLine + cut(line, (sink.columns ?? 80) - 1))
  }

  return {
    stage(name, total, bytes) {
      label = name
      count = 0
      goal = total
      meter = bytes === undefined || bytes === 0 ? undefined : byteMeter(bytes, now())
      draw()
    },
    tick(n = 1, bytes = 0) {
      count += n
      meter?.add(bytes)
      draw()
    },
    done(summary) {
      if (drawn !== undefined) void sink.write(eraseLine)
      drawn = undefined
      if (summary !== undefined) say(sink, summary)
    },
  }
}

/** A line cut to a width. Stage names are our own, so each character takes one column. */
function cut(line: string, width: number): string {
  return line.length > width ? `${line.slice(0, width - 1)}…` : line
}

/**
 * `Reading sessions [######------------------] 1,234/5,000`; without a goal, only name and count. With a reading, the bar follows
 * the bytes, and `, 2.1 MB/s, 3 min left` is added.
 */
export function barLine(name: string, count: number, total: number | undefined, reading?: MeterReading): string {
  if (total === undefined || total === 0) return count === 0 ? name : `${name} ${formatCount(count)}`
  const filled = Math.round(Math.min(1, reading?.share ?? count / total) * barWidth)
  const bar = `${name} [${'#'.repeat(filled).padEnd(barWidth, '-')}] ${formatCount(count)}/${formatCount(total)}`
  return reading?.bytesPerSecond === undefined ? bar : `${bar}${speedText(reading.bytesPerSecond, reading.secondsLeft)}`
}

function speedText(bytesPerSecond: number, secondsLeft: number): string {
  const remaining = secondsLeft < 60 ? `${Math.ceil(secondsLeft)} s` : `${Math.ceil(secondsLeft / 60)} min`
  return `, ${(bytesPerSecond / 1e6).toFixed(1)} MB/s, ${remaining} left`
}

// How fast bytes are processed.

/** What a meter shows at an instant; rate and time only after it has measured long enough. */
type MeterReading = { share: number } & (
  | { bytesPerSecond: number; secondsLeft: number }
  | { bytesPerSecond?: undefined }
)

interface Meter {
  add(bytes: number): void
  read(time: number): MeterReading
}

/** The rate is that of the last seconds, because sessions that have not changed since the last build take no time. */
const windowMs = 15_000
/** A rate measured over less time is only a guess. */
const minWindowMs = 5000

/** Measures progress through `total` bytes, starting at an instant. */
function byteMeter(total: number, start: number): Meter {
  let done = 0
  const marks = [{ time: start, done: 0 }]
  return {
    add(bytes) {
      done += bytes
    },
    read(time) {
      marks.push({ time, done })
      while (marks.length > 2 && time - (marks[1]?.time ?? time) >= windowMs) marks.shift()
      const first = marks[0] ?? { time, done }
      const bytesPerSecond = ((done - first.done) * 1000) / (time - first.time)
      const share = done / total
      if (time - first.time < minWindowMs || done === first.done) return { share }
      return { share, bytesPerSecond, secondsLeft: Math.max(0, total - done) / bytesPerSecond }
    },
  }
}
