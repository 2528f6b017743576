/** Arabic and Hebrew are set from right to left in titles, lists and prose, and code among them is not. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../src/cli/serve/server-fs.ts'
import { describeInBrowser } from '../helpers/browser.ts'
import * as r from '../helpers/records.ts'
import { buildSite, writeSession } from '../helpers/site-build.ts'
import { shareTempDir } from '../helpers/temp.ts'

const id = '0198c0df-0000-7000-8000-0000000000f4'
const answer = 'السبب في `discount()` هنا.\n\n- نقطة في src/gate.ts أولى\n- ثانية\n\n```js\nlet a = b\n```\n\n> اقتباس'

/** Left edges of words in the first element that matches a selector. */
function edges(page: Page, selector: string, words: readonly string[]): Promise<number[]> {
  return page.evaluate(`(() => {
    const walker = document.createTreeWalker(document.querySelector(${JSON.stringify(selector)}), NodeFilter.SHOW_TEXT)
    const found = {}
    while (walker.nextNode()) for (const word of ${JSON.stringify(words)}) {
      const at = walker.currentNode.data.indexOf(word)
      if (at < 0 || word in found) continue
      const range = new Range()
      range.setStart(walker.currentNode, at)
      range.setEnd(walker.currentNode, at + word.length)
      found[word] = range.getBoundingClientRect().left
    }
    return ${JSON.stringify(words)}.map((word) => found[word])
  })()`)
}

describeInBrowser('a session in Arabic', (open) => {
  const folder = shareTempDir()
  let server: RunningServer
  beforeAll(async () => {
    writeSession(folder, id, [r.userItem('لماذا يفشل src/cart.ts عند الحساب؟'), r.answerItem(answer)])
    await buildSite(folder, { search: true })
    server = await startServer(join(folder, 'site'), { port: 0 })
  })
  afterAll(() => server?.close())

  it('has a title whose first word is on the right, on its page and in lists', async () => {
    for (const [path, selector] of [
      [`sessions/${id}/index.html`, 'h1'],
      ['index.html', '.row .t'],
    ] as const) {
      const { page } = await open(new URL(path, server.url).href)
      const [first = 0, middle = 0, last = 0] = await edges(page, selector, ['لماذا', 'src/cart.ts', 'الحساب'])
      expect(first, path).toBeGreaterThan(middle)
      expect(middle, path).toBeGreaterThan(last)
    }
  })

  it('is found with its words in their order', async () => {
    const { page } = await open(new URL(`search/index.html?q=${encodeURIComponent('الحساب')}`, server.url).href)
    await page.locator('.hits .t').waitFor()
    for (const selector of ['.hits .t', '.hits .e']) {
      const [first = 0, last = 0] = await edges(page, selector, ['لماذا', 'src/cart.ts'])
      expect(first, selector).toBeGreaterThan(last)
    }
  })

  it('has code from left to right, and lists and quotes with their marks on the right', async () => {
    const { page, problems } = await open(new URL(`sessions/${id}/index.html`, server.url).href)
    const [name = 0, brackets = 0] = await edges(page, '.answer p code', ['discount', '()'])
    expect(name).toBeLessThan(brackets)
    const [start = 0, end = 0] = await edges(page, '.answer pre code', ['let', 'b'])
    expect(start).toBeLessThan(end)
    const [before = 0, path = 0, behind = 0] = await edges(page, '.answer li', ['نقطة', 'src/gate.ts', 'أولى'])
    expect(before).toBeGreaterThan(path)
    expect(path).toBeGreaterThan(behind)
    const rooms = `['ul', 'blockquote'].map((name) => {
      const style = getComputedStyle(document.querySelector('.answer ' + name))
      return [style.paddingLeft, style.paddingRight === '0px']
    })`
    expect(await page.evaluate(rooms)).toEqual([
      ['0px', false],
      ['0px', false],
    ])
    expect(problems).toEqual([])
  })
})
