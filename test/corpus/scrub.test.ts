/** Fixtures of genuine rollouts are read like the rollouts, and contain none of their words. */
import { readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { transcribe } from '../../src/transcript.ts'
import { describeWithCorpus } from '../helpers/corpus.ts'
import { scrubFile } from '../helpers/scrub.ts'
import { strayWordsOfLine } from '../helpers/scrubbed-text.ts'
import { hasScript, shapeOf, typesOf } from '../helpers/shape.ts'
import { useTempDir } from '../helpers/temp.ts'

/**
 * Scrubbing is slower than reading, so only every second file of a home is scrubbed. In scripted homes, which all versions
 * wrote from the same scripts, only every second one of these is taken, and neighbouring homes take the others.
 */
const step = 2

function someFiles(home: string, takes: (turn: number) => boolean): string[] {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /^rollout-.*\.(?:json|jsonl|jsonl\.zst)$/.test(entry.name))
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort()
  return paths.filter((_, index) => index % step === 0 && (index === 0 || takes(index / step)))
}

/** Words of a fixture that are neither filler nor part of the format. */
function strayWordsOf(text: string, path: string): string[] {
  const lines = path.endsWith('.json') ? [text] : text.split('\n')
  return lines.flatMap(strayWordsOfLine)
}

describeWithCorpus('fixtures of a home from a genuine Codex', ({ homes, lived }) => {
  const all = [
    ...homes.map((home, index) => ({ ...home, takes: (turn: number) => turn % 2 === index % 2 })),
    ...lived.map((home) => ({ ...home, takes: () => true })),
  ]
  it.each(all)('have the shape of its sessions and none of their words: $name', async ({ name, path: home, takes }) => {
    const folder = useTempDir()
    const files = someFiles(home, takes)
    expect(files.length).toBeGreaterThan(0)
    for (const path of files) {
      const { bytes, diagnostics } = await scrubFile(path)
      const fixture = join(folder, basename(path).replace(/\.zst$/, ''))
      writeFileSync(fixture, bytes)
      const [before, after] = [await transcribe(path, { redact: false }), await transcribe(fixture, { redact: false })]
      const describedBy = (items: typeof before.diagnostics) => items.map(({ ruleId, line }) => `${ruleId} ${line}`)
      expect(diagnostics, path).toEqual([])
      expect(describedBy(after.diagnostics), path).toEqual(describedBy(before.diagnostics))
      // In scripts that people had, the words decide what belongs to which call.
      const form = name === 'life' && hasScript(before.session) ? typesOf : shapeOf
      expect(form(after.session), path).toEqual(form(before.session))
      expect(strayWordsOf(bytes.toString('utf8'), path), path).toEqual([])
    }
  })
})
