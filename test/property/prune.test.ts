/** Masks, pairs, and what is left on disk if a prune is killed at any moment. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRemembered, type PlannedItem, planNamed } from '../../src/features/memory/edit/plan.ts'
import {
  ascending,
  exclude,
  include,
  type Mask,
  openMask,
  shiftDeleted,
} from '../../src/features/memory/edit/selector.ts'
import { elementCuts, elementSpans } from '../../src/features/memory/edit/spans.ts'
import { removedBy, workingMemory } from '../../src/features/memory/edit/working.ts'
import { openSwap } from '../../src/features/memory/files/rollout-swap-fs.ts'
import type { OpenProbe } from '../../src/features/memory/open/open-state.ts'
import { type ItemSketch, memoryOf, pairAt } from '../helpers/memory.ts'
import { appendTo, jsonLines, type PruneHome, pruneHome } from '../helpers/prune.ts'
import * as records from '../helpers/records.ts'
import { threadId } from '../helpers/rollout.ts'

const indices = fc.array(fc.integer({ min: 1, max: 14 }), { maxLength: 5 })

/** Single items and pairs in any order, with outputs up to two items after their calls. */
const sketches: fc.Arbitrary<ItemSketch[]> = fc
  .array(fc.constantFrom('single', 'pair', 'nested', 'missing'), { maxLength: 6 })
  .map((kinds) => {
    const items: ItemSketch[] = []
    for (const kind of kinds) {
      const at = items.length + 1
      if (kind === 'single') items.push({})
      if (kind === 'pair') items.push(...pairAt(at))
      if (kind === 'nested') items.push({ pair: at + 2 }, { pair: at + 3 }, { pair: at }, { pair: at + 1 })
      if (kind === 'missing') items.push({ pair: at + 1 }, { pair: at, synthetic: true })
    }
    return items
  })

const step = fc.record({
  delete: indices,
  exclude: indices,
  replace: indices,
  include: indices,
  text: fc.constant('[gone]'),
})

test('no sequence of changes separates a pair, brings a deleted item back or changes another item', () => {
  fc.assert(
    fc.property(sketches, fc.array(step, { maxLength: 5 }), (items, steps) => {
      const whole = memoryOf(items)
      const deletedTexts = new Set<string>()
      let removed = removedBy([], { history: whole, unlisted: [] })
      for (const named of steps) {
        const memory = workingMemory(whole, removed)
        if (memory === undefined) throw new Error('a mask must fit the memory that it was made of')
        const plan = planNamed(memory.history, memory.mask, named)
        checkPairs(plan.items)
        for (const { item, state } of plan.items) {
          const text = JSON.stringify(item.item)
          expect(deletedTexts.has(text)).toBe(false)
          if (state === 'delete') deletedTexts.add(text)
        }
        removed = removedBy(plan.items, memory)
        const next = workingMemory(whole, removed)
        expect(next && ascending(next.mask)).toEqual(ascending(plan.mask))
        const left = plan.items.filter(({ state }) => state !== 'delete').map(({ item }) => item.item)
        expect(next?.history.items.map(({ item }) => item)).toEqual(left)
        const sums = next?.history.items.filter(({ included }) => included).map(({ tokens }) => tokens) ?? []
        expect(sums.reduce((sum, tokens) => sum + tokens, 0)).toBe(plan.after.tokens)
      }
    }),
  )
})

/** Both halves of a pair are kept, excluded or deleted. */
function checkPairs(items: readonly PlannedItem[]): void {
  for (const { item, state } of items) {
    const other = items[(item.pair ?? item.index) - 1]?.state ?? 'delete'
    expect([isRemembered(other), other === 'delete']).toEqual([isRemembered(state), state === 'delete'])
  }
}

test('masks obey their laws', () => {
  const sorted = (mask: Mask) => ascending(mask)
  fc.assert(
    fc.property(indices, indices, indices, (a, b, removed) => {
      const mask = exclude(openMask, a)
      expect(sorted(exclude(mask, a))).toEqual(sorted(mask))
      expect(sorted(exclude(exclude(openMask, a), b))).toEqual(sorted(exclude(exclude(openMask, b), a)))
      expect(sorted(include(exclude(mask, b), b))).toEqual(sorted(include(mask, b)))
      expect(sorted(include(mask, a))).toEqual([])
      // One by one, from the highest index down, is the same as all at once.
      const highestFirst = ascending(new Set(removed)).reverse()
      const oneByOne = highestFirst.reduce<Mask>((current, index) => shiftDeleted(current, [index]), mask)
      expect(sorted(oneByOne)).toEqual(sorted(shiftDeleted(mask, removed)))
    }),
  )
})

