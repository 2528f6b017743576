/**
 * Pages of a session that is being written: closed ones are rendered once, and the site has the bytes of a build from
 * scratch.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { features } from '../../../src/program.ts'
import { findRoots } from '../../../src/rollout/discover/homes-fs.ts'
import { build } from '../../../src/site/build.ts'
import { type RenderedSlice, sliceKeeper, storedSlices } from '../../../src/site/kept-slices.ts'
import { update } from '../../../src/site/stages-fs.ts'
import type { BuildOptions } from '../../../src/site/types.ts'
import { type Content, encoded } from '../../../src/util/pieces.ts'
import { readFolder } from '../../helpers/folder.ts'
import * as r from '../../helpers/records.ts'
import { turnOf, writeSession } from '../../helpers/site-build.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { plainBuild, quietHost } from '../../helpers/surroundings.ts'
import { useTempDir } from '../../helpers/temp.ts'

const [id, other] = [threadNumber(1), threadNumber(2)]
const password = 'wGq7Zt2Kp9Lx4QbV6Nf3'
const long = `${password} and other words `.repeat(400)

/** Turns of about 10 kB, about ten per page. */
const turns = (count: number): r.Json[] =>
  Array.from({ length: count }, (_, number) => [
    r.userItem(`${number} ${long}`),
    r.answerItem(`Answer ${number}`),
  ]).flat()

interface Growing {
  /** Appends records to the session. */
  add: (records: readonly r.Json[]) => void
  /** Appends records and updates the session's pages; returns how many page renderings were reused. */
  grow: (records: readonly r.Json[]) => Promise<number>
  /** The current site. */
  site: () => Record<string, string>
  /** The site after a build by another process, which has only the cache. */
  next: () => Promise<Record<string, string>>
  /** The site that a process without a cache builds. */
  anew: () => Promise<Record<string, string>>
  /** The site after the build that follows updates. */
  settled: () => Promise<Record<string, string>>
}

/** A session of three pages that was written just now, and a fork of it. */
async function growing(change: Partial<BuildOptions> = {}): Promise<Growing> {
  const folder = useTempDir()
  const path = writeSession(folder, id, [
    r.userItem('Start'),
    r.call('late', 'exec_command', { cmd: 'make late' }),
    ...turns(15),
  ])
  writeSession(folder, other, turnOf('other'), { forked_from_id: id })
  const at = (name: string): BuildOptions => ({
    ...plainBuild({ homes: [{ path: join(folder, 'home') }], formats: ['html', 'md', 'json'] }),
    ...{ out: join(folder, name), cache: join(folder, `${name}-cache`), liveMs: Number.MAX_VALUE },
    ...change,
  })
  const host = quietHost({ now: () => Date.now() })
  const keeper = sliceKeeper()
  let found = 0
  const keepSlices: typeof keeper = (stamp) => {
    const kept = keeper(stamp)
    return {
      ...kept,
      get(...asked) {
        const rendered = kept.get(...asked)
        if (rendered !== undefined) found++
        return rendered
      },
    }
  }
  const options = at('site')
  await build(options, host, features, { keepSlices })
  const add: Growing['add'] = (records) => {
    const lines = r.envelopes(records).map((record) => `${JSON.stringify(record)}\n`)
    appendFileSync(path, lines.join(''))
  }
  return {
    add,
    async grow(records) {
      add(records)
      found = 0
      const roots = findRoots(options.homes, host)
      await update({ options, host, features, roots, cacheDir: `${options.out}-cache`, keepSlices })
      return found
    },
    site: () => readFolder(options.out),
    async next() {
      await build(options, host, features)
      return readFolder(options.out)
    },
    async anew() {
      await build(at('anew'), host, features)
      return readFolder(join(folder, 'anew'))
    },
    async settled() {
      await build(options, host, features, { keepSlices })
      return readFolder(options.out)
    },
  }
}

/** What the session grows by, and how many renderings of its two closed pages are reused. */
const growths: [string, r.Json[], number][] = [
  ['by a turn', turnOf('new'), 2],
  ['by a page', turns(8), 1],
  // Before the secret is known, two pages are reused, then none.
  [
    'by a turn that reveals a text of all pages as a secret',
    r.command('tell', 'cat .env', 0, `PASSWORD=${password}\n`),
    2,
  ],
  ['by a rollback into the previous page', [r.event('thread_rolled_back', { num_turns: 6 })], 1],
  ['by the output of a call of the first page', [r.output('late', 'Process exited with code 1\nOutput:\nlate')], 1],
]

