/** A session of 5,000 items is as usable as any other. */
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type RunningServer, startServer } from '../../src/cli/serve/server-fs.ts'
import { describeInBrowser } from '../helpers/browser.ts'
import { buildConversation, type ConversationSite } from '../helpers/conversation-site.ts'
import { shareTempDir } from '../helpers/temp.ts'
import { inventTurns } from './invented.ts'

/** What a load costs a page: CPU seconds of its main thread, layouts of the whole page, elements. */
interface Cost {
  cpu: number
  layouts: number
  elements: number
}

/** Costs of five loads of each page, in turns; the cheapest counts, because other programs only add to it. */
async function measure(pages: readonly Page[]): Promise<Cost[]> {
  const sessions = await Promise.all(pages.map((page) => page.context().newCDPSession(page)))
  // CPU time of the thread, because time in which others have the processor is not the page's.
  for (const session of sessions) await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const loads = pages.map((): Cost[] => [])
  for (let round = 0; round < 5; round++) {
    for (const [index, page] of pages.entries()) {
      await page.reload({ waitUntil: 'load' })
      await page.evaluate('new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve)))')
      const answer = await sessions[index]?.send('Performance.getMetrics')
      const value = (name: string): number => answer?.metrics.find((metric) => metric.name === name)?.value ?? Infinity
      const elements = await page.locator('*').count()
      loads[index]?.push({ cpu: value('TaskDuration'), layouts: value('LayoutCount'), elements })
    }
  }
  return loads.map((costs) => costs.reduce((least, cost) => (cost.cpu < least.cpu ? cost : least)))
}

describeInBrowser('a session of 5,000 items', (open) => {
  const folder = shareTempDir()
  let site: ConversationSite
  let server: RunningServer
  beforeAll(async () => {
    site = await buildConversation(folder, inventTurns(200, 25))
    server = await startServer(site.root, { port: 0 })
  })
  afterAll(() => server?.close())

  it('is cut into pages, none of much more than 250 kB, or of 60 kB over the wire', () => {
    const names = readdirSync(dirname(join(site.root, site.path))).filter((name) => name.endsWith('.html'))
    const largest = (files: string[]) => [
      Math.max(...files.map((name) => site.page(name).length)),
      Math.max(...files.map((name) => gzipSync(site.page(name)).length)),
    ]
    const [work = 0, packedWork = 0] = largest(names.filter((name) => /^\d/.test(name)))
    expect(work).toBeLessThan(300_000)
    expect(packedWork).toBeLessThan(60_000)
    const stories = names.filter((name) => !/^\d/.test(name))
    const [story = 0, packedStory = 0] = largest(stories)
    expect(stories.length).toBeGreaterThan(1)
    expect(story).toBeGreaterThan(80_000)
    expect(story).toBeLessThan(500_000)
    expect(packedStory).toBeLessThan(100_000)
  })

  it('opens like a short one: an element costs no more CPU, and no item is laid out alone', async () => {
    const short = await buildConversation(join(folder, 'short'), inventTurns(8, 25))
    const other = await startServer(short.root, { port: 0 })
    onTestFinished(() => other.close())
    const { page } = await open(new URL(site.path, server.url).href)
    const { page: shortPage } = await open(new URL(short.path, other.url).href)
    const [giant, small] = await measure([page, shortPage])
    if (giant === undefined || small === undefined) throw new Error('a page was not measured')
    expect(giant.elements).toBeLessThan(8000)
    // A page that arrives in pieces may be laid out for each of them.
    expect(giant.layouts).toBeLessThan(small.layouts + 10)
    expect(giant.cpu / giant.elements).toBeLessThan(small.cpu / small.elements)
  })
})
