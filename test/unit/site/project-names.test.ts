/**
 * Two folders of one name: every page, list and feed distinguishes them, and a new session renames only what it must.
 */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { list } from '../../../src/cli/list-sessions.ts'
import { buildSite, turnOf, writeSession } from '../../helpers/site-build.ts'
import { everySession, quietHost } from '../../helpers/surroundings.ts'
import { useTempDir } from '../../helpers/temp.ts'

const id = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`

/** Texts of links to projects, by the address of the project, over all pages of a site. */
function projectLinks(texts: Map<string, string>): Record<string, string[]> {
  const found: Record<string, Set<string>> = {}
  for (const [path, html] of texts) {
    if (!path.endsWith('.html')) continue
    for (const [, slug = '', text = ''] of html
      .replaceAll('<wbr>', '')
      .matchAll(/href="[^"#]*projects\/([\w-]+)\/[^"]*"[^>]*>\s*(?:<span[^>]*>)?\s*([^<]+?)\s*</g)) {
      found[slug] ??= new Set()
      found[slug].add(text)
    }
  }
  return Object.fromEntries(Object.entries(found).map(([slug, names]) => [slug, [...names]]))
}

test('projects of one name are distinguished everywhere, and keep their addresses', async () => {
  const folder = useTempDir()
  writeSession(folder, id(1), turnOf('one'), { cwd: '/home/ada/work/app' })
  const alone = await buildSite(folder)
  const [address = ''] = Object.keys(projectLinks(alone.texts))
  expect(projectLinks(alone.texts)[address]).toContain('app')

  writeSession(folder, id(2), turnOf('two'), { cwd: '/home/ada/play/app' })
  writeSession(folder, id(3), turnOf('three'), { cwd: '/home/ada' })
  writeSession(folder, id(4), turnOf('four'), { cwd: undefined })
  const { texts } = await buildSite(folder)
  const links = projectLinks(texts)
  const names = Object.values(links).flat()
  expect(links[address]).toContain('work/app')
  expect(names).toEqual(expect.arrayContaining(['work/app', 'play/app', 'Home folder', 'No folder recorded']))
  expect(names.filter((name) => ['app', '~', 'unknown'].includes(name))).toEqual([])
  expect(texts.get(`sessions/${id(1)}/index.html`)).toContain('work/app')
  for (const file of ['feed.xml', 'llms.txt', 'assets/catalog.js']) {
    const text = [...texts].find(([path]) => path.startsWith(file.replace('.js', '')))?.[1]
    expect(text, file).toContain('play/app')
  }

  const { rows } = await list(
    { ...everySession, homes: [{ path: join(folder, 'home') }] },
    quietHost({ homeDir: '/home/ada' }),
  )
  expect(rows.map(({ project }) => project).sort()).toEqual([
    'Home folder',
    'No folder recorded',
    'play/app',
    'work/app',
  ])
})
