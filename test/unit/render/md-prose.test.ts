import { describe, expect, it } from 'vitest'
import { applySplices, linePrefix } from '../../../src/render/transcript/prose/marks.ts'
import { isProse } from '../../../src/render/transcript/prose/read.ts'
import { isSafeUrl, mayRunAfterMark } from '../../../src/render/transcript/prose/schemes.ts'

const repeat = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')
const logLine = (index: number) => `2026-03-14T09:26:53Z INFO worker-${index % 7} took ${index} ms`

describe('isProse', () => {
  it.each([
    ['a short answer', 'Done.\n\n- a\n- b'],
    ['nothing', ''],
    ['a long text with paragraphs', repeat(600, (i) => (i % 4 === 3 ? '' : `Sentence ${i} of the story.`))],
    ['a long list', repeat(600, (i) => `- step ${i}`)],
    ['a log inside a fence', `Look:\n\n\`\`\`\n${repeat(800, logLine)}\n\`\`\`\n`],
    ['rules of many dashes', `a\n\n${'-'.repeat(120)}\n\nb\n\n${'*'.repeat(120)}`],
    ['a log of 300 lines', repeat(300, logLine)],
  ])('accepts %s', (_name, value) => {
    expect(isProse(value)).toBe(true)
  })

  it.each([
    ['a text over 64 Ki characters', 'word '.repeat(14_000)],
    ['a log of 500 lines', repeat(500, logLine)],
    ['quotes in quotes in quotes', `${'> '.repeat(60)}a`],
    ['lists in lists in lists', `${'- '.repeat(60)}a`],
  ])('refuses %s', (_name, value) => {
    expect(isProse(value)).toBe(false)
  })
})

describe('isSafeUrl', () => {
  it.each([
    'https://example.org',
    'HTTP://example.org',
    'mailto:me@example.org',
    '#part',
    '/root/file.ts:12',
    'src/main.ts',
    'main.ts:12',
    'main.test.ts:12:3',
    '?q=a:b',
    '',
  ])('accepts %s', (url) => {
    expect(isSafeUrl(url)).toBe(true)
  })

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>',
    'file:///etc/hosts',
    'blob:https://example.org/x',
    'javascript.x:alert(1)',
    'x-app://open',
  ])('refuses %s', (url) => {
    expect(isSafeUrl(url)).toBe(false)
  })
})

describe('mayRunAfterMark', () => {
  it.each([
    ['a link', '[a](javascript:b)'],
    ['a link with a colon as an entity', '[a](javascript&colon;b)'],
    ['a link with a colon as a number', '[a](javascript&#58;b)'],
    ['a link with an escaped colon', '[a](javascript\\:b)'],
    ['a link with a first letter as an entity', '[a](&#106;avascript:b)'],
    ['a link with a tab in its scheme', '[a](java&Tab;script:b)'],
    ['a link with a line end in its scheme', '[a](&#x0A;javascript:b)'],
    ['a link in angle brackets', '[a](<javascript:b>)'],
    ['a link whose destination is on the next line', '[a](\njavascript:b)'],
    ['a link over two lines of a quote', '> [a](\n>  javascript:b)'],
    ['a link over two lines of a list', '- [a](\n  <data:b>)'],
    ['a link whose text has several lines', '[a\nb\nc](javascript:d)'],
    ['a picture', '![a](data:image/svg+xml,b)'],
    ['a link in the text of another', '[[a](javascript:b)](c)'],
    ['a definition', '[a]\n\n[a]: javascript:b'],
    ['a definition whose destination is on the next line', '[a]\n\n[a]:\n   file:b'],
    ['a definition of a quote', '> [a]:\n> <javascript:b>'],
    ['a definition whose label has several lines', '[a\nb]: blob:c'],
    ['an address', '<javascript:a>'],
    ['an attribute some lines below its tag', '<a\ntitle="b"\nid="c"\nhref="javascript:d">'],
    ['an attribute of a tag in a quote', '> <a\n> href=javascript:b>'],
  ])('detects %s', (_name, body) => {
    expect(mayRunAfterMark(body)).toBe(true)
  })

  it.each([
    ['without brackets', 'The data: three rows. A script: none.'],
    ['before every bracket', 'data: none\n[a](b)'],
    ['two lines below a link', '[a](b)\n\ndata: three rows'],
    ['below a list of tasks', '- [x] a\n\nscript: b'],
    ['in a paragraph below a tag', '`Vec<u8>`\n\nfile: `a.rs`'],
  ])('ignores a scheme %s', (_name, body) => {
    expect(mayRunAfterMark(body)).toBe(false)
  })
})

describe('applySplices', () => {
  it('makes changes in order of their places, whatever order they are given in', () => {
    const splices = [
      { start: 4, end: 5, text: 'E' },
      { start: 0, end: 1, text: 'A' },
      { start: 2, end: 2, text: '-' },
      { start: 2, end: 2, text: '+' },
    ]
    expect(applySplices('abcde', splices)).toBe('Ab-+cdE')
  })

  it('skips a change within another one', () => {
    const splices = [
      { start: 1, end: 4, text: '…' },
      { start: 2, end: 3, text: 'X' },
    ]
    expect(applySplices('abcde', splices)).toBe('a…e')
  })
})

describe('linePrefix', () => {
  it.each([
    ['text', 0, ''],
    ['a\ntext', 2, ''],
    ['> text', 2, '> '],
    ['- text', 2, '  '],
    ['x\n> 10. text', 8, '>     '],
  ])('of %j at %d is %j', (value, start, prefix) => {
    expect(linePrefix(value, start)).toBe(prefix)
  })
})
