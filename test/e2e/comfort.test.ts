/** What the page script adds: themes, keys, folds, views, copying, pictures, local times, print. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { layOutAll } from '../helpers/chromium.ts'
import { readDemo, sessionPath, useDemoServer } from './demo.ts'

const shop = (): string => sessionPath('Conversion drops in week 7')
const long = (): string => sessionPath('Inventory of all hosts')

/** Id and classes of the focused element. */
function focused(page: Page): Promise<{ id: string; classes: string[] }> {
  return page.evaluate('({ id: document.activeElement.id, classes: [...document.activeElement.classList] })')
}

/** Presses a key and returns the focused element. */
async function press(page: Page, key: string): Promise<{ id: string; classes: string[] }> {
  await page.keyboard.press(key)
  return focused(page)
}

/** Ids of the matching elements, in order. */
function idsOf(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => element.id)`)
}

/** Whether an element is in the window, below the bar. */
function isBelowBar(page: Page, id: string, part = ''): Promise<boolean> {
  return page.evaluate(`(() => {
    const { top } = document.querySelector(${JSON.stringify(`[id="${id}"] ${part}`)}).getBoundingClientRect()
    return top >= document.querySelector('.top').offsetHeight && top < innerHeight
  })()`)
}

/** Records in `window.copied` what is copied, by the clipboard or, if that is missing, by a selection. */
function watchClipboard(works: boolean): string {
  return `
    window.copied = []
    Object.defineProperty(navigator, 'clipboard', {
      value: ${works} ? { writeText: async (text) => { window.copied.push(text) } } : undefined,
    })
    document.addEventListener('copy', () => window.copied.push(document.activeElement.value))`
}

describeInBrowser('the theme', (open) => {
  const address = useDemoServer()
  const scheme = 'getComputedStyle(document.documentElement).colorScheme'

  it('cycles through dark, light and automatic, each by name, and begins with the one that differs', async () => {
    const { page, problems } = await open(address('index.html'))
    const seen: unknown[] = []
    for (let click = 0; click < 4; click++) {
      const button = page.locator('.theme')
      seen.push([await button.getAttribute('aria-label'), await page.evaluate(scheme)])
      await button.click()
    }
    expect(seen).toEqual([
      ['Theme: automatic', 'light dark'],
      ['Theme: dark', 'dark'],
      ['Theme: light', 'light'],
      ['Theme: automatic', 'light dark'],
    ])
    expect(problems).toEqual([])
  })

  it('begins with light if the system is dark', async () => {
    const { page } = await open(address('index.html'), { scheme: 'dark' })
    await page.locator('.theme').click()
    expect(await page.evaluate(scheme)).toBe('light')
  })

  it('stays on the next page, and is applied before the first paint', async () => {
    const { page, problems } = await open(address('index.html'))
    await page.locator('.theme').click()
    // A slow script: without blocking, the page would be painted light before it.
    await page.route('**/assets/*.js', async (route) => {
      await new Promise((done) => setTimeout(done, 700))
      await route.fallback()
    })
    await page.goto(address(shop()), { waitUntil: 'load' })
    expect(await page.evaluate(scheme)).toBe('dark')
    await expect.poll(() => page.evaluate('performance.getEntriesByType("paint").length')).toBeGreaterThan(0)
    const [paint, script] = await page.evaluate<[number, number]>(`[
      performance.getEntriesByType('paint')[0].startTime,
      performance.getEntriesByType('resource').find(({ name }) => name.endsWith('.js')).responseEnd,
    ]`)
    expect(paint).toBeGreaterThan(script)
    expect(problems).toEqual([])
  })

  it('can be changed if the browser forbids storage', async () => {
    const { page, problems } = await open(address('index.html'), {
      before: `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })`,
    })
    await page.locator('.theme').click()
    expect(await page.evaluate(scheme)).toBe('dark')
    expect(problems).toEqual([])
  })

  it('is the one that was chosen last on a page that comes back as it was left', async () => {
    const { page } = await open(address('index.html'))
    await page.evaluate(`{
      localStorage.setItem('codex-export:theme', 'dark')
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    }`)
    expect(await page.evaluate(scheme)).toBe('dark')
  })

  it('has no button without JavaScript', async () => {
    const { page } = await open(address('index.html'), { javaScript: false })
    expect(await page.locator('.theme').isVisible()).toBe(false)
  })
})

describeInBrowser('the keyboard in a session', (open) => {
  const address = useDemoServer()

  it('goes to the next item with `j` and back with `k`, each below the bar', async () => {
    const { page, problems } = await open(address(`${shop()}?view=all`))
    const items = await idsOf(page, '.flow :is(.item, .did)')
    const first = await press(page, 'j')
    expect(first.id).toBe(items[0])
    const walked = [first.id]
    for (let step = 0; step < 12; step++) {
      const { id } = await press(page, 'j')
      walked.push(id)
      expect(await isBelowBar(page, id)).toBe(true)
    }
    expect(new Set(walked).size).toBe(walked.length)
    expect(walked.map((id) => items.indexOf(id))).toEqual(walked.map((id) => items.indexOf(id)).sort((a, b) => a - b))
    expect((await press(page, 'k')).id).toBe(walked.at(-2))
    expect(problems).toEqual([])
  })

  it('begins where the reader has scrolled to', async () => {
    const { page } = await open(address(`${shop()}?view=all`))
    await press(page, 'j')
    await page.evaluate('document.querySelectorAll(".flow .turn")[1].scrollIntoView()')
    const turn = await page.evaluate('document.querySelectorAll(".flow .turn")[1].id')
    await press(page, 'j')
    expect(await page.evaluate('document.activeElement.closest(".turn").id')).toBe(turn)
  })

  it('goes to turns with `t` and `T`, with their headings in view', async () => {
    const { page } = await open(address(`${shop()}?view=all`))
    const turns = await idsOf(page, '.flow .turn')
    const seen: unknown[] = []
    for (const key of ['t', 't', 't', 'T']) {
      await page.keyboard.press(key)
      seen.push(await page.evaluate('document.activeElement.closest(".turn").id'))
      expect(await isBelowBar(page, String(seen.at(-1)), 'h2')).toBe(true)
    }
    expect(seen).toEqual([turns[0], turns[1], turns[2], turns[1]])
  })

  it('goes to failures with `e` and to edits with `d`, and says so when there are no more', async () => {
    const { page } = await open(address(`${sessionPath('ferry copy starts from zero')}?view=all`))
    // Two of its three failures were fixed later, so that the keys skip them.
    await page.locator('.item.fixed').evaluateAll((items) => {
      for (const item of items) item.classList.replace('fixed', 'failed')
    })
    const failed: string[] = []
    for (let last = ''; ; ) {
      const { id } = await press(page, 'e')
      if (id === last) break
      failed.push(id)
      last = id
    }
    expect(failed).toEqual(await idsOf(page, '.flow .item:is(.failed, .error, :has(> .failed))'))
    expect(failed.length).toBeGreaterThan(1)
    expect(await page.getByRole('status').first().textContent()).toBe('No more errors on this page')
    const back: string[] = []
    for (const _ of failed.slice(1)) back.push((await press(page, 'E')).id)
    expect(back).toEqual(failed.slice(0, -1).reverse())
    await press(page, 'E')
    expect(await page.getByRole('status').first().textContent()).toBe('No earlier errors on this page')
    expect((await press(page, 'd')).classes).toContain('patch')
  })

  it('opens and closes the item with `o` and the whole turn with `O`', async () => {
    const { page } = await open(address(`${shop()}?view=work`))
    const command = page.locator('.flow .turn .item.command:has(> details:not([open]))').first()
    const id = (await command.getAttribute('id')) ?? ''
    for (let steps = 0; steps < 20 && (await focused(page)).id !== id; steps++) await page.keyboard.press('j')
    const fold = page.locator(`[id="${id}"] details`).first()
    expect(await fold.getAttribute('open')).toBeNull()
    await page.keyboard.press('o')
    expect(await fold.getAttribute('open')).not.toBeNull()
    await page.keyboard.press('o')
    expect(await fold.getAttribute('open')).toBeNull()
    const closed = page
      .locator('.flow .turn')
      .filter({ has: page.locator(`[id="${id}"]`) })
      .locator('details:not([open])')
    await page.keyboard.press('O')
    expect(await closed.count()).toBe(0)
    await page.keyboard.press('O')
    expect(await closed.count()).toBeGreaterThan(1)
    expect((await focused(page)).id).toBe(id)
  })

  it('continues on the next page after the last item, and on the previous before the first', async () => {
    const { page, problems } = await open(address(`${long().replace('index', '1')}?view=all`))
    // What is above it is laid out when it comes near, which takes some frames.
    await page.evaluate(`(async () => {
      const last = [...document.querySelectorAll('.flow .item')].filter((item) => item.checkVisibility()).at(-1)
      last.tabIndex = -1
      last.focus({ preventScroll: true })
      location.hash = last.id
      for (let frame = 0; frame < 12; frame++) await new Promise((done) => requestAnimationFrame(done))
    })()`)
    await page.keyboard.press('j')
    await page.waitForURL(/\/2\.html$/)
    await expect.poll(async () => (await focused(page)).classes).toContain('item')
    const items = await idsOf(page, '.flow .item')
    expect((await focused(page)).id).toBe(items[0])
    await page.keyboard.press('k')
    await page.waitForURL(/\/1\.html$/)
    await expect.poll(async () => (await focused(page)).classes).toContain('item')
    expect((await focused(page)).id).toBe((await idsOf(page, '.flow .item')).at(-1))
    expect(problems).toEqual([])
  })

  it('handles a key right after a dialog closed, before the focus has left it', async () => {
    const { page } = await open(address(shop()))
    await page.keyboard.press('/')
    await page.evaluate(`{
      const field = document.querySelector('dialog.seek input')
      field.closest('dialog').close()
      field.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))
    }`)
    expect(await page.getByRole('dialog', { name: 'Keyboard' }).isVisible()).toBe(true)
  })

  it('is not used while typing, with modifiers, or after it was turned off', async () => {
    const { page } = await open(address(`${shop()}?view=all`))
    await page.keyboard.press('/')
    await page.keyboard.type('jest')
    expect(await page.getByRole('combobox', { name: /^Search/ }).inputValue()).toBe('jest')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+j')
    expect((await focused(page)).classes).not.toContain('item')
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard' })
    await help.getByLabel('Use these keys').uncheck()
    await page.keyboard.press('Escape')
    expect(await help.isVisible()).toBe(false)
    await page.keyboard.press('j')
    expect((await focused(page)).classes).not.toContain('item')
    await page.getByRole('button', { name: 'Keyboard' }).click()
    await help.getByLabel('Use these keys').check()
    await page.keyboard.press('Escape')
    expect((await press(page, 'j')).classes).toContain('item')
  })

  it('can be turned off where the browser forbids storage', async () => {
    const { page } = await open(address(`${shop()}?view=all`), {
      before: `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })`,
    })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).getByLabel('Use these keys').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    expect((await focused(page)).classes).not.toContain('item')
  })

  it('copies the item with `c`', async () => {
    const { page } = await open(address(`${shop()}?view=all`), { before: watchClipboard(true) })
    await page.keyboard.press('t')
    await page.keyboard.press('c')
    for (let steps = 0; steps < 9 && !(await focused(page)).classes.includes('prompt'); steps++) {
      await page.keyboard.press('j')
    }
    await page.keyboard.press('c')
    const [folded, prompt] = await page.evaluate<string[]>('window.copied')
    expect(folded).toMatch(/\w/)
    expect(prompt).toMatch(/^Conversion drops in week 7/)
  })

  it('lists its keys with `?`, is inactive behind the list, and returns the focus after Escape', async () => {
    const { page, problems } = await open(address(`${shop()}?view=all`))
    const { id } = await press(page, 'j')
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard' })
    expect(await help.locator('kbd').allTextContents()).toEqual(expect.arrayContaining([...'jktedos/?']))
    await page.keyboard.press('j')
    await page.keyboard.press('Escape')
    expect((await focused(page)).id).toBe(id)
    expect(problems).toEqual([])
  })
})

describeInBrowser('the keyboard in a list', (open) => {
  const address = useDemoServer()

  it('walks the rows with `j` and `k`, and Enter opens one', async () => {
    const { page } = await open(address('index.html'))
    const row = () => page.evaluate<string>('document.activeElement.href')
    await page.keyboard.press('j')
    const first = await row()
    await page.keyboard.press('j')
    expect(await row()).not.toBe(first)
    await page.keyboard.press('k')
    expect(await row()).toBe(first)
    await page.keyboard.press('Enter')
    await page.waitForURL(first)
  })
})

describeInBrowser('a fold', (open) => {
  const address = useDemoServer()
  const fold = '.flow .item.command details:not([open])'

  it('stays as the reader left it, on the next visit and only in this session', async () => {
    const { page, problems } = await open(address(`${shop()}?view=work`))
    const id = (await page.locator('.flow .item.command:has(> details:not([open]))').first().getAttribute('id')) ?? ''
    await page.locator(`[id="${id}"] summary`).first().click()
    const opened = await page.evaluate<string>('JSON.stringify(localStorage)')
    expect(opened).not.toContain(id)
    await page.goto(address(sessionPath('ferry copy starts from zero')))
    await page.goto(address(`${shop()}?view=work`))
    await expect.poll(() => page.locator(`[id="${id}"] details`).first().getAttribute('open')).not.toBeNull()
    await page.locator(`[id="${id}"] summary`).first().click()
    await page.reload()
    expect(await page.locator(`[id="${id}"] details`).first().getAttribute('open')).toBeNull()
    // Back to how it was built, so that nothing remains to be stored.
    expect(await page.evaluate('localStorage.getItem("codex-export:folds")')).toBeNull()
    expect(problems).toEqual([])
  })

  it('is stored even if the page was left before the browser sent the toggle event', async () => {
    const { page } = await open(address(`${shop()}?view=work`), {
      before: `addEventListener('toggle', (event) => event.stopImmediatePropagation(), true)`,
    })
    const own = page.locator(fold).first()
    const id = (await page.locator('.flow .item.command:has(> details:not([open]))').first().getAttribute('id')) ?? ''
    await own.locator('> summary').click()
    await page.goto(address('index.html'))
    await page.goto(address(`${shop()}?view=work`))
    expect(await page.locator(`[id="${id}"] details`).first().getAttribute('open')).not.toBeNull()
  })

  it('is not stored if a link opened it, and a stored one is overridden by a link', async () => {
    const { page } = await open(address(`${shop()}?view=work`))
    const item = page.locator(`.flow .item.command:has(> details:not([open]))`).first()
    const id = (await item.getAttribute('id')) ?? ''
    await page.goto(address(`${shop()}?view=work#${id}`))
    const own = page.locator(`[id="${id}"] > details`)
    await expect.poll(() => own.getAttribute('open')).not.toBeNull()
    await page.goto(address('index.html'))
    await page.goto(address(`${shop()}?view=work`))
    expect(await own.getAttribute('open')).toBeNull()
    await page.goto(address(`${shop()}?view=all`))
    await own.locator('> summary').click()
    await page.goto(address('index.html'))
    await page.goto(address(`${shop()}?view=all`))
    expect(await own.getAttribute('open')).toBeNull()
    await page.goto(address('index.html'))
    await page.goto(address(`${shop()}?view=all#${id}`))
    await expect.poll(() => own.getAttribute('open')).not.toBeNull()
  })

  it('is stored for at most 40 sessions, and a damaged store causes no error', async () => {
    const many = JSON.stringify(Array.from({ length: 60 }, (_, index) => [`/s/${index}/`, [['l1', 1]]]))
    const { page, problems } = await open(address(`${shop()}?view=work`), {
      before: `if (!localStorage.getItem('codex-export:folds')) localStorage.setItem('codex-export:folds', ${JSON.stringify(many)})`,
    })
    await page.locator(`${fold} summary`).first().click()
    await page.goto(address(sessionPath('ferry copy starts from zero')))
    const kept = JSON.parse(await page.evaluate<string>('localStorage.getItem("codex-export:folds")')) as unknown[]
    expect(kept).toHaveLength(40)
    await page.evaluate('localStorage.setItem("codex-export:folds", "{broken")')
    await page.goto(address(`${shop()}?view=work`))
    expect(await page.locator('.views').count()).toBe(1)
    expect(problems).toEqual([])
  })
})

