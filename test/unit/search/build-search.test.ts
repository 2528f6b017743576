import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { SearchFacts, SearchRecord } from '../../../src/render/output.ts'
import { packNames } from '../../../src/search/script.ts'
import { buildCache } from '../../../src/site/cache/build-cache.ts'
import { openCache } from '../../../src/site/cache/cache-fs.ts'
import { stageSearch } from '../../../src/site/index-search.ts'
import { openStagingArea } from '../../../src/site/output/staging-fs.ts'
import { sha256 } from '../../../src/util/hash.ts'
import { readFolder } from '../../helpers/folder.ts'
import { plainFacts } from '../../helpers/search-index.ts'
import { useTempDir } from '../../helpers/temp.ts'

/** The pages of a month, which are too large for one index together with other months. */
interface Month {
  name: string
  words: string
}

const filler = (seed: string, length: number): string => {
  const words: string[] = []
  for (let index = 0; words.length * 12 < length; index++) words.push(`${seed}${(index * 7919) % 400} plain text`)
  return words.join(' ')
}

/** Builds the index of a site in `folder`, after any earlier build, and returns the result. */
async function run(
  folder: string,
  months: readonly Month[],
  change: { script?: string; signal?: AbortSignal; stamp?: string } = {},
) {
  const cache = buildCache(openCache(join(folder, 'cache'), change.stamp ?? 'stamp'))
  const stage = await openStagingArea(join(folder, 'site'))
  const pages: SearchRecord[] = months.flatMap(({ name, words }) =>
    [1, 2].map((number) => {
      const html = `<html><head><title>${name}</title></head><body data-pagefind-body><h2 id="l1">${words} ${number}</h2></body></html>`
      const path = `sessions/${name}-${number}/index.html`
      cache.setPage(path, html)
      // The plan depends on `size` and not on the text, so that small pages can represent a large site.
      return { path, day: `${name}-0${number}`, hash: sha256(html), size: 1 << 20, facts: plainFacts }
    }),
  )
  const result = await stageSearch({
    pages,
    ...{
      timeZone: 'UTC',
      outputs: false,
      generator: 'codex-export 1.0.0',
      script: change.script ?? 'const search = 1\n',
    },
    ...{ stage, cache, signal: change.signal ?? new AbortController().signal, dryRun: false },
  })
  const plan = await stage.commit()
  cache.save()
  return { ...result, plan, site: readFolder(join(folder, 'site')) }
}

