/** One page of each type that the demo site has; every check of "each page type" uses this list. */
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import { demoFiles, sessionPath } from './demo.ts'

/** A page to check. */
export interface PageType {
  name: string
  /** Path in the site, or the address of a separate file. */
  path: () => string
  /** What a reader does there before the check, for example open the search. */
  prepare?: (page: Page) => Promise<void>
}

/** The one file of the site that matches. */
function first(pattern: RegExp): string {
  const path = demoFiles().find((file) => pattern.test(file))
  if (path === undefined) throw new Error(`no file of the site matches ${pattern}`)
  return path
}

const longThread = 'Inventory of all hosts'

/** Opens the search, types a word and waits for the answers. */
async function search(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Search/ }).fill('idempotency')
  await answered(page)
}

/** Opens the list of keys. */
async function help(page: Page): Promise<void> {
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
}

/** Finds a word in a session, in one kind of items only. */
async function find(page: Page): Promise<void> {
  await page.keyboard.press('f')
  await page.getByRole('searchbox', { name: 'Find in this session' }).fill('tide')
  await page.locator('.finder [role="status"]').filter({ hasText: / of / }).waitFor()
  await page.getByRole('checkbox', { name: /^Answers/ }).check({ force: true })
}

async function answered(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Results' }).getByRole('link').first().waitFor()
}

/** Opens the values of a filter. */
async function choose(page: Page): Promise<void> {
  await answered(page)
  // On a narrow screen, the filters are folded.
  const fold = page.locator('.narrow > details')
  if ((await fold.getAttribute('open')) === null) await fold.locator('> summary').click()
  await page.locator('.facet > summary').filter({ hasText: 'Any state' }).click()
  await page.getByRole('checkbox', { name: /^Failed \d+$/ }).waitFor()
}

export const pageTypes: readonly PageType[] = [
  { name: 'the index', path: () => 'index.html' },
  { name: 'the index with search results', path: () => 'index.html', prepare: search },
  {
    name: 'the search page with filters',
    path: () => 'search/index.html?q=test&project=shop&kind=command',
    prepare: answered,
  },
  { name: 'the search page, a filter open', path: () => 'search/index.html?q=the', prepare: choose },
  { name: 'a session with the list of keys', path: () => sessionPath('Audit before 1.0'), prepare: help },
  { name: 'the list of projects', path: () => 'projects/index.html' },
  { name: 'a project', path: () => first(/^projects\/tides-[^/]+\/index\.html$/) },
  { name: 'the files that were touched', path: () => 'files/index.html' },
  { name: 'the files of a project', path: () => first(/^files\/shop-[^/]+\/index\.html$/) },
  { name: 'the commands that failed', path: () => 'failures/index.html' },
  { name: 'the failures of a project', path: () => first(/^failures\/shop-[^/]+\/index\.html$/) },
  { name: 'the numbers', path: () => 'stats/index.html' },
  {
    name: 'what the model remembers of a session',
    path: () => sessionPath(longThread).replace('index.html', 'context.html'),
  },
  { name: 'the page of the search', path: () => 'search/index.html' },
  { name: 'a day', path: () => 'months/2026-11/17.html' },
  { name: 'the list of months', path: () => 'months/index.html' },
  { name: 'a month', path: () => 'months/2026-11/index.html' },
  { name: 'a session with every kind of step', path: () => sessionPath('Tide curves on every harbour page') },
  {
    name: 'a session in which something was found',
    path: () => sessionPath('Tide curves on every harbour page'),
    prepare: find,
  },
  {
    name: 'a session with a picture, a refused patch and a rollback',
    path: () => sessionPath('Conversion drops in week 7'),
  },
  { name: 'a session with coloured output', path: () => sessionPath('ferry copy starts from zero') },
  { name: 'a session with text that is not Latin', path: () => sessionPath('Übersetze die Begrüßung') },
  { name: 'the first page of a long session', path: () => sessionPath(longThread) },
  { name: 'a later page of a long session', path: () => sessionPath(longThread).replace('index.html', '2.html') },
  // By its id, because the reviewer's own thread may have the same title.
  { name: 'a review with findings', path: () => first(/^sessions\/019eb75b-b0c4-[^/]+\/index\.html$/) },
  { name: 'a session that starts sub-agents', path: () => sessionPath('Audit before 1.0') },
  { name: 'the page for what is not there', path: () => '404.html' },
  { name: 'a thread as one file', path: () => pathToFileURL(inject('single')).href },
]
