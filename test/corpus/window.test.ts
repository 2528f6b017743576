/** Tokens of the window, compared with every count that the sessions of real people record. */
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { type Built, memoryBuilder } from '../../src/features/memory/history/builder.ts'
import { sumOf, totalsOf } from '../../src/features/memory/history/categories.ts'
import { calibrated, calibrationOf } from '../../src/features/memory/history/estimate.ts'
import type { MemoryOutline } from '../../src/features/memory/history/history.ts'
import { rulesOf } from '../../src/features/memory/history/items.ts'
import {
  isWanted,
  type LineRef,
  locator,
  outlineOf,
  readMemory,
  turnCounter,
} from '../../src/features/memory/history/read.ts'
import { readRecord } from '../../src/features/memory/history/records.ts'
import { memoryCollector } from '../../src/features/memory/page/collector.ts'
import { findRoots } from '../../src/rollout/discover/homes-fs.ts'
import type { Thread } from '../../src/rollout/discover/rollout.ts'
import { scanWithLineage, type ThreadIndex, threadIndex } from '../../src/survey/lineage.ts'
import { survey } from '../../src/survey/survey.ts'
import { openThread } from '../../src/survey/thread-lines.ts'
import type { ScanFacts } from '../../src/transcript/summary.ts'
import { type CorpusHome, describeWithCorpus } from '../helpers/corpus.ts'
import { eachLine } from '../helpers/thread.ts'

const options = { spoolDir: () => tmpdir() }

/** Counts in the lines of a thread: of the first request of each turn, and the last one of all. */
interface RawCounts {
  /** The line before which the model had not answered in a turn, and the tokens of the request that it answered. */
  requests: { end: LineRef; input: number }[]
  /** Tokens of the last request and its answer, unless the memory was replaced since. */
  last?: number | undefined
}

interface RawUsage {
  input_tokens: number
  output_tokens: number
  total_tokens: number
}

interface RawPayload {
  type?: string
  role?: string
  info?: { last_token_usage?: RawUsage } | null
}

interface RawRecord {
  type?: string
  payload?: RawPayload
}

async function rawCounts(thread: Thread, { turnLines = [] }: ScanFacts): Promise<RawCounts> {
  const counts: RawCounts = { requests: [] }
  const starts = new Set(turnLines.map(([segment, line]) => `${segment}:${line}`))
  const take = countTaker(counts)
  const [reader] = await openThread(thread, options.spoolDir)
  if (reader !== undefined)
    eachLine(reader, (line) => {
      const place: LineRef = [line.segment, line.line]
      take((line.values().values[0] ?? {}) as RawRecord, place, starts.has(place.join(':')))
    })
  reader?.close()
  return counts
}

/** Takes the records of a thread in order. */
function countTaker(counts: RawCounts): (record: RawRecord, place: LineRef, starts: boolean) => void {
  let repeated = ''
  /** A turn without a request so far. Without an answer its prompt is still being written. */
  let turn: { prompted: boolean; answered?: LineRef } | undefined
  return ({ type, payload = {} }, place, starts) => {
    if (starts) turn = { prompted: false }
    if (type === 'compacted') [turn, counts.last] = [undefined, undefined]
    if (turn !== undefined && isPrompt(payload)) turn.prompted = true
    if (turn?.prompted && isAnswer(payload)) turn.answered ??= place
    const usage = countedIn(payload)
    if (usage === undefined) return
    counts.last = usage.total_tokens
    const key = `${usage.input_tokens} ${usage.total_tokens}`
    if (key !== repeated && turn?.answered !== undefined) {
      counts.requests.push({ end: turn.answered, input: usage.input_tokens })
      turn = undefined
    }
    repeated = key
  }
}

function isPrompt({ type, role }: RawPayload): boolean {
  return type === 'user_message' || role === 'user'
}

function isAnswer({ type = '', role }: RawPayload): boolean {
  return role === 'assistant' || /^(?:reasoning|agent_message|agent_reasoning|token_count)$|_call$/.test(type)
}

/** The tokens of a request. What Codex writes after a compaction or rollback is a guess and belongs to no request. */
function countedIn({ info }: RawPayload): RawUsage | undefined {
  const usage = info?.last_token_usage
  if (usage === undefined || usage.total_tokens === 0) return undefined
  return usage.input_tokens + usage.output_tokens < usage.total_tokens ? undefined : usage
}

async function memoryAt(thread: Thread, facts: ScanFacts, index: ThreadIndex, end?: LineRef): Promise<MemoryOutline> {
  const reading = { ...options, keepItems: false, ...(end === undefined ? {} : { end }) }
  const { built, head } = await readMemory({ thread, facts }, index, reading)
  return outlineOf(built, head)
}

function totalOf({ items, recorded, reasoningKept }: MemoryOutline): number | undefined {
  return recorded && calibrated(sumOf(totalsOf(items)).tokens, calibrationOf(recorded, reasoningKept))
}

/** Tokens of finished reasoning. */
function reasoningIn({ items, reasoningKept }: MemoryOutline): number {
  const reasoning = items.filter(({ category }) => category === 'reasoning' && !reasoningKept)
  return reasoning.reduce((sum, { tokens, outOfWindow }) => sum + (outOfWindow ? tokens : 1), 0)
}

