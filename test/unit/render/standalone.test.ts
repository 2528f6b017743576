import { runInNewContext } from 'node:vm'
import { h } from 'hastscript'
import { describe, expect, it } from 'vitest'
import { inlineScript, inlineStyle, relinker, relinkView } from '../../../src/render/pages/standalone.ts'
import { relinkTree } from '../../../src/render/transcript/html.ts'
import { sessionPage } from '../../../src/transcript/urls.ts'
import { threadNumber } from '../../helpers/summary.ts'

const [first, agent, other] = [1, 2, 3].map(threadNumber) as [string, string, string]
const ofFirst = relinker(first, first, [agent])
const ofAgent = relinker(agent, first, [agent])

describe('a link in a standalone page', () => {
  it.each([
    ['to a place of the page', '#l9', '#l9'],
    ['to the page itself', 'index.html#l9', '#l9'],
    ['to another page of the session', '3.html#l900', '#l900'],
    ['to a sub-agent', `../${agent}/index.html`, `#${agent}`],
    ['to a place of a sub-agent', `../${agent}/2.html#l9`, `#${agent}-l9`],
    ['to a session that is not in it', `../${other}/index.html`, undefined],
    ['to a page of the site', '../../projects/garden/index.html', undefined],
    ['to the text of an output', 'l9.txt', undefined],
    ['to elsewhere', 'https://example.org/a?b#c', 'https://example.org/a?b#c'],
    ['to a mail address', 'mailto:me@example.org', 'mailto:me@example.org'],
    ['to an embedded picture', 'data:image/png;base64,AAAA', undefined],
    ['that is invalid', 'http://[', undefined],
  ])('%s', (_what, href, expected) => {
    expect(ofFirst(href)).toBe(expected)
  })

  it('keeps the ids of its own sub-agent and resolves links to the session above', () => {
    expect(ofAgent(`#${agent}-l9`)).toBe(`#${agent}-l9`)
    expect(ofAgent(`index.html#${agent}-l9`)).toBe(`#${agent}-l9`)
    expect(ofAgent(`../${first}/index.html#l42`)).toBe('#l42')
    expect(ofAgent(`../${first}/index.html`)).toBe('#main')
  })

  it('becomes plain text if it leads nowhere', () => {
    const page = {
      type: 'root' as const,
      children: [h('a', { href: '../x.html' }, 'x'), h('p', {}, h('a', { href: '#l9' }, 'y'))],
    }
    relinkTree(page, ofFirst)
    expect(page.children).toEqual([h('a', {}, 'x'), h('p', {}, h('a', { href: '#l9' }, 'y'))])
  })

  it('is rewritten wherever a view contains it, and nothing else is', () => {
    const here = sessionPage(first).split('/').at(-1)
    const view = {
      title: 'href',
      href: 3,
      rows: [
        { href: `${here}#l9`, text: 'a' },
        { href: '../x.html', text: 'b' },
      ],
      none: undefined,
    }
    const rewritten = relinkView(view, ofFirst)
    expect(rewritten).toStrictEqual({ ...view, rows: [{ href: '#l9', text: 'a' }, { text: 'b' }] })
    expect(view.rows[1]).toHaveProperty('href')
  })
})

describe('inline content', () => {
  it('is a script that contains no end tag, and does the same', () => {
    const source = "const a = '</script><!-- <script>'\r\nconst b = /<\\/script/.test(a)\rresult = [a, b]"
    const inline = inlineScript(source)
    expect(inline).not.toMatch(/<\/script|<!--|\r/i)
    const context = { result: [] as unknown[] }
    runInNewContext(inline, context)
    expect([...context.result]).toEqual(['</script><!-- <script>', true])
  })

  it('is a style sheet that contains no end tag', () => {
    expect(inlineStyle('a::before { content: "</style>" }\r\nb {}')).toBe('a::before { content: "\\3C /style>" }\nb {}')
  })
})
