/** Random forks and reverts, cut into small pages: every word is shown once, where it belongs. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findCopy } from '../../src/survey/copied-prefix.ts'
import type { Session, TrastNode } from '../../src/transcript/trast.ts'
import { writeFolder } from '../helpers/folder.ts'
import {
  answerEvent,
  answerItem,
  complete,
  event,
  type Json,
  meta,
  started,
  userEvent,
  userItem,
} from '../helpers/records.ts'
import { all, receiptSum, textOf } from '../helpers/slice.ts'
import { useTempDir } from '../helpers/temp.ts'
import { type Pages, pagesOf, threadsAt } from '../helpers/thread.ts'

const threadId = (number: number) => `019c000${number}-0000-7000-8000-00000000000${number}`
const rolloutId = (number: number) => `019c000${number}-0000-7000-8000-0000000000a${number}`
const name = (number: number, rest = '') =>
  `sessions/rollout-2026-03-14T09-0${number}-00-${threadId(number)}${rest}.jsonl`

/** A turn of a legacy file, with explicit borders or, as in old files, none. */
function turn(word: string, number: number, explicit: boolean): Json[] {
  // Own turns of the fork, from 100 on, are younger than the fork itself.
  const id = `019c000${number < 100 ? 1 : 3}-00${number.toString(16).padStart(2, '0')}-7000-8000-000000000000`
  const dialogue = [userItem(word), userEvent(word), answerEvent(`${word}!`), answerItem(`${word}!`)]
  return explicit ? [started(id), ...dialogue, complete(id)] : dialogue
}

const stamped = (records: readonly Json[], second: number, ordinal?: number): Json[] =>
  records.map((record, index) => ({
    timestamp: new Date(Date.UTC(2026, 2, 14, 9, 0, second)).toISOString(),
    ...(ordinal === undefined ? {} : { ordinal: ordinal + index }),
    ...record,
  }))
