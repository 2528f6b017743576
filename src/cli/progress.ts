/** Progress for people: a bar on a terminal, a line a stage elsewhere. Without colours. */
import type { Progress } from '../app/progress.ts'
import { formatCount } from '../util/time.ts'
import type { Sink } from './world.ts'

/** Work shorter than this shows no bar. */
const patience = 1000
const redraw = 100
const barWidth = 24
const eraseLine = '\r\u001b[2K'

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
  let drawn: number | undefined

  function draw(): void {
    const time = now()
    if (time - begin < patience || (drawn !== undefined && time - drawn < redraw)) return
    drawn = time
    void sink.write(eraseLine + cut(barLine(label, count, goal), (sink.columns ?? 80) - 1))
  }

  return {
    stage(name, total) {
      label = name
      count = 0
      goal = total
      draw()
    },
    tick(n = 1) {
      count += n
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

/** `Reading sessions [######------------------] 1,234/5,000`, without a goal only name and count. */
export function barLine(name: string, count: number, total: number | undefined): string {
  if (total === undefined || total === 0) return count === 0 ? name : `${name} ${formatCount(count)}`
  const filled = Math.round(Math.min(1, count / total) * barWidth)
  return `${name} [${'#'.repeat(filled).padEnd(barWidth, '-')}] ${formatCount(count)}/${formatCount(total)}`
}
