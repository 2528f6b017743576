import fc from 'fast-check'
import type { Root } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown } from 'mdast-util-to-markdown'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { expect, it } from 'vitest'
import { renderMarkdown } from '../../../src/render/transcript/markdown.ts'
import { transcriptToMarkdown } from '../../../src/render/transcript/mdast/build.ts'
import { rolloutToMdast, type ToMdastOptions } from '../../../src/render/transcript/mdast/table.ts'
import type { Session } from '../../../src/transcript/trast.ts'
import { context } from '../../helpers/render.ts'
import * as tree from '../../helpers/tree.ts'

function processed(session: Session, options: ToMdastOptions = {}): string {
  const processor = unified().use(rolloutToMdast, options).use(remarkStringify, { bullet: '-', rule: '*' }).freeze()
  return processor.stringify(processor.runSync(session))
}

it('the bridge plugin lets remark-stringify write the same transcript', () => {
  const session = tree.session([
    tree.turn([
      tree.user('# Fix\nthe <gate>'),
      tree.plan([tree.planStep('saw', 'completed')]),
      tree.assistant('[^1]\n\n[^1]: a'),
    ]),
  ])
  expect(processed(session)).toBe(renderMarkdown(session, context()))
})

it('accepts handlers for new node types and replaces built-in ones', () => {
  const weather = { type: 'weather', id: 'l2', sky: 'grey' } as never
  const handlers: ToMdastOptions['handlers'] = {
    weather: (node: { sky: string }) => [
      { type: 'paragraph', children: [{ type: 'text', value: `Sky: ${node.sky}` }] },
    ],
    error: () => [],
  }
  const session = tree.session([tree.turn([weather, tree.errorNode('not told')])])
  const text = processed(session, { handlers })
  expect(text).toContain('Sky: grey')
  expect(text).not.toContain('not told')
})

it('does not share its extensions between processors', () => {
  const one = unified().use(rolloutToMdast).freeze()
  const two = unified().use(rolloutToMdast).freeze()
  expect(one.data('toMarkdownExtensions')).toHaveLength(1)
  expect(two.data('toMarkdownExtensions')).toHaveLength(1)
})

it('writes plain words exactly as remark-stringify would', () => {
  const words = fc.stringMatching(/^[a-z0-9 ,:;()·…→−%.w/!_#[\]+-]{1,12}$/)
  const paragraph = (before: string, value: string): Root => ({
    type: 'root',
    children: [
      { type: 'paragraph', children: [{ type: 'text', value }] },
      {
        type: 'list',
        children: [
          {
            type: 'listItem',
            children: [
              {
                type: 'paragraph',
                children: [
                  { type: 'strong', children: [{ type: 'text', value: before }] },
                  { type: 'text', value },
                  { type: 'link', url: 'a', children: [{ type: 'text', value }] },
                  { type: 'text', value: before },
                ],
              },
            ],
          },
        ],
      },
      { type: 'heading', depth: 2, children: [{ type: 'text', value }] },
    ],
  })
  fc.assert(
    fc.property(words, words, (before, value) => {
      const tree = paragraph(before, value)
      const ours = toMarkdown(tree, { extensions: [transcriptToMarkdown] })
      expect(ours).toBe(toMarkdown(tree, { extensions: [gfmToMarkdown()] }))
    }),
    { numRuns: 500 },
  )
})
