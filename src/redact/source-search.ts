/** Tells, from the bytes of a rollout, which lines may hold values: quick, and wrong only in saying yes. */

import { isHead, type KnownValues, writingsOf } from './known.ts'

/** A search over lines as they are recorded. */
export interface SourceSearch {
  /** Whether a line may hold one of the values, those for which `counts` says no left aside. */
  mayHold: (line: Buffer | string, counts?: (value: string) => boolean) => boolean
}

/** Characters that every writer of JSON leaves as they are. */
const plainRun = /[\w.+=:@!#%^*~-]+/g
const anchor = 3
const slots = 1 << 13
const maxCore = 32
const piece = 1 << 20
/** Characters beside a core that are looked at too, and in how much of a line: some of them are written as escapes. */
const [beside, reach] = [8, 512]

/** A writing of a value, or of its head, around the part by which lines are searched for it. */
interface Writing {
  value: string
  before: string
  core: string
  behind: string
  /** Made when a line holds the core; most lines hold none. */
  pattern?: RegExp
}

/** A search for values in all their writings, and for the heads of values where a text is cut. */
export function sourceSearch(values: KnownValues): SourceSearch {
  const flags = new Uint8Array(slots)
  /** Writings by the core that lines are searched for, by its length, by its beginning. */
  const buckets = new Map<string, Map<number, Map<string, Writing[]>>>()
  /** Values without a part that could be looked for. */
  const bare: string[] = []
  const add = (writing: Writing): void => {
    const { core } = writing
    const beginning = core.slice(0, anchor)
    flags[slotOf(beginning, 0)] = 1
    const lengths = buckets.get(beginning) ?? new Map<number, Map<string, Writing[]>>()
    buckets.set(beginning, lengths)
    const cores = lengths.get(core.length) ?? new Map<string, Writing[]>()
    lengths.set(core.length, cores)
    cores.set(core, [...(cores.get(core) ?? []), writing])
  }
  for (const value of values.keys()) {
    for (const writing of searchedOf(value)) {
      if (writing.core.length < anchor) bare.push(value)
      else add(writing)
    }
  }
  const holds = (text: string, counts: (value: string) => boolean): boolean => {
    for (let at = 0; at <= text.length - anchor; at++) {
      if (flags[slotOf(text, at)] === 0) continue
      for (const [length, cores] of buckets.get(text.slice(at, at + anchor)) ?? []) {
        if (
          cores
            .get(text.slice(at, at + length))
            ?.some((writing) => counts(writing.value) && standsAt(writing, text, at))
        )
          return true
      }
    }
    return false
  }
  return {
    mayHold(line, counts = () => true) {
      if (bare.some(counts)) return true
      for (let at = 0; at < line.length; at += piece) {
        // What stands around a core is whole in one of two pieces.
        const end = at + piece + 2 * reach
        if (holds(typeof line === 'string' ? line.slice(at, end) : line.toString('latin1', at, end), counts))
          return true
      }
      return false
    },
  }
}

function slotOf(text: string, at: number): number {
  const key = (text.charCodeAt(at) << 14) ^ (text.charCodeAt(at + 1) << 7) ^ text.charCodeAt(at + 2)
  return Math.imul(key, 0x9e3779b1) >>> 19
}

/** What stands in a line that holds a value: each of its writings, and of the value itself the head that a cut leaves. */
function searchedOf(value: string): Writing[] {
  let head = 1
  while (head < value.length && !isHead(value.slice(0, head))) head++
  return writingsOf(value).map((whole, index) => {
    const text = index === 0 ? whole.slice(0, head) : whole
    const runs = text.match(plainRun) ?? []
    // It stands unchanged in a line, whatever is escaped around it.
    const core = runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '').slice(0, maxCore)
    const start = text.indexOf(core)
    const end = start + core.length
    return {
      value,
      before: text.slice(Math.max(0, start - beside), start),
      core,
      behind: text.slice(end, end + beside),
    }
  })
}

// A core may be a common word: what stands beside it decides, however it is escaped.

/** Whether a writing may stand where its core does. */
function standsAt(writing: Writing, text: string, at: number): boolean {
  if (isHead(writing.core)) return true
  writing.pattern ??= patternOf(writing)
  return writing.pattern.test(text.slice(Math.max(0, at - reach), at + reach))
}

function patternOf({ before, core, behind }: Writing): RegExp {
  const parts = [...partsOf(before), core.replace(/\W/g, '\\$&'), ...partsOf(behind)]
  return new RegExp(parts.join(joint), 'i')
}

/** Signs that come and go as a text is quoted, escaped, put together and laid out, by themselves and by their codes. */
const loose = /[\\\t-\r "'`^+$]/
const looseCodes = codesOf('(?:[9a-d]|2[0247b]|5[ce]|60)', '(?:1[1-5]|4[0-247]|53|13[46]|140)')
const joint = `(?:\\\\[bfnrtv]?|[\\s"'\`^+$]|${looseCodes}){0,24}`

function partsOf(text: string): string[] {
  const characters = Array.from({ length: text.length }, (_, at) => text.charAt(at))
  return characters.filter((character) => !loose.test(character)).map(writtenAs)
}

/** A character by itself, or by its code. */
function writtenAs(character: string): string {
  const code = character.charCodeAt(0)
  // As bytes of UTF-8, or as an escape.
  if (code < 0x20 || code > 0x7e) return '[^]{1,12}?'
  return `(?:${character.replace(/\W/, '\\$&')}|${codesOf(code.toString(16), code.toString(8))})`
}

/** Codes as JSON, scripts, shells, addresses and XML write them, without the backslash before them. */
function codesOf(hex: string, octal: string): string {
  return `[ux]\\{?0*${hex}\\}?|%${hex}|0*${octal}|&#?\\w{2,8};`
}
