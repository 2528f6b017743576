/**
 * The state of one search of a text: how far readers may go beyond their bounds, and which search it is. Each reader may read a
 * usual stretch after any offset, so that no text makes it slow. Tables of a thousand rows, lists and values of many thousand
 * characters need more: all readers together may read this many times the text's length beyond their bounds.
 */

import { isIn, letterTable } from './values/letters.ts'

const allowanceFactor = 32
/** Characters that may still be read beyond the bounds of readers in the current text. */
let remaining = 0
let searches = 0
let current = 0

/** Begins the search of a text. */
export function beginSearch(text: string): void {
  remaining = allowanceFactor * text.length
  searches++
  current = searches
}

/** Searches what a reader decoded during the current search. Both share the allowance beyond bounds. */
export function searchWithin(search: () => void): void {
  const outer = current
  searches++
  current = searches
  search()
  current = outer
}

/** Number of the current search. What a reader remembers is valid only for it, even if another one is of the same text. */
export function searchNumber(): number {
  return current
}

/** Whether a reader that reached its bound may read `length` more characters, which are then taken from the allowance. */
export function tryReach(length: number): boolean {
  if (remaining < length) return false
  remaining -= length
  return true
}

/** The same for one of several things, of which the first `bound` are free. */
export function tryReachItem(index: number, bound: number, length: number): boolean {
  return index < bound || tryReach(length)
}

/** Returns the next line end, or the end of the text; beyond `bound`, it searches only as far as the allowance permits. */
export function lineEndAfter(text: string, from: number, bound: number): number {
  let at = from
  for (let length = bound; ; length *= 2) {
    const found = text.slice(at, at + length).indexOf('\n')
    if (found >= 0) return at + found
    at += length
    if (at >= text.length) return text.length
    if (!tryReach(Math.min(2 * length, text.length - at))) return at
  }
}

/** Codes of the characters that keys, tokens and encoded texts consist of. */
const keyCodes = letterTable('+/=_~.%-')

/** A shorter value was not cut by the bound of a pattern or a reader. */
const minCut = 256
const step = 4096

/**
 * Returns the end of a value that was read up to a bound. It moves if the value is that long and key characters are on both sides
 * of its end.
 */
export function endOfCut(text: string, start: number, end: number): number {
  if (end - start < minCut || !isIn(keyCodes, text.charCodeAt(end - 1))) return end
  let at = end
  while (at < text.length && isIn(keyCodes, text.charCodeAt(at))) {
    if ((at - end) % step === 0 && !tryReach(Math.min(step, text.length - at))) break
    at++
  }
  return at
}
