/** Finds the ends of known values, after a cut or at the beginning of a text. */

import { addTo } from '../../util/groups.ts'
import { endOfValue, minHead } from './cuts.ts'
import type { KnownHit, KnownValue } from './values.ts'

/** A search for the ends of values, to which more can be added at any time. */
export interface KnownEnds {
  add: (value: string, known: KnownValue) => void
  /** Returns all occurrences in order, without overlaps. */
  find: (text: string) => KnownHit[]
}

interface End {
  value: string
  known: KnownValue
  minLength: number
}

const mark = '…|\\.{3}|\\*{3}|•{3}'
/** What follows a cut, up to the next whitespace or cut. What Codex writes in place of omitted lines ends with a bracket. */
const rest = new RegExp(
  `(?:^|…|(?:(?<!\\.)\\.{3,}(?!\\.)|(?<!\\*)\\*{3,}(?!\\*)|(?<!•)•{3,}(?!•))\\]?)\\n{0,2}(?<rest>(?:(?!${mark})\\S){8,2048})`,
  'g',
)

/** Of values that end alike, only so many are known by their end: each is compared with one place. */
const maxAlike = 64

/** An empty search. */
export function knownEnds(): KnownEnds {
  const ends = new Map<string, End[]>()
  return {
    add(value, known) {
      const shortest = endOfValue(value)
      const key = value.slice(-minHead)
      if (shortest === undefined || (ends.get(key)?.length ?? 0) >= maxAlike) return
      addTo(ends, key, { value, known, minLength: shortest.length })
    },
    find: (text) => (ends.size === 0 ? [] : endsIn(text, ends)),
  }
}

function endsIn(text: string, ends: ReadonlyMap<string, readonly End[]>): KnownHit[] {
  const hits: KnownHit[] = []
  for (const { 0: whole, groups, index } of text.matchAll(rest)) {
    const stop = index + whole.length
    const hit = endAt(text, stop - (groups?.['rest']?.length ?? 0), stop, ends)
    if (hit !== undefined) hits.push(hit)
  }
  return hits
}

/** The end of a value that begins at `start` and ends somewhere before `stop`. */
function endAt(
  text: string,
  start: number,
  stop: number,
  ends: ReadonlyMap<string, readonly End[]>,
): KnownHit | undefined {
  for (let end = start + minHead; end <= stop; end++) {
    const alike = ends.get(text.slice(end - minHead, end))
    if (alike === undefined) continue
    const own = text.slice(start, end)
    const found = alike.find(
      ({ value, minLength }) => own.length >= minLength && own.length < value.length && value.endsWith(own),
    )
    if (found === undefined) continue
    const { rule, rank } = found.known
    return { start, end, value: found.value, rule, rank, isCut: true }
  }
  return undefined
}
