/** Items of work as rows; runs of the same kind are folded under one line. */

import type { ElementContent } from 'hast'
import type { ToolCall, TrastNode } from '../../../transcript/trast.ts'
import { countBy } from '../../../util/groups.ts'
import { joinTexts } from '../../../util/text.ts'
import { formatAmount, formatCount } from '../../../util/time.ts'
import { h } from '../../hast.ts'
import { agentLabel, isTrouble } from '../../phrases.ts'
import { fold, inFold, isCollapsed, itemClasses } from './parts.ts'
import type { State } from './state.ts'

/** Consecutive rows of one kind. */
interface Run {
  /** Empty for rows that are always shown by themselves. */
  kind: string
  /** The rows, and thoughts between them, which do not end a run. */
  items: TrastNode[]
  /** Number of rows without thoughts. */
  count: number
}

/** Hast of items in order; a long run of rows is folded after its first rows, or as a whole under a line that names it. */
export function rows(items: readonly TrastNode[], state: State): ElementContent[] {
  return runsOf(items).flatMap((run) => runRows(run, state))
}

function runsOf(items: readonly TrastNode[]): Run[] {
  const runs: Run[] = []
  for (const item of items) {
    const last = runs.at(-1)
    const kind = kindOf(item)
    if (item.type === 'reasoning' && last !== undefined && last.kind !== '' && last.kind !== 'context')
      last.items.push(item)
    else if (last?.kind === kind && kind !== '') {
      last.items.push(item)
      last.count += 1
    } else runs.push({ kind, items: [item], count: 1 })
  }
  return runs
}

/** The kind by which a row joins a run; empty for a row that needs the reader's attention. */
function kindOf(item: TrastNode): string {
  if (item.data?.visibility === 'hidden') return ''
  if (item.type === 'message') return item.origin === 'injected' && isCollapsed(item) ? 'context' : ''
  return 'status' in item && item.type !== 'planStep' && !isTrouble(item.status) ? kindOfWork(item) : ''
}

function kindOfWork(item: TrastNode): string {
  switch (item.type) {
    case 'agent':
      return item.action === 'wait' ? 'wait' : ''
    case 'command':
      return item.actor === 'agent' && item.children.every(isOutput) ? 'command' : ''
    case 'toolCall':
      return item.children.every(isOutput) ? kindOfCall(item) : ''
    case 'search':
      return 'search'
    default:
      return ''
  }
}

function isOutput({ type }: TrastNode): boolean {
  return type === 'output' || type === 'text' || type === 'input'
}

function kindOfCall({ family, server = '', tool }: ToolCall): string {
  return family === 'function' && waits.has(tool) ? 'wait' : `call of ${server} ${tool}`
}

/** Tools that only check whether something has ended. */
const waits = new Set(['wait', 'wait_agent'])

/** Rows shown before the fold of a run, and the smallest number of rows in the fold. */
const first = { shown: 3, folded: 3 }

function runRows(run: Run, state: State): ElementContent[] {
  const { kind, items, count } = run
  if (kind === 'context') return count > 1 ? [contextRun(items, state)] : state.all(items)
  if (kind === 'wait') return count > 1 ? [waitRun(run, state)] : state.all(items)
  if (kind === '' || count < first.shown + first.folded) return state.all(items)
  let seen = 0
  const at = items.findIndex((item) => item.type !== 'reasoning' && ++seen > first.shown)
  const folded = items.slice(at)
  const line = kind === 'search' ? moreSearches(folded) : moreCalls(kind, count - first.shown)
  return [...state.all(items.slice(0, at)), folding(folded, 'more', line, state)]
}

/** `Ran 12 more commands` */
function moreCalls(kind: string, count: number): { what: string; gist: string } {
  const [what, unit] = kind === 'command' ? ['Ran', 'command'] : ['Called', 'time']
  return { what, gist: formatAmount(count, `more ${unit}`) }
}

/** `Searched 9 more web searches, 6 web pages opened`, counted like the line of the whole work does. */
function moreSearches(items: readonly TrastNode[]): { what: string; gist: string } {
  const searches = items.filter((item) => item.type === 'search')
  const opened = searches.filter(({ action }) => action === 'open').length
  const others = searches.length - opened
  if (others === 0) return { what: 'Opened', gist: formatAmount(opened, 'more web page') }
  const pages = opened === 0 ? [] : [formatAmount(opened, 'web page opened', 'web pages opened')]
  return { what: 'Searched', gist: [formatAmount(others, 'more web search', 'more web searches'), ...pages].join(', ') }
}

function contextRun(items: readonly TrastNode[], state: State): ElementContent {
  const labels = items.flatMap((item) => (item.type === 'message' ? [item.label ?? 'Other'] : []))
  return folding(items, 'context', { what: 'Context', gist: countedNames(labels) }, state)
}

function waitRun({ items, count }: Run, state: State): ElementContent {
  const agents = items.flatMap((item) =>
    item.type === 'agent' && item.name !== undefined ? [agentLabel(item.name)] : [],
  )
  const gist = joinTexts([[...new Set(agents)].join(', '), `${formatCount(count)} times`], ' · ')
  return folding(items, 'wait', { what: 'Waited', gist }, state)
}

/** `Environment, Instructions × 2` */
function countedNames(names: readonly string[]): string {
  return [...countBy(names, (name) => name)]
    .map(([name, count]) => (count === 1 ? name : `${name} \u00D7 ${count}`))
    .join(', ')
}

function folding(
  items: readonly TrastNode[],
  kind: 'context' | 'more' | 'wait',
  line: { what: string; gist: string },
  state: State,
): ElementContent {
  const id = `${items[0]?.id ?? ''}-${kind}`
  const inside = h('div', { className: ['nested'] }, inFold(items, state))
  return h('div', { id, className: itemClasses({ kind: kind === 'context' ? 'context' : 'repeated' }) }, [
    fold({ ...line, quiet: true }, [inside]),
  ])
}
