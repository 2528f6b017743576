import { describe, expect, it } from 'vitest'
import { sessionChanges } from '../../../src/render/pages/session/navigation.ts'
import type { FileTouch } from '../../../src/transcript/summary.ts'

const touch = (path: string, turn: number, fields: Partial<FileTouch> = {}): FileTouch => ({
  ...{ path, operation: 'update', added: 2, removed: 1, turn, page: 1, anchor: `l${turn}` },
  ...fields,
})

function changes(touches: FileTouch[], omitted = 0) {
  const rest = { failures: 0, programs: { runs: 0, failed: 0, durationMs: 0 } }
  return sessionChanges({ touches, omitted: { touches: omitted, ...rest } }, ({ page, anchor }) => `${page}#${anchor}`)
}

describe('the files that a session changed', () => {
  it('are listed with the latest change first, with sums and places', () => {
    expect(changes([touch('a.ts', 1), touch('b.ts', 2, { operation: 'add', removed: 0 }), touch('a.ts', 3)])).toEqual({
      summary: '2 files',
      added: '+6',
      removed: '−2',
      rows: [
        {
          ...{ path: 'a.ts', href: '1#l3', count: '2', added: '+4', removed: '−2', earlier: '' },
          turns: [
            { text: '1', href: '1#l1' },
            { text: '3', href: '1#l3' },
          ],
        },
        {
          ...{ path: 'b.ts', href: '1#l2', count: '1', added: '+2', earlier: '', note: 'new' },
          turns: [{ text: '2', href: '1#l2' }],
        },
      ],
      rest: '',
    })
  })

  it('continue under their new name, and show what happened to them', () => {
    const rows = changes([
      touch('old.ts', 1, { operation: 'move', movedTo: 'new.ts' }),
      touch('new.ts', 2),
      touch('new.ts', 3, { operation: 'delete' }),
    ])?.rows
    expect(rows?.map(({ path, note, count }) => [path, note, count])).toEqual([['new.ts', 'was old.ts, deleted', '3']])
  })

  it('are merged with the file that they replaced, so that no change is lost', () => {
    const merged = changes([
      touch('old.ts', 1, { operation: 'add' }),
      touch('new.ts', 2),
      touch('old.ts', 3),
      touch('new.ts', 4),
      touch('old.ts', 5, { operation: 'move', movedTo: 'new.ts' }),
      touch('new.ts', 6),
    ])
    expect([merged?.summary, merged?.added, merged?.removed]).toEqual(['1 file', '+12', '−6'])
    const [row] = merged?.rows ?? []
    expect([row?.path, row?.note, row?.count]).toEqual(['new.ts', 'was old.ts', '6'])
    expect(row?.turns.map(({ text }) => text)).toEqual(['1', '2', '3', '4', '5', '6'])
  })

  it('have no earlier name if they were moved back', () => {
    const back = [
      touch('a.ts', 1, { operation: 'move', movedTo: 'b.ts' }),
      touch('b.ts', 2, { operation: 'move', movedTo: 'a.ts' }),
    ]
    expect(changes(back)?.rows.map(({ path, note, count }) => [path, note, count])).toEqual([['a.ts', undefined, '2']])
  })

  it('exclude failed changes', () => {
    expect(changes([touch('a.ts', 1, { failed: true })])).toBeUndefined()
  })

  it('are at most 200, each with its last six turns, and the number of the others', () => {
    const many = changes(
      Array.from({ length: 203 }, (_, index) => touch(`${index}.ts`, 1)),
      7,
    )
    expect(many?.rows).toHaveLength(200)
    expect(many?.rows[0]?.path).toBe('202.ts')
    expect(many?.rest).toBe('Not listed: 3 files with earlier changes, 7 earlier changes.')
    const [busy] = changes(Array.from({ length: 9 }, (_, index) => touch('a.ts', index + 1)))?.rows ?? []
    expect([busy?.turns.map(({ text }) => text).join(' '), busy?.earlier]).toEqual(['4 5 6 7 8 9', '3'])
  })
})
