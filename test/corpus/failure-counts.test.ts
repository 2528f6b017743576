/**
 * One number of failures wherever it is told: on a page and in its timeline, in lists, Markdown and JSON, on the pages
 * across sessions; and "completed" over no turn whose last word is an error. All against a plain count over the trees.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Session, TrastNode, Turn } from '../../src/transcript/trast.ts'
import { describeWithCorpus } from '../helpers/corpus.ts'
import { buildSite } from '../helpers/site-build.ts'

interface Counts {
  runs: number
  commands: number
  tools: number
  /** Turns that are told to have completed although an error is their last word. */
  contradictions: string[]
}

const toolTypes = /^(?:toolCall|patch|search|agent|approval)$/

function countOf(session: Session): Counts {
  const counts: Counts = { runs: 0, commands: 0, tools: 0, contradictions: [] }
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
  } else if (failed && toolTypes.test(node.type) && (node.type !== 'approval' || node.callId !== undefined))
    counts.tools++
  if (node.type === 'turn' && contradicts(node)) counts.contradictions.push(node.id)
}

function contradicts({ status, children }: Turn): boolean {
  const last = children.findLast((child) => child.type !== 'notice' && !isContext(child))
  return status === 'completed' && last?.type === 'error' && last.code !== 'warning'
}

function isContext(node: TrastNode): boolean {
  return node.type === 'message' && node.origin === 'injected'
}

const plain = (html: string): string => html.replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]+>/g, ' ').replace(/\s+/g, ' ')
const number = (text = '0'): number => Number(text.replaceAll(',', ''))

/** The numbers that a page tells of something; those of a timeline's cluster are parts of the whole. */
function told(page: string, words: string): number {
  const found = [...page.matchAll(new RegExp(`(\\d[\\d,]*) ${words}s?\\b`, 'g'))].map(([, text]) => number(text))
  return Math.max(0, ...found)
}

describeWithCorpus('the failures of a genuine home', ({ homes, lived }) => {
  it.each([...homes, ...lived])('are one number everywhere: $name', async ({ path }) => {
    const folder = mkdtempSync(join(tmpdir(), 'codex-export-failures-'))
    try {
      const { texts } = await buildSite(folder, { homes: [{ path }], siteUrl: undefined })
      const sum = { runs: 0, commands: 0 }
      for (const name of texts.keys()) {
        if (!/^sessions\/[^/]+\/index\.json$/.test(name)) continue
        const { session } = JSON.parse(readFileSync(join(folder, 'site', name), 'utf8')) as { session: Session }
        const own = countOf(session)
        const { commands, tools } = session.stats
        const toolFailures = Object.values(tools).reduce((all, { failed }) => all + failed, 0)
        const page = plain(texts.get(name.replace(/json$/, 'html')) ?? '')
        const twin = /Commands[^\d\n]*(\d[\d,]*?)(?:, (\d[\d,]*) failed)?\n/.exec(
          texts.get(name.replace(/json$/, 'md')) ?? '',
        )
        expect({ name, ...commands, tools: toolFailures }).toEqual({
          name,
          total: own.runs,
          failed: own.commands,
          tools: own.tools,
        })
        expect({ name, page: told(page, 'failed command'), tools: told(page, 'failed tool call') }).toEqual({
          name,
          page: own.commands,
          tools: own.tools,
        })
        expect({ name, twin: [number(twin?.[1]), number(twin?.[2])] }).toEqual({ name, twin: [own.runs, own.commands] })
        expect({ name, turns: own.contradictions }).toEqual({ name, turns: [] })
        sum.runs += own.runs
        sum.commands += own.commands
      }
      const failures = /(\d[\d,]*) of (\d[\d,]*) commands? failed/.exec(plain(texts.get('failures/index.html') ?? ''))
      // Where nothing failed, the page says so in words.
      const expected = sum.commands === 0 ? [0, 0] : [sum.commands, sum.runs]
      expect([number(failures?.[1]), number(failures?.[2])]).toEqual(expected)
      if (sum.commands > 0)
        expect(plain(texts.get('stats/index.html') ?? '')).toContain(`of ${sum.runs.toLocaleString('en')} command`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