const text = (records: readonly Json[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** Typed prompts of all pages, inside or outside of certain nodes. */
function prompts(pages: Pages, within: (node: TrastNode) => boolean): { inside: string[]; outside: string[] } {
  const found: { inside: string[]; outside: string[] } = { inside: [], outside: [] }
  const visit = (node: TrastNode, inside: boolean): void => {
    const now = inside || within(node)
    if (node.type === 'message' && node.origin === 'typed') found[now ? 'inside' : 'outside'].push(textOf(node))
    else if ('children' in node) for (const child of node.children) visit(child, now)
  }
  for (const slice of pages.slices) visit(slice, false)
  return found
}

const linesAddUp = (session: Session) => expect(receiptSum(session.stats.lines)).toBe(session.stats.lines.total)

const sizes = fc.record({
  weight: fc.integer({ min: 500, max: 20_000 }),
  items: fc.integer({ min: 2, max: 60 }),
  bytes: fc.integer({ min: 1000, max: 50_000 }),
  lines: fc.integer({ min: 10, max: 200 }),
})

test("a fork shows its own turns and copies of its parent's, however both are cut", async () => {
  const forks = fc.record({
    turns: fc.integer({ min: 1, max: 6 }),
    copied: fc.integer({ min: 1, max: 6 }),
    own: fc.integer({ min: 0, max: 4 }),
    explicit: fc.boolean(),
    sizes,
  })
  await fc.assert(
    fc.asyncProperty(forks, async ({ turns, copied, own, explicit, sizes: pageSizes }) => {
      const kept = Math.min(turns, copied)
      const words = (count: number, word: string) => Array.from({ length: count }, (_, index) => `${word}${index}`)
      const shown = (list: readonly string[], from: number) =>
        list.flatMap((word, index) => turn(word, from + index, explicit))
      const parent = [meta({ id: threadId(1) }), ...shown(words(turns, 'old'), 0)]
      const copy = [meta({ id: threadId(1) }), ...shown(words(kept, 'old'), 0)]
      const ownTurns = shown(words(own, 'new'), 100)
      const home = useTempDir()
      const fork = [...stamped([meta({ id: threadId(2) })], 1), ...stamped(copy, 4), ...stamped(ownTurns, 4)]
      writeFolder(home, { [name(1)]: text(stamped(parent, 0)), [name(2)]: text(fork) })
      const [older, thread] = await threadsAt(home)
      if (older === undefined || thread === undefined) throw new Error('two threads were written')
      const found = await findCopy(thread, () => older.segments[0], { spoolDir: () => home })
      expect(found).toEqual({ from: 2, to: copy.length + 2, threadId: threadId(1) })
      const pages = await pagesOf({ ...thread, ...(found === undefined ? {} : { copied: found }) }, home, pageSizes)
      const { inside, outside } = prompts(pages, (node) => node.data?.inherited === true)
      expect({ inside, outside }).toEqual({ inside: words(kept, 'old'), outside: words(own, 'new') })
      expect(pages.session.stats).toMatchObject({ turns: own, messages: 2 * own })
      expect(pages.facts).toMatchObject({ turns: own, prompts: own })
      linesAddUp(pages.session)
    }),
    { numRuns: 30 },
  )
})

interface SegmentPlan {
  turns: number
  /** Turns that the next segment keeps; all of them in the last segment. */
  kept: number
  /** A record of another kind comes after the last turn. */
  late: boolean
  /** The next segment goes back to before the first turn, and names no base. */
  all: boolean
}

interface Reverted {
  files: Record<string, string>
  /** Prompts that were undone, and those that count. */
  expected: { inside: string[]; outside: string[] }
}

/** The files of a thread that was reverted at the end of each segment. */
function revert(plans: readonly SegmentPlan[], byOrdinal: boolean): Reverted {
  const made: Reverted = { files: {}, expected: { inside: [], outside: [] } }
  let base: Json = {}
  let ordinal = 0
  for (const [index, { turns, kept, late, all: back }] of plans.entries()) {
    const words = Array.from({ length: turns }, (_, number) => `s${index}t${number}`)
    const dialogue = words.map((word, number) => turn(word, 16 * index + number, true))
    const end = late ? [event('warning', {})] : []
    const head = meta({ id: threadId(1), history_mode: 'paginated', ...base })
    const records = stamped([head, ...dialogue.flat(), ...end], index, ordinal)
    const keptTurns = index === plans.length - 1 ? turns : kept
    const count = 1 + dialogue.slice(0, keptTurns).flat().length
    made.expected.outside.push(...words.slice(0, keptTurns))
    made.expected.inside.push(...words.slice(keptTurns))
    const [rollout, rest] = index === 0 ? [threadId(1), ''] : [rolloutId(index), `_${rolloutId(index)}`]
    made.files[name(1, rest).replace('09-01', `09-1${index}`)] = text(records)
    if (back && index < plans.length - 1) {
      made.expected.inside.push(...made.expected.outside.splice(0))
      base = {}
      ordinal = 0
      continue
    }
    ordinal += count
    // A byte offset inside a line, as after the file was rewritten, leaves the ordinal to go by.
    const endByte = Buffer.byteLength(text(records.slice(0, count))) - (byOrdinal ? 3 : 0)
    base = { history_base: { thread_id: rollout, end_ordinal_exclusive: ordinal, end_byte_offset: endByte } }
  }
  return made
}

test('a reverted thread shows what counts and, folded, what was undone', async () => {
  const segment = fc.record<SegmentPlan>({
    turns: fc.integer({ min: 1, max: 4 }),
    kept: fc.integer({ min: 0, max: 4 }),
    late: fc.boolean(),
    all: fc.boolean(),
  })
  const segments = fc.array(segment, { minLength: 2, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(segments, fc.boolean(), sizes, async (plans, byOrdinal, pageSizes) => {
      const { files, expected } = revert(plans, byOrdinal)
      const home = useTempDir()
      writeFolder(home, files)
      const [thread] = await threadsAt(home)
      if (thread === undefined) throw new Error('a thread was written')
      const pages = await pagesOf(thread, home, pageSizes)
      const shown = prompts(pages, (node) => node.type === 'group' && node.kind === 'rolledBack')
      expect({ ...shown, inside: shown.inside.sort() }).toEqual({ ...expected, inside: expected.inside.sort() })
      for (const { label, data } of pages.slices.flatMap((slice) => all(slice, 'group'))) {
        expect(label).toMatch(/undone by a revert$/)
        expect(data?.visibility).toBe('collapsed')
      }
      expect(pages.session.stats.turns).toBe(expected.outside.length)
      const { turns, rolledBack, prompts: said, title, firstPrompt, lastPrompt } = pages.facts
      expect(turns - rolledBack.length).toBe(expected.outside.length)
      const { outside } = expected
      expect({ said, title, firstPrompt, lastPrompt }).toEqual({
        said: outside.length,
        title: outside[0],
        firstPrompt: outside[0],
        lastPrompt: outside.at(-1),
      })
      linesAddUp(pages.session)
    }),
    { numRuns: 30 },
  )
})
