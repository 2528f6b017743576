/** The receipt: what became of every line. */
import type { RootContent } from 'mdast'
import type { PriceTable } from '../../model/prices.ts'
import type { Session } from '../../model/trast.ts'
import { receiptRows } from '../labels.ts'
import { totalRows } from '../totals.ts'
import { heading, type Inline, mono, webLink } from './build.ts'
import { factList } from './head.ts'

/** Heading 2 and a list: numbers of the thread, what its commands made, then its lines by what became of them. */
export function footBlocks(session: Session, prices: PriceTable | undefined): RootContent[] {
  const { lines, commits = [], pullRequests = [] } = session.stats
  const plain = (rows: [string, string][]) => rows.map(([label, value]): [string, Inline[]] => [label, [value]])
  const rows: [string, Inline[]][] = [
    ...plain(totalRows(session, prices)),
    ['Commits', listed(commits.map((hash) => [mono(hash)]))],
    ['Pull requests', listed(pullRequests.map((url) => webLink(url, url)))],
    ...plain(receiptRows(lines)),
  ]
  return [heading(2, 'Receipt'), factList(rows)]
}

function listed(items: Inline[][]): Inline[] {
  return items.flatMap((item, index) => (index === 0 ? item : [', ', ...item]))
}
