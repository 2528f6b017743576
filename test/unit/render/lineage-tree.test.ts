import { describe, expect, it } from 'vitest'
import { lineageTree } from '../../../src/render/pages/session/session.ts'
import type { SessionPage } from '../../../src/render/pages/session/session-page.ts'
import type { LineageView } from '../../../src/render/pages/session/views.ts'
import { sessionPage } from '../../helpers/session-page.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { threadId } from '../../helpers/tree.ts'

function tree(neighbours: Partial<SessionPage['neighbours']>): LineageView[] {
  const page = sessionPage({ neighbours: { forks: [], agents: [], ...neighbours } })
  return lineageTree(page, `sessions/${threadId}/index.html`)
}

const named = (number: number) => ({ threadId: threadNumber(number), title: `Thread ${number}`, built: true })

/** Texts with their notes, indented by depth. */
function lines(branches: readonly LineageView[], depth = ''): string[] {
  return branches.flatMap(({ text, note, branches: below }) => [
    `${depth}${text}${note === '' ? '' : ` (${note})`}`,
    ...lines(below, `${depth}  `),
  ])
}

describe('the tree of sessions', () => {
  it('is empty for a session without relations, or that is its own origin', () => {
    expect(tree({})).toEqual([])
    expect(tree({ forkedFrom: { threadId, built: true } })).toEqual([])
  })

  it("leads from the session's origins down to its branches", () => {
    const found = tree({
      above: [named(3), named(4)],
      parent: { ...named(2), place: { page: 3, anchor: 'l90' } },
      agents: [{ threadId: threadNumber(5), title: 'Wren', role: 'explorer' }],
      forks: [{ threadId: threadNumber(6), title: 'Another way' }],
    })
    expect(lines(found)).toEqual([
      'Thread 4 (above it)',
      '  Thread 3 (above it)',
      '    Thread 2 (started this one)',
      '      This session',
      '        Wren (explorer)',
      '        Another way (fork)',
    ])
    expect(found[0]?.branches[0]?.branches[0]?.href).toBe(`../${threadNumber(2)}/3.html#l90`)
  })

  it('names an origin that has no page here, without a link', () => {
    const found = tree({ forkedFrom: { threadId: threadNumber(9), built: false } })
    expect(lines(found)).toEqual([`${threadNumber(9)} (forked into this one, not in this site)`, '  This session'])
    expect(found[0]?.href).toBeUndefined()
  })

  it('names both if a sub-agent was forked from a third thread', () => {
    expect(lines(tree({ parent: named(2), forkedFrom: named(3) }))).toEqual([
      'Thread 3 (forked into this one)',
      'Thread 2 (started this one)',
      '  This session',
    ])
  })

  it('folds all but the first eight branches, and says how many it does not list', () => {
    const agents = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ threadId: threadNumber(index + 10), title: `Agent ${index}` }))
    const [nine] = tree({ agents: agents(9) })
    expect([nine?.branches.length, nine?.more.length]).toEqual([9, 0])
    const [ten] = tree({ agents: agents(10) })
    expect([ten?.branches.length, ten?.more.length]).toEqual([8, 2])
    const [many] = tree({ agents: agents(510) })
    expect([many?.branches.length, many?.more.length, many?.note]).toEqual([8, 492, '10 more are not listed'])
  })
})
