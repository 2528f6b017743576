import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ListResult, ListRow } from '../../../src/cli/list-rows.ts'
import { listTable } from '../../../src/cli/list-rows.ts'
import { textWidth } from '../../../src/util/columns.ts'

const shop: ListRow = {
  id: '0199a213-81c0-7800-8aa1-bbab2a035a53',
  startedAt: '2026-03-14T09:26:53.000Z',
  lastAt: '2026-03-14T11:02:10.000Z',
  archived: false,
  project: 'shop',
  cwds: ['/home/sam/code/shop'],
  branch: 'main',
  title: 'Make the cart survive a reload',
  firstPrompt: '\nThe cart is empty after a reload.\nPlease keep it.',
  lastPrompt: 'Thanks, commit it',
  turns: 12,
  lines: 3456,
  bytes: 1_048_576,
  files: ['sessions/2026/03/14/rollout-a.jsonl'],
}
const bare: ListRow = {
  id: '0199b000-0000-7000-8000-000000000001',
  archived: true,
  project: 'ドキュメント',
  cwds: [],
  title: '設定を説明する\u001b[2J',
  turns: 1,
  lines: 9,
  bytes: 812,
  files: ['archived_sessions/rollout-b.jsonl'],
}
const result: ListResult = { rows: [shop, bare], idLength: 8, failed: 0, places: [], found: 0 }

test('without a terminal every column is shown and aligned', () => {
  const { lines, leftOut } = listTable(result, 'UTC')
  expect(leftOut).toEqual([])
  expect(lines[0]).toBe(
    'ID        Start             Last activity     Project       Branch  Title                           ' +
      'First prompt                       Last prompt        Turns  Lines       Size  File',
  )
  expect(lines[1]).toBe(
    '0199a213  2026-03-14 09:26  2026-03-14 11:02  shop          main    Make the cart survive a reload  ' +
      'The cart is empty after a reload.  Thanks, commit it     12  3,456      1 MiB  sessions/2026/03/14/rollout-a.jsonl',
  )
  expect(lines[2]).toMatch(/^0199b000 {38}ドキュメント {10}設定を説明する\\x1b\[2J {2}/)
  const columnOf = (line: string, text: string): number => textWidth(line.slice(0, line.indexOf(text)))
  expect(columnOf(lines[2] ?? '', 'archived_sessions')).toBe(columnOf(lines[1] ?? '', 'sessions/2026'))
})

test('times are in the given time zone', () => {
  expect(listTable(result, 'Asia/Tokyo').lines[1]).toContain('2026-03-14 18:26')
})

test('eighty columns show what distinguishes sessions, and the omitted columns are named', () => {
  const { lines, leftOut } = listTable(result, 'UTC', 80)
  expect(lines[0]).toMatch(/^ID +Start +Project +Title +Turns$/)
  expect(leftOut).toContain('Branch')
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(80)
})

test('forty columns show titles rather than times', () => {
  const { lines, leftOut } = listTable(result, 'UTC', 40)
  expect(lines[0]).toBe('ID        Title')
  expect(lines[1]).toBe('0199a213  Make the cart survive a reload')
  expect(leftOut).toContain('Start')
  expect(listTable(result, 'UTC', 29).lines[0]).toMatch(/^ID +Start$/)
})

test('lines fit any width, and a wider terminal never shows fewer columns', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 80 })
  const rows = fc.array(
    fc.record({ title: text, firstPrompt: text, project: text }).map((change) => ({ ...shop, ...change })),
    { maxLength: 4 },
  )
  fc.assert(
    fc.property(rows, fc.integer({ min: 10, max: 300 }), (some, width) => {
      const table = listTable({ ...result, rows: some }, 'UTC', width)
      for (const line of table.lines) expect(textWidth(line)).toBeLessThanOrEqual(width)
      expect(table.lines).toHaveLength(some.length + 1)
      const wider = listTable({ ...result, rows: some }, 'UTC', width + 20)
      expect(wider.leftOut.length).toBeLessThanOrEqual(table.leftOut.length)
    }),
  )
})

test('columns are omitted before titles are cut', () => {
  const long = { ...shop, title: 'Make the cart survive a reload, and the wish list with it' }
  const table = (width: number): string => listTable({ ...result, rows: [long] }, 'UTC', width).lines[1] ?? ''
  expect(table(90)).toContain(long.title)
  expect(table(90)).not.toContain('shop')
  expect(table(130)).toMatch(/shop .*and the wish list with it/)
  // Narrower than id, time and title together.
  expect(table(60)).toMatch(/^0199a213 {2}2026-03-14 09:26 {2}Make the cart survive a.*…$/)
})

test('only the first line of a prompt is shown', () => {
  const text = listTable(result, 'UTC').lines.join('\n')
  expect(text).toContain('The cart is empty after a reload.')
  expect(text).not.toContain('Please keep it.')
})
