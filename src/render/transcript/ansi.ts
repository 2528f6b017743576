/** What a terminal would show of a command's output, as runs of text with class names. */

import type { ElementContent } from 'hast'
import { oncePer } from '../../util/own.ts'
import { colorClasses } from '../palette.ts'
import { literal } from '../visible-text.ts'

/** CSI, then OSC, then DCS and similar, then two-character escapes; an OSC or DCS without end loses only the first two. */
const escapes =
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~]?)|\x1b\][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[PX^_][^\x1b\x9c]*(?:\x1b\\|\x9c)|\x1b[ -/]*[0-~]?/g

/** Hast of an output: escape sequences become `span`s with classes or are dropped, odd characters are shown. */
export function ansiToHast(value: string): ElementContent[] {
  const result: ElementContent[] = []
  for (const { text, style } of parseAnsi(value)) {
    const className = classesOf(style)
    // Built by hand: colourful outputs have thousands of these.
    if (className.length > 0)
      result.push({ type: 'element', tagName: 'span', properties: { className }, children: literal(text) })
    else for (const node of literal(text)) result.push(node)
  }
  return result
}

/** Characters that make a line more than plain text. */
const special = /[\x07\x1b\x9b\r\b]/

/** Runs of an output; neighbours of the same style are joined. Carriage returns and backspaces act within their line. */
export function parseAnsi(value: string): AnsiRun[] {
  if (!special.test(value)) return value === '' ? [] : [{ text: value, style: plain }]
  const runs: AnsiRun[] = []
  let style = plain
  let isFirst = true
  for (const raw of value.split('\n')) {
    if (isFirst) isFirst = false
    else append(runs, '\n', runs.at(-1)?.style ?? plain)
    const line = raw.endsWith('\r') ? raw.replace(/(?<!\r)\r+$/, '') : raw
    if (!special.test(line)) {
      append(runs, line, style)
      continue
    }
    const steps = readLine(line, style)
    style = steps.style
    const shown = steps.list.every((step) => 'text' in step) ? steps.list : writeCells(steps.list)
    for (const run of shown) append(runs, run.text, run.style)
  }
  return runs
}

/** The steps of one line, and the style at its end. */
function readLine(line: string, before: AnsiStyle): { list: AnsiStep[]; style: AnsiStyle } {
  const list: AnsiStep[] = []
  let style = before
  let from = 0
  // Not `matchAll`, which creates a pattern and an iterator for each line.
  escapes.lastIndex = 0
  for (let match = escapes.exec(line); match !== null; match = escapes.exec(line)) {
    pushText(list, line.slice(from, match.index), style)
    const [, params = '', final = ''] = match
    if (final === 'm' && !/[<=>?]/.test(params)) style = styleAfter(style, params)
    else if (final === 'C' || final === 'D' || final === 'G' || final === 'K') list.push({ move: final, params })
    from = escapes.lastIndex
  }
  pushText(list, line.slice(from), style)
  return { list, style }
}

function pushText(list: AnsiStep[], text: string, style: AnsiStyle): void {
  if (!/[\x07\r\b]/.test(text)) {
    if (text !== '') list.push({ text, style })
    return
  }
  for (const part of text.replaceAll('\x07', '').split(/([\r\b])/)) {
    if (part === '\r' || part === '\b') list.push({ move: part, params: '' })
    else if (part !== '') list.push({ text: part, style })
  }
}

function append(runs: AnsiRun[], text: string, style: AnsiStyle): void {
  if (text === '') return
  const last = runs.at(-1)
  if (last !== undefined && sameStyle(last.style, style)) last.text += text
  else runs.push({ text, style })
}

/** Compares field by field, because this is called for every run of every output. */
function sameStyle(a: AnsiStyle, b: AnsiStyle): boolean {
  if (a === b) return true
  const flags = a.bold === b.bold && a.dim === b.dim && a.italic === b.italic && a.underline === b.underline
  return flags && a.fg === b.fg && a.bg === b.bg && a.strike === b.strike && a.inverse === b.inverse
}

// One line of a terminal: what remains when a program overwrites what it wrote before.

const blank: AnsiRun = { text: ' ', style: {} }
/** How far to the right a sequence may move; more is nonsense and would only use memory. */
const maxColumn = 2000

/** Runs of a line after its carriage returns, backspaces, column moves and erasures. */
function writeCells(steps: readonly AnsiStep[]): AnsiRun[] {
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
  const count = Math.min(maxColumn, Math.max(1, Number.parseInt(step.params, 10) || 1))
  if (step.move === '\b') return Math.max(0, column - 1)
  if (step.move === 'C') return Math.max(column, Math.min(maxColumn, column + count))
  if (step.move === 'D') return Math.max(0, column - count)
  return step.move === 'G' ? count - 1 : 0
}

/** `K` erases to the end of the line, `1K` up to the cursor, `2K` all of it. */
function erase(cells: AnsiRun[], column: number, params: string): void {
  if (params === '1') cells.fill(blank, 0, Math.min(cells.length, column + 1))
  else if (params === '2') cells.fill(blank)
  else cells.length = Math.min(cells.length, column)
}

// The state that SGR sequences (`ESC [ … m`) build up, and the class names that show it.

/** Colours are indices into the 256-colour table; absent means the terminal's own. */
interface AnsiStyle {
  fg?: number
  bg?: number
  bold?: boolean
  dim?: boolean
  italic?: boolean
  underline?: boolean
  strike?: boolean
  inverse?: boolean
}

/** The style before the first sequence. */
const plain: AnsiStyle = {}

/** Text in one style. */
interface AnsiRun {
  text: string
  style: AnsiStyle
}

/** What a line tells the terminal to do: write a text, or move or erase, named by the final letter of the sequence. */
type AnsiStep = AnsiRun | { move: string; params: string }

type Flag = 'bold' | 'dim' | 'italic' | 'underline' | 'strike' | 'inverse'

const on: Readonly<Record<number, Flag>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
  9: 'strike',
  21: 'underline',
}

