/** What is left out of a site is in no byte of it. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type ContentKind, contentKinds, presets } from '../../../src/config/publication.ts'
import type { BuildOptions } from '../../../src/site/types.ts'

import { everyKindId, kindWords, writeEveryKind } from '../../helpers/every-kind.ts'
import * as r from '../../helpers/records.ts'
import { threadId } from '../../helpers/rollout.ts'
import { buildSite, publicationWith, type TestSite, writeSession } from '../../helpers/site-build.ts'
import { filesWith } from '../../helpers/site-text.ts'
import { useTempDir } from '../../helpers/temp.ts'

/** A site of the session with every kind of content. */
function buildWith(change: Partial<BuildOptions>): Promise<TestSite> {
  const folder = useTempDir()
  writeEveryKind(folder)
  return buildSite(folder, change)
}

/** A picture of one pixel is in the session, in the prompt and as the result of a tool. */
const pictureName = createHash('sha256').update(Buffer.from(r.pixel, 'base64')).digest('hex').slice(0, 32)

describe('a site of a session with every kind of content', () => {
  it('contains the words of all kinds if nothing is omitted', async () => {
    const { texts } = await buildWith({ search: true })
    for (const word of Object.values(kindWords)
      .flat()
      .filter((text) => text !== '7.65'))
      expect(filesWith(texts, word), word).not.toEqual([])
    expect([...texts.keys()]).toContain(`assets/${pictureName}.png`)
  })

  it.each(contentKinds)('contains no byte of %s if they are omitted, but all of the rest', async (kind) => {
    const { texts } = await buildWith({ publication: publicationWith({}, { [kind]: 'omit' }) })
    for (const word of kindWords[kind]) expect(filesWith(texts, word), word).toEqual([])
    for (const other of contentKinds.filter((name) => !goesWith(name, kind)))
      for (const word of kindWords[other].filter((text) => text !== '7.65' && !isInside(text, kind)))
        expect(filesWith(texts, word), `${word} of ${other}`).not.toEqual([])
    const isPictured = [...texts.keys()].includes(`assets/${pictureName}.png`)
    expect(isPictured).toBe(kind !== 'images')
  })

  it('contains the beginning and end of long outputs, and no half of a secret', async () => {
    const folder = useTempDir()
    const token = `ghp_${'A1b2C3d4E5f6G7h8I9j0'.repeat(2).slice(0, 36)}`
    const text = `${'a'.repeat(140)} ${token} ${'middle '.repeat(5000)} the end`
    writeSession(folder, threadId(1), [r.userItem('Show it'), ...r.command('c', 'cat long', 0, text)])
    const { texts } = await buildSite(folder, { publication: { ...publicationWith({}), maxOutput: 200 } })
    const name = `sessions/${threadId(1)}/index`
    expect(texts.get(`${name}.md`)).toContain('left out by the settings of this site')
    expect(texts.get(`${name}.html`)).toContain('left out by the settings of this site')
    expect(texts.get(`${name}.html`)).toContain('the end')
    expect(filesWith(texts, 'middle '.repeat(20))).toEqual([])
    expect(filesWith(texts, token.slice(0, 12))).toEqual([])
    expect([...texts.keys()].filter((path) => path.endsWith('.txt') && path.startsWith('sessions/'))).toEqual([])
  })

  it('contains only what the public preset shows, even in the search index', async () => {
    const { texts } = await buildWith({ search: true, publication: { visibility: presets.public, curation: {} } })
    for (const kind of contentKinds) {
      const found = kindWords[kind].map((word) => filesWith(texts, word).length > 0)
      if (presets.public[kind] === 'omit') expect(found, kind).toEqual(found.map(() => false))
      else expect(found.includes(true), kind).toBe(true)
    }
    expect(filesWith(texts, 'codex resume')).toEqual([])
    expect(texts.get(`sessions/${everyKindId}/index.md`)).toContain('exit 2')
  })
})

/** Kinds that are parts of others are omitted with them. */
function goesWith(kind: ContentKind, omitted: ContentKind): boolean {
  if (kind === omitted) return true
  const parts: Partial<Record<ContentKind, ContentKind[]>> = {
    tools: ['toolArguments'],
    edits: ['diffs'],
  }
  return parts[omitted]?.includes(kind) ?? false
}

/** Some words are inside items of another kind. */
function isInside(word: string, omitted: ContentKind): boolean {
  const inside: Partial<Record<ContentKind, string[]>> = {
    commands: ['possumprinted', 'possumlong', 'possumtyped'],
    tools: ['possumreply'],
    notices: ['bilbysummary'],
  }
  return inside[omitted]?.includes(word) ?? false
}
