import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { expect, it } from 'vitest'
import * as entry from '../../../src/index.ts'
import * as tree from '../../helpers/tree.ts'

it('the entry exports these names and no others', () => {
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

it('`rolloutToMdast` works with any Markdown compiler', async () => {
  const session = tree.session([tree.turn([tree.user('Hello.')])])
  const processor = unified().use(entry.rolloutToMdast).use(remarkStringify)
  const mdast = await processor.run(session)
  expect(processor.stringify(mdast)).toContain('Hello.')
})

it('`rolloutToHast` and `rolloutToMdast` need no options, and use those they are given', async () => {
  const session = tree.session([tree.turn([tree.user('Hello.', { at: '2026-03-14T23:30:00Z' })])])
  const inUtc = JSON.stringify(await unified().use(entry.rolloutToHast).run(session))
  expect(inUtc).toContain('Hello.')
  expect(inUtc).toContain('23:30')
  const inTokyo = await unified().use(entry.rolloutToHast, { timeZone: 'Asia/Tokyo' }).run(session)
  expect(JSON.stringify(inTokyo)).toContain('08:30')
  const markdown = async (options: entry.ToMdastOptions) => {
    const processor = unified().use(entry.rolloutToMdast, options).use(remarkStringify)
    return processor.stringify(await processor.run(session))
  }
  expect(await markdown({})).not.toContain('It says hello.')
  expect(await markdown({ subtitle: 'It says hello.' })).toContain('It says hello.')
})
