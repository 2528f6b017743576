/** The page of what the model remembers. */
import { expect, it } from 'vitest'
import type { MemoryFacts } from '../../../src/features/memory/history/categories.ts'
import { areaPlot, contextView } from '../../../src/features/memory/page/view.ts'

import { siteInfo } from '../../helpers/render.ts'

const site = siteInfo()
const session = { threadId: '019cebe6-48a0-7000-8000-00000000c0de', title: 'Count the carts' }
const project = { slug: 'shop-1', name: 'shop' }

const memory: MemoryFacts = {
  points: [
    { turn: 1, moment: 'end', tokens: { userMessage: 100, toolOutput: 900 }, recorded: 3000 },
    { turn: 2, moment: 'full', tokens: { userMessage: 150, toolOutput: 1850 } },
    {
      turn: 2,
      moment: 'compacted',
      tokens: { userMessage: 150, compactionSummary: 50 },
      place: { page: 2, anchor: 'l40' },
    },
    { turn: 2, moment: 'end', tokens: { userMessage: 160, compactionSummary: 50 } },
  ],
  turns: 2,
  totals: { userMessage: { items: 2, tokens: 160 }, compactionSummary: { items: 1, tokens: 50 } },
  items: [
    { category: 'userMessage', preview: 'How many?', tokens: 150, turn: 1, place: { page: 1, anchor: 'l7' } },
    { category: 'compactionSummary', preview: '', tokens: 50, turn: 2 },
    { category: 'toolOutput', preview: 'aborted', tokens: 2, synthetic: true },
  ],
  moreItems: 4,
  largest: [{ category: 'userMessage', preview: 'How many?', tokens: 150, turn: 1, place: { page: 1, anchor: 'l7' } }],
  byTool: { listed: [{ name: 'rg', items: 2, tokens: 1200 }], more: { names: 3, tokens: 40 } },
  byFile: { listed: [], more: { names: 0, tokens: 0 } },
  window: 4000,
  next: 2210,
  dropped: { toolOutput: { items: 3, tokens: 1850 } },
  droppedItems: {
    items: [{ category: 'toolOutput', preview: 'a.ts b.ts', tokens: 900, turn: 1, place: { page: 1, anchor: 'l9' } }],
    more: 2,
  },
}

const view = contextView({ pages: 1, session, memory, project, site })

it('says what goes with the next request and what share of the window that is', () => {
  expect(view.summary).toBe(
    "7 items of about 210 tokens go with the next request. By what Codex counted, instructions and tools included, it is about 2,210. That is 55\u00A0% of the model's window.",
  )
  expect(view.plot.summary).toBe(
    'Estimated tokens over 2 turns, with 1 compaction; peak: 2,000 in turn 2. The window holds 4,000.',
  )
})

it('links items and compactions to the pages that show them', () => {
  expect(view.items.map(({ href }) => href)).toEqual(['index.html#l7', undefined, undefined])
  expect(view.drops).toEqual([{ text: 'Turn 2', change: '2k to 200 tokens', href: '2.html#l40' }])
  expect(view.plot.marks).toEqual([{ x: '75%', href: '2.html#l40', title: 'Compaction in turn 2' }])
  expect(view.session.href).toBe('index.html')
})

it('shows the kind and turn of an item, and whether Codex added it', () => {
  expect(view.items.map(({ text, about }) => [text, about])).toEqual([
    ['How many?', 'user message · turn 1'],
    ['', 'summary · turn 2'],
    ['aborted', 'tool output · put in by Codex'],
  ])
  expect(view.rest).toBe('Not listed: 4 older items.')
})

it('says how many tokens were pruned, including items that are not listed', () => {
  const pruned = { items: memory.droppedItems?.items ?? [], more: 1, tokens: 1200 }
  expect(contextView({ pages: 1, session, memory: { ...memory, pruned }, project, site }).pruned).toMatchObject({
    heading: '2 items pruned',
    remark: 'Taken out of the rollout: about 1,200 tokens. A backup has them. Not listed: 1 further item.',
  })
})

