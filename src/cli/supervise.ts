/** Runs a use case: progress, diagnostics and Ctrl-C. */

import { type Diagnostic, formatDiagnostic, type Level } from '../diagnostics/codes.ts'
import { isExpected } from '../diagnostics/errors.ts'
import { countLevel, countRules, sortDiagnostics } from '../site/report.ts'
import { type Host, type Progress, silent } from '../site/types.ts'
import { defined } from '../util/own.ts'
import { printable } from '../util/printable.ts'
import { formatCount } from '../util/time.ts'
import { asCalled } from './called-as-fs.ts'
import { exitCodes } from './command.ts'
import { hasColour, Interrupted, type Sink, type StopSignal, type World } from './world.ts'

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

/** Writes diagnostics for people; `report` is the file that has them all. */
export async function logDiagnostics(world: World, diagnostics: readonly Diagnostic[], report?: string): Promise<void> {
  const { verbosity, stderr, env } = world
  const colour = hasColour(stderr, env)
  const lines = logLines(diagnostics, { verbosity, colour, ...defined({ report }) })
  if (lines.length > 0) await world.stderr.write(`${asCalled(lines.join('\n'), world)}\n`)
}

// Progress for people: a bar on a terminal, a line a stage elsewhere. Without colours.

/** Work shorter than this shows no bar. */
const barDelayMs = 1000
const redraw = 100
const barWidth = 24
const eraseLine = '\r\u001b[2K'

function progressOf({ stdout, stderr, now, verbosity }: World): Progress {
  const shown = showProgress(stderr, now)
  // What a command prints while it works would begin behind the bar.
  if (stdout.isTerminal) stdout.clear = () => shown.done()
  if (verbosity === 'quiet') return { ...silent, done: (summary) => shown.done(summary) }
  return verbosity === 'verbose' ? timedProgress(shown, stderr, now) : shown
}

/** Progress that also says how long each stage took. */
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

/** The progress that suits a stream. */
export function showProgress(sink: Sink, now: () => number): Progress {
  return sink.isTerminal ? barProgress(sink, now) : lineProgress(sink)
}

function lineProgress(sink: Sink): Progress {
  let last = ''
  return {
    stage(name, total) {
      const line = total === undefined ? name : `${name} (${formatCount(total)})`
      // A stage that goes on is one stage.
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

/** Draws as ticks come in and never by a timer: a busy process could not keep one. */
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

/** A line cut to a width. The names of stages are our own, so that each character takes one column. */
function cut(line: string, width: number): string {
  return line.length > width ? `${line.slice(0, width - 1)}…` : line
}

/**
 * `Reading sessions [######------------------] 1,234/5,000`, without a goal only name and count. With a reading the bar
 * follows the bytes, and behind it stands `, 2.1 MB/s, 3 min left`.
 */
export function barLine(name: string, count: number, total: number | undefined, reading?: MeterReading): string {
  if (total === undefined || total === 0) return count === 0 ? name : `${name} ${formatCount(count)}`
  const filled = Math.round(Math.min(1, reading?.share ?? count / total) * barWidth)
  const bar = `${name} [${'#'.repeat(filled).padEnd(barWidth, '-')}] ${formatCount(count)}/${formatCount(total)}`
  return reading?.bytesPerSecond === undefined ? bar : `${bar}${speedText(reading.bytesPerSecond, reading.secondsLeft)}`
}

function speedText(bytesPerSecond: number, secondsLeft: number): string {
  const left = secondsLeft < 60 ? `${Math.ceil(secondsLeft)} s` : `${Math.ceil(secondsLeft / 60)} min`
  return `, ${(bytesPerSecond / 1e6).toFixed(1)} MB/s, ${left} left`
}

// How fast bytes go by.

/** What a meter says at an instant; rate and time only once it has seen enough. */
export type MeterReading = { share: number } & (
  | { bytesPerSecond: number; secondsLeft: number }
  | { bytesPerSecond?: undefined }
)

interface Meter {
  add(bytes: number): void
  read(time: number): MeterReading
}

/** The rate is that of the last seconds: what did not change since the build before goes by in no time. */
const windowMs = 15_000
/** A rate of less is a guess. */
const minWindowMs = 5000

/** Measures `total` bytes from an instant on. */
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

// Diagnostics as lines for people.

const perRule = 20

/** How diagnostics are told. */
interface LogStyle {
  /** With `verbose` all are told, with `quiet` no notes at all. */
  verbosity?: World['verbosity']
  colour?: boolean
  /** The file that has them all, where there is one. */
  report?: string
}

const colours: Readonly<Record<Level, number>> = { fatal: 31, warning: 33, info: 36 }

/**
 * One line `file:line rule-id message` for each fatal one and warning, at most 20 of a rule and then their number;
 * notes of level `info` are counted only. The last line sums up. Without control characters but for colours.
 */
export function logLines(
  diagnostics: readonly Diagnostic[],
  { verbosity = 'normal', colour = false, report }: LogStyle = {},
): string[] {
  const isVerbose = verbosity === 'verbose'
  const max = isVerbose ? Number.POSITIVE_INFINITY : perRule
  const where = report === undefined ? '' : ` (see ${report})`
  const seen = new Map<string, number>()
  const lines: string[] = []
  const listed = diagnostics.filter(({ level }) => isVerbose || level !== 'info')
  for (const item of sortDiagnostics(listed)) {
    const count = (seen.get(item.ruleId) ?? 0) + 1
    seen.set(item.ruleId, count)
    if (count <= max) lines.push(colour ? coloured(item) : printable(formatDiagnostic(item)))
  }
  for (const [ruleId, count] of seen) {
    if (count > max) lines.push(`${ruleId} … and ${count - max} more${where}`)
  }
  const sum = summary(verbosity === 'quiet' ? diagnostics.filter(({ level }) => level !== 'info') : diagnostics)
  return sum === undefined ? lines : [...lines, sum]
}

/** The same line with its rule in the colour of its level. */
function coloured(item: Diagnostic): string {
  const line = formatDiagnostic(item)
  const start = line.length - `${item.ruleId} ${item.message}`.length
  const [before, after] = [line.slice(0, start), line.slice(start + item.ruleId.length)]
  return `${printable(before)}\x1b[${colours[item.level]}m${item.ruleId}\x1b[39m${printable(after)}`
}

function summary(diagnostics: readonly Diagnostic[]): string | undefined {
  const parts = [part(diagnostics, 'fatal', 'error'), part(diagnostics, 'warning', 'warning'), notes(diagnostics)]
  const text = parts.filter((item) => item !== undefined).join(', ')
  return text === '' ? undefined : text
}

function part(diagnostics: readonly Diagnostic[], level: Level, noun: string): string | undefined {
  const count = countLevel(diagnostics, level)
  if (count === 0) return undefined
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Notes by rule: there may be thousands, and each is worth telling only once. */
function notes(diagnostics: readonly Diagnostic[]): string | undefined {
  const items = diagnostics.filter((item) => item.level === 'info')
  const head = part(items, 'info', 'note')
  if (head === undefined) return undefined
  const rules = Object.entries(countRules(items)).map(([ruleId, count]) => `${ruleId} ${count}`)
  return `${head} (${rules.join(', ')})`
}
