/**
 * The number of failures is the same everywhere: on a page and in its timeline, in Markdown and JSON, on the pages across
 * sessions, in `show` and in the API. So is the number of those that nothing fixed, on a page and in every row of a list.
 * No turn counts as completed if its last record is an error. All of this is compared with a plain count over the trees.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'
import { list } from '../../src/cli/list-sessions.ts'
import type { ShowOptions } from '../../src/cli/show/target.ts'
import type { Session, TrastNode, Turn } from '../../src/transcript/trast.ts'
import { transcribe } from '../../src/transcript.ts'
import type { CorpusHome } from '../helpers/corpus.ts'
import type { GenuineSite } from '../helpers/genuine-site.ts'
import { showFrom } from '../helpers/show.ts'
import { siteTexts } from '../helpers/site-text.ts'
import { everySession, quietHost } from '../helpers/surroundings.ts'
import { twinLinks } from '../helpers/twin-links.ts'

/** How many sessions of a home the API reads one by one. The test of the site has read each of them already. */
const maxRead = 16
/** How many of these with failures are also shown. */
const maxShown = 4

interface Counts {
  runs: number
  commands: number
  edits: number
  /** Calls of other tools. */
  tools: number
  /** Turns that count as completed although an error is their last record. */
  contradictions: string[]
}

const toolTypes = /^(?:toolCall|search|agent|approval)$/

function countOf(session: Session): Counts {
  const counts: Counts = { runs: 0, commands: 0, edits: 0, tools: 0, contradictions: [] }
  const visit = (node: TrastNode): void => {
    if (node.data?.inherited === true || node.data?.visibility === 'hidden') return
    count(node, counts)
    const children: readonly TrastNode[] = 'children' in node ? node.children : []
    for (const child of children) visit(child)
  }
  for (const child of session.children) visit(child)
  return counts
}

function count(node: TrastNode, counts: Counts): void {
  const failed = 'status' in node && node.status === 'failed'
  if (node.type === 'command') {
    if (node.data?.continued !== true) counts.runs++
    if (failed) counts.commands++
  } else if (failed && node.type === 'patch') counts.edits++
  else if (failed && toolTypes.test(node.type) && (node.type !== 'approval' || node.callId !== undefined))
    counts.tools++
  if (node.type === 'turn' && contradicts(node)) counts.contradictions.push(node.id)
}

function contradicts({ status, children }: Turn): boolean {
  const last = children.findLast((child) => child.type !== 'notice' && !isContext(child))
  return status === 'completed' && last?.type === 'error'
}

function isContext(node: TrastNode): boolean {
  return node.type === 'message' && node.origin === 'injected'
}

const plain = (html: string): string => html.replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]+>/g, ' ').replace(/\s+/g, ' ')
const number = (text = '0'): number => Number(text.replaceAll(',', ''))

/** The number of something on a page. Those in a cluster of the timeline are parts of the whole. */
function numberIn(page: string, words: string): number {
  const found = [...page.matchAll(new RegExp(`(\\d[\\d,]*) ${words}s?\\b`, 'g'))].map(([, text]) => number(text))
  return Math.max(0, ...found)
}

/** The numbers of unfixed failures in each list of sessions, by thread id: in rows of pages, and in the catalog. */
function listed(site: string, texts: ReadonlyMap<string, string>): { page: string; id: string; left: number }[] {
  const found = []
  for (const [page, text] of texts) {
    for (const [, id = '', row = ''] of text.matchAll(
      /<a class="row" href="[^"]*sessions\/([^/"]+)\/[^"]*">(.*?)<\/a>/g,
    ))
      found.push({ page, id, left: number(/<i class="bad">(\d[\d,]*) failed commands? not fixed<\/i>/.exec(row)?.[1]) })
    if (/^assets\/catalog\.[\w.]+$/.test(page)) found.push(...catalogRows(page, readFileSync(join(site, page), 'utf8')))
  }
  return found
}

function catalogRows(page: string, script: string): { page: string; id: string; left: number }[] {
  const global: { self?: object; codexCatalog?: { id: string[]; left: number[] }[] } = {}
  global.self = global
  runInNewContext(script, global)
  return (global.codexCatalog ?? []).flatMap(({ id, left }) =>
    id.map((name, at) => ({ page, id: name, left: left[at] ?? 0 })),
  )
}

