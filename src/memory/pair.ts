/** The invariants of the memory: a call has an output, an output has a call. */
import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import type { Entry } from './entry.ts'
import type { MemorySource } from './history.ts'
import { abortedOutput, type Half } from './items.ts'

/** Names the file and line of a place, for diagnostics. */
export type Locate = (source: MemorySource | undefined) => { file?: string; line?: number }

/** Entries that hold the invariants; `partner` is an index into `entries`. */
export interface Paired {
  entries: Entry[]
  partner: ReadonlyMap<number, number>
  violations: Diagnostic[]
}

/** Tokens of the word `aborted`. */
const abortedTokens = 2

/** Puts `aborted` behind each call without an output, and takes out outputs without a call. */
export function paired(given: readonly Entry[], locate: Locate, keepItems: boolean): Paired {
  const calls = keysOf(given, 'call')
  const outputs = keysOf(given, 'output')
  const violations: Diagnostic[] = []
  const entries: Entry[] = []
  for (const entry of given) {
    const { half } = entry
    if (half?.side === 'output' && !calls.has(keyOf(half))) {
      violations.push(diagnostic('orphan-output', locate(entry.sources[0]), 'The model does not see it.'))
      continue
    }
    entries.push(entry)
    if (half?.side !== 'call' || outputs.has(keyOf(half))) continue
    violations.push(diagnostic('missing-output', locate(entry.sources[0])))
    entries.push(aborted(half, entry, keepItems))
  }
  return { entries, partner: partners(entries), violations }
}

function keyOf({ family, callId }: Half): string {
  return `${family} ${callId}`
}

function keysOf(entries: readonly Entry[], side: Half['side']): Set<string> {
  return new Set(entries.flatMap(({ half }) => (half?.side === side ? [keyOf(half)] : [])))
}

function aborted(half: Half, { turn }: Entry, keepItems: boolean): Entry {
  const item = abortedOutput(half)
  return {
    category: 'toolOutput',
    text: 'aborted',
    tokens: abortedTokens,
    sources: [],
    pictures: 0,
    half: { ...half, side: 'output' },
    synthetic: true,
    ...(keepItems ? { item } : {}),
    ...(turn === undefined ? {} : { turn }),
  }
}

/** The other half by index; of several outputs of a call the first. */
function partners(entries: readonly Entry[]): Map<number, number> {
  const open = new Map<string, number>()
  const partner = new Map<number, number>()
  for (const [index, { half }] of entries.entries()) if (half?.side === 'call') open.set(keyOf(half), index)
  for (const [index, { half }] of entries.entries()) {
    const call = half?.side === 'output' ? open.get(keyOf(half)) : undefined
    if (call === undefined) continue
    partner.set(index, call)
    if (!partner.has(call)) partner.set(call, index)
  }
  return partner
}
