/**
 * Sessions of real people, written again piece by piece while their site is watched: the site has the bytes of a new
 * build.
 */
import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { features } from '../../src/program.ts'
import { build } from '../../src/site/build.ts'
import type { BuildOptions } from '../../src/site/types.ts'
import { freshSite } from '../../src/site/watch-fs.ts'
import { describeWithCorpus } from '../helpers/corpus.ts'
import { readFolder, writeFolder } from '../helpers/folder.ts'
import { plainBuild, quietHost } from '../helpers/surroundings.ts'
import { useTempDir } from '../helpers/temp.ts'

/** Sessions of several pages that are read quickly. */
const sizes = { min: 200_000, max: 600_000 }
const rollouts = 6
/** Shares of a rollout that exist, one after the other. */
const shares = [0.6, 0.9, 1]

describeWithCorpus('a session that grows while it is watched', ({ lived }) => {
  const files = lived.flatMap(({ path }) =>
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => join(path, name)),
  )
  const fitting = files.filter((file) => statSync(file).size > sizes.min && statSync(file).size < sizes.max)
  const some = fitting.toSorted((a, b) => statSync(b).size - statSync(a).size).slice(0, rollouts)
  it.each(some.map((file) => [basename(file), file]))('%s has the same bytes as in a new build', async (name, file) => {
    const folder = useTempDir()
    const lines = readFileSync(file, 'utf8').split(/(?<=\n)/)
    const [first = 0, ...others] = shares.map((share) => Math.ceil(lines.length * share))
    const path = `home/sessions/2026/03/14/${name}`
    writeFolder(folder, { [path]: lines.slice(0, first).join('') })
    const host = quietHost({ now: () => Date.now() })
    const at = (site: string): BuildOptions => ({
      ...plainBuild({ homes: [{ path: join(folder, 'home') }], formats: ['html', 'md', 'json'], search: false }),
      ...{ out: join(folder, site), cache: join(folder, `${site}-cache`), liveMs: Number.MAX_VALUE },
    })
    const site = freshSite(at('site'), features, host)
    await site.build(host)
    let before = first
    for (const cut of others) {
      appendFileSync(join(folder, path), lines.slice(before, cut).join(''))
      before = cut
      await site.update(host)
      await site.build(host)
      await build(at(`anew-${cut}`), host, features)
      expect(readFolder(join(folder, 'site'))).toEqual(readFolder(join(folder, `anew-${cut}`)))
    }
  })
})
