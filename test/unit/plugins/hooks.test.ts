/**
 * Site plugins at work: what they add to sessions, lists, filters, the search and pages, and what a faulty one affects.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { h } from 'hastscript'
import { expect, test } from 'vitest'
import type { PluginList } from '../../../src/config/plugins.ts'
import { definePlugin } from '../../../src/render/plugin.ts'
import type { Session } from '../../../src/transcript/trast.ts'
import { walk } from '../../../src/transcript/view.ts'
import { transcribe } from '../../../src/transcript.ts'
import { writeFolder } from '../../helpers/folder.ts'
import { buildSite, type TestSite, turnOf, writeSession } from '../../helpers/site-build.ts'
import { useTempDir } from '../../helpers/temp.ts'

const ada = '0199a000-0000-7000-8000-0000000000a1'
const bob = '0199a000-0000-7000-8000-0000000000b2'

/** Builds a home with two sessions and these plugins. */
function buildWith(
  plugins: PluginList,
  folder = homeOfTwo(),
  change: Parameters<typeof buildSite>[1] = {},
): Promise<TestSite> {
  return buildSite(folder, { plugins, ...change })
}

function homeOfTwo(): string {
  const folder = useTempDir()
  writeSession(folder, ada, turnOf('gate'))
  writeSession(folder, bob, turnOf('fence'))
  return folder
}

function textOf({ texts }: TestSite, path: string): string {
  const text = texts.get(path)
  if (text === undefined) throw new Error(`${path} is not in the site`)
  return text
}

/** Counts the prompts of each session and shows what it found. */
const prompts = definePlugin({
  name: 'prompts',
  nav: [{ text: 'Prompts', path: 'prompts/index.html' }],
  fields: { words: { label: 'Word', column: true, filter: true, search: true } },
  session: ({ title }) => {
    const words: string[] = []
    let first = ''
    return {
      page: (tree, link) =>
        walk(tree, (node) => {
          if (node.type !== 'message' || node.role !== 'user') return
          first ||= link(node.id)
          for (const child of node.children) if ('value' in child) words.push(child.value.split(' ')[0] ?? '')
        }),
      end: ({ turns }) => ({
        fields: { words },
        panel: { heading: 'Prompts', body: h('p', h('a', { href: first }, title), `: ${turns}`) },
        data: { words },
      }),
    }
  },
  *pages({ sessions }) {
    const items = sessions.map(({ path, title, fields, data }) =>
      h('li', h('a', { href: path }, title), ` ${fields['words']} ${JSON.stringify(data)}`),
    )
    yield { path: 'prompts/index.html', title: 'All prompts', description: 'What was asked.', body: h('ul', items) }
    yield { path: 'prompts/words.csv', content: 'word\n' }
  },
})

test('a plugin adds a panel, a column, a filter, and pages in the navigation and the sitemap', async () => {
  const site = await buildWith([prompts])
  expect(site.result).toMatchObject({ failed: 0, diagnostics: [] })
  const session = textOf(site, `sessions/${ada}/index.html`)
  expect(session).toMatch(/<h2 id="panel-0">Prompts<\/h2>\n<p><a href="index.html#l\d+">gate prompt<\/a>: 1<\/p>/)
  expect(session).toContain('<a href="../../prompts/index.html">Prompts</a>')
  const home = textOf(site, 'index.html')
  expect(home).toContain('<i class="tag" title="Word">gate</i>')
  expect(home).toMatch(/<select id="f-x-words" name="x-words">\s*<option value="">Any word<\/option>/)
  const page = textOf(site, 'prompts/index.html')
  expect(page).toContain(`<a href="../sessions/${bob}/index.html">fence prompt</a> fence {"words":["fence"]}`)
  expect(page).toContain('aria-current="page">Prompts</a>')
  expect(page).toContain('content="What was asked."')
  expect(textOf(site, 'sitemap.xml')).toContain('https://example.org/prompts/index.html')
  expect(textOf(site, 'sitemap.xml')).not.toContain('words.csv')
  expect(textOf(site, 'prompts/words.csv')).toContain('word\n')
})

