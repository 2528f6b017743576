/** A site made of shards has the bytes of a whole build, over genuine homes. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { features } from '../../src/program.ts'
import { build } from '../../src/site/build.ts'
import { buildShard, mergeShards } from '../../src/site/shards-fs.ts'
import type { BuildOptions } from '../../src/site/types.ts'
import { describeWithCorpus } from '../helpers/corpus.ts'
import { readFolder } from '../helpers/folder.ts'
import { plainBuild, quietHost } from '../helpers/surroundings.ts'
import { useTempDir } from '../helpers/temp.ts'

const host = quietHost({ homeDir: '/home/ada' })

interface Built {
  path: string
  search: boolean
}

function optionsIn(folder: string, { path, search }: Built, name: string): BuildOptions {
  const places = { out: join(folder, name), cache: join(folder, `${name}-cache`), shards: join(folder, 'shards') }
  return { ...plainBuild(), homes: [{ path }], search, formats: ['html', 'md', 'json'], ...places }
}

/** Enough parts that each shard of a small home has several sessions, and that most related sessions are separated. */
const total = 3

describeWithCorpus('a genuine home', ({ spread, lived }) => {
  // The search depends only on the pages, so that small homes show as much of it as large ones.
  const all = [
    ...spread.map((home) => ({ ...home, search: true })),
    ...lived.map((home) => ({ ...home, search: false })),
  ]
  it.each(all)(`$name is the same from ${total} shards`, async (home) => {
    const folder = useTempDir()
    await build(optionsIn(folder, home, 'whole'), host, features)
    const options = optionsIn(folder, home, 'merged')
    let sessions = 0
    for (let index = 1; index <= total; index++)
      sessions += (await buildShard({ index, total }, options, host, features)).sessions
    expect(await mergeShards(options, host, features)).toMatchObject({ sessions, rendered: 0 })
    expect(readFolder(options.out)).toEqual(readFolder(join(folder, 'whole')))
  })
})
