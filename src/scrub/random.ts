/** Pseudo-random numbers that follow from a secret and a text: the same text gives the same numbers. */
import { sha256 } from '../util/hash.ts'

/** Gives a whole number from 0 to `below` - 1. */
export type Random = (below: number) => number

/** Numbers for a text. Without the secret nobody can tell from them which text it was. */
export function randomOf(secret: string, text: string): Random {
  let state = Number.parseInt(sha256(`${secret}\0${text}`).slice(0, 8), 16)
  return (below) => {
    // mulberry32: small, quick and even enough for filler; the hash above keeps the secret.
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
