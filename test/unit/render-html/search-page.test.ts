import { describe, expect, it } from 'vitest'
import type { FlowContent } from '../../../src/model/trast.ts'
import { renderSearchPage } from '../../../src/render/search-page.ts'
import { context } from '../../helpers/render.ts'
import { parseTags, tagsNamed } from '../../helpers/tags.ts'
import {
  assistant,
  command,
  errorNode,
  fileChange,
  group,
  hunk,
  injected,
  output,
  patch,
  reasoning,
  search,
  session,
  toolCall,
  turn,
  unknown,
  user,
} from '../../helpers/tree.ts'

const meta = { title: 'Mend <it>', project: 'garden', models: ['m-1', 'm-2'] }
const render = (children: FlowContent[], fields = {}) =>
  renderSearchPage(session([turn(children)]), context(), { ...meta, ...fields })

/** Headings as `level id text`. */
const headings = (html: string) =>
  [...html.matchAll(/<(h[1-6]) id="([^"]+)"[^>]*>([^<]*)</g)].map(([, level, id, text]) => `${level} ${id} ${text}`)

describe('the pruned page of a session', () => {
  it('tells the kind of each part by the level of its heading, with the anchor of the item', () => {
    const html = render([
      user('Oil the **hinge**.', { id: 'l1' }),
      assistant('I look.', { id: 'l2', phase: 'commentary' }),
      command('oil --hinge', [], { id: 'l3' }),
      patch([fileChange('gate.ts', [hunk('+a')]), fileChange('hinge.ts', [])], { id: 'l4' }),
      toolCall('find', '{}', [command('ls', [], { id: 'l5.1' })], { id: 'l5', server: 'docs' }),
      errorNode('no oil', { id: 'l6' }),
      group('exploration', 'Explored', [command('cat gate', [], { id: 'l7' })]),
    ])
    expect(headings(html)).toEqual([
      'h2 l1 Oil the hinge.',
      'h3 l2 I look.',
      'h4 l3 oil --hinge',
      'h5 l4 gate.ts hinge.ts',
      'h4 l5 docs/find',
      'h4 l5.1 ls',
      'h6 l6 no oil',
      'h4 l7 cat gate',
    ])
  })

  it('says each word once: the heading is the beginning of the text', () => {
    const html = render([user(`The first sentence is short. ${'word '.repeat(60)}end`, { id: 'l1' })])
    expect(headings(html)).toEqual(['h2 l1 The first sentence is short.'])
    expect(html).toMatch(/<p[^>]*>word word/)
    const long = render([user('word '.repeat(60), { id: 'l1' })])
    expect(headings(long)[0]?.length).toBeLessThanOrEqual(130)
    expect(parseTags(long).text.match(/word/g)).toHaveLength(60)
  })

  it('leaves out outputs, injected context, copied, rolled-back and hidden parts', () => {
    const secret = 'zebra'
    const html = render([
      command('ls', [output(secret)]),
      toolCall('find', secret, [output(secret)]),
      injected('environment', secret),
      user(secret, { role: 'developer' }),
      user(secret, { data: { visibility: 'hidden' } }),
      assistant(secret, { data: { inherited: true } }),
      group('inherited', 'x', [turn([user(secret)])]),
      group('rolledBack', 'x', [turn([user(secret)])]),
      unknown('x', { secret }),
      patch([fileChange('a', [hunk(`+${secret}`)])]),
    ])
    expect(html).not.toContain(secret)
  })

  it('holds thoughts and searched words', () => {
    const { text } = parseTags(render([reasoning('Perhaps *rust*'), search(['hinge oil'])]))
    expect(text).toContain('Perhaps rust')
    expect(text).toContain('hinge oil')
  })

  it('reads prose as words, without marks, raw HTML and link targets', () => {
    const { text } = parseTags(
      render([assistant('# Gate\n\n- [hinge](https://example.org/oil) `x`\n\n<b>raw</b>\n\n| a |\n|---|\n| b |')]),
    )
    expect(text).toContain('Gate hinge x raw a b')
    expect(text).not.toContain('example.org')
  })

  it('takes the request of an editor, not its context', () => {
    const html = render([
      user('# Context from my IDE setup:\n\n## Open tabs:\n- zebra.ts\n\n## My request for Codex:\nMend it', {
        id: 'l1',
      }),
    ])
    expect(headings(html)).toEqual(['h2 l1 Mend it'])
    expect(html).not.toContain('zebra')
  })

  it('caps a body at 4,000 characters', () => {
    expect(parseTags(render([user('word '.repeat(5000))])).text.length).toBeLessThan(4200)
  })

  it('carries what the index filters, shows and sorts by', () => {
    const html = render([], { startedAt: '2026-03-14T23:30:00.000Z', branch: 'fix/gate', label: 'home' })
    const values = tagsNamed(html, 'meta').map(({ attributes }) =>
      Object.entries(attributes)
        .map(([, value]) => value)
        .join(' '),
    )
    expect(values).toEqual([
      'project[content] garden',
      'model[content] m-1',
      'model[content] m-2',
      'month[content] 2026-03',
      'branch[content] fix/gate',
      'label[content] home',
      'title[content] Mend <it>',
      'project[content] garden',
      'date[content] 2026-03-14 23:30',
      'date[content] 2026-03-14T23:30:00.000Z',
    ])
    expect(render([], { errors: true })).toContain('data-pagefind-filter="errors[content]" content="yes"')
    expect(html).toContain('<body data-pagefind-body="">')
  })

  it('keeps hostile text as text', () => {
    const html = render([user('<script>alert(1)</script>', { id: 'l1' })], { branch: '"><script>' })
    expect(tagsNamed(html, 'script')).toEqual([])
    expect(headings(html)).toEqual(['h2 l1 alert(1)'])
  })
})
