/** A session in use: running in `serve`, unfinished elsewhere, and never kept as running. */
import { utimesSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as r from '../../helpers/records.ts'
import { buildSite, writeSession } from '../../helpers/site-build.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { useTempDir } from '../../helpers/temp.ts'

const id = threadNumber(1)
const now = new Date('2026-03-20T00:00:00Z')

describe('a session whose last turn is open', () => {
  test.each([
    ['is running if its file is new and the site is served', 60_000, 30_000, 'still running'],
    ['is unfinished if its file is old', 60_000, 90_000, 'unfinished'],
    ['is unfinished in a build, however new its file is', undefined, 1000, 'unfinished'],
  ])('%s', async (_, liveMs, age, word) => {
    const folder = useTempDir()
    const path = writeSession(folder, id, [r.started('t1'), r.userItem('Go')])
    const writtenAt = new Date(now.getTime() - age)
    utimesSync(path, writtenAt, writtenAt)
    const { texts } = await buildSite(folder, liveMs === undefined ? {} : { liveMs })
    const page = texts.get(`sessions/${id}/index.html`) ?? ''
    expect(page).toContain(word)
    expect(page.includes('still running')).toBe(word === 'still running')
  })

  test('is rendered again once it is no longer running, even if its file did not change', async () => {
    const folder = useTempDir()
    const path = writeSession(folder, id, [r.started('t1'), r.userItem('Go')])
    utimesSync(path, now, now)
    const served = await buildSite(folder, { liveMs: 60_000 })
    expect(served.texts.get(`sessions/${id}/index.html`)).toContain('still running')
    const built = await buildSite(folder)
    expect(built.texts.get(`sessions/${id}/index.html`)).not.toContain('still running')
    const again = await buildSite(folder)
    expect(again.result.rendered).toBe(0)
  })

  test('stops running on a served site, even if nothing else changes', async () => {
    const folder = useTempDir()
    const path = writeSession(folder, id, [r.started('t1'), r.userItem('Go')])
    utimesSync(path, now, now)
    const later = now.getTime() + 60_000
    const pages: string[] = []
    for (const time of [now.getTime(), later, later]) {
      const { texts, result } = await buildSite(folder, { liveMs: 60_000 }, time)
      pages.push(`${result.rendered} ${/still running|unfinished/.exec(texts.get(`sessions/${id}/index.html`) ?? '')}`)
    }
    expect(pages).toEqual(['1 still running', '1 unfinished', '0 unfinished'])
  })
})
