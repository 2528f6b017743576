import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedWords, diffLines, type Range, wordChanges } from '../../../src/render/transcript/hast/diff.ts'

/** A text with its ranges in brackets. */
function bracketed(text: string, ranges: readonly Range[]): string {
  return ranges.reduceRight(
    (shown, { start, end }) => `${shown.slice(0, start)}[${shown.slice(start, end)}]${shown.slice(end)}`,
    text,
  )
}

function changedWordsOf(before: string, after: string): string[] | undefined {
  const marks = wordChanges(before, after)
  return marks && [bracketed(before, marks.before), bracketed(after, marks.after)]
}

describe('the changed words of two lines', () => {
  it.each([
    [
      'a word',
      'return await send(batch)',
      'return await post(batch)',
      ['return await [send](batch)', 'return await [post](batch)'],
    ],
    ['a word that was added', 'f(a)', 'f(a, b)', ['f(a)', 'f(a[, b])']],
    ['a word that was removed', 'f(a, b)', 'f(a)', ['f(a[, b])', 'f(a)']],
    [
      'two places',
      'let one = two + 3 * four',
      'let one = too + 3 * for',
      ['let one = [two] + 3 * [four]', 'let one = [too] + 3 * [for]'],
    ],
    [
      'neighbours as one',
      'keep it red hot now please',
      'keep it ice cold now please',
      ['keep it [red hot] now please', 'keep it [ice cold] now please'],
    ],
    ['letters of any script', 'größe = höhe + 1', 'größe = breite + 1', ['größe = [höhe] + 1', 'größe = [breite] + 1']],
    ['spaces alone', 'a = b', 'a  =  b', ['a[ ]=[ ]b', 'a[  ]=[  ]b']],
  ])('are %s', (_name, before, after, expected) => {
    expect(changedWordsOf(before, after)).toEqual(expected)
  })

  it.each([
    ['lines that are the same', 'a', 'a'],
    ['lines that have little in common', 'const gate = open()', 'throw new Error("x")'],
    ['an empty line', '', 'a'],
    ['lines that share only spaces', '    a', '    b'],
    ['lines over 500 characters', `${'a '.repeat(251)}b`, `${'a '.repeat(251)}c`],
    ['more changed words than it pays to compare', 'a.'.repeat(150), 'b.'.repeat(150)],
  ])('are not marked in %s', (_name, before, after) => {
    expect(wordChanges(before, after)).toBeUndefined()
  })

  it('are ordered ranges without which both sides have the same letters', () => {
    const word = fc.constantFrom('gate', 'hinge', ' ', '  ', '.', '(', ')', '😀', 'ß')
    const line = fc.array(word, { maxLength: 30 }).map((words) => words.join(''))
    const rest = (text: string, ranges: readonly Range[]) => {
      const kept = [...ranges, { start: text.length, end: text.length }].map(({ start }, index) =>
        text.slice(ranges[index - 1]?.end ?? 0, start),
      )
      return kept.join('').replace(/\s+/g, '')
    }
    fc.assert(
      fc.property(line, line, (before, after) => {
        const marks = wordChanges(before, after)
        if (marks === undefined) return
        for (const ranges of [marks.before, marks.after]) {
          for (const [index, { start, end }] of ranges.entries()) {
            expect(start).toBeLessThan(end)
            expect(start).toBeGreaterThanOrEqual(ranges[index - 1]?.end ?? 0)
          }
        }
        expect(rest(before, marks.before)).toBe(rest(after, marks.after))
      }),
    )
  })
})

describe('the lines of a hunk', () => {
  /** The marked lines of a hunk. */
  const marked = (value: string) => {
    const lines = diffLines({ value })
    return [...changedWords(lines)].map(([index, ranges]) => bracketed(lines[index]?.text ?? '', ranges))
  }

  it('are paired in order if equally many added lines follow the removed ones', () => {
    expect(marked(' x\n-let a = 1\n-let b = 2\n+let a = 3\n+let b = 4\n y')).toEqual([
      'let a = [1]',
      'let a = [3]',
      'let b = [2]',
      'let b = [4]',
    ])
  })

  it('are paired in runs of unequal length if they are mostly the same', () => {
    expect(marked('-  "zone": "local"\n+  "zone": "local",\n+  "size": 2')).toEqual([
      '  "zone": "local"',
      '  "zone": "local"[,]',
    ])
    expect(marked('-let a = 1\n+let other = f(2)\n+let b = 3')).toEqual([])
  })

  it.each([
    ['there is a line between them', '-let a = 1\n x\n+let a = 2'],
    ['the added ones come first', '+let a = 1\n-let a = 2'],
    ['there are more than fifty', `${'-let a = 1\n'.repeat(51)}${'+let a = 2\n'.repeat(51)}`],
  ])('are not marked if %s', (_name, value) => {
    expect(marked(value)).toEqual([])
  })
})
