/**
 * Estimates tokens of items by the length of their texts. Only the model's vendor can count exactly. The result is always
 * an estimate, and the counts that the file records turn it into a total.
 */

import { sumBy } from '../../../util/groups.ts'
import type { Content } from './content.ts'
import type { TokenSample } from './history.ts'

/** Codex itself counts a picture as this many tokens, whatever its size. */
export const pictureTokens = 1844

/** Encrypted content is Base64 of the words plus about this many bytes, as Codex estimates it. */
const envelopeBytes = 650

/** UTF-8 bytes per token, a rule of thumb that Codex uses too. */
export const tokenBytes = 4

/** Estimated tokens of an item's content. */
export function estimateTokens({ texts, pictures, encrypted }: Content): number {
  const hidden = encrypted === 0 ? 0 : Math.max(0, (encrypted * 3) / 4 - envelopeBytes) / tokenBytes
  // If the words are encrypted, the summary next to them is for people and is not sent as text.
  const words = hidden > 0 ? 0 : sumBy(texts, countByLength)
  return Math.ceil(words + hidden + pictures * pictureTokens)
}

/**
 * Estimates tokens by length: one for four UTF-16 units, but one for each unit above U+2FFF, such as Chinese, Japanese
 * and Korean.
 */
export function countByLength(text: string): number {
  // Fast, because engines know that a string stored in one-byte form has none.
  if (!/[\u3000-\uffff]/.test(text)) return Math.ceil(text.length / tokenBytes)
  let wide = 0
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x2fff) wide++
  return Math.ceil((text.length - wide) / tokenBytes + wide)
}

// Turns estimated tokens into those that the model's vendor counts, using what the file records.

/** How estimates become totals: `fixed + factor × estimated`, which is exact for the memory of the last recorded request. */
export interface Calibration {
  /** Recorded tokens per estimated token. */
  factor: number
  /**
   * Tokens of every request besides the memory, such as instructions and the descriptions of tools, plus the error of the
   * estimate. May be negative.
   */
  fixed: number
}

/** The memory must have grown by this many estimated tokens for its growth to yield a factor. */
const minGrowth = 2000

/** Factors outside these limits say more about pictures and hidden reasoning than about the encoding. */
const [minFactor, maxFactor] = [0.5, 2]

/**
 * The calibration from the first and the last request since a compaction. Reasoning leaves the window with its turn,
 * unless counts of the session show that it is kept.
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

/** A sample without reasoning. Of earlier turns, no reasoning was recorded. */
function without({ recorded, estimated, reasoning }: TokenSample): TokenSample {
  if (reasoning === undefined) return { recorded, estimated }
  return { recorded: recorded - reasoning.recorded, estimated: estimated - reasoning.estimated }
}

/** The tokens of a request whose memory has `estimated` tokens. */
export function calibrated(estimated: number, { factor, fixed }: Calibration): number {
  return Math.max(0, fixed + Math.round(factor * estimated))
}
