/** An open page follows the session that it shows: new items appear, and what the reader did to the page stays. */
import { appendFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/cli/serve/server-fs.ts'
import { features } from '../../src/program.ts'
import { silent } from '../../src/site/types.ts'
import { freshSite, watchSite } from '../../src/site/watch-fs.ts'
import { describeInBrowser } from '../helpers/browser.ts'
import * as r from '../helpers/records.ts'
import { turnOf, writeSession } from '../helpers/site-build.ts'
import { threadNumber } from '../helpers/summary.ts'
import { plainBuild, quietHost } from '../helpers/surroundings.ts'
import { useTempDir } from '../helpers/temp.ts'

const [id, other] = [threadNumber(1), threadNumber(2)]

/** A session on a server that follows it; `write` appends records. */
async function watched(records: readonly r.Json[]) {
  const folder = useTempDir()
  const path = writeSession(folder, id, records)
  writeSession(folder, other, turnOf('other'))
  const [out, cache] = ['site', 'cache'].map((name) => join(folder, name)) as [string, string]
  const options = plainBuild({ homes: [{ path: join(folder, 'home') }], out, cache, search: false, liveMs: 300_000 })
  const stop = new AbortController()
  const host = quietHost({ signal: stop.signal, progress: silent, now: () => Date.now() })
  const site = freshSite(options, features, host)
  await site.build(host)
  const server = await startServer(out, { port: 0, live: true })
  const news = {
    updated: server.notifyPages,
    built: server.notifyPages,
    failed: (error: Error) => Promise.reject(error),
  }
  const watching = watchSite(site, host, { poll: false, liveMs: 300_000 }, news)
  onTestFinished(async () => {
    stop.abort(new Error('the test is over'))
    await watching
    await server.close()
  })
  const write = (added: readonly r.Json[]): void =>
    appendFileSync(
      path,
      r
        .envelopes(added)
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    )
  return { server, write, page: `${server.url}sessions/${id}/` }
}

/** Under load of the machine, what usually takes a second may take ten. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 30_000 })

const call = r.command('late', 'make late', 0, 'late output\n')

/** A proxy that serves another server below `/team/codex/`; returns the address of that. */
async function proxied(target: string): Promise<string> {
  const prefix = '/team/codex/'
  const proxy = createServer(({ url = '', method }, response) => {
    if (!url.startsWith(prefix)) return void response.writeHead(404).end()
    const asked = request(new URL(url.slice(prefix.length), target), { method }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    response.once('close', () => asked.destroy())
    asked.once('error', () => response.destroy()).end()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${prefix}`
}

describeInBrowser('a page of `serve --watch`', (open) => {
  it('says what the session waits for, and adds each item in its place', async () => {
    const { write, page: url } = await watched([r.started('t1'), r.userItem('Go'), ...call.slice(0, 1)])
    const { page } = await open(url, { timeZone: 'Asia/Kolkata' })
    const live = page.locator('.live [role="status"]')
    await soon(() => live.textContent()).toBe('Live · waiting for a command')
    await page.locator('details.work > summary').click()
    await page.locator('details.work > summary').focus()
    const prompt = await page.locator('.item.prompt').elementHandle()
    write(call.slice(1))
    await soon(() => page.locator('.flow').innerText()).toContain('late output')
    expect(await page.locator('details.work').getAttribute('open')).toBe('')
    expect(await page.evaluate('document.activeElement.matches("details.work > summary")')).toBe(true)
    await soon(() => live.textContent()).toBe('Live · waiting for the answer')
    write([r.answerItem('There it is.')])
    const last = page.locator('.flow .item').last()
    await soon(() => last.innerText()).toContain('There it is.')
    // The clock in the reader's time zone, five and a half hours ahead.
    expect(await last.locator('time').innerText()).toMatch(/^14:3\d$/)
    expect(await prompt?.evaluate((item) => item.isConnected)).toBe(true)
    expect(await page.locator('.live').innerText()).toMatch(/updated \d\d:\d\d$/)
  })

  it('follows its session behind a proxy that serves the site below a path', async () => {
    const { write, server } = await watched(turnOf('Go'))
    const { page } = await open(`${await proxied(server.url)}sessions/${id}`)
    expect(new URL(page.url()).pathname).toBe(`/team/codex/sessions/${id}/`)
    await soon(() => page.locator('.live').getAttribute('data-state')).toBe('idle')
    write([r.answerItem('There it is.')])
    await soon(() => page.locator('.flow').innerText()).toContain('There it is.')
  })

  it('has one connection after its tab was hidden and shown while it waited to reconnect', async () => {
    const { page: url } = await watched(turnOf('word'))
    const before = `{
      globalThis.sources = []
      globalThis.EventSource = class extends EventTarget {
        static CLOSED = 2
        readyState = 1
        constructor() { super(); sources.push(this) }
        close() { this.readyState = 2 }
      }
    }`
    const { page } = await open(url, { before })
    await soon(() => page.evaluate('sources.length')).toBe(1)
    await page.evaluate(`{
      sources[0].close()
      sources[0].dispatchEvent(new Event('error'))
      document.dispatchEvent(new Event('visibilitychange'))
    }`)
    await page.waitForTimeout(3000)
    expect(await page.evaluate('sources.filter(({ readyState }) => readyState === 1).length')).toBe(1)
  })

  it('loads in any number of windows, which follow one stream, also after the window that has it was closed', async () => {
    const { write, page: url } = await watched(turnOf('Go'))
    const { page: first } = await open(url)
    const states = async (pages: Page[]) =>
      Promise.all(pages.map((page) => page.locator('.live').getAttribute('data-state')))
    const others: Page[] = []
    // Browsers open six connections to a server of HTTP/1.1.
    for (let count = 0; count < 8; count++) {
      const page = await first.context().newPage()
      await page.goto(url, { waitUntil: 'load', timeout: 30_000 })
      others.push(page)
    }
    await soon(() => states([first, ...others])).toEqual(Array(9).fill('idle'))
    for (const text of ['All see this.', 'And this.']) {
      write([r.answerItem(text)])
      for (const page of others) await soon(() => page.locator('.flow').innerText()).toContain(text)
      await first.close()
    }
  })

  it('is not loaded again when another window joins', async () => {
    const { page: url } = await watched(turnOf('Go'))
    const { page: first } = await open(url)
    const opened = async (): Promise<Page> => {
      const page = await first.context().newPage()
      await page.goto(url, { waitUntil: 'load' })
      await soon(() => page.locator('.live').getAttribute('data-state')).toBe('idle')
      return page
    }
    // The first window has the stream, so only others could be told to load again.
    const second = await opened()
    const loads: string[] = []
    second.on('request', (asked) => loads.push(asked.url()))
    for (let count = 0; count < 3; count++) await opened()
    expect(loads).toEqual([])
  })

  it('has a stream of its own where windows cannot share one, as without a secure context', async () => {
    const { write, page: url } = await watched(turnOf('Go'))
    const before = 'delete Navigator.prototype.locks; delete globalThis.BroadcastChannel'
    const { page } = await open(url, { before })
    const second = await page.context().newPage()
    await second.addInitScript(before)
    await second.goto(url, { waitUntil: 'load' })
    write([r.answerItem('All see this.')])
    for (const at of [page, second]) await soon(() => at.locator('.flow').innerText()).toContain('All see this.')
  })

  it('does not scroll while the reader is within it, and follows its end if the reader is there', async () => {
    const records = Array.from({ length: 40 }, (_, index) => turnOf(`word${index}`)).flat()
    const { write, page: url } = await watched(records)
    const { page } = await open(url)
    await soon(() => page.locator('.live').count()).toBe(1)
    const answer = (word: string) => page.locator('.flow').getByText(`${word} answer`, { exact: true })
    const top = () => answer('word20').evaluate((item) => item.getBoundingClientRect().y)
    await answer('word20').scrollIntoViewIfNeeded()
    const before = await top()
    write(turnOf('first new'))
    await soon(() => answer('first new').count()).toBe(1)
    expect(Math.abs((await top()) - before)).toBeLessThan(2)
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    write(turnOf('second new'))
    await soon(() => answer('second new').count()).toBe(1)
    const distanceToEnd = 'document.documentElement.scrollHeight - scrollY - innerHeight'
    await soon(() => page.evaluate(distanceToEnd)).toBeLessThan(2)
  })

  it('goes to the end if the content is longer than the browser estimated', async () => {
    const work = (word: string): r.Json[] => [
      r.answerItem(`${word} comment`, { phase: 'commentary' }),
      ...Array.from({ length: 8 }, (_, index) =>
        r.command(`${word}-${index}`, `make ${word} ${index}`, 2, 'no rule to make it\n'.repeat(9)),
      ).flat(),
    ]
    const { write, page: url } = await watched([r.started('t1'), r.userItem('Go'), ...work('first'), ...work('second')])
    const { page } = await open(url)
    await soon(() => page.locator('.live').count()).toBe(1)
    await page.locator('.views label', { hasText: 'Everything' }).click()
    const distanceToEnd = 'document.documentElement.scrollHeight - scrollY - innerHeight'
    const after = (step: string) =>
      page.evaluate(
        `(async () => { for (let frame = 0; frame < 20; frame++) { ${step}; await new Promise(requestAnimationFrame) } return ${distanceToEnd} })()`,
      )
    expect(await after('scrollTo(0, document.documentElement.scrollHeight)')).toBeLessThan(2)
    write(work('third'))
    await soon(() => page.locator('.flow').textContent()).toContain('make third 7')
    expect(await after('')).toBeLessThan(2)
  })

  it('opens the work of new turns in the work view, and updates lists', async () => {
    const busy = (word: string): r.Json[] => [
      ...[r.userItem(`${word} prompt`), r.userEvent(`${word} prompt`)],
      ...['a', 'b', 'c'].flatMap((part) => r.command(`${word}-${part}`, `make ${part}`, 2, 'no rule\n')),
      r.answerItem(`${word} answer`),
    ]
    const { server, write, page: url } = await watched(busy('first'))
    const { page } = await open(url)
    await page.locator('.views label', { hasText: 'Work' }).click()
    write(busy('second'))
    await soon(() => page.locator('.flow').innerText()).toContain('second answer')
    expect(
      await page.locator('details.did').evaluateAll((folds) => folds.map((fold) => 'open' in fold && fold.open)),
    ).toEqual([true, true])
    await page.goto(server.url)
    write(busy('third'))
    await soon(() => page.locator('.list').first().innerText()).toContain('9 failed commands not fixed')
  })

  it('keeps what is open, selected and focused if the build moves it into a longer run of work', async () => {
    const work = (word: string): r.Json[] => [
      r.answerItem(`${word} comment to read`, { phase: 'commentary' }),
      ...['a', 'b', 'c'].flatMap((part) => r.command(`${word}-${part}`, `make ${part}`, 0, `${word} made ${part}\n`)),
    ]
    const { write, page: url } = await watched([r.started('t1'), r.userItem('Go'), ...work('first'), ...work('second')])
    const { page } = await open(url)
    await soon(() => page.locator('.live').count()).toBe(1)
    // Only the words after the last comment are outside of the fold.
    const run = page.locator('.turn > details.did, .turn .did', { hasText: 'second made a' }).last()
    await run.locator('> summary').click()
    const command = run.locator('.command', { hasText: 'second made b' }).locator('details')
    await command.locator('summary').click()
    await page.evaluate(() => {
      const walker = document.createTreeWalker(document.querySelector('main .flow') as Node, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        if (walker.currentNode.nodeValue?.includes('second comment'))
          getSelection()?.selectAllChildren(walker.currentNode.parentNode as Node)
      }
    })
    const details = await command.elementHandle()
    write(work('third'))
    await soon(() => page.locator('.flow').innerText()).toContain('third comment')
    expect(
      await details?.evaluate((fold) => [fold.isConnected, fold.getAttribute('open'), fold.checkVisibility()]),
    ).toEqual([true, '', true])
    expect(await page.evaluate('String(getSelection())')).toBe('second comment to read')
    expect(await page.evaluate('document.activeElement.closest(".command").innerText')).toContain('second made b')
  })

  it('adds new items after an element with which a script replaced the last one', async () => {
    const { write, page: url } = await watched([r.started('t1'), r.userItem('Go'), r.answerItem('first answer')])
    const { page } = await open(url)
    await soon(() => page.locator('.live').count()).toBe(1)
    // Like work of another page that the reader opened in place of its link.
    await page.evaluate(() => {
      const run = document.createElement('details')
      run.textContent = 'opened work'
      document.querySelector('.flow .item.say')?.replaceWith(run)
    })
    write([r.answerItem('second answer')])
    await soon(() => page.locator('.flow').textContent()).toMatch(/opened work.*second answer/s)
  })

  it('keeps the details of the session open when the second turn adds a link to them', async () => {
    const { write, page: url } = await watched(turnOf('first'))
    const { page } = await open(url)
    const fold = page.locator('details', { has: page.locator('summary', { hasText: /^Details$/ }) })
    // In a wide window they are next to the text, opened by the page's script.
    await soon(() => fold.getAttribute('open')).toBe('')
    write(turnOf('second'))
    await soon(() => fold.innerText()).toContain('What the model remembers')
    expect(await fold.getAttribute('open')).toBe('')
  })

  it('finds what came while the find was open', async () => {
    const { write, page: url } = await watched(turnOf('first'))
    const { page } = await open(url)
    await soon(() => page.locator('.live').count()).toBe(1)
    await page.keyboard.press('f')
    const field = page.getByRole('searchbox', { name: 'Find in this session' })
    await field.fill('answer')
    const status = page.locator('.finder [role="status"]')
    await soon(() => status.textContent()).toMatch(/^1 of 1:/)
    write(turnOf('second'))
    await soon(() => page.locator('.flow').innerText()).toContain('second answer')
    await field.fill('second answer')
    await soon(() => status.textContent()).toMatch(/^1 of 1: .*second answer/)
  })

  it('says that the connection to the server is lost', async () => {
    const { server, page: url } = await watched(turnOf('first'))
    const { page, problems } = await open(url)
    const live = page.locator('.live [role="status"]')
    await soon(() => live.textContent()).toBe('Live')
    await server.close()
    await soon(() => live.textContent()).toBe('Connection lost: trying again')
    // The browser reports it too.
    await soon(() => problems.length).toBeGreaterThan(0)
    await page.goto('about:blank')
    problems.length = 0
  })
})
