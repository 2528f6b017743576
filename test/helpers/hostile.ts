/** Markdown that tries to break out of the body that contains it. */
import fc from 'fast-check'

const pieces = [
  ...['# top', '## two', '### three', '###### six', '#', 'Title\n===', 'Title\n---', '===', '---', '***', '+++'],
  ...['```', '```js', '````', '~~~', '~~~~ sh', '`', '``', '    indented', '\ttabbed', '\t# tabbed heading'],
  ...['<b>', '</b>', '<div>', '</div>', '<script>alert(1)</script>', '<!-- open', '-->', '<!-- x -->', '<?php', '?>'],
  ...[
    '<![CDATA[',
    ']]>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:x">',
    '<details>',
    '<',
    '>',
    '&lt;b&gt;',
  ],
  ...[
    '- ',
    '* ',
    '+ ',
    '1. ',
    '2) ',
    '> ',
    '> > ',
    '- > ',
    '- [ ] ',
    '- [x] ',
    '  ',
    '    ',
    '\t',
    '\n',
    '\n\n',
    '\r\n',
  ],
  ...[
    '| a | b |\n|---|:-:|\n| 1 | <i> |',
    '| a |\n|---',
    '|',
    '|---|',
    '\\',
    '\\\n',
    '  \n',
    '&',
    '&#x3c;b>',
    '\u0000',
  ],
  ...[
    '[^1]',
    '[^1]: note',
    '[^1]: note\n\n    # deep\n',
    '[d]',
    '[d][]',
    '[text][d]',
    '[d]: https://example.org',
    '[d]:',
  ],
  ...['[d]: javascript:alert(1)', '[x](javascript:alert(1))', '[x](<data:text/html,x>)', '[x](java&#x0a;script:x)'],
  ...[
    '![i](https://example.org/a.png)',
    '![](x.png)',
    '![d]',
    '![d][]',
    '![t][d]',
    '[![i](a.png)](https://example.org)',
  ],
  ...['https://example.org', 'www.example.org', 'me@example.org', '<https://example.org>', '<javascript:alert(1)>'],
  ...[
    '*em*',
    '**strong**',
    '_',
    '~~gone~~',
    'text',
    'é',
    '😀',
    '\u00A0',
    '\u200B',
    '\u001B[31m',
    '\uFEFF',
    '$x$',
    ':::',
  ],
  ...['[x', '](', ')', '"', "'", '(', '!', '[', ']', ':', '[toc]', '{#id}', 'end'],
]

/** A body of hostile Markdown. */
export const hostileMarkdown: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...pieces) }, { weight: 1, arbitrary: fc.string() }), {
    minLength: 1,
    maxLength: 14,
  })
  .map((parts) => parts.join(''))

const tags = [
  ...[
    '<img src=/x onerror=alert(1)>',
    '<svg onload=alert(1)//>',
    '<a href=//e.example/a onclick=alert(1)>',
    '<b>',
    '</b>',
  ],
  ...['<!-- x -->', '<?x', '<script>', '</script>', '<T>', '<https://e.example/a>', '<a@b.example>', '<javascript:x>'],
  ...['[x](javascript:y)', '[x](java&#115;cript:y)', '[x](%6aavascript:y)', '[x]: data:y', '![x](y)'],
]
const codeSigns = [
  ...['`', '`', '``', '```', '~~~', '````', '```html', '~~~ x', '`a`', '`<b>`', '`<i/x=y>`', '`` <b> ``', '`a|b`'],
  ...['`*`', '`~`', '\\`', '    ', '\t', '  ', '   '],
]
const containers = [
  ...['\n', '\n', '\n', '\n\n', '\n\n', '\n  ', '\n    ', '\n- ', '\n1. ', '\n10. ', '\n> ', '\n>', '\n  - ', '\n- > '],
  ...['\n> - ', '\n# ', '\n---\n', '\n===\n', '\n| a | b |\n|---|---|\n| ', ' | ', '|', '\n\t', '\n-\t', '\n   1. '],
  ...[
    '\n[d]: ',
    '\n[^n]: ',
    '\n[d]: x "',
    '\n[d',
    ']: x',
    '\n-\n',
    '\n:::\n',
    '\n$$\n',
    '\u00a0',
    '\u2028',
    '\f',
    '\r',
  ],
  ...['\n\u00a0', '\n\u2003- ', '\n* * *\n', '\n+ ', '\n2) '],
]
const inlineSigns = [
  ...[
    '*',
    '**',
    '_',
    '~~',
    '~',
    '[',
    ']',
    '(',
    ')',
    '](',
    '][',
    '"',
    "'",
    'a',
    'b ',
    ' ',
    ' ',
    '<',
    '>',
    '!',
    '&',
    '\\',
  ],
  ...['\\\\', '&lt;', 'https://e.example/x', 'www.e.example', 'a@b.example', '[x](y)', '[x](<y z>)', '[x](y "t")', '$'],
  ...[':', '|', '{', '}', '{#id}', 'foo', '[^n]', '[d]', '😀', 'é'],
]

/** A body with tags and links in and around code: in fences, lists, quotes and tables that parsers end differently. */
export const hostileCode: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...tags) },
      { weight: 4, arbitrary: fc.constantFrom(...codeSigns) },
      { weight: 4, arbitrary: fc.constantFrom(...containers) },
      { weight: 3, arbitrary: fc.constantFrom(...inlineSigns) },
    ),
    { minLength: 2, maxLength: 18 },
  )
  .map((parts) => parts.join(''))
