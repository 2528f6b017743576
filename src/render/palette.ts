/** The 256 terminal colours as classes with sufficient contrast in both themes (WCAG AA, 4.5 to 1). */

type Rgb = readonly [number, number, number]

/** Background colours of a terminal block; the same values as `--sink` in `tokens.css`. */
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

/** Red, green and blue of a colour of the 256-colour table. */
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

/** Number of steps from a colour to black or white. */
const steps = 20

/** How many steps towards black (light theme) or white (dark theme) make a colour readable. */
export function readableStep(color: Rgb, theme: 'light' | 'dark'): number {
  let step = 0
  // The browser mixes the colours itself, without intermediate rounding, so this asks for slightly more than 4.5.
  while (step < steps && contrast(mixed(color, theme, step), grounds[theme]) < 4.55) step++
  return step
}

/** A colour moved `step` steps towards black (light theme) or white (dark theme). */
export function mixed(color: Rgb, theme: 'light' | 'dark', step: number): Rgb {
  const goal = theme === 'light' ? 0 : 255
  const [red, green, blue] = color
  const mix = (value: number): number => Math.round(value + ((goal - value) * step) / steps)
  return [mix(red), mix(green), mix(blue)]
}

/** Whether white text is easier to read on a colour than black text. */
function wantsWhite(color: Rgb): boolean {
  return contrast(color, [255, 255, 255]) > contrast(color, [0, 0, 0])
}

const cache = new Map<string, string[]>()

/**
 * Classes of a colour of the table, for text or for its background. The named colours and the greys have one rule each
 * (`f1`, `b1`); a colour of the cube combines the levels of its channels and its steps in both themes
 * (`cf cr5 cg2 cb0 cl7`), because a rule for each of the 216 colours took up a third of the style sheet.
 */
export function colorClasses(index: number, as: 'letters' | 'ground'): string[] {
  const key = `${as}${index}`
  const classes = cache.get(key) ?? classesOf(index, as)
  cache.set(key, classes)
  return classes
}

function classesOf(index: number, as: 'letters' | 'ground'): string[] {
  if (index < 16 || index > 231) return [`${as === 'letters' ? 'f' : 'b'}${index}`]
  const color = tableColor(index)
  const [red, green, blue] = color.map((value) => levels.indexOf(value))
  const channels = [`cr${red}`, `cg${green}`, `cb${blue}`]
  if (as === 'ground') return ['ck', ...channels, ...(wantsWhite(color) ? ['cw'] : [])]
  const [light, dark] = [readableStep(color, 'light'), readableStep(color, 'dark')]
  return ['cf', ...channels, ...(light > 0 ? [`cl${light}`] : []), ...(dark > 0 ? [`cd${dark}`] : [])]
}

/** Rules for the classes of `colorClasses`: backgrounds with black or white text, and text that is readable on `--sink`. */
export function paletteCss(): string {
  const single = [...Array(16).keys(), ...Array.from({ length: 24 }, (_, grey) => 232 + grey)]
  return `@layer palette{${[...single.map(singleRules), ...cubeRules()].join('')}}\n`
}

function singleRules(index: number): string {
  const color = tableColor(index)
  const [light, dark] = (['light', 'dark'] as const).map((theme) =>
    hex(mixed(color, theme, readableStep(color, theme))),
  )
  const letters = light === dark ? light : `light-dark(${light},${dark})`
  return `.f${index}{color:${letters}}.b${index}{background:${hex(color)};color:${wantsWhite(color) ? '#fff' : '#000'}}`
}

function cubeRules(): string[] {
  const channels = ['cr', 'cg', 'cb'].flatMap((name) =>
    levels.map((level, index) => `.${name}${index}{--${name}:${level}}`),
  )
  const shares = ['cl', 'cd'].flatMap((name) =>
    Array.from({ length: steps }, (_, index) => `.${name}${index + 1}{--${name}:${((index + 1) * 100) / steps}%}`),
  )
  const color = 'rgb(var(--cr) var(--cg) var(--cb))'
  const [light, dark] = [
    `color-mix(in srgb,#000 var(--cl,0%),${color})`,
    `color-mix(in srgb,#fff var(--cd,0%),${color})`,
  ]
  return [
    ...channels,
    ...shares,
    `.cf{color:light-dark(${light},${dark})}`,
    `.ck{background:${color};color:#000}.cw{color:#fff}`,
  ]
}

function hex(color: Rgb): string {
  const digits = color.map((value) => value.toString(16).padStart(2, '0')).join('')
  return /^(.)\1(.)\2(.)\3$/.test(digits) ? `#${digits[0]}${digits[2]}${digits[4]}` : `#${digits}`
}
