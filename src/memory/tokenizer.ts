/** Counts tokens as OpenAI's models do, by the published encodings. */
import type { CountTokens } from './estimate.ts'

/** Published encodings of models that Codex ran with. */
export type Encoding = 'cl100k_base' | 'o200k_base'

/** The encoding of all models since the middle of 2024. */
export const newestEncoding: Encoding = 'o200k_base'

/** Models before that encoding. */
const older = /^gpt-(?:3\.5|4(?![.o\d]))/

/**
 * Texts are counted in pieces of so many UTF-16 units: the time for a run without a border between words grows with
 * the square of its length, and borders of pieces change the sum by less than a token each.
 */
const pieceLength = 1024

/** The encoding of a model; an unknown one is taken for a new one. */
export function encodingOf(model: string | undefined): Encoding {
  return model !== undefined && older.test(model) ? 'cl100k_base' : newestEncoding
}

/**
 * Reads with texts counted by the encoding of the model. Which model it is stands in what is read, and hardly any needs
 * the older encoding: so the newest is tried first.
 */
export async function readCounted<T>(
  read: (count: CountTokens) => Promise<T>,
  modelOf: (result: T) => string | undefined,
): Promise<{ result: T; encoding: Encoding }> {
  const result = await read(await loadTokenizer(newestEncoding))
  const encoding = encodingOf(modelOf(result))
  if (encoding === newestEncoding) return { result, encoding }
  return { result: await read(await loadTokenizer(encoding)), encoding }
}

/** Loads an encoding, which takes a fifth of a second, and counts by it. */
export async function loadTokenizer(encoding: Encoding): Promise<CountTokens> {
  const { countTokens } = await encodings[encoding]()
  // What looks like a control token in a transcript is text.
  const plain = { disallowedSpecial: new Set<string>() }
  return (text) => pieces(text).reduce((sum, piece) => sum + countTokens(piece, plain), 0)
}

const encodings = {
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base'),
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base'),
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
