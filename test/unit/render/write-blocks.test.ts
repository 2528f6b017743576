import fc from 'fast-check'
import type { ListItem, PhrasingContent, RootContent } from 'mdast'
import { describe, expect, it } from 'vitest'
import { blockPieces, stringify } from '../../../src/render/transcript/markdown.ts'

const words = fc.oneof(
  fc.constantFrom(
    'Ran',
    'Receipt',
    'a · b',
    '12 kB',
    ' and ',
    'see (1)',
    '1. one',
    '* star',
    'x_y_z',
    'www.a',
    'a: b',
    '…',
    '',
  ),
  fc.string({ unit: fc.constantFrom(...'abpw1 .,:;()·→%*_`#<>[]&!@/\'"\\-+=|~\n'), maxLength: 12 }),
)

const phrase: fc.Arbitrary<PhrasingContent> = fc.oneof(
  words.map((value): PhrasingContent => ({ type: 'text', value })),
  words.map((value): PhrasingContent => ({ type: 'inlineCode', value })),
  words.map((value): PhrasingContent => ({ type: 'strong', children: [{ type: 'text', value }] })),
  words.map(
    (value): PhrasingContent => ({ type: 'link', url: 'https://a.example/b', children: [{ type: 'text', value }] }),
  ),
)
const line = fc.array(phrase, { maxLength: 3 })
const value = fc.oneof(words, fc.constantFrom('a\n\n  b', '```\nc\n````', 'd\r\ne', '> f\n'))

const { block } = fc.letrec<{ block: RootContent }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    line.map((children): RootContent => ({ type: 'paragraph', children })),
    line.map((children): RootContent => ({ type: 'heading', depth: 3, children })),
    fc
      .record({ value, lang: fc.constantFrom('sh', 'c++', 'a b', '') })
      .map((fields): RootContent => ({ type: 'code', ...fields })),
    value.map((text): RootContent => ({ type: 'verbatim', value: text })),
    fc.constant<RootContent>({ type: 'thematicBreak' }),
    fc.record({ ordered: fc.boolean(), items: fc.array(fc.record({ line, box: fc.boolean() }), { maxLength: 3 }) }).map(
      ({ ordered, items }): RootContent => ({
        type: 'list',
        ordered,
        spread: false,
        children: items.map(
          ({ line: children, box }): ListItem => ({
            type: 'listItem',
            spread: false,
            ...(box ? { checked: true } : {}),
            children: [{ type: 'paragraph', children }],
          }),
        ),
      }),
    ),
    fc
      .array(tie('block'), { maxLength: 3 })
      .map((children): RootContent => ({ type: 'blockquote', children: children as never })),
  ),
}))

describe('blocks of the frame', () => {
  it('are written exactly as by the package', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (blocks) => {
        expect(blockPieces(blocks).join('')).toBe(blocks.length === 0 ? '' : stringify(blocks))
      }),
      { numRuns: 500 },
    )
  })
})
