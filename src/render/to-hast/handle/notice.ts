/** Marks of what happened to the session itself, and errors. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { ErrorNode, Finding, Notice, NoticeKind } from '../../../model/trast.ts'
import { formatAmount, formatDuration } from '../../../util/time.ts'
import { literal } from '../../literal.ts'
import { formatCompact, pathBelow } from '../../words.ts'
import { item } from '../parts.ts'
import type { State } from '../state.ts'
import { lineageLink, originLink } from './group.ts'

type Facts = NonNullable<Notice['facts']>

const titles: Readonly<Record<NoticeKind, (facts: Facts) => string>> = {
  compaction: ({ tokensBefore, tokensAfter }) =>
    `Context compacted${change(tokens(tokensBefore), tokens(tokensAfter), ' tokens')}`,
  rollback: ({ count }) => (count === undefined ? 'Rolled back' : `Rolled back ${formatAmount(count, 'turn')}`),
  abort: ({ after }) => (after === undefined ? 'Interrupted' : `Interrupted: ${after}`),
  undo: () => 'Undone',
  review: ({ after }) => (after === undefined ? 'Review' : `Review: ${after}`),
  settings: ({ before, after }) => `Settings changed${change(before, after)}`,
  model: ({ before, after }) => `Model${change(before, after)}`,
  goal: ({ after }) => (after === undefined ? 'Goal' : `Goal: ${after}`),
  inherited: ({ count }) =>
    count === undefined
      ? 'History goes on from elsewhere'
      : `${formatAmount(count, 'turn')} of another session stand before this`,
  gap: ({ gapMs }) => (gapMs === undefined ? 'Later' : `${formatDuration(gapMs)} later`),
  corrupt: ({ count }) => (count === undefined ? 'Damaged records' : formatAmount(count, 'damaged line')),
}

function tokens(count: number | undefined): string | undefined {
  return count === undefined ? undefined : formatCompact(count)
}

function change(before: string | undefined, after: string | undefined, unit = ''): string {
  if (before === undefined && after === undefined) return ''
  if (before === undefined || after === undefined) return `: ${before ?? after}${unit}`
  return `: ${before} → ${after}${unit}`
}

/** A quiet line; what it says in full is folded behind it, findings of a review stand open. */
export function notice(node: Notice, state: State): ElementContent[] {
  const line = literal(titles[node.kind](node.facts ?? {}))
  if (node.kind === 'inherited') return [inheritedNotice(node, line, state)]
  if (node.children.length === 0) return [item(node, 'note', state, [h('p', {}, line)])]
  const open = node.children.some((child) => child.type === 'finding')
  const children = h('div', { className: ['inside'] }, state.all(node.children))
  return [item(node, 'note more', state, [h('details', { open }, h('summary', {}, h('span', {}, line)), children)])]
}

/** One line with the link to where the history is, and what is missing of it. */
function inheritedNotice(node: Notice, line: ElementContent[], state: State): ElementContent {
  const origin = node.children.find((child) => child.type === 'reference')
  const link = origin === undefined ? lineageLink(state) : originLink(origin.target, state, origin.label)
  const rest = node.children.filter((child) => child !== origin)
  return item(node, 'note', state, [h('p', {}, line, link), ...state.all(rest)])
}

/** A finding of a review: priority, title, place, text. */
export function finding(node: Finding, state: State): ElementContent[] {
  const lines = [node.startLine, node.endLine].filter((line) => line !== undefined)
  const path = node.path === undefined ? undefined : pathBelow(node.path, state.cwd)
  // Codex writes the priority into the title too.
  const title = node.priority === undefined ? node.title : node.title.replace(/^\[P\d\]\s*/, '')
  const place = [path, [...new Set(lines)].join('-')].filter((part) => part !== undefined && part !== '').join(':')
  return [
    h('div', { className: ['finding'] }, [
      h(
        'p',
        {},
        node.priority === undefined ? undefined : h('span', { className: ['badge'] }, `P${node.priority}`),
        h('b', {}, literal(title)),
      ),
      place === '' ? undefined : h('p', { className: ['where'] }, h('code', {}, literal(place))),
      state.all(node.children),
    ]),
  ]
}

/** An error, by colour and by word. */
export function error(node: ErrorNode, state: State): ElementContent[] {
  const what = node.code === undefined ? 'Error' : `Error (${node.code})`
  return [item(node, 'error', state, [h('p', { role: 'note' }, h('b', {}, `${what}: `), literal(node.message))])]
}
