/** The functions of the package, as programs call them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { parse } from 'yaml'
import * as entry from '../../../src/index.ts'
import { walk } from '../../../src/transcript/view.ts'
import * as r from '../../helpers/records.ts'
import { turnOf, writeSession } from '../../helpers/site-build.ts'
import { useTempDir } from '../../helpers/temp.ts'

const home = fileURLToPath(new URL('../../../fixtures/home', import.meta.url))
const rollout = join(home, 'sessions/2025/10/02/rollout-2025-10-02T09-15-27-0199a434-7c0e-7f27-bf35-403c78c2faa8.jsonl')

/** A working folder, environment and home folder other than those of this process. */
function surroundings(): { cwd: string; env: Record<string, string>; homeDir: string } {
  const cwd = useTempDir()
  return { cwd, env: { XDG_CACHE_HOME: join(cwd, 'cache') }, homeDir: join(cwd, 'home') }
}

describe('build', () => {
  test('writes a site below its working folder and reports progress', async () => {
    const options = surroundings()
    const events: entry.ProgressEvent[] = []
    const config = { homes: [{ path: rollout }], out: 'public', search: false }
    const result = await entry.build(config, { ...options, onProgress: (event) => events.push(event) })
    expect(result).toMatchObject({ out: join(options.cwd, 'public'), sessions: 1, failed: 0 })
    expect(existsSync(join(options.cwd, 'public/index.html'))).toBe(true)
    expect(events).toContainEqual({ stage: 'Reading sessions', done: 1, total: 1 })
    expect(await entry.build({ ...config, dryRun: true }, options)).toMatchObject({ written: 0, removed: 0 })
  })

  test('begins the Markdown of sessions with front matter if asked to', async () => {
    const options = surroundings()
    const config: entry.BuildConfig = { homes: [{ path: rollout }], formats: ['md'], search: false }
    const file = join(options.cwd, 'site/sessions/0199a434-7c0e-7f27-bf35-403c78c2faa8/index.md')
    await entry.build(config, options)
    const plain = readFileSync(file, 'utf8')
    await entry.build({ ...config, frontMatter: true }, options)
    const [, yaml = '', text] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(readFileSync(file, 'utf8')) ?? []
    expect(text).toBe(plain)
    expect(parse(yaml)).toMatchObject({ date: '2025-10-02', project: 'shop', models: ['gpt-5-codex'], tags: ['codex'] })
    expect(parse(yaml).files).toEqual(['src/basket.ts'])
  })

  test('runs no configuration file, reads no variable of the command line, and sets no exit code', async () => {
    const options = surroundings()
    writeFileSync(join(options.cwd, 'site.config.mjs'), 'throw new Error("was run")')
    const env = { ...options.env, CODEX_EXPORT_OUT: 'elsewhere' }
    await entry.build({ homes: [{ path: rollout }], search: false }, { ...options, env })
    expect(existsSync(join(options.cwd, 'site/index.html'))).toBe(true)
    expect(process.exitCode).toBeUndefined()
  })

  test('rejects invalid values and stops with the signal', async () => {
    const options = surroundings()
    await expect(entry.build({ timeZone: 'Mars' }, options)).rejects.toMatchObject({ name: 'ConfigError' })
    const unknown = { tilte: 'Shop' } as entry.BuildConfig
    await expect(entry.build(unknown, options)).rejects.toThrow('`the options` has the unknown key `tilte`')
    const signal = AbortSignal.abort(new Error('no time'))
    const stopped = entry.build({ homes: [{ path: home }] }, { ...options, signal })
    await expect(stopped).rejects.toThrow('no time')
    expect(existsSync(join(options.cwd, 'site/index.html'))).toBe(false)
  })
})

describe('search', () => {
  const config = { homes: [{ path: home }] }

  test('yields sessions with their turns', async () => {
    const found: entry.FoundSession[] = []
    for await (const session of entry.search('rounding', config, surroundings())) found.push(session)
    expect(found.length).toBeGreaterThan(0)
    for (const { turns } of found) expect(turns[0]?.texts[0]?.lines[0]?.hits.length).toBeGreaterThan(0)
  })

  test('reads only the selected sessions', async () => {
    const ids = async (only: entry.SearchConfig): Promise<string[]> => {
      const found: string[] = []
      for await (const { id } of entry.search('rounding', { ...config, ...only }, surroundings())) found.push(id)
      return found
    }
    const [first = '', ...others] = await ids({})
    expect(await ids({ exclude: [first] })).toEqual(others)
    expect(await ids({ branches: ['no-such-branch'] })).toEqual([])
  })

  test('reads no further than the caller does', async () => {
    const events: entry.ProgressEvent[] = []
    const options = { ...surroundings(), onProgress: (event: entry.ProgressEvent) => events.push(event) }
    for await (const { id } of entry.search('the', config, options)) {
      expect(id).not.toBe('')
      break
    }
    const last = events.at(-1)
    expect(last?.done).toBeLessThan(last?.total ?? 0)
  })

  test('rejects an invalid query and stops with the signal', async () => {
    const options = surroundings()
    await expect(entry.search('(', { ...config, regex: true }, options).next()).rejects.toMatchObject({
      name: 'UsageError',
    })
    // Nothing else can run while an expression backtracks for hours.
    await expect(entry.search('(\\w+\\s?)*!{9}$', { ...config, regex: true }, options).next()).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining('takes more than five seconds with one page'),
    })
    const signal = AbortSignal.abort(new Error('no time'))
    await expect(entry.search('the', config, { ...options, signal }).next()).rejects.toThrow('no time')
  })
})

test('a folder with several sessions is rejected where one rollout is expected', async () => {
  for (const read of [() => entry.transcribe(home), () => entry.reconstructHistory(home)])
    await expect(read()).rejects.toThrow(/^`.*fixtures\/home` holds \d+ sessions: name the rollout of one\.$/)
})

