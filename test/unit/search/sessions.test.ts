import { expect, test } from 'vitest'
import { templatesFolder } from '../../../src/config/package-fs.ts'

const { passing, rowsOf } = await import(`${templatesFolder}assets/search-sessions.js`)

/** A session that goes on for days, one of an evening, and one without a time. */
const rows = rowsOf({
  sessions: [
    ['long', '2026-07-30 21:37', '2026-08-11', 'shop', [], '', '', [], 0, 0, ''],
    ['short', '2026-07-30 20:00', '2026-07-30', 'shop', [], '', '', [], 0, 0, ''],
    ['never', '', '', 'shop', [], '', '', [], 0, 0, ''],
  ],
})

const asked = (name: string, value: string) => ({ filters: {}, asked: { [name]: [{ value, isExcluded: false }] } })

test.each([
  ['after:2026-07-31', asked('after', '2026-07-31'), ['long']],
  ['after:2026-07', asked('after', '2026-07'), ['long', 'short']],
  ['before:2026-07-30', asked('before', '2026-07-30'), ['long', 'short']],
  ['before:2026-07-29', asked('before', '2026-07-29'), []],
  ['days of the form', { filters: { from: ['2026-08-01'], to: ['2026-08-02'] }, asked: {} }, ['long']],
])('%s is passed by sessions that were active then, as with `--since` and `--until`', (_, narrowing, ids) => {
  expect(passing(rows, narrowing).shown.map(({ id }: { id: string }) => id)).toEqual(ids)
})
