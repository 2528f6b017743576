import fc from 'fast-check'
import { toHtml } from 'hast-util-to-html'
import { describe, expect, it } from 'vitest'
import { ansiToHast, nearestColor, parseAnsi } from '../../../src/render/transcript/ansi.ts'

const html = (text: string) => toHtml({ type: 'root', children: ansiToHast(text) })
const plain = (text: string) =>
  parseAnsi(text)
    .map((run) => run.text)
    .join('')

describe('terminal output', () => {
  it.each([
    ['a named colour', '\u001B[31mred\u001B[0m', '<span class="f1">red</span>'],
    ['a bright colour', '\u001B[92mok\u001B[39m.', '<span class="f10">ok</span>.'],
    ['a ground', '\u001B[41mred\u001B[49m.', '<span class="b1">red</span>.'],
    ['a bright ground', '\u001B[103my', '<span class="b11">y</span>'],
    ['one of 256 colours', '\u001B[38;5;208mo', '<span class="cf cr5 cg2 cb0 cl7">o</span>'],
    ['one of 256 grounds', '\u001B[48;5;17mo', '<span class="ck cr0 cg0 cb1 cw">o</span>'],
    ['a true colour', '\u001B[38;2;255;135;0mo', '<span class="cf cr5 cg2 cb0 cl7">o</span>'],
    [
      'a true colour with colons and a colour space',
      '\u001B[38:2::255:135:0mo',
      '<span class="cf cr5 cg2 cb0 cl7">o</span>',
    ],
    ['a true colour with colons', '\u001B[38:2:255:135:0mo', '<span class="cf cr5 cg2 cb0 cl7">o</span>'],
    ['256 colours with colons', '\u001B[38:5:208mo', '<span class="cf cr5 cg2 cb0 cl7">o</span>'],
    ['a grey of 256 colours', '\u001B[38;5;244mo', '<span class="f244">o</span>'],
    ['bold, italic and underline', '\u001B[1;3;4mx', '<span class="bold italic underline">x</span>'],
    ['dim and strike', '\u001B[2;9mx', '<span class="dim strike">x</span>'],
    ['an underline of a true colour', '\u001B[4;58;2;255;0;0mx', '<span class="underline">x</span>'],
    ['an underline of one of 256 colours', '\u001B[4;58;5;9;31mx', '<span class="f1 underline">x</span>'],
    [
      'an underline of a colour with colons',
      '\u001B[4;58:2::255:0:0mx\u001B[59my',
      '<span class="underline">xy</span>',
    ],
    ['no underline with a colon', '\u001B[4m\u001B[4:0mx', 'x'],
    ['inverse without colours', '\u001B[7mx', '<span class="inverse">x</span>'],
    ['inverse with a colour as ground', '\u001B[31;7mx', '<span class="b1">x</span>'],
    ['ground over colour', '\u001B[31;42mx', '<span class="b2">x</span>'],
    ['an empty reset', '\u001B[1mx\u001B[my', '<span class="bold">x</span>y'],
    ['a reset of bold and dim', '\u001B[1;2mx\u001B[22my', '<span class="bold dim">x</span>y'],
    ['a style over line ends', '\u001B[31ma\nb', '<span class="f1">a\nb</span>'],
    ['concealed text as visible', '\u001B[8msecret', 'secret'],
    ['unknown codes', '\u001B[73;999mx', 'x'],
    ['a colour out of range', '\u001B[38;5;999mx', 'x'],
  ])('shows %s', (_name, text, expected) => {
    expect(html(text)).toBe(expected)
  })

  it.each([
    ['a title (OSC 0)', '\u001B]0;title\u0007a', 'a'],
    ['a link (OSC 8)', '\u001B]8;;https://example.org\u001B\\text\u001B]8;;\u001B\\', 'text'],
    ['the clipboard (OSC 52)', '\u001B]52;c;cm0gLXJm\u0007a', 'a'],
    ['cursor moves', 'a\u001B[2J\u001B[H\u001B[10;20Hb', 'ab'],
    ['private modes', '\u001B[?25la\u001B[?25h', 'a'],
    ['a device string', '\u001BPq#0\u001B\\a', 'a'],
    ['character sets', '\u001B(Ba', 'a'],
    ['an eight-bit introducer', '\u009B31ma', 'a'],
    ['bells', 'a\u0007\u001B[mb', 'ab'],
  ])('drops %s', (_name, text, expected) => {
    expect(plain(text)).toBe(expected)
  })

  it.each([
    ['a carriage return writes over the line', 'abc\rX', 'Xbc'],
    ['a progress bar keeps its last state', '10%\r50%\r100%', '100%'],
    ['Windows line ends are line ends', 'a\r\nb\r\n', 'a\nb\n'],
    ['an erased line starts again', 'long text\r\u001B[Kshort', 'short'],
    ['erasing to the left keeps columns', 'abcdef\u001B[1K\rX', 'X     '],
    ['backspace steps back', 'ab\bc', 'ac'],
    ['columns are reached by number', 'abcdef\r\u001B[3GX', 'abXdef'],
    ['moves to the right make room', 'a\u001B[3Cb', 'a   b'],
    ['lines do not touch each other', 'abc\nd\re', 'abc\ne'],
    ['wide characters are one cell', '検索\rX', 'X索'],
  ])('%s', (_name, text, expected) => {
    expect(plain(text)).toBe(expected)
  })

  it('keeps the colours of text that was not overwritten', () => {
    expect(html('\u001B[31mabc\u001B[0m\rX')).toBe('X<span class="f1">bc</span>')
  })

  it('does not swallow text after an unterminated sequence', () => {
    expect(plain('a\u001B]0;title and then text')).toBe('a0;title and then text')
  })

  it('stays small if a line asks for a huge column', () => {
    expect(plain(`${'\u001B[999C'.repeat(5000)}x`).length).toBeLessThan(3000)
  })

  it('makes no element except `span`, and keeps every line, for any input', () => {
    const piece = fc.constantFrom(
      '\u001B',
      '\u001B[',
      ']',
      '[',
      '0',
      '3',
      '1',
      ';',
      'm',
      'K',
      '\r',
      '\n',
      '\b',
      '<b>',
      'é',
      '👩‍💻',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('')
        const markup = html(text).replace(/<\/?span[^<>]*>/g, '')
        expect(markup).not.toMatch(/<(?!\/?span)/)
        expect(plain(text).split('\n').length).toBe(text.split('\n').length)
      }),
    )
  })
})

describe('the nearest of 256 colours', () => {
  it.each([
    [[0, 0, 0], 16],
    [[255, 255, 255], 231],
    [[255, 0, 0], 196],
    [[128, 128, 128], 244],
    [[95, 135, 175], 67],
  ] as const)('of %j is %i', ([red, green, blue], expected) => {
    expect(nearestColor(red, green, blue)).toBe(expected)
  })
})
