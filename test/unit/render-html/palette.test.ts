import { describe, expect, it } from 'vitest'
import { contrast, grounds, paletteCss, readable, tableColor } from '../../../src/render/palette.ts'
import { readSource } from '../../../src/render/templates-fs.ts'

const colors = Array.from({ length: 256 }, (_, index) => index)

describe('the terminal colours', () => {
  it.each(['light', 'dark'] as const)('can all be read on the %s ground', (theme) => {
    const poor = colors.filter((index) => contrast(readable(tableColor(index), theme), grounds[theme]) < 4.5)
    expect(poor).toEqual([])
  })

  it('have letters that can be read on them as grounds', () => {
    const rules = paletteCss().matchAll(/\.b(\d+)\{background:[^;]+;color:#(000|fff)\}/g)
    const poor = [...rules].filter(([, index, ink]) => {
      const letters = ink === '000' ? ([0, 0, 0] as const) : ([255, 255, 255] as const)
      return contrast(tableColor(Number(index)), letters) < 4.5
    })
    expect(poor).toEqual([])
  })

  it('have one rule each for letters and for grounds', () => {
    expect(paletteCss().match(/\.f\d+\{/g)).toHaveLength(256)
    expect(paletteCss().match(/\.b\d+\{/g)).toHaveLength(256)
  })

  it('are measured against the ground that the style sheet has', async () => {
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
