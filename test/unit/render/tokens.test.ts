import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadStandaloneAssets } from '../../../src/render/assets-fs.ts'
import { contrast } from '../../../src/render/palette.ts'
import { faintPairs, tokenColours } from '../../helpers/colours.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const colours = tokenColours('tokens')
const inks = ['ink', 'soft', 'faint', 'accent', 'good', 'bad']
const grounds = ['bg', 'raise', 'sink', 'wash', 'bad-wash', 'add', 'del']

describe('the colours of the themes', () => {
  it('are readable, each ink on each background', () => {
    expect(faintPairs(colours, inks, grounds)).toEqual([])
  })

  it('mark search hits with a background that is readable and differs from every other', () => {
    expect(faintPairs(colours, ['ink'], ['mark'])).toEqual([])
    const [mark, ...rest] = ['mark', ...grounds].map((name) => colours.get(name))
    for (const theme of ['light', 'dark'] as const)
      for (const ground of rest)
        expect(contrast(mark?.[theme] ?? [0, 0, 0], ground?.[theme] ?? [0, 0, 0])).toBeGreaterThan(1.1)
  })

  it('are compared by a function that finds faint colours', () => {
    const pale = new Map([...colours, ['faint', { light: [160, 160, 160], dark: [160, 160, 160] }] as const])
    expect(faintPairs(pale, ['faint'], ['bg'])).toEqual(['faint on bg, light: 2.57'])
  })

  it.each(['light', 'dark'] as const)('of plots and bands contrast with the %s page by 3 to 1', (theme) => {
    const fills = [...colours].filter(([name]) => /^s\d$/.test(name) || name === 'accent')
    expect(fills.length).toBeGreaterThan(4)
    const paper = colours.get('bg')?.[theme] ?? [0, 0, 0]
    expect(fills.filter(([, colour]) => contrast(colour[theme], paper) < 3).map(([name]) => name)).toEqual([])
  })

  it('are all defined', () => {
    expect([...colours.keys()]).toEqual(expect.arrayContaining([...inks, ...grounds, 'line']))
  })
})

describe('the example of a theme', () => {
  const file = readFileSync(`${root}examples/theme/assets/theme.css`, 'utf8')

  it('has ten lines, which the documentation shows', () => {
    expect(file.trimEnd().split('\n')).toHaveLength(10)
    expect(readFileSync(`${root}docs/templates.md`, 'utf8')).toContain(file)
  })

  it('is joined before the rules for print, in a layer over all others', async () => {
    const { style } = await loadStandaloneAssets(`${root}examples/theme`)
    expect(style).toMatch(/@layer [^;]*, theme, print;/)
    expect(style.indexOf('@layer theme {')).toBeGreaterThan(0)
    expect((await loadStandaloneAssets()).style).not.toContain('@layer theme {')
  })

  it('is readable as well', () => {
    const themed = new Map([...colours, ...tokenColours('../../examples/theme/assets/theme')])
    expect(themed.get('bg')).not.toEqual(colours.get('bg'))
    expect(faintPairs(themed, inks, grounds)).toEqual([])
    expect(faintPairs(themed, ['ink'], ['mark'])).toEqual([])
  })
})
