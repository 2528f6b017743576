/** The subtitle of a thread: the first sentence of its last answer. */
import { expect, test } from 'vitest'
import { firstSentence } from '../../../src/transcript/subtitle.ts'
import { onOneLine } from '../../../src/transcript/texts.ts'

test.each([
  ['The gate swings without a sound now. I oiled the hinge.', 'The gate swings without a sound now.'],
  ['Done. The gate is now closed and locked. It works.', 'Done. The gate is now closed and locked.'],
  [
    '**Summary**\n\n- Changed `gate.ts` to close, e.g. slowly. And more.\n- b',
    'Changed gate.ts to close, e.g. slowly.',
  ],
  ['# What I did\n\nI oiled the **hinge** of\n[the gate](/p/gate.ts:12)!\n\nMore', 'I oiled the hinge of the gate!'],
  ['I changed three things:\n\n1. The hinge is oiled.\n2. b', 'I changed three things: The hinge is oiled.'],
  ['```ts\nconst gate = open()\n```\nThe gate closes by itself.', 'The gate closes by itself.'],
  ['| a | b |\n|---|---|\n\nBoth tables are complete', 'Both tables are complete'],
  ['All 12 tests pass in v1.2.3 of the shop! Great', 'All 12 tests pass in v1.2.3 of the shop!'],
  ['已修复登录页面的错误，并添加了测试。现在可以使用。', '已修复登录页面的错误，并添加了测试。'],
  ['**“회의록”**을 고쳤고 시험도 모두 통과했다', '“회의록”을 고쳤고 시험도 모두 통과했다'],
  ['The name is snake\\_case, by rule \\[1\\] of it', 'The name is snake_case, by rule [1] of it'],
  ['Done.\n\nThe gate is now closed and locked.\n\nIt works.', 'Done. The gate is now closed and locked.'],
  ['找到了。\n\n已修复登录页面的错误，并添加了测试。', '找到了。 已修复登录页面的错误，并添加了测试。'],
  ['I oiled the hinge\n\nThe gate is locked.', 'I oiled the hinge'],
  ['## Only a heading here', 'Only a heading here'],
  [
    `I made -----${'BEGIN'} EC PRIVATE KEY-----\nMHcCAQEE\n-----${'END'} EC PRIVATE KEY----- for it. More`,
    'I made EC PRIVATE KEY for it.',
  ],
  ['Node 20 is maintained until April. \uE200cite\uE202turn0search0\uE201', 'Node 20 is maintained until April.'],
  ['<oai-mem-citation>\nx\n</oai-mem-citation>\nThe gate was painted green.', 'The gate was painted green.'],
])('the subtitle of %j is its first sentence', (answer, subtitle) => {
  expect(onOneLine(firstSentence(answer) ?? '')).toBe(subtitle)
})

test.each([
  'Done.',
  'OK',
  '完成。',
  'Done.\n\n- The gate is closed.',
  '',
  '{"a": "all of it is fine"}',
  '[{"x": 1}]',
  '```\nthe code of the gate\n```',
  'const gate = open();',
  '| a table | of words |',
  '-----',
  '1 2 3 4 5 6 7 8 9 10',
  '<div>a tag of the page</div>',
])('there is no subtitle of %j', (answer) => {
  expect(firstSentence(answer)).toBeUndefined()
})

test('a subtitle is cut at a word and has at most 120 characters', () => {
  const cut = firstSentence('word '.repeat(60)) ?? ''
  expect(cut.length).toBeLessThanOrEqual(120)
  expect(cut).toMatch(/word…$/)
})
