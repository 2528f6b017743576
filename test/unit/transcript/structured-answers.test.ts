/** Answers that are reviews or JSON, and errors that servers reported in JSON (rollout-format 3.3, 6.5). */
import { describe, expect, it } from 'vitest'
import { renderBody } from '../../../src/render/transcript/html.ts'
import { renderMarkdown } from '../../../src/render/transcript/markdown.ts'
import { searchPagePieces } from '../../../src/search/page.ts'
import type { Session } from '../../../src/transcript/trast.ts'
import * as r from '../../helpers/records.ts'
import { context, renderText } from '../../helpers/render.ts'
import { all, only, run, textOf } from '../../helpers/slice.ts'

const review = {
  findings: [
    {
      title: '[P1] The latch turns `left`',
      body: 'It returns -1 where *one* was meant.',
      confidence_score: 0.98,
      priority: 1,
      code_location: { absolute_file_path: '/home/ada/engine/latch.ts', line_range: { start: 3, end: 7 } },
    },
    { title: '[P3] A name', body: 'Rename it.', code_location: { absolute_file_path: '/home/ada/engine/a.ts' } },
  ],
  overall_correctness: 'patch is incorrect',
  overall_explanation: 'The **latch** never opens.',
  overall_confidence_score: 0.91,
}

const answering = (text: string) =>
  run([
    r.started('t1'),
    r.userItem('Review the current code changes'),
    r.userEvent('Review the current code changes'),
    r.answerEvent(text),
    r.answerItem(text),
    r.complete('t1'),
  ])

const outputs = (tree: Session): Record<string, string> => {
  const using = context()
  return {
    page: renderBody(tree, using).replace(/<[^>]+>/g, ' '),
    markdown: renderMarkdown(tree, using),
    text: renderText(tree, using),
    search: searchPagePieces(tree, using, { title: 't', project: 'p', words: [] }).join(''),
  }
}

