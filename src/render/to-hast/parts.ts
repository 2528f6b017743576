/** Shapes that several items share: the frame with its anchor and time, a fold, a badge, a cut. */
import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Call, Literal, Node } from '../../model/trast.ts'
import { outputText, relativeLink } from '../../model/urls.ts'
import { formatBytes, formatDuration, formatInstant } from '../../util/time.ts'
import { literal } from '../literal.ts'
import { isTrouble, statusWord } from '../words.ts'
import type { State } from './state.ts'

/** The frame of every item: its anchor, its time (a link to itself) and what it shows. */
export function item(node: Node, classes: string, state: State, children: ElementContent[]): Element {
  return h('div', { id: node.id, className: ['item', ...classes.split(' ')] }, stamp(node, state), children)
}

/** The instant of a node as a link to the node; nothing where no instant is known. */
export function stamp(node: Node, state: State): Element | undefined {
  if (node.at === undefined) return undefined
  return h('a', { className: ['at'], href: `#${node.id}` }, time(node.at, state, 'time'))
}

/** `<time>` in the page's zone; the title tells the second. */
export function time(at: string, state: State, style: 'time' | 'minute'): Element {
  const { timeZone } = state.context
  const title = `${formatInstant(at, timeZone, 'second')} ${timeZone}`
  return h('time', { dateTime: at, title }, formatInstant(at, timeZone, style))
}

/** Parts of a folded item. */
export interface Fold {
  /** What was done, one or two words. */
  what: string
  /** To what, literal text. */
  gist?: string
  /** The same in full, where `gist` is short. */
  hint?: string
  /** What came of it. */
  mark?: ElementContent[]
  open?: boolean
  failed?: boolean
  quiet?: boolean
}

/** A `details` whose summary tells what was done, to what, and what came of it. */
export function fold(parts: Fold, children: ElementContent[]): Element {
  const { what, gist, hint, mark = [], open = false, failed = false, quiet = false } = parts
  const classes = ['work', ...(failed ? ['failed'] : []), ...(quiet ? ['quiet'] : [])]
  return h(
    'details',
    { className: classes, open },
    h(
      'summary',
      {},
      h('span', { className: ['what'] }, what),
      gist === undefined || gist === ''
        ? undefined
        : h(
            'span',
            { className: ['gist'], ...(hint === undefined || hint === gist ? {} : { title: hint }) },
            literal(gist),
          ),
      mark.length === 0 ? undefined : h('span', { className: ['mark'] }, mark),
    ),
    children,
  )
}

/** Whether a node starts closed because a plugin asked for it. */
export function isCollapsed(node: Node): boolean {
  return node.data?.visibility === 'collapsed'
}

/** What came of a call: the word and exit code (bold where it failed) and the duration, between dots. */
export function callMark(call: Call & { exitCode?: number }, ...more: string[]): ElementContent[] {
  const word = statusWord(call.status)
  const exit = call.exitCode === undefined ? '' : `exit ${call.exitCode}`
  const outcome = [word, exit].filter((part) => part !== '').join(', ')
  const parts: ElementContent[][] = []
  if (outcome !== '') parts.push([isTrouble(call.status) ? h('b', {}, outcome) : { type: 'text', value: outcome }])
  for (const text of more) if (text !== '') parts.push([{ type: 'text', value: text }])
  // Codex writes a duration of 0 where it did not measure.
  if (call.durationMs !== undefined && call.durationMs > 0)
    parts.push([{ type: 'text', value: formatDuration(call.durationMs) }])
  return joined(parts, ' · ')
}

/** Lists of hast with a text between them. */
export function joined(parts: readonly ElementContent[][], separator: string): ElementContent[] {
  return parts.flatMap((part, index) => (index === 0 ? part : [{ type: 'text', value: separator }, ...part]))
}

/** Inline code, literally. */
export function code(text: string): Element {
  return h('code', {}, literal(text))
}

/** A block that scrolls sideways by itself and can be reached by keyboard. */
export function block(children: ElementContent[]): Element {
  return h('pre', { tabIndex: 0 }, children)
}

/** The value of a literal with a marked cut where something was left out; `show` renders each piece. */
export function withCut(node: Literal, state: State, show: (text: string) => ElementContent[]): ElementContent[] {
  const { omitted, value } = node
  if (omitted === undefined) return show(value)
  const at = Math.min(omitted.at ?? value.length, value.length)
  const head = value.slice(0, at)
  const tail = value.slice(at)
  return [...show(head), cut(node, state), ...show(tail)]
}

/** `… 12 KiB left out`, with the link to the whole text where that is a file of its own. */
function cut(node: Literal, state: State): Element {
  const { bytes = 0, by = 'codex', at } = node.omitted ?? {}
  const size = bytes === 0 ? 'text' : formatBytes(bytes)
  if (by === 'limit' && at !== undefined && node.type === 'output' && state.files) {
    const href = relativeLink(state.path, outputText(state.context.threadId, node.id))
    return h('span', { className: ['cut'] }, `… ${size} left out here: `, h('a', { href }, 'the whole text'))
  }
  const who = by === 'codex' ? 'by Codex itself' : 'of this page'
  return h('span', { className: ['cut'] }, `… ${size} left out ${who}`)
}
