import { describe, expect, it } from 'vitest'
import { renderMarkdownSlice } from '../../../src/render/transcript/markdown.ts'
import { renderTextSlice } from '../../../src/render/transcript/text.ts'
import type { Agent, TopContent, Turn } from '../../../src/transcript/trast.ts'
import { body, context } from '../../helpers/render.ts'
import { parseTags } from '../../helpers/tags.ts'
import * as tree from '../../helpers/tree.ts'

const formats: Readonly<Record<string, (item: TopContent) => string>> = {
  'a page': (item) => parseTags(body([item])).text,
  Markdown: (item) => renderMarkdownSlice(tree.session([item]), context()),
  text: (item) => renderTextSlice(tree.session([item]), context()),
}

const actions: Readonly<Record<Agent['action'], string>> = {
  spawn: 'Started a sub-agent',
  send: 'Wrote to a sub-agent',
  wait: 'Waited for a sub-agent',
  resume: 'Resumed a sub-agent',
  close: 'Closed a sub-agent',
  list: 'Listed sub-agents',
  finish: 'Sub-agent finished',
}

const kinds: Readonly<Record<Exclude<Turn['kind'], 'user'>, string>> = {
  compaction: 'compaction',
  shell: 'command run by the user',
  review: 'review',
  agent: 'from another agent',
  goal: 'goal',
}

describe.each(Object.entries(formats))('%s has the same words as the other formats', (_, render) => {
  it.each(Object.entries(actions))('for an action on a sub-agent: %s', (action, words) => {
    const item = tree.agent([], { action: action as Agent['action'], name: 'painter' })
    expect(render(tree.turn([item]))).toContain(words)
  })

  it('for the error that ended a turn, after its last part', () => {
    const part = (data: Turn['data']) =>
      render(tree.turn([], { status: 'failed', error: 'no credit', ...(data && { data }) }))
    expect(part(undefined)).toContain('no credit')
    expect(part({ continued: true })).toContain('no credit')
    expect(part({ continues: true })).not.toContain('no credit')
  })

  it.each(Object.entries(kinds))('for turns without a prompt: %s', (kind, words) => {
    const text = render(tree.turn([], { kind: kind as Turn['kind'] }))
    expect(text).toContain(words)
    if (!words.includes(kind)) expect(text).not.toContain(kind)
  })

  it('for a file that was attached to a prompt', () => {
    const file = {
      type: 'reference' as const,
      id: 'l1.1',
      kind: 'file' as const,
      target: '/home/ada/engine/src/gate.ts',
    }
    const prompt = tree.user('Mend it')
    prompt.children.push(file)
    const text = render(tree.turn([prompt], { cwd: '/home/ada/engine' }))
    expect(text).toMatch(/file\W+src\/gate\.ts/i)
    expect(text).not.toContain('engine/src')
  })

  it('for a script of code mode', () => {
    const text = render(tree.turn([tree.toolCall('exec', 'text("a")', [], { family: 'custom' })]))
    expect(text).toContain('Script')
    expect(text).not.toContain('exec')
  })
})
