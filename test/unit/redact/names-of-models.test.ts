/** Names of models and versions are texts like any other, and may contain a secret. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { list } from '../../../src/cli/list-sessions.ts'
import { context } from '../../../src/features/memory/context.ts'
import { noise } from '../../helpers/planted.ts'
import * as r from '../../helpers/records.ts'
import { writeHome } from '../../helpers/show.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { everySession, quietHost } from '../../helpers/surroundings.ts'
import { useTempDir } from '../../helpers/temp.ts'

const id = threadNumber(1)
const token = ['gh', 'p_', noise(301, 36)].join('')
const known = `${noise(302, 15)}4`

test('secrets in names of models and versions appear neither in lists nor in the memory', async () => {
  const home = writeHome(useTempDir(), {
    [id]: [
      r.meta({ id, timestamp: r.instant(0), cli_version: `0.140.0-${known}` }),
      r.turnContext({ cwd: '/w', model: `own-${token}` }),
      r.userItem('Hello'),
      ...r.command('c1', 'env', 0, `DB_PASSWORD=${known}\n`),
    ],
  })
  const host = quietHost({ homeDir: '/home/ada' })
  const { rows } = await list({ homes: [{ path: home }], ...everySession }, host)
  expect(rows[0]?.model).toBe('own-[redacted:github-token]')
  const { memory } = await context(
    { homes: [{ path: home }], target: id, targetPath: join(home, id), at: undefined },
    host,
  )
  expect(memory.model).toBe('own-[redacted:github-token]')
  expect(memory.codex).toBe('0.140.0-[redacted:named-secret]')
})
