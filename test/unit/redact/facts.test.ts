/** What lists and links say about a session if parts of it are left out. */
import { describe, expect, it, test } from 'vitest'
import { publishAll, type Visibility } from '../../../src/config/publication.ts'
import { parseSelection } from '../../../src/config/selectors.ts'
import { curateFacts, isPlain, planOf } from '../../../src/redact/curate/plan.ts'
import type { ScanFacts } from '../../../src/transcript/summary.ts'

const facts: ScanFacts = {
  threadId: 'thread',
  title: 'Mend the gate',
  titleFrom: 'prompt',
  cwds: [],
  turns: 3,
  prompts: 3,
  firstPrompt: 'Mend the gate',
  lastPrompt: 'And the roof',
  lines: 40,
  bytes: 4000,
  outline: [
    { anchor: 'l3', page: 1, turn: 1, text: 'Mend the gate' },
    { anchor: 'l13', page: 1, turn: 2, text: 'Paint the fence' },
    { anchor: '0a1b2c3d-l2', page: 2, turn: 3, text: 'And the roof' },
  ],
  agents: [
    { kind: 'spawn', page: 1, anchor: 'l5', turn: 1 },
    { kind: 'spawn', page: 1, anchor: 'l15', turn: 2 },
    { kind: 'review', page: 2, anchor: '0a1b2c3d-l9', turn: 3 },
  ],
  pages: [],
  rolledBack: [],
}

function curated(exclude: readonly string[], change: Partial<ScanFacts> = {}, visibility: Partial<Visibility> = {}) {
  const selections = exclude.flatMap((text) => parseSelection(text) ?? [])
  const plan = planOf({ visibility: { ...publishAll.visibility, ...visibility } }, { exclude: selections })
  return curateFacts({ ...facts, ...change }, plan)
}

test('facts stay the same if nothing is left out', () => {
  expect(curated([])).toEqual(facts)
  expect(isPlain(planOf(publishAll, { exclude: [] }))).toBe(true)
})

describe('prompts', () => {
  it('disappear from outline, title and first prompt with their turn', () => {
    const { outline, title, firstPrompt, lastPrompt, prompts } = curated(['turn:1'])
    expect(outline.map(({ turn }) => turn)).toEqual([2, 3])
    expect([title, firstPrompt, lastPrompt, prompts]).toEqual(['Paint the fence', 'Paint the fence', 'And the roof', 2])
  })

  it('disappear from the outline even if they are requests of Codex itself', () => {
    const { firstPrompt: _first, lastPrompt: _last, ...asked } = { ...facts, prompts: 0, requests: 3 }
    const plan = planOf(publishAll, { exclude: [parseSelection('turn:1')].filter((one) => one !== undefined) })
    const { outline, requests, ...rest } = curateFacts(asked, plan)
    expect([outline.length, requests, rest.prompts]).toEqual([2, 2, 0])
    expect(rest).not.toHaveProperty('firstPrompt')
  })

  it('are excluded by their lines, in later files by the digits before them', () => {
    expect(curated(['l10-l20']).outline.map(({ turn }) => turn)).toEqual([1, 3])
    expect(curated(['0a1b2c3d-l2']).outline.map(({ turn }) => turn)).toEqual([1, 2])
    expect(curated(['l2']).outline).toHaveLength(3)
  })

  it('leave no words at all if prompts are omitted', () => {
    const { outline, title, ...rest } = curated([], {}, { prompts: 'omit' })
    expect([outline, title]).toEqual([[], 'Untitled session'])
    expect(rest).not.toHaveProperty('firstPrompt')
    expect(rest).not.toHaveProperty('lastPrompt')
  })

  it('take the subtitle along if it may be part of what is excluded, or if answers are omitted', () => {
    const last = { subtitle: 'The gate swings.', subtitleTurn: 3 }
    expect(curated([], last)).toMatchObject(last)
    expect(curated(['turn:1-2', 'category:images'], last)).toMatchObject(last)
    for (const part of ['turn:3', 'turn:2-4', 'l20', 'l10-l30']) {
      expect(curated(['turn:1', part], last)).not.toHaveProperty('subtitle')
      expect(curated(['turn:1', part], last)).not.toHaveProperty('subtitleTurn')
    }
    expect(curated(['turn:1'], { subtitle: 'The gate swings.' })).not.toHaveProperty('subtitle')
    expect(curated([], last, { answers: 'omit' })).not.toHaveProperty('subtitle')
  })

  it('take along a name that repeats them', () => {
    const named = { title: 'Mend the gate', titleFrom: 'index' } as const
    expect(curated(['turn:1'], named).title).toBe('Paint the fence')
    expect(curated(['turn:2'], named)).toMatchObject(named)
    expect(curated(['turn:1'], { title: 'Summer works', titleFrom: 'index' }).title).toBe('Summer works')
  })

  it('leave the session untitled if all of them are excluded', () => {
    expect(curated(['turn:1-3'])).toMatchObject({ title: 'Untitled session', titleFrom: 'file', outline: [] })
  })
})

describe('calls that started agents', () => {
  it('disappear with their turn, their line and their kind', () => {
    const anchors = (item: ScanFacts) => item.agents?.map(({ anchor }) => anchor)
    expect(anchors(curated(['turn:1']))).toEqual(['l15', '0a1b2c3d-l9'])
    expect(anchors(curated(['turn:3']))).toEqual(['l5', 'l15'])
    expect(anchors(curated(['l15']))).toEqual(['l5', '0a1b2c3d-l9'])
    expect(anchors(curated([], {}, { agents: 'omit' }))).toEqual(['0a1b2c3d-l9'])
    expect(anchors(curated([], {}, { notices: 'omit' }))).toEqual(['l5', 'l15'])
  })
})
