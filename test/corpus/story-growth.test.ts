/** The story of a session of real people, read again and again while it grew: published parts of it stay. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWithCorpus } from '../helpers/corpus.ts'
import { writeFolder } from '../helpers/folder.ts'
import { buildSite } from '../helpers/site-build.ts'
import { useTempDir } from '../helpers/temp.ts'

/** Lines of a rollout, each with its newline. */
function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').split(/(?<=\n)/)
}

/** Characters of prompts and answers, which a story contains in full. */
function saidIn(path: string): number {
  return linesOf(path).reduce((sum, line) => sum + (/"role":"(?:user|assistant)"/.test(line) ? line.length : 0), 0)
}

/**
 * Parts of the story of an incomplete rollout that others follow. Of the first part only the turns, because its head
 * describes the whole.
 */
async function closedParts(name: string, lines: readonly string[]): Promise<Map<string, string>> {
  const folder = useTempDir()
  writeFolder(folder, { [`home/sessions/2026/03/14/${name}`]: lines.join('') })
  const { texts } = await buildSite(folder, { formats: ['html'] })
  const parts = [...texts].filter(([path]) => /^sessions\/.*\/(?:index|story-\d+)\.html$/.test(path))
  const closed = parts.filter(([, html]) => html.includes('rel="next"'))
  return new Map(closed.map(([path, html]) => [path, path.endsWith('index.html') ? turnsOf(html) : html]))
}

function turnsOf(html: string): string {
  return html.slice(html.indexOf('<div class="flow">'), html.indexOf('<nav class="pager"'))
}

describeWithCorpus('a session that grew', ({ lived }) => {
  it.each(lived)('$name keeps the closed parts of its longest story', async ({ path }) => {
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
    const said = names.map((name) => ({ file: join(path, name), said: saidIn(join(path, name)) }))
    const [{ file: longest } = { file: '' }] = said.toSorted((a, b) => b.said - a.said)
    const lines = linesOf(longest)
    let closed = new Map<string, string>()
    let compared = 0
    for (const share of [0.6, 0.9, 1]) {
      const grown = await closedParts(basename(longest), lines.slice(0, Math.ceil(lines.length * share)))
      for (const [name, html] of closed) expect(grown.get(name) === html, `${name} at ${share}`).toBe(true)
      compared += closed.size
      closed = grown
    }
    expect(compared).toBeGreaterThan(0)
  })
})
