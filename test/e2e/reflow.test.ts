/**
 * A page as narrow as a phone, or as a desktop at 400 %, contains words that are wider, everywhere, and nothing
 * overflows.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../src/cli/serve/server-fs.ts'
import { accessibilityFaults } from '../helpers/axe.ts'
import { describeInBrowser } from '../helpers/browser.ts'
import { layOutAll } from '../helpers/chromium.ts'
import { everyKind } from '../helpers/every-kind.ts'
import * as r from '../helpers/records.ts'
import { buildSite, writeSession } from '../helpers/site-build.ts'
import { shareTempDir } from '../helpers/temp.ts'

const id = '0198c0df-0000-7000-8000-0000000000f3'
const wide = 'Mmm'.repeat(40)

/** Changes a line of three files. */
function patchOf(line: string): string {
  const files = ['koala', 'gate', 'door'].map(
    (name) => `*** Update File: src/${name}.ts\n@@\n-${line}\n+${line}${line}\n`,
  )
  return `*** Begin Patch\n${files.join('')}*** End Patch`
}

/** Records with words that fit on no line: in prompts, commands, answers, plans and others. */
function widened(): r.Json[] {
  const more = [
    r.started('0198c0df-0000-7000-8000-000000000004'),
    r.userItem('Mend it'),
    ...r.command('f1', 'npm test -- quokkafailing', 1, 'no\n'),
    ...['a', 'b', 'c'].flatMap((name) => [
      r.customCall(name, 'apply_patch', patchOf(name)),
      r.customOutput(name, 'Success. Updated the following files:\nM src/koala.ts\nM src/gate.ts\nM src/door.ts\n'),
    ]),
    ...r.command('f3', 'npm test -- quokkafailing', 0),
    // Enough was read: a long note on the outcome of a command.
    ...r.command('f4', 'rg -n wombats . | head -n 3', 141, 'a\nb\nc\n'),
    r.call('u2', 'update_plan', { plan: [{ step: 'kowariplan', status: 'in_progress' }] }),
    r.output('u2', 'Plan updated'),
    r.call('u3', 'update_plan', { plan: [{ step: 'kowariplan', status: 'completed' }] }),
    r.output('u3', 'Plan updated'),
    r.complete('0198c0df-0000-7000-8000-000000000004'),
  ]
  const text = JSON.stringify([...everyKind.slice(1), ...more])
  const widened = text.replace(
    /\b(?:quokka|dingo|koala|kowari|possum|wombat|bandicoot|currawong|boobook)[a-z]+/g,
    `$&${wide}`,
  )
  return JSON.parse(widened) as r.Json[]
}

