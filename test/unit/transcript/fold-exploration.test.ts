import { unified } from 'unified'
import { describe, expect, it } from 'vitest'
import { foldExploration } from '../../../src/transcript/plugins/annotate.ts'
import type { Command, CommandAction, FlowContent, Group } from '../../../src/transcript/trast.ts'
import * as tree from '../../helpers/tree.ts'

const exploring = (action: CommandAction, fields: Partial<Command> = {}): Command =>
  tree.command('x', [], { actions: [action], ...fields })
const read = (path: string): Command => exploring({ kind: 'read', path })
const search = (fields: Partial<Command> = {}): Command => exploring({ kind: 'search', query: 'q' }, fields)

/** The labels of groups, and the types of the other children. */
function fold(children: FlowContent[]): string[] {
  const turn = tree.turn(children)
  const processor = unified().use(foldExploration)
  // A tree without parser: only `runSync` is used.
  processor.runSync(tree.session([turn]) as never)
  const once = structuredClone(turn)
  processor.runSync(tree.session([turn]) as never)
  expect(turn).toEqual(once)
  return turn.children.map((child) => (child.type === 'group' ? (child as Group).label : child.type))
}

describe('commands that only explore', () => {
  it('become one group with counts', () => {
    expect(fold([read('a'), read('b'), search(), exploring({ kind: 'list' })])).toEqual([
      'Explored 2 files, 1 search, 1 listing',
    ])
    expect(fold([read('a'), read('a')])).toEqual(['Explored 1 file'])
    expect(fold([search(), search(), search()])).toEqual(['Explored 3 searches'])
  })

  it('are not grouped if there is only one', () => {
    expect(fold([read('a')])).toEqual(['command'])
  })

  it('end their run at a message and at a command that does more', () => {
    expect(
      fold([read('a'), read('b'), tree.assistant('So'), read('c'), tree.command('make'), read('d'), read('e')]),
    ).toEqual(['Explored 2 files', 'message', 'command', 'command', 'Explored 2 files'])
  })

  it('are those of the agent that did not fail, or searches without a match', () => {
    expect(fold([read('a'), exploring({ kind: 'read', path: 'b' }, { actor: 'user' })])).toEqual(['command', 'command'])
    expect(fold([read('a'), exploring({ kind: 'read', path: 'b' }, { status: 'failed', exitCode: 1 })])).toEqual([
      'command',
      'command',
    ])
    expect(fold([read('a'), search({ outcome: 'noMatch', exitCode: 1 })])).toEqual(['Explored 1 file, 1 search'])
    expect(fold([read('a'), search({ status: 'failed', exitCode: 2 })])).toEqual(['command', 'command'])
  })

  it('are not those that also do something else', () => {
    const mixed = tree.command('x', [], { actions: [{ kind: 'read', path: 'a' }, { kind: 'other' }] })
    expect(fold([read('a'), mixed, tree.command('x', [], { actions: [] })])).toEqual(['command', 'command', 'command'])
  })
})
