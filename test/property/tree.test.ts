/** Whatever happened in a thread: each message once, each id once, each line once. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizer } from '../../src/transcript/preset.ts'
import type { Session, TrastNode } from '../../src/transcript/trast.ts'
import {
  conversation,
  type Style,
  pageSizes as sizes,
  styles,
  type TurnScript,
  torn,
  write,
} from '../helpers/conversation.ts'
import type { Json } from '../helpers/records.ts'
import { all, dialogue, nodesOf, receiptSum, runValues } from '../helpers/slice.ts'
import { useTempDir } from '../helpers/temp.ts'
import { transcribePages } from '../helpers/thread.ts'

const style = fc.constantFrom<Style>(...styles)

/** Between the two prompts are only settings and tokens: settings may lead the second turn, the tokens are of the first. */
const tokensBeforePrompt: TurnScript[] = [
  { prompt: 'go on', sides: 'both', steps: [{ type: 'tokens', amount: 1 }], end: 'complete' },
  { prompt: 'go on', sides: 'both', steps: [], end: 'aborted' },
]

describe('a conversation, written by any build', () => {
  test('is shown once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, style, async (turns, how) => {
        const { values, dialogue: expected } = write(turns, how)
        const { tree } = await runValues(values)
        expect(dialogue(tree)).toEqual(expected)
        expect(all(tree, 'turn')).toHaveLength(turns.length)
      }),
      { numRuns: 40 },
    )
  })

  test('is shown once even if messages are missing from or swapped between the two logs', async () => {
    await fc.assert(
      fc.asyncProperty(torn, fc.constantFrom<Style>('G2-implicit', 'G2-explicit', 'G3'), async (turns, how) => {
        const { values, dialogue: expected } = write(turns, how)
        const { tree } = await runValues(values)
        expect(dialogue(tree)).toEqual(expected)
      }),
      { numRuns: 40 },
    )
  })

  test('has each part of its reasoning once', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, style, async (turns, how) => {
        const { values } = write(turns, how)
        const { tree } = await runValues(values)
        const thoughts = all(tree, 'reasoning').flatMap(({ children }) => children.map(({ value }) => value))
        const expected = turns.flatMap(({ steps }) =>
          steps.flatMap((step) => (step.type === 'think' ? step.parts : [])),
        )
        expect(thoughts).toEqual(expected)
      }),
      { numRuns: 40 },
    )
  })

  test('is the same on many small pages as on one', async () => {
    const path = join(useTempDir(), 'rollout-2026-03-14T09-00-00-0198c0de-0000-7000-8000-000000000001.jsonl')
    await fc.assert(
      fc.asyncProperty(conversation, style, sizes, async (turns, how, pageSizes) => {
        const { values, dialogue: expected } = write(turns, how)
        writeFileSync(path, values.map((value) => `${JSON.stringify(value)}\n`).join(''))
        const whole = await transcribePages(path)
        const pages = await transcribePages(path, pageSizes)
        expect(pages.slices.flatMap(dialogue)).toEqual(expected)
        expect(pages.slices.flatMap(work)).toEqual(whole.slices.flatMap(work))
        expect(pages.slices.flatMap(states)).toEqual(expectedStates(pages.slices, whole.slices))
        expect(pages.slices.flatMap(thoughts)).toEqual(whole.slices.flatMap(thoughts))
        expect(receiptSum(pages.session.stats.lines)).toBe(pages.session.stats.lines.total)
        expect({ ...pages.session.stats, lines: undefined }).toEqual({ ...whole.session.stats, lines: undefined })
        expect(pages.session.stats.turns).toBe(pages.facts.turns)
        expectUniqueIds(pages.slices.flatMap((slice) => nodesOf(slice).slice(1)))
      }),
      { numRuns: 40, examples: [[tokensBeforePrompt, 'G2-batch', { weight: 200, items: 1, bytes: 100, lines: 1 }]] },
    )
  })
})

