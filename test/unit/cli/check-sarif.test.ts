import { expect, test } from 'vitest'
import { type Diagnostic, diagnostic } from '../../../src/diagnostics/codes.ts'
import { type Finding, finding } from '../../../src/diagnostics/finding.ts'
import { checkSarif } from '../../../src/features/audit/sarif.ts'
import { sarifFaults } from '../../helpers/sarif.ts'

interface Result {
  ruleId: string
  level: string
  message: { text: string }
  locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[]
  partialFingerprints: Record<string, string>
  properties: Record<string, unknown>
  occurrenceCount?: number
}

function sarif(findings: readonly Finding[], diagnostics: readonly Diagnostic[] = []): string {
  return checkSarif({ version: '1.2.3', subject: 'site', findings, diagnostics })
}

function runOf(text: string): {
  results: Result[]
  invocations: { toolExecutionNotifications: { message: { text: string } }[] }[]
} {
  return JSON.parse(text).runs[0]
}

const secret = finding('secret/github-token', { file: 'sessions/a b/index.html', line: 7, place: 'l3', session: 'a b' })

test('a log of all kinds of findings is valid', () => {
  const text = sarif(
    [
      secret,
      finding('personal/email', { file: 'a.md', count: 3 }),
      finding('broken-link', { file: 'index.html' }, '`x`.'),
    ],
    [
      diagnostic('damaged-line', { file: 'sessions/x.jsonl', line: 4 }),
      diagnostic('unreadable-folder', {}, 'Reason: x.'),
    ],
  )
  expect(sarifFaults(text)).toEqual([])
})

test('a log without findings is valid too', () => {
  expect(sarifFaults(sarif([]))).toEqual([])
})

test('the validator reports each fault', () => {
  const broken = sarif([secret])
    .replace('"2.1.0"', '"2.0.0"')
    .replace('"startLine": 7', '"startLine": 0')
    .replace('a%20b', 'a b')
    .replace('"ruleIndex": 0', '"ruleIndex": 4')
  expect(sarifFaults(broken)).toHaveLength(4)
})

test('a result has its file as a relative address with a line, and names the session', () => {
  const [result] = runOf(sarif([secret])).results
  expect(result?.locations[0]?.physicalLocation).toEqual({
    artifactLocation: { uri: 'sessions/a%20b/index.html' },
    region: { startLine: 7 },
  })
  expect(result).toMatchObject({ level: 'warning', properties: { session: 'a b', place: 'l3' } })
})

test('a diagnostic without a file is a notification, because results need a place', () => {
  const run = runOf(sarif([], [diagnostic('unreadable-folder', {}, 'Reason: permission denied.')]))
  expect(run.results).toEqual([])
  expect(run.invocations[0]?.toolExecutionNotifications[0]?.message.text).toContain('permission denied')
})

test('fingerprints differ by place, and stay if other findings are added or lines move', () => {
  const second = { ...secret, place: 'l9' }
  const prints = (findings: readonly Finding[]): string[] =>
    runOf(sarif(findings)).results.flatMap(({ partialFingerprints }) => Object.values(partialFingerprints))
  const [first, other, again] = prints([secret, second, secret])
  expect(new Set([first, other, again]).size).toBe(3)
  expect(prints([{ ...secret, line: 90 }])).toEqual([first])
  expect(prints([finding('weak-referrer', { file: 'a.html' }), secret])).toContain(first)
})

test('of more than 5,000 results the worst stay, and the number of the others is reported', () => {
  const notes = Array.from({ length: 6000 }, (_, line) => finding('personal/email', { file: 'a.md', line: line + 1 }))
  const run = runOf(sarif([...notes, secret]))
  expect(sarifFaults(sarif([...notes, secret]))).toEqual([])
  expect(run.results[0]?.ruleId).toBe('secret/github-token')
  expect(run.invocations[0]?.toolExecutionNotifications[0]?.message.text).toMatch(/^1001 further results/)
})