test('a build without the plugin has nothing of it, and a build with it again has everything', async () => {
  const folder = homeOfTwo()
  const shout = () => (tree: Session) =>
    walk(tree, (node) => {
      if ('value' in node) node.value = node.value.toUpperCase()
    })
  await buildWith([prompts, shout as PluginList[number]], folder)
  const without = await buildWith([], folder)
  expect(without.texts.has('prompts/index.html')).toBe(false)
  const page = textOf(without, `sessions/${ada}/index.html`)
  expect(page).toContain('gate answer')
  expect(page).not.toMatch(/GATE|panel-0|prompts\/index/)
  const again = await buildWith([prompts], folder)
  expect(textOf(again, `sessions/${ada}/index.html`)).toContain('panel-0')
})

test('sessions are kept with a cache key, and so is what the plugin adds', async () => {
  const folder = homeOfTwo()
  const keyed = { ...prompts, cacheKey: '1' }
  const first = await buildWith([keyed], folder, { search: true })
  expect((await buildWith([keyed], folder, { search: true })).result).toMatchObject({ rendered: 0, written: 0 })
  writeSession(folder, ada, [...turnOf('gate'), ...turnOf('hinge')])
  const grown = await buildWith([keyed], folder, { search: true })
  expect(grown.result).toMatchObject({ sessions: 2, rendered: 1 })
  expect(textOf(grown, 'prompts/index.html')).toContain('fence')
  const bobs = `sessions/${bob}/index.html`
  expect(textOf(grown, bobs)).toBe(textOf(first, bobs))
  const anew = await buildWith([keyed], folder, { search: true, cache: join(folder, 'other') })
  expect(anew.texts).toEqual(grown.texts)
  expect((await buildWith([{ ...keyed, cacheKey: '2' }], folder, { search: true })).result.rendered).toBe(2)
  expect((await buildWith([keyed, () => undefined], folder, { search: true })).result.rendered).toBe(2)
})

test('a plugin that has only tokens and links needs no cache key', async () => {
  const folder = homeOfTwo()
  const plain = { name: 'plain', nav: [{ text: 'Home', path: 'index.html' }], tokens: { '--accent': 'red' } } as const
  await buildWith([plain], folder)
  expect((await buildWith([plain], folder)).result).toMatchObject({ rendered: 0, written: 0 })
})

test('a plugin that threw is reported by each build that keeps its session', async () => {
  const folder = homeOfTwo()
  const faulty = definePlugin({
    name: 'faulty',
    cacheKey: '1',
    session: () => ({
      end: () => {
        throw new Error('no end')
      },
    }),
    pages: () => {
      throw new Error('no pages')
    },
  })
  const { result } = await buildWith([faulty], folder)
  expect(result.diagnostics.map(({ ruleId }) => ruleId)).toEqual(Array(3).fill('plugin-failed'))
  const again = await buildWith([faulty], folder)
  expect(again.result).toMatchObject({ rendered: 0, diagnostics: result.diagnostics })
})

test('what plugins add is redacted last, on pages, in lists and in data', async () => {
  const token = `ghp_${'A1b2C3d4E5f6G7h8I9j0'.repeat(2).slice(0, 36)}`
  const leak = definePlugin({
    name: 'leak',
    fields: { note: { label: 'Note', column: true } },
    tree: [
      () => (tree: unknown) =>
        walk(tree as Session, (node) => {
          if (node.type === 'message' && node.role === 'assistant')
            node.children.push({ ...node.children[0], value: token } as never)
        }),
    ] as never,
    session: () => ({
      end: () => ({
        fields: { note: token },
        panel: { heading: token, body: h('p', { title: token }, token) },
        data: [{ token }],
      }),
    }),
    *pages({ sessions }) {
      yield { path: 'leak/list.csv', content: Buffer.from(`word,${token}\n`) }
      yield {
        path: 'leak/index.html',
        title: token,
        body: `${token} ${JSON.stringify(sessions.map(({ data }) => data))}`,
        data: { token },
      }
    },
  })
  const site = await buildWith([leak], undefined, { redact: true })
  for (const [path, text] of site.texts) expect(text, path).not.toContain(token)
  expect(textOf(site, 'leak/index.html')).toContain('[redacted:')
})

