import { expect, test } from 'vitest'
import type { EditView } from '../../../src/app/prune.ts'
import { Interrupted } from '../../../src/cli/interrupted.ts'
import { keysOf } from '../../../src/cli/prune-keys.ts'
import { editList } from '../../../src/cli/prune-list.ts'
import { drawList, listRows } from '../../../src/cli/prune-screen.ts'
import { type ListState, namedBy, openList, press } from '../../../src/cli/prune-state.ts'
import { type NamedItems, planNamed } from '../../../src/memory/edit/plan.ts'
import { memoryOf, pairAt } from '../../helpers/memory.ts'
import { fakeWorld } from '../../helpers/world.ts'

/** 1 prompt, 2-3 a call, 4 thought, 5 prompt that cannot be taken out, 6 prompt that is excluded. */
function view(asked: NamedItems = { delete: [], exclude: [], replace: [], include: [], text: '' }): EditView {
  const history = memoryOf([
    { turn: 1 },
    ...pairAt(2).map((half) => ({ ...half, turn: 1 })),
    { category: 'reasoning', turn: 1 },
    { turn: 2, sources: [] },
    { turn: 2 },
  ])
  const items = history.items.map((item) => ({ ...item, included: item.index !== 6 }))
  return {
    title: 'sessions/rollout.jsonl',
    items,
    marked: planNamed({ ...history, items }, new Set([6]), asked).items,
    replacement: '',
    fixed: new Map([[5, 'in no file']]),
    plan: (named) => planNamed({ ...history, items }, new Set([6]), named),
    textOf: (index) => `The whole text of item ${index},\nin \x1b[31mtwo\x1b[0m lines`,
  }
}

const size = { columns: 60, rows: 18 }

function typed(keys: string, from: ListState = openList(view())): ListState {
  return keysOf(keys).reduce((state, key) => press(state, key, 3), from)
}

const drawn = (state: ListState) => drawList(state, size, 'Write?').lines

test('keys are read from what terminals send, several in one piece', () => {
  expect(keysOf('j\x1b[A\x1b[B\x1bOA\x1b[5~\x1b[6~ d\r\x03\x1b')).toEqual([
    ...['j', 'up', 'down', 'up', 'pageUp', 'pageDown', ' ', 'd', 'enter', 'interrupt', 'escape'],
  ])
  expect(keysOf('\x1b[H\x1b[4~\x1b[1;5C\x1b[200~ü\x07')).toEqual(['home', 'end', 'ü'])
})

test('the cursor stays in the list', () => {
  expect(typed('kk').cursor).toBe(0)
  expect(typed('\x1b[6~\x1b[6~\x1b[6~').cursor).toBe(5)
  expect(typed('Gk').cursor).toBe(4)
  expect(typed('Gg').cursor).toBe(0)
})

test('space marks an item with the other half of its pair, and takes the mark off again', () => {
  expect(namedBy(typed('j '))).toEqual({ delete: [], exclude: [2, 3], replace: [], include: [], text: '' })
  expect(namedBy(typed('j j '))).toEqual({ delete: [], exclude: [], replace: [], include: [], text: '' })
  expect(namedBy(typed('jd'))).toEqual({ delete: [2, 3], exclude: [], replace: [], include: [], text: '' })
  expect(namedBy(typed('jd '))).toEqual({ delete: [], exclude: [2, 3], replace: [], include: [], text: '' })
})

test('space on an excluded item includes it; on one that must stay it says why', () => {
  expect(namedBy(typed('G '))).toEqual({ delete: [], exclude: [], replace: [], include: [6], text: '' })
  const state = typed('Gk ')
  expect(namedBy(state).exclude).toEqual([])
  expect(drawn(state).at(-1)).toBe('It stays: in no file.')
  expect(drawn(typed('k', state)).at(-1)).toContain('space exclude')
})