describeInBrowser('a view', (open) => {
  const address = useDemoServer()
  const visible = (page: Page, selector: string) =>
    page.evaluate<number>(
      `[...document.querySelectorAll('.flow ${selector}')].filter((item) => item.checkVisibility()).length`,
    )

  it('is a story: messages, decisions and changes, with the work between as lines that open', async () => {
    const { page, problems } = await open(address(shop()))
    const prompts = await visible(page, '.prompt')
    expect(prompts).toBeGreaterThan(2)
    expect(await visible(page, '.answer')).toBeGreaterThan(2)
    expect(await visible(page, '.changed')).toBeGreaterThan(0)
    expect(await visible(page, '.rows .item')).toBe(0)
    await page.locator('.did > summary').first().click()
    expect(await visible(page, '.rows .item')).toBeGreaterThan(1)
    expect(problems).toEqual([])
  })

  it('of the work has a row of one line for each call, without thoughts and context', async () => {
    const { page, problems } = await open(address(shop()))
    await page.getByRole('radio', { name: 'Work' }).check()
    await layOutAll(page)
    expect(await visible(page, '.item:is(.context, .thought)')).toBe(0)
    const rows = page.locator('.rows > .item.command:visible')
    expect(await rows.count()).toBeGreaterThan(2)
    const heights = await rows.evaluateAll((items) => items.map((item) => item.getBoundingClientRect().height))
    expect(Math.max(...heights)).toBeLessThanOrEqual(30)
    expect(await visible(page, '.item.command .term')).toBe(0)
    expect(problems).toEqual([])
  })

  it('of everything has thoughts and context too, and open calls with their outputs and changes', async () => {
    const { page, problems } = await open(address(`${shop()}?view=work`))
    const read = page.locator('.rows > .item.command > details').first()
    await read.locator('> summary').click()
    await page.getByRole('radio', { name: 'Everything' }).check()
    expect(await visible(page, '.item:is(.context, .thought)')).toBeGreaterThan(0)
    const calls = '.item:is(.command, .tool, .patch, .search) details.work:not(.script)'
    expect(await visible(page, calls)).toBeGreaterThan(5)
    expect(await visible(page, `${calls}:not([open])`)).toBe(0)
    expect(await visible(page, '.item.command [data-copy="output"]')).toBeGreaterThan(2)
    expect(await visible(page, '.item.patch .diff')).toBeGreaterThan(0)
    expect(await visible(page, '.item.context > details[open]')).toBe(0)
    // In the work view, only what the reader had opened is still open.
    await page.getByRole('radio', { name: 'Work' }).check()
    expect(await visible(page, `${calls}[open]`)).toBe(1)
    expect(await read.getAttribute('open')).not.toBeNull()
    expect(problems).toEqual([])
  })

  it("changes with `v`, stays on other pages, and keeps the reader's place", async () => {
    const { page } = await open(address(shop()))
    // Low enough that the answer can be scrolled to the top.
    await page.setViewportSize({ width: 1280, height: 500 })
    const answer = page.locator('.answer').nth(1)
    const top = (await answer.boundingBox())?.y ?? Number.NaN
    await page.evaluate(`scrollTo(0, ${top} - 75)`)
    const before = await answer.boundingBox()
    await page.keyboard.press('v')
    expect((await answer.boundingBox())?.y).toBeCloseTo(before?.y ?? Number.NaN, -1)
    await page.goto(address(long().replace('index', '2')))
    expect(await page.getByRole('radio', { name: 'Work' }).isChecked()).toBe(true)
    expect(await visible(page, '.item.command')).toBeGreaterThan(0)
  })

  it('is the one that the address asks for, on this and the following pages', async () => {
    const { page } = await open(address(`${shop()}?view=all`))
    expect(await page.getByRole('radio', { name: 'Everything' }).isChecked()).toBe(true)
    await page.goto(address(long().replace('index', '2')))
    expect(await page.getByRole('radio', { name: 'Everything' }).isChecked()).toBe(true)
    expect(await page.evaluate('localStorage.getItem("codex-export:view")')).toBeNull()
  })

  it('opens the work that contains the target of a link', async () => {
    const { page } = await open(address(shop()))
    const id = await page.locator('.rows .item.command').first().getAttribute('id')
    await page.evaluate(`location.hash = ${JSON.stringify(id)}`)
    await expect.poll(() => page.locator(`[id="${id}"]`).isVisible()).toBe(true)
    expect(await page.getByRole('radio', { name: 'Story' }).isChecked()).toBe(true)
  })
})

