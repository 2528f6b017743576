/** Tags with unquoted values that contain slashes, about which parsers disagree: in a twin they are always text. */
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../../src/render/transcript/markdown.ts'
import type { FlowContent, Session } from '../../../src/transcript/trast.ts'
import { aliveIn, renderers } from '../../helpers/markdown-renderers.ts'
import { context } from '../../helpers/render.ts'
import * as tree from '../../helpers/tree.ts'

const forms = [
  '<img src=/x onerror=alert(2)>',
  '<img src=//evil.example/x onerror=alert(1)>',
  '<svg onload=alert(6)//>',
  '<object data=//evil.example/o>',
  '<a href=//evil.example/a onclick=alert(4)>',
  '<meta http-equiv=refresh content=0;url=//evil.example/>',
  '<img src=x onerror=alert(3)>',
]

/** Where a form may be in a body. */
const positions: readonly ((form: string) => string)[] = [
  (form) => form,
  (form) => `See ${form} there.`,
  (form) => `See\n${form}`,
  (form) => `- a\n- ${form}`,
  (form) => `> ${form}`,
  (form) => `# ${form}`,
  (form) => `| a |\n|---|\n| ${form} |`,
  (form) => `**${form}**`,
  (form) => `[${form}](https://e.example)`,
  (form) => `a \` b\n${form}`,
  (form) => form.toUpperCase(),
  (form) => `\`\`\`\na\n\`\`\`\n${form}`,
]

/** What may have a body: prompts, answers, thoughts, summaries, and all other Markdown. */
const places: readonly [name: string, node: (body: string) => FlowContent][] = [
  ['a prompt', (body) => tree.user(body)],
  ['a prompt of another agent', (body) => tree.user(body, { delegated: true })],
  ['an answer', (body) => tree.assistant(body)],
  ['a thought', (body) => tree.reasoning(body)],
  ['a summary', (body) => tree.notice('compaction', [tree.markdown(body)])],
  ['a plan', (body) => tree.plan([tree.markdown(body)])],
  ['the task of an agent', (body) => tree.agent([tree.user(body, { origin: 'agent' })], { name: 'wren' })],
  ['a finding', (body) => tree.notice('review', [tree.finding(body, body)])],
  ['an error', (body) => tree.errorNode(body)],
]

const twin = (session: Session): string => renderMarkdown(session, { ...context(), subtitle: session.title })

describe.each(forms)('%s', (form) => {
  it('is markup for some renderer if nothing escapes it', () => {
    expect(renderers.some(({ read }) => read(form).html.length > 0 || read(`a ${form}`).html.length > 0)).toBe(true)
  })

  it.each(places)('is text in %s, at every position', (_, node) => {
    const turns = positions.map((body) => tree.turn([node(body(form))]))
    const source = twin(tree.session(turns))
    expect(aliveIn(source)).toEqual([])
    expect(source.toLowerCase().split(form.toLowerCase().slice(1, 6)).length).toBeGreaterThan(positions.length)
  })

  it('is text in a title and as the only content', () => {
    expect(aliveIn(twin(tree.session([], { title: form })))).toEqual([])
  })
})
