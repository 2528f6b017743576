/**
 * One search of a text: how far readers go beyond their bounds in it, and which search it is. Each reader may read a usual stretch
 * behind any place, so that no text makes it slow. Tables of a thousand rows, lists and values of many thousand characters go on:
 * together so far as this many times the text's length.
 */

import { isIn, letterTable } from './values/characters.ts'

const timesTheText = 32
/** Characters that may still be read beyond the bounds of readers, in the text that is searched now. */
let left = 0
let searches = 0
let current = 0

/** Called before the places of a text are looked at. */
export function beginSearch(text: string): void {
  left = timesTheText * text.length
  searches++
  current = searches
}

/** Searches what a reader decoded within the search that goes on; what may be read beyond bounds is the same. */
export function searchWithin(search: () => void): void {
  const outer = current
  searches++
  current = searches
  search()
  current = outer
}

/** Number of the search that goes on: what a reader remembers holds for no other, be it of the same text. */
export function searchNumber(): number {
  return current
}

/** Whether a reader that met its bound may read so many characters more. */
export function mayReach(length: number): boolean {
  if (left < length) return false
  left -= length
  return true
}

/** The same for something that is one of several: the first `bound` of them are free. */
export function isWithin(index: number, bound: number, length: number): boolean {
  return index < bound || mayReach(length)
}

/** The line end behind a place, or the end of the text; what lies further than `bound` only so far as may be read. */
export function lineEndBehind(text: string, from: number, bound: number): number {
  let at = from
  for (let length = bound; ; length *= 2) {
    const found = text.slice(at, at + length).indexOf('\n')
    if (found >= 0) return at + found
    at += length
    if (at >= text.length) return text.length
    if (!mayReach(Math.min(2 * length, text.length - at))) return at
  }
}

/** The characters that keys, tokens and encoded texts are made of, by their codes. */
const keyCodes = letterTable('+/=_~.%-')

/** Fewer characters were not cut by the bound of a pattern or a reader. */
const minCut = 256
const step = 4096

/** The end of a value that was read up to a bound: where it is so long, and letters of a key stand on both sides of its end. */
export function endOfCut(text: string, start: number, end: number): number {
  if (end - start < minCut || !isIn(keyCodes, text.charCodeAt(end - 1))) return end
  let at = end
  while (at < text.length && isIn(keyCodes, text.charCodeAt(at))) {
    if ((at - end) % step === 0 && !mayReach(Math.min(step, text.length - at))) break
    at++
  }
  return at
}
