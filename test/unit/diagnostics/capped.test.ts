import { expect, test } from 'vitest'
import { cappedDiagnostics, diagnostic } from '../../../src/diagnostics/codes.ts'

const listed = (lines: number) => {
  const found = cappedDiagnostics(3)
  for (let line = 1; line <= lines; line++) found.add(diagnostic('damaged-line', { file: 'a.jsonl', line }))
  found.add(diagnostic('empty-file', { file: 'b.jsonl' }))
  return found.list().map(({ ruleId, file, line }) => [ruleId, file, line])
}

test('a few diagnostics are listed as they are', () => {
  expect(listed(3)).toEqual([
    ['damaged-line', 'a.jsonl', 1],
    ['damaged-line', 'a.jsonl', 2],
    ['damaged-line', 'a.jsonl', 3],
    ['empty-file', 'b.jsonl', undefined],
  ])
})

test('of many diagnostics the first are kept, and one says how many more there were', () => {
  expect(listed(1000).at(-1)).toEqual(['damaged-line', 'a.jsonl', undefined])
  expect(listed(1000)).toHaveLength(5)
  const found = cappedDiagnostics(1)
  for (const line of [1, 2, 3]) found.add(diagnostic('damaged-line', { file: 'a.jsonl', line }))
  expect(found.list().at(-1)?.message).toMatch(/ 2 more of this kind in this session are not listed\.$/)
})
