/**
 * A site that is kept up to date: changed sessions first, then the pages around them, with the bytes of a build from
 * scratch.
 */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { features } from '../../../src/program.ts'
import type { BuildOptions, Host } from '../../../src/site/types.ts'
import { type FreshSite, freshSite, watchSite } from '../../../src/site/watch-fs.ts'
import { readFolder } from '../../helpers/folder.ts'
import * as r from '../../helpers/records.ts'
import { turnOf, writeSession } from '../../helpers/site-build.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { plainBuild, quietHost } from '../../helpers/surroundings.ts'
import { useTempDir } from '../../helpers/temp.ts'

const [id, other] = [threadNumber(1), threadNumber(2)]
const host = (signal = new AbortController().signal): Host => quietHost({ signal, now: () => Date.now() })

interface Place {
  folder: string
  site: FreshSite
  /** Appends records to the first session. */
  grow: (records: readonly r.Json[]) => void
  /** Text of a file of the site. */
  page: (path: string) => string
}

/** Two sessions, of which the first is being written. */
function place(change: Partial<BuildOptions> = {}): Place {
  const folder = useTempDir()
  const path = writeSession(folder, id, [r.started('t1'), ...turnOf('first')])
  writeSession(folder, other, turnOf('other'), { forked_from_id: id })
  const options: BuildOptions = {
    ...plainBuild({ homes: [{ path: join(folder, 'home') }], search: false }),
    ...{ out: join(folder, 'site'), cache: join(folder, 'cache') },
    ...change,
  }
  return {
    folder,
    site: freshSite(options, features, quietHost()),
    grow: (records) => {
      const lines = r.envelopes(records).map((record) => `${JSON.stringify(record)}\n`)
      appendFileSync(path, lines.join(''))
    },
    page: (name) => readFileSync(join(folder, 'site', name), 'utf8'),
  }
}

/** The site of a build that knows nothing of earlier ones. */
async function fromNothing({ folder, site }: Place): Promise<Record<string, string>> {
  for (const part of ['site', 'cache']) rmSync(join(folder, part), { recursive: true })
  await site.build(host())
  return readFolder(join(folder, 'site'))
}

describe('an update', () => {
  test('replaces pages of changed sessions and keeps all others', async () => {
    const at = place()
    await at.site.build(host())
    const before = readFolder(join(at.folder, 'site'))
    at.grow(turnOf('second'))
    expect(await at.site.update(host())).toBe(1)
    const after = readFolder(join(at.folder, 'site'))
    const changed = Object.keys(after).filter((path) => after[path] !== before[path])
    expect(changed.filter((path) => !path.startsWith(`sessions/${id}/`))).toEqual(['manifest.json'])
    expect(after[`sessions/${id}/index.html`]).toContain('second answer')
    expect(Object.keys(after)).toEqual(Object.keys(before))
    expect(await at.site.update(host())).toBe(0)
  })

  test.each([
    ['', {}],
    [' with search and a worker', { search: true, offline: true, siteUrl: 'https://example.org/' }],
  ])('and the build after it give the bytes of a build from scratch%s', async (_, change) => {
    const at = place(change)
    await at.site.build(host())
    for (const word of ['second', 'third']) {
      at.grow(turnOf(word))
      expect(await at.site.update(host())).toBe(1)
    }
    const { rendered } = await at.site.build(host())
    expect(rendered).toBe(0)
    expect(readFolder(join(at.folder, 'site'))).toEqual(await fromNothing(at))
  })

  test('redacts a secret that a new turn reveals in all sessions of the family', async () => {
    const at = place()
    const secret = 'wGq7Zt2Kp9Lx4QbV6Nf3'
    const answer = r.answerItem(`It was ${secret}.`)
    writeSession(at.folder, other, [r.userItem('What was it?'), answer], { forked_from_id: id })
    await at.site.build(host())
    expect(at.page(`sessions/${other}/index.html`)).toContain(secret)
    at.grow(r.command('tells', 'cat .env', 0, `DB_PASSWORD=${secret}\n`))
    expect(await at.site.update(host())).toBe(2)
    const [grown, fork] = [id, other].map((name) => at.page(`sessions/${name}/index.html`))
    expect(grown).not.toContain(secret)
    expect(fork).not.toContain(secret)
  })

  test('leaves a file that somebody changed to the next build, which repairs it', async () => {
    const at = place()
    await at.site.build(host())
    const [path, text] = [join(at.folder, 'site/index.html'), at.page('index.html')]
    writeFileSync(path, 'changed by hand')
    at.grow(turnOf('second'))
    await at.site.update(host())
    expect(at.page('index.html')).toBe('changed by hand')
    await at.site.build(host())
    expect(at.page('index.html')).toContain(text.slice(0, 200))
  })

  test('makes no part of a site that somebody removed, and the next build makes all of it', async () => {
    const at = place()
    await at.site.build(host())
    at.grow(turnOf('second'))
    rmSync(join(at.folder, 'site'), { recursive: true })
    expect(await at.site.update(host())).toBe(0)
    expect(existsSync(join(at.folder, 'site'))).toBe(false)
    await at.site.build(host())
    expect(readFolder(join(at.folder, 'site'))).toEqual(await fromNothing(at))
  })
})

describe('a watch', () => {
  test('renders a session that grows, then the lists, and ends with the signal', async () => {
    const at = place()
    await at.site.build(host())
    const stop = new AbortController()
    const news: string[] = []
    const steps: Record<string, () => void> = {
      'updated 1': () => {
        expect(at.page(`sessions/${id}/index.html`)).toContain('second answer')
        expect(at.page('index.html')).not.toContain('2 failed commands not fixed')
      },
      built: () => {
        if (news.includes('updated 1')) stop.abort(new Error('enough'))
        else at.grow(turnOf('second'))
      },
    }
    const hear = (what: string): void => {
      news.push(what)
      steps[what]?.()
    }
    await watchSite(
      at.site,
      host(stop.signal),
      { poll: false, liveMs: 60_000 },
      {
        updated: (count) => hear(`updated ${count}`),
        built: () => hear('built'),
        failed: ({ message }) => hear(message),
      },
    )
    expect(news).toEqual(['built', 'updated 1', 'built'])
    expect(readFolder(join(at.folder, 'site'))).toEqual(await fromNothing(at))
  })

  test('continues if a build is impossible, says so once, and builds when it can', async () => {
    const at = place()
    await at.site.build(host())
    const stop = new AbortController()
    const news: string[] = []
    let tries = 0
    const site: FreshSite = {
      ...at.site,
      build: (given) => {
        tries++
        // A manifest that no build of ours wrote: the folder may be somebody else's.
        if (tries === 1) writeFileSync(join(at.folder, 'site/manifest.json'), '{}')
        if (tries === 3) rmSync(join(at.folder, 'site'), { recursive: true })
        return at.site.build(given)
      },
    }
    await watchSite(
      site,
      host(stop.signal),
      { poll: false, liveMs: 60_000 },
      {
        updated: () => news.push('updated'),
        built: () => {
          news.push('built')
          stop.abort(new Error('enough'))
        },
        failed: ({ message }) => news.push(message),
      },
    )
    expect(news).toEqual([expect.stringContaining('cannot be used'), 'built'])
    expect(tries).toBe(3)
  })
})
