import { expect, test } from 'vitest'
import type { UnknownRow } from '../../../src/features/audit/unknown.ts'
import { recordsState } from '../../../src/features/setup/doctor-fs.ts'

const row: UnknownRow = { what: 'record', record: 'event_msg/sung', count: 1, versions: [] }
const report = { rows: [row], omitted: 0, failed: 0, records: 9 }

test('unknown kinds of records are named even if a session cannot be read', () => {
  const unknown =
    '1 kind or value of records that this version does not know: `codex-export check --unknown` lists them'
  const failed = '1 session cannot be read: `codex-export check` says why'
  expect(recordsState(report).text).toBe(unknown)
  expect(recordsState({ ...report, rows: [], failed: 1 })).toMatchObject({ state: 'advice', text: failed })
  expect(recordsState({ ...report, failed: 1 })).toMatchObject({ state: 'advice', text: `${unknown}; ${failed}` })
  expect(recordsState({ ...report, rows: [] })).toMatchObject({
    state: 'fine',
    text: 'all kinds of 9 records are known',
  })
})
