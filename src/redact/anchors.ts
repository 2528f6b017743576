/** The first step over a text: where may a secret begin? It reads every character once and must be cheap. */

import type { Rule } from './rule.ts'

/** Gives each place of a text where an anchor stands, in order, with the positions of the rules to apply there. */
export type OnHit = (place: number, ranks: readonly number[]) => void

/** The anchors of some rules, compiled. */
export interface Anchors {
  /** Looks for anchors; whether characters stand in the text that cannot be seen, or that type over others. */
  search: (text: string, onHit: OnHit) => boolean
  /** Whether an anchor may stand from `from` on, before or behind a gap of the text from `end` to `next`, as a line break is. */
  mayCross: (text: string, from: number, end: number, next: number) => boolean
}

/** Anchors that have their rarest three characters in common, at the same distance from their beginnings. */
interface Group {
  offset: number
  /** Compiled where a text first asks for it: few texts ask for any of the many. */
  pattern: () => RegExp
  ranks: ReadonlyMap<string, readonly number[]>
}

/** What is left out of a text. */
interface Gap {
  end: number
  next: number
}

/** So far behind a gap the three characters of an anchor before it may stand. */
const behindGap = 6
/** Three characters of seven bits each. */
const size = 1 << 21
/** Characters around the three that are looked up one by one before a pattern is tried: by their distance. */
const around = [3, -1, 4, -2, 5, 6] as const
const width = 128

/**
 * Compiles the anchors of rules into a table of their rarest three characters, each with the characters that may stand
 * around them and patterns for the few anchors that have them. One pattern for all anchors takes six times as long. A bit
 * for each three is asked first: all bits fit into the cache of a processor, the numbers of groups do not.
 */
export function compileAnchors(rules: readonly Rule[]): Anchors {
  const { bits, table, allowed, groups } = compile(rules)
  // One for each table: a rule may search what it decodes by a table of its own, while a search goes on.
  const codes = codeUnits()

  const mayBegin = (key: number): boolean => ((bits[key >> 5] ?? 0) & (1 << (key & 31))) !== 0

  /** Whether the characters around three are those of an anchor; behind the ends of a text stands anything. */
  function fits(text: string, place: number, number: number): boolean {
    let at = number * around.length * width
    for (const distance of around) {
      const code = text.charCodeAt(place + distance)
      if (allowed[at + (code & 127)] === 0 && code >= 0) return false
      at += width
    }
    return true
  }

  function fitsAcross(text: string, place: number, number: number, { end, next }: Gap): boolean {
    let at = number * around.length * width
    for (const distance of around) {
      const index = place + distance
      if (allowed[at + (text.charCodeAt(index < end ? index : next + index - end) & 127)] === 0) return false
      at += width
    }
    return true
  }

  function hitAt(text: string, place: number, number: number, onHit: OnHit): void {
    if (!fits(text, place, number)) return
    for (const group of groups[number] ?? []) {
      const start = place - group.offset
      const ranks = start < 0 ? undefined : ranksAt(text, start, group)
      if (ranks !== undefined) onHit(start, ranks)
    }
  }

  return {
    search(text, onHit) {
      let hasUnseen = false
      let key = 0
      for (let from = 0; from < text.length; from += window) {
        const count = codes.read(text, from)
        for (let index = 0; index < count; index++) {
          const code = codes.units[index] ?? 0
          if (!isCommon(code)) hasUnseen ||= isUnseen(code)
          key = ((key << 7) & (size - 1)) | (code & 127)
          if (mayBegin(key)) hitAt(text, from + index - 2, table[key] ?? 0, onHit)
        }
      }
      return hasUnseen
    },
    mayCross(text, from, end, next) {
      const last = end + behindGap + 2
      let key = 0
      for (let at = from; at <= last; at++) {
        key = ((key << 7) & (size - 1)) | (text.charCodeAt(at < end ? at : next + at - end) & 127)
        if (!mayBegin(key) || at < from + 2) continue
        if (fitsAcross(text, at - 2, table[key] ?? 0, { end, next })) return true
      }
      return false
    },
  }
}

/** Code units of a text at a time: a list of numbers is read in two thirds of the time that a string takes. */
const window = 8192
/** Up to this length the call that copies a text takes longer than the copy. */
const shortText = 24
const isBigEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 0

interface CodeUnits {
  units: Uint16Array
  /** Takes the code units of a text from a place on, and gives their number. */
  read: (text: string, from: number) => number
}