describeInBrowser('a page that comes back as it was left', (open) => {
  const address = useDemoServer()

  it('has the button selected of the view that it shows', async () => {
    const { page } = await open(address(long()))
    const checked = `document.querySelector('.views :checked').value`
    await page.evaluate(`{
      document.querySelector('.views [value="work"]').checked = true
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    }`)
    expect(await page.evaluate(checked)).toBe('story')
  })
})

describeInBrowser('the address', (open) => {
  const address = useDemoServer()

  it('asks for no view after the reader chose another one, also after a reload', async () => {
    const { page, problems } = await open(address(`${shop()}?view=work&mark=phone`))
    const view = 'document.documentElement.dataset.view'
    expect(await page.evaluate(view)).toBe('work')
    await page.keyboard.press('v')
    expect(await page.evaluate(view)).toBe('all')
    expect(new URL(page.url()).search).toBe('?mark=phone')
    await page.reload()
    expect(await page.evaluate(view)).toBe('all')
    expect(problems).toEqual([])
  })

  it('is copied without what it asks of the page', async () => {
    const { page } = await open(address(`${shop()}?view=work#main`), { before: watchClipboard(true) })
    await page.getByRole('button', { name: 'Copy link' }).click()
    expect(await page.evaluate('window.copied')).toEqual([address(shop())])
  })
})

