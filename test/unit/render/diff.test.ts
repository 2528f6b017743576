import { describe, expect, it } from 'vitest'
import { diffLines, gutter, gutterWidths } from '../../../src/render/transcript/hast/diff.ts'

describe('lines of a hunk', () => {
  it('count old and new lines each on their own side', () => {
    const lines = diffLines({ value: ' a\n-b\n+c\n+d\n e', oldStart: 9, newStart: 11 })
    expect(lines).toEqual([
      { kind: 'same', oldNumber: 9, newNumber: 11, text: 'a' },
      { kind: 'del', oldNumber: 10, text: 'b' },
      { kind: 'add', newNumber: 12, text: 'c' },
      { kind: 'add', newNumber: 13, text: 'd' },
      { kind: 'same', oldNumber: 11, newNumber: 14, text: 'e' },
    ])
  })

  it('have no numbers if the patch has none', () => {
    expect(diffLines({ value: '-a\n+b\n' })).toEqual([
      { kind: 'del', text: 'a' },
      { kind: 'add', text: 'b' },
    ])
  })

  it('keep plus and minus characters that belong to the text', () => {
    expect(diffLines({ value: '--- a\n+++ b' }).map(({ kind, text }) => [kind, text])).toEqual([
      ['del', '-- a'],
      ['add', '++ b'],
    ])
  })

  it('take an empty line as context, and a remark as a note without a number', () => {
    const lines = diffLines({ value: '+a\n\n\\ No newline at end of file', oldStart: 1, newStart: 1 })
    expect(lines.map(({ kind, newNumber }) => [kind, newNumber])).toEqual([
      ['add', 1],
      ['same', 2],
      ['note', undefined],
    ])
  })

  it('lose Windows line ends', () => {
    expect(diffLines({ value: '+a\r\n-b\r\n' }).map(({ text }) => text)).toEqual(['a', 'b'])
  })
})

describe('the margin of a diff', () => {
  it('is as wide as the longest number of the file, with numbers to the right', () => {
    const lines = diffLines({ value: ' a\n-b\n+c', oldStart: 9, newStart: 99 })
    const widths = gutterWidths(lines)
    expect(widths).toEqual({ old: 2, new: 3 })
    expect(lines.map((line) => gutter(line, widths))).toEqual([' 9  99  ', '10     \u2212', '   100 +'])
  })

  it('has only the sign if there are no numbers', () => {
    const lines = diffLines({ value: '+c' })
    expect(gutter(lines[0] ?? { kind: 'same', text: '' }, gutterWidths(lines))).toBe('+')
  })
})
