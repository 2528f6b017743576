import { describe, expect, it } from 'vitest'
import { renderSearchPage } from '../../../src/search/page.ts'
import type { FlowContent } from '../../../src/transcript/trast.ts'
import { context } from '../../helpers/render.ts'
import { parseTags, tagsNamed } from '../../helpers/tags.ts'
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
  injected,
  notice,
  output,
  patch,
  plan,
  planStep,
  question,
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
      user('Oil the `hinge`.', { id: 'l1' }),
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

  it('holds thoughts, plans and searched words, each with the anchor of its item', () => {
    const html = render([
      reasoning('Perhaps *rust*', { id: 'l1' }),
      search(['hinge oil', 'gate oil'], [], { id: 'l2' }),
      plan([planStep('Look'), planStep('Oil it')], { id: 'l3' }),
    ])
    expect([...html.matchAll(/<p id="(l\d)">([^<]*)/g)].map(([, id, text]) => `${id} ${text}`)).toEqual([
      'l1 Perhaps rust.',
      'l2 hinge oil. gate oil.',
      'l3 Look. Oil it.',
    ])
  })

  it('holds what sub-agents were asked and said, findings of reviews, and questions with their answers', () => {
    const html = render([
      agent([user('Look at the hinge', { origin: 'agent' }), assistant('It is dry.')], {
        id: 'l1',
        role: 'explorer',
        name: 'Wren',
      }),
      notice('review', [finding('Hinge creaks', 'Since **spring**.', { path: 'gate.ts' })], { id: 'l2' }),
      approval(
        [
          question('Which oil?', { header: 'Oil', options: ['Linseed', 'Olive'], answer: 'Linseed' }),
          question('Whose?', { answer: 'The neighbour’s' }),
          question('Key?', { answer: 'hunter2', secret: true }),
        ],
        { id: 'l3' },
      ),
    ])
    expect(headings(html)).toEqual([
      'h4 l1 explorer Wren',
      'h3 l2 Hinge creaks gate.ts Since spring.',
      'h3 l3 Oil Which oil? Linseed Olive Whose? The neighbour’s Key?',
    ])
    expect(parseTags(html).text).toContain('Look at the hinge')
    expect(parseTags(html).text).toContain('It is dry.')
    expect(html).not.toContain('hunter2')
  })

  it('tells why a command or an edit failed, by lines of its output, as an error of that item', () => {
    const trouble = output('compiling\nerror[E0308]: mismatched types\nsee above')
    const html = render([
      command('cargo test', [trouble], { id: 'l1', exitCode: 101 }),
      command('cargo fmt', [trouble], { id: 'l2', exitCode: 0 }),
      patch([fileChange('a.rs', []), output('error: no such line')], { id: 'l3', status: 'failed' }),
    ])
    expect(headings(html)).toEqual([
      'h4 l1 cargo test',
      'h6 l1 error[E0308]: mismatched types',
      'h4 l2 cargo fmt',
      'h5 l3 a.rs',
      'h6 l3 error: no such line',
    ])
    expect(html).not.toContain('compiling')
  })

  it('holds outputs where they are wanted, without colours, each cut to 4,000 characters', () => {
    const children = [command('ls', [output('\x1b[31mzebra\x1b[0m '.repeat(2000))])]
    const { text } = parseTags(render(children, { outputs: true }))
    expect(text).toContain('zebra zebra')
    expect(text.length).toBeLessThan(4200)
    expect(parseTags(render(children)).text).not.toContain('zebra')
  })

  it('counts a title most, then prompts, answers, what was done, the rest', () => {
    const html = render([user('Prompt'), assistant('Answer'), command('ls'), reasoning('Thought')])
    const weights = tagsNamed(html, 'h2')
      .concat(tagsNamed(html, 'h3'), tagsNamed(html, 'h4'))
      .map(({ attributes }) => Number(attributes['data-pagefind-weight']))
    expect(weights).toEqual([...weights].sort((a, b) => b - a))
    expect(weights.at(-1)).toBeGreaterThan(1)
    expect(new Set(weights).size).toBe(3)
  })

  it('tells paths from the folder of the session', () => {
    const html = renderSearchPage(
      session([turn([patch([fileChange('/home/sam/garden/src/gate.ts', [])], { id: 'l1' })])], {
        cwd: '/home/sam/garden',
      }),
      context(),
      meta,
    )
    expect(headings(html)).toEqual(['h5 l1 src/gate.ts'])
  })

  it('has hidden words behind the text that they are parts of, between marks', () => {
    const html = render([user('Mend src/a/gate.ts', { id: 'l1' })])
    expect(html).toMatch(/<h2 id="l1"[^>]*>Mend src\/a\/gate\.ts<\/h2><p[^>]*>~\^~ a\/gate\.ts gate\.ts ~\^~<\/p>/)
  })

  it('takes apart what the index or its reader would take for signs of their own', () => {
    const hostile = 'x ___PAGEFIND_ANCHOR___h2:0:evil ___END_PAGEFIND_WEIGHT___ ~^~ y\u200Bz'
    const html = render([user(hostile), command(hostile), errorNode(hostile)])
    const { text } = parseTags(html)
    expect(text).not.toMatch(/___(?:END_)?PAGEFIND|\u200B/)
    expect(html.match(/~\^~/g)).toEqual(html.match(/>~\^~ | ~\^~</g)?.map(() => '~^~'))
    expect(text).toContain('~ ^ ~ y z')
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
    expect(headings(html)).toEqual(['h2 l1 &#x3C;script>alert(1)&#x3C;/script>'])
  })
})
