import { expect, test } from 'vitest'
import { advised, planNamed } from '../../../../src/features/memory/edit/plan.ts'
import { openMask } from '../../../../src/features/memory/edit/selector.ts'

import type { History } from '../../../../src/features/memory/history/history.ts'
import { memoryOf } from '../../../helpers/memory.ts'

const memory = memoryOf([
  { category: 'environmentContext' },
  { turn: 1 },
  { category: 'reasoning', turn: 1, tokens: 1200 },
  { category: 'reasoning', turn: 1, tokens: 34 },
  { turn: 2 },
])

function notes(exclude: number[], change: Partial<History> = {}, version = '0.146.0'): string[] {
  const history = { ...memory, ...change }
  const named = { delete: [], exclude, replace: [], include: [], text: '' }
  return advised(planNamed(history, openMask, named), history, version).notes
}

test.each(['gpt-5', 'gpt-5-codex', 'gpt-5.1-codex-max', 'gpt-5.5'])(
  'excluding the reasoning of finished turns saves nothing for %s',
  (model) => {
    expect(notes([3, 4], { model })).toEqual([
      `\`${model}\` drops the reasoning of finished turns by itself: removing items 3-4 saves nothing in the window.`,
    ])
    expect(notes([5], { model })).toEqual([])
  },
)

test('excluding reasoning saves tokens if recorded counts show that the model keeps it', () => {
  expect(notes([3], { model: 'gpt-5.5', reasoningKept: true })).toEqual([])
  expect(notes([3], { model: 'gpt-5.6-sol', reasoningKept: false })[0]).toContain('removing item 3 saves nothing')
  expect(notes([3], {})[0]).toContain('The model drops the reasoning')
})

test.each([
  ['0.61.0', 0],
  ['0.72.0', 1],
  ['0.98.0', 1],
  ['0.105.0', 0],
  ['0.169.0', 0],
])('a session of Codex %s without its first prompt is missing from lists: %s note', (version, count) => {
  expect(notes([2], {}, version)).toHaveLength(count)
  expect(notes([5], {}, version)).toEqual([])
})

test.each([
  ['0.77.0', 0],
  ['0.89.1', 1],
  ['0.98.0', 1],
  ['0.105.0', 0],
])('excluding context that Codex %s sends again is not worth it: %s note', (version, count) => {
  const found = notes([1], {}, version)
  expect(found).toHaveLength(count)
  for (const note of found) expect(note).toContain(`Codex ${version} sends its context again`)
})