/** What was done, without ids and without the groups that pages make. */
function work(tree: TrastNode): unknown[] {
  return nodesOf(tree).flatMap((node) => {
    if (node.type === 'command')
      return [
        [node.script, node.exitCode, node.status, node.children.map((child) => ('value' in child ? child.value : ''))],
      ]
    if (node.type === 'fileChange') return [[node.path, node.added]]
    if (node.type === 'image') return [[node.asset]]
    return node.type === 'planStep' ? [[node.value]] : []
  })
}

function thoughts(tree: TrastNode): string[] {
  return all(tree, 'reasoning').flatMap(({ children }) => children.map(({ value }) => value))
}

/** Number and status of every turn, once for each page. */
function states(tree: TrastNode): [number, string][] {
  return all(tree, 'turn').map(({ number, status }) => [number, status])
}

/** What `states` of pages must be: a turn has the same status on every page. */
function expectedStates(pages: Session[], whole: Session[]): [number, string][] {
  const known = new Map(whole.flatMap(states))
  return pages.flatMap(states).map(([number]) => [number, known.get(number) ?? 'no such turn'])
}

function expectUniqueIds(nodes: readonly { id: string }[]): void {
  const seen = new Map<string, number>()
  for (const { id } of nodes) seen.set(id, (seen.get(id) ?? 0) + 1)
  expect([...seen].filter(([, count]) => count > 1)).toEqual([])
}

/** Lines as they were, and as damage, other tools and other builds leave them. */
const mutation = fc.record({
  shuffle: fc.boolean(),
  keys: fc.array(fc.nat(), { minLength: 1, maxLength: 60 }),
  drop: fc.array(fc.nat({ max: 200 }), { maxLength: 10 }),
  repeat: fc.array(fc.nat({ max: 200 }), { maxLength: 10 }),
  replace: fc.array(fc.tuple(fc.nat({ max: 200 }), fc.anything({ withNullPrototype: false })), { maxLength: 6 }),
})

function mutate(
  values: readonly Json[],
  { shuffle, keys, drop, repeat, replace }: typeof mutation extends fc.Arbitrary<infer T> ? T : never,
): unknown[] {
  let list: unknown[] = values.filter((_, index) => !drop.includes(index))
  list = list.flatMap((value, index) => (repeat.includes(index) ? [value, value] : [value]))
  for (const [index, value] of replace) {
    const at = index % (list.length + 1)
    list[at] = deform(list[at], value)
  }
  if (shuffle) {
    const key = (index: number): number => keys[index % keys.length] ?? 0
    list = list
      .map((value, index) => ({ value, key: key(index) }))
      .sort((a, b) => a.key - b.key)
      .map(({ value }) => value)
  }
  return list
}

/** Puts a strange value into a field of a record. */
function deform(record: unknown, value: unknown): unknown {
  // Only what JSON can represent reaches the parser.
  const plain: unknown = JSON.parse(JSON.stringify(value) ?? 'null')
  if (typeof record !== 'object' || record === null || !('payload' in record)) return plain
  const payload = record.payload as Json
  const keys = Object.keys(payload)
  const key = keys[JSON.stringify(plain).length % Math.max(1, keys.length)]
  return key === undefined ? plain : { ...record, payload: { ...payload, [key]: plain } }
}

describe('records that were lost, repeated, deformed and shuffled', () => {
  test('make a sound tree', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, style, mutation, async (turns, how, change) => {
        const values = mutate(write(turns, how).values, change)
        const { tree, slice } = await runValues(values)
        expect(slice.lines.total).toBe(values.length)
        expect(receiptSum(slice.lines)).toBe(slice.lines.total)
        expect(JSON.parse(JSON.stringify(tree))).toStrictEqual(tree)
        expectUniqueIds(nodesOf(tree).slice(1))
      }),
      { numRuns: 100 },
    )
  })

  test('make the same tree when the plugins run twice', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, style, mutation, async (turns, how, change) => {
        const { tree, file } = await runValues(mutate(write(turns, how).values, change))
        const before = structuredClone(tree)
        const again = await normalizer().run(tree, file)
        expect(again).toEqual(before)
      }),
      { numRuns: 40 },
    )
  })
})
