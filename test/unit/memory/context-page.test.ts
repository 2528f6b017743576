/** Which sessions get a page about what the model remembers, and what it may contain. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { presets } from '../../../src/config/publication.ts'
import { context } from '../../../src/features/memory/context.ts'
import { formatCount } from '../../../src/util/time.ts'
import { writeFolder } from '../../helpers/folder.ts'
import * as r from '../../helpers/records.ts'
import { buildSite, publicationWith, turnOf, writeSession } from '../../helpers/site-build.ts'
import { quietHost } from '../../helpers/surroundings.ts'
import { useTempDir } from '../../helpers/temp.ts'

const id = '019cebe6-48a0-7000-8000-00000000c0de'
const page = `sessions/${id}/context.html`
const home = `sessions/${id}/index.html`
const key = `ghp_${'Zk3Lq8Wm1Xv6'.repeat(3)}`

function folderWith(...words: string[]): string {
  const folder = useTempDir()
  writeSession(folder, id, words.flatMap(turnOf))
  return folder
}

/** Anchors of the session page to which a page links. */
function linksIn(html = ''): string[] {
  return [...html.matchAll(/href="index\.html#([^"]+)"/g)].map(([, anchor = '']) => anchor)
}

it('the session links to the page, and its items link to their places in the session', async () => {
  const { texts } = await buildSite(folderWith('one', 'two'))
  expect(texts.get(home)).toContain('href="context.html"')
  const html = texts.get(page) ?? ''
  expect(html).toContain('8 items at the end')
  const links = linksIn(html)
  expect(linksIn(html.split('id="items"')[1])).toHaveLength(8)
  for (const anchor of links) expect(texts.get(home)).toContain(`id="${anchor}"`)
})

/** A count of a request and its answer that Codex recorded. */
function counted(total: number): r.Json {
  const last = { input_tokens: total, output_tokens: 0, total_tokens: total }
  const info = { last_token_usage: last, total_token_usage: last, model_context_window: 200_000 }
  return { type: 'event_msg', payload: { type: 'token_count', info } }
}

it('the page shows the same numbers as `context`', async () => {
  const folder = useTempDir()
  const long = 'A gate that squeaks needs oil. '.repeat(600)
  writeSession(folder, id, [...turnOf('one'), counted(9000), ...turnOf('two'), r.userItem(long), counted(15_200)])
  const { texts } = await buildSite(folder)
  const html = texts.get(page) ?? ''
  const target = { target: id, targetPath: join(folder, id), homes: [{ path: join(folder, 'home') }] }
  const { memory, tokens } = await context({ ...target, at: undefined }, quietHost({ homeDir: folder }))
  expect(tokens.calibration?.factor).not.toBe(1)
  const [, list = ''] = html.split('id="items"')
  const shown = [...list.matchAll(/<span class="count">([\d,]+)<\/span><\/li>/g)].map(([, count]) => count)
  expect(shown).toEqual(memory.items.map((item) => formatCount(item.tokens)))
  expect(html).toContain(`9 items of about ${formatCount(tokens.estimated)} tokens go with the next request.`)
  expect(html).toContain(`it is about ${formatCount(tokens.total)}.`)
})

it('the page says how many files and programs its sums do not list', async () => {
  const folder = useTempDir()
  const numbers = Array.from({ length: 15 }, (_, index) => index)
  const reads = numbers.flatMap((index) => [
    r.call(`c${index}`, 'exec_command', { cmd: `cat gate-${index}.ts` }),
    r.output(`c${index}`, `Process exited with code 0\nOutput:\n${'hinge '.repeat(40 - index)}`),
  ])
  writeSession(folder, id, [...turnOf('one'), r.userItem('Read all.'), ...reads, ...turnOf('two')])
  const { texts } = await buildSite(folder)
  const [, files = ''] = (texts.get(page) ?? '').split('id="files"')
  expect(files).toMatch(/<p class="sub">Not listed: 3 with fewer tokens, [\d,]+ together\.<\/p>/)
  expect([...files.matchAll(/<th scope="row">gate-\d+\.ts/g)]).toHaveLength(12)
})

it('items of copied history link to the line that stands for it', async () => {
  const folder = folderWith('one', 'two')
  const fork = '019cebe6-48a0-7000-8000-00000000f0ad'
  const heads = [r.meta({ id: fork, forked_from_id: id }), r.meta({ id })]
  const lines = r.envelopes([...heads, ...['one', 'two', 'three', 'four'].flatMap(turnOf)])
  const path = `home/sessions/2026/03/14/rollout-2026-03-14T11-00-00-${fork}.jsonl`
  writeFolder(folder, { [path]: lines.map((line) => `${JSON.stringify(line)}\n`).join('') })
  const { texts } = await buildSite(folder)
  const links = linksIn(texts.get(`sessions/${fork}/context.html`))
  expect(links.length).toBeGreaterThan(8)
  expect(new Set(links)).toContain('inherited-2')
  for (const anchor of links) expect(texts.get(`sessions/${fork}/index.html`)).toContain(`id="${anchor}"`)
})

it('a session of one short turn has no such page, because the session page shows everything', async () => {
  const { texts } = await buildSite(folderWith('one'))
  expect(texts.has(page)).toBe(false)
  expect(texts.get(home)).not.toContain('context.html')
})

it('secrets are redacted on the page', async () => {
  const { texts } = await buildSite(folderWith('one', `token ${key} in`))
  expect(texts.get(page)).toContain('[redacted:github-token]')
  expect(texts.get(page)).not.toContain(key)
})

it('there is no such page if anything of the session is left out', async () => {
  const folder = folderWith('one', 'two')
  for (const visibility of [presets.public, presets.team, { ...presets.private, toolOutput: 'omit' as const }]) {
    const { texts } = await buildSite(folder, { publication: publicationWith({}, visibility) })
    expect(texts.has(page)).toBe(false)
  }
  const excluded = publicationWith({ [id]: { exclude: ['turn:2'] } })
  expect((await buildSite(folder, { publication: excluded })).texts.has(page)).toBe(false)
  const folded = publicationWith({}, { ...presets.private, reasoning: 'fold' })
  expect((await buildSite(folder, { publication: folded })).texts.has(page)).toBe(true)
})

it('there is no such page without HTML', async () => {
  const { texts } = await buildSite(folderWith('one', 'two'), { formats: ['md'] })
  expect(texts.has(page)).toBe(false)
})

it('the page shows no text if a plugin of the user may have removed it', async () => {
  const folder = folderWith('one', 'two')
  const { texts } = await buildSite(folder)
  expect(texts.get(page)).toContain('twooutput')
  const bare = await buildSite(folder, { plugins: [() => () => undefined], siteUrl: undefined })
  expect(bare.texts.get(page)).not.toContain('twooutput')
  expect(bare.texts.get(page)).toContain('tool output · turn 2')
})
