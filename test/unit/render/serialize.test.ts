import fc from 'fast-check'
import type { Element, ElementContent } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { describe, expect, it } from 'vitest'
import { htmlPieces, serialize } from '../../../src/render/transcript/serialize.ts'
import { withoutControls } from '../../../src/render/visible-text.ts'
import { unitsOf } from '../../../src/util/pieces.ts'

const text = fc.string({ unit: fc.constantFrom(...'a<>&"\'`\0\n é😀;#x\u202E\u{E0061}') })

const properties = fc.record(
  {
    id: text,
    className: fc.array(fc.constantFrom('item', 'a&b', 'work'), { maxLength: 3 }),
    href: text,
    title: text,
    rel: fc.constant<string[]>(['nofollow', 'noreferrer']),
    open: fc.boolean(),
    hidden: fc.constantFrom(true, false, ''),
    tabIndex: fc.constantFrom(0, -1),
    start: fc.integer(),
    ariaLabel: text,
    ariaDescribedBy: fc.array(fc.constant('x'), { maxLength: 2 }),
    dataCopy: text,
    dataG: text,
    dateTime: text,
    download: fc.constantFrom(true, '', 'name'),
    colSpan: fc.integer(),
    width: fc.integer(),
    loading: fc.constant('lazy'),
    dataWrap: fc.constantFrom(true, ''),
    alt: text,
  },
  { requiredKeys: [] },
)

const { node } = fc.letrec<{ node: ElementContent }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    text.map((value): ElementContent => ({ type: 'text', value })),
    fc.constant<ElementContent>({ type: 'comment', value: 'said' }),
    fc
      .record({ tagName: fc.constantFrom('br', 'hr', 'img', 'input'), properties })
      .map((fields): Element => ({ type: 'element', ...fields, children: [] })),
    fc
      .record({
        tagName: fc.constantFrom('a', 'p', 'pre', 'details', 'td', 'time', 'ins'),
        properties,
        children: fc.array(tie('node'), { maxLength: 4 }),
      })
      .map((fields): Element => ({ type: 'element', ...fields })),
  ),
}))

describe('a tree as HTML', () => {
  it("equals the library's output", () => {
    fc.assert(
      fc.property(fc.array(node), (children) => {
        const tree = { type: 'root' as const, children }
        expect(serialize(tree)).toBe(toHtml(tree))
      }),
    )
  })

  it('has the same replaced characters as a pass over the whole text, also in elements cut out', () => {
    fc.assert(
      fc.property(fc.array(node), (children) => {
        const tree = { type: 'root' as const, children }
        const cuts = new Map(
          children.flatMap((child) => (child.type === 'element' ? [[child, [] as string[]] as const] : [])),
        )
        expect(htmlPieces(tree, withoutControls, cuts).join('')).toBe(withoutControls(toHtml(tree)))
        for (const [element, html] of cuts) expect(html.join('')).toBe(withoutControls(toHtml(element)))
      }),
    )
  })

  it('comes in pieces if it is long, as do the elements that are cut out', () => {
    const long = fc.constantFrom('a < b '.repeat(4000), 'c\u200Bd'.repeat(9000), 'e')
    const block = long.map(
      (value): Element => ({
        ...{ type: 'element', tagName: 'p', properties: {} },
        children: [{ type: 'text', value }],
      }),
    )
    fc.assert(
      fc.property(fc.array(fc.array(block, { maxLength: 4 }), { maxLength: 4 }), (parts) => {
        const children = parts.map((inner): Element => {
          return { type: 'element', tagName: 'div', properties: {}, children: inner }
        })
        const cuts = new Map(children.map((child) => [child, [] as string[]]))
        const tree = { type: 'root' as const, children }
        const pieces = htmlPieces(tree, withoutControls, cuts)
        expect(pieces.join('') === withoutControls(toHtml(tree))).toBe(true)
        for (const [element, html] of cuts) expect(html.join('') === withoutControls(toHtml(element))).toBe(true)
        // A piece is at most as long as one text.
        expect(Math.max(0, ...pieces.map(({ length }) => length))).toBeLessThan(120_000)
        if (unitsOf(pieces) > 120_000) expect(pieces.length).toBeGreaterThan(1)
      }),
      { numRuns: 30 },
    )
  })

  it('is only scanned where characters may hide', () => {
    const asked: string[] = []
    const tidy = (html: string): string => {
      asked.push(html)
      return html
    }
    const tree = (value: string): Element => ({
      type: 'element',
      tagName: 'p',
      properties: { title: value },
      children: [{ type: 'text', value: 'a < b' }],
    })
    serialize(tree('a “b” & 😀'), tidy)
    expect(asked).toEqual([])
    serialize(tree('a\u200Bb'), tidy)
    expect(asked).toEqual(['<p title="a\u200Bb">a &#x3C; b</p>'])
  })

  it('leaves elements with special rules to the library', () => {
    const svg: Element = {
      type: 'element',
      tagName: 'svg',
      properties: { viewBox: '0 0 1 1' },
      children: [{ type: 'element', tagName: 'path', properties: { strokeLineCap: 'round', d: 'M0 0' }, children: [] }],
    }
    expect(serialize(svg)).toBe(toHtml(svg))
    expect(serialize({ type: 'root', children: [{ type: 'doctype' }, svg] })).toBe(`<!doctype html>${toHtml(svg)}`)
  })
})