describe('transcribePages', () => {
  const id = '0199a000-0000-7000-8000-0000000000a1'
  const secret = 'Tr0ub4dor-and-3-more-Gates'

  /** A rollout of several pages. What is secret on the first page is revealed only on the last one. */
  function longRollout(): string {
    const turns = Array.from({ length: 150 }, (_, index) => turnOf(`n${index}`)).flat()
    const records = [...turnOf(`The word is ${secret}, and`), ...turns, ...turnOf(`export SHOP_PASSWORD=${secret} and`)]
    return writeSession(useTempDir(), id, records)
  }

  test('yields the parts of the whole tree, redacted by what any page reveals', async () => {
    const path = longRollout()
    const pages: entry.TranscriptPage[] = []
    for await (const part of entry.transcribePages(path)) pages.push(part)
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.map(({ page, pages: count }) => [page, count])).toEqual(pages.map((_, at) => [at + 1, pages.length]))
    expect(JSON.stringify(pages)).not.toContain(secret)
    const { session } = await entry.transcribe(path)
    const parts = pages.flatMap((part) => part.session.children)
    expect(parts).toEqual(session.children)
    expect(pages.at(-1)?.session.stats).toEqual(session.stats)
  })

  test('adds up to the tree on a site, and each line is the source of a node, even after a resume', async () => {
    const turns = Array.from({ length: 150 }, (_, index) => turnOf(`n${index}`)).flat()
    const resumed = r.meta({ id, timestamp: r.instant(0), cwd: '/home/ada/engine' })
    const path = writeSession(useTempDir(), id, [...turns, resumed, ...turnOf('last')])
    const { session } = await entry.transcribe(path)
    const options = surroundings()
    await entry.build({ homes: [{ path }], out: 'public', formats: ['json'], search: false }, options)
    const text = readFileSync(join(options.cwd, `public/sessions/${id}/index.json`), 'utf8')
    expect(JSON.parse(text).session).toEqual(JSON.parse(JSON.stringify(session)))
    const lines = new Set<number>()
    walk(session, ({ data }) => {
      for (const { line } of data?.sources ?? []) lines.add(line)
    })
    const { total, shown, folded } = session.stats.lines
    expect([lines.size, shown + folded]).toEqual([total, total])
  })

  test('keeps the recorded text if asked to, stops with the signal, and rejects what is no rollout', async () => {
    const path = longRollout()
    for await (const { session } of entry.transcribePages(path, { redact: false })) {
      expect(JSON.stringify(session)).toContain(secret)
      break
    }
    const signal = AbortSignal.abort(new Error('no time'))
    await expect(entry.transcribePages(path, { signal }).next()).rejects.toThrow('no time')
    await expect(entry.transcribePages(useTempDir()).next()).rejects.toMatchObject({ name: 'UsageError' })
  })
})

describe('the texts of a tree', () => {
  test('contain what was said as Markdown and HTML, and no markup from it in HTML', async () => {
    const { session } = await entry.transcribe(rollout)
    const markdown = await entry.toMarkdown(session)
    expect(markdown).toMatch(/^# /)
    expect(markdown).toContain('Commit it.')
    session.title = 'A <b>title</b>'
    const [turn] = session.children.filter((child) => child.type === 'turn')
    const value = 'Say <img src=x onerror=alert(1)>'
    turn?.children.push({
      type: 'message',
      id: 'l999',
      role: 'user',
      origin: 'typed',
      children: [{ type: 'text', id: 'l999.1', value }],
    })
    const html = await entry.toHtml(session)
    expect(html).toContain('Commit it.')
    expect(html).toContain('Say &#x3C;img')
    expect(html).not.toContain('<img src=x')
  })

  test('show times in the given time zone', async () => {
    const { session } = await entry.transcribe(rollout)
    expect(await entry.toMarkdown(session)).toContain('09:15')
    expect(await entry.toMarkdown(session, { timeZone: 'Asia/Tokyo' })).toContain('18:15')
  })
})

test('presets say for every content kind how it is shown', () => {
  expect(Object.keys(entry.presets)).toEqual(['private', 'team', 'public'])
  expect(entry.presets.public.reasoning).toBe('omit')
})

test('the types describe arguments and results', () => {
  expectTypeOf(entry.build).parameter(0).toExtend<entry.SiteConfig | undefined>()
  expectTypeOf(entry.build).returns.resolves.toEqualTypeOf<entry.BuildResult>()
  expectTypeOf(entry.search('x')).toExtend<AsyncIterable<entry.FoundSession>>()
  expectTypeOf(entry.toMarkdown).parameter(0).toEqualTypeOf<entry.Session>()
  expectTypeOf(entry.toHtml).returns.resolves.toBeString()
  expectTypeOf(entry.transcribe).returns.resolves.toHaveProperty('session').toEqualTypeOf<entry.Session>()
  expectTypeOf(entry.transcribePages('x')).toExtend<AsyncIterable<entry.TranscriptPage>>()
  expectTypeOf(entry.reconstructHistory).returns.resolves.toEqualTypeOf<entry.History>()
  expectTypeOf<entry.CallOptions['signal']>().toEqualTypeOf<AbortSignal | undefined>()
  // @ts-expect-error: no configuration has this key
  entry.defineConfig({ tilte: 'Shop' })
  // @ts-expect-error: presets are read-only
  const change = (): unknown => (entry.presets.public.reasoning = 'show')
  expect(change).toBeTypeOf('function')
})

test('docs/api.md describes every name of the API', () => {
  const docs = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  for (const name of Object.keys(entry)) expect(docs).toContain(`\`${name}\``)
})
