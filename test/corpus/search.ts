/** What `search` reads from bytes never hides a word that a genuine session shows. */
import { tmpdir } from 'node:os'
import { expect } from 'vitest'
import { bytePatterns } from '../../src/features/terminal-search/byte-patterns.ts'
import { dropFound } from '../../src/features/terminal-search/bytes.ts'
import { composedTexts } from '../../src/features/terminal-search/composed.ts'
import { parseQuery } from '../../src/features/terminal-search/query.ts'
import { textsOf } from '../../src/features/terminal-search/texts.ts'
import { openRollout } from '../../src/rollout/read/open-fs.ts'
import { bufferSource } from '../../src/rollout/read/source.ts'
import type { SlicedThread } from '../helpers/genuine-slices.ts'

/** How many words of a thread are searched for, spread over everything that it contains. */
const asked = 40

function wordsOf({ trees }: SlicedThread): string[] {
  const found: string[] = []
  for (const tree of trees) {
    textsOf(tree, ({ value }) => {
      // Redaction marks are not searched, and files do not contain what replaces names and home folders.
      found.push(...(value.replace(/\[redacted:[^\]]*\]/g, ' ').match(/[^\s"~]{3,}/g) ?? []))
    })
  }
  const step = Math.max(1, Math.floor(found.length / asked))
  return found.filter((_, index) => index % step === 0)
}

/** Words that a thread shows but that its bytes seem to exclude. */
async function missedOf({ thread }: SlicedThread, words: readonly string[]): Promise<string[]> {
  const patterns = words.map((word) => ({ word, of: bytePatterns(parseQuery([`"${word}"`]), []) }))
  const open = new Set(patterns.flatMap(({ of }) => of))
  for (const { file } of thread.segments) {
    const source = await openRollout(file, { spoolDir: () => tmpdir() })
    const scripts = dropFound(source, open)
    const runs = [...open].flatMap((pattern) => pattern.runs)
    for (const text of composedTexts(source, scripts, runs)) dropFound(bufferSource(Buffer.from(text)), open)
    source.close()
  }
  return patterns.filter(({ of }) => of.some((pattern) => open.has(pattern))).map(({ word }) => `${thread.id}: ${word}`)
}

/** A word that a thread shows is never reported as missing from its bytes. */
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
