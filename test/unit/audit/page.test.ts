/** Each rule of the audit of pages, style sheets and scripts, with a fault that it reports and a harmless twin. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { pagePolicy, singlePolicy } from '../../../src/render/policy.ts'
import { audit, type Files, page, reported, writeSite } from '../../helpers/audited.ts'
import { useTempDir } from '../../helpers/temp.ts'

const policy = pagePolicy({ search: true })

async function auditOf(files: Files): Promise<string[]> {
  const folder = useTempDir()
  writeSite(folder, files)
  return reported(await audit(folder))
}

/** The rules that a page with this body breaks. */
async function ofBody(body: string, others: Files = {}): Promise<string[]> {
  return (await auditOf({ 'index.html': page(body), ...others })).map((item) => item.replace(/ .*/, ''))
}

const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='

/** Rule, fault, twin. */
const bodies: readonly (readonly [rule: string, fault: string, twin: string])[] = [
  ['inline-script', '<script>alert(1)</script>', '<script type="application/json">{}</script>'],
  ['inline-script', '<script type="module">alert(1)</script>', '<script src="index.html"></script>'],
  ['inline-script', '<p onclick="a()">x</p>', '<p title="onclick">x</p>'],
  ['inline-script', '<svg onload=a()></svg>', '<p>&lt;svg onload=a()></p>'],
  ['inline-style', '<style>p{color:red}</style>', '<p>style</p>'],
  ['inline-style', '<p style="color:red">x</p>', '<p class="style">x</p>'],
  ['unsafe-link', '<a href="javascript:alert(1)">x</a>', '<a href="https://x.example/javascript:">x</a>'],
  ['unsafe-link', '<a href=" java&#10;script:alert(1)">x</a>', '<a href="#a" id="a">javascript:</a>'],
  ['unsafe-link', '<a href="data:text/html,x">x</a>', '<a href="mailto:x@y.example">x</a>'],
  ['unsafe-link', '<a href="file:///etc/hosts">x</a>', '<p>file:///etc/hosts</p>'],
  ['unsafe-link', '<form action="javascript:a()"></form>', '<form action="index.html"></form>'],
  ['unsafe-link', '<img src="data:image/svg+xml,x" alt="">', `<img src="${pixel}" alt="">`],
  ['embedded-content', '<iframe></iframe>', '<p>&lt;iframe></p>'],
  ['embedded-content', '<base href="index.html">', '<p id="base">x</p>'],
  ['embedded-content', '<object></object>', '<!-- <object> -->'],
  ['external-request', '<img src="https://x.example/a.png" alt="">', '<a href="https://x.example/a.png">x</a>'],
  ['external-request', '<img src="//x.example/a.png" alt="">', '<p>//x.example/a.png</p>'],
  ['external-request', '<img srcset="https://x.example/a.png 2x" alt="">', '<img srcset="index.html 2x" alt="">'],
  [
    'external-request',
    '<link rel="stylesheet" href="https://x.example/a.css">',
    '<link rel="canonical" href="https://x.example/">',
  ],
  ['external-request', '<script src="http://x.example/a.js"></script>', '<script src="index.html"></script>'],
  ['external-request', '<video poster="https://x.example/a.png"></video>', '<video poster="index.html"></video>'],
  ['external-request', '<form action="https://x.example/"></form>', '<form></form>'],
  ['external-request', '<a ping="https://x.example/" href="#a" id="a">x</a>', '<a href="#a" id="a">x</a>'],
  [
    'external-request',
    '<svg><use href="https://x.example/a.svg#b"></use></svg>',
    '<svg><use href="#a"></use></svg><p id="a">x</p>',
  ],
  [
    'external-request',
    '<svg><image xlink:href="https://x.example/a.png"></image></svg>',
    '<svg><image href="index.html"></image></svg>',
  ],
  [
    'external-request',
    '<meta http-equiv="refresh" content="0; url=https://x.example/">',
    '<meta http-equiv="refresh" content="9">',
  ],
  [
    'external-request',
    '<meta http-equiv="refresh" content="0 https://x.example/">',
    '<meta http-equiv="refresh" content="9;">',
  ],
  ['external-request', '<noscript><img src="https://x.example/a.png" alt=""></noscript>', '<noscript>img</noscript>'],
  [
    'external-request',
    '<noscript><style>@import"//x.example/a.css"</style></noscript>',
    '<noscript>@import</noscript>',
  ],
  ['broken-link', '<noscript><a href="none.html">x</a></noscript>', '<noscript><a href="#a" id="a">x</a></noscript>'],
  [
    'external-request',
    '<a attributionsrc="https://x.example/" href="#a" id="a">x</a>',
    '<p title="https://x.example/">x</p>',
  ],
  [
    'external-request',
    '<svg><rect fill="url(https://x.example/a.svg#b)"></rect></svg>',
    '<svg><rect fill="url(#b)"></rect></svg><p title="url(https://x.example/a)">x</p>',
  ],
  [
    'unsafe-link',
    '<svg><a><set attributeName="href" to="javascript:a()"></set></a></svg>',
    '<svg><a><set attributeName="fill" to="red"></set></a></svg>',
  ],
  [
    'weak-referrer',
    '<a referrerpolicy="unsafe-url" href="https://x.example/">x</a>',
    '<a referrerpolicy="no-referrer" href="https://x.example/">x</a>',
  ],
  ['broken-link', '<a href="none.html">x</a>', '<a href="index.html">x</a>'],
  ['broken-link', '<a href="#none">x</a>', '<a href="#a%62" id="ab">x</a>'],
  ['broken-link', '<a href="b.html#none">x</a>', '<a href="b.html?q=1#x">x</a>'],
  ['broken-link', '<a href="/b.html">x</a>', '<a href="./b.html">x</a>'],
  ['broken-link', '<a href="../index.html">x</a>', '<a href="a/../b.html">x</a>'],
  ['broken-link', '<img src="none.png" alt="">', '<img src="b.html" alt="">'],
  ['personal/home-folder', '<p>/home/ada/notes</p>', '<p>~/notes, /home, /usr/home/x</p>'],
  [
    'personal/home-folder',
    '<p>C:\\Users\\Ada\\notes</p>',
    '<p>https://x.example/Users/guide and C:\\Users\\Public</p>',
  ],
  [
    'personal/email',
    '<p>Ask ada@lovelace.home.arpa now</p>',
    '<p>git@github.com:a/b, icon@2x.png, @ada, a@example.org</p>',
  ],
]

