/** Real sessions, and what a site shows of them, are accessible on wide and narrow screens. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../src/cli/serve/server-fs.ts'
import { audit } from '../helpers/audited.ts'
import { accessibilityFaults } from '../helpers/axe.ts'
import { describeInBrowser } from '../helpers/browser.ts'
import { layOutAll } from '../helpers/chromium.ts'
import { describeWithCorpus } from '../helpers/corpus.ts'
import { htmlFaults } from '../helpers/html-faults.ts'
import { type Shift, shiftsOf, watchShifts } from '../helpers/layout-shift.ts'
import { buildSite } from '../helpers/site-build.ts'
import { shareTempDir } from '../helpers/temp.ts'

/** The beginnings of their ids: many edits and parts of turns, a fork, sub-agents. */
const sessions = ['019cf7d2', '9ea80d6f', '019fb4f5'] as const
/** A desktop; the same at 200 %; a phone in the dark; the narrowest supported screen. */
const screens = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 640, height: 450, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 320, height: 640, colorScheme: 'light' },
] as const

/** The faults of a page on one screen. */
async function faultsOn(page: Page, { colorScheme, ...size }: (typeof screens)[number]): Promise<string[]> {
  await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme, forcedColors: size.width === 640 ? 'active' : 'none' })
  await page.reload()
  const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  const shifts: Shift[] = await shiftsOf(page)
  const jump = shifts.reduce((sum, { value }) => sum + value, 0)
  // What is out of sight has only an estimated size, in which parts of two turns may overlap.
  await layOutAll(page)
  // The results of axe-core differ by colours and by what a narrow page folds.
  const faults = size.width === 1280 || size.width === 390 ? await accessibilityFaults(page) : []
  const all = [
    ...(over > 0 ? [`${over} px over`] : []),
    ...(jump >= 0.01 ? [`jumps: ${JSON.stringify(shifts)}`] : []),
    ...faults,
  ]
  return all.map((fault) => `${size.width} px: ${fault}`)
}

/** The one page of a site whose path matches. */
function pathOf(texts: ReadonlyMap<string, string>, pattern: RegExp): string {
  const found = [...texts.keys()].find((path) => pattern.test(path))
  if (found === undefined) throw new Error(`no page matches ${pattern}`)
  return found
}

const pages = [
  /^sessions\/019cf7d2[^/]*\/index\.html$/,
  /^sessions\/9ea80d6f[^/]*\/index\.html$/,
  /^sessions\/9ea80d6f[^/]*\/1\.html$/,
  /^sessions\/019fb4f5[^/]*\/context\.html$/,
  /^index\.html$/,
  /^failures\/[^/]+\/index\.html$/,
  /^stats\/index\.html$/,
]

describeWithCorpus('a site of real sessions', ({ lived }) => {
  describeInBrowser('in a browser', (open) => {
    const folder = shareTempDir()
    let texts: Map<string, string>
    let server: RunningServer
    beforeAll(async () => {
      const homes = lived.map(({ path }) => ({ path }))
      const ids = homes.flatMap(({ path }) =>
        readdirSync(path, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
          const id = /([\da-f]{8})(?:-[\da-f]{4}){3}-[\da-f]{12}\.jsonl$/.exec(name)
          return id !== null && sessions.some((start) => start === id[1]) ? [id[0].replace('.jsonl', '')] : []
        }),
      )
      texts = (await buildSite(folder, { homes, ids, formats: ['html'] })).texts
      server = await startServer(join(folder, 'site'), { port: 0 })
    })
    afterAll(() => server?.close())

    it('passes its check', async () => {
      const { findings } = await audit(join(folder, 'site'))
      expect(findings.filter(({ level }) => level !== 'info')).toEqual([])
    })

    it.each(pages)('has no fault, no layout shift and no sideways scroll: %s', async (pattern) => {
      const path = pathOf(texts, pattern)
      expect(await htmlFaults(readFileSync(join(folder, 'site', path), 'utf8'))).toEqual([])
      const { page, problems } = await open(new URL(path, server.url).href, { before: watchShifts })
      const found: string[] = []
      for (const screen of screens) found.push(...(await faultsOn(page, screen)))
      expect(found).toEqual([])
      expect(problems).toEqual([])
    })

    it('passes axe and has no sideways scroll if everything is open', async () => {
      const path = pathOf(texts, /^sessions\/9ea80d6f[^/]*\/1\.html$/)
      const { page, problems } = await open(`${new URL(path, server.url).href}?view=all`, { before: watchShifts })
      expect(await page.evaluate('document.querySelectorAll(".item.command > details[open] .term").length')).not.toBe(0)
      const found: string[] = []
      for (const screen of screens.slice(0, 3)) found.push(...(await faultsOn(page, screen)))
      expect(found).toEqual([])
      expect(problems).toEqual([])
    })

    it.each(['9ea80d6f', '019fb4f5'])('has a story of at most a fifth of everything: %s', async (id) => {
      const own = [...texts.keys()].filter((path) => path.startsWith(`sessions/${id}`))
      const pageFiles = (pattern: RegExp): string[] => own.filter((path) => pattern.test(path))
      const heightOf = async (path: string, view: string): Promise<number> => {
        const { page } = await open(`${new URL(path, server.url).href}?view=${view}`)
        await layOutAll(page)
        return await page.evaluate<number>('document.documentElement.scrollHeight')
      }
      let [story, all] = [0, 0]
      for (const path of pageFiles(/\/(?:index|story-\d+)\.html$/)) story += await heightOf(path, 'story')
      for (const path of pageFiles(/\/\d+\.html$/)) all += await heightOf(path, 'all')
      expect(story / all).toBeLessThanOrEqual(0.2)
    })
  })
})