describe("a reviewer's answer", () => {
  it.each([
    ['bare', JSON.stringify(review)],
    ['indented', JSON.stringify(review, undefined, 2)],
    ['in a fence', `\`\`\`json\n${JSON.stringify(review)}\n\`\`\`\n`],
  ])('becomes findings (%s)', async (_, text) => {
    const { tree } = await answering(text)
    const notice = only(tree, 'notice')
    expect(notice).toMatchObject({ kind: 'review', facts: { after: 'patch is incorrect', confidence: 0.91 } })
    expect(all(tree, 'finding')).toMatchObject([
      { priority: 1, confidence: 0.98, path: '/home/ada/engine/latch.ts', startLine: 3, endLine: 7 },
      { priority: 3, path: '/home/ada/engine/a.ts' },
    ])
    expect(all(tree, 'message').at(-1)?.children).toEqual([notice])
  })

  it('is shown with all parts of its findings in every format, and never as JSON', async () => {
    const { tree } = await answering(JSON.stringify(review))
    for (const [where, said] of Object.entries(outputs(tree))) {
      const shown = said.replace(/\\([`*[\]-])/g, '$1')
      for (const part of ['The latch turns', 'latch.ts', 'where', 'one', 'never opens'])
        expect(shown, where).toContain(part)
      expect(shown, where).not.toContain('overall_correctness')
      if (where === 'search') continue
      for (const part of ['patch is incorrect', 'confidence 98 %', 'confidence 91 %', ':3-7'])
        expect(shown, where).toContain(part)
      expect(shown, where).not.toContain('[P1]')
    }
    expect(outputs(tree)['page']).toContain('-1')
  })

  it('keeps a JSON with additional fields after the review', async () => {
    const more = { ...review, ticket: 'GATE-7' }
    const { tree } = await answering(JSON.stringify(more))
    expect(all(tree, 'message').at(-1)?.children).toMatchObject([
      { type: 'notice', kind: 'review' },
      { type: 'text', lang: 'json', value: JSON.stringify(more) },
    ])
  })

  it('is not called interrupted or unsure if it says something without a verdict', async () => {
    const nothing = { findings: [], overall_correctness: '', overall_confidence_score: 0 }
    const said = { ...nothing, overall_explanation: 'Only words.' }
    const { tree } = await run([
      r.event('entered_review_mode', { target: { type: 'uncommittedChanges' }, user_facing_hint: 'current changes' }),
      r.event('exited_review_mode', { review_output: said }),
    ])
    expect(only(tree, 'notice').facts).toEqual({ before: 'current changes' })
  })

  it.each([
    '{"findings":"none","overall_correctness":"yes"}',
    '{"findings":[1,2],"overall_explanation":"x"}',
    `{"findings":${'['.repeat(5000)}${']'.repeat(5000)},"overall_explanation":"x"}`,
  ])('is ordinary JSON if it has another shape: %.40j', async (text) => {
    const { tree } = await answering(text)
    expect(all(tree, 'message').at(-1)?.children).toMatchObject([{ type: 'text', lang: 'json', value: text }])
  })
})

describe('the verdict of an approval review', () => {
  it.each([
    ['{"outcome":"allow"}', 'Approved'],
    ['{ "outcome": "deny", "rationale": "It deletes the home." }', 'Denied: It deletes the home.'],
    [
      '{"risk_level":"low","user_authorization":"high","outcome":"allow","rationale":"It only reads."}',
      'Approved: It only reads. (risk low, user authorization high)',
    ],
  ])('becomes a sentence: %s', async (text, words) => {
    const { tree } = await answering(text)
    expect(all(tree, 'message').at(-1)?.children).toMatchObject([{ type: 'markdown', value: words }])
  })
})

describe('an answer in JSON', () => {
  it.each([
    '{"outcome":"maybe","rationale":"Who knows"}',
    '{"outcome":"allow","evidence":["more than a verdict holds"]}',
    '{"answer":"forty-two","score":0.9}',
    '{\n  "risk_level": "low",\n  "rationale": "a_b_c and *d* and <e>"\n}',
    '[{"a":1},{"b":[2]}]',
    '{"a":1}\n{"b":2}',
    '{"outcome":"allow","rationale":"It was *cut',
    '[ {"steps": [{"title": "One',
    '{}',
  ])('is a block of JSON, never Markdown: %j', async (text) => {
    const { tree } = await answering(text)
    expect(all(tree, 'message').at(-1)?.children).toMatchObject([{ type: 'text', lang: 'json', value: text }])
    const { page = '', markdown = '', text: plain = '' } = outputs(tree)
    expect(page).not.toContain('<em>')
    expect(markdown).toContain('```json')
    for (const word of text.match(/\w{4,}/g) ?? []) expect(plain).toContain(word)
  })

  it.each([
    '[config.toml](/home/ada/config.toml) holds it.',
    '{"a":1} is what *it* prints.',
    '[x] done, [ ] open',
    '{curly} words',
    '{"quoted" words} go on',
    'Here: {"a":1}',
    '',
    '```json\n{"a":1}\n```',
  ])('is prose if more than JSON was said: %j', async (text) => {
    const { tree } = await answering(text)
    const said = all(tree, 'message').filter(({ role }) => role === 'assistant')
    expect(said.flatMap(({ children }) => children.map(({ type }) => type))).toEqual(text === '' ? [] : ['markdown'])
    expect(said.map(textOf).join('')).toBe(text)
  })
})

describe('an error that a server reported in JSON', () => {
  const failing = (message: string) =>
    run([
      r.started('t1'),
      r.userItem('Go'),
      r.event('task_complete', { turn_id: 't1', error: { message, codex_error_info: 'other' } }),
    ])

  it.each([
    ['{"error":{"message":"No such model.","type":"invalid_request_error","code":null}}', 'No such model.'],
    ['{"error":"No such model."}', 'No such model.'],
    ['{"detail":"No such model."}', 'No such model.'],
    ['{"detail":[{"loc":["body"],"msg":"No such model."}]}', 'No such model.'],
    ['[{"error":{"code":400,"message":"No such model."}}]', 'No such model.'],
    ['{"error":{"message":"{\\"error\\":{\\"message\\":\\"No such model.\\"}}"}}', 'No such model.'],
    [
      'unexpected status 400 Bad Request: {"error":{"message":"No such model."}}, url: https://example.org/v1, id: 7',
      'unexpected status 400 Bad Request: No such model.',
    ],
  ])('is reduced to its message, and the recorded text is folded: %j', async (recorded, message) => {
    const { tree } = await failing(recorded)
    expect(only(tree, 'error')).toMatchObject({ message, body: recorded })
    expect(only(tree, 'turn')).toMatchObject({ status: 'failed', error: message })
    const page = renderBody(tree, context())
    expect(page).toMatch(/Error: <\/b>[^<]*No such model\./)
    expect(page.match(/<b>Error/g)).toHaveLength(1)
    expect(page.indexOf('As recorded')).toBeGreaterThan(page.indexOf('No such model.'))
    expect(outputs(tree)['text']).toContain(message)
    expect(outputs(tree)['markdown']).toContain('No such model.')
  })

  it.each([
    'stream disconnected before completion',
    'unexpected status 502 Bad Gateway: <html>{"x"</html>',
    '{"request_id":"7"}',
    '{"error":{"message":""}}',
    '{"error":',
  ])('stays as it is if no message is found: %j', async (recorded) => {
    const { tree } = await failing(recorded)
    expect(only(tree, 'error')).toMatchObject({ message: recorded })
    expect(only(tree, 'error').body).toBeUndefined()
  })

  it('is shown in the same way for an event, and kept if the turn was interrupted', async () => {
    const recorded = '{"error":{"message":"Too many.","type":"limit"}}'
    const { tree } = await run([
      r.started('t1'),
      r.event('error', { message: recorded, codex_error_info: { response_too_many_failed_attempts: {} } }),
      r.event('turn_aborted', { reason: 'interrupted', error: { message: recorded } }),
    ])
    expect(only(tree, 'error')).toMatchObject({ message: 'Too many.', body: recorded })
    expect(only(tree, 'notice').children.map((child) => 'value' in child && child.value)).toEqual([
      'interrupted: Too many.',
      recorded,
    ])
  })
})

describe('the options of a question', () => {
  const options = [{ label: 'Red', description: 'Dries in an hour.' }, { label: 'Blue' }]
  const asking = (given: unknown[]) =>
    run([
      r.call('q', 'request_user_input', { questions: [{ id: 'paint', question: 'Which paint?', options: given }] }),
      r.output('q', '{"answers":{"paint":{"answers":["Red"]}}}'),
    ])

  it('are shown with their descriptions in every format', async () => {
    const { tree } = await asking(options)
    expect(only(tree, 'question')).toMatchObject({ options: ['Red', 'Blue'], descriptions: ['Dries in an hour.', ''] })
    const { page, markdown, text, search } = outputs(tree)
    for (const shown of [page, search]) expect(shown).toContain('Red: Dries in an hour.')
    for (const shown of [markdown, text]) expect(shown).toContain('Options: Red: Dries in an hour. · Blue')
  })

  it('are shown without descriptions if none has one', async () => {
    const { tree } = await asking(['Red', { label: 'Blue' }])
    expect(only(tree, 'question')).not.toHaveProperty('descriptions')
  })
})
