import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadEngine } from '../../../src/render/transcript/engines-fs.ts'
import { type Engine, parseMarkdown, referenceEngine } from '../../../src/render/transcript/prose/engine.ts'
import { plainTree, sourceRanges } from '../../helpers/mdast.ts'
import { wellFormedMarkdown } from '../../helpers/well-formed.ts'

let native: Engine

beforeAll(async () => {
  native = await loadEngine()
})

const bodies = {
  'paragraphs and breaks': 'One\ntwo  \nthree\\\nfour\n\nfive',
  headings: '# A\n\n## B ##\n\nC\n===\n\nD\nE\n---\n\n####### no',
  lists: '- a\n- b\n\n  c\n\n1. d\n   - e\n2. f\n\n7) g',
  tasks: '- [ ] open\n- [x] done\n- [X] done\n- [] none',
  tables: '| a | b | c |\n|:--|:-:|--:|\n| 1 | `|` \\| x | 3 |\n| 4 |\n\nafter',
  code: '```ts title="x"\nlet a = 1\n```\n\n~~~\nopen\n~~~\n\n    indented\n\n``a ` b``',
  'an open fence': 'text\n\n```js\nlet a',
  html: '<div>\n**no**\n\nyes\n</div>\n\na <b>c</b> <!-- d --> e\n\n<!-- f\n\ng -->\n\n<script>\n\nh\n</script>',
  links: '[a](b "c") <https://d.e> [f][g] [g] [g][] [h]\n\n[g]: <i j> (k)',
  pictures: '![a](b) ![c][d] [![e](f)](g)\n\n[d]: x.png',
  footnotes: 'a[^1] b[^long]\n\n[^1]: one\n[^long]: two\n\n    three',
  'bare links': 'see https://a.example/b_c?d=e&f. and www.example.org, or me@example.org!',
  strikethrough: '~~a~~ ~b~ ~~~c~~~',
  quotes: '> a\nb\n> - c\n>\n>   d\n\n> e',
  escapes: '\\*a\\* &amp; &copy; &#35; &nosuch; \\',
  'text outside ASCII': 'héllo 😀 **b** é*c* 漢字**d**。 <i>x</i>\u00A0y',
  'line endings': 'a\r\nb\r\n\r\n- c\r\n- d\r\n',
  dashes: '---\ntitle: no front matter\n---\n\n+++\nx = 1\n+++\n\n***',
  'marks of other dialects': '$a$ :smile: ==b== [[c]] :::note\nd\n::: {#id} ^e^ "f" -- g...',
}

describe('the native engine and the reference engine', () => {
  it.each(Object.entries(bodies))('agree on %s', (_name, body) => {
    expect(plainTree(native(body))).toEqual(plainTree(referenceEngine(body)))
  })

  it('agree on ordinary Markdown of every kind', () => {
    fc.assert(
      fc.property(wellFormedMarkdown, (body) => {
        expect(plainTree(native(body))).toEqual(plainTree(referenceEngine(body)))
      }),
      { numRuns: 300 },
    )
  })

  /** Where the engines are known to differ; remove a case once they agree. */
  const differences = {
    'a no-break space after the language of a fence': '~~~sh \u00A0',
    'the newline after a comment in a list item': '- <!-- a -->\n- b',
    'a footnote of several paragraphs in a tight list': '- [^a]: b\n\n      c',
    'a bare link right after a character above U+FFFF': '😀www.example.org',
    'emphasis right after a character above U+FFFF': '😀_a_',
    'an escaped star right before strong text, after other text': 'a \\**b**',
    'a task item whose first line is blank': '- [ ]   \n  a',
  }

  it.each(Object.entries(differences))('differ on %s', (_name, body) => {
    expect(plainTree(native(body))).not.toEqual(plainTree(referenceEngine(body)))
  })
})

describe('positions', () => {
  it('are UTF-16 indices in both engines, also after text outside ASCII', () => {
    const body = 'é 😀😀 **漢**\n\n- 🚪 `x`\n\n| 😀 | b |\n|---|---|\n| é | <i> |\n'
    const expected = [
      ['strong', '**漢**'],
      ['inlineCode', '`x`'],
      ['html', '<i>'],
    ]
    for (const engine of [native, referenceEngine]) {
      const ranges = sourceRanges(engine(body), body)
      expect(ranges.filter(([type]) => expected.some(([name]) => name === type))).toEqual(expected)
    }
  })

  it('are the same in both engines for the nodes that splices use', () => {
    const used = new Set(['heading', 'html', 'code', 'definition', 'image', 'imageReference', 'linkReference'])
    for (const body of Object.values(bodies)) {
      const [a, b] = [native, referenceEngine].map((engine) =>
        sourceRanges(engine(body), body).filter(([type]) => used.has(type)),
      )
      expect(a).toEqual(b)
    }
  })
})

describe('parseMarkdown', () => {
  it('uses the reference engine if the native one fails', () => {
    const broken: Engine = () => {
      throw new Error('no luck')
    }
    expect(plainTree(parseMarkdown('# a', broken))).toEqual(plainTree(referenceEngine('# a')))
  })

  it('returns one code block for the whole text if it nests too deeply', () => {
    const value = `a\n${'>'.repeat(1000)} b`
    const root = parseMarkdown(value, native)
    expect(root.data).toEqual({ unparsed: true })
    expect(root.children).toMatchObject([{ type: 'code', value }])
    expect(root.position?.end).toEqual({ line: 2, column: 1003, offset: value.length })
  })

  it('returns one code block if a paragraph has so many references that copying takes seconds', () => {
    const paragraph = 'a &lt; b '.repeat(200)
    expect(parseMarkdown(`${paragraph}\n\n`.repeat(20), native).children).toHaveLength(20)
    expect(parseMarkdown(paragraph.repeat(20), native).data).toEqual({ unparsed: true })
  })
})
