/** Formulas are drawn as MathML and stay TeX in Markdown; what only looks like a formula stays text. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawTex, loadEngine } from '../../../src/render/transcript/engines-fs.ts'
import { type Engine, referenceEngine } from '../../../src/render/transcript/prose/engine.ts'
import { findFormulas } from '../../../src/render/transcript/prose/math.ts'
import { portableBody } from '../../../src/render/transcript/prose/portable.ts'
import { searchText } from '../../../src/search/entry-text.ts'
import { aliveIn, renderers } from '../../helpers/markdown-renderers.ts'
import { context, items } from '../../helpers/render.ts'
import { assistant } from '../../helpers/tree.ts'

let native: Engine
beforeAll(async () => {
  native = await loadEngine()
})

const page = (value: string, engine = native): string =>
  items([assistant(value, { id: 'l9', phase: 'final_answer' })], context({}, { engine, drawTex }))
const twin = (value: string): string | undefined => portableBody(value, { id: 'l9', engine: native })
const source = (tex: string): string => `<annotation encoding="application/x-tex">${tex}</annotation>`

describe('a formula', () => {
  it.each([
    ['\\( x_i + 1 \\)', 'x_i + 1', '$x_i + 1$'],
    ['\\[ f(t)\\,dt \\]', 'f(t)\\,dt', '$$f(t)\\,dt$$'],
    ['\\[\nx = y\n\\]', 'x = y', '$$x = y$$'],
    ['\\[\n|x-t|=x-t\n\\]', '|x-t|=x-t', '$$|x-t|=x-t$$'],
    ['- so\n  \\[\n  f(t)=-1\n  \\]', 'f(t)=-1', '- so\n  $$f(t)=-1$$'],
    ['$$\n\\int_0^1 x\n$$', '\\int_0^1 x', '$$\n\\int_0^1 x\n$$'],
    ['$n$', 'n', '$n$'],
    ['$2n$', '2n', '$2n$'],
    ['$O(n \\log n)$', 'O(n \\log n)', '$O(n \\log n)$'],
    ['$E=mc^2$', 'E=mc^2', '$E=mc^2$'],
    ['$f(x)$', 'f(x)', '$f(x)$'],
    ['\\(n-1\\)', 'n-1', '$n-1$'],
    ['\\(a_{i}*b_{j}*c\\)', 'a_{i}*b_{j}*c', '$a_{i}*b_{j}*c$'],
    ['**\\(x^2\\)**', 'x^2', '**$x^2$**'],
    ['> \\[\n> a = b\n> \\]', 'a = b', '> $$a = b$$'],
    ['\\(\\text{if } i\\)', '\\text{if } i', '$\\text{if } i$'],
  ])('is drawn and kept: %j', (value, tex, markdown) => {
    expect(page(value)).toContain('<math')
    expect(page(value)).toContain(source(tex))
    expect(page(value, referenceEngine)).toBe(page(value))
    expect(twin(value)).toBe(markdown)
  })

  it.each([
    ['\\[\n\\int f\n=\n\\int g\n\\]', '$$\n\\int f =\n\\int g\n$$'],
    ['\\[\nf^2\n+ g^2\n- h\n---\n# x\n> 1. y\n\\]', '$$\nf^2 + g^2 - h --- # x >1. y\n$$'],
    ['\\[\n- f^2\n1) g\n\\]', '$$ - f^2 1) g\n$$'],
    ['so\n$$\nf^2\n=\n0\n$$', 'so\n$$\nf^2 =\n0\n$$'],
    ['- so\n  \\[\n  f^2\n  =\n  5\\% - g\n  - h\n  \\]', '- so\n  $$\n  f^2 =\n  5\\% - g - h\n  $$'],
    // A comment continues to the end of its line.
    ['\\[\nf^2 % so\n=\n0\n\\]', undefined],
  ])('joins lines that Markdown would take for blocks: %j', (body, expected) => {
    expect(twin(body)).toBe(expected)
  })

  it('keeps its lines within a quote and a list', () => {
    expect(twin('> - so\n>   \\[\n>   a \\\\\n>   b^2\n>   \\]')).toBe('> - so\n>   $$\n>   a \\\\\n>   b^2\n>   $$')
  })

  it.each([
    ['\\[\nf^2\n> g^2\n\\]', 'f^2\n>g^2'],
    ['> \\[\n> f^2\n> > g^2\n> \\]', 'f^2\n>g^2'],
    ['1. > \\[\n   > f^2\n   > + g\n   > \\]', 'f^2\n+ g'],
  ])('keeps a character at the start of a line that does not mark a quote: %j', (body, tex) => {
    expect(findFormulas(body).map((formula) => formula.tex)).toEqual([tex])
    expect(page(body)).toContain(source(tex))
  })

  it.each(['A,P', 'x, y', '(a, b)', '\\{a1, a2, ..., n\\}'])('may be a tuple or a set: %j', (tex) => {
    expect(findFormulas(`\\(${tex}\\)`).map((formula) => formula.tex)).toEqual([tex])
  })

  it('that is only a number counts only next to another formula', () => {
    expect(findFormulas('$x^2$ and $5$').map(({ tex }) => tex)).toEqual(['x^2', '5'])
    expect(findFormulas('$x^2$\n\\[\n1\\%,5\\%\n\\]').map(({ tex }) => tex)).toEqual(['x^2', '1\\%,5\\%'])
    expect(findFormulas('it is $5$')).toEqual([])
  })

  it.each([
    ['an unknown command', '\\(\\nosuch{x}\\)'],
    ['a command that defines another', '\\(\\def\\a{\\a\\a}\\a^2\\)'],
    ['a link', '\\(\\href{https://example.org}{x^2}\\)'],
    ['struck-out text', '\\(\\cancel{x}\\)'],
    ['a brace too few', '\\({x^2\\)'],
    ['far too much text', `\\(${'x^2+'.repeat(900)}1\\)`],
    ['extreme nesting', `\\(${'\\sqrt{'.repeat(300)}x${'}'.repeat(300)}\\)`],
  ])('stays source if it contains %s', (_what, value) => {
    expect(page(value)).not.toContain('<math')
    expect(page(value)).toContain(`<span class="tex">${value}</span>`)
  })

  it('adds no element, address or style', () => {
    const drawn = page('\\(\\color{red}{x} \\text{a\\&b}^2 \\hspace{900em} \\boxed{y}\\)')
    expect(drawn).toContain('<math')
    expect(drawn).not.toMatch(/ style=|<a href="(?!#turn")|="900em|#f00|red;/)
    expect(drawn).toContain('a&#x26;b')
  })

  it('is found by its TeX', () => {
    expect(searchText('so \\( \\alpha_1 \\) is', native)).toBe('so \\alpha_1 is')
  })
})

describe('no formula is found', () => {
  it.each([
    ...['costs $5 and $10', '$5-$10', '$5/$10', 'between 5$ and 10$', '$1,000$', '$5k$', '($5$)', 'from $5 to 6$ each'],
    ...[
      'US$5 = $6',
      'price: $5, i.e. 5$',
      '$3.50-$4.00, or $5+',
      '$5M$',
      '**$5**-**$6**',
      'was $9, now $7 (-$2)',
      '$5+$6',
    ],
    ...[
      '$HOME/$USER',
      '$x=$y',
      '$env:PATH and $env:HOME',
      'echo $a$b',
      '$1 $2 $3',
      '$name$',
      '$key=value$',
      '$ npm i\n$ npm t',
    ],
    ...['kill $$; echo $$', '$$ SELECT 1; $$', 'AS $$ BEGIN RETURN 1; END $$', '{print $1, $2}', '$("#a") and $("#b")'],
    ...[
      '\\(bar\\)',
      '\\(see below\\)',
      '\\[link\\]',
      '- \\[x\\] done',
      '\\[1\\]',
      '\\[\n1\n\\]',
      '\\[\nsee below\n\\]',
      'so \\[\nx-y\n\\]',
      '\\[a-z\\]',
      '\\[^1\\] note',
      '\\$x^2\\$',
    ],
    ...['a \\( b^2', '\\( a\n\nb^2 \\)', '\\( `a` ^ \\)', 'a\\\\(x^2\\\\)'],
  ])('in %j', (value) => {
    expect(findFormulas(value)).toEqual([])
  })

  it.each(['`\\(x^2\\)`', '```\n$x^2$\n```', '    \\[x^2\\]', '~~~\n\\(x^2\\)\n~~~', '<!-- $x^2$ -->'])(
    'in what Markdown takes for code or HTML: %j',
    (value) => {
      expect(page(value)).not.toContain('<math')
      expect(page(value)).toContain('x^2')
    },
  )

  it.each(['grep \\(bar\\) out', '\\(see *below*\\)', '$n$ and \\(bar\\) $m$'])(
    'and backslashes are kept: %j',
    (value) => {
      for (const engine of [native, referenceEngine]) {
        expect(page(value, engine)).toMatch(/\\\((?:bar|see <em>below<\/em>)\\\)/)
        expect(searchText(value, engine)).toMatch(/\\\((?:bar|see below)\\\)/)
      }
      for (const { name, render } of renderers) expect(render(twin(value) ?? ''), name).toMatch(/\\\(.*\\\)/)
      expect(twin('`\\(bar\\)` [x](a\\(b\\)c)')).toBe('`\\(bar\\)` [x](a\\(b\\)c)')
    },
  )

  it('in the target of a link', () => {
    expect(page('[a](https://example.org/$x^2$)')).toContain('href="https://example.org/$x%5E2$"')
  })
})

/** Pieces of formulas, Markdown and their pitfalls. */
const piece = fc.constantFrom(
  ...['\\(', '\\)', '\\[', '\\]', '$', '$$', '`', '```\n', '\n', '\n\n', '> ', '- ', ' ', '*', '_', '~', '|', '<b>'],
  ...[
    '\\(x^2\\)',
    '$n$',
    '\n\\[ y \\]\n',
    'x^2',
    'x',
    '\\alpha',
    '{',
    '}',
    '[a](',
    ')',
    '\uFDD0',
    '\uFDD1',
    '\\',
    'word',
    '5',
    '&amp;',
    '    ',
    '| - |\n',
  ],
)