const off: Readonly<Record<number, readonly Flag[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strike'],
}

/** Styles by the style before and the sequence that led to them; programs alternate between a few. */
let styleCache = new WeakMap<AnsiStyle, Map<string, AnsiStyle>>()
let cachedCount = 0
const maxCached = 2000

/** Like `applySgr`, but returns the same object for the same step. */
function styleAfter(style: AnsiStyle, params: string): AnsiStyle {
  const steps = styleCache.get(style) ?? new Map<string, AnsiStyle>()
  const before = steps.get(params)
  if (before !== undefined) return before
  if (cachedCount++ >= maxCached) {
    styleCache = new WeakMap()
    cachedCount = 0
  }
  const after = applySgr(style, params)
  styleCache.set(style, steps.set(params, after))
  return after
}

/** The style after one SGR sequence; `params` is the text between `ESC [` and `m`. Unknown codes change nothing. */
function applySgr(style: AnsiStyle, params: string): AnsiStyle {
  let result = style
  const codes = params.split(';')
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? ''
    const slot = slotOf(code)
    if (slot === undefined) {
      result = applyCode(result, code)
      continue
    }
    const { color, used } = extendedColor(code.includes(':') ? code.split(':') : codes.slice(index))
    if (color !== undefined && slot !== 'underline') result = { ...result, [slot]: color }
    if (!code.includes(':')) index += used
  }
  return result
}

/** What the codes that are followed by a colour set. The colour of an underline is read but not shown. */
const slots: ReadonlyMap<string, 'fg' | 'bg' | 'underline'> = new Map([
  ['38', 'fg'],
  ['48', 'bg'],
  ['58', 'underline'],
])

