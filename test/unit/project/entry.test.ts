import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { expect, it } from 'vitest'
import * as entry from '../../../src/index.ts'
import * as tree from '../../helpers/tree.ts'

it('the entry exports these names and no other', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'build',
    'defineConfig',
    'definePlugin',
    'presets',
    'reconstructHistory',
    'redactTranscript',
    'rolloutToHast',
    'rolloutToMdast',
    'search',
    'toHtml',
    'toMarkdown',
    'transcribe',
    'transcribePages',
  ])
})

it('the bridge plugin of the entry works with any Markdown compiler', async () => {
  const session = tree.session([tree.turn([tree.user('Hello.')])])
  const processor = unified().use(entry.rolloutToMdast).use(remarkStringify)
  const mdast = await processor.run(session)
  expect(processor.stringify(mdast)).toContain('Hello.')
})
