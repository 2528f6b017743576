/** The first step over a text: finds where a secret may begin. It reads every character once, so it must be cheap. */

/** Determines where a rule looks. */
export interface Anchored {
  /** A secret of this kind is looked for only where one of these occurs; each has at least three characters. */
  anchors: readonly string[]
  /** Source of a pattern that must follow an anchor. It saves a closer look at frequent anchors. */
  follows?: string
}

/**
 * Receives each offset of a text at which an anchor occurs, in order, with the positions of the rules to apply there and the
 * state that the caller passed.
 */
type OnHit<S> = (offset: number, ranks: readonly number[], state: S) => void

/** The compiled anchors of some rules. */
export interface Anchors {
  /** Looks for anchors. */
  search: <S>(text: string, onHit: OnHit<S>, state: S) => void
  /**
   * Whether an anchor may occur in two parts of a text, `start` to `end` and `next` to `stop`, read as one. This is cheaper than
   * joining them and searching. It is asked at each line break, so it takes no objects.
   */
  mayCross: (text: string, start: number, end: number, next: number, stop: number) => boolean
  /** The same anchors for a text that a rule decoded while a search is going on. */
  inner: () => Anchors
}

/** Anchors that share their rarest three characters, at the same distance from their beginnings. */
interface Group {
  offset: number
  /** Longest first, so that one hit yields the rules of all anchors of the group at its offset. */
  anchors: readonly Anchor[]
}

interface Anchor {
  text: string
  /** Sticky; must match right after the anchor. */
  follows: RegExp | undefined
  /** Rules that apply where it occurs: its own, and those of every anchor of the group that it begins with. */
  ranks: readonly number[]
}

/** The number of keys: three characters of seven bits each. */
const size = 1 << 21
/** Offsets, from the first of the three, of the characters that are looked up one by one before a pattern is tried. */
const around = [3, -1, 4, -2, 5, 6] as const
/** Words of 32 bits for each of those characters, one bit for each character code. */
const width = 4

/**
 * Compiles the anchors of rules into a table of their rarest three characters, each with the characters that may occur around
 * them and the few anchors that have them. One pattern for all anchors takes six times as long. A bit for each three characters
 * is checked first, and few texts pass it.
 */
export function compileAnchors(rules: readonly Anchored[]): Anchors {
  return searcherOf(compile(rules))
}

function searcherOf(compiled: Compiled): Anchors {
  const { bits, allowed, groups } = compiled
  // Each searcher has its own, because one search may run inside another.
  const { units, read, readPart } = codeUnits()
  let inner: Anchors | undefined

  /** Whether the characters around the three may be those of an anchor. Beyond the ends of what was read, anything fits. */
  function fits(offset: number, count: number, number: number): boolean {
    let at = number * around.length * width
    for (const distance of around) {
      const index = offset + distance
      if (index >= 0 && index < count) {
        const code = units[index] ?? 0
        if (((allowed[at + ((code >> 5) & 3)] ?? 0) & (1 << (code & 31))) === 0) return false
      }
      at += width
    }
    return true
  }

  /**
   * Returns the next offset from `from` on, in the characters that were read, at which an anchor may have its three; `count` if
   * there is none. What happens at a hit is not part of this loop, so that the engine compiles the loop, which every character
   * passes, on its own.
   */
  function nextOffset(from: number, count: number): number {
    let key = (units[from] ?? 0) & 127
    key = (key << 7) | ((units[from + 1] ?? 0) & 127)
    for (let index = from + 2; index < count; index++) {
      key = ((key << 7) & (size - 1)) | ((units[index] ?? 0) & 127)
      const mayBegin = ((bits[key >> 5] ?? 0) & (1 << (key & 31))) !== 0
      if (mayBegin && fits(index - 2, count, numberOf(key, compiled))) return index - 2
    }
    return count
  }

  function hitsAt<S>(text: string, offset: number, onHit: OnHit<S>, state: S): void {
    const number = numberOf(keyAt(text, offset), compiled)
    for (const group of groups[number] ?? addGroups(compiled, number)) {
      const start = offset - group.offset
      const ranks = start < 0 ? undefined : ranksAt(text, start, group)
      if (ranks !== undefined) onHit(start, ranks, state)
    }
  }

  return {
    search(text, onHit, state) {
      // The last two characters of a window may begin a three, so windows overlap by two.
      for (let from = 0; from < text.length - 2; from += window - 2) {
        const count = read(text, from)
        for (let offset = nextOffset(0, count); offset < count; offset = nextOffset(offset + 1, count)) {
          hitsAt(text, from + offset, onHit, state)
        }
      }
    },
    mayCross(text, start, end, next, stop) {
      const count = readPart(text, next, stop, readPart(text, start, end, 0))
      return nextOffset(0, count) < count
    },
    inner() {
      inner ??= searcherOf(compiled)
      return inner
    },
  }
}

