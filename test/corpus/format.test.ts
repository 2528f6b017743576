/**
 * The list of known fields and words contains everything that genuine versions of Codex wrote, especially the newest.
 */
import { expect, it } from 'vitest'
import { findUnknown } from '../../src/features/audit/unknown.ts'
import { describeWithCorpus } from '../helpers/corpus.ts'
import { everySession, quietHost } from '../helpers/surroundings.ts'

describeWithCorpus('the format of a home from a genuine Codex', ({ homes, lived }) => {
  it.each([...homes, ...lived])('is known field by field: $name', async ({ path }) => {
    const { rows, failed, records } = await findUnknown({ ...everySession, homes: [{ path }] }, quietHost())
    expect({ rows, failed }).toEqual({ rows: [], failed: 0 })
    expect(records).toBeGreaterThan(0)
  })
})