describeInBrowser('a block', (open) => {
  const address = useDemoServer()

  it.each([true, false])('is copied by its button (clipboard: %s), which says so', async (works) => {
    const { page, problems } = await open(address(`${shop()}?view=all`), { before: watchClipboard(works) })
    const block = page.locator('[data-copy="output"]:visible').first()
    await block.scrollIntoViewIfNeeded()
    await block.hover()
    await page.getByRole('button', { name: 'Copy the output' }).click()
    const copied = await page.evaluate<string[]>('window.copied')
    expect(copied).toHaveLength(1)
    expect((await block.textContent())?.trim()).toBe(copied[0]?.trim())
    expect(await page.getByRole('status').first().textContent()).toBe('Copied the output')
    expect(problems).toEqual([])
  })

  it('says that it was copied, even if the reader is at another block by then', async () => {
    const { page } = await open(address(`${shop()}?view=all`), {
      before: `
        window.answers = []
        const writeText = () => new Promise((done) => window.answers.push(done))
        Object.defineProperty(navigator, 'clipboard', { value: { writeText } })`,
    })
    const [first, second] = [0, 1].map((at) => page.locator('[data-copy="output"]:visible').nth(at))
    await first?.hover()
    const button = page.getByRole('button', { name: 'Copy the output' })
    await button.click()
    await second?.hover()
    await page.evaluate('window.answers.shift()()')
    await page.getByRole('status').filter({ hasText: 'Copied the output' }).waitFor()
    expect(await button.textContent()).toBe('Copy')
    await button.click()
    await page.evaluate('window.answers.shift()()')
    await expect.poll(() => button.textContent()).toBe('Copied')
  })

  it('is copied without the numbers of a diff and the prompt sign of a command', async () => {
    const { page } = await open(address(`${shop()}?view=work`), { before: watchClipboard(true) })
    await page.locator('.item.patch > details > summary').first().click()
    const diff = page.locator('[data-copy="diff"]:visible').first()
    await diff.hover()
    await page.getByRole('button', { name: 'Copy the diff' }).click()
    await page.locator('.item.command.fixed > details > summary').first().click()
    const command = page.locator('[data-copy="command"]:visible').first()
    await command.hover()
    await page.getByRole('button', { name: 'Copy the command' }).click()
    const [lines = '', script = ''] = await page.evaluate<string[]>('window.copied')
    expect(lines).toContain('phone')
    expect(lines).not.toMatch(/^\s*\d+ {1,3}\d* *[-+−]/m)
    expect(script).toBe('npm test -- checkout')
  })

  it('has its buttons next in the tab order, and wraps and unwraps', async () => {
    const { page } = await open(address(`${shop()}?view=all`), { before: watchClipboard(true) })
    const block = page.locator('[data-wrap][tabindex]:visible').first()
    await block.focus()
    const wrapping = `getComputedStyle(document.querySelector('.tools').previousElementSibling).whiteSpace`
    await page.keyboard.press('Tab')
    const button = page.locator('.tools button:focus')
    expect(await button.getAttribute('aria-pressed')).toBe('false')
    await page.keyboard.press('Enter')
    expect(await button.getAttribute('aria-pressed')).toBe('true')
    expect(await page.evaluate(wrapping)).toBe('pre-wrap')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(wrapping)).toBe('pre')
    await page.keyboard.press('Tab')
    expect(await page.locator('.tools button:focus').textContent()).toBe('Copy')
    // A page that scrolls moves another block below the pointer.
    await page.evaluate(`{
      const last = [...document.querySelectorAll('[data-copy]')].findLast((block) => block.checkVisibility())
      last.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
    }`)
    expect(await page.locator('.tools button:focus').textContent()).toBe('Copy')
  })

  it('moves nothing when its buttons appear', async () => {
    const { page } = await open(address(`${shop()}?view=all`))
    await layOutAll(page)
    const { blocks, moved } = await page.evaluate<{ blocks: number; moved: string[] }>(`(() => {
      const places = () => [...document.querySelectorAll('.flow .item, .flow pre, .flow p')].map((element) => element.getBoundingClientRect().top)
      const before = String(places())
      const blocks = [...document.querySelectorAll('[data-copy]')].filter((block) => block.checkVisibility())
      const point = (block) => block.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
      return { blocks: blocks.length, moved: blocks.filter((block) => (point(block), String(places()) !== before)).map((block) => block.outerHTML.slice(0, 90)) }
    })()`)
    expect(blocks).toBeGreaterThan(3)
    expect(moved).toEqual([])
  })
})