test('a category or a turn is marked at once', () => {
  expect(namedBy(typed('jc'))).toEqual({ delete: [], exclude: [2, 3], replace: [], include: [], text: '' })
  expect(namedBy(typed('t'))).toEqual({ delete: [], exclude: [1, 2, 3, 4], replace: [], include: [], text: '' })
  expect(namedBy(typed('tt'))).toEqual({ delete: [], exclude: [], replace: [], include: [], text: '' })
})

test('enter asks before anything is written, and only y writes', () => {
  expect(drawn(typed('\r')).at(-1)).toBe('Nothing is marked.')
  const asked = typed(' \r')
  expect(drawn(asked).at(-1)).toBe('Write? (y/n)')
  expect(typed('y', asked).done).toBe('apply')
  const kept = typed('n', asked)
  expect(kept.done).toBeUndefined()
  expect(namedBy(kept).exclude).toEqual([1])
})

test('what was asked for on the command line is marked when the list opens', () => {
  expect(namedBy(openList(view({ delete: [1], exclude: [3], replace: [], include: [6], text: '' })))).toEqual({
    delete: [1],
    exclude: [2, 3],
    replace: [],
    include: [6],
    text: '',
  })
})

test('q and escape leave; any key leaves the help', () => {
  expect(typed(' q').done).toBe('leave')
  expect(typed('\x1b').done).toBe('leave')
  const help = typed('?')
  expect(drawn(help)).toContain('Any key goes back.')
  expect(typed('q', help)).toMatchObject({ mode: 'list' })
})

test('the screen fits, tells the sums, and shows the current item without control characters', () => {
  const state = typed('jdG ')
  const { lines, current } = drawList(state, size, 'Write?')
  expect(lines).toHaveLength(size.rows)
  expect(lines.every((line) => line.length < size.columns)).toBe(true)
  expect(lines.slice(0, 8)).toEqual([
    'sessions/rollout.jsonl',
    '5 items, about 50 tokens; then 4 items, 40 tokens: 10 fewer',
    '    1  userMessage              10  Words number 1',
    '  D 2  toolCall                 10  Words number 2',
    '  D 3  toolOutput               10  Words number 3',
    '    4  reasoning                10  Words number 4',
    '  = 5  userMessage              10  Words number 5',
    '> + 6  userMessage              10  Words number 6',
  ])
  expect(current).toBe(7)
  expect(lines.join('\n')).toContain('The whole text of item 6,\nin \\x1b[31mtwo\\x1b[0m lines')
})

test.each([
  { columns: 20, rows: 5 },
  { columns: 1, rows: 1 },
  { columns: 300, rows: 100 },
])('a terminal of %j never gets more lines than the list and its frame need', (small) => {
  const { lines } = drawList(openList(view()), small, 'Write?')
  expect(lines.length).toBeLessThanOrEqual(Math.max(small.rows, listRows(small) + 4))
  for (const line of lines) expect(line.length).toBeLessThan(Math.max(20, small.columns))
})

/** A terminal on which these texts are typed. */
function terminalOf(texts: readonly string[]) {
  return {
    size: () => size,
    async *input() {
      yield ''
      yield* texts
    },
  }
}

async function edited(...texts: string[]) {
  const world = fakeWorld([])
  const { signal } = new AbortController()
  const edit = editList({ terminal: terminalOf(texts), out: world.stderr, signal, question: 'Write?' })
  const result = await edit(view()).catch((error: unknown) => error)
  expect(world.err().startsWith('\x1b[?1049h')).toBe(true)
  expect(world.err().endsWith('\x1b[?1049l')).toBe(true)
  return result
}

test('what was marked is handed on, and the screen of before stands again however the list ends', async () => {
  expect(await edited(' ', 'j', 'd\ry')).toEqual({ delete: [2, 3], exclude: [1], replace: [], include: [], text: '' })
  expect(await edited(' q')).toBeUndefined()
  expect(await edited(' ')).toBeUndefined()
  expect(await edited(' ', '\x03')).toBeInstanceOf(Interrupted)
})
