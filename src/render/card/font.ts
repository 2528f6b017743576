/** What is needed of a TrueType or OpenType font to set text in it: which characters it has, and how wide they are. */

/** A font of which single characters can be measured. */
export interface Font {
  /** Advance of a character in em; `undefined` where the font has no glyph for it. */
  advance: (codePoint: number) => number | undefined
}

/** Reads a font file; `undefined` for bytes that are none, for collections and for compressed web fonts. */
export function readFont(bytes: Uint8Array): Font | undefined {
  try {
    return fontOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  } catch (error) {
    // Every read is checked against the end of the bytes by `DataView`.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function fontOf(view: DataView): Font | undefined {
  const tables = tablesOf(view)
  const [head, hhea, hmtx, cmap] = ['head', 'hhea', 'hmtx', 'cmap'].map((tag) => tables.get(tag))
  if (head === undefined || hhea === undefined || hmtx === undefined || cmap === undefined) return undefined
  const unitsPerEm = view.getUint16(head + 18)
  const metrics = view.getUint16(hhea + 34)
  const glyphOf = glyphsOf(view, cmap)
  if (unitsPerEm === 0 || metrics === 0 || glyphOf === undefined) return undefined
  return {
    advance(codePoint) {
      const glyph = glyphOf(codePoint)
      // Glyphs behind the last metric are as wide as that one.
      return glyph === 0 ? undefined : view.getUint16(hmtx + 4 * Math.min(glyph, metrics - 1)) / unitsPerEm
    },
  }
}

/** Offsets of the tables by tag. */
function tablesOf(view: DataView): Map<string, number> {
  const tables = new Map<string, number>()
  const version = view.getUint32(0)
  // 1.0 and `true` for TrueType outlines, `OTTO` for those of PostScript.
  if (version !== 0x00010000 && version !== 0x74727565 && version !== 0x4f54544f) return tables
  for (let index = 0; index < view.getUint16(4); index++) {
    const record = 12 + 16 * index
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((byte) => view.getUint8(record + byte)))
    tables.set(tag, view.getUint32(record + 8))
  }
  return tables
}

/** Glyph of a character, 0 where there is none. */
type GlyphOf = (codePoint: number) => number

/** Looks up glyphs in the best table of characters: all of Unicode, else the first 65,536 characters. */
function glyphsOf(view: DataView, cmap: number): GlyphOf | undefined {
  const subtables = Array.from({ length: view.getUint16(cmap + 2) }, (_, index) => {
    const record = cmap + 4 + 8 * index
    return {
      platform: view.getUint16(record),
      encoding: view.getUint16(record + 2),
      at: cmap + view.getUint32(record + 4),
    }
  }).filter(({ platform, encoding }) => platform === 0 || (platform === 3 && (encoding === 1 || encoding === 10)))
  const byFormat = (format: number) => subtables.find(({ at }) => view.getUint16(at) === format)?.at
  const [whole, basic] = [byFormat(12), byFormat(4)]
  if (whole !== undefined) return groups(view, whole)
  return basic === undefined ? undefined : segments(view, basic)
}

/** Format 12: groups of characters whose glyphs follow each other. */
function groups(view: DataView, at: number): GlyphOf {
  const count = view.getUint32(at + 12)
  const group = (index: number) => at + 16 + 12 * index
  return (codePoint) => {
    const found = firstEnding(count, codePoint, (index) => view.getUint32(group(index) + 4))
    if (found === count || view.getUint32(group(found)) > codePoint) return 0
    return view.getUint32(group(found) + 8) + codePoint - view.getUint32(group(found))
  }
}

/** Format 4: segments of characters with a difference to their glyphs, or with a list of them. */
function segments(view: DataView, at: number): GlyphOf {
  const size = view.getUint16(at + 6)
  const count = size / 2
  const part = (list: number, index: number) => at + 14 + list * size + (list > 0 ? 2 : 0) + 2 * index
  return (codePoint) => {
    if (codePoint > 0xffff) return 0
    const found = firstEnding(count, codePoint, (index) => view.getUint16(part(0, index)))
    if (found === count || view.getUint16(part(1, found)) > codePoint) return 0
    const delta = view.getUint16(part(2, found))
    const place = part(3, found)
    const range = view.getUint16(place)
    if (range === 0) return (codePoint + delta) & 0xffff
    const glyph = view.getUint16(place + range + 2 * (codePoint - view.getUint16(part(1, found))))
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff
  }
}

/** The first of `count` sorted ends that is not before `value`; `count` where there is none. */
function firstEnding(count: number, value: number, end: (index: number) => number): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (end(middle) < value) low = middle + 1
    else high = middle
  }
  return low
}
