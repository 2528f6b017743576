/** The receipt: what became of every line. */
import type { RootContent } from 'mdast'
import type { Session, Stats } from '../../model/trast.ts'
import { formatAmount, formatCount } from '../../util/time.ts'
import { receiptRows } from '../labels.ts'
import { statusWord } from '../words.ts'
import { heading, type Inline } from './build.ts'
import { factList } from './head.ts'

/** Heading 2 and a list: numbers of the thread, then its lines by what became of them. */
export function footBlocks(session: Session): RootContent[] {
  const rows = [...outcome(session), ...numbers(session.stats), ...receiptRows(session.stats.lines)]
  return [heading(2, 'Receipt'), factList(rows.map(([label, value]): [string, Inline[]] => [label, [value]]))]
}

function outcome({ models, status }: Session): [label: string, value: string][] {
  return [
    ['State', statusWord(status)],
    ['Models', models.join(', ')],
  ]
}

/** Numbers that are not zero. */
function numbers(stats: Stats): [label: string, value: string][] {
  const { turns, messages, commands, edits, tools, usage, redacted, omitted } = stats
  const failed = commands.failed === 0 ? '' : `, ${formatCount(commands.failed)} failed`
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0)
  const calls = Object.values(tools).reduce((total, tool) => total + tool.calls, 0)
  const tokens = Object.values(usage).reduce((total, model) => total + model.total, 0)
  const number = (count: number) => (count === 0 ? '' : formatCount(count))
  const files = `${formatAmount(edits.files, 'file')}, +${formatCount(edits.added)} −${formatCount(edits.removed)}`
  return [
    ['Turns', number(turns)],
    ['Messages', number(messages)],
    ['Commands', commands.total === 0 ? '' : `${formatCount(commands.total)}${failed}`],
    ['Edits', edits.files === 0 ? '' : files],
    ['Tool calls', number(calls)],
    ['Tokens', number(tokens)],
    ['Redacted', number(sum(redacted))],
    ['Left out', number(sum(omitted))],
  ]
}