/** Code units read at a time. Reading a list of numbers takes two thirds of the time that reading a string takes. */
const window = 8192
/** For texts up to this length, the call that copies a text costs more than the copy. */
const shortText = 24
const isBigEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 0

interface CodeUnits {
  units: Uint16Array
  /** Reads the code units of a text from an offset on, and returns how many. */
  read: (text: string, from: number) => number
  /** Appends those of a short part of a text to the first `count` that were read, and returns the total. */
  readPart: (text: string, start: number, end: number, count: number) => number
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
    readPart(text, start, end, count) {
      for (let at = start; at < end; at++) units[count + at - start] = text.charCodeAt(at)
      return count + end - start
    },
  }
}

function ranksAt(text: string, offset: number, { anchors }: Group): readonly number[] | undefined {
  for (const { text: anchor, follows, ranks } of anchors) {
    if (text.startsWith(anchor, offset) && (follows === undefined || matchesAt(follows, text, offset + anchor.length)))
      return ranks
  }
  return undefined
}

function matchesAt(pattern: RegExp, text: string, offset: number): boolean {
  pattern.lastIndex = offset
  return pattern.test(text)
}

interface Compiled {
  bits: Uint32Array
  /** Numbers of groups, each in the slot of its three characters, or in the next free one. */
  slots: Uint16Array
  /** The three characters of each number. */
  keys: Uint32Array
  allowed: Uint32Array
  /** The anchors of each number, in the order of their rules; number zero has none. */
  cores: readonly (readonly RuleAnchor[])[]
  /** Made when a text first needs them, because few texts need any of the many. */
  groups: (readonly Group[])[]
  /** By source, because many rules require the same after their anchors. */
  patterns: Map<string, RegExp>
}

/** Plain loops in one pass, because this runs once, over some five thousand anchors, before the engine has compiled any of it. */
function compile(rules: readonly Anchored[]): Compiled {
  const bits = new Uint32Array(size >> 5)
  const cores: RuleAnchor[][] = [[]]
  let count = 1
  for (const { anchors } of rules) count += anchors.length
  // At least three slots for each anchor, so that collisions are rare.
  const slots = new Uint16Array(1 << (32 - Math.clz32(count * 3)))
  const keys = new Uint32Array(count)
  const allowed = new Uint32Array(count * around.length * width)
  const compiled = { bits, slots, keys, allowed, cores, groups: [], patterns: new Map() }
  for (let rank = 0; rank < rules.length; rank++) {
    const { anchors, follows } = rules[rank] ?? { anchors: [] }
    for (const text of anchors) {
      const offset = rarest(text)
      const key = keyAt(text, offset)
      const anchor = { text, offset, follows, rank }
      let number = numberOf(key, compiled)
      if (number === 0) {
        number = cores.push([anchor]) - 1
        keys[number] = key
        slots[slotOf(key, compiled)] = number
        bits[key >> 5] = (bits[key >> 5] ?? 0) | (1 << (key & 31))
      } else cores[number]?.push(anchor)
      allow(text, offset, allowed, number * around.length * width)
    }
  }
  return compiled
}