describeInBrowser('a page of 320 px with words that are wider', (open) => {
  const folder = shareTempDir()
  let server: RunningServer
  beforeAll(async () => {
    writeSession(folder, id, widened(), { cwd: `/home/ada/${wide}` })
    await buildSite(folder, { search: true })
    server = await startServer(join(folder, 'site'), { port: 0 })
  })
  afterAll(() => server?.close())

  it.each(['', '?view=work', '?view=all'])('keeps a session in its width: %s', async (view) => {
    const { page, problems } = await open(new URL(`sessions/${id}/index.html${view}`, server.url).href, { width: 320 })
    await layOutAll(page)
    expect(await page.evaluate(overflowing)).toEqual([])
    await page.evaluate('for (const fold of document.querySelectorAll("details")) fold.open = true')
    await layOutAll(page)
    expect(await page.locator('.where').count()).toBeGreaterThan(0)
    expect(await page.evaluate(overflowing)).toEqual([])
    expect(problems).toEqual([])
  })

  it('has space for a finger between the files of a turn, and between the changes of a file', async () => {
    const { page } = await open(new URL(`sessions/${id}/index.html`, server.url).href, { width: 320 })
    await page.evaluate('for (const fold of document.querySelectorAll(".changed > details")) fold.open = true')
    await layOutAll(page)
    expect(await page.locator('.files .nth').count()).toBe(6)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it.each(['index', 'projects/index', 'files/index', 'failures/index', 'stats/index', 'months/index'])(
    'keeps %s in its width',
    async (name) => {
      const { page } = await open(new URL(`${name}.html`, server.url).href, { width: 320 })
      expect(await page.evaluate(overflowing)).toEqual([])
    },
  )

  it('shows every link of the bar', async () => {
    const { page } = await open(new URL('index.html', server.url).href, { width: 320 })
    const cut = await page.evaluate(`(() => {
      const { right } = document.querySelector('.sites').getBoundingClientRect()
      return [...document.querySelectorAll('.sites a')].map((link) => link.getBoundingClientRect().right > right)
    })()`)
    expect(cut).toEqual([false, false, false, false])
  })

  it('leaves the name of the site whole, whatever the width', async () => {
    const { page } = await open(new URL('index.html', server.url).href)
    await page.locator('.brand').evaluate((brand) => {
      brand.textContent = 'Codex sessions'
    })
    for (const width of [1280, ...Array.from({ length: 10 }, (_, at) => 768 + at * 20), 700, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      // Half a pixel less is enough to cut the text, and `scrollWidth` is rounded.
      const lacking = await page.evaluate<number>(`(() => {
        const [brand, text] = [document.querySelector('.brand'), document.createRange()]
        text.selectNodeContents(brand)
        return text.getBoundingClientRect().width - brand.getBoundingClientRect().width
      })()`)
      expect([width, lacking > 0.02]).toEqual([width, false])
      const box = await page.locator('a.find').boundingBox()
      expect(box?.width).toBeGreaterThan(80)
    }
  })

  it('keeps the date filters of the search in its width', async () => {
    const { page } = await open(new URL('search/index.html', server.url).href, { width: 320 })
    await page.getByText('Filters', { exact: true }).click()
    await page.locator('.days').waitFor()
    expect(await page.evaluate(overflowing)).toEqual([])
  })
})

describeInBrowser('long names of projects', (open) => {
  const folder = shareTempDir()
  const name = (end: string): string => `timetable-of-the-northern-harbours-and-the-islands-${end}`
  const branch = 'improve-the-printed-tables-for-winter'
  let server: RunningServer
  beforeAll(async () => {
    for (const [at, end] of ['spring', 'autumn'].entries()) {
      const head = { cwd: `/home/ada/${name(end)}`, git: { branch } }
      const usage = { input_tokens: 90, cached_input_tokens: 0, output_tokens: 10, total_tokens: 100 }
      const path = `tables/of-all-the-ferries-and-the-buses-that-meet-them/on-weekdays-and-sundays/${end}.txt`
      const records = [
        r.turnContext({ model: 'gpt-5.4', cwd: head.cwd }),
        r.userItem('Mend it'),
        r.customCall(end, 'apply_patch', `*** Begin Patch\n*** Add File: ${path}\n+one\n*** End Patch`),
        r.customOutput(end, `Success. Updated the following files:\nA ${path}\n`),
        r.event('token_count', { info: { total_token_usage: usage, last_token_usage: usage } }),
        r.answerItem('Mended.'),
      ]
      writeSession(folder, id.replace(/.$/, `${at}`), records, head)
    }
    await buildSite(folder, { search: true })
    server = await startServer(join(folder, 'site'), { port: 0 })
  })
  afterAll(() => server?.close())

  it.each([1280, 800, 390])('are whole in lists, chips and tables at %d px, as are paths of files', async (width) => {
    const kinds = '.row .p, a.project .t, .chips a, .bars th, .line .p, .line .t'
    for (const [path, count] of Object.entries({
      index: 4,
      'projects/index': 2,
      'stats/index': 2,
      'files/index': 10,
    })) {
      const { page } = await open(new URL(`${path}.html`, server.url).href)
      await page.setViewportSize({ width, height: 800 })
      const places = page.locator(`main :is(${kinds})`).filter({ hasText: /timetable|ferries/ })
      expect([path, await places.count()]).toEqual([path, count])
      const cut = await places.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)
      expect(cut).toBe(0)
      const texts = (await places.allTextContents()).join('\n')
      for (const end of ['spring', 'autumn']) expect(texts).toContain(end)
      expect(await page.evaluate(overflowing)).toEqual([])
    }
  })
})

/** HTML of elements that exceed the right edge, if the page scrolls sideways. */
const overflowing = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.body.querySelectorAll('*')]
  .filter((node) => node.getBoundingClientRect().right > innerWidth).map((node) => node.outerHTML.slice(0, 120)).slice(0, 5)`
