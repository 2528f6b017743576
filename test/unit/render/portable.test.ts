import { beforeAll, describe, expect, it } from 'vitest'
import { loadEngine } from '../../../src/render/transcript/engines-fs.ts'
import { type Engine, referenceEngine } from '../../../src/render/transcript/prose/engine.ts'
import { portableBody } from '../../../src/render/transcript/prose/portable.ts'
import { aliveIn } from '../../helpers/markdown-renderers.ts'

let native: Engine

beforeAll(async () => {
  native = await loadEngine()
})

type Case = [name: string, body: string, portable: string | undefined]

/** Both engines must give the same text. */
function expectPortable(body: string, expected: string | undefined, more: { typed?: boolean; quoted?: boolean } = {}) {
  for (const engine of [native, referenceEngine]) {
    expect(portableBody(body, { id: 'l7', engine, ...more })).toBe(expected)
  }
}

describe('a body', () => {
  it.each([
    ['of plain words', 'Just words,\nin two lines.'],
    ['with emphasis, lists and code', '*a* **b** `c <d>`\n\n- e\n  - f\n\n1. g\n\n```html\n<div>\n# no heading\n```'],
    ['with a table', '| a | b |\n|---|---|\n| 1 | 2 |'],
    ['with links that may stay', '[a](https://example.org) [b](../c.md#d) www.example.org'],
    ['with entities, escapes and comparisons', '&lt;b&gt; \\* 1 < 2 > 0 \\# x <3 <= y'],
    ['that is indented code', '    # not a heading'],
    ['with a dash at the end of a line', 'one -\ntwo'],
  ])('%s is unchanged', (_name, body) => {
    expectPortable(body, body)
  })

  it.each<Case>([
    ['loses blank lines around it', '\n  \n  a\n\n', '  a'],
    ['has newlines for line endings', 'a\r\nb\rc', 'a\nb\nc'],
    ['is no fence behind a byte order mark only', '\n\uFEFF```\na', '```\na\n```'],
    ['has newlines for separators of lines', 'a\u2028b\u2029c', 'a\nb\nc'],
    ['has no escape sequences', '\u001B[31m**a**\u001B[0m', '**a**'],
  ])('%s', (_name, body, portable) => expectPortable(body, portable))
})

describe('headings', () => {
  it.each<Case>([
    ['go below the level of the item', '# a\n\n## b ##\n\n### c', '#### a\n\n##### b ##\n\n###### c'],
    ['stop at level 6', '#### a\n\n###### b', '###### a\n\n###### b'],
    ['may be empty', '#\n\n##', '####\n\n#####'],
    ['with underlines get marks', 'a\n===\n\nb\n---', '#### a\n\n##### b'],
    ['with underlines may have several lines', 'a\nb *c\nd*\n---\ne', '##### a b *c d*\ne'],
    ['with underlines may end in a mark', 'C #\n===', '#### C # ####'],
    ['in quotes and lists go down too', '> # a\n>\n> b\n> c\n> ---\n\n- # d', '> #### a\n>\n> ##### b c\n\n- #### d'],
  ])('%s', (_name, body, portable) => expectPortable(body, portable))
})

describe('a long body full of possible tags', () => {
  it.each(['</', '<a ', '<!--', '<script', '<image>', '<b>', '<?'])('of %j causes little work', (tag) => {
    // The native engine copies the text of a paragraph before each character reference.
    let copied = 0
    const counting: Engine = (value) => {
      for (const paragraph of value.split('\n\n')) copied += paragraph.split('&').length * paragraph.length
      return { type: 'root', children: [] }
    }
    expect(portableBody(tag.repeat(60_000 / tag.length), { id: 'l7', engine: counting })).toBeUndefined()
    expect(copied).toBeLessThan(20_000_000)
  })

  it('keeps its paragraphs if they have a usual length', () => {
    const paragraph = `${'some words of a paragraph, then <b> and '.repeat(8).trim()}`
    const expected = paragraph.replaceAll('<', '&lt;')
    expectPortable(`${paragraph}\n\n`.repeat(100), `${expected}\n\n`.repeat(100).trim())
  })
})

