/** What `search` reads from bytes never hides a word that a genuine session shows. */
import { tmpdir } from 'node:os'
import { visit } from 'unist-util-visit'
import { expect } from 'vitest'
import { bytePatterns, dropFound } from '../../src/features/terminal-search/bytes.ts'
import { parseQuery } from '../../src/features/terminal-search/query.ts'
import { textsOf } from '../../src/features/terminal-search/texts.ts'
import { openRollout } from '../../src/rollout/read/open-fs.ts'
import type { Session } from '../../src/transcript/trast.ts'
import type { SlicedThread } from '../helpers/genuine-slices.ts'

/** Words of a thread that are asked for, spread over all that it holds. */
const asked = 40

/** Ids of what scripts of code mode did: they may put words together that no bytes hold. */
function idsInScripts(tree: Session): Set<string> {
  const ids = new Set<string>()
  visit(tree, (node) => {
    const isScript = node.type === 'toolCall' && node.family === 'custom' && node.tool === 'exec'
    if (!isScript && node.data?.code === undefined) return
    visit(node, (child) => {
      if ('id' in child && child !== node) ids.add(child.id)
    })
    if (!isScript && 'id' in node) ids.add(node.id)
  })
  return ids
}

function wordsOf({ trees }: SlicedThread): string[] {
  const found: string[] = []
  for (const tree of trees) {
    const composed = idsInScripts(tree)
    textsOf(tree, ({ id, kind, value }) => {
      if (kind !== 'output' && composed.has(id)) return
      // Marks of what was redacted are not searched, nor do files hold what stands for names and home folders.
      found.push(...(value.replace(/\[redacted:[^\]]*\]/g, ' ').match(/[^\s"~]{3,}/g) ?? []))
    })
  }
  const step = Math.max(1, Math.floor(found.length / asked))
  return found.filter((_, index) => index % step === 0)
}

/** Words of which the bytes of a thread say that it cannot hold them. */
async function missedOf({ thread }: SlicedThread, words: readonly string[]): Promise<string[]> {
  const patterns = words.map((word) => ({ word, of: bytePatterns(parseQuery([`"${word}"`]), []) }))
  const open = new Set(patterns.flatMap(({ of }) => of))
  for (const { file } of thread.segments) {
    const source = await openRollout(file, { spoolDir: () => tmpdir() })
    dropFound(source, open)
    source.close()
  }
  return patterns.filter(({ of }) => of.some((pattern) => open.has(pattern))).map(({ word }) => `${thread.id}: ${word}`)
}

/** A word that a thread shows is never told to be missing from its bytes. */
export async function expectBytesOfWords(threads: readonly SlicedThread[]): Promise<void> {
  const missed: string[] = []
  let words = 0
  for (const thread of threads) {
    const chosen = wordsOf(thread)
    words += chosen.length
    missed.push(...(await missedOf(thread, chosen)))
  }
  expect(words).toBeGreaterThan(0)
  expect(missed).toEqual([])
}
