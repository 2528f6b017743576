import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import {
  renderMarkdown,
  renderMarkdownFoot,
  renderMarkdownHead,
  renderMarkdownSlice,
} from '../../../src/render/transcript/markdown.ts'
import { referenceEngine } from '../../../src/render/transcript/prose/engine.ts'
import { plainTree } from '../../helpers/mdast.ts'
import { context } from '../../helpers/render.ts'
import * as tree from '../../helpers/tree.ts'

const parent = '01990000-0000-7000-8000-00000000000d'

describe('the head', () => {
  it('is the title and the known facts', () => {
    const session = tree.session([], {
      title: 'Mend *the*\ngate <b> ##',
      cwd: '/home/me/gate',
      git: { branch: 'main', commit: 'abc123', remote: 'https://example.org/gate.git' },
      client: { version: '1.2.3', originator: 'cli' },
      startedAt: '2026-03-14T23:30:00.000Z',
      endedAt: '2026-03-15T00:10:00.000Z',
      archived: true,
      lineage: { segments: [], parentId: parent, forkedFromId: 'gone' },
    })
    const links = { [parent]: { title: 'The fence', built: false } }
    expect(
      renderMarkdownHead(session, context(links, { timeZone: 'Europe/Berlin' })),
    ).toBe(`# Mend \\*the\\* gate &lt;b> #\\#

- Session: \`01990000-0000-7000-8000-000000000001\`
- Started: 2026-03-15 00:30
- Last activity: 2026-03-15 01:10
- Time zone: Europe/Berlin
- Folder: \`/home/me/gate\`
- Repository: <https://example.org/gate.git>
- Branch: \`main\`
- Commit: \`abc123\`
- Codex: 1.2.3, cli
- Parent: The fence (\`${parent}\`)
- Forked from: \`gone\`
- Archived: yes
`)
  })

  it('has the beginning of the last answer below the title, as text', () => {
    const headLines = (subtitle: string) =>
      renderMarkdownHead(tree.session([], { title: 'Mend' }), { ...context(), subtitle })
        .split('\n')
        .slice(0, 4)
    expect(headLines('It is *oiled* <b>.')).toEqual(['# Mend', '', 'It is \\*oiled\\* &lt;b>.', ''])
    expect(headLines('')[2]).toMatch(/^- Session/)
  })

  it('has a title even if the thread has none', () => {
    expect(renderMarkdownHead(tree.session([], { title: ' ' }), context())).toMatch(/^# Untitled session\n/)
  })
})

describe('turns', () => {
  it('are a heading with a line of facts', () => {
    const turn = tree.turn([], {
      number: 3,
      kind: 'review',
      at: '2026-03-14T09:26:53.000Z',
      model: 'm-1',
      effort: 'high',
      durationMs: 123_000,
      cwd: '/srv',
      usage: { input: 1, cached: 0, output: 2, reasoning: 0, total: 12_345 },
      status: 'interrupted',
      error: 'stream closed',
    })
    expect(renderMarkdownSlice(tree.session([turn]), context())).toBe(
      '\n## Turn 3 (review)\n\n2026-03-14 09:26 · m-1 (high) · 2 min 3 s · 12,345 tokens · `/srv` · interrupted\n\n' +
        '> **Error**: stream closed\n',
    )
  })

  it('show an error once', () => {
    const turn = tree.turn([tree.errorNode('stream closed')], { error: 'stream closed' })
    expect(renderMarkdownSlice(tree.session([turn]), context()).match(/stream closed/g)).toHaveLength(1)
  })

  it('that continue from another slice have no second heading', () => {
    const turn = tree.turn([tree.assistant('more')], { data: { continued: true } })
    expect(renderMarkdownSlice(tree.session([turn]), context())).toBe('\n### Assistant\n\nmore\n')
  })

  it('name the folder of a command only if it is not their own', () => {
    const turn = tree.turn([tree.command('ls', [], { cwd: '/srv' })], { cwd: '/srv' })
    expect(renderMarkdownSlice(tree.session([turn], { cwd: '/home' }), context()).match(/srv/g)).toHaveLength(1)
  })

  it('may follow a preamble', () => {
    const opening = tree.preamble([tree.injected('rules', 'Be kind')])
    expect(renderMarkdownSlice(tree.session([opening]), context())).toMatch(/^\n## Before the first turn\n\n\*\*User/)
    expect(renderMarkdownSlice(tree.session([tree.preamble([])]), context())).toBe('')
  })
})

describe('the foot', () => {
  it('accounts for every line and shows all numbers except zeros', () => {
    const session = tree.session([], {
      status: 'failed',
      models: ['m-1', 'm-2'],
      stats: tree.stats({
        lines: {
          total: 1234,
          shown: 20,
          folded: 4,
          skipped: { b: 1000, a: 200, c: 0 },
          unknown: { x_y: 9 },
          damaged: 1,
        },
        turns: 3,
        commands: { total: 5, failed: 2 },
        edits: { files: 1, added: 10, removed: 4 },
        tools: { look: { calls: 2, failed: 0 }, run: { calls: 1, failed: 1 } },
        redacted: { token: 2 },
      }),
    })
    expect(renderMarkdownFoot(session, {})).toBe(`
## Receipt

- State: failed
- Models: m-1, m-2
- Turns: 3
- Commands: 5, 2 failed
- Edits: 1 file, +10 −4
- Tool calls: 3: look 2, run 1 (1 failed)
- Redacted: 2
- Lines read: 1,234
- Shown: 20
- Merged into those: 4
- Counted only: 1,200 (a 200, b 1,000)
- Unknown: 9 (x\\_y 9)
- Damaged: 1
`)
  })
})

describe('a transcript', () => {
  it('is portable: words of the transcript in the frame are text, not Markdown', () => {
    const odd = '<script>x</script> [a](javascript:b) ![c](https://d.example) # e *f* `g` https://h.example | ~~i~~'
    const session = tree.session(
      [
        tree.turn(
          [
            tree.assistant('ok', { origin: 'agent', author: odd }),
            tree.toolCall(odd, odd),
            tree.search([odd], [tree.reference(odd, { label: odd }), tree.reference(`https://${odd}`, { label: odd })]),
            tree.plan([tree.planStep(odd)]),
            tree.image({ url: odd, alt: odd }),
            tree.agent([], { name: odd, role: odd, threadId: odd }),
            tree.notice('model', [], { facts: { before: odd, after: odd } }),
            tree.approval([tree.question('?', { header: odd, options: [odd], answer: odd })], { decision: odd }),
            tree.errorNode(odd, { code: odd }),
            tree.group('exploration', odd, []),
            tree.unknown(odd, odd),
            tree.patch([tree.fileChange(odd, [tree.hunk('+a', { header: odd })], { operation: 'move', movedTo: odd })]),
          ],
          { model: odd, effort: odd, cwd: odd },
        ),
      ],
      { title: odd, cwd: odd, models: [odd], git: { branch: odd, remote: odd }, client: { version: odd } },
    )
    const parsed = JSON.stringify(plainTree(referenceEngine(renderMarkdown(session, context()))))
    expect(parsed).not.toMatch(/"type":"(?:html|image|delete|table|definition|footnoteDefinition)"/)
    // Bare web addresses are links wherever they are; nothing else is.
    const links = [...parsed.matchAll(/"type":"link","url":"([^"]*)"/g)].map(([, url]) => url)
    expect(new Set(links)).toEqual(new Set(['https://d.example', 'https://h.example']))
    expect(parsed.match(/"type":"heading","depth":[123],/g)).toHaveLength(4)
  })

  it('of an empty session is a head and a foot', () => {
    const session = tree.session([])
    expect(renderMarkdown(session, context())).toMatch(/^# Mend the garden gate\n\n- Session: `[^`]+`\n\n## Receipt\n/)
  })

  it('ends every part with one newline', () => {
    const session = tree.session([tree.turn([tree.user('a')]), tree.turn([tree.user('b')])])
    expect(renderMarkdown(session, context())).not.toMatch(/\n\n\n|^\n|[^\n]$/)
  })
})

describe('front matter', () => {
  const matter = { project: 'shop', files: ['src/cart.ts', 'src/cart.ts', 'a "b".md'] }

  it('comes before the head, with each file once', () => {
    const session = tree.session([], {
      models: ['gpt-5'],
      tags: ['to read', 'cart'],
      startedAt: '2026-03-14T23:30:00.000Z',
    })
    const text = renderMarkdownHead(session, context({}, { timeZone: 'Asia/Tokyo' }), matter)
    const [, yaml = '', rest = ''] = text.split(/^---\n/m)
    expect(parse(yaml)).toMatchObject({
      title: 'Mend the garden gate',
      date: '2026-03-15',
      project: 'shop',
      models: ['gpt-5'],
      tags: ['codex', 'to-read', 'cart'],
      files: ['src/cart.ts', 'a "b".md'],
      session: session.threadId,
    })
    expect(rest).toBe(`\n${renderMarkdownHead(session, context({}, { timeZone: 'Asia/Tokyo' }))}`)
  })

  it('keeps hostile text as text, whatever it looks like', () => {
    const odd = ['---', '"\\', "'; !!js/function 'x'", '- a: b', '#', 'a\n---\n# Heading', '\u2028', '[[link]]']
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...odd), fc.string({ unit: 'grapheme', minLength: 1 })), (text) => {
        const session = tree.session([], { title: text })
        const markdown = renderMarkdownHead(session, context(), { project: text, files: [text] })
        const [, yaml = ''] = /^---\n([\s\S]*?)\n---\n\n#/.exec(markdown) ?? []
        expect(parse(yaml)).toMatchObject({ title: text, project: text, files: [text] })
      }),
    )
  })
})
