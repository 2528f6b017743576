/** Decides, from the bytes of a rollout, which lines may hold values. It is fast, and errs only by saying yes. */

import { addTo } from '../util/groups.ts'
import { coreOfEnd, endOfValue, isHead } from './known/cuts.ts'
import { spellingsOf } from './known/spellings.ts'
import type { KnownValues } from './known/values.ts'
import { isIn, letterTable } from './values/letters.ts'

/** A search over lines as recorded. */
export interface SourceSearch {
  /** Whether a line may hold one of the values that `isWanted` selects. */
  mayHold: (line: Buffer | string, isWanted?: (value: string) => boolean) => boolean
}

/** Characters that every writer of JSON leaves unchanged. */
const plainRun = /[\w.+=:@!#%^*~-]+/g
const anchor = 3
const slots = 1 << 16
const maxCore = 32
const piece = 1 << 20
/** The number of characters next to a core that are checked too, and how far in a line: escapes are long. */
const [margin, reach] = [6, 256]
/** What follows the start of a core in the same piece: the core, what joins the characters after it, and their forms. */
const afterStart = maxCore + reach + margin * 24

/** A spelling of a value, or of its head, around the part by which lines are searched for it. */
interface Spelling {
  value: string
  before: string
  core: string
  after: string
  /** All that follows a core of plain characters. */
  rest: string
  /** What must come right before it, and after it, each character in its forms. Made when a line holds the core. */
  sides?: { before: RegExp | undefined; after: RegExp[][] }
}

/**
 * A search for values in all their spellings, and for the heads of values where a text is cut. With `ignoresCase`, the values are in
 * lowercase, and lines are read so.
 */
export function sourceSearch(
  values: KnownValues,
  { ignoresCase = false }: { ignoresCase?: boolean } = {},
): SourceSearch {
  const flags = new Uint8Array(slots)
  const buckets: Buckets = new Map()
  /** Values without a part that could be looked for. */
  const bare: string[] = []
  const add = (spelling: Spelling): void => {
    const { core } = spelling
    const beginning = core.slice(0, anchor)
    flags[slotOf(beginning, 0)] = 1
    const lengths = buckets.get(beginning) ?? new Map<number, Map<string, Spelling[]>>()
    buckets.set(beginning, lengths)
    const cores = lengths.get(core.length) ?? new Map<string, Spelling[]>()
    lengths.set(core.length, cores)
    addTo(cores, core, spelling)
  }
  for (const value of values.keys()) {
    for (const spelling of searchedOf(value)) {
      if (spelling.core.length < anchor) bare.push(value)
      else add(spelling)
    }
  }
  return {
    mayHold(line, isWanted = () => true) {
      if (bare.some(isWanted)) return true
      for (let at = 0; at < line.length; at += piece) {
        // Pieces overlap, so that what is around a core is complete in one of them.
        const end = at + piece + reach + afterStart
        const text = typeof line === 'string' ? line.slice(at, end) : line.toString('latin1', at, end)
        if (hasSpelling(ignoresCase ? text.toLowerCase() : text, { flags, buckets, isWanted })) return true
      }
      return false
    },
  }
}

/** Spellings by the core that lines are searched for, by its length, by its beginning. */
type Buckets = Map<string, Map<number, Map<string, Spelling[]>>>

interface Compiled {
  flags: Uint8Array
  buckets: Buckets
  isWanted: (value: string) => boolean
}

// No closures, because engines would compile them again for each session.

function hasSpelling(text: string, { flags, buckets, isWanted }: Compiled): boolean {
  for (let at = nextSlot(text, 0, flags); at >= 0; at = nextSlot(text, at + 1, flags)) {
    for (const [length, cores] of buckets.get(text.slice(at, at + anchor)) ?? []) {
      const spellings = cores.get(text.slice(at, at + length))
      if (spellings?.some((spelling) => isWanted(spelling.value) && mayOccurAt(spelling, text, at))) return true
    }
  }
  return false
}

/** The next offset at which a core may begin, or -1. */
function nextSlot(text: string, from: number, flags: Uint8Array): number {
  for (let at = from; at <= text.length - anchor; at++) if (flags[slotOf(text, at)] !== 0) return at
  return -1
}

function slotOf(text: string, at: number): number {
  const key = (text.charCodeAt(at) << 14) ^ (text.charCodeAt(at + 1) << 7) ^ text.charCodeAt(at + 2)
  return Math.imul(key, 0x9e3779b1) >>> 16
}

/**
 * What a line that holds a value contains: each of its spellings, and for the value itself the head or the end that a cut leaves.
 * Also the halves of its longest part that is not a word, or of the whole value: if a colour, a mark or a line end splits one half, the
 * other is still whole.
 */
function searchedOf(value: string): Spelling[] {
  let head = 1
  while (head < value.length && !isHead(value.slice(0, head))) head++
  const whole = spellingsOf(value).map((spelling, index) => {
    const text = index === 0 ? spelling.slice(0, head) : spelling
    return spellingAround(value, text, longestOf(text.match(plainRun) ?? []))
  })
  const end = endOfValue(value)
  if (end !== undefined) whole.push(spellingAround(value, end, coreOfEnd(end).slice(0, maxCore)))
  const run = longestOf((value.match(plainRun) ?? []).filter((part) => part === value || isHead(part)))
  const half = run.length >> 1
  return half === 0
    ? whole
    : [...whole, spellingAround(value, value, run.slice(0, half)), spellingAround(value, value, run.slice(half))]
}

/** The longest of the parts that occur unchanged in a line, whatever is escaped around them. */
function longestOf(runs: readonly string[]): string {
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '').slice(0, maxCore)
}

