/** Lines of a patch with their numbers, ready for a table of old and new. */

import type { Hunk } from '../../transcript/trast.ts'

/** One line of a diff. A number is absent where the side has no such line or the patch told none. */
export interface DiffLine {
  kind: 'add' | 'del' | 'same' | 'note'
  oldNumber?: number
  newNumber?: number
  /** Without the sign. */
  text: string
}

/**
 * Lines of a hunk's value, whose first character is the sign. Lines without a sign are context whose blank was
 * lost; `\ No newline at end of file` is a note.
 */
export function diffLines(hunk: Pick<Hunk, 'value' | 'oldStart' | 'newStart'>): DiffLine[] {
  let oldNumber = hunk.oldStart
  let newNumber = hunk.newStart
  const lines = hunk.value.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((raw) => {
    const line = readLine(raw.replace(/\r$/, ''))
    if (line.kind === 'del' || line.kind === 'same') {
      if (oldNumber !== undefined) line.oldNumber = oldNumber++
    }
    if (line.kind === 'add' || line.kind === 'same') {
      if (newNumber !== undefined) line.newNumber = newNumber++
    }
    return line
  })
}

function readLine(raw: string): DiffLine {
  const text = raw.slice(1)
  if (raw.startsWith('+')) return { kind: 'add', text }
  if (raw.startsWith('-')) return { kind: 'del', text }
  if (raw.startsWith('\\')) return { kind: 'note', text: raw }
  return { kind: 'same', text: raw.startsWith(' ') ? text : raw }
}

const signs: Readonly<Record<DiffLine['kind'], string>> = { add: '+', del: '\u2212', same: ' ', note: ' ' }

/** Widths of the number columns over all lines of a file; 0 where no line has a number. */
export function gutterWidths(lines: readonly DiffLine[]): { old: number; new: number } {
  const widths = { old: 0, new: 0 }
  for (const line of lines) {
    widths.old = Math.max(widths.old, digits(line.oldNumber))
    widths.new = Math.max(widths.new, digits(line.newNumber))
  }
  return widths
}

/** The margin of a line in columns: old number, new number, sign. */
export function gutter(line: DiffLine, widths: { old: number; new: number }): string {
  const columns = [
    ...(widths.old === 0 ? [] : [String(line.oldNumber ?? '').padStart(widths.old)]),
    ...(widths.new === 0 ? [] : [String(line.newNumber ?? '').padStart(widths.new)]),
    signs[line.kind],
  ]
  return columns.join(' ')
}

function digits(number: number | undefined): number {
  return number === undefined ? 0 : String(number).length
}