/** The number of the anchors with these three characters, or zero. */
function numberOf(key: number, compiled: Pick<Compiled, 'slots' | 'keys'>): number {
  return compiled.slots[slotOf(key, compiled)] ?? 0
}

/** The slot that holds the number of three characters, or where it may be put. */
function slotOf(key: number, { slots, keys }: Pick<Compiled, 'slots' | 'keys'>): number {
  const last = slots.length - 1
  let slot = (Math.imul(key, 0x9e3779b1) >>> 12) & last
  for (let number = slots[slot] ?? 0; number !== 0 && keys[number] !== key; number = slots[slot] ?? 0)
    slot = (slot + 1) & last
  return slot
}

/** Allows the characters of an anchor around its three; beyond its ends anything is allowed. */
function allow(anchor: string, offset: number, allowed: Uint32Array, from: number): void {
  let at = from
  for (let index = 0; index < around.length; index++, at += width) {
    const position = offset + (around[index] ?? 0)
    if (position >= 0 && position < anchor.length) {
      const code = anchor.charCodeAt(position)
      const word = at + ((code >> 5) & 3)
      allowed[word] = (allowed[word] ?? 0) | (1 << (code & 31))
    } else for (let word = at; word < at + width; word++) allowed[word] = -1
  }
}

/** An anchor of a rule, and the offset of its rarest three characters. */
interface RuleAnchor {
  text: string
  offset: number
  follows: string | undefined
  rank: number
}

function addGroups({ cores, groups, patterns }: Compiled, number: number): readonly Group[] {
  const made = groupsOf(cores[number] ?? [], (source) => {
    const pattern = patterns.get(source) ?? new RegExp(source, 'y')
    patterns.set(source, pattern)
    return pattern
  })
  groups[number] = made
  return made
}

function groupsOf(own: readonly RuleAnchor[], patternOf: (source: string) => RegExp): Group[] {
  const offsets = [...new Set(own.map(({ offset }) => offset))]
  return offsets.map((offset) => {
    const group = own.filter((anchor) => anchor.offset === offset)
    const longestFirst = group.toSorted((a, b) => b.text.length - a.text.length)
    const anchors = longestFirst.map(({ text, follows }) => ({
      text,
      follows: follows === undefined ? undefined : patternOf(follows),
      ranks: ranksOf(group, text),
    }))
    return { offset, anchors }
  })
}

/** Characters of texts about programs, from frequent to rare; those not listed are the rarest. */
const frequent = ' etaoinsrlcdupmhfg.-/_by:"wvk,()=0123456789;x\'{}[]>STACEIRNOPDLMFUqjz'
const commonness = new Uint8Array(128)
for (let index = 0; index < frequent.length; index++) commonness[frequent.charCodeAt(index)] = frequent.length - index
const maxOffset = 6

/** Offset of the rarest three characters of an anchor; the first among equals. */
function rarest(anchor: string): number {
  if (anchor.length === 3) return 0
  let first = commonAt(anchor, 0)
  let second = commonAt(anchor, 1)
  let best = 0
  let lowest = Number.POSITIVE_INFINITY
  const last = Math.min(maxOffset, anchor.length - 3)
  for (let offset = 0; offset <= last; offset++) {
    const third = commonAt(anchor, offset + 2)
    const score = first + second + third
    if (score < lowest) {
      best = offset
      lowest = score
    }
    first = second
    second = third
  }
  return best
}

function commonAt(anchor: string, offset: number): number {
  const code = anchor.charCodeAt(offset)
  return code < commonness.length ? (commonness[code] ?? 0) : 0
}

function ranksOf(own: readonly RuleAnchor[], hit: string): number[] {
  return [...new Set(own.filter(({ text }) => hit.startsWith(text)).map(({ rank }) => rank))]
}

function keyAt(text: string, offset: number): number {
  const first = text.charCodeAt(offset) & 127
  const second = text.charCodeAt(offset + 1) & 127
  return (first << 14) | (second << 7) | (text.charCodeAt(offset + 2) & 127)
}
