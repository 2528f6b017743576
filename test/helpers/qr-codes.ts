/** QR codes as programs draw them on a terminal. The modules between the finders are random: nobody decodes them. */
import { noise } from './planted.ts'

/** The rows of a finder: `1` is dark, `0` is light. */
export const finder = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111']

/** A code with that many columns and a quiet zone around it. */
export function code(size: number, quiet: number): string[] {
  const grid = Array.from({ length: size }, (_, row) => [...noise(700 + row, size, '01')])
  for (const [top, left] of [
    [0, 0],
    [0, size - 7],
    [size - 7, 0],
  ] as const) {
    for (let row = -1; row <= 7; row++)
      for (let column = -1; column <= 7; column++) {
        const line = grid[top + row]
        if (line?.[left + column] !== undefined) line[left + column] = finder[row]?.[column] ?? '0'
      }
  }
  // Adds what looks like the middle of a finder, where a smaller code would have its second one.
  if (size > 36) for (const row of [2, 3]) grid[row]?.splice(14, 7, ...(finder[2] ?? ''))
  const blank = '0'.repeat(size + 2 * quiet)
  const side = '0'.repeat(quiet)
  const rows = grid.map((row) => side + row.join('') + side)
  return [...Array.from({ length: quiet }, () => blank), ...rows, ...Array.from({ length: quiet }, () => blank)]
}

const drawn = (rows: string[], draw: (module: string) => string): string =>
  rows.map((row) => Array.from(row, draw).join('')).join('\n')

const light = (module: string): boolean => module === '0'

function halves(rows: string[], isInverted = false): string {
  const lines: string[] = []
  for (let row = 0; row < rows.length; row += 2) {
    const cells = Array.from(rows[row] ?? '', (upper, at) => {
      const pair = [upper, rows[row + 1]?.[at] ?? '0'].map((module) => light(module) === isInverted)
      if (pair[0] && pair[1]) return '█'
      if (pair[0]) return '▀'
      return pair[1] ? '▄' : ' '
    })
    lines.push(cells.join(''))
  }
  return lines.join('\n')
}

/** Spaces on a coloured background, module by module or in runs. */
const modules = (rows: string[]): string => drawn(rows, (module) => `\x1B[${light(module) ? 47 : 40}m  \x1B[0m`)
const runs = (rows: string[]): string =>
  rows
    .map((row) => {
      const parts = row.match(/0+|1+/g) ?? []
      const cells = parts.map((run) => `\x1B[48;5;${run.startsWith('0') ? 231 : 16}m${'  '.repeat(run.length)}`)
      return `${cells.join('')}\x1B[0m`
    })
    .join('\n')

/** The name of each drawing, and a function that draws rows of modules. */
export const drawings: readonly [string, (rows: string[]) => string][] = [
  ['in half blocks', (rows) => halves(rows)],
  ['in half blocks, light', (rows) => halves(rows, true)],
  ['in half blocks with hard blanks', (rows) => halves(rows).replaceAll(' ', '\u00A0')],
  ['in half blocks with colours', (rows) => halves(rows).replace(/^.*$/gm, '\x1B[40;37;1m$&\x1B[0m')],
  ['in blocks', (rows) => drawn(rows, (module) => (light(module) ? '  ' : '██'))],
  ['in blocks, light', (rows) => drawn(rows, (module) => (light(module) ? '██' : '  '))],
  ['in ASCII', (rows) => drawn(rows, (module) => (light(module) ? '  ' : '##'))],
  ['by the colour of blanks', modules],
  ['by the colour of runs of blanks', runs],
]
