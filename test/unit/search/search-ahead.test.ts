import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { SearchRecord } from '../../../src/render/output.ts'
import { type SearchAhead, searchAhead } from '../../../src/search/shards.ts'
import { buildCache } from '../../../src/site/cache/build-cache.ts'
import { openCache } from '../../../src/site/cache/cache-fs.ts'
import { stageSearch } from '../../../src/site/index-search.ts'
import { openStagingArea } from '../../../src/site/output/staging-fs.ts'
import { sha256 } from '../../../src/util/hash.ts'
import { readFolder } from '../../helpers/folder.ts'
import { plainFacts } from '../../helpers/search-index.ts'
import { useTempDir } from '../../helpers/temp.ts'

const names = { generator: 'codex-export 1.0.0' }
const never = new AbortController().signal

/** Five months with a session each, whose pages count as 2 MiB together: two sessions fill a shard. */
function archive() {
  const folder = useTempDir()
  const cache = buildCache(openCache(join(folder, 'cache'), 'stamp'))
  const sessions: SearchRecord[][] = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05'].map((month) =>
    [1, 2].map((number) => {
      const path = `sessions/${month}/${number}.html`
      const words = Array.from({ length: 50 }, (_, index) => `word${month.slice(5)}x${index * number}`).join(' ')
      const html = `<html><head><title>${month}</title></head><body data-pagefind-body><h2 id="l1">${words}</h2></body></html>`
      cache.setPage(path, html)
      return { path, day: `${month}-07`, hash: sha256(html), size: 1 << 20, facts: plainFacts }
    }),
  )
  const index = async (ahead?: SearchAhead) => {
    const stage = await openStagingArea(join(folder, ahead === undefined ? 'plain' : 'ahead'))
    const result = await stageSearch({
      ...{
        pages: sessions.flat(),
        ...names,
        timeZone: 'UTC',
        outputs: false,
        script: 'const search = 1\n',
        stage,
        cache,
        signal: never,
        dryRun: false,
      },
      ...(ahead === undefined ? {} : { ahead }),
    })
    await stage.commit()
    return { ...result, site: readFolder(join(folder, ahead === undefined ? 'plain' : 'ahead')) }
  }
  return { sessions, source: { ...names, cache, tempDir: () => folder }, index }
}

/** Collects the processes that are started from now on. */
function started(): ChildProcess[] {
  const found: ChildProcess[] = []
  const listen = (message: unknown): void => {
    // Node documents this shape of the channel's messages.
    found.push((message as { process: ChildProcess }).process)
  }
  subscribe('child_process', listen)
  onTestFinished(() => {
    unsubscribe('child_process', listen)
  })
  return found
}

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

describe('the index, when begun while pages are rendered,', () => {
  test('has the same bytes as from the search stage, which starts Pagefind only for the rest', async () => {
    const plain = await archive().index()
    const { sessions, source, index } = archive()
    const processes = started()
    const ahead = searchAhead(never)
    for (const pages of sessions) ahead.add(pages, source)
    expect([...(await ahead.ready()).values()].map(({ pages }) => pages.length)).toEqual([4])
    expect(processes).toHaveLength(1)
    const { site, searched } = await index(ahead)
    expect(site).toEqual(plain.site)
    expect(searched).toBe(10)
    expect(processes).toHaveLength(3)
  })

  test('begins a shard as soon as no later session can change it, and not before', async () => {
    const { sessions, source } = archive()
    const ahead = searchAhead(never)
    const processes = started()
    for (const pages of sessions.slice(0, 3)) ahead.add(pages, source)
    expect((await ahead.ready()).size).toBe(0)
    expect(processes).toEqual([])
    ahead.add(sessions[3] ?? [], source)
    expect((await ahead.ready()).size).toBe(1)
  })

  test('drops a shard that is not wanted in the end', async () => {
    const { sessions, source, index } = archive()
    const ahead = searchAhead(never)
    const others = sessions.map((pages) => pages.slice(0, 1).map((page) => ({ ...page, size: 2 << 20 })))
    for (const pages of others) ahead.add(pages, source)
    expect((await ahead.ready()).size).toBe(1)
    expect((await index(ahead)).site).toEqual((await archive().index()).site)
  })

  test('begins the shards of an archive of any size', async () => {
    const { sessions, source, index } = archive()
    const ahead = searchAhead(never)
    const processes = started()
    const large = sessions.map((pages) => pages.map((page) => ({ ...page, size: 4 << 20 })))
    for (const pages of large) ahead.add(pages, source)
    expect((await ahead.ready()).size).toBe(7)
    expect(processes).toHaveLength(7)
    expect((await index(ahead)).site).toEqual((await archive().index()).site)
  })

  test('stops Pagefind if the build ends early', async () => {
    const { sessions, source } = archive()
    const program = join(useTempDir(), 'program')
    writeFileSync(program, `#!${process.execPath}\n// Never answers.\nprocess.stdin.resume()\n`)
    chmodSync(program, 0o755)
    vi.stubEnv('PAGEFIND_EXTENDED_BINARY_PATH', program)
    const processes = started()
    const ahead = searchAhead(never)
    for (const pages of sessions) ahead.add(pages, source)
    await vi.waitFor(() => expect(processes).toHaveLength(1))
    const [child] = processes
    const exit = child && once(child, 'exit')
    await ahead.close()
    expect(await exit).toEqual([null, 'SIGTERM'])
    expect((await ahead.ready()).size).toBe(0)
  })

  test('ends quietly if much is still being sent to Pagefind', async () => {
    const { sessions, source } = archive()
    const consoleError = vi.spyOn(console, 'error').mockReturnValue()
    const html = `<html><body data-pagefind-body><p>${'word '.repeat(400_000)}</p></body></html>`
    const processes = started()
    const large = { ...source, cache: { page: () => html } }
    const ahead = searchAhead(never)
    for (const pages of sessions) ahead.add(pages, large)
    await vi.waitFor(() => expect(processes[0]?.stdin?.writableLength).toBeGreaterThan(1 << 20), { interval: 1 })
    const [child] = processes
    const exit = child && once(child, 'exit')
    await ahead.close()
    await exit
    expect(consoleError).not.toHaveBeenCalled()
  })

  test('does not begin after the build was interrupted', async () => {
    const { sessions, source } = archive()
    const processes = started()
    const ahead = searchAhead(AbortSignal.abort(new Error('stopped')))
    for (const pages of sessions) ahead.add(pages, source)
    expect((await ahead.ready()).size).toBe(0)
    expect(processes).toEqual([])
  })

  test('leaves it to the search stage to report an error of Pagefind', async () => {
    const { sessions, source, index } = archive()
    vi.stubEnv('PAGEFIND_EXTENDED_BINARY_PATH', join(useTempDir(), 'no-such-program'))
    vi.spyOn(console, 'error').mockReturnValue()
    const ahead = searchAhead(never)
    for (const pages of sessions) ahead.add(pages, source)
    expect((await ahead.ready()).size).toBe(0)
    expect((await index(ahead)).diagnostics).toMatchObject([{ ruleId: 'search-failed', level: 'fatal' }])
  })
})