function spellingAround(value: string, text: string, core: string): Spelling {
  const start = text.indexOf(core)
  const end = start + core.length
  const [before, after] = [text.slice(Math.max(0, start - margin), start), text.slice(end, end + margin)]
  // An escape that ends in the core would continue after it.
  return { value, before, core, after, rest: plainCore.test(core) ? text.slice(end) : '' }
}

// A core may be a common word, so its neighbours decide, however they are escaped.

/** Whether a spelling may occur where its core does. */
function mayOccurAt(spelling: Spelling, text: string, at: number): boolean {
  if (differsAfter(spelling, text, at)) return false
  if (isHead(spelling.core)) return true
  spelling.sides ??= sidesOf(spelling)
  const { before, after } = spelling.sides
  return (
    followAt(after, text, at + spelling.core.length) &&
    (before === undefined || before.test(text.slice(Math.max(0, at - reach), at)))
  )
}

/** Letters, digits, and punctuation of addresses and names, which begin no escape and no mark. */
const plainCore = /^[\w./:-]*$/
const runCodes = letterTable('_./:-')
const letterCodes = letterTable('')

/**
 * Whether a different letter or digit follows where the spelling continues: addresses of pages of one server are not one secret.
 * Whatever a text inserts into a value, or writes instead of one of its characters, begins with punctuation.
 */
function differsAfter({ core, rest }: Spelling, text: string, at: number): boolean {
  const start = at + core.length
  let index = 0
  while (isIn(runCodes, rest.charCodeAt(index)) && rest.charCodeAt(index) === text.charCodeAt(start + index)) index++
  const [expected, found] = [rest.charCodeAt(index), text.charCodeAt(start + index)]
  return expected !== found && isIn(letterCodes, expected) && isIn(letterCodes, found)
}

/** One character before is enough, but a few after are needed, because a core is more often a beginning. */
function sidesOf({ before, after }: Spelling): Spelling['sides'] & object {
  const [last] = plainOf([...before].reverse())
  return {
    before:
      last === undefined ? undefined : new RegExp(`(?:${formsOf(last).join('|')})(?:${joints.join('|')}){0,24}$`, 'i'),
    after: plainOf([...after]).map((character) => formsOf(character).map(sticky)),
  }
}

/** Characters that occur with their text everywhere, up to the first that has many forms. */
function plainOf(characters: readonly string[]): string[] {
  const some = characters.filter((character) => !/[\\\t-\r "'`^+$]/.test(character))
  const end = some.findIndex((character) => !/^[!-~]$/.test(character))
  return end === -1 ? some : some.slice(0, end)
}

/**
 * Whether characters follow from an offset on, each in one of its forms, with any joints before it. All offsets that can be
 * reached are kept, each once, so that a text that repeats joints takes no more than linear time.
 */
function followAt(characters: readonly RegExp[][], text: string, from: number): boolean {
  let offsets = new Set([from])
  for (const forms of characters) {
    for (const offset of offsets)
      for (const end of endsOf(stickyJoints, text, offset)) if (end - from <= reach) offsets.add(end)
    offsets = new Set([...offsets].flatMap((offset) => endsOf(forms, text, offset)))
    if (offsets.size === 0) return false
  }
  return true
}

function endsOf(patterns: readonly RegExp[], text: string, at: number): number[] {
  return patterns.flatMap((pattern) => {
    pattern.lastIndex = at
    return pattern.test(text) ? [pattern.lastIndex] : []
  })
}

/** Codes as JSON, scripts, shells, addresses and XML write them, the last two in several layers, without the backslash before them. */
function codesOf(hex: string, octal: readonly string[]): string[] {
  return [
    ...[`[ux]0*${hex}`, `[ux]\\{0*${hex}\\}`, `%(?:25){0,3}${hex}`, '&(?:amp;){0,3}#?\\w{2,8};'],
    ...octal.map((digits) => `0*${digits}`),
  ]
}

/** The forms of an ASCII character: itself, and its codes. */
function formsOf(character: string): string[] {
  const code = character.charCodeAt(0)
  return [character.replace(/\W/, '\\$&'), ...codesOf(code.toString(16), [code.toString(8)])]
}

/**
 * Characters that come and go as a text is quoted, escaped, concatenated and laid out, as themselves and as codes; colours, tags
 * and other marks within a word; and invisible characters, as bytes or as codes.
 */
const joints = [
  ...['\\\\', '\\\\[bfnrtv]', '[\\s"\'`^+$]'],
  ...[
    '(?:u001b|x1b|033|e)?\\[[\\d;]{0,24}[mK]',
    '<\\/?[a-z][^<>]{0,200}>',
    '\\[-|-\\]|\\{\\+|\\+\\}',
    '[\\x80-\\xFF]',
    'u(?:00ad|034f|061c|180e|20(?:0[b-f]|2[a-e]|6\\d)|fe0f|feff)',
  ],
  ...codesOf('(?:[9a-d]|2[0247b]|5[ce]|60)', ['(?:1[1-5]|4[0-247]|53)', '(?:13[46]|140)']),
]
const stickyJoints = joints.map(sticky)

function sticky(source: string): RegExp {
  return new RegExp(source, 'iy')
}
