/** The receipt: what became of every line. */
import type { RootContent } from 'mdast'
import type { PriceTable } from '../../model/prices.ts'
import type { Session } from '../../model/trast.ts'
import { receiptRows } from '../labels.ts'
import { totalRows } from '../totals.ts'
import { heading, type Inline } from './build.ts'
import { factList } from './head.ts'

/** Heading 2 and a list: numbers of the thread, then its lines by what became of them. */
export function footBlocks(session: Session, prices: PriceTable | undefined): RootContent[] {
  const rows = [...totalRows(session, prices), ...receiptRows(session.stats.lines)]
  return [heading(2, 'Receipt'), factList(rows.map(([label, value]): [string, Inline[]] => [label, [value]]))]
}
