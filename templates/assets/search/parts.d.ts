/** Types of `search/parts.js`, for the program, which imports it too. */

/** A part of a word. */
export interface WordPart {
  text: string
  /** Text of the part before; empty for the first. */
  last: string
  isNext: boolean
  signed: string[]
  pair: string | undefined
  triple: string | undefined
}

export const unspaced: RegExp
export const maxNameLength: number
export function partsOf(word: string, max?: number): WordPart[]
export function pictureWords(word: string): string[]
export function lettersOf(run: string): string[]
export function lettersAfterDigits(part: string): string | undefined
