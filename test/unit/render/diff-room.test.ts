import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { context, items } from '../../helpers/render.ts'
import { tagsOfClass } from '../../helpers/tags.ts'
import { fileChange, hunk, patch } from '../../helpers/tree.ts'

const css = readFileSync(new URL('../../../templates/assets/code.css', import.meta.url), 'utf8')

/** The class of a diff of so many lines beside its name; empty for one that is laid out at once. */
function roomOf(lines: number): string {
  const html = items([patch([fileChange('a.ts', [hunk('+x\n'.repeat(lines).trimEnd())])])], context())
  const [diff] = tagsOfClass(html, 'diff')
  return `${diff?.attributes['class']}`.replace(/^diff ?/, '')
}

describe('the room that is set aside for a diff', () => {
  it('is none for a short one, which is laid out at once', () => {
    expect([1, 12].map(roomOf)).toEqual(['', ''])
  })

  it.each([13, 24, 25, 48, 49, 96, 97, 192, 193, 384, 385, 768])('is off by half of %i lines at most', (lines) => {
    const [, guess = ''] = new RegExp(`\\.${roomOf(lines)} \\{\\s*--lines: (\\d+);`).exec(css) ?? []
    expect(Math.abs(Number(guess) - lines)).toBeLessThanOrEqual(lines / 2)
    expect(Number(guess)).toBeGreaterThan(0)
  })

  it('is that of the longest for any beyond', () => {
    expect(roomOf(2000)).toBe(roomOf(768))
  })
})
