/** How the pages of a session link to one another. */
import { expect, it } from 'vitest'
import { pagerView } from '../../../src/render/pages/session/navigation.ts'
import type { SessionPage } from '../../../src/render/pages/session/session-page.ts'
import { session } from '../../helpers/tree.ts'

/** Pages that begin on these lines; those up to `copied` were copied from another session. */
function pager(page: number, copied: number | undefined, ...firstLines: number[]) {
  const input: Partial<SessionPage> = {
    session: session([]),
    page,
    facts: {
      outline: [{ page: 3, anchor: 'l60', text: 'Open the gate', turn: 1 }],
      pages: firstLines.map((firstLine, index) => ({
        ...{ number: index + 1, late: [], taken: [], storyWeight: 0 },
        ranges: [{ segment: 0, start: firstLine, end: firstLine + 1, firstLine }],
      })),
      ...(copied === undefined ? {} : { inherited: { from: 2, to: copied, guessed: true } }),
    } as unknown as SessionPage['facts'],
  }
  return pagerView(input as SessionPage)
}

it('links a page to the next one, with the beginning of that', () => {
  expect(pager(2, undefined, 1, 20, 60).next).toEqual({ number: 3, href: '3.html', title: 'Turn 1: Open the gate' })
  expect(pager(3, undefined, 1, 20, 60).next).toBeUndefined()
})

it('links copied history to the first page with other content', () => {
  const { next, all } = pager(1, 59, 1, 20, 60, 80)
  expect(next).toMatchObject({ number: 3, title: 'Page 3, where this session’s own turns begin' })
  expect(all.map(({ title }) => title)).toEqual(['Copied history', 'Copied history', 'Turn 1: Open the gate', ''])
  expect(pager(2, 59, 1, 20, 60, 80).next).toMatchObject({ number: 3, title: 'Turn 1: Open the gate' })
  expect(pager(3, 59, 1, 20, 60, 80).previous).toMatchObject({ number: 2, title: 'Copied history' })
  expect(pager(1, 70, 1, 20, 60, 80).next).toMatchObject({ number: 3 })
  expect(pager(1, 99, 1, 20, 60, 80).next).toMatchObject({ number: 4 })
})
