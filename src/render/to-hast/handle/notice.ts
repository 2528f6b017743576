/** Marks of what happened to the session itself, and errors. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { ErrorNode, Finding, Notice } from '../../../model/trast.ts'
import { noticeWords } from '../../labels.ts'
import { literal } from '../../literal.ts'
import { pathBelow } from '../../words.ts'
import { item } from '../parts.ts'
import type { State } from '../state.ts'
import { lineageLink, originLink } from './group.ts'

/** A text of this many characters stands in the line itself. */
const shortText = 160

/** A quiet line; what it says in full is folded behind it, findings of a review stand open. */
export function notice(node: Notice, state: State): ElementContent[] {
  const { title, detail } = noticeWords(node)
  if (node.kind === 'note')
    return [item(node, { kind: 'notice' }, state, [h('b', {}, title), ...state.all(node.children)])]
  if (node.kind === 'inherited') return [inheritedNotice(node, literal(title), state)]
  const brief = briefOf(node)
  // The reason of an interruption is often that word again.
  const reason = brief === undefined || brief.toLowerCase() === title.toLowerCase() ? '' : brief
  const line = literal([title, detail, reason].filter((part) => part !== '').join(': '))
  if (node.children.length === 0 || brief !== undefined) {
    return [item(node, { kind: 'notice' }, state, [h('p', {}, line)])]
  }
  const findings = node.children.filter((child) => child.type === 'finding').sort(byPriority)
  const words = node.children.filter((child) => child.type !== 'finding')
  const children = h('div', { className: ['inside'] }, state.all(words), state.all(findings))
  const more = h(
    'details',
    { className: ['more'], open: findings.length > 0 },
    h('summary', {}, h('span', {}, line)),
    children,
  )
  return [item(node, { kind: 'notice' }, state, [more])]
}

/** The only child's text where it is short enough for the line. */
function briefOf({ children }: Notice): string | undefined {
  const [only, ...others] = children
  if (only?.type !== 'text' || others.length > 0 || only.omitted !== undefined) return undefined
  const { value, data } = only
  return data === undefined && value.length <= shortText && !value.includes('\n') ? value : undefined
}

/** The most urgent first; findings without a priority last, in the reviewer's order. */
function byPriority(a: Finding, b: Finding): number {
  return (a.priority ?? Number.MAX_SAFE_INTEGER) - (b.priority ?? Number.MAX_SAFE_INTEGER)
}

/** One line with the link to where the history is, and what is missing of it. */
function inheritedNotice(node: Notice, line: ElementContent[], state: State): ElementContent {
  const origin = node.children.find((child) => child.type === 'reference')
  const link = origin === undefined ? lineageLink(state) : originLink(origin.target, state, origin.label)
  const rest = node.children.filter((child) => child !== origin)
  return item(node, { kind: 'notice' }, state, [h('p', {}, line, link), ...state.all(rest)])
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
        node.priority === undefined ? undefined : h('span', { className: badgeOf(node.priority) }, `P${node.priority}`),
        h('b', {}, literal(title)),
      ),
      place === '' ? undefined : h('p', { className: ['where'] }, h('code', {}, literal(place))),
      state.all(node.children),
    ]),
  ]
}

/** Priorities 0 and 1 must not wait. */
function badgeOf(priority: number): string[] {
  return priority <= 1 ? ['badge'] : ['badge', 'mild']
}

/** An error, by colour and by word. */
export function error(node: ErrorNode, state: State): ElementContent[] {
  const what = node.code === undefined ? 'Error' : `Error (${node.code})`
  const words = h('p', { role: 'note' }, h('b', {}, `${what}: `), literal(node.message))
  return [item(node, { kind: 'error', failed: true }, state, [words])]
}
