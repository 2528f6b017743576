/** Markdown twins link the full text of what a page cuts if there is a file with it, and not otherwise. */
import { expect, it } from 'vitest'
import { writeFolder } from '../../helpers/folder.ts'
import * as r from '../../helpers/records.ts'
import { showFrom } from '../../helpers/show.ts'
import { buildSite, publicationWith, turnOf, writeSession } from '../../helpers/site-build.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { twinLinks } from '../../helpers/twin-links.ts'

const id = '019cebe6-48a0-7000-8000-00000000c0de'
const fork = '019cebe6-48a0-7000-8000-00000000f0ad'
const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index}\n`).join('')
const files = (texts: ReadonlyMap<string, string>): string[] =>
  [...texts.keys()].filter((path) => /^sessions\/.*\.txt$/.test(path))

it('only an output above 16 KiB that is not copied has a file and a link to it', async () => {
  const folder = useTempDir()
  const long = `${'word '.repeat(220_000)}end`
  writeSession(folder, id, [r.userItem(long), ...r.command('a', 'make', 0, lines(4000)), r.answerItem(long)])
  const copied = [r.meta({ id: 'elsewhere', timestamp: r.instant(0) }), r.userItem('Copied'), r.answerItem('Yes')]
  copied.splice(2, 0, ...r.command('b', 'make', 0, lines(4000)))
  const head = r.meta({ id: fork, forked_from_id: 'elsewhere', timestamp: r.instant(0), cwd: '/home/ada/engine' })
  const path = `home/sessions/2026/03/15/rollout-2026-03-15T09-00-00-${fork}.jsonl`
  const records = r.envelopes([head, ...copied, ...turnOf('own')])
  writeFolder(folder, { [path]: records.map((line) => `${JSON.stringify(line)}\n`).join('') })
  const { texts } = await buildSite(folder)
  expect(texts.get(`sessions/${fork}/index.md`)).toContain('line 3999')
  expect(texts.get(`sessions/${fork}/index.md`)).toMatch(/… [\d,]+ bytes left out …/)
  expect(twinLinks(texts)).toEqual({ dead: [], count: 1 })
  expect(files(texts)).toHaveLength(1)
})

it('the file of an output also says what it omits', async () => {
  const folder = useTempDir()
  writeSession(folder, id, [r.userItem('Go'), ...r.command('a', 'make', 0, lines(110_000)), r.answerItem('Done')])
  const whole = await buildSite(folder)
  const [file = ''] = files(whole.texts)
  expect(whole.texts.get(file)).toContain('line 50000\n')
  expect(whole.texts.get(file)?.trimEnd()).toMatch(/\n… [\d,]+ bytes left out …$/)
  const capped = await buildSite(folder, {
    publication: { ...publicationWith({}), maxOutput: 20_000 },
  })
  expect(capped.texts.get(file)).toMatch(/\n… [\d,]+ bytes left out by the settings of this site …\n/)
})

it('`show` promises no file', async () => {
  const folder = useTempDir()
  writeSession(folder, id, [r.userItem('Go'), ...r.command('a', 'make', 0, lines(110_000)), r.answerItem('Done')])
  const { text } = await showFrom(`${folder}/home`, id)
  expect(text).toMatch(/… [\d,]+ bytes left out …/)
  expect(text).not.toContain('Whole text')
  const page = await showFrom(`${folder}/home`, id, { format: 'html' })
  expect(page.text).toContain('left out of this page')
})
