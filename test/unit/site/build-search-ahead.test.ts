/** When a build starts Pagefind. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { features } from '../../../src/program.ts'
// Imported before the build imports it, so that the build spends no time on it.
import 'pagefind'
import { expect, it, onTestFinished } from 'vitest'
import { build } from '../../../src/site/build.ts'
import type { BuildRunOptions } from '../../../src/site/stages-fs.ts'
import { type BuildOptions, type BuildResult, silent } from '../../../src/site/types.ts'

import * as r from '../../helpers/records.ts'
import { threadId } from '../../helpers/rollout.ts'
import { plainBuild, quietHost } from '../../helpers/surroundings.ts'
import { useTempDir } from '../../helpers/temp.ts'

/** So many messages that a month is more than half a shard: 4,000 characters of each are indexed. */
const many = 540
const message = `${'word '.repeat(800)}\n`

/** A home with a long session in each of two months and short ones in the third. */
function home(): string {
  const folder = join(useTempDir(), 'home')
  for (const [number, messages] of [many, many, 1, 1, 1, 1].entries()) {
    const id = threadId(number + 1)
    const month = `0${Math.min(number, 2) + 1}`
    const records = [
      r.meta({ id, timestamp: `2026-${month}-14T09:00:00.000Z`, cwd: '/home/ada/engine', cli_version: '0.99.0' }),
      r.userItem('Mend the gate'),
      r.userEvent('Mend the gate'),
      ...Array.from({ length: messages }, (_, index) => r.answerItem(`${index} ${message}`)),
    ]
    const path = join(folder, `sessions/2026/${month}/14/rollout-2026-${month}-14T09-00-00-${id}.jsonl`)
    mkdirSync(dirname(path), { recursive: true })
    const lines = r.envelopes(records).map((record) => ({ ...record, timestamp: `2026-${month}-14T09:00:00.000Z` }))
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
  return folder
}

/** Builds a site and returns its stages, with each start of a process between them. */
async function run(
  change: Partial<BuildOptions> = {},
  runOptions: BuildRunOptions = {},
): Promise<BuildResult & { events: string[] }> {
  const folder = useTempDir()
  const path = home()
  const events: string[] = []
  const listen = (): void => {
    events.push('a process')
  }
  subscribe('child_process', listen)
  onTestFinished(() => {
    unsubscribe('child_process', listen)
  })
  const options: BuildOptions = {
    ...plainBuild(),
    homes: [{ path }],
    title: 'Gates',
    out: join(folder, 'site'),
    cache: join(folder, 'cache'),
    formats: ['html'],
    search: true,
    dryRun: false,
    ...change,
  }
  const progress = { ...silent, stage: (name: string) => events.push(name) }
  const result = await build(
    options,
    quietHost({ progress, now: () => Date.UTC(2026, 4, 15), homeDir: path }),
    features,
    runOptions,
  )
  return { ...result, events }
}

it('indexes closed months while it renders, and the others afterwards', async () => {
  const { events, searched, pages } = await run()
  const stages = events.slice(events.indexOf('Rendering sessions'))
  expect(stages).toEqual([
    'Rendering sessions',
    'a process',
    'Indexing for search',
    'a process',
    'a process',
    'Writing the site',
  ])
  expect(searched).toBeGreaterThan(2)
  expect(searched).toBeLessThan(pages)
})

it('does so after a first small site too, which already has an index', async () => {
  const { events } = await run({}, { minRestBytes: 1 })
  const stages = events.slice(events.lastIndexOf('Rendering sessions'))
  // The newest month stays as the small site has it.
  expect(stages).toEqual(['Rendering sessions', 'a process', 'Indexing for search', 'a process', 'Writing the site'])
})

it.each<[string, Partial<BuildOptions>]>([
  ['without search', { search: false }],
  ['for a plan', { dryRun: true }],
])('starts no process %s', async (_name, change) => {
  expect((await run(change)).events).not.toContain('a process')
})
