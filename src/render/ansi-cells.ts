/** One line of a terminal: what stays when a program writes over what it wrote before. */
import type { AnsiRun, AnsiStep } from './ansi-style.ts'

const blank: AnsiRun = { text: ' ', style: {} }
/** How far to the right a sequence may move: more is nonsense and would only cost memory. */
const widest = 2000

/** Runs of a line after its carriage returns, backspaces, column moves and erasures. */
export function writeCells(steps: readonly AnsiStep[]): AnsiRun[] {
  const cells: AnsiRun[] = []
  let column = 0
  for (const step of steps) {
    if ('text' in step) {
      for (const character of step.text) {
        while (cells.length < column) cells.push(blank)
        cells[column] = { text: character, style: step.style }
        column += 1
      }
    } else if (step.move === 'K') {
      erase(cells, column, step.params)
    } else {
      column = moved(column, step)
    }
  }
  return cells
}

function moved(column: number, step: { move: string; params: string }): number {
  const count = Math.min(widest, Math.max(1, Number.parseInt(step.params, 10) || 1))
  if (step.move === '\b') return Math.max(0, column - 1)
  if (step.move === 'C') return Math.max(column, Math.min(widest, column + count))
  if (step.move === 'D') return Math.max(0, column - count)
  return step.move === 'G' ? count - 1 : 0
}

/** `K` erases to the end of the line, `1K` up to the cursor, `2K` all of it. */
function erase(cells: AnsiRun[], column: number, params: string): void {
  if (params === '1') cells.fill(blank, 0, Math.min(cells.length, column + 1))
  else if (params === '2') cells.fill(blank)
  else cells.length = Math.min(cells.length, column)
}