describe('the body of a page', () => {
  test.each(bodies)('breaks %s: %s', async (rule, fault) => {
    expect(await ofBody(fault, { 'b.html': page('<p id="x">x</p>') })).toContain(rule)
  })

  test.each(bodies)('does not break %s if it is harmless: %3$s', async (_rule, _fault, twin) => {
    expect(await ofBody(twin, { 'b.html': page('<p id="x">x</p>') })).toEqual([])
  })
})

describe('the policy of a page', () => {
  const weak: readonly (readonly [what: string, text: string])[] = [
    ['allows everything by default', policy.replace("default-src 'none'", "default-src 'self'")],
    ['allows inline script', policy.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")],
    ['allows scripts from a host', policy.replace("script-src 'self'", 'script-src https://x.example')],
    ['allows requests to anywhere', policy.replace("connect-src 'self'", 'connect-src *')],
    ['allows pictures from anywhere', policy.replace("img-src 'self'", 'img-src https:')],
    ['lets forms be sent', policy.replace("form-action 'none'", "form-action 'self'")],
    ['allows frames', `${policy}; frame-src 'self'`],
    ['does not restrict the base', policy.replace("; base-uri 'none'", '')],
    ['is empty', ''],
  ]

  test.each(weak)('is weak if it %s', async (_, text) => {
    expect(await auditOf({ 'index.html': page('x', '', text) })).toContain('weak-policy index.html')
  })

  test('is not weaker because of a directive with the name of a built-in property', async () => {
    expect(await auditOf({ 'index.html': page('x', '', `${policy}; constructor x`) })).toEqual([])
  })

  test('is weak if it is missing or comes after a script', async () => {
    const late = page('').replace('<meta charset', '<script src="index.html"></script><meta charset')
    expect(await auditOf({ 'a.html': '<p>x</p>', 'index.html': late })).toEqual([
      'weak-policy a.html',
      'weak-referrer a.html',
      'weak-policy index.html:2',
    ])
  })

  test.each(['<p>x</p>', '<template></template>', '<svg></svg>'])(
    'is weak if %s comes before it, because browsers ignore a policy in the body',
    async (first) => {
      const late = page('').replace('<meta charset', `${first}<meta charset`)
      expect(await auditOf({ 'index.html': late })).toContain('weak-policy index.html:2')
    },
  )

  test('is strong enough if one of two is strict, because both apply', async () => {
    const second = `<meta http-equiv="content-security-policy" content="script-src *">`
    expect(await auditOf({ 'index.html': page('x', second) })).toEqual([])
  })

  test('allows the script and style whose hashes it names, and no others', async () => {
    const [style, script] = ['p{margin:0}', 'let a = 1']
    const own = singlePolicy(style, script)
    const head = (code: string): string => `<style>${style}</style><script>${code}</script>`
    expect(await auditOf({ 'index.html': page('x', head(script), own) })).toEqual([])
    expect(await auditOf({ 'index.html': page('x', head('let a = 2'), own) })).toEqual(['inline-script index.html:2'])
  })
})

test('a page that sends its address to the sites that it links to is reported', async () => {
  const open = page('x').replace('content="no-referrer"', 'content="origin"')
  expect(await auditOf({ 'index.html': open })).toEqual(['weak-referrer index.html'])
})

test('a file that is packed twice is reported, because it was not read', async () => {
  expect(await auditOf({ 'a.gz': gzipSync(gzipSync('words')) })).toEqual(['unread-content a.gz'])
  expect(await auditOf({ 'a.gz': gzipSync('words') })).toEqual([])
})

test('a page over 1 MiB is reported, not counting its pictures', async () => {
  const picture = `<img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=${'A'.repeat(1_200_000)}">`
  expect(await auditOf({ 'index.html': page('word '.repeat(220_000)) })).toEqual(['oversized-page index.html'])
  expect(await auditOf({ 'index.html': page(picture) })).not.toContain('oversized-page index.html')
})

describe('other files', () => {
  const files: readonly (readonly [rule: string, path: string, fault: string, twin: string])[] = [
    ['external-request', 'a.css', "@import 'https://x.example/a.css';", "@import 'a.css';"],
    ['external-request', 'a.css', "@\\69mport 'https:\\2f/x.example/a.css';", "@\\69mport 'a.css';"],
    [
      'external-request',
      'a.css',
      'p{background:url(//x.example/a.png)}',
      'p{background:url(a.png)} /* https://x.example */',
    ],
    ['external-request', 'a.js', "fetch('https://x.example/a')", "fetch('a'); // https://x.example"],
    ['external-request', 'a.js', "import('https://x.example/a.js')", "const a = 'https://x.example/a.js'"],
    ['external-request', 'a.js', 'new WebSocket("wss://x.example/")', 'new URL("https://x.example/")'],
    [
      'inline-script',
      'a.svg',
      '<svg xmlns="http://www.w3.org/2000/svg"><g onload="a()"/></svg>',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
    ],
    [
      'inline-script',
      'a.svg',
      '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>a()</s:script></s:svg>',
      '<svg xmlns="http://www.w3.org/2000/svg"><desc>script</desc></svg>',
    ],
    ['inline-script', 'a.svg', '<svg><script>a()</script></svg>', '<svg><!-- <script> --></svg>'],
    ['external-request', 'a.css', '@import"//x.example/a.css";', '@import"a.css";'],
    [
      'external-request',
      'a.css',
      'p{background:image-set("https://x.example/a" 1x)}',
      'p{background:image-set("a" 1x)}',
    ],
    ['external-request', 'a.js', "import'https://x.example/a.js'", "import'./a.js'"],
    ['external-request', 'a.js', "a.open('PUT', 'https://x.example/')", "a.open('PUT', 'a')"],
    ['external-request', 'a.js', 'location.href = "https://x.example/?" + a', "a.href = 'https://x.example/'"],
    ['external-request', 'a.js', 'new Image().src=`https://x.example/`', "a.src = 'a.png'"],
    ['unread-content', 'a.zip', 'PK\x03\x04\x14\0', 'PK'],
    ['unread-content', 'a.zst', '\x28\xB5\x2F\xFD\x20', '('],
    ['unread-content', 'a.pf_meta', '\x1F\x8B\x08 no gzip', 'plain'],
    ['unread-content', 'a.png', '\x89PNG\r\n\x1A\n cut \0', ''],
    ['personal/home-folder', 'a.md', 'In `/Users/ada/shop`.', 'In `~/shop`.'],
  ]

  test.each(files)('break %s in %s: %s', async (rule, path, fault) => {
    const found = await auditOf({ [path]: Buffer.from(fault, 'latin1') })
    expect(found.map((item) => item.split(' ')[0])).toContain(rule)
  })

  test.each(files)('do not break %s in %s if they are harmless: %4$s', async (_rule, path, _fault, twin) => {
    expect(await auditOf({ [path]: twin })).toEqual([])
  })
})

test('links to other sites are only counted', async () => {
  const folder = useTempDir()
  writeSite(folder, { 'index.html': page('<a href="https://x.example/">x</a> <a href="http://y.example/">y</a>') })
  expect(await audit(folder)).toMatchObject({ webLinks: 2, findings: [] })
})

test('options make home folders notes and e-mail addresses warnings', async () => {
  const folder = useTempDir()
  writeSite(folder, { 'a.md': '/home/ada/x\nada@lovelace.home.arpa\n' })
  const levels = async (options?: object): Promise<string[]> =>
    (await audit(folder, options)).findings.map(({ ruleId, level }) => `${ruleId} ${level}`)
  expect(await levels()).toEqual(['personal/home-folder warning', 'personal/email info'])
  expect(await levels({ homes: false, emails: true })).toEqual(['personal/home-folder info', 'personal/email warning'])
})

test('a file full of findings lists a hundred of a rule and counts the rest', async () => {
  const folder = useTempDir()
  writeSite(folder, { 'index.html': page('<p style="x">x</p>\n'.repeat(250)) })
  const { findings } = await audit(folder)
  expect(findings).toHaveLength(100)
  expect(findings.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(250)
})