test('an array without some of its elements is the JSON of the other elements', () => {
  const spaced = (value: unknown, space: string) => JSON.stringify(value, undefined, space)
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 6 }),
      fc.array(fc.nat(5), { maxLength: 4 }),
      fc.constantFrom('', ' ', '\t'),
      fc.jsonValue({ maxDepth: 2 }),
      (list, removed, space, other) => {
        const bytes = Buffer.from(spaced({ other, payload: { before: other, list, list2: [1] } }, space))
        const elements = elementSpans(bytes, ['payload', 'list']) ?? []
        expect(elements).toHaveLength(list.length)
        const out = ascending(new Set(removed.filter((index) => index < list.length)))
        let [kept, from] = ['', 0]
        for (const { start, end } of elementCuts(elements, out)) {
          kept += bytes.toString('utf8', from, start)
          from = end
        }
        const left = list.filter((_, index) => !out.includes(index))
        const result = JSON.parse(kept + bytes.toString('utf8', from))
        expect(result).toEqual(
          JSON.parse(JSON.stringify({ other, payload: { before: other, list: left, list2: [1] } })),
        )
      },
    ),
  )
})

/** A session of random items, with an output for each call. */
const session = fc
  .array(fc.tuple(fc.constantFrom('prompt', 'answer', 'call', 'thought'), fc.string({ maxLength: 12 })), {
    maxLength: 8,
  })
  .map((items) => [
    records.meta({ id: threadId(1), timestamp: '2026-03-14T09:00:00.000Z', cwd: '/home/ada' }),
    ...items.flatMap(([kind, text], at) => {
      if (kind === 'prompt') return [records.userItem(`Ask ${text}`), records.userEvent(`Ask ${text}`)]
      if (kind === 'answer') return [records.answerItem(`Say ${text}`)]
      return kind === 'call'
        ? records.command(`call-${at}`, `echo ${text}`)
        : [records.reasoningItem([`Think ${text}`])]
    }),
  ])

const named = indices.map((list) => [String(list)])
const request = fc.record({ exclude: named, include: named, delete: named, replace: named })

