/** A fork opens where its own messages begin: copied history that another page shows gets no page. */
import { expect, it } from 'vitest'
import { writeFolder } from '../../helpers/folder.ts'
import { noise } from '../../helpers/planted.ts'
import * as r from '../../helpers/records.ts'
import { buildSite, turnOf, writeSession } from '../../helpers/site-build.ts'
import { useTempDir } from '../../helpers/temp.ts'

const parent = '019cebe6-48a0-7000-8000-00000000c0de'
const fork = '019cebe6-48a0-7000-8000-00000000f0ad'
/** The parent's turns, which fill four pages. */
const words = Array.from({ length: 400 }, (_, index) => `word${index}`)

/** A parent, and a fork with all of its turns and some of its own; `later` is what the parent has beyond the copy. */
function folderWithFork(own: readonly string[], later: readonly r.Json[] = []): string {
  const folder = useTempDir()
  writeSession(folder, parent, [...words.flatMap(turnOf), ...later])
  const head = r.meta({ id: fork, forked_from_id: parent, timestamp: r.instant(0), cwd: '/home/ada/engine' })
  const copy = [r.meta({ id: parent, timestamp: r.instant(0), cwd: '/home/ada/engine' }), ...words.flatMap(turnOf)]
  const lines = r.envelopes([head, ...copy, ...own.flatMap(turnOf)])
  const path = `home/sessions/2026/03/15/rollout-2026-03-15T09-00-00-${fork}.jsonl`
  writeFolder(folder, { [path]: lines.map((line) => `${JSON.stringify(line)}\n`).join('') })
  return folder
}

const pagesOf = (texts: ReadonlyMap<string, string>, id: string): string[] =>
  [...texts.keys()].filter((path) => path.startsWith(`sessions/${id}/`) && /\/(?:index|\d+)\.html$/.test(path)).sort()

it('begins with one line for all copied turns, and its own first prompt', async () => {
  const { texts, result } = await buildSite(folderWithFork(['own', 'last']))
  expect(pagesOf(texts, parent).length).toBeGreaterThan(3)
  expect(pagesOf(texts, fork)).toEqual([`sessions/${fork}/index.html`])
  const html = texts.get(`sessions/${fork}/index.html`) ?? ''
  expect(html).toContain('400 turns inherited, up to “word399 prompt')
  expect(html).toContain('own prompt')
  expect(html).toContain('last answer')
  expect(html).not.toMatch(/word398 prompt|word399 answer/)
  expect(result.diagnostics.filter(({ level }) => level !== 'info')).toEqual([])
})

it('links its prompts to the pages on which they are', async () => {
  const { texts } = await buildSite(folderWithFork(Array.from({ length: 200 }, (_, index) => `own${index}`)))
  const pages = pagesOf(texts, fork)
  expect(pages.length).toBeGreaterThan(1)
  const all = pages.map((path) => texts.get(path) ?? '')
  const html = texts.get(`sessions/${fork}/index.html`) ?? ''
  expect(html).toContain('own0 prompt')
  const links = [...html.matchAll(/href="(?:(\d+)\.html)?#(l\d+)"/g)]
  expect(links.length).toBeGreaterThan(50)
  for (const [, page, anchor] of links) {
    const target = pages.findIndex((path) => path.endsWith(page === undefined ? '/index.html' : `/${page}.html`))
    expect(all[target], `${page}#${anchor}`).toContain(`id="${anchor}"`)
  }
})

it('begins so too if it is rendered again because of a secret that the session reveals later', async () => {
  const secret = `${noise(1, 7)}x4Q${noise(2, 7)}`
  const later = r.command('later', 'cat .env', 0, `DB_PASSWORD=${secret}\n`)
  const { texts } = await buildSite(folderWithFork([`own ${secret}`], later))
  expect(pagesOf(texts, fork)).toEqual([`sessions/${fork}/index.html`])
  const html = texts.get(`sessions/${fork}/index.html`) ?? ''
  expect(html).toContain('400 turns inherited, up to “word399 prompt')
  expect(html).toContain('own [redacted:named-secret] prompt')
  expect(html).not.toContain(secret)
})

it('shows the copy on its own pages if the site lacks the original session, and says why', async () => {
  const folder = folderWithFork(['own'])
  const { texts } = await buildSite(folder, { ids: [fork] })
  expect(pagesOf(texts, fork).length).toBeGreaterThan(3)
  expect(texts.get(`sessions/${fork}/index.html`)).toContain('History copied from a session that is not included')
})
