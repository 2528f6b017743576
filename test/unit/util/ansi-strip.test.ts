import { describe, expect, it } from 'vitest'
import { stripAnsi, stripControls } from '../../../src/util/printable.ts'

describe('stripAnsi', () => {
  it.each([
    ['colours', '\u001B[1;31mred\u001B[0m and \u001B[38;2;1;2;3mtrue\u001B[m', 'red and true'],
    ['cursor movement and screens', '\u001B[2J\u001B[H\u001B[?1049hx\u001B[10;20Hy', 'xy'],
    ['a title', 'a\u001B]0;my title\u0007b', 'ab'],
    ['a link, keeping its words', '\u001B]8;;https://example.org\u001B\\words\u001B]8;;\u001B\\', 'words'],
    ['the clipboard', '\u001B]52;c;aGVsbG8=\u0007text', 'text'],
    ['an eight-bit introducer', '\u009B31mred\u009B0m', 'red'],
    ['a device string', 'a\u001BPq#0;2\u001B\\b', 'ab'],
    ['a character set', '\u001B(Bplain', 'plain'],
    ['an escape alone at the end', 'end\u001B', 'end'],
    ['bells, backspaces and NUL bytes', 'a\u0007b\u0008c\u0000d\u007Fe', 'abcde'],
  ])('removes %s', (_name, text, expected) => {
    expect(stripAnsi(text)).toBe(expected)
  })

  it('removes only the introducer of a string that never ends', () => {
    expect(stripAnsi('\u001B]0;no end\nnext line')).toBe('0;no end\nnext line')
  })

  it('keeps tabs, newlines and every printable character', () => {
    const text = 'a\tb\n\u00A0é漢😀'
    expect(stripAnsi(text)).toBe(text)
  })

  it.each([
    ['a longer text by a shorter one', '100 %\rdone', 'done%'],
    ['each line separately', 'aaa\rb\nccc\rd', 'baa\ndcc'],
    ['an erased line', 'downloading 50 %\r\u001B[Kdone', 'done'],
    ['a line that is erased as a whole', 'downloading\u001B[2K\rdone', 'done'],
    ['a return at the end of a line', 'kept\r\nnext', 'kept\nnext'],
    ['whole characters', '😀😀\r漢', '漢😀'],
    ['colours between', '\u001B[31mabc\u001B[0m\r\u001B[32mx', 'xbc'],
  ])('lets a carriage return overwrite: %s', (_name, text, expected) => {
    expect(stripAnsi(text)).toBe(expected)
  })
})

describe('stripControls', () => {
  it('turns every line ending into a newline and overwrites nothing', () => {
    expect(stripControls('a\r\nb\rc\nd')).toBe('a\nb\nc\nd')
  })

  it('drops byte order marks', () => {
    expect(stripControls('\uFEFFa\n\uFEFFb')).toBe('a\nb')
  })

  it('drops escape sequences', () => {
    expect(stripControls('\u001B[31m# red\u001B[0m')).toBe('# red')
  })
})