it('lists the largest items, and those that the last compaction dropped, with their places', () => {
  expect(view.largest.map(({ text, tokens }) => [text, tokens])).toEqual([['How many?', '150']])
  expect(view.dropped).toMatchObject({
    heading: '3 items dropped by the last compaction',
    remark: 'About 1,850 tokens that the model no longer sees. Not listed: 2 older items.',
    items: [{ text: 'a.ts b.ts', about: 'tool output · turn 1', tokens: '900', href: 'index.html#l9' }],
  })
})

it('sums up by tool and by file, if there are any', () => {
  expect(view.shares).toEqual([
    {
      id: 'tools',
      heading: 'By tool and program',
      columns: ['Tool or program', 'Items', 'Tokens'],
      rows: [{ name: 'rg', cells: ['2', '1,200'] }],
      remark: 'Not listed: 3 with fewer tokens, 40 together.',
    },
  ])
})

it('gives a kind the same tone on the pages of all sessions', () => {
  const points: MemoryFacts['points'] = [{ turn: 1, moment: 'end', tokens: { toolOutput: 900 } }]
  const other = contextView({ pages: 1, session, memory: { ...memory, points }, project, site })
  const tone = (shown: typeof view) => shown.plot.series.find(({ name }) => name === 'tool outputs')?.tone
  expect(tone(other)).toBe(tone(view))
  expect(other.items.at(-1)?.tone).toBe(tone(view))
})

it('sums up by kind, with what the last compaction dropped', () => {
  expect(view.totals.columns).toEqual(['', 'Items', 'Tokens', 'Dropped items', 'Dropped tokens'])
  expect(view.totals.rows).toEqual([
    { name: 'user messages', cells: ['2', '160', '0', '0'] },
    { name: 'tool outputs', cells: ['0', '0', '3', '1,850'] },
    { name: 'summaries', cells: ['1', '50', '0', '0'] },
  ])
})

it('has the numbers of every moment in a table, the newest first', () => {
  expect(view.plot.columns).toEqual(['Moment', 'user messages', 'tool outputs', 'summaries', 'In all', 'Recorded'])
  expect(view.plot.rows.map(({ name }) => name)).toEqual([
    'Turn 2',
    'Turn 2, behind it',
    'Turn 2, before a compaction',
    'Turn 1',
  ])
  expect(view.plot.rows.at(-1)?.cells).toEqual(['100', '900', '0', '1,000', '3,000'])
})

it('joins kinds that share a tone under one name', () => {
  const tokens = { toolCall: 60, webSearch: 40, developer: 2 }
  const points: MemoryFacts['points'] = [{ turn: 1, moment: 'end', tokens }]
  const joined = contextView({ pages: 1, session, project, site, memory: { ...memory, points } })
  expect(joined.plot.series.map(({ name, total }) => [name, total])).toEqual([
    ['tool calls, web searches', '100'],
    ['developer messages', '2'],
  ])
})

it('draws the window only if the memory comes near it', () => {
  expect(view.plot.limit).toMatchObject({ text: 'window of 4k' })
  const far = contextView({ pages: 1, session, project, site, memory: { ...memory, window: 400_000 } })
  expect(far.plot.limit).toBeUndefined()
  expect(far.plot.lines.at(-1)?.text).toBe('2k')
})

it('stacks areas from the bottom up, and draws a step if two moments share a place', () => {
  const plot = areaPlot({
    moments: [
      { at: 0, values: [0, 0] },
      { at: 1, values: [50, 50] },
      { at: 1, values: [50, 0] },
    ],
    turns: 1,
    tones: ['s0', 's1'],
    mark: String,
  })
  expect(plot.lines.map(({ text }) => text)).toEqual(['0', '100'])
  expect(plot.areas).toEqual([
    { tone: 's0', points: '0,190 1000,95 1000,95 1000,190 1000,190 0,190' },
    { tone: 's1', points: '0,190 1000,0 1000,95 1000,95 1000,95 0,190' },
  ])
})

it('labels turns with space between them, and none at the right edge', () => {
  const ticks = (turns: number) =>
    areaPlot({ moments: [], turns, tones: [], mark: String }).ticks.map(({ text }) => text)
  expect(ticks(1)).toEqual(['Turn 1'])
  expect(ticks(3)).toEqual(['Turn 1', 'Turn 2', 'Turn 3'])
  expect(ticks(10)).toEqual(['Turn 1', 'Turn 6'])
  expect(ticks(1000)).toEqual(['Turn 1', 'Turn 501'])
})
