import { describe, expect, it } from 'vitest'
import { contrast } from '../../../src/render/palette.ts'
import { faintPairs, tokenColours } from '../../helpers/colours.ts'

const colours = tokenColours('tokens')
const inks = ['ink', 'soft', 'faint', 'accent', 'good', 'bad']
const grounds = ['bg', 'raise', 'sink', 'wash', 'bad-wash', 'add', 'del', 'mark']

describe('the colours of the themes', () => {
  it('can be read, each ink on each ground', () => {
    expect(faintPairs(colours, inks, grounds)).toEqual([])
  })

  it('would be found if they could not', () => {
    const pale = new Map([...colours, ['faint', { light: [160, 160, 160], dark: [160, 160, 160] }] as const])
    expect(faintPairs(pale, ['faint'], ['bg'])).toEqual(['faint on bg, light: 2.57'])
  })

  it.each(['light', 'dark'] as const)('that fill plots and bands stand out from the %s page by 3 to 1', (theme) => {
    const fills = [...colours].filter(([name]) => /^s\d$/.test(name) || name === 'accent')
    expect(fills.length).toBeGreaterThan(4)
    const paper = colours.get('bg')?.[theme] ?? [0, 0, 0]
    expect(fills.filter(([, colour]) => contrast(colour[theme], paper) < 3).map(([name]) => name)).toEqual([])
  })

  it('have a name for every use: what is said of a ground is that ground', () => {
    expect([...colours.keys()]).toEqual(expect.arrayContaining([...inks, ...grounds, 'line']))
  })
})
