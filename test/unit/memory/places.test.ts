/** Where pages show what the model remembers, even in a thread that contains far more than it remembers. */
import { expect, it } from 'vitest'
import { memoryCollector } from '../../../src/features/memory/page/collector.ts'
import type { Thread } from '../../../src/rollout/discover/rollout.ts'
import type { ThreadLine } from '../../../src/survey/thread-lines.ts'
import type { ScanFacts } from '../../../src/transcript/summary.ts'
import { assistant, call, output } from '../../helpers/remember.ts'
import * as tree from '../../helpers/tree.ts'

const facts: Partial<ScanFacts> = { turns: 2, turnLines: [[0, 1]] }
const thread: Partial<Thread> = { id: 'thread', segments: [] }

function lineOf(number: number, payload: object = assistant(`Answer ${number}.`)): ThreadLine {
  const value = { type: 'response_item', payload }
  const line: ThreadLine = {
    ...{ segment: 0, line: number, start: number, end: number + 1, undone: false },
    values: () => ({ values: [value], faults: [] }),
    copy: () => line,
  }
  return line
}

/** Collects this many pages with this many answers each, and returns the rows of the items that are listed. */
function rowsOf(pages: number, answers: number) {
  const collector = memoryCollector({
    thread: thread as Thread,
    facts: facts as ScanFacts,
    history: [],
    previews: true,
  })
  for (let page = 1; page <= pages; page++) {
    const lines = Array.from({ length: answers }, (_, index) => (page - 1) * answers + index + 1)
    for (const line of lines) collector.line(lineOf(line))
    const shown = lines.map((line) => tree.assistant('', { id: `l${line}`, data: { sources: [{ line, kind: '' }] } }))
    collector.slice(tree.session([tree.turn(shown)]), page)
  }
  return collector.facts(false)?.items ?? []
}

it.each([
  ['a few', 3, 10],
  // The last page has more places than are kept, so those of forgotten items are dropped.
  ['too many', 5, 9000],
])('each of %s items has its page and anchor', (_name, pages, answers) => {
  const rows = rowsOf(pages, answers)
  const first = pages * answers - rows.length + 1
  expect(rows.length).toBeGreaterThan(20)
  expect(rows.map(({ place }) => place)).toEqual(
    rows.map((_row, index) => ({ page: Math.ceil((first + index) / answers), anchor: `l${first + index}` })),
  )
})

it('an output among the largest items is listed after its command', () => {
  const collector = memoryCollector({
    thread: thread as Thread,
    facts: facts as ScanFacts,
    history: [],
    previews: true,
  })
  const ran = { ...call('a', 'exec_command'), arguments: '{"cmd":"rg gate"}' }
  for (const [index, item] of [ran, output('a', 'gate.ts '.repeat(90))].entries())
    collector.line(lineOf(index + 1, item))
  expect(collector.facts(false)?.largest[0]?.preview).toMatch(/^Ran rg gate → gate\.ts gate\.ts /)
})
