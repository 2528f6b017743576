/** Sites of homes of the corpus, built once for all tests about them. */
import { join } from 'node:path'
import { beforeAll } from 'vitest'
import { features } from '../../src/program.ts'
import { build } from '../../src/site/build.ts'
import type { BuildOptions, Host } from '../../src/site/types.ts'
import type { CorpusHome } from './corpus.ts'
import { plainBuild, quietHost } from './surroundings.ts'
import { shareTempDir } from './temp.ts'

/** The whole site of a home, and what builds it again. */
export interface GenuineSite {
  /** Absolute folder of the site. */
  root: string
  host: Host
  /** The options of the site for another output and cache, by their name. */
  optionsFor: (name: string) => BuildOptions
}

/** Builds a home in every format before the tests of a suite, with or without a search, and removes it after them. */
export function useGenuineSite({ path }: CorpusHome, { search }: { search: boolean }): GenuineSite {
  const folder = shareTempDir()
  const host = quietHost({ homeDir: '/home/ada' })
  const optionsFor = (name: string): BuildOptions => {
    const places = { out: join(folder, name), cache: join(folder, `${name}-cache`), shards: join(folder, 'shards') }
    return { ...plainBuild(), homes: [{ path }], search, formats: ['html', 'md', 'json'], ...places }
  }
  const whole = optionsFor('whole')
  beforeAll(async () => {
    await build(whole, host, features)
  })
  return { root: whole.out, host, optionsFor }
}
