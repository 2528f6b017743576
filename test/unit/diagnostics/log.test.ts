import { expect, test } from 'vitest'
import { logLines } from '../../../src/cli/log.ts'
import { type Diagnostic, diagnostic } from '../../../src/diagnostics/codes.ts'

function damaged(count: number): Diagnostic[] {
  return Array.from({ length: count }, (_, index) => diagnostic('damaged-line', { file: 'a.jsonl', line: index + 1 }))
}

test('an empty list gives no line', () => {
  expect(logLines([])).toEqual([])
})

test('a line names file, line, rule and message, and the last line sums up', () => {
  expect(logLines([diagnostic('damaged-line', { file: 'a.jsonl', line: 3 })])).toEqual([
    'a.jsonl:3 damaged-line A line is not JSON; it is counted as damaged.',
    '1 warning',
  ])
})

test('at most twenty lines of a rule are shown, and the others are counted', () => {
  const empty = diagnostic('empty-file', { file: 'z.jsonl' })
  expect(logLines(damaged(20))).toHaveLength(21)
  const lines = logLines([...damaged(25), empty], { report: 'build-report.json' })
  expect(lines).toHaveLength(23)
  expect(lines[19]).toMatch(/^a\.jsonl:20 /)
  expect(lines.slice(20)).toEqual([
    'z.jsonl empty-file A rollout contains no records.',
    'damaged-line … and 5 more (see build-report.json)',
    '26 warnings',
  ])
  expect(logLines(damaged(21))).toContain('damaged-line … and 1 more')
})

test('notes are only counted, by rule', () => {
  const list = [
    diagnostic('orphan-output', { file: 'a.jsonl', line: 3 }),
    diagnostic('orphan-output', { file: 'a.jsonl', line: 4 }),
    diagnostic('missing-parent', { file: 'a.jsonl', line: 9 }),
    diagnostic('unreadable-file', { file: 'b.jsonl' }),
  ]
  expect(logLines(list)).toEqual([
    'b.jsonl unreadable-file A file could not be read.',
    '1 error, 3 notes (missing-parent 1, orphan-output 2)',
  ])
})

test('a file name cannot move the cursor or reorder the line', () => {
  const [line] = logLines([diagnostic('empty-file', { file: 'a\u001b[2J\u202eb\n.jsonl' })])
  expect(line).toBe('a\\x1b[2J\\u{202e}b .jsonl empty-file A rollout contains no records.')
})

test('a rule has the colour of its level on a terminal with colours', () => {
  const item = diagnostic('damaged-line', { file: 'damaged-line.jsonl', line: 3 })
  const [plain] = logLines([item])
  const [line] = logLines([item], { colour: true })
  expect(line).toMatch(/^damaged-line\.jsonl:3 \x1b\[33mdamaged-line\x1b\[39m /)
  expect(line?.replace(/\x1b\[\d+m/g, '')).toBe(plain)
})
