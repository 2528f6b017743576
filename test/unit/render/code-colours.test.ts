import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { faintPairs, tokenColours } from '../../helpers/colours.ts'

const colours = tokenColours('tokens')
const kinds = ['hk', 'hs', 'hc', 'hn', 'hf', 'ht', 'ha']

describe('the colours of code', () => {
  it('are readable on every background of code, in both themes', () => {
    const grounds = ['bg', 'raise', 'sink', 'wash', 'add', 'del', 'add-mark', 'del-mark']
    expect(faintPairs(colours, [...kinds, 'ink'], grounds)).toEqual([])
  })

  it('distinguish changed words from the line around them', () => {
    for (const theme of ['light', 'dark'] as const) {
      expect(colours.get('add-mark')?.[theme]).not.toEqual(colours.get('add')?.[theme])
      expect(colours.get('del-mark')?.[theme]).not.toEqual(colours.get('del')?.[theme])
    }
  })

  it('have a rule for each kind of token', () => {
    const path = fileURLToPath(new URL('../../../templates/assets/code.css', import.meta.url))
    const css = readFileSync(path, 'utf8')
    for (const kind of [...kinds, 'hi', 'hx']) expect(css).toContain(`.${kind} {`)
  })

  it('are compared by a function that finds faint colours', () => {
    expect(faintPairs(colours, ['line'], ['bg'])).toHaveLength(2)
  })
})
