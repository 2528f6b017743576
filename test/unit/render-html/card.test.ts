import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { imageSize } from 'image-size'
import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../../src/diagnostics/errors.ts'
import { type CardFacts, cardSvg } from '../../../src/render/card/card.ts'
import { loadCardPainter } from '../../../src/render/card/card-fs.ts'
import { type Font, readFont } from '../../../src/render/card/font.ts'
import { drawable, widthOf, wrap } from '../../../src/render/card/set-text.ts'
import { boxFont, latinFont } from '../../helpers/font.ts'
import { useTempDir } from '../../helpers/temp.ts'

function font(bytes: Buffer = latinFont()): Font {
  const read = readFont(bytes)
  if (read === undefined) throw new Error('the font was not read')
  return read
}

const card: CardFacts = { site: 'Logs', title: 'Mend the gate', project: 'garden', facts: ['2026-03-14', '3 turns'] }

/** Texts of an SVG in order, decoded. */
const texts = (svg: string) =>
  [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  )

describe('a font', () => {
  it.each([4, 12] as const)(
    'tells which characters it has and how wide they are, with a table of format %i',
    (format) => {
      const { advance } = font(boxFont({ a: 500, b: 750, z: 250, é: 1000 }, format))
      expect(['a', 'b', 'z', 'é'].map((character) => advance(character.codePointAt(0) ?? 0))).toEqual([
        0.5, 0.75, 0.25, 1,
      ])
      expect(['A', 'c', 'ê', '日', '🚪'].map((character) => advance(character.codePointAt(0) ?? 0))).toEqual(
        Array(5).fill(undefined),
      )
    },
  )

  it('may have characters beyond the first 65,536', () => {
    const { advance } = font(boxFont({ a: 500, '🚪': 900 }))
    expect(advance(0x1f6aa)).toBe(0.9)
    expect(advance(0x1f6ab)).toBeUndefined()
  })

  it('is nothing that was cut, mixed up or made up', () => {
    const whole = latinFont()
    expect(readFont(Buffer.from('wOF2 and more'))).toBeUndefined()
    expect(readFont(Buffer.alloc(0))).toBeUndefined()
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 0x20, max: 0x1ffff }), (length, codePoint) => {
        const read = readFont(whole.subarray(0, length))
        try {
          expect(read?.advance(codePoint) ?? 0).toBeTypeOf('number')
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
      }),
    )
  })
})

describe('text in a font', () => {
  it('loses what the font cannot draw', () => {
    expect(drawable('Mend  the 🚪 gate\n日', font())).toBe('Mend the gate')
    expect(drawable('cafe\u0301', font())).toBe('café')
  })

  it('is none where the font lacks as much as it has', () => {
    expect(drawable('日本 ab', font())).toBeUndefined()
    expect(drawable('', font())).toBeUndefined()
  })

  it('is set in lines that fit, and cut where there are too many', () => {
    const set = wrap('one two three four five six', font(), { width: 6, most: 2 })
    expect(set).toEqual(['one two', 'three f...'])
    expect(wrap('abcdefghijklmnop', font(), { width: 6, most: 3 })).toEqual(['abcdefghij', 'klmnop'])
  })

  it('fits whatever it says', () => {
    const wide = font(boxFont({ a: 900, b: 300, ' ': 250, '…': 600, '.': 200 }))
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 200 })
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 20 }), fc.integer({ min: 1, max: 4 }), (said, width, most) => {
        const set = wrap(drawable(said, wide) ?? '', wide, { width, most })
        expect(set.length).toBeLessThanOrEqual(most)
        for (const line of set) expect(widthOf(line, wide)).toBeLessThanOrEqual(width + 1e-9)
      }),
    )
  })
})

describe('the card of a session', () => {
  it('tells site, title, project and facts', () => {
    expect(texts(cardSvg(card, font()))).toEqual(['Logs', 'Mend the gate', 'garden · 2026-03-14 · 3 turns'])
  })

  it('sets a long title smaller, and cuts it only when nothing else helps', () => {
    const sizes = (title: string) =>
      [...cardSvg({ ...card, title }, font()).matchAll(/font-size="(\d+)"/g)]
        .map(([, size]) => Number(size))
        .slice(1, -1)
    expect(sizes('Mend the gate')).toEqual([76])
    expect(new Set(sizes('Mend the gate of the garden '.repeat(3)))).toEqual(new Set([64]))
    const long = cardSvg({ ...card, title: 'Mend the gate '.repeat(40) }, font())
    expect(texts(long).at(-2)).toMatch(/\.\.\.$/)
    expect(texts(long)).toHaveLength(6)
  })

  it('has the project in place of a title that the font cannot draw', () => {
    expect(texts(cardSvg({ ...card, title: '門を直してください' }, font()))[1]).toBe('garden')
  })

  it('holds what a title says as text', () => {
    const title = '</text><image href="file:///etc/passwd"/>'
    const svg = cardSvg({ ...card, title }, font())
    expect(svg).not.toContain('<image')
    expect(texts(svg).slice(1, -1).join('').replaceAll(' ', '')).toContain('</text><imagehref=')
  })
})

describe('the painter of cards', () => {
  function fontFile(bytes: Buffer = latinFont()): string {
    const file = join(useTempDir(), 'boxes.ttf')
    writeFileSync(file, bytes)
    return file
  }

  it('gives a picture of the size that previews ask for, with the same bytes each time', async () => {
    const { paint } = await loadCardPainter(fontFile())
    const png = paint(card)
    expect(imageSize(png)).toMatchObject({ type: 'png', width: 1200, height: 630 })
    expect(Buffer.compare(png, (await loadCardPainter(fontFile())).paint(card))).toBe(0)
    expect(Buffer.compare(png, paint({ ...card, title: 'Paint the fence' }))).not.toBe(0)
  })

  it('draws in the font that it was given', async () => {
    const [narrow, wide] = await Promise.all(
      [latinFont(300), latinFont(600)].map((bytes) => loadCardPainter(fontFile(bytes))),
    )
    expect(narrow?.key).not.toBe(wide?.key)
    expect(Buffer.compare(narrow?.paint(card) ?? new Uint8Array(), wide?.paint(card) ?? new Uint8Array())).not.toBe(0)
  })

  it('says what is wrong with a font', async () => {
    const nameless = Buffer.from(latinFont().toString('latin1').replace('name', 'eman'), 'latin1')
    await expect(loadCardPainter(fontFile(nameless))).rejects.toThrow('cannot draw')
    await expect(loadCardPainter(join(useTempDir(), 'no.ttf'))).rejects.toThrow(ConfigError)
    await expect(loadCardPainter(fontFile(Buffer.from('wOF2')))).rejects.toThrow('expected a TrueType or OpenType font')
  })
})
