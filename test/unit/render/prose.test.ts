import fc from 'fast-check'
import { toHtml } from 'hast-util-to-html'
import type { Blockquote, Paragraph, Root } from 'mdast'
import { describe, expect, it } from 'vitest'
import { loadHighlight } from '../../../src/render/transcript/engines-fs.ts'
import { plainParagraphs } from '../../../src/render/transcript/hast/prose.ts'
import { body, context, items } from '../../helpers/render.ts'
import { tagsNamed, tagsOfClass } from '../../helpers/tags.ts'
import { assistant, injected, markdown, notice, text, turn, user } from '../../helpers/tree.ts'

const answer = (value: string) => items([assistant(value, { id: 'l9', phase: 'final_answer' })])
const prompt = (value: string) => items([user(value, { id: 'l9' })])

/** A tree as if from an engine: a text in this many quotes. */
function quotesIn(count: number): Root {
  let child: Paragraph | Blockquote = { type: 'paragraph', children: [{ type: 'text', value: 'a' }] }
  for (let level = 0; level < count; level++) child = { type: 'blockquote', children: [child] }
  return { type: 'root', children: [child] }
}

describe('prose', () => {
  it.each([
    ['emphasis', 'a *b* **c** ~~d~~', '<p>a <em>b</em> <strong>c</strong> <del>d</del></p>'],
    ['inline code', 'run `a < b`', '<p>run <code>a &#x3C; b</code></p>'],
    [
      'code with its language',
      '```ts\nlet x\n```',
      '<pre tabindex="0" data-copy="code" data-wrap><code class="language-ts">let x\n</code></pre>',
    ],
    ['quotes', '> a', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['ordered lists with their start', '3. a\n4. b', '<ol start="3">'],
    ['a rule', 'a\n\n---\n\nb', '<hr>'],
    ['a table that scrolls by itself', '| a |\n| -: |\n| 1 |', '<div class="wide" tabindex="0"><table>'],
    ['the alignment of cells by class', '| a |\n| -: |\n| 1 |', '<td class="right">1</td>'],
    ['done tasks', '- [x] a', '<span class="task done" role="img" aria-label="done">✓</span> a'],
    ['open tasks', '- [ ] a', '<span class="task" role="img" aria-label="to do">○</span> a'],
    ['raw HTML as text', 'a <b>c</b>', '<p>a &#x3C;b>c&#x3C;/b></p>'],
    ['a block of raw HTML with its line ends', '<x>\n  y\n</x>', '<p class="raw">&#x3C;x>\n  y\n&#x3C;/x></p>'],
    [
      'a web link as foreign',
      '[a](https://example.org)',
      '<a href="https://example.org" rel="nofollow noreferrer noopener">a</a>',
    ],
    ['a bare address', 'see https://example.org', '<a href="https://example.org" rel="nofollow noreferrer noopener">'],
    ['a mail address', '<me@example.org>', '<a href="mailto:me@example.org" rel="nofollow noreferrer noopener">'],
    ['a path without a link', '[a.ts](/src/a.ts:3)', '<span class="nolink" title="/src/a.ts:3">a.ts</span>'],
    [
      'a picture of the web as a link',
      '![cat](https://example.org/c.png)',
      '<a href="https://example.org/c.png" rel="nofollow noreferrer noopener">Image: cat</a>',
    ],
    ['a local picture as a note', '![cat](./c.png)', '<span class="nolink" title="./c.png">Image: cat</span>'],
    [
      'a picture in a link as a note',
      '[![cat](https://e.org/c.png)](https://e.org)',
      '<a href="https://e.org" rel="nofollow noreferrer noopener"><span class="nolink" title="https://e.org/c.png">Image: cat</span></a>',
    ],
    ['an inline picture by type and size', '![](data:image/png;base64,AAAA)', 'Image (image/png, 26 bytes, left out)'],
    ['control characters in code', 'a `b\u202Ec`', '<code>b<span class="ctl">U+202E</span>c</code>'],
  ])('shows %s', (_name, value, expected) => {
    expect(answer(value)).toContain(expected)
  })

  it('keeps the line ends of a prompt and joins those of an answer', () => {
    expect(prompt('a\nb c\nd')).toContain('<p>a\nb c\nd</p>')
    expect(prompt('a\nb c\nd')).toContain('class="prose"')
    expect(answer('a\nb **c**\nd')).toContain('<p>a\nb <strong>c</strong>\nd</p>')
  })

  it('keeps the line ends of code in a prompt', () => {
    expect(prompt('```\na\nb\n```')).toContain('<code>a\nb</code>')
  })

  it('shows a log and a huge body literally', () => {
    const log = Array.from({ length: 500 }, (_, line) => `_x_ [${line}] *z*`).join('\n')
    expect(prompt(log)).toContain('<pre tabindex="0" data-copy="text" data-wrap>_x_ [0] *z*\n_x_ [1]')
    expect(answer(`# a\n\n${'b '.repeat(40_000)}`)).toContain('<pre tabindex="0" data-copy="text" data-wrap># a\n\nb b')
  })

  it('reads nesting up to 64 levels', () => {
    // The levels are a root, the quotes, a paragraph and its text.
    const using = context({}, { engine: () => quotesIn(61) })
    const beyond = context({}, { engine: () => quotesIn(62) })
    expect(tagsNamed(items([assistant('*a*')], using), 'blockquote')).toHaveLength(61)
    expect(tagsNamed(items([assistant('*a*')], beyond), 'blockquote')).toEqual([])
  })

  it('shows extreme nesting literally', () => {
    const deep = `${'> '.repeat(2000)}a`
    expect(answer(deep)).toContain(
      '<pre tabindex="0" data-copy="text" data-wrap>&#x3E; &#x3E;'.replaceAll('&#x3E;', '>'),
    )
  })
})

it('a message in Chinese, Japanese or Korean has that language', () => {
  expect(answer('修好了大门。')).toContain('<div class="prose" lang="zh" data-copy="text">')
  expect(prompt('門を\n直して `gate.ts`')).toContain('<div class="prose" lang="ja" data-copy="text">')
  expect(prompt('대문을 고쳐 줘')).toContain('lang="ko"')
  expect(prompt('Mend the gate')).not.toContain('lang=')
})

describe('characters that reorder or hide', () => {
  it.each([
    ['in plain words', 'a\u202Eb', '<p>a<span class="ctl">U+202E</span>b</p>'],
    ['in marked words', '*a\u200Bb*', '<p><em>a<span class="ctl">U+200B</span>b</em></p>'],
    ['in the title of a link', '[x](https://example.com "a\u202Eb")', 'title="a[U+202E]b"'],
    ['at the end of a line', 'a \u2067', '<p>a <span class="ctl">U+2067</span></p>'],
  ])('are replaced by their names in prose: %s', (_name, value, html) => {
    expect(answer(value)).toContain(html)
    expect(prompt(value)).toMatch(/<span class="ctl">U\+\w{4}<\/span>/)
  })
})

describe('fenced code', () => {
  it('is coloured in the language of its fence', async () => {
    const using = context({}, { highlight: await loadHighlight() })
    const shown = (value: string) => items([assistant(value)], using)
    expect(shown('```ts\nlet x = 1\n```')).toContain(
      '<code class="language-ts"><span class="hk">let</span> x = <span class="hn">1</span>\n</code>',
    )
    expect(shown('> - ```json\n>   "a"\n>   ```')).toContain('<span class="hs">"a"</span>')
    expect(shown('```klingon\nlet x = 1\n```')).toContain('<code class="language-klingon">let x = 1\n</code>')
    expect(shown('    let x = 1')).toContain('<code>let x = 1\n</code>')
  })

  it('is not coloured if characters in it were made visible', async () => {
    const using = context({}, { highlight: await loadHighlight() })
    const html = items([assistant('```ts\nlet \u202Ex\n```')], using)
    expect(html).toContain('let <span class="ctl">U+202E</span>x')
  })

  it('is coloured up to 20 kB a block and 80 kB a page', () => {
    const asked: number[] = []
    const highlight = (code: string) => {
      asked.push(code.length)
      return [{ text: code }]
    }
    const fence = (length: number) => assistant(`\`\`\`ts\n${'x'.repeat(length - 1)}\n\`\`\``)
    items([20_001, 20_000, 20_000, 20_000, 19_000, 2000, 500].map(fence), context({}, { highlight }))
    expect(asked).toEqual([20_000, 20_000, 20_000, 19_000, 500])
  })
})

describe('headings in prose', () => {
  const levels = (html: string) => html.match(/<h([1-6])/g)?.map((tag) => Number(tag.slice(2)))

  it('are below the heading of the item, without gaps', () => {
    expect(levels(answer('### a\n\n##### b\n\n# c\n\n## d'))).toEqual([2, 3, 4, 5, 4, 5])
  })

  it('never exceed level 6', () => {
    expect(levels(answer('# a\n\n## b\n\n### c\n\n#### d\n\n##### e'))).toEqual([2, 3, 4, 5, 6, 6, 6])
  })

  it('are below the turn in commentary, and below the page outside of turns', () => {
    expect(levels(items([assistant('# a', { phase: 'commentary' })]))).toEqual([2, 3])
    expect(levels(body([notice('compaction', [markdown('# a')]), turn([])]))).toEqual([2, 2])
  })
})

describe('footnotes', () => {
  const twice = () =>
    items([
      assistant([markdown('a[^1] b[^1]\n\n[^1]: x', { id: 'l1.1' })], { id: 'l1' }),
      assistant([markdown('c[^1]\n\n[^1]: y', { id: 'l2.1' })], { id: 'l2' }),
    ])

  it('have their own ids in each message, and links to them', () => {
    const html = twice()
    const ids = tagsNamed(html, 'li').concat(tagsNamed(html, 'a'), tagsNamed(html, 'p'))
    const names = ids.flatMap(({ attributes }) => attributes['id'] ?? [])
    expect(new Set(names).size).toBe(names.length)
    const targets = tagsNamed(html, 'a').flatMap(({ attributes }) => attributes['href']?.slice(1) ?? [])
    const foot = targets.filter((target) => target.includes('fn'))
    expect(foot.length).toBe(6)
    expect(foot.filter((target) => !names.includes(target))).toEqual([])
  })

  it('use each id once, whatever the labels are', () => {
    const html = items([assistant('a[^x] b[^x] c[^x-2]\n\n[^x]: 1\n\n[^x-2]: 2')])
    const names = html.match(/ id="[^"]+"/g) ?? []
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('literal bodies', () => {
  it('are in a block that preserves everything', () => {
    expect(items([user([text('a  *b*\n<c>')])])).toContain(
      '<pre tabindex="0" data-copy="text" data-wrap>a  *b*\n&#x3C;c></pre>',
    )
  })

  it('indent JSON', () => {
    expect(items([user([text('{"a":[1]}', { lang: 'json' })])])).toContain('{\n  "a": [\n    1\n  ]\n}')
  })
})

describe('injected context', () => {
  it('is shown literally, not as Markdown', () => {
    const html = items([injected('environment', '<cwd>\n  # *a*\n</cwd>')])
    expect(html).toContain(
      '<div class="prose raw" tabindex="0" data-copy="text">&#x3C;cwd>\n  # *a*\n&#x3C;/cwd></div>',
    )
  })
})

describe('the context of an editor before a prompt', () => {
  it('is folded, and the request is open', () => {
    const html = prompt(
      '# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nMend the gate\n',
    )
    const [fold] = tagsNamed(html, 'details')
    expect(fold?.attributes['open']).toBeUndefined()
    expect(html).toContain('Context from the editor')
    expect(html).toContain('</details><p>Mend the gate</p>')
  })
})

describe('the fast path', () => {
  const withoutGaps = (html: string) => html.replace(/>\n</g, '><').replaceAll('<br>\n', '<br>')

  it.each(['a', 'A first line.\nA second line.', 'One (1).\n\nTwo, "three"; four?', 'Größe: 3 %', '検索。'])(
    'handles %j',
    (value) => {
      expect(plainParagraphs(value)).toBeDefined()
    },
  )

  it.each([
    'a*b',
    '# a',
    '- a',
    '1. a',
    '1) a',
    '    a',
    'a\n===',
    'a & b',
    'https://x.org',
    'www.x.org',
    'a@b.org',
    'a  \nb',
    '<b',
    'a\\b',
    '`a`',
    '| a',
    '~a~',
    '[a]',
    'a\rb',
    '\u00A0a',
    'a\u001Bb',
  ])('leaves %j to the parser', (value) => {
    expect(plainParagraphs(value)).toBeUndefined()
  })

  it('gives the same as the parser', () => {
    const piece = fc.constantFrom(
      'a',
      ' ',
      '\n',
      '\n\n',
      '.',
      '1',
      ')',
      '-',
      '=',
      ':',
      '+',
      '"',
      "'",
      '!',
      '(',
      'é',
      '検',
      '%',
      '/',
      'www',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const value = pieces.join('')
        const fast = plainParagraphs(value)
        fc.pre(fast !== undefined && value.trim() !== '')
        const item = assistant(`${value}\n\n*`)
        const slow = withoutGaps(items([item], context())).match(
          /<div class="prose"(?: lang="zh")? data-copy="text">(.*)<ul>/s,
        )?.[1]
        expect(withoutGaps(toHtml({ type: 'root', children: fast ?? [] }))).toBe(slow)
      }),
      { numRuns: 400 },
    )
  })
})

describe('links inside a page', () => {
  it('have no mark for external links', () => {
    expect(answer('[a](#l4)')).toContain('<a href="#l4">a</a>')
  })

  it('with an unknown scheme become plain text', () => {
    expect(tagsOfClass(answer('[a](x:y)'), 'nolink')).toHaveLength(1)
  })
})
