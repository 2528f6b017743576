import { describe, expect, it } from 'vitest'
import { withoutMarks } from '../../../src/transcript/texts.ts'

describe('short texts without Markdown', () => {
  it.each([
    ['gives `849.15` cents', 'gives 849.15 cents'],
    ['We store **whole cents**.', 'We store whole cents.'],
    ['but *this* one', 'but this one'],
    ['# A heading', 'A heading'],
    ['- first of a list', 'first of a list'],
    ['> quoted', 'quoted'],
    ['see [the page](https://example.com/a) now', 'see the page now'],
    ['![a picture](a.png)', 'a picture'],
    ['``a ` tick``', 'a ` tick'],
  ])('lose the markup in %j', (line, plain) => {
    expect(withoutMarks(line)).toBe(plain)
  })

  it.each([
    '2 * 3 * 4',
    'a*b*c',
    '#1234 is open',
    'foo_bar_baz',
    '-v does not work',
    'an open ` tick',
    '[x] done',
    '**',
  ])('stay the same for %j', (line) => {
    expect(withoutMarks(line)).toBe(line)
  })

  it('take linear time for hostile lines', () => {
    expect(withoutMarks('`'.repeat(5000)).length).toBeGreaterThan(0)
    expect(withoutMarks('*a'.repeat(5000)).length).toBeGreaterThan(0)
  })
})
