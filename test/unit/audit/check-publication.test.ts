/** A check of sessions looks only at what would be published. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { CheckOptions } from '../../../src/features/audit/check.ts'
import { check } from '../../../src/features/audit/check.ts'
import * as r from '../../helpers/records.ts'
import { threadId } from '../../helpers/rollout.ts'
import { publicationWith, writeSession } from '../../helpers/site-build.ts'
import { everySession, quietHost } from '../../helpers/surroundings.ts'
import { useTempDir } from '../../helpers/temp.ts'

const token = `ghp_${'A1b2C3d4E5f6G7h8I9j0'.repeat(2).slice(0, 36)}`

/** Rules of the findings in a session that printed a token. */
async function findings(change: Partial<CheckOptions> = {}): Promise<string[]> {
  const folder = useTempDir()
  writeSession(folder, threadId(1), [r.userItem('Show it'), ...r.command('c', 'cat key', 0, `${token}\n`)])
  const result = await check(
    {
      homes: [{ path: join(folder, 'home') }],
      ...everySession,
      plugins: [],
      ...change,
    },
    quietHost({ homeDir: '/home/ada' }),
  )
  return result.findings.filter(({ level }) => level !== 'info').map(({ ruleId }) => ruleId)
}

it('a check finds a secret in an output that is published', async () => {
  expect(await findings()).toHaveLength(1)
})

it('a check finds no secret in what is omitted by kind, by selection, or with its session', async () => {
  expect(await findings({ publication: publicationWith({}, { toolOutput: 'omit' }) })).toEqual([])
  expect(await findings({ publication: publicationWith({ [threadId(1)]: { exclude: ['turn:1'] } }) })).toEqual([])
  expect(await findings({ publication: publicationWith({ [threadId(1)]: { hidden: true } }) })).toEqual([])
})
