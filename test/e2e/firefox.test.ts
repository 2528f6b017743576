/** The search in Firefox, if the machine has it: from a server and from a folder on disk. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Firefox, findFirefox, launchFirefox } from '../helpers/firefox.ts'
import { sessionPath, useDemoServer } from './demo.ts'
import type {} from './demo-setup.ts'
import { type Query, queries } from './search-queries.ts'

const path = findFirefox()
if (path === undefined) process.stderr.write('Firefox tests skipped: none found; set FIREFOX_PATH to one\n')

/** The first queries of each kind. */
const some = (count: number): Query[] => Object.values(queries).flatMap((list) => list.slice(0, count))

/** Waits until the search page says how many pages it found, and returns the titles that it shows. */
const titles = `
  const done = arguments[arguments.length - 1]
  const look = () => {
    if (!/found|[Nn]o page/.test(document.querySelector('[role=status]')?.textContent ?? '')) return false
    done([...document.querySelectorAll('.search-page li .t')].map((title) => title.textContent))
    return true
  }
  if (!look()) {
    const watcher = new MutationObserver(() => look() && watcher.disconnect())
    watcher.observe(document, { subtree: true, childList: true, characterData: true })
  }`

describe.skipIf(path === undefined)('in Firefox', () => {
  const address = useDemoServer()
  let firefox: Firefox
  beforeAll(async () => {
    firefox = await launchFirefox(path ?? '')
  })
  afterAll(() => firefox?.close())

  /** Queries whose session is not among the first five, with what was shown. */
  const missed = async (page: string, asked: readonly Query[]): Promise<[string, string[]][]> => {
    const far: [string, string[]][] = []
    for (const query of asked) {
      await firefox.open(`${page}?${parameters(query)}`)
      const shown = (await firefox.ask<string[]>(titles)).slice(0, 5)
      if (!shown.some((title) => title.startsWith(query.title))) far.push([query.text, shown])
    }
    return far
  }

  it('the search page finds what was meant, over http', async () => {
    expect(await missed(address('search/index.html'), some(2))).toEqual([])
  })

  it('the search page finds what was meant, from a folder on disk', async () => {
    // Only the loading of the index differs, which is the same for each question.
    const page = pathToFileURL(join(inject('demo'), 'search/index.html')).href
    expect(await missed(page, some(1))).toEqual([])
  })

  it('a page that a hit opens has its marks', async () => {
    await firefox.open(`${address(sessionPath('The deploy waits for a lock'))}?mark=lock`)
    const marks = `const done = arguments[arguments.length - 1]
      const look = () => (CSS.highlights.has('sought') ? done(CSS.highlights.get('sought').size) : setTimeout(look, 20))
      look()`
    expect(await firefox.ask<number>(marks)).toBeGreaterThan(1)
  })
})

function parameters({ text, filters = {}, sort }: Query): string {
  return String(new URLSearchParams({ q: text, ...filters, ...(sort !== undefined && { sort }) }))
}