test('every text on a page of a plugin is redacted, even in lists of attributes and nested roots', async () => {
  const token = `ghp_${'Z1y2X3w4V5u6T7s8R9q0'.repeat(2).slice(0, 36)}`
  const list = definePlugin({
    name: 'lists',
    *pages() {
      const inner = { type: 'root', children: [h('p', token), h('a', { href: '../outside' }, 'outside')] }
      yield {
        path: 'lists/index.html',
        title: 'Lists',
        body: {
          type: 'root',
          children: [h('p', { className: ['note', token], ariaLabelledBy: [token] }, 'a'), inner as never],
        },
      }
    },
  })
  const page = textOf(await buildWith([list], undefined, { redact: true }), 'lists/index.html')
  expect(page).not.toContain(token)
  expect(page.match(/\[redacted:/g)).toHaveLength(3)
  expect(page).toMatch(/class="note \[redacted:/)
  expect(page).toContain('<span class="nolink" title="../outside">outside</span>')
})

test('HTML of a plugin is sanitised: nothing runs, loads from elsewhere or leaves the site', async () => {
  const hostile = definePlugin({
    name: 'hostile',
    *pages() {
      yield {
        path: 'own/index.html',
        title: '<script>alert(1)</script>',
        body: h('div', { style: 'color: red', onClick: 'x()', className: ['own'], id: 'main' }, [
          h('script', 'alert(2)'),
          h('a', { href: 'javascript:alert(3)', id: 'here' }, 'a'),
          h('a', { href: '../../etc/passwd' }, 'b'),
          h('a', { href: '/absolute' }, 'c'),
          h('a', { href: 'stats/index.html#top' }, 'd'),
          h('img', { src: 'https://elsewhere.test/x.png', alt: 'e' }),
          h('img', { src: 'own/x.png' }),
          h('iframe', { src: 'index.html' }),
          h('h1', 'f'),
          h('table', h('tr', h('td', 'g'))),
          '\u202Eh',
        ]),
      }
    },
  })
  const page = textOf(await buildWith([hostile]), 'own/index.html')
  const body = page.slice(page.indexOf('<div class="prose">'), page.indexOf('<footer'))
  expect(page).toContain('<h1>&lt;script&gt;alert(1)&lt;/script&gt;</h1>')
  expect(body).toContain('<div class="own">')
  expect(body).not.toMatch(
    /alert\(2|style=|onclick|iframe|elsewhere|href="(?:\/|javascript)|href="[^"]*passwd|id="main|<h1/,
  )
  expect(body).toContain('<span class="nolink" title="../../etc/passwd">b</span>')
  expect(body).toContain('<a href="../stats/index.html#top">d</a>')
  expect(body).toContain('<img src="x.png" alt="">')
  expect(body).toContain('<h2>f</h2>')
  expect(body).toContain('<div class="wide" tabindex="0"><table>')
  expect(body).toContain('[U+202E]h')
})

test('a page may be in a folder of its own or in the root, but not in a folder of the site or outside', async () => {
  const names = [...(await buildWith([], undefined, { offline: true, search: true, dryRun: false })).texts.keys()]
  const roots = new Set(names.map((path) => path.replace(/\/.*$/, '')).filter((name) => /^[a-z0-9]/.test(name)))
  expect(roots).toContain('sessions')
  const refused = [
    ...['../up.html', '/root.html', 'Own/Index.html', 'own/con.html', 'own/page.php', 'own/twice.html', ''],
    ...['shared/own.html', 'shared/manifest.json'],
    ...[...roots].map((name) => (name.includes('.') ? name : `${name}/own.html`)),
  ]
  const before = definePlugin({ name: 'before', pages: () => [{ path: 'own/twice.html', title: 'First' }] })
  const odd = refused.map((path, index) =>
    definePlugin({ name: `odd-${index}`, pages: () => [{ path, title: 'Second' }] }),
  )
  const { result, texts } = await buildWith([before, ...odd])
  expect(result.diagnostics).toHaveLength(refused.length)
  for (const [index, path] of refused.entries())
    expect(result.diagnostics.map(({ message }) => message)).toContainEqual(
      expect.stringContaining(`Its pages: The plugin \`odd-${index}\` failed: it gives the path \`${path}\`: `),
    )
  expect(texts.get('own/twice.html')).toContain('First')
})

test('a hook that throws is reported with session and line, and the rest of the site is complete', async () => {
  const folder = homeOfTwo()
  const faulty = definePlugin({
    name: 'faulty',
    session: () => ({
      page: (tree) =>
        walk(tree, (node) => {
          if (node.type === 'command' && node.script.includes('fence')) throw new Error('no fences')
        }),
      end: () => ({ panel: { heading: 'Fine', body: 'Fine.' } }),
    }),
  })
  const site = await buildWith([faulty, prompts], folder)
  expect(site.result).toMatchObject({ sessions: 2, failed: 0 })
  const [found, ...others] = site.result.diagnostics
  expect(others).toEqual([])
  const line = lineOf(folder, bob, 'make fencescript')
  expect(found).toMatchObject({ ruleId: 'plugin-failed', level: 'fatal', file: expect.stringContaining(bob), line })
  expect(found?.message).toMatch(
    new RegExp(`Session ${bob}: The plugin \`faulty\` failed: no fences \\(hooks\\.test\\.ts:\\d+\\)\\.$`),
  )
  expect(textOf(site, `sessions/${bob}/index.html`)).toContain('>Prompts</h2>')
  expect(textOf(site, `sessions/${bob}/index.html`)).not.toContain('>Fine</h2>')
  expect(textOf(site, `sessions/${ada}/index.html`)).toContain('>Fine</h2>')
})

test('a link of the bar to a page that no plugin gives is reported', async () => {
  const links = ['own/page.html', 'own/page.html#end', 'stats/index.html', 'own/none.html'].map((path) => ({
    text: 'Own',
    path,
  }))
  const plugin = definePlugin({ name: 'linked', nav: links, pages: () => [{ path: 'own/page.html', title: 'Own' }] })
  const { result } = await buildWith([plugin], homeOfTwo())
  expect(result.diagnostics).toMatchObject([
    {
      ruleId: 'plugin-failed',
      message: expect.stringContaining('`linked` failed: its `nav` links to `own/none.html`'),
    },
  ])
})

test('a tree plugin that throws removes its session, which might show what it was to hide', async () => {
  const folder = homeOfTwo()
  function hideFences() {
    return (tree: Session) =>
      walk(tree, (node) => {
        if (node.type === 'output' && node.value.includes('fence')) throw new Error('cannot hide')
      })
  }
  const site = await buildWith([hideFences as PluginList[number]], folder)
  expect(site.result).toMatchObject({ sessions: 1, failed: 1 })
  expect(site.result.diagnostics).toMatchObject([
    {
      ruleId: 'plugin-failed',
      line: lineOf(folder, bob, 'make fencescript'),
      message: expect.stringContaining('`hideFences`'),
    },
  ])
  expect([...site.texts.keys()].some((path) => path.includes(bob))).toBe(false)
  expect(textOf(site, `sessions/${ada}/index.html`)).toContain('gate answer')
})

test.each<[message: string, change: (tree: Session) => unknown]>([
  ['it gave something else than the session', () => 5],
  ['it gave something else than the session', () => ({ type: 'session', children: [] })],
  ['it left the `children` of `session` as no list', (tree) => void Object.assign(tree, { children: null })],
  ['it left a node without a type', (tree) => void tree.children.push(null as never)],
  ['it left a `session` that holds itself', (tree) => void tree.children.push(tree as never)],
])('a tree plugin that returns an invalid tree is reported: %s', async (message, change) => {
  const path = writeSession(useTempDir(), bob, turnOf('fence'))
  function careless() {
    return change
  }
  await expect(transcribe(path, { plugins: [careless as PluginList[number]] })).rejects.toThrow(
    `The plugin \`careless\` failed: ${message}`,
  )
})

test('`transcribe` also reports plugin, session and line', async () => {
  const folder = useTempDir()
  const path = writeSession(folder, bob, turnOf('fence'))
  function failAtCommands() {
    return (tree: Session) =>
      walk(tree, (node) => {
        if (node.type === 'command') throw new Error('no commands')
      })
  }
  const line = lineOf(folder, bob, 'make fencescript')
  await expect(transcribe(path, { plugins: [failAtCommands as PluginList[number]] })).rejects.toThrow(
    new RegExp(
      `-${bob}\\.jsonl:${line} plugin-failed .* Session ${bob}: The plugin \`failAtCommands\` failed: no commands`,
    ),
  )
})

test('what does not fit is not added: undeclared fields, values that are no text, trees with code', async () => {
  const given: [problem: string, end: () => unknown][] = [
    ['it gives the field `other`, which it does not declare', () => ({ fields: { other: 'x' } })],
    ['a value of the field `own0` is `number`, not a text', () => ({ fields: { own0: [1] } })],
    ['the heading of a panel is `undefined`, not a text', () => ({ panel: 'x' })],
    [
      'its tree is not plain data: () => 1 could not be cloned.',
      () => ({ panel: { heading: 'x', body: { type: 'root', children: [() => 1] } } }),
    ],
    ['its `data` is not plain: Do not know how to serialize a BigInt', () => ({ data: 1n })],
    ['its `end` gives a `number`, not an object', () => 5],
    ['its `end` gives the unknown key `pannel`', () => ({ pannel: { heading: 'x', body: 'x' } })],
  ]
  const odd = given.map(([, end], index) =>
    definePlugin({
      name: `odd-${index}`,
      fields: { [`own${index === 1 ? 0 : index + 5}`]: { label: 'Own' } },
      session: () => ({ end }) as never,
    }),
  )
  const folder = useTempDir()
  writeSession(folder, ada, turnOf('gate'))
  const { result } = await buildWith(odd, folder)
  // Without a place: these files are ours.
  expect(result.diagnostics.map(({ message }) => message.replace(/^.* failed: /, ''))).toEqual(
    given.map(([problem]) => `${problem}.`),
  )
})

test('a session hook may return nothing, and is reported if it returns anything but a reader', async () => {
  const folder = useTempDir()
  writeSession(folder, ada, turnOf('gate'))
  const given = [undefined, null, 5].map((value, index) =>
    definePlugin({ name: `gives-${index}`, session: () => value as never }),
  )
  const { result } = await buildWith(given, folder)
  expect(result.diagnostics.map(({ message }) => message)).toEqual([
    expect.stringMatching(/The plugin `gives-2` failed: its `session` gives a `number`, not an object\.$/),
  ])
})

test('a session hook may be asynchronous, but pages may not', async () => {
  const folder = useTempDir()
  writeSession(folder, ada, turnOf('gate'))
  const patient = definePlugin({
    name: 'patient',
    fields: { word: { label: 'Word', column: true } },
    session: async () => ({ end: () => ({ fields: { word: 'waited' } }) }),
    pages: (async () => []) as never,
  })
  const { result, texts } = await buildWith([patient], folder)
  expect(texts.get('index.html')).toContain('waited')
  expect(result.diagnostics.map(({ message }) => message)).toEqual([
    expect.stringMatching(/Its pages: The plugin `patient` failed: its `pages` gives no list and no generator\.$/),
  ])
})

test('an invalid plugin is rejected with what was expected', () => {
  expect(() => definePlugin({ name: 'p', tree: (() => {}) as never })).toThrow(
    '`p` is not a plugin: its `tree` is not a list of unified plugins.',
  )
  for (const path of [undefined, 'javascript:alert(1)', '//example.org/', 'https://example.org/', '../x.html', '\\x'])
    expect(() => definePlugin({ name: 'p', nav: [{ text: 'Own', path }] as never })).toThrow('a list of { text, path }')
})

test('a plugin may name a template of the user, which gets its data', async () => {
  const folder = homeOfTwo()
  const template =
    '<% layout("@html/layout") %><main id="main"><h1><%= it.heading %></h1><p><%= it.data.word %></p></main>'
  writeFolder(folder, { 'theme/html/board.eta': template })
  const board = definePlugin({
    name: 'board',
    pages: () => [{ path: 'board/index.html', title: 'Board', template: 'html/board', data: { word: '<b>' } }],
  })
  const site = await buildWith([board], folder, { templatesDir: join(folder, 'theme') })
  expect(textOf(site, 'board/index.html')).toContain('<p>&lt;b&gt;</p>')
  const without = await buildWith([board])
  expect(without.result.diagnostics[0]?.message).toContain('there is no template `html/board`')
})

test('tokens of the configuration override those of plugins, which override the style sheet', async () => {
  const plain = definePlugin({ name: 'plain', tokens: { '--accent': 'red', '--bg': '#fff' } })
  const site = await buildWith([plain], undefined, { tokens: { '--accent': 'light-dark(#8a3b12, #f0a878)' } })
  const css = [...site.texts].find(([path]) => /^assets\/site\..*\.css$/.test(path))?.[1]
  expect(css).toContain('@layer theme {\n:root {\n--accent: light-dark(#8a3b12, #f0a878);\n--bg: #fff;\n}\n}')
  await expect(buildWith([], undefined, { tokens: { '--acent': 'red' } })).rejects.toThrow(
    'No style sheet has the design token `--acent`',
  )
})

/** The line of a session's rollout that contains a word. */
function lineOf(folder: string, id: string, word: string): number {
  const path = join(folder, `home/sessions/2026/03/14/rollout-2026-03-14T09-00-00-${id}.jsonl`)
  return (
    readFileSync(path, 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(word)) + 1
  )
}
