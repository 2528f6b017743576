import { describe, expect, it } from 'vitest'
import {
  colorClasses,
  contrast,
  grounds,
  mixed,
  paletteCss,
  readableStep,
  tableColor,
} from '../../../src/render/palette.ts'
import { readSource } from '../../../src/render/templates-fs.ts'

const colors = Array.from({ length: 256 }, (_, index) => index)
const cube = colors.filter((index) => index > 15 && index < 232)
const single = colors.filter((index) => !cube.includes(index))
const white = [255, 255, 255] as const
const black = [0, 0, 0] as const

/** Custom properties that the classes of a colour set, by name. */
function setBy(classes: readonly string[]): Record<string, number> {
  const css = paletteCss()
  const found = classes.flatMap((name) => [...css.matchAll(new RegExp(`\\.${name}\\{--(\\w+):(\\d+)%?\\}`, 'g'))])
  return Object.fromEntries(found.map(([, name, value]) => [name, Number(value)]))
}

describe('the terminal colours', () => {
  it.each(['light', 'dark'] as const)('are all readable on the %s background', (theme) => {
    const poor = colors.filter((index) => {
      const color = tableColor(index)
      return contrast(mixed(color, theme, readableStep(color, theme)), grounds[theme]) < 4.5
    })
    expect(poor).toEqual([])
  })

  it('are unchanged if they are readable', () => {
    expect([readableStep([255, 255, 255], 'dark'), readableStep([0, 0, 0], 'light')]).toEqual([0, 0])
  })

  it('of the cube get their channels and steps from their classes', () => {
    for (const index of cube) {
      const [red, green, blue] = tableColor(index)
      const [light, dark] = (['light', 'dark'] as const).map((theme) => readableStep(tableColor(index), theme) * 5)
      const { cr, cg, cb, cl = 0, cd = 0 } = setBy(colorClasses(index, 'letters'))
      expect([index, cr, cg, cb, cl, cd]).toEqual([index, red, green, blue, light, dark])
    }
  })

  it('of the cube have readable letters on them as backgrounds', () => {
    const poor = cube.filter((index) => {
      const classes = colorClasses(index, 'ground')
      const { cr = 0, cg = 0, cb = 0 } = setBy(classes)
      return contrast([cr, cg, cb], classes.includes('cw') ? white : black) < 4.5
    })
    expect(poor).toEqual([])
  })

  it('with a name and the greys have one rule each, with readable letters on them', () => {
    const rules = [...paletteCss().matchAll(/\.b(\d+)\{background:[^;]+;color:#(000|fff)\}/g)]
    expect(rules.map(([, index]) => Number(index))).toEqual(single)
    const poor = rules.filter(
      ([, index, ink]) => contrast(tableColor(Number(index)), ink === '000' ? black : white) < 4.5,
    )
    expect(poor).toEqual([])
    const letters = [...paletteCss().matchAll(/\.f(\d+)\{color:/g)].map(([, index]) => Number(index))
    expect(letters).toEqual(single)
    for (const index of single) {
      expect(colorClasses(index, 'letters')).toEqual([`f${index}`])
      expect(colorClasses(index, 'ground')).toEqual([`b${index}`])
    }
  })

  it('are measured against the background of the style sheet', async () => {
    const { source } = await readSource('assets/tokens.css')
    const [, light, dark] = /--sink: light-dark\(#(\w{6}), #(\w{6})\)/.exec(source) ?? []
    const hex = (color: readonly number[]) => color.map((value) => value.toString(16).padStart(2, '0')).join('')
    expect([light, dark]).toEqual([hex(grounds.light), hex(grounds.dark)])
  })

  it('follow the table of terminals', () => {
    expect([16, 21, 208, 231, 232, 255].map(tableColor)).toEqual([
      [0, 0, 0],
      [0, 0, 255],
      [255, 135, 0],
      [255, 255, 255],
      [8, 8, 8],
      [238, 238, 238],
    ])
  })
})
