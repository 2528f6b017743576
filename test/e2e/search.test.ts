/** Search as a reader does it: open it, type, narrow, walk the results, open a hit. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, inject, it, onTestFinished } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { sessionPath, useDemoServer } from './demo.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search' })
const results = (page: Page) => page.getByRole('list', { name: 'Results' })
const focused = (page: Page) => page.evaluate('document.activeElement?.tagName')

/**
 * Lets a test delay or change the answers of the opened search: `late.search` and `late.data` are called with the
 * question, and with the rank of a result, before these are answered; `late.answer` receives an answer and returns
 * the one to show.
 */
const interfere = (page: Page): Promise<unknown> =>
  page.evaluate(`(async () => {
    const engine = await codexSearch.open()
    const { search } = engine
    globalThis.late = {}
    engine.search = async (text, options) => {
      await late.search?.(text)
      const found = await search(text, options)
      const results = found.results.map((result, rank) => ({
        ...result,
        data: async () => { await late.data?.(text, rank); return result.data() },
      }))
      return { ...found, results, ...late.answer?.({ ...found, results }) }
    }
  })()`)

/** Opens the dialog by its link in the bar and types. */
async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('link', { name: 'Search all sessions' }).click()
  await page.getByRole('combobox', { name: /^Search/ }).fill(text)
}

