/** Notices about the session itself, errors, approvals, unknown records and groups. */

import type { ElementContent } from 'hast'
import type {
  Approval,
  ErrorNode,
  Finding,
  Group,
  Message,
  Node,
  Notice,
  Question,
  TopContent,
} from '../../../transcript/trast.ts'
import { anchorLink, relativeLink } from '../../../transcript/urls.ts'
import { walk } from '../../../transcript/view.ts'
import { pathBelow } from '../../../util/paths.ts'
import { joinTexts } from '../../../util/text.ts'
import { h } from '../../hast.ts'
import { afterTitle, errorKind, findingHead, noticeWords } from '../../labels.ts'
import {
  answerParts,
  approvalTitles,
  cutText,
  describedOptions,
  firstLine,
  shownAnswer,
  statusWord,
} from '../../phrases.ts'
import { literal } from '../../visible-text.ts'
import { isTyped } from '../prose/typed.ts'
import { block, fold, inFold, item, itemAround, itemClasses, itemKinds, joined } from './parts.ts'
import { withCode } from './prose.ts'
import type { State } from './state.ts'

/** A text of at most this many UTF-16 units is shown in the line itself. */
const shortText = 160

/** A quiet line with its full text in a fold. A review is open, because its findings are its answer. */
export function notice(node: Notice, state: State): ElementContent[] {
  const { title, detail } = noticeWords(node)
  if (node.kind === 'note')
    return [item(node, { kind: 'notice' }, state, [h('b', {}, title), ...state.all(node.children)])]
  if (node.kind === 'inherited') return [inheritedNotice(node, literal(title), state)]
  const brief = briefOf(node)
  // The reason of an interruption often only repeats the title.
  const reason = brief === undefined || brief.toLowerCase() === title.toLowerCase() ? '' : brief
  const line = literal(joinTexts([title, joinTexts([detail, reason], ': ')], afterTitle(title)))
  if (node.children.length === 0 || brief !== undefined) {
    return [item(node, { kind: 'notice' }, state, [h('p', {}, line)])]
  }
  const findings = node.children.filter((child) => child.type === 'finding').sort(byPriority)
  const words = node.children.filter((child) => child.type !== 'finding')
  const children = h('div', { className: ['inside'] }, state.all(words), state.all(findings))
  const more = h(
    'details',
    { className: ['more'], open: node.kind === 'review' },
    h('summary', {}, h('span', {}, line)),
    children,
  )
  return [item(node, { kind: 'notice' }, state, [more])]
}

/** The text of the only child, if it is short enough for the line. */
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

/** One line with the link to the thread that has the history, then the other children. */
function inheritedNotice(node: Notice, line: ElementContent[], state: State): ElementContent {
  const origin = node.children.find((child) => child.type === 'reference')
  const link = origin === undefined ? lineageLink(state) : originLink(origin.target, state, origin.label)
  const rest = node.children.filter((child) => child !== origin)
  return item(node, { kind: 'notice' }, state, [h('p', {}, line, link), ...state.all(rest)])
}

/** A finding of a review: priority, title, location, text. */
export function finding(node: Finding, state: State): ElementContent[] {
  const { title, priority, location, confidence } = findingHead(node, state.cwd)
  const where = [
    location === '' ? [] : [h('code', {}, literal(location))],
    confidence === '' ? [] : literal(confidence),
  ]
  return [
    h('div', { className: ['finding'] }, [
      h(
        'p',
        {},
        node.priority === undefined ? undefined : h('span', { className: badgeOf(node.priority) }, priority),
        h('b', {}, withCode(title)),
      ),
      location === '' && confidence === '' ? undefined : h('p', { className: ['where'] }, joined(where, ' · ')),
      state.all(node.children),
    ]),
  ]
}

/** Classes of a priority's badge; priorities 0 and 1 are urgent. */
function badgeOf(priority: number): string[] {
  return priority <= 1 ? ['badge'] : ['badge', 'mild']
}

/** An error, marked by colour and by word. */
export function error(node: ErrorNode, state: State): ElementContent[] {
  const words = h('p', { role: 'note' }, h('b', {}, `Error${errorKind(node)}: `), literal(node.message))
  return [item(node, { kind: 'error', failed: true }, state, [words, ...bodyOf(node)])]
}

/** UTF-16 units of an error's body that a page shows. */
const maxBodyLength = 16_384

