/** The first site of a large archive: the newest sessions come first, and the result is that of a single step. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { features } from '../../../src/program.ts'
import { build } from '../../../src/site/build.ts'
import { type BuildRunOptions, newestThreads } from '../../../src/site/stages-fs.ts'
import type { BuildOptions } from '../../../src/site/types.ts'
import { readFolder, writeFolder } from '../../helpers/folder.ts'
import * as r from '../../helpers/records.ts'
import { turnOf } from '../../helpers/site-build.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { plainBuild, quietHost } from '../../helpers/surroundings.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { threadsAt } from '../../helpers/thread.ts'

/** Seven sessions of January, February and March; the last one is a fork of the first. */
function writeHome(folder: string): void {
  for (const [index, month] of ['01', '01', '02', '02', '02', '03', '03'].entries()) {
    const id = threadNumber(index + 1)
    const head = { id, timestamp: `2026-${month}-1${index}T09:00:00.000Z`, cwd: '/work' }
    const fork = index === 6 ? { forked_from_id: threadNumber(1) } : {}
    const lines = r.envelopes([r.meta({ ...head, ...fork }), ...turnOf(`word${index + 1}`)])
    const path = `home/sessions/2026/${month}/1${index}/rollout-2026-${month}-1${index}T09-00-00-${id}.jsonl`
    writeFolder(folder, { [path]: lines.map((line) => `${JSON.stringify(line)}\n`).join('') })
  }
}

const minRestBytes = 1

function run(folder: string, name: string, runOptions: BuildRunOptions, change: Partial<BuildOptions> = {}) {
  const said: string[] = []
  const progress = { stage() {}, tick() {}, done: (line?: string) => line !== undefined && said.push(line) }
  const options = plainBuild({
    ...{ homes: [{ path: join(folder, 'home') }], search: true },
    ...{ out: join(folder, name), cache: join(folder, `${name}-cache`), ...change },
  })
  return build(options, quietHost({ progress }), features, runOptions).then((result) => ({ result, said }))
}

test('a first build places a complete site of the newest month with families, before that of all', async () => {
  const folder = useTempDir()
  writeHome(folder)
  const out = join(folder, 'site')
  let small: Record<string, string> = {}
  const placed = (): void => {
    small = readFolder(out)
  }
  const { result, said } = await run(folder, 'site', { minRestBytes, placed })
  const sessions = Object.keys(small).flatMap((path) => /^sessions\/([^/]+)\/index\.html$/.exec(path)?.[1] ?? [])
  // March, and the session of January from which one of March was forked.
  expect(sessions).toEqual([1, 6, 7].map(threadNumber))
  expect(Object.keys(JSON.parse(small['manifest.json'] ?? '').files).sort()).toEqual(
    Object.keys(small).filter((path) => path !== 'manifest.json' && !path.startsWith('.staging')),
  )
  expect(small['index.html']).toContain('word6 prompt')
  expect(small['pagefind/search.js']).toBeDefined()
  expect(said).toEqual([
    expect.stringMatching(/^The newest 3 sessions can be read by now: open .+index\.html\. The others follow\.$/),
  ])
  expect(result).toMatchObject({ sessions: 7, rendered: 7, removed: 0 })
  await run(folder, 'whole', {})
  expect(readFolder(out)).toEqual(readFolder(join(folder, 'whole')))
})

test('a served archive starts with sites of growing size, each once', async () => {
  const folder = useTempDir()
  writeHome(folder)
  const counts: number[] = []
  const placed = (): void => {
    const { files } = JSON.parse(readFileSync(join(folder, 'site/manifest.json'), 'utf8'))
    counts.push(Object.keys(files).filter((path) => /^sessions\/[^/]+\/index\.html$/.test(path)).length)
  }
  const { result } = await run(folder, 'site', { minRestBytes, placed, partBytes: [1, 1 << 20] })
  // The newest session with its origin, then its month.
  expect(counts).toEqual([2, 3])
  expect(result).toMatchObject({ sessions: 7, rendered: 7, removed: 0 })
  await run(folder, 'whole', {})
  expect(readFolder(join(folder, 'site'))).toEqual(readFolder(join(folder, 'whole')))
})

test('a larger part that contains no more sessions is skipped', async () => {
  const folder = useTempDir()
  writeHome(folder)
  let count = 0
  const placed = (): void => {
    count++
  }
  expect((await run(folder, 'site', { minRestBytes, placed, partBytes: [1, 2] })).result.sessions).toBe(7)
  expect(count).toBe(1)
})

test('an existing site is never replaced by a part', async () => {
  const folder = useTempDir()
  writeHome(folder)
  await run(folder, 'site', {}, { ids: [threadNumber(2)] })
  let isPlaced = false
  const placed = (): void => {
    isPlaced = true
  }
  expect((await run(folder, 'site', { minRestBytes, placed })).result.sessions).toBe(7)
  expect(isPlaced).toBe(false)
  expect((await run(folder, 'small', { placed })).result.rendered).toBe(7)
  expect(isPlaced).toBe(false)
})

test('a dry run writes no part', async () => {
  const folder = useTempDir()
  writeHome(folder)
  await run(folder, 'site', { minRestBytes }, { dryRun: true })
  expect(existsSync(join(folder, 'site'))).toBe(false)
})

test('as many of the newest sessions are chosen as fit, at least one, and none if little remains', async () => {
  const folder = useTempDir()
  writeHome(folder)
  const threads = await threadsAt(join(folder, 'home'))
  const pick = (maxBytes: number, rest = 1) =>
    newestThreads(threads, { maxBytes, minRestBytes: rest })?.map(({ id }) => id)
  expect(pick(1)).toEqual([1, 7].map(threadNumber))
  expect(pick(1 << 20)).toEqual([1, 6, 7].map(threadNumber))
  expect(pick(1 << 20, 1 << 20)).toBeUndefined()
  expect(newestThreads([], { maxBytes: 1, minRestBytes: 0 })).toEqual([])
  expect(readFileSync(threads[0]?.segments[0]?.file.path ?? '', 'utf8')).toContain('word1')
})
