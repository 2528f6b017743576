/** Every page type opens without errors in every form that readers use. */
import { inflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { layOutAll } from '../helpers/chromium.ts'
import { readPdf } from '../helpers/pdf-text.ts'
import { demoFiles, readDemo, sessionPath, useDemoServer } from './demo.ts'
import { pageTypes } from './page-types.ts'

/** Red value of the first pixel of a PNG, 0 to 255: its data chunks begin with a filter byte, then the colours. */
function firstPixel(png: Buffer): number {
  const data: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  return inflateSync(Buffer.concat(data))[1] ?? Number.NaN
}

/** A desktop; a phone, narrowed to the narrowest supported one: both have the same layout. */
const screens = [
  { width: 1280, widths: [1280] },
  { width: 390, widths: [390, 360] },
] as const

/** By how much the document exceeds the right edge of its window, in CSS pixels. */
function overhang(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
}

describeInBrowser('a page of the demo site', (open) => {
  const address = useDemoServer()

  it.each(
    pageTypes.flatMap((type) => screens.map((screen) => ({ ...type, ...screen, shown: screen.widths.join(' and ') }))),
  )(
    'opens without an error and without sideways scroll: $name, $shown px',
    async ({ path, prepare, width, widths }) => {
      const { page, problems } = await open(address(path()), { width })
      await prepare?.(page)
      for (const wide of widths) {
        await page.setViewportSize({ width: wide, height: 900 })
        expect(await overhang(page), `${wide} px`).toBeLessThanOrEqual(0)
      }
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await overhang(page), 'dark').toBeLessThanOrEqual(0)
      expect(await page.locator('h1').count()).toBe(1)
      expect(problems).toEqual([])
    },
  )

  it.each(['index.html', 'projects/index.html', 'months/index.html', 'failures/index.html', 'files/index.html'])(
    'fits the width of a sheet: %s',
    async (path) => {
      const { page } = await open(address(path))
      await page.setViewportSize({ width: 720, height: 1000 })
      await page.emulateMedia({ media: 'print' })
      expect(await overhang(page)).toBeLessThanOrEqual(0)
    },
  )

  it('breaks Korean between words, and within a word that is too wide', async () => {
    const { page } = await open(address('404.html'))
    const linesOf = (words: string): Promise<number[]> =>
      page.evaluate(`(() => {
        const h1 = document.querySelector('h1')
        h1.lang = 'ko'
        h1.style.width = '8em'
        h1.textContent = ${JSON.stringify(words)}
        const range = document.createRange()
        return Array.from(h1.textContent.split(' ').reduce(({ at, lines }, word) => {
          range.setStart(h1.firstChild, at)
          range.setEnd(h1.firstChild, at + word.length)
          return { at: at + word.length + 1, lines: [...lines, range.getClientRects().length] }
        }, { at: 0, lines: [] }).lines)
      })()`)
    expect(await linesOf('배포하십시오 설정을 '.repeat(8).trim())).toEqual(Array(16).fill(1))
    expect(await linesOf('가'.repeat(60))).not.toEqual([1])
  })

  it('prints the folded rest of a long list of links', async () => {
    const { page } = await open(address('failures/index.html'))
    await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend',
      '<details class="numbers rest"><summary>1 more</summary><ul class="chips"><li><a href="#x">tail</a></li></ul></details>' +
      '<details class="numbers"><summary>Numbers</summary><p>tabulated</p></details>')`)
    const { text } = readPdf(await page.pdf({ format: 'A4' }))
    expect(['1more', 'tail', 'tabulated'].map((words) => text.includes(words))).toEqual([true, true, false])
  })

  it.each(['projects/index.html', 'months/index.html'])(
    'shows long numbers without covering their neighbours: %s',
    async (path) => {
      const { page } = await open(address(path))
      await page.evaluate(`document.querySelector('a.project .n').innerHTML =
        '<i class="good">+123,456</i><i class="bad">−98,765</i><i class="bad">1,234 failed commands not fixed</i>'`)
      for (const width of [390, 800, 1024, 1280, 1600]) {
        await page.setViewportSize({ width, height: 900 })
        const covered = await page.evaluate(`(() => {
          const boxes = [...document.querySelectorAll('a.project:has(.n > :nth-child(3)) > span')].flatMap((cell) => {
            const range = document.createRange()
            range.selectNodeContents(cell)
            const { left, right } = cell.getBoundingClientRect()
            const isCut = getComputedStyle(cell).overflowX === 'hidden'
            return [...range.getClientRects()].map((box) => ({
              cell, top: box.top, bottom: box.bottom, left: isCut ? Math.max(left, box.left) : box.left, right: isCut ? Math.min(right, box.right) : box.right,
            }))
          })
          return boxes.some((one) => boxes.some((other) => one.cell !== other.cell &&
            Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
            Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 6))
        })()`)
        expect(covered, `${width} px`).toBe(false)
      }
    },
  )

  it('puts the outcome of a command below its line if both do not fit, and a short time next to it', async () => {
    const { page } = await open(address(sessionPath('Tide curves on every harbour page')), { width: 390 })
    const rows = await page.evaluate(`(() => {
      const row = '<details class="work quiet"><summary><span class="what">Searched</span><span class="gist">“tide” in harbour.md</span><span class="mark"></span></summary></details>'
      document.querySelector('#main').insertAdjacentHTML('afterbegin', '<div class="item command">' + row + '</div>')
      const [verb, what, mark] = document.querySelector('#main .item > .work').firstChild.children
      const range = document.createRange()
      const linesOf = (node) => {
        range.selectNodeContents(node)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
      }
      return ['12 min 28 s', 'stopped early: enough was read, exit 1 · 12 min 28 s'].map((text) => {
        mark.textContent = text
        const isBelow = mark.getBoundingClientRect().top >= what.getBoundingClientRect().bottom
        const isWhole = what.scrollWidth <= what.clientWidth
        const beyond = document.documentElement.scrollWidth - innerWidth
        return [text, { isBelow, isWhole, lines: [verb, mark].map(linesOf), beyond }]
      })
    })()`)
    expect(rows).toEqual([
      ['12 min 28 s', { isBelow: false, isWhole: true, lines: [1, 1], beyond: 0 }],
      [
        'stopped early: enough was read, exit 1 · 12 min 28 s',
        { isBelow: true, isWhole: true, lines: [1, 1], beyond: 0 },
      ],
    ])
  })

  it('wraps a long name among the projects of an open fold', async () => {
    const { page } = await open(address('failures/index.html'), { width: 390 })
    const beyond = await page.evaluate<number>(`(() => {
      const list = document.querySelector('.chips')
      const rest = document.createElement('details')
      rest.open = true
      rest.append(list.cloneNode(true))
      rest.querySelector('a').firstChild.data = 'engine'.repeat(10)
      list.after(rest)
      return document.documentElement.scrollWidth - innerWidth
    })()`)
    expect(beyond).toBe(0)
  })

  it('keeps a long name on one line if the row of projects scrolls', async () => {
    const { page } = await open(address('failures/index.html'), { width: 390 })
    const heights = await page.evaluate<number[]>(`(() => {
      const chips = Array.from(document.querySelectorAll('.home > section > .chips a'))
      chips[0].firstChild.data = 'engine'.repeat(10)
      return chips.map((chip) => chip.offsetHeight)
    })()`)
    expect(new Set(heights).size).toBe(1)
  })

  it('aligns rows of edited and not edited files in one column', async () => {
    const { page } = await open(address(sessionPath('Tide curves on every harbour page')))
    const places = await page.evaluate(`(() => {
      const row = (verb) => '<div class="item patch"><details class="work"><summary><span class="what">' + verb +
        '</span><span class="gist">harbour.md</span></summary></details></div>'
      const rows = ['Ran', 'Edited', 'Not edited', 'Not added'].map(row).join('')
      document.querySelector('#main').insertAdjacentHTML('afterbegin', '<div class="rows probe">' + rows + '</div>')
      return [...document.querySelectorAll('.probe .gist')].map((path) => path.getBoundingClientRect().left)
    })()`)
    expect(new Set(places as number[]).size).toBe(1)
  })

  it.each([1280, 390] as const)('has clickable times that are high enough for a finger: %i px', async (width) => {
    const { page } = await open(address(sessionPath('Inventory of all hosts')), { width })
    await layOutAll(page)
    const heights = await page.evaluate<[string, number][]>(`(() => {
      for (const fold of document.querySelectorAll('details')) fold.open = true
      return [...document.querySelectorAll('a.at')]
        .filter((link) => link.checkVisibility())
        .map((link) => [link.parentElement.className || link.parentElement.tagName, link.getBoundingClientRect().height])
    })()`)
    expect(new Set(heights.map(([where]) => where)).size).toBeGreaterThan(1)
    expect(heights.filter(([, height]) => height < 24)).toEqual([])
  })

  it('has the times of all kinds of items in one column next to them', async () => {
    const kinds = new Set<string>()
    const pages = demoFiles().filter((file) => /^sessions\/[^/]+\/index\.html$/.test(file))
    for (const path of pages.filter((file) => /class="item note[^>]*><a class="at"/.test(readDemo(file)))) {
      const { page } = await open(address(`${path}?view=work`))
      await layOutAll(page)
      const found = await page.evaluate<[string, number][]>(`(() => {
        const text = document.querySelector('.flow').getBoundingClientRect()
        return [...document.querySelectorAll('.flow .at:not(.same)')]
          .filter((time) => time.checkVisibility() && time.getBoundingClientRect().width > 0)
          .map((time) => [time.closest('.item').classList[1], time.getBoundingClientRect().left - text.right])
      })()`)
      for (const [name] of found) kinds.add(name)
      expect(found.filter(([, left]) => Math.abs(left - (found[0]?.[1] ?? 0)) > 2)).toEqual([])
    }
    expect([...kinds]).toEqual(expect.arrayContaining(['prompt', 'say', 'note', 'tool']))
  })

  it('never has the mark of a fold on a line of its own', async () => {
    const isReview = (file: string) => file.endsWith('.html') && readDemo(file).includes('Review of current changes:')
    const path = demoFiles().find((file) => file.startsWith('sessions/') && isReview(file)) ?? ''
    const { page } = await open(address(path), { width: 390 })
    await page.evaluate("for (const fold of document.querySelectorAll('.more')) fold.open = true")
    const height = () => page.evaluate<number>("document.querySelector('.more > summary span').offsetHeight")
    const widths = Array.from({ length: 80 }, (_, index) => 320 + 4 * index)
    const heights = async () => {
      const found: number[] = []
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        found.push(await height())
      }
      return found
    }
    const marked = await heights()
    await page.evaluate(
      "document.styleSheets[0].insertRule('.more > summary span::after { content: none !important }')",
    )
    expect(marked).toEqual(await heights())
  })

  it.each(['light', 'dark'] as const)('follows the %s scheme of the reader', async (scheme) => {
    const { page } = await open(address('index.html'), { scheme })
    // A pixel of the page's background as displayed, in a corner without text.
    const shot = await page.screenshot({ clip: { x: 0, y: 880, width: 4, height: 4 }, type: 'png' })
    const ground = firstPixel(shot)
    if (scheme === 'light') expect(ground).toBeGreaterThan(200)
    else expect(ground).toBeLessThan(60)
  })

  it('shades the edge behind which a diff continues, also over added lines', async () => {
    const { page } = await open(address(sessionPath('Tide curves on every harbour page')), { width: 390 })
    await page.evaluate("for (const fold of document.querySelectorAll('main details')) fold.open = true")
    /**
     * Scrolls the first wide diff to its beginning or end; returns the brightness of its edge next to a short added
     * line.
     */
    const edge = async (at: number): Promise<number> => {
      const { x, y } = await page.evaluate<{ x: number; y: number }>(`(async () => {
        const row = [...document.querySelectorAll('.diff ins')].find((one) => {
          const { scrollWidth, clientWidth } = one.closest('pre')
          return scrollWidth > clientWidth + 20 && one.textContent.length < 30
        })
        const wide = row.closest('pre')
        row.scrollIntoView({ block: 'center' })
        wide.scrollLeft = ${at}
        await new Promise((resolve) => setTimeout(resolve, 500))
        const { top, height } = row.getBoundingClientRect()
        return { x: wide.getBoundingClientRect().right - 3, y: top + height / 2 }
      })()`)
      return firstPixel(await page.screenshot({ clip: { x, y, width: 1, height: 1 }, type: 'png' }))
    }
    expect(await edge(0)).toBeLessThan((await edge(9999)) - 8)
  })

  it('gives the sessions of failed commands more than their least width where there is space', async () => {
    const { page } = await open(address('failures/index.html'))
    const [script, session] = await page.evaluate<[number, number]>(`(() => {
      const line = document.querySelector('.list.failed a.line')
      return ['.t', '.p'].map((part) => line.querySelector(part).getBoundingClientRect().width)
    })()`)
    expect(session).toBeGreaterThan(240)
    expect(script).toBeGreaterThan(session)
  })

  it('is readable without JavaScript, with prompts, answers and links', async () => {
    const { page, problems } = await open(address(sessionPath('Conversion drops in week 7')), { javaScript: false })
    const text = (await page.textContent('main')) ?? ''
    expect(text).toContain('Look at what changed in the checkout that week.')
    expect(text).toContain('Retries are safe for 24 hours')
    expect(text).toContain('Send an idempotency key first')
    expect(problems).toEqual([])
    await page.getByRole('link', { name: 'Sample sessions' }).click()
    expect(new URL(page.url()).pathname).toBe('/index.html')
  })

  it('describes the content of a fold to screen readers, without its marker', async () => {
    const { page } = await open(address(sessionPath('Conversion drops in week 7')))
    const heard = await page.locator('main').ariaSnapshot()
    expect(heard).toMatch(/group: Worked/)
    expect(heard).not.toContain('›')
  })

  it('shows a script in a prompt as text, which does not run', async () => {
    const { page, problems } = await open(address(sessionPath('A discount of 15 %')))
    expect(await page.textContent('main')).toContain('<script>alert("no")</script>')
    expect(await page.locator('main script').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('answers an unknown address with a page that links to the start page', async () => {
    const { page, problems } = await open(address('no/such/page.html'))
    await page.getByRole('link', { name: 'the start page of this site' }).click()
    expect(new URL(page.url()).pathname).toBe('/index.html')
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
  })

  it('shows no link if the address of the start page is unknown', async () => {
    const { page } = await open(address('no/such/page.html'), { javaScript: false })
    expect(await page.locator('h1').count()).toBe(1)
    expect(await page.textContent('main')).toContain('All sessions are listed on the start page of this site.')
    expect(await page.locator('a').count()).toBe(0)
  })
})
