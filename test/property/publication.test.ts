/** Over the sample sessions: words of a content kind that is omitted are in no byte of the site. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type ContentKind, contentKinds } from '../../src/config/publication.ts'
import { contentKindOf } from '../../src/redact/curate/curate.ts'
import type { TrastNode } from '../../src/transcript/trast.ts'
import { transcribeThread } from '../../src/transcript.ts'
import { buildSite, publicationWith } from '../helpers/site-build.ts'
import { useTempDir } from '../helpers/temp.ts'
import { threadsAt } from '../helpers/thread.ts'

const home = fileURLToPath(new URL('../../fixtures/home', import.meta.url))

/** Together these are all kinds whose nodes contain words. */
const groups: readonly (readonly ContentKind[])[] = [
  ['reasoning', 'injected', 'toolOutput', 'images', 'approvals', 'unknown'],
  ['answers', 'commands', 'tools', 'searches', 'notices'],
  ['prompts', 'edits', 'diffs', 'plans', 'agents', 'errors'],
]

test('the groups contain every kind of node', () => {
  const parts = ['toolArguments', 'stats', 'internals']
  expect([...groups.flat(), ...parts].sort()).toEqual([...contentKinds].sort())
})

test.each(groups)('omitted words of %s, … are in no file of the site', async (...kinds) => {
  const folder = useTempDir()
  const visibility = Object.fromEntries(kinds.map((kind) => [kind, 'omit']))
  const { texts } = await buildSite(folder, {
    homes: [{ path: home }],
    publication: publicationWith({}, visibility),
    redact: false,
  })
  const site = [...texts].map(([name, text]) => [name, plain(name, text)] as const)
  const words = await wordsOf(new Set(kinds), folder)
  const wanted = words.omitted.filter((word) => !words.kept.includes(word))
  expect(wanted.length).toBeGreaterThan(30)
  for (const word of wanted) {
    const found = site.filter(([, text]) => text.includes(word)).map(([name]) => name)
    expect(found, word).toEqual([])
  }
})

/** Text of a page without its markup, which may be inside words. */
function plain(name: string, text: string): string {
  return name.endsWith('.html') ? text.replace(/<[^>]*>/g, '') : text
}

interface Words {
  /** Runs of words, one from each omitted text. */
  omitted: string[]
  /** All other texts. */
  kept: string
}

async function wordsOf(kinds: ReadonlySet<ContentKind>, spool: string): Promise<Words> {
  const omitted: string[] = []
  const kept: string[] = []
  const collect = (node: TrastNode, isOmitted: boolean): void => {
    if (node.type !== 'session') (isOmitted ? omitted : kept).push(...ownTexts(node))
    for (const child of 'children' in node ? node.children : []) {
      const kind = contentKindOf(child, node)
      collect(child, isOmitted || (kind !== undefined && kinds.has(kind)))
    }
  }
  for (const thread of await threadsAt(home)) {
    const { session } = await transcribeThread(thread, { spoolDir: () => spool })
    const { title, cwd, git, models } = session
    kept.push(...textsOf([kinds.has('prompts') ? '' : title, cwd, git, models]))
    collect(session, false)
  }
  const runs = omitted.map(longestRun).filter((run) => run !== undefined)
  return { omitted: [...new Set(runs)], kept: kept.join('\n') }
}

function ownTexts(node: TrastNode): string[] {
  return textsOf({ ...node, children: undefined })
}

/** A run without entities, escapes and markup, so that it reads the same in every format. */
function longestRun(text: string): string | undefined {
  const runs = text.match(/[\p{L}\d]+(?: [\p{L}\d]+)+/gu)?.filter((run) => run.length >= 14) ?? []
  return runs.sort((a, b) => b.length - a.length)[0]
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}
