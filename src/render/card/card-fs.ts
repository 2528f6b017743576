/** Pictures for previews of links, drawn by a library that the user installs. */
import { readFile } from 'node:fs/promises'
import { ConfigError } from '../../diagnostics/errors.ts'
import { sha256 } from '../../util/hash.ts'
import { errorCode, reasonOf } from '../../util/reason.ts'
import { type CardFacts, cardSvg } from './card.ts'
import { type Font, readFont } from './font.ts'

/** Draws cards, all in one font. */
export interface CardPainter {
  /** Differs where the font differs. */
  key: string
  /** A PNG of 1200 by 630 pixels; the same bytes for the same card and font on every machine. */
  paint: (card: CardFacts) => Uint8Array
}

/**
 * Loads the font and the library. Fonts of the machine are never used: they would draw other pictures on another one.
 * Throws `ConfigError` for a font that cannot be read, and where the library is not installed.
 */
export async function loadCardPainter(fontFile: string): Promise<CardPainter> {
  const bytes = await bytesOf(fontFile)
  const font = readFont(bytes)
  if (font === undefined)
    throw new ConfigError(`\`openGraphFont\` names \`${fontFile}\`: expected a TrueType or OpenType font (.ttf, .otf).`)
  const { Resvg } = await loadLibrary()
  const options = { font: { fontFiles: [fontFile], loadSystemFonts: false } }
  // The library leaves out in silence what it cannot draw.
  const sample = `<svg xmlns="http://www.w3.org/2000/svg"><text y="9">${sampleOf(font)}</text></svg>`
  if (new Resvg(sample, options).getBBox() === undefined)
    throw new ConfigError(`\`openGraphFont\` names \`${fontFile}\`, a font that \`@resvg/resvg-js\` cannot draw.`)
  return { key: sha256(bytes), paint: (card) => new Resvg(cardSvg(card, font), options).render().asPng() }
}

/** A character that the font has, as an entity; empty for a font without any up to U+FFFF. */
function sampleOf({ advance }: Font): string {
  for (let codePoint = 0x30; codePoint < 0xffff; codePoint++)
    if ((advance(codePoint) ?? 0) > 0) return `&#${codePoint};`
  return ''
}

async function bytesOf(fontFile: string): Promise<Uint8Array> {
  try {
    return await readFile(fontFile)
  } catch (cause) {
    throw new ConfigError(`Cannot read \`openGraphFont\`, \`${fontFile}\`: ${reasonOf(cause)}.`, { cause })
  }
}

async function loadLibrary(): Promise<typeof import('@resvg/resvg-js')> {
  try {
    return await import('@resvg/resvg-js')
  } catch (cause) {
    if (errorCode(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new ConfigError(
      '`openGraphImages` draws with the package `@resvg/resvg-js`, which is not installed: run `npm install @resvg/resvg-js@2.6.2`.',
      { cause },
    )
  }
}
