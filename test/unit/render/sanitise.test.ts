import { describe, expect, it } from 'vitest'
import { loadEngine, loadHighlight } from '../../../src/render/transcript/engines-fs.ts'
import { context, items } from '../../helpers/render.ts'
import { parseTags, type Tag } from '../../helpers/tags.ts'
import {
  agent,
  approval,
  assistant,
  command,
  errorNode,
  fileChange,
  finding,
  group,
  hunk,
  image,
  injected,
  notice,
  output,
  patch,
  plan,
  planStep,
  question,
  reasoning,
  reference,
  search,
  text,
  toolCall,
  unknown,
  user,
} from '../../helpers/tree.ts'

/** Attempts to smuggle an element, an attribute, a scheme or a style into a page. */
const vectors = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//evil.example></sCrIpT>',
  '<script\n>alert(1)</script\n>',
  '<img src=x onerror=alert(1)>',
  '<img src="x" onerror="alert(1)">',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<form action="javascript:alert(1)"><button>x</button></form>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<input autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror=alert(1)></video>',
  '<audio src=x onerror=alert(1)>',
  '<body onload=alert(1)>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<style>@import "https://evil.example/x.css"</style>',
  '<div style="background:url(https://evil.example)">x</div>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="https://example.org" onclick="alert(1)">x</a>',
  '<template><img src=x onerror=alert(1)></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<?php echo "<img src=x onerror=alert(1)>" ?>',
  '</p></div></main></body><script>alert(1)</script>',
  '</textarea></title></style></script><script>alert(1)</script>',
  '"><script>alert(1)</script>',
  "' onmouseover=alert(1) x='",
  '" onmouseover="alert(1)',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](java&#10;script:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](<javascript:alert(1)>)',
  '[x](vbscript:msgbox(1))',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[x](file:///etc/passwd)',
  '[x](//evil.example/path)',
  '[x](\\\\evil.example\\share)',
  '[x](https://example.org "title\\" onclick=\\"alert(1)")',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1))',
  '![x](https://evil.example/pixel.png)',
  '![x](data:image/svg+xml;base64,PHN2Zz48c2NyaXB0PmFsZXJ0KDEpPC9zY3JpcHQ+PC9zdmc+)',
  '![x" onerror="alert(1)](y.png)',
  '[x][a]\n\n[a]: javascript:alert(1)',
  '![x][a]\n\n[a]: https://evil.example/pixel.png',
  '```"><script>alert(1)</script>\ncode\n```',
  '```ts onclick=alert(1)\ncode\n```',
  'x[^"><script>]\n\n[^"><script>]: <script>alert(1)</script>',
  '| <script> |\n| --- |\n| <img src=x onerror=alert(1)> |',
  '# <img src=x onerror=alert(1)>',
  '- [x] <img src=x onerror=alert(1)>',
  '\u0000<script>alert(1)</script>',
  '<scr\u0000ipt>alert(1)</scr\u0000ipt>',
  '\u001B]8;;javascript:alert(1)\u001B\\x\u001B]8;;\u001B\\',
  '<%= process.env %><%~ it %>{{constructor}}',
]

const elements = new Set([
  ...['a', 'article', 'b', 'blockquote', 'br', 'code', 'del', 'details', 'div', 'em', 'figcaption', 'figure', 'h2'],
  ...['h3', 'h4', 'h5', 'h6', 'header', 'hr', 'img', 'ins', 'kbd', 'li', 'ol', 'p', 'pre', 'section', 'small', 'span'],
  ...['strong', 'summary', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'time', 'tr', 'ul'],
])

const attributes = new Set([
  ...[
    'alt',
    'aria-describedby',
    'aria-label',
    'aria-labelledby',
    'class',
    'data-collapsed',
    'data-copy',
    'data-g',
    'data-pagefind-ignore',
    'data-wrap',
    'datetime',
  ],
  ...[
    'decoding',
    'height',
    'href',
    'id',
    'loading',
    'open',
    'rel',
    'role',
    'src',
    'start',
    'tabindex',
    'title',
    'width',
  ],
])

