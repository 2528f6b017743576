/** An item of the memory while it is built. */

import { type Diagnostic, diagnostic } from '../../../diagnostics/codes.ts'
import { asArray, asObject, asString } from '../../../rollout/parse/decode.ts'
import { classifyPart, isImageWrapper, partKinds } from '../../../rollout/parse/prompt.ts'
import { defined, ownValue } from '../../../util/own.ts'
import type { MemoryCategory } from './categories.ts'
import { type Content, contentOf } from './content.ts'
import { estimateTokens } from './estimate.ts'
import type { MemorySource, ResponseItem, TokenSample } from './history.ts'
import { abortedOutput, type Half, halfOf, type MemoryRules } from './items.ts'
import { headOf } from './preview.ts'

/** One item, described; `item` itself is kept only if asked for. */
export interface Entry {
  category: MemoryCategory
  /** The beginning of its text, as recorded. */
  text: string
  tokens: number
  item?: ResponseItem
  sources: MemorySource[]
  turn?: number
  half?: Half
  pictures: number
  /** UTF-8 bytes of what the user said; they decide how much of it a compaction carries over. */
  bytes?: number
  /** Begins a turn, as rollbacks count them (rollout-format 6.3). */
  opens?: true
  /** For a message that begins a turn: the token counts recorded before it. */
  recorded?: { first: TokenSample; last: TokenSample }
  /** A fragment that Codex puts before a turn, and rolls back with it. */
  leads?: true
  /** A compaction carried it over, with its words only. */
  carried?: true
  /** A compaction made it again and put it at the head. */
  rebuilt?: true
  synthetic?: true
}

/** Options for describing items. */
export interface Describe {
  /** Keep the items themselves. */
  keepItems: boolean
  /** Rules of the build that wrote the records. */
  rules: MemoryRules
  /**
   * Keep at least this many items, and only totals of older ones, because no window holds tens of thousands. Absent: keep
   * all.
   */
  maxItems?: number
}

/** Where an item is. */
export interface SourceRef {
  source: MemorySource
  /** Number of the turn in its thread. */
  turn?: number
}

/** Describes an item. */
export function entryOf(
  item: ResponseItem,
  { source, turn }: SourceRef,
  { keepItems }: Pick<Describe, 'keepItems'>,
): Entry {
  const content = contentOf(item)
  const category = categoryOf(item)
  const half = halfOf(item)
  const said = item['role'] === 'user' && item['type'] === 'message'
  const opens = said && (category === 'userMessage' || category === 'compactionSummary' || isUserAction(content))
  const entry: Entry = {
    category,
    text: headOf(item, content),
    tokens: estimateTokens(content),
    sources: [source],
    pictures: content.pictures,
  }
  if (keepItems) entry.item = item
  if (turn !== undefined) entry.turn = turn
  if (half !== undefined) entry.half = half
  if (opens) {
    entry.opens = true
    entry.bytes = Buffer.byteLength(saidIn(content))
  }
  if ((said && !opens) || isTagged(item, content)) entry.leads = true
  return entry
}

/** Whether a message records what the user did in the program, such as a review. Codex counts it as a message of the user. */
function isUserAction({ texts: [first = ''] }: Content): boolean {
  return /^\s*<user_action>/i.test(first)
}

/** Whether a developer message contains a fragment that Codex recognises by its tag; others are not rolled back. */
function isTagged(item: ResponseItem, { texts }: Content): boolean {
  return item['role'] === 'developer' && texts.some((text) => /^\s*<[a-z][\w -]*>/i.test(text))
}

/** The words of a message, without the marks around its pictures. */
export function saidIn({ texts }: Content): string {
  return texts.filter((text) => !isImageWrapper(text)).join('')
}

const context: ReadonlySet<MemoryCategory> = new Set(['developer', 'userInstructions', 'environmentContext'])

/** Whether an item is context that Codex puts before a turn. */
export function isContext({ category }: Pick<Entry, 'category'>): boolean {
  return context.has(category)
}

// The category of an item, as in tables and plots.

const byType: Readonly<Record<string, MemoryCategory>> = {
  reasoning: 'reasoning',
  function_call: 'toolCall',
  custom_tool_call: 'toolCall',
  local_shell_call: 'toolCall',
  tool_search_call: 'toolCall',
  function_call_output: 'toolOutput',
  custom_tool_call_output: 'toolOutput',
  tool_search_output: 'toolOutput',
  web_search_call: 'webSearch',
  image_generation_call: 'image',
  agent_message: 'agentMessage',
  additional_tools: 'developer',
  compaction: 'compactionSummary',
  compaction_summary: 'compactionSummary',
  context_compaction: 'compactionSummary',
}

const byLabel: Readonly<Record<string, MemoryCategory>> = {
  Environment: 'environmentContext',
  Instructions: 'userInstructions',
  'Compaction summary': 'compactionSummary',
}

/** The category of an item. */
export function categoryOf(item: ResponseItem): MemoryCategory {
  const type = asString(item['type']) ?? ''
  if (type !== 'message') return ownValue(byType, type) ?? 'injected'
  if (item['role'] === 'assistant') return 'assistantMessage'
  return item['role'] === 'user' ? userCategory(item) : 'developer'
}

/**
 * The category of a user message. It is the user's if it contains anything typed, or nothing but pictures (rollout-format
 * 5.4).
 */
function userCategory(item: ResponseItem): MemoryCategory {
  const parts = typeof item['content'] === 'string' ? [{ text: item['content'] }] : asArray(item['content'])
  const kinds = partKinds(item, parts.length)
  const texts = parts.map((part, index) => {
    const text = asString(asObject(part)?.['text'])
    return text === undefined ? undefined : classifyPart(text, kinds[index])
  })
  if (texts.some((found) => found?.class === 'typed')) return 'userMessage'
  const injected = texts.find((found) => found?.class === 'injected')
  if (injected === undefined) return 'userMessage'
  return (injected.label === undefined ? undefined : byLabel[injected.label]) ?? 'injected'
}

// The invariants of the memory: each call has an output, and each output has a call.

/** Returns the file and line of a source, for diagnostics. */
export type Locate = (source: MemorySource | undefined) => { file?: string; line?: number }

/** Entries that meet the invariants; `partner` maps indices in `entries`. */
interface Paired {
  entries: Entry[]
  partner: ReadonlyMap<number, number>
  violations: Diagnostic[]
}

/** Tokens of the word `aborted`. */
const abortedTokens = 2

/** Adds `aborted` after each call without an output, and removes outputs without a call. */
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
    ...defined({ turn }),
  }
}

/** The index of the other half; for a call with several outputs, the first of them. */
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
