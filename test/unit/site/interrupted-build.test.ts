/** A build that is stopped keeps its work, and does not change the old site. */

import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { features } from '../../../src/program.ts'
import { build } from '../../../src/site/build.ts'
import { type BuildOptions, type BuildResult, silent } from '../../../src/site/types.ts'
import { readFolder, writeFolder } from '../../helpers/folder.ts'
import * as r from '../../helpers/records.ts'
import { threadId } from '../../helpers/rollout.ts'
import { plainBuild, quietHost } from '../../helpers/surroundings.ts'
import { useTempDir } from '../../helpers/temp.ts'

const count = 12

function writeHome(folder: string): void {
  for (let number = 1; number <= count; number++) {
    const id = threadId(number)
    const records = [r.meta({ id, timestamp: r.instant(number), cwd: '/work' }), r.userItem(`Mend ${number}`)]
    const text = r
      .envelopes(records)
      .map((record) => `${JSON.stringify(record)}\n`)
      .join('')
    writeFolder(folder, { [`home/sessions/2026/03/14/rollout-2026-03-14T09-00-00-${id}.jsonl`]: text })
  }
}

/** Builds into a folder; it is stopped after `stopAfter` sessions were rendered. */
async function run(folder: string, stopAfter?: number, change: Partial<BuildOptions> = {}): Promise<BuildResult> {
  const stop = new AbortController()
  let stage = ''
  let ticks = 0
  const progress = {
    ...silent,
    stage: (name: string) => {
      stage = name
    },
    tick: (sessions = 1) => {
      if (stage !== 'Rendering sessions' || sessions === 0) return
      ticks += sessions
      if (ticks === stopAfter) stop.abort(new Error('stopped'))
    },
  }
  const options: BuildOptions = {
    ...plainBuild(),
    homes: [{ path: join(folder, 'home') }],
    out: join(folder, 'site'),
    cache: join(folder, 'cache'),
    formats: ['html', 'md'],
    search: true,
    dryRun: false,
    ...change,
  }
  return build(options, quietHost({ progress, signal: stop.signal, now: () => Date.UTC(2026, 2, 15) }), features)
}

test('a stopped first build leaves no site, and the next one renders only what remains', async () => {
  const folder = useTempDir()
  writeHome(folder)
  await expect(run(folder, 9)).rejects.toThrow('stopped')
  expect(existsSync(join(folder, 'site'))).toBe(false)
  await expect(run(folder, 10)).rejects.toThrow('stopped')
  expect(await run(folder)).toMatchObject({ sessions: count, rendered: 2 })
  const other = useTempDir()
  writeHome(other)
  await run(other)
  expect(readFolder(join(folder, 'site'))).toEqual(readFolder(join(other, 'site')))
  expect(readdirSync(join(folder, 'cache')).filter((name) => /^un/.test(name))).toEqual([])
}, 60_000)

test('a stopped later build does not change the old site, and leaves its work to the next one', async () => {
  const folder = useTempDir()
  writeHome(folder)
  await run(folder, undefined, { search: false })
  const site = readFolder(join(folder, 'site'))
  await expect(run(folder, 7, { title: 'Other', search: false })).rejects.toThrow('stopped')
  expect(readFolder(join(folder, 'site'))).toEqual(site)
  expect(await run(folder, undefined, { title: 'Other', search: false })).toMatchObject({ rendered: count - 7 })
  // Work under one set of options is not used under another.
  expect(await run(folder, undefined, { search: false })).toMatchObject({ rendered: count })
})

test('a file that an interrupted build left incomplete is made again', async () => {
  const folder = useTempDir()
  writeHome(folder)
  await expect(run(folder, 9, { search: false })).rejects.toThrow('stopped')
  writeFileSync(join(folder, 'cache/unfinished/sessions', threadId(3), 'index.html'), '<!doctype html><ti')
  writeFolder(folder, { [`cache/unfinished/sessions/${threadId(4)}/stray.html`]: 'stray' })
  expect(await run(folder, undefined, { search: false })).toMatchObject({ rendered: count - 8 })
  const other = useTempDir()
  writeHome(other)
  await run(other, undefined, { search: false })
  expect(readFolder(join(folder, 'site'))).toEqual(readFolder(join(other, 'site')))
})

test('a stopped dry run leaves no files', async () => {
  const folder = useTempDir()
  writeHome(folder)
  await expect(run(folder, 5, { dryRun: true })).rejects.toThrow('stopped')
  expect(readdirSync(folder)).toEqual(['home'])
})