describeInBrowser('a picture', (open) => {
  const address = useDemoServer()

  it('opens over the page, closes by Escape or a click next to it, and returns the focus', async () => {
    const { page, problems } = await open(address(shop()))
    const link = page.locator('a.shot').first()
    await link.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    expect(await dialog.locator('img').getAttribute('src')).toBe(
      await page.evaluate('document.querySelector("a.shot").href'),
    )
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(false)
    expect(await page.evaluate('document.activeElement.matches("a.shot")')).toBe(true)
    await link.click()
    expect(await dialog.isVisible()).toBe(true)
    await page.mouse.click(5, 5)
    expect(await dialog.isVisible()).toBe(false)
    expect(problems).toEqual([])
  })

  it('is a link without JavaScript', async () => {
    const { page } = await open(address(shop()), { javaScript: false })
    const link = page.locator('a.shot').first()
    const href = await link.getAttribute('href')
    await link.click()
    expect(page.url()).toContain(href?.replace(/^(?:\.\.\/)+/, ''))
  })
})

describeInBrowser('a time', (open) => {
  const address = useDemoServer()

  it("is shown in the reader's time zone, with UTC in the title, at the same width", async () => {
    const { page } = await open(address(shop()))
    const there = await open(address(shop()), { timeZone: 'Asia/Kolkata' })
    for (const reader of [page, there.page]) await layOutAll(reader)
    const read = (from: Page) =>
      from.evaluate<{ iso: string; text: string; title: string; width: number }[]>(
        `[...document.querySelectorAll('main time')].map((time) => ({
          iso: time.dateTime, text: time.textContent, title: time.title, width: time.getBoundingClientRect().width }))`,
      )
    const [inUtc, inKolkata] = [await read(page), await read(there.page)]
    expect(inUtc.length).toBeGreaterThan(20)
    for (const [index, time] of inKolkata.entries()) {
      const local = new Date(Date.parse(time.iso) + 5.5 * 3_600_000).toISOString()
      expect([local.slice(11, 16), `${local.slice(0, 10)} ${local.slice(11, 16)}`]).toContain(time.text)
      expect(time.title).toContain(`${time.iso.slice(0, 10)} ${time.iso.slice(11, 19)} UTC`)
      expect(time.width).toBeCloseTo(inUtc[index]?.width ?? Number.NaN, 0)
    }
  })
})

