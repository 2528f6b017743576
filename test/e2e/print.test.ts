/** A session is printed as on the screen. */
import { expect, it } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { readPdf } from '../helpers/pdf-text.ts'
import { sessionPath, useDemoServer } from './demo.ts'

/** Text as `readPdf` returns it. */
const packed = (text: string): string => text.replace(/\s/g, '')

describeInBrowser('a session as PDF', (open) => {
  const address = useDemoServer()

  it('has every sheet, and what was unfolded on the screen', async () => {
    const url = address(sessionPath('Tide curves on every harbour page'))
    const { page, problems } = await open(url, { scheme: 'dark' })
    const folded = page.getByText('Installed 14 packages in 2.1s').first()
    expect(await folded.isVisible()).toBe(false)
    await page.evaluate("for (const fold of document.querySelectorAll('.flow details')) fold.open = true")
    const { sheets, text } = readPdf(await page.pdf({ format: 'A4' }))
    expect(sheets).toBeGreaterThan(4)
    const said = [
      'Tide curves on every harbour page',
      'Draw the tide curve of the day on every harbour page.',
      'Installed 14 packages in 2.1s',
      'Where do the heights come from?',
      'amplitude * (speed * hours + phase).to_radians().cos()',
      'Far Skerry is off by 0.57 m',
      'Dark follows the system; the ground is',
      'Render every harbour of the coast as a picture.',
    ]
    expect(said.filter((line) => !text.includes(packed(line)))).toEqual([])
    // Bars and buttons are not printed.
    expect(text).not.toContain(packed('Search all sessions'))
    expect(problems).toEqual([])
  })

  it('takes hardly more paper as a story than its prompts and answers, and far less than everything', async () => {
    const folder = address(sessionPath('Inventory of all hosts')).replace('index.html', '')
    const sheetsOf = async (path: string, before = 'undefined'): Promise<number> => {
      const { page } = await open(folder + path)
      await page.evaluate(before)
      return readPdf(await page.pdf({ format: 'A4' })).sheets
    }
    const drop = "for (const element of document.querySelectorAll('.turn > :not(.prompt, .say)')) element.remove()"
    const [story, said] = [await sheetsOf('index.html'), await sheetsOf('index.html', drop)]
    let all = 0
    for (const number of [1, 2, 3, 4]) all += await sheetsOf(`${number}.html?view=all`)
    expect(story).toBeLessThanOrEqual(said + 1)
    expect(story / all).toBeLessThanOrEqual(0.1)
  })

  it('begins a long prompt below the head, and leaves no part of a sheet empty', async () => {
    const { page } = await open(address(sessionPath('Tide curves on every harbour page')))
    await page.evaluate(`
      for (const element of document.querySelectorAll('.turn:not(:first-of-type), .turn > :not(.prompt)')) element.remove()
      const words = document.querySelector('.prompt .prose')
      // One and a half sheets, whatever the font: one has about 1,000 pixels.
      words.innerHTML = '<p style="height: 30px; margin: 0">Line</p>'.repeat(50)
    `)
    expect(readPdf(await page.pdf({ format: 'A4' })).sheets).toBe(2)
  })

  it.each([true, false])('is its story if nothing was unfolded (JavaScript: %s)', async (javaScript) => {
    const url = address(sessionPath('Tide curves on every harbour page'))
    const { page, problems } = await open(url, { javaScript })
    const { text } = readPdf(await page.pdf({ format: 'A4' }))
    expect(text).toContain(packed('Draw the tide curve of the day on every harbour page.'))
    expect(text).toContain(packed('Render every harbour of the coast as a picture.'))
    expect(text).not.toContain(packed('Installed 14 packages in 2.1s'))
    expect(problems).toEqual([])
  })
})

describeInBrowser('a list of sessions as PDF', (open) => {
  const address = useDemoServer()

  it('cuts off no title', async () => {
    const { page } = await open(address('index.html'))
    await page.setViewportSize({ width: 720, height: 900 })
    const cut = `[...document.querySelectorAll('.row .t')].filter((node) => node.scrollWidth > node.clientWidth).length`
    expect(await page.evaluate(cut)).toBeGreaterThan(0)
    await page.emulateMedia({ media: 'print' })
    expect(await page.evaluate(cut)).toBe(0)
  })

  it('keeps a row on one sheet, and a day with its first row, wherever a sheet ends', async () => {
    const { page } = await open(address('index.html'))
    const [day = '', title = '', length = ''] = await page.evaluate<string[]>(`(() => {
      const days = [...document.querySelectorAll('section:has(> .day + .list .row)')]
      for (const day of days.slice(1)) day.remove()
      for (const other of days[0].querySelectorAll('.list li + li')) other.remove()
      window.spacer = document.createElement('div')
      days[0].before(spacer)
      return ['.day', '.row .t', '.row .d'].map((name) => days[0].querySelector(name).textContent)
    })()`)
    const parted: number[] = []
    for (let height = 900; height < 1020; height += 10) {
      // From the top of the sheet; the largest heights push the section to the next one.
      await page.evaluate(`spacer.style = 'break-before: page; height: ${height}px'`)
      const { texts } = readPdf(await page.pdf({ format: 'A4' }))
      const sheets = [day, title, length].map((text) => texts.findLastIndex((sheet) => sheet.includes(packed(text))))
      expect(sheets).not.toContain(-1)
      if (new Set(sheets).size > 1) parted.push(height)
    }
    expect(parted).toEqual([])
  })
})
