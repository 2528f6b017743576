/** The state that SGR sequences (`ESC [ … m`) build up, and the class names that show it. */
import { colorClasses } from './palette.ts'

/** Colours are indices into the 256-colour table; absent means the terminal's own. */
export interface AnsiStyle {
  fg?: number
  bg?: number
  bold?: boolean
  dim?: boolean
  italic?: boolean
  underline?: boolean
  strike?: boolean
  inverse?: boolean
}

/** Text in one style. */
export interface AnsiRun {
  text: string
  style: AnsiStyle
}

/** What a line asks of the terminal: write a text, or move or erase by the final letter of a sequence. */
export type AnsiStep = AnsiRun | { move: string; params: string }

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

/** The style after one SGR sequence; `params` is what stands between `ESC [` and `m`. Unknown codes change nothing. */
export function applySgr(style: AnsiStyle, params: string): AnsiStyle {
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
    if (color !== undefined) result = { ...result, [slot]: color }
    if (!code.includes(':')) index += used
  }
  return result
}

/** What `38` and `48`, also with colons, set. */
function slotOf(code: string): 'fg' | 'bg' | undefined {
  if (code === '38' || code.startsWith('38:')) return 'fg'
  return code === '48' || code.startsWith('48:') ? 'bg' : undefined
}

function applyCode(style: AnsiStyle, code: string): AnsiStyle {
  const number = code === '4:0' ? 24 : Number.parseInt(code === '' ? '0' : code, 10)
  if (number === 0) return {}
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

/** The sixteen named colours, by the hundreds of their codes: 30, 40, 90, 100; `39` and `49` give the default back. */
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
  // The form with colons may hold a colour space, often empty, before the three channels.
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
 * Class names of a style: those of its colour, words for the rest. A background brings its own readable ink, so the
 * colour of the letters is not named beside it. Concealed text stays visible.
 */
export function styleClasses(style: AnsiStyle): string[] {
  const classes: string[] = []
  const bg = style.inverse ? style.fg : style.bg
  if (bg !== undefined) classes.push(...colorClasses(bg, 'ground'))
  else if (style.inverse) classes.push('inverse')
  else if (style.fg !== undefined) classes.push(...colorClasses(style.fg, 'letters'))
  for (const flag of ['bold', 'dim', 'italic', 'underline', 'strike'] as const) {
    if (style[flag]) classes.push(flag)
  }
  return classes
}