describe('any text', () => {
  it('shows no mask and has no empty formula, with either engine', () => {
    let count = 0
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const value = pieces.join('')
        for (const engine of [native, referenceEngine]) {
          const html = page(value, engine)
          if (!/[\uFDD0\uFDD1]/.test(value)) expect(html).not.toMatch(/[\uFDD0-\uFDD2]/)
          const formulas = findFormulas(value)
          for (const { tex } of formulas) expect(tex.trim()).not.toBe('')
          const drawn = html.match(/<math\b/g) ?? []
          expect(drawn.length).toBeLessThanOrEqual(formulas.length)
          count += drawn.length
        }
        expect(aliveIn(twin(value) ?? '')).toEqual([])
      }),
      { numRuns: 300 },
    )
    expect(count).toBeGreaterThan(10)
  })

  it('with thousands of unclosed openings has no formula, except for one that follows', () => {
    const short = '\\( $a '.repeat(2000)
    expect(findFormulas(short)).toEqual([])
    expect(findFormulas(`${short}\\)`)).toHaveLength(0)
    expect(findFormulas(`${short}\n\n\\(x^2\\)`).map(({ tex }) => tex.trim())).toEqual(['x^2'])
  })
})

describe('single tildes', () => {
  it.each(['19~23 and 5~6', '~/x and ~/y', 'a ~b~ c', '~x ~~y~~ z~', '_~a~_'])('strike nothing out: %j', (value) => {
    for (const engine of [native, referenceEngine]) {
      expect(page(value, engine).replace(/<del>y<\/del>/, '')).not.toContain('<del>')
    }
    for (const { render } of renderers) {
      expect(render(twin(value) ?? '').replace(/<(?:del|s)>y<\/(?:del|s)>/, '')).not.toMatch(/<(?:del|s)>/)
    }
  })

  it('in pairs strike out', () => {
    expect(page('~~gone~~')).toContain('<del>gone</del>')
    expect(twin('~~gone~~')).toBe('~~gone~~')
  })
})
