/** Makes small TrueType fonts: every character is a box. */

/** A character and its advance in thousandths of an em. */
export type Glyphs = Readonly<Record<string, number>>

/** How characters are mapped to glyphs. */
export type CmapFormat = 4 | 12

const u16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, 2 * index)
  return bytes
}

const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * index)
  return bytes
}

/** One contour of four points, `width` wide and 700 high. */
function box(width: number): Buffer {
  const [x, y] = [u16(0, 0, width, 0), u16(0, 700, 0, -700)]
  return Buffer.concat([u16(1, 0, 0, width, 700, 3, 0), Buffer.from([1, 1, 1, 1]), x, y])
}

/** Groups of one character each. */
function cmap12(codes: readonly number[]): Buffer {
  const groups = codes.map((code, index) => u32(code, code, index + 1))
  return Buffer.concat([u16(12, 0), u32(16 + 12 * groups.length, 0, groups.length), ...groups])
}

/** Segments of one character each and the last one that the format asks for. */
function cmap4(codes: readonly number[]): Buffer {
  const [ends, deltas] = [
    [...codes, 0xffff],
    [...codes.map((code, index) => index + 1 - code), 1],
  ]
  const count = ends.length
  const lists = [u16(...ends), u16(0), u16(...ends), u16(...deltas), u16(...ends.map(() => 0))]
  const body = Buffer.concat([u16(2 * count, 0, 0, 0), ...lists])
  return Buffer.concat([u16(4, body.length + 6, 0), body])
}

/** The bytes of a font with these characters, named `Boxes`. */
export function boxFont(glyphs: Glyphs, format: CmapFormat = 12): Buffer {
  const characters = Object.keys(glyphs).sort((a, b) => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0))
  const advances = [500, ...characters.map((character) => glyphs[character] ?? 0)]
  const outlines = advances.map((advance) => box(Math.round(advance * 0.8)))
  const offsets = outlines.map((_, index) => outlines.slice(0, index).reduce((sum, { length }) => sum + length, 0))
  const glyf = Buffer.concat(outlines)
  const codes = characters.map((character) => character.codePointAt(0) ?? 0)
  const name = Buffer.from('Boxes', 'utf16le').swap16()
  const tables: Record<string, Buffer> = {
    cmap: Buffer.concat([u16(0, 1, 3, format === 12 ? 10 : 1), u32(12), format === 12 ? cmap12(codes) : cmap4(codes)]),
    glyf,
    head: Buffer.concat([
      u32(0x00010000, 0, 0, 0x5f0f3cf5),
      u16(0, 1000),
      u32(0, 0, 0, 0),
      u16(0, 0, 1000, 700, 0, 8, 2, 1, 0),
    ]),
    hhea: Buffer.concat([
      u32(0x00010000),
      u16(800, -200, 0, 1000, 0, 0, 1000, 1, 0, 0, 0, 0, 0, 0, 0, advances.length),
    ]),
    hmtx: Buffer.concat(advances.map((advance) => u16(advance, 0))),
    loca: u32(...offsets, glyf.length),
    maxp: Buffer.concat([u32(0x00010000), u16(advances.length, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)]),
    // The same text as the name of the family and of the font.
    name: Buffer.concat([u16(0, 2, 30, 3, 1, 0x409, 1, name.length, 0, 3, 1, 0x409, 6, name.length, 0), name]),
  }
  return fileOf(tables)
}

function fileOf(tables: Readonly<Record<string, Buffer>>): Buffer {
  const entries = Object.entries(tables)
  const records: Buffer[] = []
  const bodies: Buffer[] = []
  let at = 12 + 16 * entries.length
  for (const [tag, body] of entries) {
    const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)])
    records.push(Buffer.from(tag), u32(0, at, body.length))
    bodies.push(padded)
    at += padded.length
  }
  return Buffer.concat([u32(0x00010000), u16(entries.length, 0, 0, 0), ...records, ...bodies])
}

/** Latin letters, digits and signs, each as wide as it is told here. */
export function latinFont(advance = 600): Buffer {
  const characters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
  return boxFont(Object.fromEntries([...characters, '·', 'é', 'ü'].map((character) => [character, advance])))
}
