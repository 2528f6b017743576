import fc from 'fast-check'
import type { Properties } from 'hast'
import { h as reference } from 'hastscript'
import { expect, test } from 'vitest'
import { type Child, eachElement, h } from '../../../src/render/hast.ts'

const value = fc.oneof(
  fc.constantFrom('a', 'section', '#l12'),
  fc.boolean(),
  fc.constantFrom(undefined, null),
  fc.nat(9),
)
const properties = fc
  .record(
    {
      id: value,
      title: value,
      tabIndex: fc.integer({ min: -1, max: 1 }),
      className: fc.array(fc.constantFrom('one', 'two')),
      ariaLabelledBy: fc.array(fc.constantFrom('one', 'two')),
      ariaLabel: fc.string(),
      dataCopy: fc.constantFrom('code'),
      open: fc.boolean(),
      href: fc.webUrl(),
    },
    { requiredKeys: [] },
  )
  .map((fields) => fields as Properties) // Callers pass absent properties as `undefined` too.
const tagName = fc.constantFrom('a', 'div', 'details', 'td', 'small')
const { child } = fc.letrec<{ child: Child }>((tie) => ({
  child: fc.oneof(
    { maxDepth: 3 },
    fc.string(),
    fc.integer(),
    fc.constantFrom(null, undefined),
    fc.array(tie('child'), { maxLength: 3 }),
    fc.tuple(tagName, fc.array(tie('child'), { maxLength: 2 })).map(([name, inner]) => h(name, {}, inner)),
    fc
      .array(tie('child'), { maxLength: 2 })
      .map((inner) => ({ type: 'root' as const, children: h('p', {}, inner).children })),
  ),
}))

test('makes the same elements from hast properties as hastscript', () => {
  fc.assert(
    fc.property(tagName, properties, fc.array(child, { maxLength: 3 }), (name, given, children) => {
      expect(h(name, given, ...children)).toStrictEqual(reference(name, given, ...(children as string[])))
    }),
  )
})

test('copies lists of properties, so that a later change does not affect them', () => {
  const given = { className: ['one'] }
  h('p', given).properties['className'] = ['two']
  expect(given.className).toEqual(['one'])
  expect(h('p', given).properties['className']).not.toBe(given.className)
})

test('visits each element once, parents first, also children that a parent has just got', () => {
  const tree = h('ul', {}, h('li', {}, 'a', h('b', {}, 'c')), h('li', {}))
  const seen: string[] = []
  eachElement(tree, (element) => {
    seen.push(element.tagName)
    if (element.tagName === 'b') element.children = [h('i', {})]
  })
  expect(seen).toEqual(['ul', 'li', 'b', 'i', 'li'])
})