describeInBrowser('a clock time in a list', (open) => {
  const address = useDemoServer()

  it("shows if the reader's day differs from that of its heading", async () => {
    const { page } = await open(address('index.html'), { timeZone: 'Pacific/Kiritimati' })
    const rows = await page.evaluate<{ iso: string; shift: string | null; day: string }[]>(
      `[...document.querySelectorAll('.list time')].map((time) => ({
        iso: time.dateTime, shift: time.getAttribute('data-shift'), day: time.closest('section').firstElementChild.id.slice(2) }))`,
    )
    const isNext = (iso: string) =>
      new Date(Date.parse(iso) + 14 * 3_600_000).toISOString().slice(0, 10) !== iso.slice(0, 10)
    expect(rows.map(({ shift }) => shift)).toEqual(rows.map(({ iso }) => (isNext(iso) ? '+1' : null)))
    expect(rows.some(({ shift }) => shift === '+1')).toBe(true)
  })
})

/** Records immediately where a page navigates to; the browser itself navigates later. */
const noteMoves = `
  window.moves = []
  navigation.addEventListener('navigate', ({ destination }) => window.moves.push(destination.url))
`

describeInBrowser('an address of the first page', (open) => {
  const address = useDemoServer()

  it('leads to any item of another page', async () => {
    const third = long().replace('index.html', '3.html')
    const ids = [...readDemo(third).matchAll(/ id="(l\d+)" class="item/g)].map(([, id = '']) => id)
    const story = readDemo(long())
    const isInStory = (id = '') => story.includes(` id="${id}"`)
    const work = ids.filter((id) => !isInStory(id))
    expect(work.length).toBeGreaterThan(1)
    for (const id of [work[0], work.at(-1), ids.find(isInStory)]) {
      const { page, problems } = await open(address(`${long()}#${id}`))
      const file = isInStory(id) ? '/index.html' : '/3.html'
      await page.waitForURL((url) => url.pathname.endsWith(file) && url.hash === `#${id}`)
      await expect.poll(() => page.locator(`[id="${id}"]`).isVisible()).toBe(true)
      expect(problems).toEqual([])
    }
  })

  it('stays on the page if nothing has that id', async () => {
    const { page } = await open(address(`${long()}#no-such-place`), { before: noteMoves })
    expect(await page.evaluate('moves')).toEqual([])
    expect(new URL(page.url()).pathname).toBe(`/${long()}`)
  })
})

describeInBrowser('on paper', (open) => {
  const address = useDemoServer()

  it.each([true, false])('a session is printed as on the screen, without bars (JavaScript: %s)', async (javaScript) => {
    const { page } = await open(address(shop()), { javaScript, scheme: 'dark' })
    await page.locator('.did > summary').first().click()
    await page.emulateMedia({ media: 'print' })
    const parts = await page.locator('.top, .outline, .side, .views, .tools, .status').all()
    expect(parts.length).toBeGreaterThan(1)
    for (const part of parts) expect(await part.isVisible()).toBe(false)
    expect(await page.locator('.did[open] .item').first().isVisible()).toBe(true)
    expect(await page.locator('.did:not([open]) .item').first().isVisible()).toBe(false)
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('open tables of numbers are printed', async () => {
    const { page } = await open(address('stats/index.html'))
    await page.locator('.numbers > summary').first().click()
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.numbers[open] table').first().isVisible()).toBe(true)
    expect(await page.locator('.numbers:not([open]) > summary').first().isVisible()).toBe(false)
  })
})

describeInBrowser('the script', (open) => {
  const address = useDemoServer()

  it('does the same work at its start for any number of items', async () => {
    const count = `
      window.work = { listeners: 0, elements: 0, observed: 0 }
      const count = (owner, method, name) => {
        const original = owner[method]
        owner[method] = function (...input) { window.work[name]++; return original.apply(this, input) }
      }
      count(EventTarget.prototype, 'addEventListener', 'listeners')
      count(Document.prototype, 'createElement', 'elements')
      count(IntersectionObserver.prototype, 'observe', 'observed')`
    const html = readDemo(shop())
    const turn = /<section id="[^"]*" class="turn".*?<\/section>/s.exec(html)?.[0] ?? ''
    const copies = Math.ceil(5000 / (turn.match(/class="item/g)?.length ?? 1))
    const many = html.replace(turn, turn + turn.replace(/ id="[^"]*"/g, '').repeat(copies))
    const { page } = await open(address(shop()), { before: count })
    const few = await page.evaluate('window.work')
    await page.route(`**/${shop()}`, (route) => route.fulfill({ body: many, contentType: 'text/html' }))
    await page.reload()
    expect(await page.locator('.flow .item').count()).toBeGreaterThan(5000)
    expect(await page.evaluate('window.work')).toEqual(few)
  })
})