/** What `show` says about a thread without the site. */
async function totalsAlone(home: string, threadId: string): Promise<Record<'text' | 'md' | 'json' | 'html', number[]>> {
  const show = async (format: ShowOptions['format']): Promise<string> =>
    (await showFrom(home, threadId, { format })).text
  const { stats } = JSON.parse(await show('json')).session as Session
  const page = plain(await show('html'))
  return {
    text: totals(await show('text')),
    md: totals(await show('md')),
    json: [stats.commands.total, stats.commands.failed],
    html: [numberIn(page, 'command'), numberIn(page, 'failed command')],
  }
}

/** The numbers of commands and of failed ones in the receipt of a transcript. */
function totals(text: string): number[] {
  const found = /Commands[^\d\n]*(\d[\d,]*?)(?:, (\d[\d,]*) failed)?\n/.exec(text)
  return [number(found?.[1]), number(found?.[2])]
}

/** The number of failures is the same on all pages of a site. */
export function expectSameFailures({ root }: GenuineSite): void {
  const texts = siteTexts(root)
  const sum = { runs: 0, commands: 0 }
  const leftById = new Map<string, number>()
  for (const name of texts.keys()) {
    const [, id] = /^sessions\/([^/]+)\/index\.json$/.exec(name) ?? []
    if (id === undefined) continue
    const { session } = JSON.parse(readFileSync(join(root, name), 'utf8')) as { session: Session }
    const own = countOf(session)
    const { commands, tools } = session.stats
    const toolFailures = Object.values(tools).reduce((all, { failed }) => all + failed, 0)
    const page = plain(texts.get(name.replace(/json$/, 'html')) ?? '')
    const twin = totals(texts.get(name.replace(/json$/, 'md')) ?? '')
    expect({ name, ...commands, tools: toolFailures }).toEqual({
      name,
      total: own.runs,
      failed: own.commands,
      tools: own.edits + own.tools,
    })
    expect({
      name,
      page: numberIn(page, 'failed command'),
      edits: numberIn(page, 'failed edit'),
      tools: numberIn(page, 'failed tool call'),
    }).toEqual({
      name,
      page: own.commands,
      edits: own.edits,
      tools: own.tools,
    })
    expect({ name, twin }).toEqual({ name, twin: [own.runs, own.commands] })
    expect({ name, turns: own.contradictions }).toEqual({ name, turns: [] })
    const left = numberIn(page, 'failed commands? not fixed')
    expect({ name, isAmongAll: left <= own.commands }).toEqual({ name, isAmongAll: true })
    leftById.set(id, left)
    sum.runs += own.runs
    sum.commands += own.commands
  }
  expect(twinLinks(texts).dead, 'links of Markdown twins').toEqual([])
  const rows = listed(root, texts)
  expect(new Set(rows.map(({ id }) => id)).size, 'sessions in lists').toBe(leftById.size)
  expect(rows.filter(({ id, left }) => leftById.get(id) !== left)).toEqual([])
  const failures = /(\d[\d,]*) of (\d[\d,]*) commands? failed/.exec(plain(texts.get('failures/index.html') ?? ''))
  // If nothing failed, the page says so in words.
  const expected = sum.commands === 0 ? [0, 0] : [sum.commands, sum.runs]
  expect([number(failures?.[1]), number(failures?.[2])]).toEqual(expected)
  if (sum.commands > 0)
    expect(plain(texts.get('stats/index.html') ?? '')).toContain(`of ${sum.runs.toLocaleString('en')} command`)
}

/** The number of failures in threads of a home is the same in `show` and in the API. */
export async function expectSameFailuresAlone({ path }: CorpusHome): Promise<void> {
  const { rows } = await list({ ...everySession, homes: [{ path }] }, quietHost({ homeDir: path }))
  const failing: string[] = []
  const every = Math.ceil(rows.length / maxRead)
  for (const { id, files } of rows.filter((_, index) => index % every === 0)) {
    const { session } = await transcribe(join(path, files.at(-1) ?? ''))
    const own = countOf(session)
    expect({ id, ...session.stats.commands }).toEqual({ id, total: own.runs, failed: own.commands })
    if (own.commands > 0 && files.length === 1) failing.push(id)
  }
  for (const id of failing.slice(0, maxShown)) {
    const { json, html, ...twins } = await totalsAlone(path, id)
    expect({ id, ...twins }).toEqual({ id, text: json, md: json })
    expect({ id, failed: html[1] }).toEqual({ id, failed: json[1] })
  }
}
