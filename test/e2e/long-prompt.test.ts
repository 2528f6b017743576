/** A long pasted prompt shows its beginning, and all of it if asked for, found or printed. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { describeInBrowser, type Visit } from '../helpers/browser.ts'
import type { Step, TurnScript } from '../helpers/conversation.ts'
import { buildConversation } from '../helpers/conversation-site.ts'
import { readPdf } from '../helpers/pdf-text.ts'
import { useTempDir } from '../helpers/temp.ts'

const pasted = [
  'Why does this fail?',
  ...Array.from({ length: 200 }, (_, at) => `line ${at} of the log`),
  'hereliestheend',
]

describeInBrowser('a long prompt', (open) => {
  const visit = async (options: Parameters<typeof open>[1] = {}, text = pasted.join('\n')): Promise<Visit> => {
    const say = (text: string): Step => ({ type: 'answer', text, sides: 'both' })
    const turns: TurnScript[] = [
      {
        prompt: text,
        sides: 'both',
        steps: [say('The disk is full: [see there](/srv/logs/disk.txt).')],
        end: 'complete',
      },
      { prompt: 'Thanks', sides: 'both', steps: [say('Good.')], end: 'complete' },
    ]
    const site = await buildConversation(useTempDir(), turns, true)
    return open(pathToFileURL(join(site.root, site.path)).href, { within: 'file:', ...options })
  }
  const heights = `[...document.querySelectorAll('.prompt')].map((prompt) => prompt.clientHeight)`

  it.each([true, false])('shows its beginning until it is opened, with scripts: %s', async (javaScript) => {
    const { page, problems } = await visit({ javaScript })
    const tall = page.locator('.tall')
    expect(await tall.count()).toBe(1)
    const closed = (await tall.boundingBox())?.height ?? 0
    expect(closed).toBeLessThan(500)
    await page.getByText('Show all 202 lines').click()
    expect((await tall.boundingBox())?.height).toBeGreaterThan(8 * closed)
    await page.locator('.show-all summary').click()
    expect((await tall.boundingBox())?.height).toBe(closed)
    expect(problems).toEqual([])
  })

  it('keeps the question after a pasted text in sight, and is copied without its button', async () => {
    const before = `
      window.copied = []
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => window.copied.push(text) } })`
    const { page, problems } = await visit({ before }, `${pasted.join('\n')}\n\nWhat went wrong, and where?\n`)
    const question = page.locator('.prompt p', { hasText: 'What went wrong' })
    const button = page.locator('.show-all summary')
    const top = async (part: typeof button) => (await part.boundingBox())?.y ?? Number.NaN
    expect((await page.locator('.tall').boundingBox())?.height).toBeLessThan(500)
    expect(await top(question)).toBeGreaterThan(await top(button))
    await page.keyboard.press('j')
    await page.keyboard.press('c')
    expect(await button.isVisible()).toBe(true)
    await button.click()
    expect(await top(question)).toBeLessThan(await top(button))
    const [copied = ''] = await page.evaluate<string[]>('window.copied')
    expect(copied.split(/\n+/)).toEqual([...pasted, 'What went wrong, and where?'])
    expect(problems).toEqual([])
  })

  it.each(['', '\n\nWhat went wrong?'])(
    'is as wide as its page below the time beside its first line, with the end %j',
    async (end) => {
      const { page } = await visit({ width: 390 }, `${pasted.join('\n')}${end}`)
      const width = (of: string) =>
        page.evaluate<number>(`document.querySelector('${of}').getBoundingClientRect().width`)
      const whole = await page.evaluate<number>(`(() => {
      const { paddingLeft, paddingRight } = getComputedStyle(document.querySelector('.prompt'))
      return document.querySelector('.prompt').clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
    })()`)
      expect(await width('.tall')).toBeCloseTo(whole, 0)
      await page.locator('.show-all summary').click()
      expect(await width('.tall')).toBeCloseTo(whole, 0)
      const bottom = (of: string) =>
        page.evaluate<number>(`document.querySelector('${of}').getBoundingClientRect().bottom`)
      const top = await page.evaluate(`document.querySelector('.show-all').getBoundingClientRect().top`)
      expect(top).toBeGreaterThanOrEqual(await bottom(end === '' ? '.tall' : '.prompt .prose > p:last-child'))
      expect(await bottom('.show-all')).toBeLessThanOrEqual(await bottom('.prompt'))
    },
  )

  it('opens if the find has a match in it', async () => {
    const { page } = await visit()
    const [before = 0] = (await page.evaluate(heights)) as number[]
    await page.keyboard.press('f')
    await page.getByRole('searchbox', { name: 'Find in this session' }).fill('hereliestheend')
    await expect.poll(async () => ((await page.evaluate(heights)) as number[])[0]).toBeGreaterThan(8 * before)
    await expect
      .poll(() => page.evaluate(`[...(CSS.highlights.get('found') ?? [])][0]?.getBoundingClientRect().top`))
      .toBeGreaterThan(0)
  })

  it('is shown at the word that a search leads to, and an answer at the link with a matching target', async () => {
    const { page, problems } = await visit()
    const url = page.url()
    const places = [
      { item: '.prompt', asked: '"line 180"', shown: 'line 180' },
      { item: '.say', asked: 'disk.txt', shown: 'see there' },
    ]
    for (const { item, asked, shown } of places) {
      await page.goto(url)
      const id = await page.locator(item).first().getAttribute('id')
      await page.goto('about:blank')
      await page.goto(`${url}?mark=${encodeURIComponent(asked)}#${id}`)
      const found = (of: string) =>
        page.evaluate(`[...(CSS.highlights.get('found') ?? [])].map((range) => range${of})[0]`)
      await expect.poll(() => found('.toString()')).toBe(shown)
      const top = Number(await found('.getBoundingClientRect().top'))
      expect(top).toBeGreaterThan(0)
      expect(top).toBeLessThan(900)
    }
    expect(problems).toEqual([])
  })

  it('is printed completely', async () => {
    const { page } = await visit()
    const { text } = readPdf(await page.pdf({ format: 'A4' }))
    expect(text).toContain('hereliestheend')
    expect(text).not.toContain('Showall')
  })
})
