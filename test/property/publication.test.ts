/** Over the sample sessions: words of a kind that is left out are in no byte of the site. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type ContentKind, contentKinds } from '../../src/config/publication.ts'
import { kindOf } from '../../src/redact/curate/content-kind.ts'
import type { TrastNode } from '../../src/transcript/trast.ts'
import { transcribeThread } from '../../src/transcript.ts'
import { buildSite, publicationWith } from '../helpers/site-build.ts'
import { useTempDir } from '../helpers/temp.ts'
import { threadsAt } from '../helpers/thread.ts'

const home = fileURLToPath(new URL('../../fixtures/home', import.meta.url))

/** Together all kinds whose nodes hold words. */
const groups: readonly (readonly ContentKind[])[] = [
  ['reasoning', 'injected', 'toolOutput', 'images', 'approvals', 'unknown'],
  ['answers', 'commands', 'tools', 'searches', 'notices'],
  ['prompts', 'edits', 'diffs', 'plans', 'agents', 'errors'],
]

test('the groups hold every kind of node', () => {
  const parts = ['toolArguments', 'stats', 'internals']
  expect([...groups.flat(), ...parts].sort()).toEqual([...contentKinds].sort())
})

test.each(groups)('words of %s, … are nowhere', async (...kinds) => {
  const folder = useTempDir()
  const visibility = Object.fromEntries(kinds.map((kind) => [kind, 'omit']))
  const { texts } = await buildSite(folder, {
    homes: [{ path: home }],
    publication: publicationWith({}, visibility),
    redact: false,
  })
  const site = [...texts].map(([name, text]) => [name, plain(name, text)] as const)
  const words = await wordsOf(new Set(kinds), folder)
  const wanted = words.gone.filter((word) => !words.kept.includes(word))
  expect(wanted.length).toBeGreaterThan(30)
  for (const word of wanted) {
    const found = site.filter(([, text]) => text.includes(word)).map(([name]) => name)
    expect(found, word).toEqual([])
  }
})

/** Text of a page without its markup, which may stand inside of words. */
function plain(name: string, text: string): string {
  return name.endsWith('.html') ? text.replace(/<[^>]*>/g, '') : text
}

interface Words {
  /** Runs of words, one of each text that is left out. */
  gone: string[]
  /** All other texts. */
  kept: string
}

async function wordsOf(kinds: ReadonlySet<ContentKind>, spool: string): Promise<Words> {
  const gone: string[] = []
  const kept: string[] = []
  const collect = (node: TrastNode, isGone: boolean): void => {
    if (node.type !== 'session') (isGone ? gone : kept).push(...ownTexts(node))
    for (const child of 'children' in node ? node.children : []) {
      const kind = kindOf(child, node)
      collect(child, isGone || (kind !== undefined && kinds.has(kind)))
    }
  }
  for (const thread of await threadsAt(home)) {
    const { session } = await transcribeThread(thread, { spoolDir: () => spool })
    const { title, cwd, git, models } = session
    kept.push(...textsOf([kinds.has('prompts') ? '' : title, cwd, git, models]))
    collect(session, false)
  }
  const runs = gone.map(longestRun).filter((run) => run !== undefined)
  return { gone: [...new Set(runs)], kept: kept.join('\n') }
}

function ownTexts(node: TrastNode): string[] {
  return textsOf({ ...node, children: undefined })
}

/** Without entities, escapes and marks, so that it reads the same in every format. */
function longestRun(text: string): string | undefined {
  const runs = text.match(/[\p{L}\d]+(?: [\p{L}\d]+)+/gu)?.filter((run) => run.length >= 14) ?? []
  return runs.sort((a, b) => b.length - a.length)[0]
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}
