import { expect, test } from 'vitest'
import { publishAll } from '../../../src/config/publication.ts'
import { diagnostic } from '../../../src/diagnostics/codes.ts'
import { addLines, type BuildReport, countLevel, reportText, sortDiagnostics } from '../../../src/site/report.ts'
import type { LineCounts } from '../../../src/transcript/trast.ts'
import { summary } from '../../helpers/summary.ts'
import { plainBuild } from '../../helpers/surroundings.ts'

function receipt(change: Partial<LineCounts>): LineCounts {
  return { total: 0, shown: 0, folded: 0, skipped: {}, unknown: {}, damaged: 0, ...change }
}

const found = [
  diagnostic('orphan-output', { file: 'b.jsonl', line: 4 }),
  diagnostic('damaged-line', { file: 'b.jsonl', line: 10 }),
  diagnostic('damaged-line', { file: 'b.jsonl', line: 9 }),
  diagnostic('bad-utf8', { file: 'b.jsonl', line: 9 }),
  diagnostic('empty-file', { file: 'a.jsonl' }),
  diagnostic('unreadable-folder', {}, 'Reason: EACCES.'),
]

test('diagnostics are in the order of file, line and rule, wherever they came from', () => {
  const order = (list: typeof found) => sortDiagnostics(list).map((item) => `${item.file}:${item.line} ${item.ruleId}`)
  expect(order(found)).toEqual([
    'undefined:undefined unreadable-folder',
    'a.jsonl:undefined empty-file',
    'b.jsonl:4 orphan-output',
    'b.jsonl:9 bad-utf8',
    'b.jsonl:9 damaged-line',
    'b.jsonl:10 damaged-line',
  ])
  expect(order(found.toReversed())).toEqual(order(found))
})

test('sorting does not change its input', () => {
  const before = [...found]
  sortDiagnostics(found)
  expect(found).toEqual(before)
})

test('diagnostics are counted by level', () => {
  expect(countLevel(found, 'warning')).toBe(4)
  expect(countLevel(found, 'info')).toBe(1)
  expect(countLevel(found, 'fatal')).toBe(1)
})

test('receipts add up and their kinds are in alphabetical order', () => {
  const sum = addLines([
    receipt({ total: 10, shown: 4, folded: 1, skipped: { token_count: 2, blank: 1 }, damaged: 2 }),
    receipt({ total: 5, shown: 1, skipped: { blank: 1 }, unknown: { 'event_msg/new': 3 } }),
  ])
  expect(sum).toEqual({
    total: 15,
    shown: 5,
    folded: 1,
    skipped: { blank: 2, token_count: 2 },
    unknown: { 'event_msg/new': 3 },
    damaged: 2,
  })
  expect(Object.keys(sum.skipped)).toEqual(['blank', 'token_count'])
  expect(addLines([])).toEqual(receipt({}))
})

test('a kind that is named like a property of every object is counted like others', () => {
  const skipped = JSON.parse('{"__proto__": 2, "constructor": 1}') as Record<string, number>
  const sum = addLines([receipt({ skipped }), receipt({ skipped })])
  expect(Object.entries(sum.skipped)).toEqual([
    ['__proto__', 4],
    ['constructor', 2],
  ])
})

test('a report has the same bytes for the same facts in any order', () => {
  const { visibility } = publishAll
  const personal = { home: true, names: true, emails: false, roots: [] }
  const options = plainBuild({ generator: 'codex-export 1.2.3' })
  const counts = { homes: [{ sessions: 2 }], failed: 1, pages: 9, files: 3 }
  const facts = {
    ...{ generator: 'codex-export 1.2.3', redacted: true, personal, visibility },
    ...{ sessions: 2, ...counts },
  }
  const sessionOf = (lines: LineCounts) => ({ key: '', summaryKey: '', search: [], summary: summary({ lines }) })
  const one = sessionOf(receipt({ total: 3, skipped: { blank: 3 } }))
  const two = sessionOf(receipt({ total: 2, shown: 2 }))
  const text = reportText({ options, ...counts, sessions: [one, two], diagnostics: found })
  const report = JSON.parse(text) as BuildReport
  const [first, ...others] = found
  if (first === undefined) throw new Error('no diagnostic')
  const { message, level, ruleId, ...place } = first
  const shuffled = [...others, { message, ...place, level, ruleId }]
  expect(reportText({ options, ...counts, sessions: [two, one], diagnostics: shuffled })).toBe(text)
  expect(report).toMatchObject({
    schema: 'codex-export/build-report',
    version: 1,
    ...facts,
    lines: { total: 5, shown: 2, skipped: { blank: 3 } },
    counts: { 'bad-utf8': 1, 'damaged-line': 2, 'empty-file': 1, 'orphan-output': 1, 'unreadable-folder': 1 },
  })
  expect(report.diagnostics[0]).toEqual({
    ruleId: 'unreadable-folder',
    level: 'fatal',
    message: 'A folder could not be read. Reason: EACCES.',
  })
})

test('a name from a session cannot control the terminal of somebody who reads the report', () => {
  const message = 'A record of kind `\u009B2J\u202Ekind\u2066`.'
  const input = { options: plainBuild(), files: 1, sessions: [], failed: 0, pages: 0, homes: [] }
  const text = reportText({ ...input, diagnostics: [{ ...diagnostic('unknown-record', {}), message }] })
  expect(text).not.toMatch(/[\p{Cf}\u0080-\u009F]/u)
  expect(JSON.parse(text).diagnostics[0].message).toBe(message)
})
