/** The 256 terminal colours as style rules whose contrast is enough on both themes (WCAG AA, 4.5 to 1). */

type Rgb = readonly [number, number, number]

/** Grounds of a terminal block; the same values as `--sink` in `site.css`. */
export const grounds: Readonly<Record<'light' | 'dark', Rgb>> = { light: [241, 241, 238], dark: [13, 14, 15] }

const basic: readonly Rgb[] = [
  [0, 0, 0],
  [205, 49, 49],
  [13, 140, 80],
  [178, 132, 0],
  [36, 114, 200],
  [188, 63, 188],
  [17, 150, 178],
  [200, 200, 200],
  [118, 118, 118],
  [241, 76, 76],
  [35, 190, 110],
  [222, 190, 40],
  [70, 145, 240],
  [214, 112, 214],
  [41, 184, 219],
  [245, 245, 245],
]

const levels = [0, 95, 135, 175, 215, 255]

/** Red, green and blue of a colour of the table. */
export function tableColor(index: number): Rgb {
  const named = basic[index]
  if (named !== undefined) return named
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10
    return [grey, grey, grey]
  }
  const cube = index - 16
  return [levels[Math.floor(cube / 36)] ?? 0, levels[Math.floor(cube / 6) % 6] ?? 0, levels[cube % 6] ?? 0]
}

/** Contrast ratio of two colours (WCAG 2.2). */
export function contrast(a: Rgb, b: Rgb): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The colour itself, or the nearest step towards black (on light) or white (on dark) that can be read. */
export function readable(color: Rgb, theme: 'light' | 'dark'): Rgb {
  const goal = theme === 'light' ? 0 : 255
  for (let step = 0; step < 20; step++) {
    const mixed = color.map((value) => Math.round(value + ((goal - value) * step) / 20)) as unknown as Rgb // three stay three
    if (contrast(mixed, grounds[theme]) >= 4.5) return mixed
  }
  return [goal, goal, goal]
}

/** Rules for `.f0` to `.f255` (letters) and `.b0` to `.b255` (ground, with black or white letters on it). */
export function paletteCss(): string {
  const rules: string[] = []
  for (let index = 0; index < 256; index++) {
    const color = tableColor(index)
    const light = hex(readable(color, 'light'))
    const dark = hex(readable(color, 'dark'))
    const ink = contrast(color, [0, 0, 0]) >= contrast(color, [255, 255, 255]) ? '#000' : '#fff'
    rules.push(`.f${index}{color:${light === dark ? light : `light-dark(${light},${dark})`}}`)
    rules.push(`.b${index}{background:${hex(color)};color:${ink}}`)
  }
  return `@layer palette{${rules.join('')}}\n`
}

function hex(color: Rgb): string {
  const digits = color.map((value) => value.toString(16).padStart(2, '0')).join('')
  return /^(.)\1(.)\2(.)\3$/.test(digits) ? `#${digits[0]}${digits[2]}${digits[4]}` : `#${digits}`
}
