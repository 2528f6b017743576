/** Reads the text of a PDF that Chromium made. It knows how that program writes, not PDF in general. */
import { inflateSync } from 'node:zlib'

/** Glyph, as in the file, to text. */
type Glyphs = ReadonlyMap<string, string>

/** Objects by number: the dictionary, and the stream that follows it if there is one. */
function objectsOf(pdf: Buffer): Map<string, { head: string; stream: string }> {
  const text = pdf.toString('latin1')
  const found = new Map<string, { head: string; stream: string }>()
  for (const match of text.matchAll(/^(\d+) 0 obj\n([\s\S]*?)(?:\nendobj|stream\n)/gm)) {
    const [all, number = '', head = ''] = match
    const from = match.index + all.length
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0)
    const bytes = all.endsWith('stream\n') ? pdf.subarray(from, from + length) : Buffer.alloc(0)
    const plain = head.includes('/FlateDecode') ? inflateSync(bytes) : bytes
    found.set(number, { head, stream: plain.toString('latin1') })
  }
  return found
}

const character = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le')

/** The map of a font's glyphs: single ones, and runs of glyphs that represent a run of characters. */
function glyphsOf(map: string): Glyphs {
  const glyphs = new Map<string, string>()
  for (const [, block = ''] of map.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
    for (const [, glyph = '', text = ''] of block.matchAll(/<(\w+)> <(\w+)>/g)) glyphs.set(glyph, character(text))
  }
  for (const [, block = ''] of map.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    for (const [, first = '', last = '', text = ''] of block.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
      for (let offset = 0; offset <= Number.parseInt(last, 16) - Number.parseInt(first, 16); offset++) {
        const add = (hex: string) => (Number.parseInt(hex, 16) + offset).toString(16).toUpperCase().padStart(4, '0')
        glyphs.set(add(first), character(add(text)))
      }
    }
  }
  return glyphs
}

/** Text in the stream of a sheet, without any whitespace; nothing for any other stream. */
function textOf(stream: string, fonts: ReadonlyMap<string, Glyphs>): string {
  let text = ''
  let font: Glyphs | undefined
  for (const [, name, glyphs] of stream.matchAll(/\/(F\d+) [\d.]+ Tf|<(\w+)> Tj/g)) {
    if (name !== undefined) font = fonts.get(name)
    for (const glyph of glyphs?.match(/\w{4}/g) ?? []) text += font?.get(glyph) ?? ''
  }
  // A font may have one glyph for `ff`, which the file maps to one character.
  return text.normalize('NFKC').replace(/\s/g, '')
}

/**
 * The content of a PDF: its number of sheets, and its text sheet by sheet, without whitespace, which has no glyphs
 * there.
 */
export function readPdf(pdf: Buffer): { sheets: number; text: string; texts: string[] } {
  const objects = objectsOf(pdf)
  const fonts = new Map<string, Glyphs>()
  for (const [number, { head }] of objects) {
    const map = /\/ToUnicode (\d+) 0 R/.exec(head)?.[1]
    // A font is named after the number of its object.
    if (map !== undefined) fonts.set(`F${number}`, glyphsOf(objects.get(map)?.stream ?? ''))
  }
  const texts = [...objects.values()].map(({ stream }) => textOf(stream, fonts)).filter((text) => text !== '')
  const sheets = [...objects.values()].filter(({ head }) => /\/Type \/Page\b/.test(head)).length
  return { sheets, text: texts.join(''), texts }
}