/** What is estimated for the memory at the last recorded count, and that count. */
function anchorOf({ recorded, reasoningKept }: Pick<MemoryOutline, 'recorded' | 'reasoningKept'>): {
  predicted?: number
  recorded?: number
} {
  if (recorded === undefined) return {}
  const { estimated, reasoning = { recorded: 0, estimated: 0 } } = recorded.last
  const [thought, then] = reasoningKept ? [0, estimated] : [reasoning.recorded, estimated - reasoning.estimated]
  return {
    predicted: calibrated(then, calibrationOf(recorded, reasoningKept)),
    recorded: recorded.last.recorded - thought,
  }
}

/** Gets the memory that the records so far give, and the tokens of a count with the place of its line. */
type OnCount = (built: Built, counted: number, place: LineRef) => void

/** Reads a thread once and calls `onCount` at each of its counts. */
async function atEachCount(thread: Thread, facts: ScanFacts, onCount: OnCount): Promise<void> {
  const take = memoryTaker(thread, facts, onCount)
  const readers = await openThread(thread, options.spoolDir)
  for (const reader of readers) {
    eachLine(reader, (line) => {
      if (line.undone || !isWanted(line)) return
      for (const value of line.values().values) take(value, [line.segment, line.line])
    })
    reader.close()
  }
}

function memoryTaker(thread: Thread, facts: ScanFacts, onCount: OnCount): (value: unknown, place: LineRef) => void {
  const rules = rulesOf(thread.segments.at(-1)?.head.version)
  const builder = memoryBuilder({ keepItems: false, rules }, locator({ segments: [] }))
  const turnOf = turnCounter(facts)
  return (value, place) => {
    const [segment, line] = place
    const turn = turnOf(place)
    const record = readRecord(value)
    if (record !== undefined) builder.take(record, { source: { segment, line }, ...(turn === 0 ? {} : { turn }) })
    const usage = countedIn((value as RawRecord | null)?.payload ?? {})
    if (usage !== undefined) onCount(builder.built(), usage.total_tokens, place)
  }
}

/** The estimate for the next request on the page of a thread. */
async function totalOnPage(thread: Thread, facts: ScanFacts): Promise<number | undefined> {
  const collector = memoryCollector({ thread, facts, history: [], previews: true })
  const readers = await openThread(thread, options.spoolDir)
  for (const reader of readers) eachLine(reader, (line) => collector.line(line))
  for (const reader of readers) reader.close()
  return collector.facts(false)?.next
}

async function scanned(home: CorpusHome): Promise<{ thread: Thread; facts: ScanFacts; index: ThreadIndex }[]> {
  const { catalog } = await survey(findRoots([home.path], { env: {}, homeDir: home.path }), options)
  const index = threadIndex(catalog.threads)
  const found = []
  for (const thread of catalog.threads) {
    const { facts } = await scanWithLineage(thread, index, options)
    if (facts !== undefined && facts.base === undefined) found.push({ thread, facts, index })
  }
  return found
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

describeWithCorpus('the window of sessions of real people', ({ lived }) => {
  it.each(lived)('is what Codex counted last, without finished reasoning, even on the page: $name', async (home) => {
    let anchors = 0
    for (const { thread, facts, index } of await scanned(home)) {
      const memory = await memoryAt(thread, facts, index)
      const { last } = await rawCounts(thread, facts)
      if (last !== undefined && facts.rolledBack.length === 0) {
        expect(memory.recorded?.last.recorded, thread.id).toBe(last)
        anchors++
      }
      expect(reasoningIn(memory), thread.id).toBe(0)
      const page = await totalOnPage(thread, facts)
      if (page !== undefined) expect(page, thread.id).toBe(totalOf(memory))
      const { predicted, recorded } = anchorOf(memory)
      expect(predicted, thread.id).toBe(recorded)
    }
    expect(anchors).toBeGreaterThan(50)
  })

  it.each(lived)('is what Codex counted at each of its counts: $name', async (home) => {
    let anchors = 0
    const wrong: string[] = []
    for (const { thread, facts } of await scanned(home)) {
      await atEachCount(thread, facts, (built, counted, [segment, line]) => {
        anchors++
        const { predicted, recorded } = anchorOf(built)
        if (built.recorded?.last.recorded !== counted || predicted !== recorded)
          wrong.push(
            `${thread.id} ${segment}:${line}: ${predicted}, ${built.recorded?.last.recorded}, counted ${counted}`,
          )
      })
    }
    expect(wrong).toEqual([])
    expect(anchors).toBeGreaterThan(3500)
  })

  it.each(lived)(
    'is estimated before the next request within 0.5 % at the median and 3.1 % at p90: $name',
    async (home) => {
      const errors: number[] = []
      for (const { thread, facts, index } of await scanned(home)) {
        const { requests } = await rawCounts(thread, facts)
        for (const { end, input } of requests) {
          const total = totalOf(await memoryAt(thread, facts, index, end))
          if (total !== undefined) errors.push(Math.abs(total - input) / input)
        }
      }
      errors.sort((a, b) => a - b)
      expect(errors.length).toBeGreaterThan(300)
      expect(quantile(errors, 0.5)).toBeLessThan(0.005)
      expect(quantile(errors, 0.9)).toBeLessThan(0.031)
    },
  )
})
