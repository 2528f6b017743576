import { describe, expect, it } from 'vitest'
import { failuresAmong } from '../../../src/transcript/fixes.ts'
import type { Command } from '../../../src/transcript/trast.ts'
import { command, group, toolCall } from '../../helpers/tree.ts'

const failed = (script: string, id: string, fields: Partial<Command> = {}) =>
  command(script, [], { id, status: 'failed', exitCode: 1, ...fields })

describe('what put a failure right', () => {
  it('is the first later command with the same task that worked', () => {
    const items = [
      failed('npm test', 'l1'),
      command('npm run lint', [], { id: 'l2' }),
      failed('npm test -- cart', 'l3'),
      command('npm test', [], { id: 'l4' }),
      command('npm test', [], { id: 'l5' }),
    ]
    const { fixes, left } = failuresAmong(items)
    expect([...fixes].map(([id, { id: by }]) => [id, by])).toEqual([
      ['l1', 'l4'],
      ['l3', 'l4'],
    ])
    expect(left).toEqual([])
  })

  it('is nothing that ran before, found nothing, or did something else', () => {
    const items = [
      command('npm test', [], { id: 'l1' }),
      failed('npm test', 'l2'),
      command('npm install', [], { id: 'l3' }),
      failed('rg --bad', 'l4'),
      command('rg gate', [], { id: 'l5', outcome: 'noMatch' }),
    ]
    const { fixes, left } = failuresAmong(items)
    expect(fixes.size).toBe(0)
    expect(left.map(({ id }) => id)).toEqual(['l2', 'l4'])
  })

  it('is found in groups and scripts, and never in what is hidden', () => {
    const inside = toolCall('exec', '', [failed('make', 'l1')])
    const seen = group('exploration', 'x', [command('make', [], { id: 'l2' })])
    expect(failuresAmong([inside, seen]).fixes.get('l1')?.id).toBe('l2')
    const hidden = command('make', [], { id: 'l3', data: { visibility: 'hidden' } })
    expect(failuresAmong([inside, hidden]).left.map(({ id }) => id)).toEqual(['l1'])
  })
})
