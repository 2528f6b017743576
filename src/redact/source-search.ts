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

/** A search for values in all their writings, and for the heads of values where a text is cut. */
export function sourceSearch(values: KnownValues): SourceSearch {
  const flags = new Uint8Array(slots)
  /** Values by the core that lines are searched for, by its length, by its beginning. */
  const buckets = new Map<string, Map<number, Map<string, string[]>>>()
  /** Values without a part that could be looked for. */
  const bare: string[] = []
  const add = (core: string, value: string): void => {
    const beginning = core.slice(0, anchor)
    flags[slotOf(beginning, 0)] = 1
    const lengths = buckets.get(beginning) ?? new Map<number, Map<string, string[]>>()
    buckets.set(beginning, lengths)
    const cores = lengths.get(core.length) ?? new Map<string, string[]>()
    lengths.set(core.length, cores)
    cores.set(core, [...(cores.get(core) ?? []), value])
  }
  for (const value of values.keys()) {
    for (const core of coresOf(value)) {
      if (core.length < anchor) bare.push(value)
      else add(core, value)
    }
  }
  const holds = (text: string, counts: (value: string) => boolean): boolean => {
    for (let at = 0; at <= text.length - anchor; at++) {
      if (flags[slotOf(text, at)] === 0) continue
      for (const [length, cores] of buckets.get(text.slice(at, at + anchor)) ?? []) {
        if (cores.get(text.slice(at, at + length))?.some(counts)) return true
      }
    }
    return false
  }
  return {
    mayHold(line, counts = () => true) {
      if (bare.some(counts)) return true
      for (let at = 0; at < line.length; at += piece) {
        const end = at + piece + maxCore
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

/** A part of each writing that stands unchanged in a line, whatever is escaped around it. */
function coresOf(value: string): string[] {
  let head = 1
  while (head < value.length && !isHead(value.slice(0, head))) head++
  return writingsOf(value).map((text, index) => {
    const runs = (index === 0 ? text.slice(0, head) : text).match(plainRun) ?? []
    return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '').slice(0, maxCore)
  })
}
