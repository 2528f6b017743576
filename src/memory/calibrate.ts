/** From estimated tokens to those that the model's makers counted, by what the file records. */
import type { TokenSample } from './history.ts'

/** How estimates become totals: `fixed + factor × estimated`. */
export interface Calibration {
  /** Recorded tokens for each estimated one. */
  factor: number
  /** Tokens that every request has beside the memory: instructions and the descriptions of tools. */
  fixed: number
}

/** The memory must have grown by so many estimated tokens before its growth tells a factor. */
const enoughGrowth = 2000

/** Factors beyond these say more about pictures and hidden reasoning than about the encoding. */
const [least, most] = [0.5, 2]

/** The calibration that follows from the first and the last request since a compaction. */
export function calibrationOf({ first, last }: { first: TokenSample; last: TokenSample }): Calibration {
  const grown = last.estimated - first.estimated
  const measured = grown < enoughGrowth ? 1 : (last.recorded - first.recorded) / grown
  const factor = Math.round(Math.min(most, Math.max(least, measured)) * 100) / 100
  return { factor, fixed: Math.max(0, Math.round(last.recorded - factor * last.estimated)) }
}

/** The tokens of a request whose memory has so many estimated ones. */
export function calibrated(estimated: number, { factor, fixed }: Calibration): number {
  return Math.round(fixed + factor * estimated)
}