const month = (name: string, words = filler(name.replace('-', 'x'), 600)): Month => ({ name, words })
const small = [month('2026-03')]
const large = ['2026-01', '2026-02', '2026-03', '2026-04'].map((name) => month(name))
/** Folders of texts that belong to a shard; '' for all other paths. */
const folders = (paths: readonly string[]) =>
  new Set(paths.map((path) => /^pagefind\/fragment\/[0-9a-f]{10}\//.exec(path)?.[0] ?? ''))
const closed = (site: object) => new Set([...folders(Object.keys(site))].filter(Boolean))

/** Replaces Pagefind's program by one that ends immediately. */
function breakPagefind(): void {
  const path = join(useTempDir(), 'program')
  writeFileSync(path, `#!${process.execPath}\nprocess.exit(3)\n`)
  chmodSync(path, 0o755)
  vi.stubEnv('PAGEFIND_EXTENDED_BINARY_PATH', path)
}

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('names that the search completes', () => {
  const read = (pages: Record<string, Partial<SearchFacts>>) => {
    const facts = Object.entries(pages).map(([path, own]) => [path, { ...plainFacts, ...own }] as const)
    return JSON.parse(gunzipSync(packNames(new Map(facts))).toString('utf8'))
  }

  test('are counted by sessions, however many pages these have', () => {
    const names = read({
      'sessions/a/index.html': { files: ['gate.ts', '__proto__'], tools: ['docs/find'] },
      'sessions/a/2.html': { files: ['gate.ts'] },
      'sessions/b/index.html': { files: ['oil.ts', 'gate.ts'] },
    })
    expect(Object.entries(names.file)).toEqual([
      ['gate.ts', 2],
      ['__proto__', 1],
      ['oil.ts', 1],
    ])
    expect(names.tool).toEqual({ 'docs/find': 1 })
  })

  test('are the most used ones if there are too many', () => {
    const files = Array.from({ length: 1200 }, (_, at) => `src/${at}.ts`)
    const names = read({
      'sessions/a/index.html': { files },
      'sessions/b/index.html': { files: files.slice(1100) },
    })
    expect(Object.keys(names.file)).toHaveLength(1000)
    expect(Object.keys(names.file)).toEqual(expect.arrayContaining(files.slice(1100)))
  })
})

describe('the search stage', () => {
  test('makes one index of a small site, a script for each of its files, and one script for all', async () => {
    const { searched, site } = await run(useTempDir(), small)
    expect(searched).toBe(2)
    const paths = Object.keys(site).filter((path) => path.startsWith('pagefind/'))
    expect(folders(paths)).toEqual(new Set(['']))
    const data = paths.filter((path) => /\.(?:pf_\w+|pagefind)$/.test(path))
    expect(data.length).toBeGreaterThan(3)
    for (const path of data) {
      const name = path.replace('pagefind/', '')
      expect(site[`${path}.js`]).toMatch(new RegExp(`^codexSearchFile\\("${name}","[\\w+/]+=*"\\)\\n$`))
    }
    const [names] = data.filter((path) => path.endsWith('.pf_names'))
    expect(site['pagefind/search.js']).toContain(`"names":"${names?.replace('pagefind/', '')}"`)
    expect(site['pagefind/search.js']).toMatch(/^const search = 1\ncodexSearchIndex\(\{"language":"zxx",/)
    expect(paths).not.toContain('pagefind/pagefind-ui.js')
  })

  test('joins all shards of a large site except the newest, which is where Pagefind itself looks', async () => {
    const { site, searched } = await run(useTempDir(), large)
    const paths = Object.keys(site).filter((path) => path.startsWith('pagefind/'))
    expect(searched).toBe(8)
    expect(folders(paths)).toEqual(new Set(['', ...closed(site)]))
    expect(closed(site).size).toBe(2)
    expect(paths.filter((path) => path.endsWith('.pagefind'))).toEqual([
      expect.stringMatching(/^pagefind\/wasm\.unknown-[0-9a-f]{10}\.pagefind$/),
    ])
    const [joined, newest, ...others] = paths.filter((path) => path.endsWith('.pf_meta'))
    expect([joined, newest, ...others]).toEqual([
      expect.stringMatching(/^pagefind\/pagefind\.all_[0-9a-f]{10}\.pf_meta$/),
      expect.stringMatching(/^pagefind\/pagefind\.zxx_[0-9a-f]+\.pf_meta$/),
    ])
    const { languages } = JSON.parse(site['pagefind/pagefind-entry.json'] ?? '')
    expect(newest).toBe(`pagefind/pagefind.${languages.zxx.hash}.pf_meta`)
    const index = /codexSearchIndex\((\{.*?\}), \(fetch/.exec(site['pagefind/search.js'] ?? '')?.[1] ?? ''
    expect(JSON.parse(index).indexes).toMatchObject([
      { hash: languages.zxx.hash, page_count: 2 },
      { hash: joined?.replace(/^pagefind\/pagefind\.|\.pf_meta$/g, ''), page_count: 6 },
    ])
  })

  test('writes nothing if nothing changed, and only the newest shard if only that changed', async () => {
    const folder = useTempDir()
    const first = await run(folder, large)
    expect((await run(folder, large)).plan.written).toEqual([])
    const { plan, site } = await run(folder, [...large.slice(0, 3), month('2026-04', 'another text')])
    expect(plan.written.filter((path) => /\ball_/.test(path))).toEqual([])
    expect(folders(plan.written)).toEqual(new Set(['']))
    expect(closed(site)).toEqual(closed(first.site))
  })

  test.each([
    ['is intact', () => {}],
    ['is missing', (cache: string) => rmSync(join(cache, 'blobs'), { recursive: true })],
    [
      'is damaged',
      (cache: string) => {
        for (const path of readdirSync(join(cache, 'blobs'))) writeFileSync(join(cache, 'blobs', path), 'damaged')
      },
    ],
  ])('joins shards again if an older one changed and the cache of the others %s', async (_, change) => {
    const folder = useTempDir()
    const first = await run(folder, large)
    change(join(folder, 'cache'))
    const changed = [...large.slice(0, 2), month('2026-03', 'another text'), ...large.slice(3)]
    const { site, diagnostics } = await run(folder, changed)
    expect(diagnostics).toEqual([])
    expect([...closed(site)].filter((path) => closed(first.site).has(path))).toHaveLength(1)
    expect(site).toEqual((await run(useTempDir(), changed)).site)
  })

  test('gives the same bytes whether built at once or step by step', async () => {
    const folder = useTempDir()
    await run(folder, large.slice(0, 2))
    await run(folder, large.slice(0, 3))
    expect((await run(folder, large)).site).toEqual((await run(useTempDir(), large)).site)
  })

  test('writes only the script if only the script changed', async () => {
    const folder = useTempDir()
    await run(folder, large)
    expect((await run(folder, large, { script: 'const search = 2\n' })).plan.written).toEqual(['pagefind/search.js'])
  })

  test('keeps the old index if Pagefind fails, reports it, and tries again in the next build', async () => {
    const folder = useTempDir()
    const before = await run(folder, large)
    breakPagefind()
    const changed = [...large.slice(0, 3), month('2026-04', 'another text')]
    const failed = await run(folder, changed)
    expect(failed.searched).toBe(0)
    expect(failed.diagnostics).toMatchObject([{ ruleId: 'search-failed', level: 'fatal' }])
    expect(failed.diagnostics[0]?.message).toContain("Pagefind's process ended early (exit code 3).")
    expect(failed.site).toEqual(before.site)
    vi.unstubAllEnvs()
    const again = await run(folder, changed)
    expect(again.diagnostics).toEqual([])
    expect(again.site).toEqual((await run(useTempDir(), changed)).site)
  })

  test('keeps an index that another version made if Pagefind fails', async () => {
    const folder = useTempDir()
    const before = await run(folder, large)
    breakPagefind()
    const failed = await run(folder, [...large, month('2026-05')], { stamp: 'of the next version' })
    expect(failed.diagnostics).toHaveLength(1)
    expect(failed.site).toEqual(before.site)
  })

  test('makes no index if the first build of one fails, and makes it in the next build', async () => {
    const folder = useTempDir()
    breakPagefind()
    const failed = await run(folder, small)
    expect(Object.keys(failed.site)).toEqual(['manifest.json'])
    vi.unstubAllEnvs()
    expect((await run(folder, small)).searched).toBe(2)
  })

  test('ends with the reason of the abort signal', async () => {
    const stop = new AbortController()
    stop.abort(new Error('stopped'))
    await expect(run(useTempDir(), small, { signal: stop.signal })).rejects.toThrow('stopped')
  })

  test('makes no index of a site without pages, but the script that pages ask for', async () => {
    const folder = useTempDir()
    await run(folder, small)
    const { site, searched } = await run(folder, [])
    expect(searched).toBe(0)
    expect(Object.keys(site).filter((path) => path.startsWith('pagefind/'))).toEqual([
      expect.stringMatching(/^pagefind\/names\..*\.pf_names$/),
      expect.stringMatching(/^pagefind\/names\..*\.pf_names\.js$/),
      'pagefind/search.js',
    ])
    expect(site['pagefind/search.js']).toContain('"indexes":[],"sessions":[]')
    const again = await run(folder, [])
    expect(again.plan.written).toEqual([])
    expect(again.site).toEqual(site)
  })
})