/** What the host answered, folded. */
function bodyOf({ body }: ErrorNode): ElementContent[] {
  if (body === undefined) return []
  return [fold({ what: 'As recorded', quiet: true }, [block('output', literal(cutText(body, maxBodyLength)))])]
}

// What the user was asked, and the decision.

/** A question to the user with its answer. */
export function approval(node: Approval, state: State): ElementContent[] {
  const outcome = node.decision ?? statusWord(node.status)
  const head = h(
    'p',
    {},
    h('b', {}, approvalTitles[node.subject]),
    outcome === '' ? undefined : [': ', ...literal(outcome)],
  )
  return [item(node, { kind: 'approval' }, state, [h('div', { role: 'note' }, head, state.all(node.children))])]
}

/** One question: its options with the chosen ones marked, or a free answer. A secret answer is not shown. */
export function question(node: Question, state: State): ElementContent[] {
  const { header, options, answer, secret } = node
  const described = describedOptions(node)
  const parts = answerParts(answer ?? '')
  const chosen = answer === undefined || secret ? [] : chosenOf(parts.chosen, options)
  const isFree = answer !== undefined && chosen.length === 0
  const list = options.map((option, index) => {
    const words = withCode(described[index] ?? option)
    return chosen.includes(option)
      ? h('li', { className: ['done'] }, words, h('b', {}, ' (chosen)'))
      : h('li', {}, words)
  })
  return [
    h('div', { className: ['question'] }, [
      header === undefined ? undefined : h('p', {}, h('b', {}, withCode(header))),
      state.all(node.children),
      list.length === 0 ? undefined : h('ul', {}, list),
      isFree ? h('p', {}, h('b', {}, 'Answer: '), literal(shownAnswer(node) ?? '')) : undefined,
      isFree || secret || parts.note === '' ? undefined : h('p', {}, h('b', {}, 'Note: '), literal(parts.note)),
    ]),
  ]
}

/** The options that an answer names: one, or several that the record joined; none if the answer says anything else. */
function chosenOf(answer: string, options: readonly string[]): string[] {
  if (options.includes(answer)) return [answer]
  const parts = answer.split('; ')
  return parts.every((part) => options.includes(part)) ? parts : []
}

// Records that this version does not know, and nodes without a handler.

/** UTF-16 units of JSON that are shown. */
const maxRecordLength = 4096

/** A closed fold with the record as JSON, kept out of the search index. */
export function unknown(node: Node & { recordType?: string; payload?: unknown }, state: State): ElementContent[] {
  const name = node.recordType ?? node.type
  const shown = node.payload === undefined ? node : node.payload
  const json = cutText(JSON.stringify(shown, null, 2) ?? '', maxRecordLength)
  const inside = h('div', { className: ['term'] }, block('code', literal(json)))
  const frame = item(node, { kind: 'unknown' }, state, [
    fold({ what: 'Unrecognised record', gist: name, quiet: true }, [inside]),
  ])
  frame.properties['dataPagefindIgnore'] = ''
  return [frame]
}

// Folded groups of items: exploration, inherited or rolled-back history.

/** A group in a closed fold under its label; inherited history is one line, unless it is open. */
export function group(node: Group, state: State): ElementContent[] {
  if (node.kind === 'inherited') return [inheritedGroup(node, state)]
  if (node.kind === 'omitted' && node.children.length === 0) return [gap(node, state)]
  const open = node.data?.visibility === 'open' || isAllOfPage(node, state)
  // A plugin may invent kinds.
  const kind = Object.hasOwn(itemKinds, node.kind) ? node.kind : 'omitted'
  const [what = '', gist = ''] = node.kind === 'exploration' ? explored(node, state) : [node.label]
  const inside = (): ElementContent[] => {
    const items = h('div', { className: ['nested'] }, inFold(node.children, state))
    return [fold({ what, gist, quiet: true, open }, [items])]
  }
  return [itemAround(node, { kind }, state, inside)]
}

/** Whether a page has nothing but turns that were rolled back, and would look empty if they were folded. */
function isAllOfPage({ kind }: Group, { context, session }: State): boolean {
  if (kind !== 'rolledBack' || context.half === 'story') return false
  const isRolledBack = (child: TopContent): boolean => child.type === 'group' && child.kind === 'rolledBack'
  return session.children.every((child) => child.type === 'preamble' || isRolledBack(child))
}

