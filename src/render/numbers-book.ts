/** Numbers of all sessions over time, for the page of numbers. */
import type { SessionDetail, SessionSummary, WorkTimes } from '../model/summary.ts'
import { type Steps, stepsOver } from './plots/spans.ts'

/** Sums over the sessions, by week or month of their start. */
export interface NumbersBook {
  steps: Steps
  sessions: number[]
  runs: number[]
  failed: number[]
  /** Tokens by model. */
  tokens: Map<string, number[]>
  times: WorkTimes
  /** Sessions that are in no step: without a date, or too old. */
  unplaced: number
  add: (summary: SessionSummary, detail: SessionDetail) => void
}

/** A book for some sessions, before any was added. */
export function numbersBook(summaries: readonly SessionSummary[], timeZone: string): NumbersBook {
  const steps = stepsOver(
    summaries.map(({ startedAt }) => startedAt),
    timeZone,
  )
  const row = (): number[] => steps.starts.map(() => 0)
  const book: NumbersBook = {
    steps,
    sessions: row(),
    runs: row(),
    failed: row(),
    tokens: new Map(),
    times: { model: 0, commands: 0, tools: 0, idle: 0 },
    unplaced: 0,
    add({ startedAt }, detail) {
      addTimes(book.times, detail.times)
      const step = steps.indexOf(startedAt)
      if (step === undefined) {
        book.unplaced++
        return
      }
      increase(book.sessions, step, 1)
      for (const { runs, failed } of [...Object.values(detail.programs), detail.omitted.programs]) {
        increase(book.runs, step, runs)
        increase(book.failed, step, failed)
      }
      for (const [model, total] of Object.entries(detail.tokens)) {
        const tokens = book.tokens.get(model) ?? row()
        book.tokens.set(model, tokens)
        increase(tokens, step, total)
      }
    },
  }
  return book
}

function addTimes(sum: WorkTimes, { model, commands, tools, idle }: WorkTimes): void {
  sum.model += model
  sum.commands += commands
  sum.tools += tools
  sum.idle += idle
}

function increase(row: number[], step: number, by: number): void {
  row[step] = (row[step] ?? 0) + by
}