test('after any prunes, including everything or restoring gives the previous bytes', async () => {
  await fc.assert(
    fc.asyncProperty(session, fc.array(request, { minLength: 1, maxLength: 3 }), async (values, requests) => {
      const folder = mkdtempSync(join(tmpdir(), 'codex-export-test-'))
      try {
        const home = pruneHome(folder, jsonLines(records.envelopes(values)))
        const before = home.read()
        let changed = false
        for (const asked of requests) changed = (await home.prune({ ...asked, inPlace: true })).plan.changes || changed
        const kept = new Set(before.split('\n'))
        for (const line of home.read().split('\n'))
          expect(kept.has(line) || line.includes('"output":"[output removed]"')).toBe(true)
        if (requests.every(({ delete: removed }) => removed.join('') === '')) {
          await home.prune({ include: ['1-99'], inPlace: true })
          expect(home.read()).toBe(before)
        }
        if (changed) await home.restore()
        expect(home.read()).toBe(before)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }),
    { numRuns: 20 },
  )
})

/** Nobody has anything open here, and asking the system each time would take long. */
const closed: OpenProbe = () => ({ kind: 'closed' })

/** The bytes of a rollout before a change, and what was said since. */
interface State {
  bytes: string
  since: string
}

/** Makes a step in the life of a session, and records the rollout before it. */
async function carryOut(
  step: 'turn' | 'restore' | Parameters<PruneHome['prune']>[0],
  home: PruneHome,
  states: State[],
): Promise<void> {
  const bytes = home.read()
  if (step === 'turn') {
    const more = records.envelopes([records.userItem(`Turn ${states.length}`), records.answerItem('Yes')], true)
    appendTo(home.path, more)
    for (const state of states) state.since += jsonLines(more)
    return
  }
  const isChanged =
    step === 'restore'
      ? (await home.restore({ force: true }).catch(() => ({ kept: undefined }))).kept !== undefined
      : (await home.prune({ ...step, inPlace: true })).written !== undefined
  if (isChanged) states.push({ bytes, since: '' })
}

test('undoing any prunes and restores goes through the same states, and keeps turns made in between', async () => {
  const steps = fc.oneof(
    { weight: 3, arbitrary: request },
    { weight: 1, arbitrary: fc.constant('restore' as const) },
    { weight: 1, arbitrary: fc.constant('turn' as const) },
  )
  await fc.assert(
    fc.asyncProperty(session, fc.array(steps, { minLength: 1, maxLength: 5 }), async (values, sequence) => {
      const folder = mkdtempSync(join(tmpdir(), 'codex-export-test-'))
      try {
        const home = pruneHome(folder, jsonLines(records.envelopes(values)))
        home.host.openProbe = closed
        const states: State[] = []
        for (const step of sequence) await carryOut(step, home, states)
        for (let state = states.pop(); state !== undefined; state = states.pop()) {
          await home.restore({ undo: true })
          expect(home.read()).toBe(state.bytes + state.since)
        }
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }),
    { numRuns: 15 },
  )
})

test('a kill at any moment of a swap leaves the old rollout or the new one, and only complete backups', () => {
  const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array))
  fc.assert(
    fc.property(bytes, bytes, fc.boolean(), fc.boolean(), (old, next, renamed, restorable) => {
      const folder = mkdtempSync(join(tmpdir(), 'codex-export-test-'))
      const copies: string[] = []
      const work = join(folder, 'work')
      const photograph = (): void => {
        const copy = join(folder, `killed-${copies.length}`)
        cpSync(work, copy, { recursive: true })
        copies.push(copy)
      }
      const slowly = function* (content: Buffer): Generator<Uint8Array> {
        for (let at = 0; at < content.length; at += 16) {
          photograph()
          yield content.subarray(at, at + 16)
        }
      }
      try {
        mkdirSync(work)
        const name = renamed ? 'rollout.jsonl.zst' : 'rollout.jsonl'
        writeFileSync(join(work, name), old)
        utimesSync(join(work, name), 1_700_000_000, 1_700_000_000)
        const swap = openSwap(join(work, name), { beforeStep: photograph, probe: closed })
        swap.draft(slowly(next))
        if (restorable) swap.backup(join(work, `${name}.bak`), slowly(old), swap.mtimeMs)
        swap.commit({ mtimeMs: swap.mtimeMs + 1, ...(renamed && { name: 'rollout.jsonl' }) })
        photograph()
        for (const copy of copies) checkKilled(copy, { name, old, next, restorable })
        const last = copies.at(-1) ?? work
        expect(readFileSync(join(last, 'rollout.jsonl'))).toEqual(next)
        expect(readdirSync(last)).toEqual(['rollout.jsonl', ...(restorable ? [`${name}.bak`] : [])].sort())
        expect(statSync(join(last, 'rollout.jsonl')).size).toBe(next.length)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }),
    { numRuns: 30 },
  )
})

interface Killed {
  name: string
  old: Buffer
  next: Buffer
  restorable: boolean
}

/** Codex reads the old bytes or the new ones, and if it reads the new ones, the old are in a backup. */
function checkKilled(folder: string, { name, old, next, restorable }: Killed): void {
  const names = readdirSync(folder).filter((file) => !file.startsWith('.'))
  // If a plain and a compressed rollout are side by side, Codex reads the plain one.
  const read = names.includes('rollout.jsonl') ? 'rollout.jsonl' : name
  const content = readFileSync(join(folder, read))
  const isNew = content.equals(next) && read === 'rollout.jsonl'
  if (!isNew) expect(content.equals(old)).toBe(true)
  const backup = names.find((file) => file.endsWith('.bak'))
  if (backup !== undefined) expect(readFileSync(join(folder, backup)).equals(old)).toBe(true)
  if (isNew && !content.equals(old) && restorable) expect(backup).toBeDefined()
  // And the next run can continue from there.
  const again = openSwap(join(folder, read), { probe: closed })
  again.draft([next])
  again.commit({ mtimeMs: again.mtimeMs })
  expect(readFileSync(join(folder, read)).equals(next)).toBe(true)
}
