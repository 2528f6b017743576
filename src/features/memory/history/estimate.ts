/**
 * Estimates tokens of items by the length of their texts. Only the model's makers count exactly: what comes out is always
 * an estimate, which what the file records makes a total.
 */

import { sumBy } from '../../../util/groups.ts'
import type { Content } from './content.ts'
import type { TokenSample } from './history.ts'

/** Codex itself takes a picture for so many tokens, whatever its size. */
export const pictureTokens = 1844

/** Encrypted content is Base64 of the words and of about this many further bytes, as Codex estimates it. */
const envelopeBytes = 650

/** UTF-8 bytes of a token, the rule of thumb that Codex uses too. */
export const tokenBytes = 4

/** Estimated tokens of an item's content. */
export function estimateTokens({ texts, pictures, encrypted }: Content): number {
  const hidden = encrypted === 0 ? 0 : Math.max(0, (encrypted * 3) / 4 - envelopeBytes) / tokenBytes
  // Where the words are encrypted, the summary beside them is for people and is not sent as text.
  const words = hidden > 0 ? 0 : sumBy(texts, countByLength)
  return Math.ceil(words + hidden + pictures * pictureTokens)
}

/** Counts by length: a token is about four bytes, of scripts without Latin letters about one character. */
export function countByLength(text: string): number {
  // Engines know at once of a text that is kept as Latin letters.
  if (!/[\u3000-\uffff]/.test(text)) return Math.ceil(text.length / tokenBytes)
  let wide = 0
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x2fff) wide++
  return Math.ceil((text.length - wide) / tokenBytes + wide)
}

// From estimated tokens to those that the model's makers counted, by what the file records.

/** How estimates become totals: `fixed + factor × estimated`, exact for the memory of the last recorded request. */
export interface Calibration {
  /** Recorded tokens for each estimated one. */
  factor: number
  /**
   * Tokens that every request has beside the memory, such as instructions and the descriptions of tools, and what the
   * estimate of the memory was off by. May be negative.
   */
  fixed: number
}

/** The memory must have grown by so many estimated tokens before its growth tells a factor. */
const minGrowth = 2000

/** Factors beyond these say more about pictures and hidden reasoning than about the encoding. */
const [minFactor, maxFactor] = [0.5, 2]

/**
 * The calibration that follows from the first and the last request since a compaction. Reasoning leaves the window with
 * its turn, unless counts of the session show that it is kept.
 */
export function calibrationOf(
  recorded: { first: TokenSample; last: TokenSample },
  reasoningKept: boolean | undefined = false,
): Calibration {
  const [first, last] = [recorded.first, recorded.last].map((sample) => (reasoningKept ? sample : without(sample)))
  if (first === undefined || last === undefined) return { factor: 1, fixed: 0 }
  const grown = last.estimated - first.estimated
  const measured = grown < minGrowth ? 1 : (last.recorded - first.recorded) / grown
  const factor = Math.round(Math.min(maxFactor, Math.max(minFactor, measured)) * 100) / 100
  return { factor, fixed: last.recorded - Math.round(factor * last.estimated) }
}

/** A sample without reasoning: of earlier turns none was recorded. */
function without({ recorded, estimated, reasoning }: TokenSample): TokenSample {
  if (reasoning === undefined) return { recorded, estimated }
  return { recorded: recorded - reasoning.recorded, estimated: estimated - reasoning.estimated }
}

/** The tokens of a request whose memory has so many estimated ones. */
export function calibrated(estimated: number, { factor, fixed }: Calibration): number {
  return Math.max(0, fixed + Math.round(factor * estimated))
}