/** What `38`, `48` and `58` set, also in their forms with colons. */
function slotOf(code: string): 'fg' | 'bg' | 'underline' | undefined {
  return slots.get(code.replace(/:.*/s, ''))
}

function applyCode(style: AnsiStyle, code: string): AnsiStyle {
  const number = code === '4:0' ? 24 : Number.parseInt(code === '' ? '0' : code, 10)
  if (number === 0) return plain
  const flag = on[number]
  if (flag !== undefined) return { ...style, [flag]: true }
  const result = { ...style }
  for (const name of off[number] ?? []) delete result[name]
  const { slot, color } = plainColor(number)
  if (slot === undefined) return result
  if (color === undefined) delete result[slot]
  else result[slot] = color
  return result
}

/** The sixteen named colours, whose codes begin at 30, 40, 90 and 100; `39` and `49` restore the default. */
function plainColor(number: number): { slot?: 'fg' | 'bg'; color?: number } {
  if (number === 39 || number === 49) return { slot: number === 39 ? 'fg' : 'bg' }
  const digit = number % 10
  const row = number - digit
  if (digit > 7 || ![30, 40, 90, 100].includes(row)) return {}
  return { slot: row === 30 || row === 90 ? 'fg' : 'bg', color: row < 90 ? digit : digit + 8 }
}

/** Colour of `38;5;n`, `38;2;r;g;b` or their forms with colons, and how many parameters follow the first. */
function extendedColor(parts: readonly string[]): { color?: number; used: number } {
  const numbers = parts.map((part) => Number.parseInt(part, 10))
  if (numbers[1] === 5) return isByte(numbers[2]) ? { color: numbers[2], used: 2 } : { used: 2 }
  if (numbers[1] !== 2) return { used: 0 }
  // The form with colons may have a colour space, often empty, before the three channels.
  const [red, green, blue] = numbers.slice(parts.length > 5 && parts[2] === '' ? 3 : 2)
  if (!isByte(red) || !isByte(green) || !isByte(blue)) return { used: 4 }
  return { color: nearestColor(red, green, blue), used: 4 }
}

function isByte(value: number | undefined): value is number {
  return value !== undefined && value >= 0 && value <= 255
}

const levels = [0, 95, 135, 175, 215, 255]

/** The index of the 256-colour table (cube or greys) that is nearest to a true colour. */
export function nearestColor(red: number, green: number, blue: number): number {
  const [r, g, b] = [red, green, blue].map(nearestLevel) as [number, number, number] // map keeps the length
  const grey = Math.min(23, Math.max(0, Math.round(((red + green + blue) / 3 - 8) / 10)))
  const greyValue = 8 + grey * 10
  const cube = distance([red, green, blue], [levels[r] ?? 0, levels[g] ?? 0, levels[b] ?? 0])
  return distance([red, green, blue], [greyValue, greyValue, greyValue]) < cube ? 232 + grey : 16 + 36 * r + 6 * g + b
}

function nearestLevel(value: number): number {
  let best = 0
  for (const [index, level] of levels.entries()) {
    if (Math.abs(level - value) < Math.abs((levels[best] ?? 0) - value)) best = index
  }
  return best
}

function distance(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + (value - (b[index] ?? 0)) ** 2, 0)
}

/**
 * Class names of a style: those of its colour, and words for the rest. The class of a background sets a readable text
 * colour, so the style's own text colour is not added. Concealed text stays visible.
 */
const classesOf = oncePer((style: AnsiStyle): string[] => {
  const classes: string[] = []
  const bg = style.inverse ? style.fg : style.bg
  if (bg !== undefined) classes.push(...colorClasses(bg, 'ground'))
  else if (style.inverse) classes.push('inverse')
  else if (style.fg !== undefined) classes.push(...colorClasses(style.fg, 'letters'))
  for (const flag of ['bold', 'dim', 'italic', 'underline', 'strike'] as const) {
    if (style[flag]) classes.push(flag)
  }
  return classes
})
