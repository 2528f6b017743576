/** A file without a head that a person named: its name becomes the id of the session, which occurs in addresses. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { list } from '../../../src/cli/list-sessions.ts'
import { features } from '../../../src/program.ts'
import { build } from '../../../src/site/build.ts'
import { noise } from '../../helpers/planted.ts'
import { textsBelow, wholeBuild } from '../../helpers/planted-site.ts'
import * as r from '../../helpers/records.ts'
import { everySession, quietHost } from '../../helpers/surroundings.ts'
import { useTempDir } from '../../helpers/temp.ts'

const token = (seed: number): string => ['gh', 'p_', noise(seed, 36)].join('')

test('secrets in names of files appear in no address, page or list', async () => {
  const folder = useTempDir()
  const home = join(folder, 'home')
  mkdirSync(join(home, 'sessions'), { recursive: true })
  for (const seed of [1, 2]) {
    const lines = r.envelopes([r.userItem('Hello there')]).map((record) => `${JSON.stringify(record)}\n`)
    writeFileSync(join(home, 'sessions', `debug-${token(seed)}.jsonl`), lines.join(''))
  }
  const reported: string[] = []
  const host = quietHost({ homeDir: folder, report: ({ ruleId }) => reported.push(ruleId) })

  const { sessions } = await build(wholeBuild(home, folder), host, features)
  const { rows } = await list({ homes: [{ path: home }], ...everySession }, host)

  expect(sessions).toBe(2)
  expect(new Set(reported)).toEqual(new Set(['missing-head']))
  expect(rows.map(({ id }) => id).sort()).toEqual([
    'sessions/debug-[redacted:github-token]',
    'sessions/debug-[redacted:github-token] (2)',
  ])
  const texts = textsBelow(join(folder, 'site')).flatMap(({ path, texts: own }) => [path, ...own])
  const said = [JSON.stringify(rows), ...texts].join('\n').toLowerCase()
  for (const seed of [1, 2]) expect(said).not.toContain(token(seed).slice(4, 16).toLowerCase())
})
