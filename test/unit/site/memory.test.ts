/** What a build knows about thousands of sessions takes less memory than their objects. */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { Segment, Thread } from '../../../src/rollout/discover/rollout.ts'
import type { KeptScan } from '../../../src/site/cache/build-cache.ts'
import { JsonLines, textInMemory } from '../../../src/site/cache/cache-index.ts'
import { type CuratedThread, foldedThread, releaseThread, WaitingThreads } from '../../../src/site/curation.ts'
import { shownTexts } from '../../../src/survey/privacy.ts'
import type { ScanFacts } from '../../../src/transcript/summary.ts'
import { PackedTexts } from '../../../src/util/packed-texts.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Bytes in use after garbage collection, also outside the heap. */
function live(): number {
  // V8 of Node 26 frees what is outside the heap only as the next collection begins.
  for (let round = 0; round < 2; round++) collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const count = 4000

/** Facts of a session of eight prompts: 6 kB of objects. */
function factsOf(number: number): ScanFacts {
  const words = (place: number): string =>
    `Prompt ${place} of ${number}: ${'look at the orders of the shop '.repeat(3)}`
  const outline = Array.from({ length: 8 }, (_, place) => ({
    ...{ anchor: `l${place * 40 + number}`, page: 1, turn: place + 1 },
    ...{ text: words(place), at: `2026-01-01T10:0${place}:00.${number}Z` },
  }))
  return {
    ...{
      threadId: `id-${number}`,
      title: words(0),
      titleFrom: 'prompt',
      cwds: ['/home/ada/shop'],
      firstPrompt: words(0),
    },
    ...{ outline, pages: [], turns: 8, prompts: 8, lines: 300, bytes: 90_000, rolledBack: [] },
  }
}

function threadOf(number: number): CuratedThread {
  const thread = { id: `id-${number}`, archived: false, segments: [], duplicates: [] }
  const facts = factsOf(number)
  return { thread, facts: { ...facts, title: 'shown' }, raw: { thread, facts } }
}

function segmentOf(number: number): Segment {
  const rolloutId = `id-${number}`
  const place = { path: `/home/ada/.codex/sessions/${number}.jsonl`, name: `sessions/${number}.jsonl`, home: '' }
  const file = { ...place, archived: false, compression: 'none', format: 'lines', bytes: 1, mtimeMs: 1 } as const
  return { rolloutId, file, head: { generation: 'G3', threadId: rolloutId, idFrom: 'meta' } }
}

const noCache = { lastScan: () => undefined }

test('threads that wait for rendering keep their facts packed, and return them', () => {
  const waiting = new WaitingThreads(noCache)
  const before = live()
  const threads = Array.from({ length: count }, (_, number) => waiting.add(threadOf(number)))
  expect((live() - before) / count).toBeLessThan(1500)
  for (const [number, thread] of threads.entries()) {
    if (number % 97 === 0) expect([thread.thread, thread.facts, thread.raw]).toEqual(Object.values(threadOf(number)))
  }
})

test('facts of threads in the cache are read from there, with their shown texts', () => {
  const scans = new Map<string, KeptScan>()
  const waiting = new WaitingThreads({ lastScan: (id) => scans.get(id) })
  const threads = Array.from({ length: 20 }, (_, number) => {
    const { thread, facts, raw } = threadOf(number)
    const shown = { thread, facts: { ...facts, title: 'shown' } }
    scans.set(thread.id, { facts: raw.facts, diagnostics: [], shown: { plan: '', texts: shownTexts(raw, shown) } })
    return waiting.addKept({ thread, facts: shown.facts, raw })
  })
  for (const [number, thread] of threads.entries()) {
    const { thread: own, raw } = threadOf(number)
    expect([thread.thread, thread.raw, thread.facts]).toEqual([own, raw, { ...raw.facts, title: 'shown' }])
  }
  scans.delete('id-7')
  expect(() => threads[7]?.facts).toThrow('The cache lost what it had of session id-7')
})

test('facts of finished threads are released, and those of others stay', () => {
  const waiting = new WaitingThreads(noCache)
  const threads = Array.from({ length: 200 }, (_, number) => waiting.add(threadOf(number)))
  for (const thread of threads.slice(40)) releaseThread(thread)
  for (const [number, thread] of threads.entries()) {
    const whole = threadOf(number)
    expect(thread.thread.id).toBe(whole.thread.id)
    if (number < 40) expect([thread.thread, thread.facts, thread.raw]).toEqual(Object.values(whole))
    // Their blocks are released, except the one that other threads share, and the one that was never filled.
    if (number >= 64 && number < 192) expect(() => thread.facts).toThrow(SyntaxError)
  }
})

test('a thread that is replaced releases the facts that it had before', () => {
  const waiting = new WaitingThreads(noCache)
  const threads = Array.from({ length: 64 }, (_, number) => waiting.add(threadOf(number)))
  const folded = threads.map((thread) => waiting.replace(thread, foldedThread(thread)))
  for (const [number, thread] of threads.entries()) {
    expect(() => thread.facts).toThrow(SyntaxError)
    expect(folded[number]).toMatchObject({ facts: { threadId: `id-${number}`, title: 'shown' }, folded: true })
  }
  const plain = threadOf(1)
  expect(waiting.replace(plain, foldedThread(plain))).toEqual(foldedThread(plain))
})

test('of finished families, the segments of all their threads are released too', () => {
  const waiting = new WaitingThreads(noCache)
  const raw: Thread = { ...threadOf(1).thread, segments: [segmentOf(1)] }
  const shown: Thread = { ...raw, name: 'shown', segments: [segmentOf(1)] }
  const item = waiting.add({ ...threadOf(1), thread: shown, raw: { thread: raw, facts: factsOf(1) } })
  releaseThread(item)
  expect([raw, shown].map(({ segments }) => segments.length)).toEqual([1, 1])
  releaseThread(item, { withFiles: true })
  expect([raw, shown].map(({ id, segments }) => [id, segments])).toEqual(Array(2).fill(['id-1', []]))
})

test('entries that were set in a cache are kept packed and once, however often they are set', () => {
  const lines = new JsonLines()
  const before = live()
  for (let round = 0; round < 3; round++) {
    for (let number = 0; number < count; number++) lines.set(`scan ${number}`, { round, ...factsOf(number) })
  }
  expect((live() - before) / count).toBeLessThan(1200)
  expect(lines.get('scan 1234')).toEqual({ round: 2, ...factsOf(1234) })
  lines.delete('scan 0')
  const text = Buffer.concat(Array.from(lines.pieces(), (piece) => Buffer.from(piece))).toString()
  expect(Object.keys(JSON.parse(`{${text}}`))).toHaveLength(count - 1)
})

test('entries that were read from a cache are released once others are read, and are read again', () => {
  const lines = Array.from({ length: count }, (_, number) => `"${number}":${JSON.stringify(factsOf(number))}`)
  const read = new JsonLines({ text: textInMemory(Buffer.from(`${lines.join(',\n')}\n`)) })
  read.set('0', 'set')
  const before = live()
  for (const key of read.keys()) read.get(key)
  expect((live() - before) / count).toBeLessThan(100)
  expect([read.get('0'), read.get('1'), read.keys().next().value]).toEqual(['set', factsOf(1), '0'])
})

test('packed texts are returned in any order, from full blocks and from the open one', () => {
  const packed = new PackedTexts()
  const texts = Array.from({ length: 100 }, (_, number) => (number === 7 ? '' : `text ${number} ä 😀`))
  const places = texts.map((text) => packed.add(text))
  for (const step of [1, 37, 99]) {
    for (let at = 0; at < 100; at++) {
      const index = (at * step) % 100
      expect(packed.get(places[index] ?? -1)).toBe(texts[index])
    }
  }
  expect(packed.get(1000)).toBe('')
  // A block is released once all of its texts are; the open one stays.
  for (const place of places.slice(0, 31)) packed.release(place)
  expect(packed.get(places[0] ?? -1)).toBe(texts[0])
  packed.release(places[31] ?? -1)
  expect([0, 31, 32, 99].map((at) => packed.get(places[at] ?? -1))).toEqual(['', '', texts[32], texts[99]])
})
