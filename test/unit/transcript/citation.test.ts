/** The memories that an answer drew on (rollout-format 5.1). */
import { describe, expect, it } from 'vitest'
import { renderBody } from '../../../src/render/transcript/html.ts'
import { renderMarkdown } from '../../../src/render/transcript/markdown.ts'
import { splitCitations } from '../../../src/rollout/parse/content.ts'
import { searchPagePieces } from '../../../src/search/page.ts'
import { visibleText } from '../../../src/transcript/texts.ts'
import * as r from '../../helpers/records.ts'
import { context, renderText } from '../../helpers/render.ts'
import { all, run } from '../../helpers/slice.ts'

const thread = '0199d1a0-1111-7222-8333-444455556666'
const citation = {
  entries: [
    { path: 'MEMORY.md', lineStart: 15, lineEnd: 23, note: 'where the <gate> stands' },
    { path: 'rollout_summaries/gate.md', lineStart: 4, lineEnd: 4, note: 'how it opens' },
  ],
  rolloutIds: [thread],
}
const block = `<oai-mem-citation>
<citation_entries>
MEMORY.md:15-23|note=[where the <gate> stands]
rollout_summaries/gate.md:4-4|note=[how it opens]
</citation_entries>
<rollout_ids>
${thread}
</rollout_ids>
</oai-mem-citation>`
const expected = [
  { type: 'markdown', value: 'It is open.' },
  { type: 'reference', kind: 'memory', target: 'MEMORY.md:15-23', label: 'where the <gate> stands' },
  { type: 'reference', kind: 'memory', target: 'rollout_summaries/gate.md:4', label: 'how it opens' },
  { type: 'reference', kind: 'session', target: thread },
]

const item = r.answerItem(`It is open.\n\n${block}`)
const event = r.answerEvent('It is open.', { memory_citation: citation })
const paginated = r.completed('AgentMessage', {
  id: 'm1',
  content: [{ type: 'Text', text: 'It is open.' }],
  memory_citation: citation,
})
const answered = (...answer: r.Json[]) => run([r.started('t1'), r.userItem('Open it.'), ...answer, r.complete('t1')])

describe('memories that an answer drew on', () => {
  it.each([
    ['both logs', [event, item]],
    ['both logs, the item first', [item, event]],
    ['the event alone', [event]],
    ['the item alone', [item]],
    ['an event without them', [r.answerEvent('It is open.'), item]],
    ['a paginated item', [paginated]],
  ])('become references of the answer: %s', async (_, records) => {
    const { tree } = await answered(...records)
    const answers = all(tree, 'message').filter(({ role }) => role === 'assistant')
    expect(answers.map(({ children }) => children)).toMatchObject([expected])
  })

  it('are shown below the answer, with the session that they come from', async () => {
    const { tree } = await answered(event, item)
    const html = renderBody(tree, context())
    expect(html).toContain('From memory: where the &#x3C;gate> stands <code>MEMORY.md:15-23</code>')
    expect(html).toContain(`From session: <code>${thread}</code> (not included here)`)
    expect(renderMarkdown(tree, context())).toContain('From memory: how it opens `rollout_summaries/gate.md:4`')
    const known = context({ [thread]: { title: 'Mend the gate', built: true } })
    expect(renderBody(tree, known)).toMatch(/From session: <a href="[^"]+">Mend the gate<\/a><\/p>/)
    expect(renderMarkdown(tree, context())).toContain(`From session: \`${thread}\` (not included here)`)
    expect(renderMarkdown(tree, known)).toMatch(/From session: \[Mend the gate\]\([^)]+\)\n/)
    expect(renderText(tree, context())).toContain('[memory · how it opens · rollout_summaries/gate.md:4]')
    expect(searchPagePieces(tree, context(), { title: '', project: '', words: [] }).join('')).toContain('how it opens')
  })
})

describe('blocks of citations and plans', () => {
  it('are not part of what was said', () => {
    expect(splitCitations(`a${block}b${block}c`).said).toBe('abc')
    expect(splitCitations('a <oai-mem-citation> b')).toEqual({ said: 'a <oai-mem-citation> b', blocks: [] })
    expect(visibleText('a\n<proposed_plan>\n- x\n</proposed_plan>\nb <proposed_plan>')).toBe('a\nb <proposed_plan>')
    expect(visibleText('a\n<proposed_plan>\n- x')).toBe('a\n<proposed_plan>\n- x')
    expect(visibleText('a\n<proposed_plan>\n<proposed_plan>\n</proposed_plan>\nb')).toBe('a\nb')
    expect(visibleText('</proposed_plan>\n<proposed_plan>x\n</proposed_plan>')).not.toBe('')
  })

  // A pattern for both tags would search to the end from each opening one, which takes minutes for this text.
  it('are found in linear time', () => {
    const tags = '<oai-mem-citation>'.repeat(200_000)
    expect(visibleText(tags)).toBe(tags)
    const plans = '<proposed_plan>\n'.repeat(200_000)
    expect(visibleText(plans)).toBe(plans.trim())
  })
})