describeInBrowser('the search', (open) => {
  const address = useDemoServer()

  it('is closed to pages of other origins, which may load scripts from anywhere', async () => {
    const other = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<p>other</p>'))
    onTestFinished(() => void other.close())
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const { page } = await open(`http://127.0.0.1:${port}/`, { within: 'http://127.0.0.1:' })
    const outcome = await page.evaluate(
      (src) =>
        new Promise((resolve) => {
          const script = document.createElement('script')
          script.onload = () => resolve('loaded')
          script.onerror = () => resolve('refused')
          script.src = src
          document.head.append(script)
        }),
      address('pagefind/search.js'),
    )
    expect(outcome).toBe('refused')
  })

  it('finds the session by a word of its prompt, opens the turn and marks the word', async () => {
    const { page, problems } = await open(address('index.html'))
    await ask(page, 'idempotency')
    await results(page)
      .getByRole('link', { name: /idempotency/i })
      .last()
      .click()
    await page.waitForURL(/sessions\/.*#/)
    expect(new URL(page.url()).pathname).toBe(`/${sessionPath('Conversion drops in week 7')}`)
    const id = decodeURIComponent(new URL(page.url()).hash.slice(1))
    const target = page.locator(`[id="${id}"]`)
    await target.waitFor()
    expect((await target.textContent())?.toLowerCase()).toContain('idempotency')
    const box = await target.boundingBox()
    expect(box?.y).toBeLessThan(900)
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(0)
    const marked = () => page.evaluate('CSS.highlights.get("sought")?.size ?? 0')
    await expect.poll(marked).toBeGreaterThan(1)
    const marks = page.getByRole('group', { name: 'Marks' })
    const count = marks.getByRole('status')
    const [at, all] = ((await count.textContent()) ?? '').split(' of ').map(Number)
    expect(all).toBe(await marked())
    await marks.getByRole('button', { name: 'Next mark' }).click()
    expect(await count.textContent()).toBe(`${((at ?? 0) % (all ?? 1)) + 1} of ${all}`)
    await page.keyboard.press('Escape')
    expect(await marked()).toBe(0)
    expect(await marks.isVisible()).toBe(false)
    expect(problems).toEqual([])
  })

  it.each([1280, 390, 320])(
    'keeps the page that a hit opens readable next to the count of marks: %s px',
    async (width) => {
      const { page } = await open(address('index.html'))
      await page.setViewportSize({ width, height: 844 })
      await page.goto(`${address(sessionPath('A discount of 15 %'))}?mark=cents`)
      const box = await page.getByRole('group', { name: 'Marks' }).boundingBox()
      expect(box?.height).toBeLessThan(70)
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844)
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
      expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
    },
  )

  it('marks phrases across elements, words without their accents, and ends of compound words', async () => {
    const { page, problems } = await open(address('index.html'))
    const marked = async (title: string, asked: string) => {
      await page.goto(`${address(sessionPath(title))}?mark=${encodeURIComponent(asked)}`)
      await page.getByRole('group', { name: 'Marks' }).waitFor()
      const marks = await page.evaluate('[...CSS.highlights.get("sought")].map(String)')
      return [...new Set(marks as string[])]
    }
    expect(await marked('A discount of 15 %', '"gives 849.15"')).toEqual(['gives 849.15'])
    expect(await marked('Übersetze die Begrüßung', 'begrußung')).toEqual(['Begrüßung'])
    expect(await marked('Find a better name for doTheThing', 'Thing')).toContain('Thing')
    expect(problems).toEqual([])
  })

  it('requests nothing before it is opened', async () => {
    const { page } = await open(address('index.html'))
    const asked = () =>
      page.evaluate("performance.getEntriesByType('resource').filter(({ name }) => name.includes('pagefind')).length")
    expect(await asked()).toBe(0)
    await ask(page, 'idempotency')
    await results(page).getByRole('link').first().waitFor()
    expect(await asked()).toBeGreaterThan(0)
  })

  it('finds text that is not Latin', async () => {
    const { page, problems } = await open(address('index.html'))
    await ask(page, 'Begrüßung')
    await results(page).getByRole('link').first().waitFor()
    expect(problems).toEqual([])
  })

  it('is available on a session page too', async () => {
    const { page, problems } = await open(address(sessionPath('On-call guide, short version')))
    await ask(page, 'unsafe')
    await results(page).getByRole('link').first().click()
    await page.waitForURL(/sessions\/.*mark=unsafe/)
    expect(problems).toEqual([])
  })

  it('says so if nothing is found', async () => {
    const { page, problems } = await open(address('index.html'))
    await ask(page, 'qzxvkjwpy')
    const nothing = page.getByRole('status').filter({ hasText: 'Nothing was found' })
    await nothing.waitFor()
    for (const value of ['constructor', '__proto__']) {
      const box = page.getByRole('combobox', { name: /^Search/ })
      await box.fill('the')
      await results(page).getByRole('link').first().waitFor()
      await box.fill(`the is:${value}`)
      await page
        .getByRole('status')
        .filter({ hasText: `There is no state “${value}”` })
        .waitFor()
    }
    expect(problems).toEqual([])
  })

  it('keeps the last answer if an older question is still waiting for its files', async () => {
    const { page } = await open(address('index.html'))
    await ask(page, 'the')
    await results(page).getByRole('link').first().waitFor()
    await interfere(page)
    // Within the page, so that the second question comes before the first one reports that it takes long.
    const text = await page.evaluate(`(async () => {
      late.search = () => new Promise(() => {})
      const field = document.querySelector('dialog.seek input')
      const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
      for (const text of ['idempotency', 'kind:nothing']) {
        field.value = text
        field.dispatchEvent(new InputEvent('input', { bubbles: true }))
        await wait(120)
      }
      await wait(600)
      return document.querySelector('dialog.seek .told').textContent
    })()`)
    expect(text).toContain('There is no kind')
  })

  it('adds only sessions of the current question to an answer', async () => {
    const { page } = await open(address('search/index.html?q=git'))
    const titles = results(page).locator('.t')
    await titles.first().waitFor()
    await interfere(page)
    const box = page.getByRole('combobox', { name: /^Search/ })
    await box.fill('the')
    await expect.poll(() => titles.count()).toBe(10)
    await page.evaluate(`{
      const held = new Promise((resolve) => { globalThis.release = resolve })
      late.data = (text) => { if (text === 'the') return globalThis.isHeld = true, held }
    }`)
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.waitForFunction('globalThis.isHeld')
    await box.fill('idempotency')
    await expect.poll(() => titles.count()).toBeLessThan(10)
    const count = await titles.count()
    await page.evaluate('release()')
    await page.waitForTimeout(300)
    expect(await titles.count()).toBe(count)
  })

  it('keeps the order of the answers if more are requested while it still reads', async () => {
    const { page } = await open(address('search/index.html?q=git'))
    const titles = results(page).locator('.t')
    await titles.first().waitFor()
    await interfere(page)
    const box = page.getByRole('combobox', { name: /^Search/ })
    await box.fill('the')
    await expect.poll(() => titles.count()).toBe(10)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => titles.count()).toBe(20)
    const inOrder = await titles.allTextContents()
    // An answer that must be read completely, with ten slow results in the middle.
    await page.evaluate(`
      late.answer = () => ({ isSure: false })
      late.data = (_, rank) => rank < 15 || rank >= 25 ? undefined : new Promise((resolve) => setTimeout(resolve, 3000))
    `)
    await box.fill('the ')
    await box.fill('The')
    await page
      .getByRole('status')
      .filter({ hasText: /so far/ })
      .waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => titles.count()).toBeGreaterThanOrEqual(20)
    expect((await titles.allTextContents()).slice(0, 20)).toEqual(inOrder)
  })

  it('does not open a session when a filter is set after Enter in the empty box', async () => {
    const { page } = await open(address('search/index.html'))
    const box = page.getByRole('combobox', { name: /^Search/ })
    await box.press('Enter')
    await page.getByText('Something failed').click()
    await results(page).getByRole('link').first().waitFor()
    await page.waitForTimeout(200)
    expect(new URL(page.url()).pathname).toBe('/search/index.html')
  })

  it('waits on Enter for the answer with the chosen filters', async () => {
    const { page } = await open(address('search/index.html?q=the'))
    await expect.poll(() => results(page).locator('.t').count()).toBe(10)
    await page.getByRole('status').filter({ hasText: /found/ }).waitFor()
    await interfere(page)
    await page.evaluate('late.search = () => new Promise((resolve) => { globalThis.release = resolve })')
    await page.getByText('Something failed').click()
    await page.getByRole('combobox', { name: /^Search/ }).press('Enter')
    await page.waitForTimeout(200)
    expect(new URL(page.url()).pathname).toBe('/search/index.html')
    await page.evaluate('release()')
    await page.waitForURL(/sessions\//)
  })

  it('ignores keys during a composition', async () => {
    const { page } = await open(address('index.html'))
    await ask(page, 'the')
    await results(page).getByRole('link').first().waitFor()
    const press = (key: string) =>
      page.evaluate(`document.querySelector('dialog.seek input').dispatchEvent(
        new KeyboardEvent('keydown', { key: '${key}', isComposing: true, bubbles: true, cancelable: true }))`)
    await press('ArrowDown')
    expect(await focused(page)).toBe('INPUT')
    await press('Escape')
    expect(await dialog(page).isVisible()).toBe(true)
  })

  it('does not store folds that it opened to show a mark', async () => {
    const { page } = await open(address('index.html'))
    await page.goto(`${address(sessionPath('Tide curves on every harbour page'))}?mark=tide`)
    const marks = page.getByRole('group', { name: 'Marks' })
    await marks.waitFor()
    for (let step = 0; step < 12; step++) await marks.getByRole('button', { name: 'Next mark' }).click()
    expect(await page.locator('main .flow details[open]').count()).toBeGreaterThan(0)
    await page.evaluate("dispatchEvent(new Event('pagehide'))")
    expect(await page.evaluate("localStorage.getItem('codex-export:folds')")).toBeNull()
  })

  it('offers the rest of a session again if it could not be loaded', async () => {
    const { page } = await open(address('search/index.html?q=git'))
    await results(page).getByRole('link').first().waitFor()
    await interfere(page)
    await page.evaluate(`late.answer = ({ results }) => ({
      results: results.map((result) => ({
        ...result,
        data: async () => ({ ...(await result.data()), left: 1 }),
        rest: async () => { throw new Error('no network') },
      })),
    })`)
    await page.getByRole('combobox', { name: /^Search/ }).fill('the')
    const more = page.getByRole('button', { name: 'More in this session' })
    await more.first().click()
    const again = page.getByRole('button', { name: 'The rest could not be loaded: try again' })
    await again.waitFor()
    expect(await again.isEnabled()).toBe(true)
  })

  it('lists the known kinds and states if a question names another', async () => {
    const { page, problems } = await open(address('index.html'))
    await ask(page, 'the kind:bogus')
    await page.getByRole('status').filter({ hasText: 'There is no kind “bogus”; there are prompt, answer,' }).waitFor()
    await page.getByRole('combobox', { name: /^Search/ }).fill('the is:red')
    await page.getByRole('status').filter({ hasText: 'There is no state “red”; there are failed,' }).waitFor()
    expect(problems).toEqual([])
  })

  it('corrects a misspelt word, says so, and marks the right one', async () => {
    const { page, problems } = await open(address('index.html'))
    await ask(page, 'certifcates')
    const status = page.getByRole('status').filter({ hasText: 'Shown instead: “certificates”.' })
    await status.waitFor()
    // The result comes first, and the note on a separate line below it.
    await expect.poll(() => status.innerText()).toMatch(/^\d+ sessions?[^\n]* found\.\n[^\n]+$/)
    await results(page).getByRole('link').last().click()
    await page.waitForURL(/mark=%22certificates%22/)
    expect(problems).toEqual([])
  })

  it('finds a pasted command by its options, and excludes quoted words', async () => {
    const { page, problems } = await open(address('index.html'))
    await ask(page, 'pdftotext -layout tables/far-skerry-2026.pdf - | sed -n 88,96p')
    const status = page.getByRole('status').filter({ hasText: 'found.' })
    await expect
      .poll(() => status.innerText())
      .toMatch(/^1 session, 1 place found\.\nThese hold the text exactly as typed\./)
    await expect
      .poll(() => results(page).locator('mark').allInnerTexts())
      .toContain('pdftotext -layout tables/far-skerry-2026.pdf - | sed -n 88,96p')
    await page.getByRole('combobox', { name: /^Search/ }).fill('pdftotext -"layout"')
    await page.getByRole('status').filter({ hasText: 'Nothing was found' }).waitFor()
    expect(problems).toEqual([])
  })

  it('shows pages with some of the words if none has all', async () => {
    const { page, problems } = await open(address('index.html'))
    await ask(page, 'idempotency harmonics')
    const status = page.getByRole('status').filter({ hasText: 'No page has all of these words' })
    await expect.poll(() => status.innerText()).toMatch(/^\d+ sessions?[^\n]* found\.\nNo page has [^\n]+$/)
    expect(await results(page).getByRole('link').count()).toBeGreaterThan(1)
    expect(problems).toEqual([])
  })

  it('says what is wrong if the index cannot be read, and tries again', async () => {
    const { page } = await open(address('index.html'))
    const broken = '**/pagefind/**'
    await page.route(broken, (route) => route.abort())
    await ask(page, 'idempotency')
    await page.getByRole('status').filter({ hasText: 'could not be opened' }).waitFor()
    await page.unroute(broken)
    await page.getByRole('button', { name: 'Try again' }).click()
    await results(page).getByRole('link').first().waitFor()
  })

  it('says what is missing in a browser without WebAssembly', async () => {
    const { page } = await open(address('index.html'), { before: 'delete globalThis.WebAssembly' })
    await ask(page, 'idempotency')
    await page.getByRole('status').filter({ hasText: 'no WebAssembly' }).waitFor()
  })

  it('waits on Enter for the answer to the typed words, and opens its first place', async () => {
    const { page, problems } = await open(address('index.html'))
    await page.keyboard.press('/')
    await page.keyboard.type('idempotency')
    await page.keyboard.press('Enter')
    await page.waitForURL(/sessions\/.*mark=idempotency#/)
    expect(new URL(page.url()).pathname).toBe(`/${sessionPath('Conversion drops in week 7')}`)
    await page.goBack()
    await results(page).getByRole('link').first().waitFor()
    expect(await page.getByRole('combobox', { name: /^Search/ }).inputValue()).toBe('idempotency')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type('x')
    expect(await page.getByRole('combobox', { name: /^Search/ }).inputValue()).toBe('idempotencyx')
    expect(problems).toEqual([])
  })

  it('handles Enter before its controls are loaded', async () => {
    const { page } = await open(address('index.html'))
    await page.evaluate(`{
      document.querySelector('a.find').click()
      const field = document.querySelector('dialog.seek input')
      field.value = 'idempotency'
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    }`)
    await page.waitForURL(/sessions\/.*mark=idempotency#/)
    expect(new URL(page.url()).pathname).toBe(`/${sessionPath('Conversion drops in week 7')}`)
  })

  it('says what is not searched if nothing is found, and the command that searches it', async () => {
    const { page } = await open(address('index.html'))
    await ask(page, "qzx'vkjwpy")
    const status = page.getByRole('status').filter({ hasText: 'searchOutputs' })
    await status.waitFor()
    expect(await status.locator('code').textContent()).toBe("codex-export search 'qzx'\\''vkjwpy'")
    expect(await status.textContent()).toContain('turns that were rolled back, and lines that an edit did not change')
    await page.getByRole('combobox', { name: /^Search/ }).fill('--qzxvkjwpy')
    await page.getByText("codex-export search -- '--qzxvkjwpy'").waitFor()
    // In one argument they would be a phrase.
    await page.getByRole('combobox', { name: /^Search/ }).fill('qzxvkjwpy  vkjwpyqzx')
    await page.getByText("codex-export search 'qzxvkjwpy' 'vkjwpyqzx'").waitFor()
    const lines = async (text: string) => {
      await page.getByRole('combobox', { name: /^Search/ }).fill(text)
      await page.getByText(`codex-export search '${text}'`).waitFor()
      return (await page.locator('.told').innerText()).split('\n').slice(0, 2)
    }
    expect(await lines('qzxvkjwpz')).toEqual(['Nothing was found.', 'Try fewer or other words.'])
    expect(await lines('qzxvkjwpz is:failed')).toEqual([
      'Nothing was found.',
      'Remove a filter, or try fewer or other words.',
    ])
  })

  it('asks for the value of an operator that has none, if nothing is found', async () => {
    const { page } = await open(address('index.html'))
    await ask(page, '')
    for (const asked of ['kind:', 'qzxvkjwpz project:']) {
      await page.getByRole('combobox', { name: /^Search/ }).fill(asked)
      await page
        .getByRole('status')
        .filter({ hasText: `A value is missing after ${asked.split(' ').at(-1)}` })
        .waitFor()
    }
    // A word that ends in a colon is no operator.
    await page.getByRole('combobox', { name: /^Search/ }).fill('qzxvkjwpz:')
    await page.getByRole('status').filter({ hasText: 'Nothing was found.' }).waitFor()
  })

  it('says why it does not answer punctuation alone, or an invalid date', async () => {
    const { page } = await open(address('index.html'))
    await ask(page, '')
    for (const asked of ['{}', '=> kind:edit', 'is:failed ×']) {
      await page.getByRole('combobox', { name: /^Search/ }).fill(asked)
      await page.getByRole('status').filter({ hasText: 'Signs alone are not searched here' }).waitFor()
      expect(await results(page).getByRole('link').count()).toBe(0)
    }
    for (const asked of ['before:soon test', 'after:soon test']) {
      await page.getByRole('combobox', { name: /^Search/ }).fill(asked)
      await page.getByRole('status').filter({ hasText: '“soon” is no date' }).waitFor()
      expect(await results(page).getByRole('link').count()).toBe(0)
    }
    await page.getByRole('combobox', { name: /^Search/ }).fill('"')
    await page.getByRole('status').filter({ hasText: 'Part of a word is enough' }).waitFor()
  })

  it('is opened and left by keyboard: `/`, Ctrl-K, arrows, Enter, Escape', async () => {
    const { page, problems } = await open(address('index.html'))
    await page.keyboard.press('/')
    expect(await focused(page)).toBe('INPUT')
    await page.keyboard.type('certificates')
    await results(page).getByRole('link').first().waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toBe('A')
    await page.keyboard.press('ArrowUp')
    expect(await focused(page)).toBe('INPUT')
    await page.keyboard.press('Escape')
    expect(await dialog(page).isVisible()).toBe(false)
    await page.keyboard.press('Control+k')
    expect(await page.getByRole('combobox', { name: /^Search/ }).inputValue()).toBe('certificates')
    await page.keyboard.press('Enter')
    await page.waitForURL(/sessions\//)
    expect(problems).toEqual([])
  })
})

describeInBrowser('the search page', (open) => {
  const address = useDemoServer()

  it('takes what is typed away from the kinds that are chosen, and adds to them', async () => {
    const kindsFor = async (query: string): Promise<string[]> => {
      const { page } = await open(address(`search/index.html?q=${encodeURIComponent(query)}&kind=command,answer`))
      await results(page).getByRole('link').first().waitFor()
      return [...new Set(await results(page).locator('.k').allTextContents())].sort()
    }
    expect(await kindsFor('test -kind:command')).toEqual(['Answer'])
    expect(await kindsFor('test kind:edit')).toEqual(['Answer', 'Command', 'Edit'])
    const { page } = await open(address('search/index.html?q=test%20-kind:command&kind=command'))
    await page.getByRole('status').filter({ hasText: 'Nothing was found. Remove a filter' }).waitFor()
  })

  it('answers the question in its address, and updates the address', async () => {
    const { page, problems } = await open(address('search/index.html?q=test&project=shop&kind=command'))
    await results(page).getByRole('link').first().waitFor()
    expect(await page.locator('.facet summary[data-chosen]').allTextContents()).toEqual(['shop'])
    const facts = await results(page).locator('.p').allTextContents()
    expect(facts.length).toBeGreaterThan(1)
    for (const text of facts) expect(text).toContain(' · shop')
    const kinds = await results(page).locator('.k').allTextContents()
    expect([...new Set(kinds)]).toEqual(['Command'])

    await page.getByText('Commands').click()
    await page.getByLabel('Order').selectOption('date')
    await expect.poll(() => new URL(page.url()).search).toBe('?q=test&project=shop&sort=date')
    // The address changes with the question, the list with its answer.
    const isNewestFirst = async () => {
      const dates = (await results(page).locator('.p').allTextContents()).map((text) => text.slice(0, 16))
      return dates.length > 1 && dates.join() === [...dates].sort().reverse().join()
    }
    await expect.poll(isNewestFirst).toBe(true)
    await page.getByRole('combobox', { name: /^Search/ }).fill('npm')
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('npm')
    expect(problems).toEqual([])
  })

  it('lists sessions by filters alone, with the number of sessions for each', async () => {
    const { page, problems } = await open(address('search/index.html?errors=yes'))
    await results(page).getByRole('link').first().waitFor()
    await page
      .getByRole('status')
      .filter({ hasText: /sessions? found|, \d+ places? found/ })
      .waitFor()
    const found = Number((await page.getByRole('status').filter({ hasText: /found/ }).textContent())?.split(' ')[0])
    const sumOfCounts = async () => {
      const counts = await page.locator('.facet').first().locator('.count').allTextContents()
      return counts.reduce((sum, text) => sum + Number(text), 0)
    }
    await expect.poll(sumOfCounts).toBe(found)
    expect(problems).toEqual([])
  })

  it('shows the first hit above 300 pixels on a phone, with the filters folded and counted', async () => {
    const { page, problems } = await open(address('search/index.html?q=test&kind=command'), { width: 390 })
    const hit = page.getByRole('list', { name: 'Results' }).getByRole('link').first()
    await hit.waitFor()
    expect((await hit.boundingBox())?.y).toBeLessThan(300)
    // The number of the turn does not go to a line of its own.
    expect(await page.getByRole('list', { name: 'Results' }).getByText(/^turn/).first().textContent()).toMatch(
      /^turn\u00A0\d/,
    )
    expect(await page.getByRole('checkbox', { name: 'Commands' }).isVisible()).toBe(false)
    await page.getByText('Filters (1)', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'Commands' }).uncheck({ force: true })
    await page.getByText('Filters', { exact: true }).waitFor()
    await page.setViewportSize({ width: 1280, height: 900 })
    expect(await page.getByRole('checkbox', { name: 'Commands' }).isVisible()).toBe(true)
    expect(problems).toEqual([])
  })

  it('accepts operators, and counts sessions and places', async () => {
    const { page, problems } = await open(address('search/index.html?q=certificates%20kind:prompts'))
    const status = page.getByRole('status').filter({ hasText: /found/ })
    await status.waitFor()
    expect(await status.textContent()).toMatch(/^\d+ sessions?, \d+ places? found\.$/)
    expect(new Set(await results(page).locator('.k').allTextContents())).toEqual(new Set(['Prompt']))
    // The longest names of kinds fit on one line, separate from the words.
    const fits = (name: string) =>
      results(page)
        .locator('li li a')
        .first()
        .evaluate((hit, text) => {
          const [label, words] = [hit.querySelector('.k'), hit.querySelector('.e')]
          if (label === null || words === null) return false
          label.textContent = text
          const [line, ...others] = label.getClientRects()
          return others.length === 0 && (line?.right ?? 0) + 4 < words.getBoundingClientRect().left
        }, name)
    expect([await fits('Web search'), await fits('Commentary')]).toEqual([true, true])
    const titles = await results(page).locator('.t').allTextContents()
    await page.getByRole('combobox', { name: /^Search/ }).fill('certificates kind:prompts -project:infra -the')
    await expect.poll(() => results(page).locator('.t').allTextContents()).not.toEqual(titles)
    expect(await page.title()).toMatch(/^certificates kind:prompts -project:infra -the · /)
    expect(problems).toEqual([])
  })

  it('offers the values of an operator with counts, and shows it as a removable chip', async () => {
    const { page, problems } = await open(address('search/index.html?q=test'), { width: 390 })
    const box = page.getByRole('combobox', { name: /^Search/ })
    const values = page.getByRole('listbox', { name: 'Operators and values' })
    await results(page).getByRole('link').first().waitFor()
    await box.press('End')
    await box.pressSequentially(' project:s')
    const shop = values.getByRole('option', { name: /^shop \d+$/ })
    await shop.waitFor()
    expect(await box.getAttribute('aria-expanded')).toBe('true')
    await box.press('ArrowDown')
    await expect
      .poll(async () => (await box.getAttribute('aria-activedescendant')) === (await shop.getAttribute('id')))
      .toBe(true)
    await box.press('Escape')
    expect(await values.isVisible()).toBe(false)
    expect(await box.inputValue()).toBe('test project:s')
    await box.pressSequentially('h')
    await shop.waitFor()
    await box.press('ArrowDown')
    await box.press('Enter')
    expect(await box.inputValue()).toBe('test project:shop ')
    expect(await box.getAttribute('aria-expanded')).toBe('false')
    const hit = results(page).getByRole('link').first()
    await expect.poll(async () => (await results(page).locator('.p').first().textContent()) ?? '').toContain(' · shop')
    await expect.poll(async () => (await hit.boundingBox())?.y).toBeLessThan(300)
    await page.getByRole('button', { name: 'Remove project:shop' }).click()
    expect(await box.inputValue()).toBe('test ')
    await expect.poll(() => page.getByRole('group', { name: 'Operators' }).isVisible()).toBe(false)
    expect(problems).toEqual([])
  })

  it('completes names of operators and days, and shows everything except plain words as chips', async () => {
    const { page, problems } = await open(address('search/index.html'))
    const box = page.getByRole('combobox', { name: /^Search/ })
    const options = page.getByRole('listbox', { name: 'Operators and values' }).getByRole('option')
    await box.pressSequentially('ferry pro')
    await expect.poll(() => options.allTextContents()).toEqual(['project:'])
    await box.press('ArrowDown')
    expect(await box.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'))
    await box.press('Enter')
    expect(await box.inputValue()).toBe('ferry project:')
    await options.filter({ hasText: /^ferry \d+$/ }).click()
    expect(await box.inputValue()).toBe('ferry project:ferry ')
    await box.pressSequentially('-ki')
    await options.filter({ hasText: /^kind:$/ }).click()
    await options.filter({ hasText: 'command' }).click()
    await box.pressSequentially('after:')
    await expect.poll(() => options.allTextContents()).toContain('1y a year ago')
    await box.fill('ferry OR "far skerry" -inventory +tide is:finished')
    const chips = page.getByRole('group', { name: 'Operators' }).getByRole('button')
    await expect
      .poll(() => chips.allTextContents())
      .toEqual(['OR ×', '"far skerry" ×', '-inventory ×', '+tide ×', 'is:finished ×'])
    // After the last option, the arrow leads to the answers.
    await box.fill('file')
    await results(page).getByRole('link').first().waitFor()
    await expect.poll(() => options.count()).toBe(1)
    await box.press('ArrowDown')
    await box.press('ArrowDown')
    expect(await focused(page)).toBe('A')
    expect(problems).toEqual([])
  })

  it('completes names of files and tools from a list that it loads on demand', async () => {
    const { page, problems } = await open(address('search/index.html'))
    const box = page.getByRole('combobox', { name: /^Search/ })
    const options = page.getByRole('listbox', { name: 'Operators and values' }).getByRole('option')
    const lists = () =>
      page.evaluate("performance.getEntriesByType('resource').filter(({ name }) => name.includes('.pf_names')).length")
    await box.pressSequentially('is:fin')
    await options.first().waitFor()
    expect(await lists()).toBe(0)
    for (const [typed, name, count, kind] of [
      ['file:', 'README.md', 2, 'Edit'],
      ['tool:', 'charts/render', 1, 'MCP'],
    ] as const) {
      await box.fill(typed)
      await expect.poll(() => options.first().textContent()).toBe(`${name} ${count}`)
      await box.press('ArrowDown')
      await box.press('Enter')
      expect(await box.inputValue()).toBe(`${typed}${name} `)
      await expect.poll(async () => [...new Set(await results(page).locator('.k').allTextContents())]).toEqual([kind])
      expect(await results(page).locator('.t').count()).toBe(count)
    }
    expect(await lists()).toBe(1)
    expect(problems).toEqual([])
  })

  it('finds a session by its id or the beginning of it', async () => {
    const id = sessionPath('Conversion drops in week 7').split('/')[1] ?? ''
    const { page, problems } = await open(address('search/index.html'))
    for (const asked of [id, id.slice(0, 13)]) {
      await page.getByRole('combobox', { name: /^Search/ }).fill(asked)
      await expect
        .poll(() => results(page).locator('.t').allTextContents())
        .toEqual([expect.stringMatching(/^Conversion drops in week 7/)])
      await page.getByRole('combobox', { name: /^Search/ }).fill('qzxvkjwpy')
      await expect.poll(() => results(page).locator('.t').count()).toBe(0)
    }
    expect(problems).toEqual([])
  })

  it('keeps questions whose answers were opened, until the reader forgets them', async () => {
    const { page, problems } = await open(address('search/index.html?q=certificates'))
    await results(page).getByRole('link').first().click()
    await page.waitForURL(/sessions\//)
    await page.goto(address('search/index.html'))
    const recent = page.getByRole('list', { name: 'Recent questions' }).getByRole('button')
    await recent.first().waitFor()
    expect(await recent.allTextContents()).toEqual(['certificates'])
    await page.getByRole('combobox', { name: /^Search/ }).press('ArrowDown')
    await page.keyboard.press('Enter')
    await results(page).getByRole('link').first().waitFor()
    await page.getByRole('combobox', { name: /^Search/ }).fill('')
    await page.getByRole('button', { name: 'Forget these' }).click()
    expect(await recent.count()).toBe(0)
    expect(await page.evaluate('localStorage.getItem("codex-export:asked")')).toBeNull()
    expect(problems).toEqual([])
  })

  it('narrows by the state of the last turn, and to sub-agents or other sessions', async () => {
    const { page, problems } = await open(address('search/index.html?q=the'))
    await results(page).getByRole('link').first().waitFor()
    await page.locator('.facet > summary').filter({ hasText: 'Any state' }).click()
    const failed = page.getByRole('checkbox', { name: /^Failed \d+$/ })
    const count = Number((await failed.locator('..').textContent())?.match(/\d+/)?.[0])
    await failed.check()
    const status = page.getByRole('status').filter({ hasText: /^\d+ sessions?.* found/ })
    await expect.poll(async () => Number.parseInt((await status.textContent()) ?? '', 10)).toBe(count)
    expect(new URL(page.url()).searchParams.get('state')).toBe('failed')
    await failed.uncheck()
    await page.getByRole('checkbox', { name: 'Sub-agents only' }).check({ force: true })
    await expect.poll(() => new URL(page.url()).searchParams.getAll('agent')).toEqual(['yes'])
    await expect.poll(() => results(page).locator('.t').allTextContents()).toContain('Review of uncommitted changes')
    await page.getByRole('checkbox', { name: 'Without sub-agents' }).check({ force: true })
    await expect.poll(() => new URL(page.url()).searchParams.getAll('agent')).toEqual(['no'])
    await expect.poll(() => results(page).locator('.t').count()).toBeGreaterThan(3)
    expect(await results(page).locator('.t').allTextContents()).not.toContain('Review of uncommitted changes')
    expect(problems).toEqual([])
  })

  it('folds places of a session that repeat the text of one above', async () => {
    const { page, problems } = await open(address('search/index.html?q=npm'))
    const places = results(page).locator(':scope > li').first().locator('li')
    await expect.poll(() => places.count()).toBe(2)
    expect(new Set(await places.allTextContents()).size).toBe(1)
    expect(await places.last().isVisible()).toBe(false)
    await page.getByRole('button', { name: '1 more in this session' }).first().click()
    expect(await places.last().isVisible()).toBe(true)
    expect(await places.last().locator('a:focus').count()).toBe(1)
    expect(problems).toEqual([])
  })

  it('shows as many answers after Back, at the same place', async () => {
    const { page, problems } = await open(address('search/index.html?q=the'))
    await page.getByRole('button', { name: 'Show more' }).click()
    const shown = () => results(page).locator('.t').count()
    await expect.poll(shown).toBe(20)
    const last = results(page).locator('.t').last()
    await last.scrollIntoViewIfNeeded()
    const title = await last.textContent()
    await last.click()
    await page.waitForURL(/sessions\//)
    await page.goBack()
    await expect.poll(shown).toBe(20)
    expect(await last.textContent()).toBe(title)
    await expect.poll(async () => (await last.boundingBox())?.y).toBeLessThan(page.viewportSize()?.height ?? 0)
    expect(problems).toEqual([])
  })

  it('shows the answers of the newest shard first, and adds those of the others after them', async () => {
    const { page, problems } = await open(address('search/index.html'))
    // An engine that answers in two steps, because an archive of several shards is too large for this test.
    const engine = `globalThis.codexSearch = { open: async () => {
      const query = { all: [], none: [], filters: {}, kinds: [] }
      const result = (id) => ({ id, rest: async () => [], data: async () => ({ path: id + '/', meta: { title: 'S' + id }, facts: {}, places: [], excerpt: [], left: 0 }) })
      const answer = (ids, more) => ({ query, instead: undefined, total: ids.length, filters: {}, results: ids.map(result), ...more })
      const whole = new Promise((done) => { globalThis.goOn = () => done(answer([7, 3, 2, 5, 1, 9, 8, 4, 6], { isSure: true })) })
      return { filters: async () => ({}), search: async () => answer([1, 2, 3, 4, 5, 6], { isSure: false, rest: () => whole }) }
    } }`
    await page.route('**/pagefind/search.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: engine }),
    )
    await page.reload()
    await page.getByRole('combobox', { name: /^Search/ }).fill('word')
    const status = (text: RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor()
    const titles = () => results(page).locator('.t').allTextContents()
    await status(/^5 sessions so far…$/)
    expect(await titles()).toEqual(['S1', 'S2', 'S3', 'S4', 'S5'])
    await page.evaluate('goOn()')
    await status(/^9 sessions found\.$/)
    expect(await titles()).toEqual(['S1', 'S2', 'S3', 'S4', 'S5', 'S7', 'S9', 'S8', 'S6'])
    expect(problems).toEqual([])
  })

  it('is opened from the dialog with the same question', async () => {
    const { page } = await open(address('index.html'))
    await ask(page, 'idempotency')
    await results(page).getByRole('link').first().waitFor()
    await page.getByRole('link', { name: 'Open as a page' }).click()
    await page.waitForURL(/search\/index\.html\?q=idempotency$/)
    await results(page).getByRole('link').first().waitFor()
    expect(await page.getByRole('combobox', { name: /^Search/ }).inputValue()).toBe('idempotency')
  })
})

describeInBrowser('the search of a session in one file', (open) => {
  it('finds its own items, leads to them and marks the words', async () => {
    const { page, problems } = await open(pathToFileURL(inject('single')).href)
    await page.keyboard.press('/')
    await page.getByRole('combobox', { name: 'Search this session' }).fill('payment')
    await page
      .getByRole('status')
      .filter({ hasText: /places? found/ })
      .waitFor()
    await page.getByText('Edits').click()
    await expect
      .poll(async () => new Set(await results(page).locator('.k').allTextContents()))
      .toEqual(new Set(['Edit']))
    const link = results(page).getByRole('link').first()
    const id = (await link.getAttribute('href'))?.slice(1)
    await link.click()
    expect(await dialog(page).isVisible()).toBe(false)
    await expect.poll(() => page.evaluate('location.hash.slice(1)')).toBe(id)
    await expect.poll(() => page.evaluate('CSS.highlights.get("sought")?.size ?? 0')).toBeGreaterThan(0)
    expect(problems).toEqual([])
  })
})
