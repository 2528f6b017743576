import { runInNewContext } from 'node:vm'
import { h } from 'hastscript'
import { describe, expect, it } from 'vitest'
import { inlineScript, inlineStyle, relinker, relinkTree, relinkView } from '../../../src/render/pages/standalone.ts'
import { sessionPage } from '../../../src/transcript/urls.ts'
import { threadNumber } from '../../helpers/summary.ts'

const [first, agent, other] = [1, 2, 3].map(threadNumber) as [string, string, string]
const ofFirst = relinker(first, first, [agent])
const ofAgent = relinker(agent, first, [agent])

describe('a link in a page that stands alone', () => {
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
    ['to a picture that is shown already', 'data:image/png;base64,AAAA', undefined],
    ['that is none', 'http://[', undefined],
  ])('%s', (_what, href, expected) => {
    expect(ofFirst(href)).toBe(expected)
  })

  it('keeps the ids of its own sub-agent and finds those of the session above', () => {
    expect(ofAgent(`#${agent}-l9`)).toBe(`#${agent}-l9`)
    expect(ofAgent(`index.html#${agent}-l9`)).toBe(`#${agent}-l9`)
    expect(ofAgent(`../${first}/index.html#l42`)).toBe('#l42')
    expect(ofAgent(`../${first}/index.html`)).toBe('#main')
  })

  it('is plain text where it leads nowhere', () => {
    const page = {
      type: 'root' as const,
      children: [h('a', { href: '../x.html' }, 'x'), h('p', {}, h('a', { href: '#l9' }, 'y'))],
    }
    relinkTree(page, ofFirst)
    expect(page.children).toEqual([h('a', {}, 'x'), h('p', {}, h('a', { href: '#l9' }, 'y'))])
  })

  it('is rewritten wherever a view holds it, and nothing else is', () => {
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

describe('what stands inside a page', () => {
  it('is a script that cannot end before its end, and does the same', () => {
    const source = "const a = '</script><!-- <script>'\r\nconst b = /<\\/script/.test(a)\rresult = [a, b]"
    const inline = inlineScript(source)
    expect(inline).not.toMatch(/<\/script|<!--|\r/i)
    const context = { result: [] as unknown[] }
    runInNewContext(inline, context)
    expect([...context.result]).toEqual(['</script><!-- <script>', true])
  })

  it('is a style sheet that cannot end before its end', () => {
    expect(inlineStyle('a::before { content: "</style>" }\r\nb {}')).toBe('a::before { content: "\\3C /style>" }\nb {}')
  })
})
