import { gunzipSync } from 'node:zlib'
import type { Element, Root } from 'hast'
import { h } from 'hastscript'
import { describe, expect, it } from 'vitest'
import { templatesFolder } from '../../../src/config/package-fs.ts'
import { findItems, findScript } from '../../../src/search/find-text.ts'

const { patternOf } = await import(`${templatesFolder}assets/find/text.js`)

const body = (...children: Element[]): Root => ({ type: 'root', children })
const texts = (tree: Root): string[] => findItems(tree).map(([, , text]) => text)

describe('the texts of a page for the find', () => {
  it('are those of each item, without its time and without texts for screen readers only', () => {
    const tree = body(
      h('section.turn', h('header.stamp', 'Turn 1'), [
        h('div#l1.item.prompt', h('header', h('a.at', '09:26'), 'You'), h('p', 'Mend the gate')),
        h('div#l2.item.command', h('a.at', '09:27'), h('span.hide', 'failed'), h('pre', 'oil  hinge\n\tgate')),
      ]),
    )
    expect(findItems(tree)).toEqual([
      ['l1', ['prompts'], 'Mend the gate'],
      ['l2', ['commands'], 'oil hinge gate'],
    ])
  })

  it('exclude nested items, and continue after them', () => {
    const tree = body(
      h('div#l1.item.tool', h('p', 'before'), h('div#l2.item.command.failed', h('p', 'inside')), h('p', 'behind')),
    )
    expect(findItems(tree)).toEqual([
      ['l1', ['tools', 'failures'], 'before behind'],
      ['l2', ['commands', 'failures'], 'inside'],
    ])
  })

  it('join words split by colours, but separate cells, lines and parts of a summary', () => {
    const coloured = h('pre', h('code', h('span', 'con'), h('span', 'st'), ' gate'))
    expect(texts(body(h('div#l1.item', coloured)))).toEqual(['const gate'])
    const summary = h(
      'details',
      h('summary', h('span', 'Ran'), h('span', 'ls')),
      h('table', h('td', 'a'), h('td', 'b')),
    )
    expect(texts(body(h('div#l1.item', summary)))).toEqual(['Ran ls a b'])
  })

  it('name hidden characters as the page does, and contain a formula once', () => {
    const formula = h(
      'math',
      h('semantics', h('mrow', h('mi', 'x'), h('mo', '='), h('mn', '1')), h('annotation', 'x=1')),
    )
    expect(texts(body(h('div#l1.item', h('p', 'a\u202Eb ', formula))))).toEqual(['a[U+202E]b x=1'])
  })

  it('come as a script of packed JSON, which no text of a session can break out of', () => {
    const script = findScript([['l1', ['answers'], '</script>"); alert(1)']]).join('')
    const [, base64 = ''] = /^;\(self\.codexFind\?\?=\[\]\)\.push\("([A-Za-z0-9+/=]+)"\)\n$/.exec(script) ?? []
    const packed = Buffer.from(base64, 'base64')
    expect(JSON.parse(gunzipSync(packed).toString())).toEqual({
      items: [['l1', ['answers'], '</script>"); alert(1)']],
    })
    // The operating system in the header of gzip is "unknown", so that the bytes are the same everywhere.
    expect(packed[9]).toBe(255)
  })
})

it.each([
  ["don't", 'don’t'],
  ['read‑only', 'Read-only'],
  ['a  (b) [c]', 'A (b) [c]'],
  ['cafe\u0301', 'café'],
])('finds %j in %j', (typed, text) => {
  expect(text.match(patternOf(typed))).toEqual([text])
  expect('dont read only ab'.match(patternOf(typed))).toBeNull()
})