/** What the values of attributes must look like. */
const values: Readonly<Record<string, RegExp>> = {
  href: /^(?:#|https?:\/\/|mailto:|\.\.\/|index\.html$|l\d+\.txt$)/,
  src: /^\.\.\/\.\.\/assets\/[\w.-]+$/,
  class: /^[\w -]*$/,
}

/** What a page must not contain, whatever the transcript says. */
function faults(tag: Tag): string[] {
  const entries = Object.entries(tag.attributes)
  const foreign = /^https?:/.test(tag.attributes['href'] ?? '')
  return [
    ...(elements.has(tag.name) ? [] : [`<${tag.name}>`]),
    ...entries.filter(([name]) => !attributes.has(name)).map(([name]) => `${tag.name}[${name}]`),
    ...entries
      .filter(([name, value]) => values[name]?.test(value) === false)
      .map(([name, value]) => `${name} ${value}`),
    ...(foreign && tag.attributes['rel'] !== 'nofollow noreferrer noopener' ? [`rel of ${tag.name}`] : []),
  ]
}

/** The vector in every place where a transcript has a text. */
function everywhere(value: string) {
  return [
    user(value),
    assistant(value, { phase: 'final_answer' }),
    assistant([text(value), text(value, { lang: value })]),
    injected(value, value),
    user(value, { origin: 'agent', author: value, recipient: value }),
    reasoning(value),
    command(value, [output(value)], { cwd: value, status: 'failed' }),
    patch(
      [fileChange(value, [hunk(`+${value}`, { header: value })], { operation: 'move', movedTo: value }), output(value)],
      { status: 'failed' },
    ),
    toolCall(value, value, [text(value), output(value)], { server: value }),
    search([value, value], [reference(value, { label: value })], { url: value, pattern: value }),
    plan([planStep(value)]),
    image({ asset: value, url: value, alt: value, mediaType: value }),
    image({ asset: 'abc.png', url: value, alt: value }),
    agent([assistant(value)], { name: value, role: value, threadId: value }),
    approval([question(value, { header: value, options: [value], answer: value })], { decision: value }),
    notice('model', [], { facts: { before: value, after: value } }),
    notice('review', [finding(value, value, { path: value })]),
    errorNode(value, { code: value }),
    group('exploration', value, [command(value)]),
    unknown(value, { [value]: value }),
  ]
}

/** The vector in every place where code gets colours and marks. */
function coloured(value: string) {
  const names = ['ts', 'html', 'php', 'md', 'diff', 'sh', 'json']
  return [
    ...names.map((name) => assistant(`\`\`\`${name}\n${value}\n\`\`\``)),
    ...names.map((name) => assistant([text(value, { lang: name })])),
    ...names.map((name) => patch([fileChange(`a.${name}`, [hunk(`-let a = ${value}\n+let b = ${value}`)])])),
    toolCall('exec', value, [], { family: 'custom' }),
    toolCall('find', JSON.stringify({ [value]: value })),
  ]
}

describe('hostile text', () => {
  it('comes in many forms', () => {
    expect(new Set(vectors).size).toBeGreaterThanOrEqual(60)
  })

  it.each(vectors)('stays text everywhere: %j', (vector) => {
    const lineage = { forkedFromId: vector, segments: [] }
    const html = items([...everywhere(vector), group('inherited', vector, [])], context(), { lineage })
    expect(parseTags(html).tags.flatMap(faults)).toEqual([])
  })

  it('stays text with the native engine and with colours', async () => {
    const using = context({}, { engine: await loadEngine(), highlight: await loadHighlight() })
    for (const vector of vectors) {
      const html = items([...everywhere(vector), ...coloured(vector)], using)
      expect(parseTags(html).tags.flatMap(faults)).toEqual([])
    }
  })

  it('stays readable', () => {
    const html = items([user('<script>alert(1)</script>'), command('<b>', [output('<i>')])])
    expect(parseTags(html).text).toContain('<script>alert(1)</script>')
    expect(parseTags(html).text).toContain('<b>')
    expect(parseTags(html).text).toContain('<i>')
  })

  it('is detected by the checks of this test', () => {
    const bad = '<p onclick="x"><script src="y"></script><a href="javascript:x">z</a></p>'
    expect(parseTags(bad).tags.flatMap(faults)).toEqual(['p[onclick]', '<script>', 'src y', 'href javascript:x'])
    expect(() => parseTags('<p>a</div>')).toThrow('closes')
    const links = '<a href="https://x.example/">y</a><b class="a;b">z</b>'
    expect(parseTags(links).tags.flatMap(faults)).toEqual(['rel of a', 'class a;b'])
  })
})