/**
 * A line that says where a fork branched off from its origin. If the copy is all there is of the history, the line is a
 * closed fold with it, so that the page opens at the thread's own words; in the story of several pages the line is a link to
 * that fold.
 */
function inheritedGroup(node: Group, state: State): ElementContent {
  const link = lineageLink(state)
  const lastPrompt = lastCopiedPrompt(node, state)
  const upTo = (label: string): string => (lastPrompt === '' ? label : `${label}, ${lastPrompt}`)
  if (node.data?.visibility !== 'open') {
    return item(node, { kind: 'notice' }, state, [h('p', {}, literal(upTo(node.label)), link)])
  }
  if (state.context.half === 'story') {
    // If several pages have such a line, the style sheet shows only the last, so that the story opens at the thread's own
    // words. The number of turns is dropped, because it is that of one page.
    const history = node.label.replace(/^[\d,]+ turns? copied/, 'History copied')
    const label = h('a', { href: state.link(node.id) }, literal(upTo(history)))
    return h(
      'div',
      { id: node.id, className: [...itemClasses({ kind: 'notice' }), 'inherited'] },
      h('p', {}, label, link),
    )
  }
  const before = link.length === 0 ? [] : [h('p', { className: ['where'] }, link)]
  return itemAround(node, { kind: 'inherited' }, state, () => {
    const inside = h('div', { className: ['nested'] }, before, inFold(node.children, state.at({ files: false })))
    return [fold({ what: node.label, gist: lastPrompt, quiet: true }, [inside])]
  })
}

/** UTF-16 units shown of the prompt after which a fork branched off. */
const maxPrompt = 80

function promptLine({ children }: Message): string {
  const text = children
    .map((child) => (child.type === 'markdown' || child.type === 'text' ? child.value : ''))
    .join('\n')
  return firstLine(text, maxPrompt)
}

/** `up to “the last prompt of the history”` */
function lastCopiedPrompt({ children }: Group, { context, session }: State): string {
  let last = ''
  for (const child of children) {
    walk(child, (node) => {
      if (node.type === 'message' && isTyped(node) && node.data?.visibility !== 'hidden')
        last = promptLine(node) || last
      return node.type === 'turn' || node.type === 'group'
    })
  }
  const { forkedFromId, parentId = '' } = session.lineage
  // The line already names the origin, whose title may be that prompt, cut shorter.
  const title =
    context
      .threads(forkedFromId ?? parentId)
      ?.title.replace(/…$/, '')
      .trimEnd() ?? ''
  return last === '' || (title !== '' && last.startsWith(title)) ? '' : `up to “${last}”`
}

/** Names of explored files that the line shows. */
const maxNamed = 3

/** `Explored`, what was looked at, and the names of the first files. */
function explored({ label, children }: Group, state: State): [what: string, gist: string] {
  const [, what = '', counts = ''] = /^(\S+) (.*)$/.exec(label) ?? ['', label]
  const files = new Set<string>()
  for (const child of children) {
    walk(child, (node) => {
      if (node.type !== 'command') return
      for (const { kind, path } of node.actions) {
        if (kind === 'read' && path !== undefined) files.add(pathBelow(path, state.cwd))
      }
    })
  }
  if (files.size === 0) return [what, counts]
  return [what, `${counts}: ${[...files].slice(0, maxNamed).join(', ')}${files.size > maxNamed ? ', …' : ''}`]
}

/** A line where something was left out. */
function gap(node: Group, state: State): ElementContent {
  return item(node, { kind: 'notice' }, state, [h('p', {}, literal(node.label))])
}

/** ` · <title>` with a link to the thread that this one continues; an empty list if none is known. */
function lineageLink(state: State): ElementContent[] {
  const { forkedFromId, parentId } = state.session.lineage
  const id = forkedFromId ?? parentId
  return id === undefined ? [] : originLink(id, state)
}

/** ` · <title>` with a link to a given thread, if that has a page. */
function originLink(id: string, state: State, label?: string): ElementContent[] {
  const { threads, origin } = state.context
  const thread = threads(id)
  const title = literal(label ?? thread?.title ?? id)
  const href = relativeLink(state.path, anchorLink(id, origin))
  return [{ type: 'text', value: ' · ' }, ...(thread?.built ? [h('a', { href }, title)] : title)]
}
