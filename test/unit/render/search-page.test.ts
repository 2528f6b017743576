import { describe, expect, it } from 'vitest'
import { textsOf } from '../../../src/features/terminal-search/texts.ts'
import { namesIn } from '../../../src/search/blocks.ts'
import { searchPagePieces } from '../../../src/search/page.ts'
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
  markdown,
  notice,
  output,
  patch,
  plan,
  planStep,
  question,
  reasoning,
  search,
  session,
  text,
  toolCall,
  turn,
  unknown,
  user,
} from '../../helpers/tree.ts'

const meta = { title: 'Mend <it>', project: 'garden', words: [] }
const render = (children: FlowContent[], fields = {}) =>
  searchPagePieces(session([turn(children)]), context(), { ...meta, ...fields }).join('')

/** Texts as `kind id text`, with the following texts of the same item. */
const headings = (html: string) =>
  [...html.matchAll(/<x-(?!turn|folder)(\w+) id="([^"]+)"><\/x-\w+>((?: ?<span[^>]*>[^<]*<\/span>)*)/g)].map(
    ([, kind, id, text = '']) =>
      `${kind} ${id} ${text
        .replace(/<[^>]*>/g, ' ')
        .replace(/ ~\^~.*?~\^~ /g, ' ')
        .replace(/\s+/g, ' ')
        .trim()}`,
  )

describe('names in a session', () => {
  it('are the relative paths of its edits and its tools, each once, without unsearched parts', () => {
    const edit = (path: string, fields = {}) => patch([fileChange(path, [], fields)])
    const items = [
      edit('/home/sam/shop/src/gate.ts'),
      edit('src/gate.ts', { movedTo: '/etc/gate' }),
      toolCall('find', '{}', [edit('oil.ts')], { server: 'docs' }),
      toolCall('find', '{}', []),
      group('rolledBack', 'Taken back', [edit('never.ts')]),
      group('inherited', 'Copied', [patch([fileChange('copied.ts', [])], { data: { inherited: true } })]),
    ]
    expect(namesIn(session([turn(items)], { cwd: '/home/sam/shop' }))).toEqual({
      files: ['src/gate.ts', '/etc/gate', 'oil.ts'],
      tools: ['docs/find', 'find'],
    })
    expect(namesIn(session([turn([user('Mend it')])]))).toEqual({})
  })
})