describe('HTML', () => {
  it.each<Case>([
    ['in a line', 'a <b>c</b> <!-- d --> e', 'a &lt;b>c&lt;/b> &lt;!-- d --> e'],
    [
      'as a block',
      '<details>\n<summary>a</summary>\n\nb\n\n</details>',
      '&lt;details>\n&lt;summary>a&lt;/summary>\n\nb\n\n&lt;/details>',
    ],
    ['that never ends', 'a\n\n<!-- b\n\nc', 'a\n\n&lt;!-- b\n\nc'],
    ['that would turn into a heading is fenced', '<div>\n# a\n</div>', '```html\n<div>\n# a\n</div>\n```'],
    ['that would underline what follows is fenced', '<!-- a -->\n---', '```html\n<!-- a -->\n```\n---'],
    [
      'that would leave a fence open is fenced by more',
      '<pre>\n```\n</pre>\n\n# a',
      '````html\n<pre>\n```\n</pre>\n````\n\n#### a',
    ],
    ['in a list is fenced in its place', '- <div>\n  # a\n- b', '- ```html\n  <div>\n  # a\n  ```\n- b'],
    [
      'that hides a link is escaped whole',
      'a <i title="[x](javascript:y)"> b',
      'a &lt;i title="[x]\\(javascript:y)"> b',
    ],
  ])('%s', (_name, body, portable) => expectPortable(body, portable))
})

describe('possible tags about which parsers disagree', () => {
  it.each<Case>([
    ['an unquoted value with a slash', '<img src=/x onerror=alert(2)>', '&lt;img src=/x onerror=alert(2)>'],
    ['a slash at the end', '<svg onload=alert(6)//>', '&lt;svg onload=alert(6)//>'],
    ['behind a backslash', 'a \\<b> \\\\<i>', 'a &lt;b> \\\\&lt;i>'],
    ['behind a bare address', 'https://e.example/x<b>', 'https\\://e.example/x&lt;b>'],
    ['that is never closed', 'a <img src=x', 'a &lt;img src=x'],
    [
      'as an address',
      'see <https://e.example/a?b=1&c=2> <a@b.example>',
      'see [https://e.example/a?b=1&c=2](https://e.example/a?b=1&c=2) [a@b.example](mailto:a@b.example)',
    ],
    ['as a destination', '[a](<my file.md>)', '[a](my%20file.md)'],
    ['in a label', '[a][<b>]\n\n[<b>]: c', '[a][l7-&lt;b>]\n\n[l7-&lt;b>]: c'],
  ])('are text: %s', (_name, body, portable) => expectPortable(body, portable))

  it.each([
    ['code in a line', 'Use `<b>` and ``<i>``, or `Vec<u8>`.'],
    ['comparisons and types', 'a < b, x <3, List< String >, 1<2'],
    ['a fence', '```html\n<b>\n```'],
    ['a fence in a list', '1. a\n   ```html\n   <b>\n   ```'],
    ['a fence in a quote', '> ```\n> <b>\n> ```'],
  ])('are unchanged in %s', (_name, body) => expectPortable(body, body))

  it.each([
    ['a backtick without its partner', 'a ` b\n`<b>`'],
    ['code over two lines', '`a\n<b>`'],
    ['a cell of a table that ends in code', '| a | b |\n|---|---|\n| `c|<b>` |'],
    ['a bare address before', 'https://e.example/`<b>`'],
    ['the title of a link before', '[a](b "`")<b>`'],
    ['strikethrough that ends in code', '~~a `~~ <b>`'],
    ['a label over lines', '[a\n\n```\nb]: c\n<b>\n```'],
  ])('are never markup if not all renderers see code: %s', (_name, body) => {
    for (const engine of [native, referenceEngine]) {
      expect(aliveIn(portableBody(body, { id: 'l7', engine }) ?? '')).toEqual([])
    }
  })
})

describe('syntax with a meaning only for some hosts', () => {
  it.each<Case>([
    [
      'an address with marks in it',
      '<https://e.example/a_b(c)*d>',
      '[https://e.example/a\\_b\\(c\\)\\*d](https://e.example/a_b%28c%29*d)',
    ],
    ['an address behind an exclamation mark', '!<https://e.example/a>', '!&lt;https://e.example/a>'],
    ['attributes', '# a {#b onclick=c}\n\nd\n{: style=e}', '#### a \\{#b onclick=c}\n\nd\n\\{: style=e}'],
    ['a comment in a formula', '\\(x^2 % a\n = y_1\n+ z_1\\)', '$x^2 % a\n= y_1 + z_1$'],
    ['a command in a formula', 'a $\\href{javascript:b}{c}$', 'a \\$\\href{javascript:b}{c}\\$'],
    [
      'a drawing that leads somewhere',
      '```mermaid\nclick A "https://e.example"\n```',
      '```text mermaid\nclick A "https://e.example"\n```',
    ],
    ['a formula with a tag', '```math\n<b>\n```', '```text math\n<b>\n```'],
  ])('is shown literally: %s', (_name, body, portable) => expectPortable(body, portable))

  it.each([
    ['prices and plain formulas', 'It costs $5, and $a^2 + b_1$.'],
    ['braces of code', 'as {a: 1} and {b}'],
    ['a plain drawing', '```mermaid\ngraph TD\n  A --> B\n```'],
  ])('is unchanged: %s', (_name, body) => expectPortable(body, body))
})

