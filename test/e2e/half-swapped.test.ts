/** The search of a site whose swap was killed: it answers from one index, wherever that happened. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { askSearch } from '../helpers/search.ts'
import { swapIn } from '../helpers/swap-child.ts'
import { buildSites } from '../helpers/swapped-sites.ts'

const kills = 8

describeInBrowser('a half-swapped site', (open) => {
  const folder = mkdtempSync(join(tmpdir(), 'codex-export-swap-'))
  let sites = { old: '', next: '' }
  let steps = 0

  const swapped = async (name: string, kill?: number): Promise<string> => {
    const out = join(folder, name)
    cpSync(sites.old, out, { recursive: true, preserveTimestamps: true })
    const done = await swapIn(sites.next, out, kill)
    if (done !== 'killed') steps = done
    return out
  }

  beforeAll(async () => {
    sites = await buildSites(folder)
    await swapped('whole')
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(Array.from({ length: kills }, (_, index) => index + 1))(
    'answers from its folder after a kill at part %i of the swap',
    async (part) => {
      const out = await swapped(`killed-${part}`, Math.round((part * steps) / (kills + 1)))
      const isNew =
        readFileSync(join(out, 'pagefind/search.js'), 'utf8') ===
        readFileSync(join(sites.next, 'pagefind/search.js'), 'utf8')
      const { page } = await open(pathToFileURL(join(out, 'index.html')).href, {
        within: `${pathToFileURL(out).href}/`,
      })
      const answers = [await askSearch(page, 'quokka2'), await askSearch(page, 'numbat2')]
      const [found = 0, other = 0] = answers.map(({ hits, instead }) => (instead === undefined ? hits.length : 0))
      expect([found > 0, other > 0]).toEqual([!isNew, isNew])
      for (const { path } of answers.flatMap(({ hits }) => hits)) expect(existsSync(join(out, path))).toBe(true)
    },
    60_000,
  )
})
