/** Counts tokens as OpenAI's models do, by the published encodings. */
import type { CountTokens } from './estimate.ts'

/** A counter and the name of its encoding. */
export interface Tokenizer {
  encoding: string
  count: CountTokens
}

/** Models before the encoding that all later ones share. */
const older = /^gpt-(?:3\.5|4(?![.o\d]))/

/**
 * Texts are counted in pieces of so many UTF-16 units: the time for a run without a border between words grows with
 * the square of its length, and borders of pieces change the sum by less than a token each.
 */
const pieceLength = 1024

/** The tokenizer of a model; an unknown one is taken for a new one. Loads the encoding, which takes a fifth of a second. */
export async function loadTokenizer(model: string | undefined): Promise<Tokenizer> {
  const isOlder = model !== undefined && older.test(model)
  const { countTokens } = isOlder
    ? await import('gpt-tokenizer/encoding/cl100k_base')
    : await import('gpt-tokenizer/encoding/o200k_base')
  // What looks like a control token in a transcript is text.
  const plain = { disallowedSpecial: new Set<string>() }
  return {
    encoding: isOlder ? 'cl100k_base' : 'o200k_base',
    count: (text) => pieces(text).reduce((sum, piece) => sum + countTokens(piece, plain), 0),
  }
}

/** A text in pieces that begin with a blank where that is possible, as words do in the encoding. */
function pieces(text: string): string[] {
  const found: string[] = []
  let start = 0
  while (text.length - start > pieceLength) {
    const end = text.lastIndexOf(' ', start + pieceLength)
    const cut = end > start + pieceLength / 2 ? end : start + pieceLength
    found.push(text.slice(start, cut))
    start = cut
  }
  found.push(text.slice(start))
  return found
}