describe('fences', () => {
  it.each<Case>([
    ['left open are closed', '```js\nlet a', '```js\nlet a\n```'],
    ['of tildes are closed by tildes', '~~~~\na\n~~~', '~~~~\na\n~~~\n~~~~'],
    ['without content are closed', 'a\n\n```', 'a\n\n```\n```'],
    ['are closed inside a list', '- ```\n  a', '- ```\n  a\n  ```'],
    ['are closed inside a quote', '> ```\n> a\n\nb', '> ```\n> a\n> ```\n\nb'],
    ['that only look closed are closed by a longer one', '```\na\n     ```', '````\na\n     ```\n````'],
    ['with words that make a table are cleared of them', '~~~ a|<b>\nc\n~~~', '~~~ a  b>\nc\n~~~'],
    ['with marks of two kinds in a line get a longer one', '```\na\n```~~~\nb\n```', '````\na\n```~~~\nb\n````'],
    ['of indentation get marks where tags stand in them', 'a\n\n    <b>\n    c', 'a\n\n```\n<b>\nc\n```'],
    ['that are closed stay', '```\na\n  ``` ', '```\na\n  ```'],
  ])('%s', (_name, body, portable) => expectPortable(body, portable))
})

describe('labels', () => {
  it.each<Case>([
    ['of footnotes get the id', 'a[^1]\n\n[^1]: b', 'a[^l7-1]\n\n[^l7-1]: b'],
    ['of definitions get the id', '[a][b]\n\n  [b]: https://c.example', '[a][l7-b]\n\n  [l7-b]: https://c.example'],
    ['of collapsed references', '[a][]\n\n[a]: b', '[a][l7-a]\n\n[l7-a]: b'],
    ['of shortcuts', '[a *b*]\n\n[a *b*]: c', '[a *b*][l7-a *b*]\n\n[l7-a *b*]: c'],
    ['without a definition stay', '[a] [b][c] [^d]', '[a] [b][c] [^d]'],
  ])('%s', (_name, body, portable) => expectPortable(body, portable))
})

describe('destinations', () => {
  it.each<Case>([
    [
      'of pictures become links',
      '![a](https://b.example/c.png) ![](d.png)',
      '[a](https://b.example/c.png) [image](d.png)',
    ],
    ['of pictures by reference', '![a][b]\n\n[b]: c.png', '[a][l7-b]\n\n[l7-b]: c.png'],
    ['of pictures by shortcut', '![a]\n\n[a]: c.png', '[a][l7-a]\n\n[l7-a]: c.png'],
    ['that run something become text', '[a](javascript:b)', '[a]\\(javascript:b)'],
    ['in disguise become text', '[a](&#106;ava&#x0A;script:b)', '[a]\\(&#106;ava&#x0A;script:b)'],
    ['in angle brackets become text', '<javascript:a>', '&lt;javascript:a>'],
    ['of definitions become text', '[a]\n\n[a]: data:text/html,b', '[a]\n\n[a]\\: data:text/html,b'],
    ['of pictures by unsafe reference', '![a][b]\n\n[b]: javascript:c', '\\![a][b]\n\n[b]\\: javascript:c'],
    ['of files become text', '[a](file:///b)', '[a]\\(file:///b)'],
    ['on a drive become code', 'In [`a` *b*](C:/x_y/a_b.ts:7).', 'In `a` *b* (`C:/x_y/a_b.ts:7`).'],
    ['on a drive keep what parts folders', '[a.ts](c:\\x\\_y\\a.ts)', 'a.ts (`c:\\x\\_y\\a.ts`)'],
    ['on a drive with blanks', '- [a.ts](<C:/x y/a(1).ts>)', '- a.ts (`C:/x y/a(1).ts`)'],
    ['on a drive begin no block', '[1. a](C:/x)\n[# b](C:/y)', '[1. a]\\(C:/x)\n[# b]\\(C:/y)'],
    ['on a drive keep their titles', '[a](C:/x "b")', '[a]\\(C:/x "b")'],
    ['of one letter run nothing', '[a](c:alert(1))', '[a]\\(c:alert(1))'],
  ])('%s', (_name, body, portable) => expectPortable(body, portable))

  it('of unsafe pictures load nothing and link nowhere', () => {
    const body = '![a](javascript:b)'
    for (const engine of [native, referenceEngine]) {
      const result = portableBody(body, { id: 'l7', engine }) ?? 'fenced'
      expect(JSON.stringify(referenceEngine(result))).not.toMatch(/"type":"(?:image|link)"/)
    }
  })
})

