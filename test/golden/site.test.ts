/** All golden inputs as one archive: the site has the same bytes whether built cold, from a warm cache, or again. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../src/program.ts'
import { build } from '../../src/site/build.ts'
import type { BuildOptions, BuildResult, Host } from '../../src/site/types.ts'
import { goldenCases } from '../helpers/golden.ts'
import { goldenHomes } from '../helpers/golden-homes.ts'
import { plainBuild, quietHost } from '../helpers/surroundings.ts'
import { shareTempDir } from '../helpers/temp.ts'

const inputs = fileURLToPath(new URL('.', import.meta.url))
const folder = shareTempDir()
const cache = join(folder, 'cache')

function hostWith(signal: AbortSignal): Host {
  return quietHost({ signal, homeDir: folder })
}

function optionsInto(out: string): BuildOptions {
  return {
    ...plainBuild(),
    homes: [{ path: inputs }],
    title: 'Golden cases',
    out: join(folder, out),
    cache,
    formats: ['html', 'md', 'json'],
    search: true,
    dryRun: false,
  }
}

const buildInto = (out: string): Promise<BuildResult> =>
  build(optionsInto(out), hostWith(new AbortController().signal), features)

/** Every file of a built site, path to bytes in hex. */
function readSite(out: string): Map<string, string> {
  const root = join(folder, out)
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name))
  return new Map(paths.sort().map((path) => [path.slice(root.length + 1), readFileSync(path, 'hex')]))
}

describe('the golden cases as one archive', () => {
  let cold: BuildResult

  beforeAll(async () => {
    cold = await buildInto('cold')
  })

  it('give one page each', () => {
    expect(cold.failed).toBe(0)
    const cases = goldenCases().filter(({ input }) => input.endsWith('.jsonl')).length
    expect(cold.sessions).toBe(goldenHomes().reduce((sum, { sessions }) => sum + sessions, cases))
  })

  it('are not written again if nothing changed', async () => {
    const before = readSite('cold')
    const again = await buildInto('cold')
    // The manifest does not count itself.
    expect(again).toMatchObject({ written: 0, removed: 0, kept: before.size - 1 })
    expect(readSite('cold')).toEqual(before)
  })

  it('give the same bytes from a warm cache in another folder', async () => {
    await buildInto('warm')
    const warm = readSite('warm')
    expect(warm).toEqual(readSite('cold'))
    expect(warm.size).toBeGreaterThan(3 * cold.sessions)
  })
})