describe('the pruned page of a session', () => {
  it("is found by paths of edits that begin above the session's folder", () => {
    const edits = [patch([fileChange('/home/sam/shop/src/gate.ts', [])]), patch([fileChange('/etc/gate', [])])]
    const html = (cwd: string) => searchPagePieces(session([turn(edits)], { cwd }), context(), meta).join('')
    expect(html('/home/sam/shop')).toMatch(
      /<x-folder id="\/home\/sam\/shop"><\/x-folder><span> ~\^~ \/home\/sam\/shop home‿sam sam‿shop home‿sam‿shop shop‿src sam‿shop‿src shop‿src‿gate ~\^~ <\/span><\/body>/,
    )
    expect(html('/srv')).not.toContain('x-folder')
    const blank = [patch([fileChange('/home/my 5% shop/gate.ts', [])])]
    const page = searchPagePieces(session([turn(blank)], { cwd: '/home/my 5% shop' }), context(), meta).join('')
    expect(page).toContain('<x-folder id="/home/my%205%25%20shop">')
  })

  it('has the kind of each part as the name of an element, with the anchor of the item', () => {
    const html = render([
      user('Oil the `hinge`.', { id: 'l1' }),
      assistant('I look.', { id: 'l2', phase: 'commentary' }),
      assistant('Look at the gate.', { id: 'l2a', origin: 'agent' }),
      command('oil --hinge', [], { id: 'l3' }),
      patch([fileChange('gate.ts', [hunk('+a')]), fileChange('hinge.ts', [])], { id: 'l4' }),
      toolCall('find', '{}', [command('ls', [], { id: 'l5.1' })], { id: 'l5', server: 'docs' }),
      errorNode('no oil', { id: 'l6' }),
      group('exploration', 'Explored', [command('cat gate', [], { id: 'l7' })]),
    ])
    expect(html).toMatch(/<x-turn id="1"><\/x-turn> ?<x-prompt id="l1">/)
    expect(headings(html)).toEqual([
      'prompt l1 Oil the hinge.',
      'commentary l2 I look.',
      'agent l2a Look at the gate.',
      'command l3 oil --hinge',
      ...['edit l4 gate.ts hinge.ts', 'rest l4.rest a', 'mcp l5 docs/find'],
      'command l5.1 ls',
      'error l6 no oil',
      'command l7 cat gate',
    ])
  })

  it('has a long prompt completely, and once', () => {
    const html = render([user(`${'word '.repeat(5000)}end`, { id: 'l1' })])
    expect(parseTags(html).text.match(/word/g)).toHaveLength(5000)
    expect(html).toContain('end')
  })

  it('omits outputs, injected context, and copied, rolled-back and hidden parts', () => {
    const secret = 'zebra'
    const html = render([
      command('ls', [output(secret)]),
      toolCall('find', '{}', [output(secret)]),
      injected('environment', secret),
      user(secret, { role: 'developer' }),
      user(secret, { data: { visibility: 'hidden' } }),
      group('inherited', 'x', [turn([user(secret), assistant(secret, { data: { inherited: true } })])]),
      group('rolledBack', 'x', [turn([user(secret)])]),
      unknown('x', { secret }),
      patch([fileChange('a', [hunk(` ${secret}`)])]),
    ])
    expect(html).not.toContain(secret)
  })

  it('has a copied history without an original, in separate turns', () => {
    const copied = turn([user('Oil the gate', { id: 'l2' })], { number: 1, data: { inherited: true } })
    const html = render([group('inherited', 'Copied', [copied], { data: { visibility: 'open', inherited: true } })])
    expect(html).toContain('<x-turn id="-1"></x-turn>')
    expect(headings(html)).toEqual(['prompt l2 Oil the gate'])
  })

  it('has thoughts, plans and searched words, each with the anchor of its item', () => {
    const html = render([
      reasoning('Perhaps *rust*', { id: 'l1' }),
      search(['hinge oil', 'gate oil'], [], { id: 'l2' }),
      plan([planStep('Look'), planStep('Oil it')], { id: 'l3' }),
    ])
    expect(headings(html)).toEqual(['thought l1 Perhaps rust', 'search l2 hinge oil gate oil', 'plan l3 Look Oil it'])
  })

  it('has the place of what was picked in a prompt, which the page does not show', () => {
    expect(render([user('Fix [gate.lua](w:/shop/gate.lua)')])).toContain(' Fix gate.lua w:/shop/gate.lua ')
  })

  it('has changed lines of edits, arguments of tools and summaries of compactions', () => {
    const html = render([
      patch([fileChange('a.ts', [hunk(' around\n-old line\n+new line')])], { id: 'l1' }),
      toolCall('find', '{"query":"zebra"}', [], { id: 'l2' }),
      notice('compaction', [markdown('We **oiled** it')], { id: 'l3' }),
    ])
    expect(headings(html)).toEqual([
      ...['edit l1 a.ts', 'rest l1.rest old line new line', 'tool l2 find', 'rest l2.rest {"query":"zebra"}'],
      'notice l3 We oiled it',
    ])
  })

  it('has tasks and messages of sub-agents, findings of reviews, and questions with answers', () => {
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
      'agent l1 explorer Wren Look at the hinge It is dry.',
      'notice l2 Hinge creaks gate.ts Since spring.',
      'question l3 Oil Which oil? Linseed Olive Whose? The neighbour’s Key?',
    ])
    expect(parseTags(html).text).toContain('Look at the hinge')
    expect(parseTags(html).text).toContain('It is dry.')
    expect(html).not.toContain('hunter2')
  })

  it('has the label of a request of Codex, as the search in the terminal does', () => {
    const request = user([text('rm -rf build', { id: 'l9' })], { id: 'l1', origin: 'codex', label: 'Approval request' })
    expect(headings(render([request]))).toEqual(['question l1 Approval request rm -rf build'])
    const texts: string[] = []
    textsOf(request, ({ kind, id, value }) => texts.push(`${kind} ${id} ${value}`))
    expect(texts).toEqual(['question l1 Approval request: rm -rf build'])
    const injectedText = injected('Reviewed transcript', 'rm', { id: 'l2' })
    expect(headings(render([injectedText]))).toEqual([])
  })

  it('has no text for empty arguments of a call, as in the terminal', () => {
    const call = toolCall('list', '{ }', [], { id: 'l1' })
    expect(headings(render([call]))).toEqual(['tool l1 list'])
    const texts: string[] = []
    textsOf(call, ({ kind, id, value }) => texts.push(`${kind} ${id} ${value}`))
    expect(texts).toEqual(['tool l1 list'])
  })

  it('has the lines of output that say why a command or an edit failed, as an error of that item', () => {
    const trouble = output('compiling\nerror[E0308]: mismatched types\nsee above')
    const html = render([
      command('cargo test', [trouble], { id: 'l1', exitCode: 101 }),
      command('cargo fmt', [trouble], { id: 'l2', exitCode: 0 }),
      patch([fileChange('a.rs', []), output('error: no such line')], { id: 'l3', status: 'failed' }),
    ])
    expect(headings(html)).toEqual([
      'command l1 cargo test',
      'error l1 error[E0308]: mismatched types',
      'command l2 cargo fmt',
      'edit l3 a.rs',
      'error l3 error: no such line',
    ])
    expect(html).not.toContain('compiling')
  })

  it('has outputs if wanted, without colours, each cut to 32,000 characters', () => {
    const children = [command('ls', [output('\x1b[31mzebra\x1b[0m '.repeat(20_000))])]
    const { text } = parseTags(render(children, { outputs: true }))
    expect(text).toContain('zebra zebra')
    expect(text.length).toBeLessThan(33_000)
    expect(parseTags(render(children)).text).not.toContain('zebra')
  })

  it('weights a title most, then prompts, answers, actions, and everything else', () => {
    const html = render([user('Prompt'), assistant('Answer'), command('ls'), reasoning('Thought')])
    const weights = tagsNamed(html, 'span').map(({ attributes }) => Number(attributes['data-pagefind-weight'] ?? 1))
    expect(weights).toEqual([...weights].sort((a, b) => b - a))
    expect(new Set(weights).size).toBe(4)
  })

  it('has paths relative to the folder of the session', () => {
    const html = searchPagePieces(
      session([turn([patch([fileChange('/home/sam/garden/src/gate.ts', [])], { id: 'l1' })])], {
        cwd: '/home/sam/garden',
      }),
      context(),
      meta,
    ).join('')
    expect(headings(html)).toEqual(['edit l1 src/gate.ts'])
  })

  it('has hidden words after the text that they are parts of, between marks', () => {
    const html = render([user('Mend src/a/gate.ts', { id: 'l1' })])
    expect(html).toMatch(/> Mend src\/a\/gate\.ts ~\^~ a src‿a a‿gate src‿a‿gate gate‿ts a‿gate‿ts ~\^~ <\/span>/)
  })

  it('breaks up what the index or its reader would take for their own marks', () => {
    const hostile = 'x ___PAGEFIND_ANCHOR___h2:0:evil ___END_PAGEFIND_WEIGHT___ ~^~ y\u200Bz'
    const html = render([user(hostile), command(hostile), errorNode(hostile)])
    const { text } = parseTags(html)
    expect(text).not.toMatch(/___(?:END_)?PAGEFIND|\u200B/)
    expect(html.match(/ ~\^~ (?:[^\s~]+ )+~\^~ <\/span>/g)).toHaveLength(3)
    expect(html.match(/~\^~/g)).toHaveLength(6)
    expect(text).toContain('~ ^ ~ y z')
  })

  it('has prose as words, without marks and raw HTML, and with link targets after it', () => {
    const { text } = parseTags(
      render([
        assistant(
          '# Gate\n\n- [hinge](https://example.org/oil) `x` ![](https://example.org/a.png)\n\n<b>raw</b>\n\n| a |\n|---|\n| b |',
        ),
      ]),
    )
    expect(text).toContain('Gate hinge x raw a b https://example.org/oil https://example.org/a.png')
  })

  it('has the request to an editor, but not its context', () => {
    const html = render([
      user('# Context from my IDE setup:\n\n## Open tabs:\n- zebra.ts\n\n## My request for Codex:\nMend it', {
        id: 'l1',
      }),
    ])
    expect(headings(html)).toEqual(['prompt l1 Mend it'])
    expect(html).not.toContain('zebra')
  })

  it('has what the index shows, and words by which a session is found', () => {
    const html = render([], { startedAt: '2026-03-14T23:30:00.000Z', words: ['019f-1', 'fix'] })
    const values = tagsNamed(html, 'meta').map(({ attributes }) => Object.values(attributes).join(' '))
    expect(values).toEqual(['title[content] Mend <it>', 'project[content] garden', 'date[content] 2026-03-14 23:30'])
    expect(html).toContain('~^~ ~^^~ 019f-1 019f 1 019f‿1 fix ~^~')
    expect(html).toContain('<body data-pagefind-body="">')
  })

  it('keeps hostile text as text', () => {
    const html = render([user('<script>alert(1)</script>', { id: 'l1' })], { words: ['"><script>'] })
    expect(tagsNamed(html, 'script')).toEqual([])
    expect(headings(html)).toEqual(['prompt l1 &#x3C;script>alert(1)&#x3C;/script>'])
  })
})