describe('a session of several pages that grows', () => {
  test.each(growths)('%s has the bytes of a build from scratch', async (_, records, kept) => {
    const { grow, anew, settled } = await growing()
    expect(await grow(records)).toBe(kept)
    await grow(turnOf('and so on'))
    expect(await settled()).toEqual(await anew())
  })

  test.each(growths)('%s between builds of two processes has the bytes of a build from scratch', async (_, records) => {
    const { add, next, anew } = await growing({ liveMs: 0 })
    await next()
    add(turnOf('first'))
    await next()
    add(records)
    expect(await next()).toEqual(await anew())
  })

  test('keeps its closed pages until the next build, while the last page grows', async () => {
    const { grow, site, anew, settled } = await growing()
    const pages = async (records: readonly r.Json[]): Promise<string[]> => {
      const before = site()
      await grow(records)
      const after = site()
      const changed = Object.keys(after).filter((path) => after[path] !== before[path])
      return changed.flatMap((path) => (path.endsWith('.html') ? [path.slice(path.lastIndexOf('/') + 1)] : []))
    }
    expect(await pages(turnOf('new'))).toEqual(['3.html', 'context.html', 'index.html'])
    expect(await pages(turns(8))).toEqual([
      '1.html',
      '2.html',
      '3.html',
      '4.html',
      'context.html',
      'index.html',
      'story-2.html',
    ])
    expect(await pages(turnOf('newer'))).toEqual(['4.html', 'context.html', 'index.html', 'story-2.html'])
    expect(await settled()).toEqual(await anew())
    expect(await pages(r.command('tell', 'cat .env', 0, `PASSWORD=${password}\n`))).toContain('2.html')
    expect(Object.values(site()).filter((text) => text.includes(password))).toEqual([])
    expect(await settled()).toEqual(await anew())
  })

  test('removes a text of the last page from closed pages, once it is known to be a secret', async () => {
    const { grow, site, settled } = await growing()
    const secret = 'Kp9Lx4QbV6Nf3wGq7Zt2'
    const holders = (): string[] => {
      const holding = Object.entries(site()).filter(([, text]) => text.includes(secret))
      return holding.map(([path]) => path.slice(path.lastIndexOf('/') + 1)).sort()
    }
    await grow([r.userItem(`Try ${secret}`), r.answerItem('Done')])
    await settled()
    expect(holders()).toEqual(expect.arrayContaining(['1.html', '2.html', '3.html']))
    await grow(r.command('tell', 'cat .env', 0, `PASSWORD=${secret}\n`))
    // Lists and the search follow with the next build.
    expect(holders().filter((name) => /^\d+\.html$|^index\.html$/.test(name))).toEqual([])
    await settled()
    expect(holders()).toEqual([])
  })

  test('is rendered again if plugins of the user may change trees', async () => {
    const { grow } = await growing({ plugins: [() => {}] })
    expect(await grow(turnOf('new'))).toBe(0)
  })
})

describe('the store of rendered slices', () => {
  const texts = { markdown: [], hidden: 2, search: [], searchUnits: 0, files: [] }
  const slice = (body: string): RenderedSlice => ({ ...texts, body: [body] })
  const page = (threadId: string, number: number, key = 'key') => ({ threadId, page: number, key })
  const nobody = () => undefined

  test('finds a slice by its key, as long as the threads that it names are unchanged', () => {
    const kept = sliceKeeper()('site')
    const link = { title: 'Gate', built: true }
    kept.set(page('a', 1), slice('text'), new Map([['b', link]]))
    expect(kept.get(page('a', 1), () => link)).toEqual(slice('text'))
    expect(kept.get(page('a', 1), () => ({ ...link, title: 'Bridge' }))).toBeUndefined()
    expect(kept.get(page('a', 1, 'other'), () => link)).toBeUndefined()
    expect(kept.get(page('a', 2), () => link)).toBeUndefined()
  })

  test('writes slices and reads them again', () => {
    const stored = new Map<string, Uint8Array>()
    const [read, keep] = [
      (threadId: string, number: number) => stored.get(`${threadId} ${number}`),
      (threadId: string, number: number, packed: Uint8Array) => void stored.set(`${threadId} ${number}`, packed),
    ]
    const link = { title: 'Gate', built: true }
    const files = [{ path: 'a.js', content: ['a', Buffer.from('b')] }]
    const rendered = { ...slice('text'), markdown: ['# ', 'text'], story: 'ü', files }
    storedSlices(read, keep).set(page('a', 1), rendered, new Map([['b', link]]))
    const kept = storedSlices(read, keep)
    const found = kept.get(page('a', 1), () => link)
    const bytes = (content: Content) => Buffer.from(encoded(content))
    expect(found).toEqual({
      ...{ markdown: bytes('# text'), body: bytes('text'), story: bytes('ü'), hidden: 2, search: bytes('') },
      ...{ searchUnits: 0, files: [{ path: 'a.js', content: bytes('ab') }] },
    })
    expect(kept.get(page('a', 1), nobody)).toBeUndefined()
    expect(kept.get(page('a', 1, 'other'), () => link)).toBeUndefined()
    expect(kept.get(page('a', 2), () => link)).toBeUndefined()
  })

  test('forgets its slices for another site', () => {
    const keeper = sliceKeeper()
    keeper('site').set(page('a', 1), slice('text'), new Map())
    expect(keeper('other site').get(page('a', 1), nobody)).toBeUndefined()
  })

  test('stays below its limit by dropping sessions not asked for, but no pages of the same session', () => {
    const kept = sliceKeeper(100)('site')
    for (const [threadId, number] of [
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ] as const)
      kept.set(page(threadId, number), slice('x'.repeat(30)), new Map())
    expect(kept.get(page('a', 1), nobody)).toBeDefined()
    kept.set(page('a', 2), slice('x'.repeat(30)), new Map())
    kept.set(page('a', 3), slice('x'.repeat(60)), new Map())
    const stored = ['a', 'b', 'c'].flatMap((threadId) =>
      [1, 2, 3]
        .filter((number) => kept.get(page(threadId, number), nobody) !== undefined)
        .map((n) => `${threadId}${n}`),
    )
    expect(stored).toEqual(['a1', 'a2'])
  })
})
