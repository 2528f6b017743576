import { expect, test } from 'vitest'
import { Interrupted } from '../../../src/cli/world.ts'
import { type NamedItems, outputOf, planNamed } from '../../../src/features/memory/edit/plan.ts'
import type { EditView } from '../../../src/features/memory/prune.ts'
import { drawList, editList, listRows } from '../../../src/features/memory/terminal/prune-list.ts'
import { keysOf, type ListState, namedBy, openList, press } from '../../../src/features/memory/terminal/prune-state.ts'
import { memoryOf, pairAt } from '../../helpers/memory.ts'
import { fakeWorld } from '../../helpers/world.ts'

/** 1 prompt, 2-3 a call, 4 thought, 5 prompt that cannot be removed, 6 prompt that is excluded. */
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
    fits: () => true,
    outputOf: (index) => outputOf(items, index),
    fixed: new Map([[5, 'in no file']]),
    plan: (named) => planNamed({ ...history, items }, new Set([6]), named),
    textOf: (index) => `The whole text of item ${index},\nin \x1b[31mtwo\x1b[0m lines`,
  }
}

/** A list whose last item is the largest. */
function sized(): EditView {
  const { items } = memoryOf([{ tokens: 10 }, { tokens: 10 }, { tokens: 5 }, { tokens: 30 }])
  return { ...view(), items, marked: [] }
}

const size = { columns: 60, rows: 18 }

function typed(keys: string, from: ListState = openList(view())): ListState {
  return keysOf(keys).reduce((state, key) => press(state, key, 3), from)
}

const drawn = (state: ListState) => drawList(state, size, 'Write?').lines