describe('a typed text', () => {
  it.each<Case>([
    ['keeps its lines and paragraphs', 'a\nb\n\nc', 'a  \nb\n\nc'],
    [
      'keeps marks at the start of lines',
      '# a\n- b\n1. c\n2) d\n+ e\n> f',
      '\\# a  \n\\- b  \n1\\. c  \n2\\) d  \n\\+ e  \n\\> f',
    ],
    ['keeps rules and underlines', 'a\n---\nb\n===\n* * *', 'a  \n\\---  \nb  \n\\===  \n\\* * *'],
    [
      'keeps marks in names',
      'snake_case __init__ src/**/*.ts 2 * 3 ~/x',
      'snake_case \\_\\_init\\_\\_ src/\\*\\*/\\*.ts 2 * 3 ~/x',
    ],
    ['keeps a mark that nothing closes', '*.ts _private ~/x', '*.ts _private ~/x'],
    ['keeps pairs of tildes', '~~no~~ ~/x ~/y', '\\~\\~no\\~\\~ \\~/x \\~/y'],
    ['keeps tags and entities', '<b> a &amp; b < c & d', '&lt;b> a &amp;amp; b < c & d'],
    ['keeps brackets of links', '[a](b) ![c](d) [e]: f [g][h] [i]', '[a\\](b) \\![c\\](d) [e\\]: f [g\\][h] [i]'],
    ['names what was picked, with its place as code', '[a.ts](b/a.ts) *c*', 'a.ts (`b/a.ts`) \\*c\\*'],
    [
      'names what was picked on a drive of Windows',
      '- [1_a_.lua (line 4)](w:/shop(1\\)/1_a_.lua):[$mend](C:\\s\\SKILL.md)',
      '\\- 1_a_.lua (line 4) (`w:/shop(1)/1_a_.lua`):$mend (`C:\\s\\SKILL.md`)',
    ],
    [
      'keeps a place that cannot be code',
      '[a.ts](b/`x`/a.ts) [a.ts]( b/a.ts)',
      '[a.ts\\](b/`x`/a.ts) [a.ts\\]( b/a.ts)',
    ],
    ['keeps tables', '| a |\n|---|\n| b |', '| a |  \n\\|---|  \n| b |'],
    ['keeps backslashes', 'C:\\Users\\x \\* a\\', 'C:\\Users\\x \\\\* a\\\\'],
    ['keeps small indents', 'a\n  - b', 'a  \n&nbsp;&nbsp;- b'],
    ['fences lines that are indented like code', 'a\n\n    b *c*\n\n\td\n\ne', 'a\n\n```\n    b *c*\n\n\td\n```\n\ne'],
    ['has code in a line', 'a `*b*` c', 'a `*b*` c'],
    ['has no code over lines', 'a ` b\n`*c*` d', 'a \\` b  \n`*c*` d'],
    ['has fences of backticks', 'a\n```ts\n# b\n```\nc', 'a\n\n```ts\n# b\n```\n\nc'],
    ['has no fences of tildes', '~~~\na\n~~~', '\\~\\~\\~  \na  \n\\~\\~\\~'],
    ['has addresses', 'see https://x.org/a_b.', 'see https://x.org/a_b.'],
    ['has addresses with marks', 'https://x.org/[a]/*b', '[https\\://x.org/\\[a\\]/\\*b](https://x.org/%5Ba%5D/%2Ab)'],
    ['has formulas between clear delimiters', '\\(x^2\\) and $y^2$', '$x^2$ and $y^2$'],
    [
      'shows the same words beside a formula',
      'a \\https://x.example/_z_ \\(x^2\\)',
      'a \\\\[https\\://x.example/\\_z](https://x.example/_z)\\_ $x^2$',
    ],
    ['shows a mark that one in a formula might close', '\\(a *b_1\\) c* d', '$a *b_1$ c\\* d'],
    ['has formulas in one line', '\\[x^2\n  = y_1\\]', '$$x^2 = y_1$$'],
    [
      'ends comments of TeX with their line',
      '\\[x^2 % the left\n  = y\\%\n+ z_1\\]',
      '$$x^2 % the left  \n= y\\% + z_1$$',
    ],
  ])('%s', (_name, body, portable) => expectPortable(body, portable, { typed: true }))
})

describe('bodies that must be fenced', () => {
  it.each<Case>([
    ['too large', 'a '.repeat(40_000), undefined],
    ['nested absurdly', `${'>'.repeat(500)} a`, undefined],
  ])('%s', (_name, body) => expectPortable(body, undefined))

  it('a tab that a quote would turn into a heading', () => {
    expectPortable('\t# a', '\t# a')
    expectPortable('\t# a', undefined, { quoted: true })
  })

  it('but not a tab that means the same in a quote', () => {
    const body = 'a\tb\n\n```go\n\treturn\n```\n\n- c\n\n  d\te'
    expectPortable(body, body, { quoted: true })
  })
})
