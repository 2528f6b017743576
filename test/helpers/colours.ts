/** Colours of the style sheet's custom properties. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { contrast } from '../../src/render/palette.ts'

type Rgb = readonly [number, number, number]

/** The light and dark value of each custom property that parts of the style sheet set by `light-dark()`. */
export function tokenColours(...parts: string[]): Map<string, { light: Rgb; dark: Rgb }> {
  const colours = new Map<string, { light: Rgb; dark: Rgb }>()
  for (const part of parts) {
    const path = fileURLToPath(new URL(`../../templates/assets/${part}.css`, import.meta.url))
    for (const match of readFileSync(path, 'utf8').matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)) {
      const [, name = '', light = '', dark = ''] = match
      const below = colours.get('bg')
      colours.set(name, { light: rgb(light, below?.light), dark: rgb(dark, below?.dark) })
    }
  }
  return colours
}

/** Pairs of text and background colours whose contrast is below 4.5 to 1 (WCAG AA) in a theme, each with its ratio. */
export function faintPairs(
  colours: ReturnType<typeof tokenColours>,
  inks: readonly string[],
  grounds: readonly string[],
): string[] {
  const pairs = inks.flatMap((ink) => grounds.map((ground) => [ink, ground] as const))
  return pairs.flatMap(([ink, ground]) =>
    (['light', 'dark'] as const).flatMap((theme) => {
      const [letters, paper] = [colours.get(ink), colours.get(ground)]
      if (letters === undefined || paper === undefined) throw new Error(`No colour \`${ink}\` or \`${ground}\``)
      const ratio = contrast(letters[theme], paper[theme])
      return ratio < 4.5 ? [`${ink} on ${ground}, ${theme}: ${ratio.toFixed(2)}`] : []
    }),
  )
}

/** The visible colour; one that is not opaque is blended with the background of the page. */
function rgb(hex: string, below: Rgb = [0, 0, 0]): Rgb {
  const digits = hex.length === 4 ? hex.replace(/[^#]/g, '$&$&') : hex
  const [red = 0, green = 0, blue = 0, alpha = 255] = (digits.match(/\w\w/g) ?? []).map((pair) =>
    Number.parseInt(pair, 16),
  )
  const seen = (value: number, ground: number): number => Math.round((value * alpha + ground * (255 - alpha)) / 255)
  return [seen(red, below[0]), seen(green, below[1]), seen(blue, below[2])]
}