test('keys are recognised in the bytes of terminals, also several at once', () => {
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

test('space marks an item with the other half of its pair, and unmarks it again', () => {
  expect(namedBy(typed('j '))).toEqual({ delete: [], exclude: [2, 3], replace: [], include: [], text: '' })
  expect(namedBy(typed('j j '))).toEqual({ delete: [], exclude: [], replace: [], include: [], text: '' })
  expect(namedBy(typed('jd'))).toEqual({ delete: [2, 3], exclude: [], replace: [], include: [], text: '' })
  expect(namedBy(typed('jd '))).toEqual({ delete: [], exclude: [2, 3], replace: [], include: [], text: '' })
})

test('space on an excluded item includes it; on a fixed one it says why that stays', () => {
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

test('items named on the command line are marked when the list opens', () => {
  expect(namedBy(openList(view({ delete: [1], exclude: [3], replace: [], include: [6], text: '' })))).toEqual({
    delete: [1],
    exclude: [2, 3],
    replace: [],
    include: [6],
    text: '',
  })
})

test.each(['q', '\x1b'])(
  '%j leaves immediately if nothing is marked, and otherwise asks before it discards marks',
  (key) => {
    expect(typed(key).done).toBe('leave')
    const asked = typed(`j ${key}`)
    expect(asked.done).toBeUndefined()
    expect(drawn(asked).at(-1)).toBe('Throw 2 marks away and leave? (y/n)')
    expect(typed('y', asked).done).toBe('leave')
    for (const other of ['n', ' ', '\r', 'q']) {
      const kept = typed(other, asked)
      expect([kept.done, kept.mode, namedBy(kept).exclude]).toEqual([undefined, 'list', [2, 3]])
    }
  },
)

test('s sorts by size, largest first, and back, and the cursor stays on its item', () => {
  const large = typed('js', openList(sized()))
  expect(large.rows).toEqual([3, 0, 1, 2])
  expect(large.rows[large.cursor]).toBe(3)
  expect(drawn(large)[0]).toBe('largest first · sessions/rollout.jsonl')
  expect(typed('s', large)).toMatchObject({ rows: [0, 1, 2, 3], cursor: 3 })
})

test('/ shows the items that contain a text, and keeps marks on others', () => {
  const found = typed('j /item 4\r')
  expect(found.rows).toEqual([3])
  expect(drawn(found)[0]).toContain('“item 4” in 1 of 6 items')
  expect(namedBy(typed('a', found)).exclude).toEqual([2, 3, 4])
  // While a text is typed, letters are not keys of the list.
  const typing = typed('/dq')
  expect([typing.done, typing.filter, namedBy(typing).delete]).toEqual([undefined, 'dq', []])
  expect(typing.rows).toEqual([])
  expect(typed(' d', { ...typing, mode: 'list' }).marks.size).toBe(0)
  expect(typed('\x7f\x7freasoning', typing).rows).toEqual([3])
  expect(typed('\x1b', typing)).toMatchObject({ filter: '', mode: 'list', rows: [0, 1, 2, 3, 4, 5] })
})

test('r replaces an output by a text, on either half of a pair', () => {
  expect(namedBy(typed('jr'))).toMatchObject({ replace: [3], exclude: [] })
  expect(namedBy(typed('jj r'))).toMatchObject({ replace: [3], exclude: [] })
  expect(namedBy(typed('jrjr'))).toMatchObject({ replace: [] })
  expect(drawn(typed('r')).at(-1)).toBe('It stays: not the output of a call.')
  expect(drawn(typed('jr', openList({ ...view(), fits: () => false }))).at(-1)).toMatch(/^It stays: shorter than/)
})

test('the key Delete deletes', () => {
  expect(namedBy(typed('j\x1b[3~')).delete).toEqual([2, 3])
})

test('changes to be confirmed are listed with number, category and first words', () => {
  const asked = typed('jd\r')
  expect(drawn(asked)).toEqual([
    'To be changed',
    '5 items, about 50 tokens; then 3 items, 30 tokens: 20 fewer',
    '2  delete     toolCall            Words number 2',
    '3  delete     toolOutput          Words number 3',
    ...Array(size.rows - 5).fill(''),
    'Write? (y/n)',
  ])
  const many = openList(view({ delete: [], exclude: [1, 2, 3, 4], replace: [], include: [6], text: '' }))
  const small = { columns: 100, rows: 6 }
  const first = drawList(typed('\r', many), small, 'Write?').lines
  expect(first[0]).toBe('To be changed (1-3 of 5, arrows show others)')
  expect(first.slice(2, 5).map((line) => line[0])).toEqual(['1', '2', '3'])
  const last = drawList(typed('\r\x1b[6~\x1b[6~', many), small, 'Write?').lines
  expect(last.slice(2, 5).map((line) => line[0])).toEqual(['3', '4', '6'])
})

test('any key leaves the help', () => {
  const help = typed('?')
  expect(drawn(help)).toContain('Press any key to go back.')
  expect(typed('q', help)).toMatchObject({ mode: 'list' })
})

test('the screen fits, shows the totals, and shows the current item without control characters', () => {
  const state = typed('jdG ')
  const { lines, current } = drawList(state, size, 'Write?')
  expect(lines).toHaveLength(size.rows)
  expect(lines.every((line) => line.length < size.columns)).toBe(true)
  expect(lines.slice(0, 9)).toEqual([
    'sessions/rollout.jsonl',
    '5 items, about 50 tokens; then 4 items, 40 tokens: 10 fewer',
    '    # Turn  Category            Tokens  Text',
    '    1    1  userMessage             10  Words number 1',
    '  D 2    1  toolCall                10  Words number 2',
    '  D 3    1  toolOutput              10  Words number 3',
    '    4    1  reasoning               10  Words number 4',
    '  = 5    2  userMessage             10  Words number 5',
    '> + 6    2  userMessage             10  Words number 6',
  ])
  expect(current).toBe(8)
  expect(lines.join('\n')).toContain('The whole text of item 6,\nin \\x1b[31mtwo\\x1b[0m lines')
})

test.each([
  { columns: 20, rows: 5 },
  { columns: 1, rows: 1 },
  { columns: 300, rows: 100 },
])('a terminal of %j never gets more lines than the list and its frame need', (small) => {
  const { lines } = drawList(openList(view()), small, 'Write?')
  expect(lines.length).toBeLessThanOrEqual(Math.max(small.rows, listRows(small) + 5))
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

test('marks are returned, and the previous screen is restored however the list ends', async () => {
  expect(await edited(' ', 'j', 'd\ry')).toEqual({ delete: [2, 3], exclude: [1], replace: [], include: [], text: '' })
  expect(await edited(' qy')).toBeUndefined()
  expect(await edited(' ')).toBeUndefined()
  expect(await edited(' ', '\x03')).toBeInstanceOf(Interrupted)
})

test('the text of an item in wide characters is shown completely, in as many lines as needed', () => {
  const words = '記憶'.repeat(50)
  const lines = drawn(openList({ ...view(), textOf: () => words }))
  expect(lines.filter((line) => /^[記憶]+$/.test(line)).join('')).toBe(words)
})
