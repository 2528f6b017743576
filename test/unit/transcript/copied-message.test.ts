import { describe, expect, it } from 'vitest'
import { runValues } from '../../helpers/slice.ts'

const at = (second: number): string => `2026-03-01T10:00:0${second}.000Z`
const prompt = (second: number, text: string, metadata?: object): object => ({
  timestamp: at(second),
  type: 'response_item',
  payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  ...(metadata === undefined ? {} : { metadata }),
})

describe('a message whose record says that it was copied from the parent', () => {
  it('is in the inherited group and counts in no statistic', async () => {
    const { tree } = await runValues([
      { timestamp: at(0), type: 'session_meta', payload: { id: 'thread', timestamp: at(0) } },
      prompt(1, 'What the parent was asked.', { inherited_user_message: true }),
      { timestamp: at(2), type: 'event_msg', payload: { type: 'task_started', turn_id: 'own' } },
      prompt(3, 'What the child was asked.'),
      { timestamp: at(4), type: 'event_msg', payload: { type: 'task_complete', turn_id: 'own' } },
    ])
    expect(tree.children.map((child) => (child.type === 'group' ? child.kind : child.type))).toEqual([
      'inherited',
      'turn',
    ])
    expect(tree.stats).toMatchObject({ turns: 1, messages: 1, lines: { total: 5 } })
    expect(JSON.stringify(tree.children[0])).toContain('What the parent was asked.')
    expect(JSON.stringify(tree.children[1])).not.toContain('What the parent was asked.')
  })
})
