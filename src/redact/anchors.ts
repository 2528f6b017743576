/** The first step over a text: where may a secret begin? It reads every character once and must be cheap. */
import type { Rule } from './rule.ts'

/** Gives each place of a text where an anchor stands, in order, with the positions of the rules to apply there. */
export type OnHit = (place: number, ranks: readonly number[]) => void

/** The anchors of some rules, compiled. */
export interface Anchors {
  /** Looks for anchors; whether characters stand in the text that cannot be seen, or that type over others. */
  search: (text: string, onHit: OnHit) => boolean
  /** Whether an anchor may begin at a place and go on from `end` at `next`, as behind a line break. */
  mayCross: (text: string, at: number, end: number, next: number) => boolean
}

interface Group {
  pattern: RegExp
  ranks: ReadonlyMap<string, readonly number[]>
}

/** Three characters of seven bits each. */
const size = 1 << 21
/** So many characters behind the first three are looked up one by one before a pattern is tried. */
const depth = 4
const width = 128

/**
 * Compiles the anchors of rules into a table of three-character beginnings, each with the characters that may follow and
 * a pattern for the few anchors that begin so. One pattern for all anchors takes six times as long. A bit for each
 * beginning is asked first: all bits fit into the cache of a processor, the numbers of groups do not.
 */
export function compileAnchors(rules: readonly Rule[]): Anchors {
  const { bits, table, following, groups } = compile(rules)

  function hitAt(text: string, place: number, key: number, onHit: OnHit): void {
    const number = table[key] ?? 0
    const from = number * depth * width
    for (let index = 0; index < depth && place + 3 + index < text.length; index++) {
      if (following[from + index * width + (text.charCodeAt(place + 3 + index) & 127)] === 0) return
    }
    const group = groups[number]
    const ranks = group === undefined ? undefined : ranksAt(text, place, group)
    if (ranks !== undefined) onHit(place, ranks)
  }

  return {
    search(text, onHit) {
      const length = text.length
      let hasUnseen = false
      let key = ((text.charCodeAt(0) & 127) << 7) | (text.charCodeAt(1) & 127)
      for (let index = 2; index < length; index++) {
        const code = text.charCodeAt(index)
        if (code > 127 || code < 9) hasUnseen ||= isUnseen(code)
        key = ((key << 7) & (size - 1)) | (code & 127)
        if (((bits[key >> 5] ?? 0) & (1 << (key & 31))) !== 0) hitAt(text, index - 2, key, onHit)
      }
      return hasUnseen || isUnseen(text.charCodeAt(0)) || isUnseen(text.charCodeAt(1))
    },
    mayCross(text, at, end, next) {
      const codeAt = (index: number): number => text.charCodeAt(index < end ? index : next + index - end) & 127
      const key = (codeAt(at) << 14) | (codeAt(at + 1) << 7) | codeAt(at + 2)
      if (((bits[key >> 5] ?? 0) & (1 << (key & 31))) === 0) return false
      const from = (table[key] ?? 0) * depth * width
      for (let index = 0; index < depth; index++) {
        if (following[from + index * width + codeAt(at + 3 + index)] === 0) return false
      }
      return true
    },
  }
}

/** A zero byte, a backspace, a soft hyphen, or a character of no width. */
function isUnseen(code: number): boolean {
  return (
    code === 0 ||
    code === 8 ||
    code === 0xad ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x2060 && code <= 0x2064) ||
    code === 0xfeff
  )
}

function ranksAt(text: string, place: number, { pattern, ranks }: Group): readonly number[] | undefined {
  pattern.lastIndex = place
  const match = pattern.exec(text)
  return match === null ? undefined : ranks.get(match[0])
}

interface Compiled {
  bits: Uint32Array
  table: Uint16Array
  following: Uint8Array
  groups: (Group | undefined)[]
}

function compile(rules: readonly Rule[]): Compiled {
  const beginnings = byBeginning(rules)
  const bits = new Uint32Array(size >> 5)
  const table = new Uint16Array(size)
  const following = new Uint8Array((beginnings.size + 1) * depth * width)
  const groups: (Group | undefined)[] = [undefined]
  for (const [beginning, own] of beginnings) {
    // Longest first: the hit then tells of all anchors that stand at its place.
    const sources = own.toSorted((a, b) => b.anchor.length - a.anchor.length).map(sourceOf)
    const ranks = new Map(own.map(({ anchor }) => [anchor, ranksOf(own, anchor)]))
    const key = keyOf(beginning)
    table[key] = groups.length
    bits[key >> 5] = (bits[key >> 5] ?? 0) | (1 << (key & 31))
    for (const { anchor } of own) allow(anchor, following, groups.length * depth * width)
    groups.push({ pattern: new RegExp([...new Set(sources)].join('|'), 'y'), ranks })
  }
  return { bits, table, following, groups }
}

/** Marks the characters of an anchor behind its first three; behind its end anything may stand. */
function allow(anchor: string, following: Uint8Array, from: number): void {
  for (let index = 0; index < depth; index++) {
    const at = from + index * width
    const code = anchor.charCodeAt(index + 3)
    if (Number.isNaN(code)) following.fill(1, at, at + width)
    else following[at + (code & 127)] = 1
  }
}

/** An anchor with the rule that has it. */
interface Anchor {
  anchor: string
  follows: string | undefined
  rank: number
}

function byBeginning(rules: readonly Rule[]): Map<string, Anchor[]> {
  const found = new Map<string, Anchor[]>()
  for (const [rank, { anchors, follows }] of rules.entries()) {
    for (const anchor of anchors) {
      const beginning = anchor.slice(0, 3)
      const own = found.get(beginning)
      if (own === undefined) found.set(beginning, [{ anchor, follows, rank }])
      else own.push({ anchor, follows, rank })
    }
  }
  return found
}

function sourceOf({ anchor, follows }: Anchor): string {
  const source = anchor.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
  return follows === undefined ? source : `${source}(?=${follows})`
}

/** Rules that apply where an anchor stands: its own, and those of every anchor that it begins with. */
function ranksOf(own: readonly Anchor[], hit: string): number[] {
  const ranks = own.filter(({ anchor }) => hit.startsWith(anchor)).map(({ rank }) => rank)
  return [...new Set(ranks)].toSorted((a, b) => a - b)
}

function keyOf(beginning: string): number {
  return [...beginning].reduce((key, character) => (key << 7) | (character.charCodeAt(0) & 127), 0)
}
