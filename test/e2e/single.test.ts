/** A session in one file, opened from disk like a mail attachment. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { accessibilityFaults } from '../helpers/axe.ts'
import { describeInBrowser } from '../helpers/browser.ts'
import { htmlFaults } from '../helpers/html-faults.ts'
import * as r from '../helpers/records.ts'
import { showFrom, writeHome } from '../helpers/show.ts'
import { threadNumber } from '../helpers/summary.ts'
import { shareTempDir } from '../helpers/temp.ts'

const folder = shareTempDir()
const [root, child] = [threadNumber(1), threadNumber(2)]

const picture: r.Json = r.item({
  type: 'message',
  role: 'user',
  content: [
    { type: 'input_text', text: 'Mend the gate as in the picture' },
    { type: 'input_image', image_url: r.pixelUrl },
  ],
})

const spawn: r.Json[] = [
  r.call('call-spawn', 'spawn_agent', { message: 'Oil the hinge' }),
  r.output('call-spawn', JSON.stringify({ agent_id: child })),
]

const rootRecords = [
  r.meta({ id: root, timestamp: r.instant(0), cwd: '/home/ada/garden' }),
  picture,
  ...r.command('call-1', 'ls gates', 1, 'ls: gates: no such folder\n'),
  ...spawn,
  ...Array.from({ length: 40 }, (_, index) => r.answerItem(`Screw ${index} is in`)),
  r.answerItem('It is **mended**. </script><script>document.title = "hacked"</script>'),
]

const childRecords = [
  r.meta({
    id: child,
    timestamp: r.instant(1),
    cwd: '/home/ada/garden',
    source: { subagent: { thread_spawn: { parent_thread_id: root, depth: 1 } } },
  }),
  r.userItem('Oil the hinge'),
  ...Array.from({ length: 60 }, (_, index) => r.answerItem(`Drop ${index} of oil`)),
]

let address: string
beforeAll(async () => {
  const home = writeHome(folder, { [root]: rootRecords, [child]: childRecords })
  const { text } = await showFrom(home, root, { format: 'html', withAgents: true })
  writeFileSync(join(folder, 'page.html'), text)
  address = pathToFileURL(join(folder, 'page.html')).href
})

describeInBrowser('a session in one file', (open) => {
  it.each(['light', 'dark'] as const)('shows everything without a request, %s', async (scheme) => {
    const { page, problems } = await open(address, { scheme })
    expect(await page.title()).toContain('Mend the gate')
    expect(await page.textContent('main')).toContain('</script><script>document.title')
    expect(await page.textContent(`[id="${child}"]`)).toContain('Drop 59 of oil')
    const loaded = await page.$eval('figure img', (image: HTMLImageElement) =>
      image.decode().then(() => image.naturalWidth),
    )
    expect(loaded).toBe(1)
    expect(problems).toEqual([])
  })

  it('leads from the call and from the outline to the sub-agent, and back', async () => {
    const { page, problems } = await open(address)
    // Stories are short: in a low window one of the two is out of sight.
    await page.setViewportSize({ width: 1280, height: 260 })
    const isSeen = (selector: string) =>
      page.$eval(selector, (element) => {
        const { top } = element.getBoundingClientRect()
        return top >= 0 && top < innerHeight
      })
    const article = `[id="${child}"]`
    expect(await isSeen(article)).toBe(false)
    await page.click(`.flow .turn a[href="#${child}"]`)
    await expect.poll(() => isSeen(article)).toBe(true)
    await page.click(`${article} .kicker a`)
    await expect.poll(() => isSeen(article)).toBe(false)
    await expect.poll(() => isSeen(`.flow .turn a[href="#${child}"]`)).toBe(true)
    await page.click(`.outline a[href="#${child}"]`)
    await expect.poll(() => isSeen(article)).toBe(true)
    expect(problems).toEqual([])
  })

  it('has keys and enlarged pictures like a page of the site', async () => {
    const { page, problems } = await open(address)
    await page.keyboard.press('?')
    expect(await page.locator('dialog[open]').count()).toBe(1)
    await page.keyboard.press('Escape')
    expect(await page.locator('dialog[open]').count()).toBe(0)
    await page.click('figure a.shot')
    const shown = page.locator('dialog[open] img')
    expect(await shown.getAttribute('src')).toBe(r.pixelUrl)
    expect(problems).toEqual([])
  })

  it('names the kinds of places as a site does', async () => {
    const { page, problems } = await open(address)
    await page.keyboard.press('/')
    const kinds = (): Promise<string[]> => page.locator('.hits .k').allTextContents()
    for (const [asked, kind] of [
      ['hinge kind:agent', 'Agent'],
      ['gate kind:prompt', 'Prompt'],
      ['gates kind:command', 'Command'],
    ] as const) {
      await page.getByRole('combobox', { name: /^Search/ }).fill(asked)
      await expect.poll(async () => [...new Set(await kinds())]).toEqual([kind])
    }
    expect(problems).toEqual([])
  })

  it('is as complete without JavaScript', async () => {
    const { page, problems } = await open(address, { javaScript: false })
    expect(await page.locator('figure img').isVisible()).toBe(true)
    const { page: scripted } = await open(address)
    const said = await page.locator('.flow').allTextContents()
    expect(said.join('')).toContain('Drop 59 of oil')
    expect(said).toEqual(await scripted.locator('.flow').allTextContents())
    for (const text of ['Drop 59 of oil', 'It is mended', 'Mend the gate as in the picture'])
      expect(await page.getByText(text).first().isVisible(), text).toBe(true)
    expect(problems).toEqual([])
  })

  it('prints on several sheets', async () => {
    const { page, problems } = await open(address)
    await page.evaluate("for (const fold of document.querySelectorAll('.flow details')) fold.open = true")
    const pdf = await page.pdf({ format: 'A4' })
    const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
    // The sub-agent begins on a separate sheet and is longer than one.
    expect(sheets).toBeGreaterThanOrEqual(3)
    expect(problems).toEqual([])
  })

  it.each(['light', 'dark'] as const)('is accessible and valid HTML, %s', async (scheme) => {
    const { page } = await open(address, { scheme })
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await htmlFaults(readFileSync(fileURLToPath(address), 'utf8'))).toEqual([])
  })

  it('fits a narrow screen', async () => {
    const { page, problems } = await open(address, { width: 360 })
    const { scroll, client } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      client: document.documentElement.clientWidth,
    }))
    expect(scroll).toBeLessThanOrEqual(client)
    expect(problems).toEqual([])
  })
})
