import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PruneOptions } from '../../../src/features/memory/prune.ts'
import { appendTo, type PruneHome, pruneHome } from '../../helpers/prune.ts'
import * as records from '../../helpers/records.ts'
import { useTempDir } from '../../helpers/temp.ts'

/** Another turn, as Codex appends it. */
function turn(number: number): records.Json[] {
  const id = `turn-${number}`
  const values = [
    records.started(id),
    records.userItem(`Prompt ${number}`),
    ...records.command(`call-${number}0`, `echo ${number}`),
    records.answerItem(`Answer ${number}`),
    records.complete(id),
  ]
  return records.envelopes(values, false)
}

/** What each of the two commands lists. */
async function lists({ context, prune }: PruneHome) {
  const { memory } = await context()
  const { plan } = await prune()
  return {
    context: memory.items.map(({ index, category, preview, included }) => ({ index, category, preview, included })),
    prune: plan.items.map(({ item: { index, category, preview }, state }) => ({
      index,
      category,
      preview,
      included: state === 'included',
    })),
  }
}

test('excluded items keep their numbers in `context`, and are marked and not counted', async () => {
  const session = pruneHome(useTempDir())
  const whole = await session.context()
  const { plan } = await session.prune({ exclude: ['3', '7'], inPlace: true })
  const { memory, totals } = await session.context()
  expect(memory.items.map(({ index, preview }) => [index, preview])).toEqual(
    whole.memory.items.map(({ index, preview }) => [index, preview]),
  )
  expect(memory.items.filter(({ included }) => !included).map(({ index }) => index)).toEqual([3, 4, 7])
  const sums = Object.values(totals)
  expect(sums.reduce((sum, { items }) => sum + items, 0)).toBe(6)
  expect(sums.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(plan.after.tokens)
  expect(JSON.stringify(memory)).not.toContain('"item":')
})

test('an earlier moment has the marks, too', async () => {
  const session = pruneHome(useTempDir())
  await session.prune({ exclude: ['3', '8'], inPlace: true })
  const { memory, turns } = await session.context({ at: 1 })
  expect([turns, memory.turn]).toEqual([2, 1])
  expect(memory.items.map(({ index, included }) => `${index}${included ? '' : '-'}`)).toEqual([
    '1',
    '2',
    '3-',
    '4-',
    '5',
    '6',
    '7',
  ])
})

const step = fc.oneof(
  fc.record({
    kind: fc.constantFrom('exclude', 'include', 'delete'),
    items: fc.uniqueArray(fc.integer({ min: 1, max: 14 }), { minLength: 1, maxLength: 3 }),
  }),
  fc.constant({ kind: 'turn' as const, items: [] }),
)

test('`context` and `prune` list the same items after any prunes and new turns', async () => {
  const folder = useTempDir()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      const session = pruneHome(mkdtempSync(join(folder, 'run-')))
      for (const [number, { kind, items }] of steps.entries()) {
        if (kind === 'turn') appendTo(session.path, turn(number + 3))
        else {
          const change: Partial<PruneOptions> = { [kind]: items.map(String), inPlace: true }
          await session.prune(change)
        }
        const { context, prune } = await lists(session)
        expect(context).toEqual(prune)
      }
    }),
    { numRuns: 12 },
  )
})
