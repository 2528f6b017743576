/** Where a session stands among others, as a tree: who it came from, itself, what came of it. */
import { placeLink, relativeLink, threadFolder } from '../model/urls.ts'
import type { NamedThread } from '../model/view.ts'
import type { SessionPage } from './session-page.ts'
import type { LineageView } from './session-views.ts'

/** Branches of a session that stand open; more are folded behind them. */
const openBranches = 8

/** Branches that a page lists at all. */
const mostBranches = 500

/** The tree with this session in it, or nothing where it stands alone. */
export function lineageTree({ neighbours, session }: SessionPage, path: string): LineageView[] {
  const { parent, forkedFrom, forks, agents, above = [] } = neighbours
  const link = ({ threadId, title, built, place }: NamedThread, note: string): LineageView => ({
    text: title ?? threadId,
    note: built ? note : `${note}, not in this site`,
    ...(built ? { href: relativeLink(path, placeLink(threadId, place)) } : {}),
    branches: [],
    more: [],
  })
  const branches = [
    ...agents.map(({ role, ...thread }) => link({ ...thread, built: true }, role ?? 'sub-agent')),
    ...forks.map((thread) => link({ ...thread, built: true }, 'fork')),
  ]
  const here: LineageView = { text: 'This session', note: noteOf(branches.length), here: true, ...folded(branches) }
  const origins = isSelf(forkedFrom, session.threadId) ? [] : [link(forkedFrom, 'forked into this one')]
  const starter = isSelf(parent, session.threadId) ? undefined : parent
  if (starter === undefined && origins.length === 0 && branches.length === 0) return []
  if (starter === undefined) return under(origins, [here])
  const chain = [...above].reverse().map((thread) => link(thread, 'above it'))
  return [...under([], origins), ...under([...chain, link(starter, 'started this one')], [here])]
}

/** Counted only where not all of them can be seen at once. */
function noteOf(branches: number): string {
  return branches > mostBranches ? `${branches - mostBranches} more are not listed` : ''
}

function folded(branches: LineageView[]): Pick<LineageView, 'branches' | 'more'> {
  // A fold for a single one would take as much room as the one itself.
  const open = branches.length <= openBranches + 1 ? branches.length : openBranches
  return { branches: branches.slice(0, open), more: branches.slice(open, mostBranches) }
}

/** One below the other, the last ones below all. */
function under(chain: readonly LineageView[], last: LineageView[]): LineageView[] {
  return chain.reduceRight((branches, node) => [{ ...node, branches }], last)
}

function isSelf(thread: NamedThread | undefined, threadId: string): thread is undefined {
  return thread === undefined || threadFolder(thread.threadId) === threadFolder(threadId)
}