function codeUnits(): CodeUnits {
  const units = new Uint16Array(window)
  const bytes = Buffer.from(units.buffer)
  return {
    units,
    read(text, from) {
      if (text.length <= shortText) {
        for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index)
        return text.length
      }
      const written = bytes.write(
        from === 0 && text.length <= window ? text : text.slice(from, from + window),
        'utf16le',
      )
      if (isBigEndian) bytes.swap16()
      return written / 2
    },
  }
}

/** A character of ASCII that is seen, or parts what is; most are. */
function isCommon(code: number): boolean {
  return code >= 9 && code <= 127
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

function ranksAt(text: string, place: number, group: Group): readonly number[] | undefined {
  const pattern = group.pattern()
  pattern.lastIndex = place
  const match = pattern.exec(text)
  return match === null ? undefined : group.ranks.get(match[0])
}

interface Compiled {
  bits: Uint32Array
  table: Uint16Array
  allowed: Uint8Array
  groups: (readonly Group[] | undefined)[]
}

function compile(rules: readonly Rule[]): Compiled {
  const cores = byCore(rules)
  const bits = new Uint32Array(size >> 5)
  const table = new Uint16Array(size)
  const allowed = new Uint8Array((cores.size + 1) * around.length * width)
  const groups: (readonly Group[] | undefined)[] = [undefined]
  for (const [core, own] of cores) {
    const key = keyOf(core)
    table[key] = groups.length
    bits[key >> 5] = (bits[key >> 5] ?? 0) | (1 << (key & 31))
    for (const { anchor, offset } of own) allow(anchor, offset, allowed, groups.length * around.length * width)
    const offsets = [...new Set(own.map(({ offset }) => offset))]
    groups.push(
      offsets.map((offset) =>
        groupOf(
          own.filter((anchor) => anchor.offset === offset),
          offset,
        ),
      ),
    )
  }
  return { bits, table, allowed, groups }
}

function groupOf(own: readonly Anchor[], offset: number): Group {
  const ranks = new Map(own.map(({ anchor }) => [anchor, ranksOf(own, anchor)]))
  let compiled: RegExp | undefined
  return {
    offset,
    pattern() {
      compiled ??= patternOf(own)
      return compiled
    },
    ranks,
  }
}

/** Longest first: the hit then tells of all anchors of the group that stand at its place. */
function patternOf(own: readonly Anchor[]): RegExp {
  const sources = own.toSorted((a, b) => b.anchor.length - a.anchor.length).map(sourceOf)
  return new RegExp([...new Set(sources)].join('|'), 'y')
}

/** Marks the characters of an anchor around its three; beyond its ends anything may stand. */
function allow(anchor: string, offset: number, allowed: Uint8Array, from: number): void {
  for (const [index, distance] of around.entries()) {
    const at = from + index * width
    const code = anchor.charCodeAt(offset + distance)
    if (Number.isNaN(code)) allowed.fill(1, at, at + width)
    else allowed[at + (code & 127)] = 1
  }
}

/** An anchor with the rule that has it, and the distance of its rarest three characters from its beginning. */
interface Anchor {
  anchor: string
  follows: string | undefined
  rank: number
  offset: number
}

function byCore(rules: readonly Rule[]): Map<string, Anchor[]> {
  const found = new Map<string, Anchor[]>()
  for (const [rank, { anchors, follows }] of rules.entries()) {
    for (const anchor of anchors) {
      const offset = rarest(anchor)
      const core = anchor.slice(offset, offset + 3)
      const own = found.get(core)
      if (own === undefined) found.set(core, [{ anchor, follows, rank, offset }])
      else own.push({ anchor, follows, rank, offset })
    }
  }
  return found
}

/** Characters of texts about programs, from frequent to rare; those that are not here are the rarest. */
const frequent = ' etaoinsrlcdupmhfg.-/_by:"wvk,()=0123456789;x\'{}[]>STACEIRNOPDLMFUqjz'
const maxOffset = 6

/** Where the rarest three characters of an anchor stand; of equal ones the first. */
function rarest(anchor: string): number {
  let best = 0
  let lowest = Number.POSITIVE_INFINITY
  for (let offset = 0; offset <= Math.min(maxOffset, anchor.length - 3); offset++) {
    const score = [0, 1, 2].reduce((sum, index) => sum + commonness(anchor.charAt(offset + index)), 0)
    if (score < lowest) [best, lowest] = [offset, score]
  }
  return best
}

function commonness(character: string): number {
  const place = frequent.indexOf(character)
  return place < 0 ? 0 : (frequent.length - place) / 8
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
