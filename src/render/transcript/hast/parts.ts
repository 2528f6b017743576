/** Parts that several items share: the frame with its anchor and time, a line, a fold, a block, a cut. */

import type { Element, ElementContent, Properties } from 'hast'
import type { Command, Literal, Node, Omission, Patch, TrastNode } from '../../../transcript/trast.ts'
import { outputText, relativeLink } from '../../../transcript/urls.ts'
import { append } from '../../../util/groups.ts'
import { defined } from '../../../util/own.ts'
import { joinTexts } from '../../../util/text.ts'
import { formatBytes, formatCount, formatInstant } from '../../../util/time.ts'
import { h } from '../../hast.ts'
import { hasWholeFile, piecesOf } from '../../omissions.ts'
import { callDuration, callWord, cutText, type EndedCall, isTrouble } from '../../phrases.ts'
import { literal } from '../../visible-text.ts'
import type { Token } from '../highlight.ts'
import type { Range } from './diff.ts'
import type { State } from './state.ts'

/** What an item is, and whether it needs the reader's attention. */
interface ItemFrame {
  kind: ItemKind
  failed?: boolean
  /** It failed, and was fixed later. */
  fixed?: boolean
}

/** The frame of every item: its anchor, its time (a link to itself) and what it shows. */
export function item(node: Node, frame: ItemFrame, state: State, children: ElementContent[]): Element {
  return itemAround(node, frame, state, () => children)
}

/** The same for an item that contains others, whose times are compared with its own. */
export function itemAround(node: Node, frame: ItemFrame, state: State, children: () => ElementContent[]): Element {
  // The keyboard reaches items with a fold through the fold.
  const tabIndex = spoken.has(frame.kind) ? undefined : -1
  const at = stamp(node, state, tabIndex)
  const inside = children()
  const script = foldsScript.has(frame.kind) ? [] : scriptFold(node, state)
  return h('div', { id: node.id, className: itemClasses(frame) }, at, inside, script)
}

/** Items in a fold. They do not hide the time of the next item, because readers may not see theirs. */
export function inFold(items: readonly TrastNode[], state: State): ElementContent[] {
  const { minute } = state.memory
  const inside = state.all(items)
  state.memory.minute = minute
  return inside
}

/** Items that show their script among their details. */
const foldsScript: ReadonlySet<ItemKind> = new Set(['command', 'tool', 'search', 'plan'])

/** Items that the keyboard can only reach through their time. */
const spoken: ReadonlySet<ItemKind> = new Set(['commentary', 'notice', 'error', 'approval'])

/** UTF-16 units of a script that a page shows. */
const maxScriptLength = 16_384

/** The script of code mode that made a call, folded. */
export function scriptFold({ data }: Node, state: State): ElementContent[] {
  if (data?.code === undefined) return []
  const shown = cutText(data.code, maxScriptLength)
  const tokens = state.colour(shown, 'javascript')
  const code = block('code', tokens === undefined ? literal(shown) : codeToHast(tokens))
  return [fold({ what: 'Script', quiet: true, script: true }, [code])]
}

/** The reason that Codex gave when it asked to run a command or apply a patch outside the sandbox. */
export function justificationOf({ justification }: Command | Patch): Element | undefined {
  if (justification === undefined) return undefined
  return h('p', { className: ['where'] }, 'Asked for approval: ', literal(justification))
}

/**
 * The instant of a node as a link to the node; `undefined` if it is not known. If it is in the minute that was shown last, it
 * has the class `same` and is visible only while the reader points at the item.
 */
function stamp(node: Node, state: State, tabIndex?: number): Element | undefined {
  if (node.at === undefined) return undefined
  const minute = formatInstant(node.at, state.context.timeZone, 'minute')
  const className = minute === state.memory.minute ? ['at', 'same'] : ['at']
  state.memory.minute = minute
  return h('a', { className, href: `#${node.id}`, tabIndex }, time(node.at, state, 'time'))
}

/**
 * The instant of an item of the story. It is `same` if the previous item of the story shows that minute, no matter what the
 * work in between shows. With `isFirst` it is always visible.
 */
export function plainStamp(node: Node, state: State, isFirst = false): Element | undefined {
  const { memory } = state
  memory.minute = isFirst ? '' : memory.storyMinute
  const shown = stamp(node, state)
  memory.storyMinute = memory.minute
  return shown
}

/** `<time>` in the page's zone; the title includes seconds. */
export function time(at: string, state: State, style: 'time' | 'minute'): Element {
  const { timeZone } = state.context
  const title = `${formatInstant(at, timeZone, 'second')} ${timeZone}`
  return h('time', { dateTime: at, title }, formatInstant(at, timeZone, style))
}

/** What an item says in one line. */
interface Line {
  /** What was done, in one or two words. */
  what: string
  /** What it was done to: literal text, or hast. */
  gist?: string | ElementContent[]
  /** The same in full, if `gist` is shortened. */
  hint?: string
  /** The outcome. */
  mark?: ElementContent[]
}

/** Parts of a folded item. */
export interface Fold extends Line {
  /** Anchor of the fold, if it is more than the body of its item. */
  id?: string
  open?: boolean
  /** A plugin wants it closed, even when everything else is opened. */
  collapsed?: boolean
  quiet?: boolean
  /** It shows the script that made the call. */
  script?: boolean
}

/** A `details` whose summary says what was done, to what, and the outcome. */
export function fold(parts: Fold, children: ElementContent[]): Element {
  const { id, open = false, collapsed = false, quiet = false, script = false } = parts
  const className = ['work', ...(quiet ? ['quiet'] : []), ...(script ? ['script'] : [])]
  const state = collapsed ? { dataCollapsed: true } : { open }
  const properties = { ...defined({ id }), className, ...state }
  return h('details', properties, h('summary', {}, lineOf(parts)), children)
}

/** The line of an item that has nothing to unfold. */
export function single(line: Line): Element {
  return h('p', { className: ['work', 'quiet', 'single'] }, lineOf(line))
}

function lineOf({ what, gist = '', hint, mark = [] }: Line): ElementContent[] {
  const content = typeof gist === 'string' ? literal(gist) : gist
  const title = hint === undefined || hint === gist ? {} : { title: hint }
  const parts: ElementContent[] = [h('span', { className: ['what'] }, what)]
  if (content.length > 0) parts.push(h('span', { className: ['gist'], ...title }, content))
  if (mark.length > 0) parts.push(h('span', { className: ['mark'] }, mark))
  return parts
}

/** Whether a node starts closed because a plugin asked for it. */
export function isCollapsed(node: Node): boolean {
  return node.data?.visibility === 'collapsed'
}

/** The outcome of a call: word and exit code (as a badge if it failed), then `more` and the duration. */
export function callMark(
  call: EndedCall & { exitCode?: number; durationMs?: number; ranMs?: number },
  ...more: string[]
): ElementContent[] {
  const { status } = call
  const [outcome = ''] = endOf(call)
  const facts = [...more, callDuration(call)].filter((fact) => fact !== '')
  if (isTrouble(status)) return joined([[h('b', { className: ['badge'] }, outcome)], textOf(facts)], ' ')
  return textOf(outcome === '' ? facts : [outcome, ...facts])
}

/** The word and the exit code that say how a call ended; an empty list if there is nothing to say. */
export function endOf(call: EndedCall & { exitCode?: number }): string[] {
  // An exit code of zero after success is not worth showing.
  const isNews = call.exitCode !== undefined && (call.exitCode !== 0 || call.status !== 'completed')
  const exit = isNews ? `exit ${call.exitCode}` : ''
  const outcome = joinTexts([callWord(call), exit], ', ')
  return outcome === '' ? [] : [outcome]
}

/** Facts separated by dots. */
export function textOf(facts: readonly string[]): ElementContent[] {
  return facts.length === 0 ? [] : [{ type: 'text', value: facts.join(' · ') }]
}

/** Lists of hast joined by a separator; empty ones are left out. */
export function joined(parts: readonly ElementContent[][], separator: string): ElementContent[] {
  const shown = parts.filter((part) => part.length > 0)
  return shown.flatMap((part, index) => (index === 0 ? part : [{ type: 'text', value: separator }, ...part]))
}

/** `+3 −2`, each with its colour; a count of zero is left out. */
export function lineCounts({ added, removed }: { added: number; removed: number }): ElementContent[] {
  const parts: ElementContent[][] = []
  if (added > 0) parts.push([h('b', { className: ['good'] }, `+${formatCount(added)}`)])
  if (removed > 0) parts.push([h('b', { className: ['bad'] }, `\u2212${formatCount(removed)}`)])
  return joined(parts, ' ')
}

/** Inline code, literally. */
export function code(text: string): Element {
  return h('code', {}, literal(text))
}

/** What the text of a block is, for copying. */
type Copied = 'command' | 'output' | 'code' | 'diff' | 'text'

/** Marks an element as a block that can be copied and, unless it is prose, whose lines may wrap. */
export function copied(what: Copied): Properties {
  return what === 'text' ? { dataCopy: what } : { dataCopy: what, dataWrap: true }
}

/** A block that scrolls horizontally and can be reached by keyboard. */
export function block(what: Copied, children: ElementContent[]): Element {
  return h('pre', { tabIndex: 0, dataCopy: what, dataWrap: true }, children)
}

/** The value of a literal, with a mark where something was left out; `show` renders each piece. */
export function withCut(node: Literal, state: State, show: (text: string) => ElementContent[]): ElementContent[] {
  const { head, tail, omitted } = piecesOf(node)
  return omitted === undefined ? show(head) : [...show(head), cut(omitted, node, state), ...show(tail)]
}

/** `… 12 KiB left out`, with a link to the whole text if that is in a separate file. */
function cut({ bytes, by }: Omission, node: Literal, state: State): Element {
  const size = bytes === 0 ? 'text' : formatBytes(bytes)
  if (state.files && hasWholeFile(node)) {
    const href = relativeLink(state.path, outputText(state.context.threadId, node.id))
    return h('span', { className: ['cut'] }, `… ${size} left out here: `, h('a', { href }, 'the whole text'))
  }
  const who = { codex: 'by Codex itself', limit: 'of this page', policy: 'by the settings of this site' }[by]
  return h('span', { className: ['cut'] }, `… ${size} left out ${who}`)
}

// The classes of items, which style sheet and script rely on.

/**
 * Classes by what an item is; `docs/templates.md` lists them for themes. An item that needs the reader's attention also has
 * `failed`, or `fixed` if it was fixed later. Every item has `item` and, if its node has an anchor, the anchor as id.
 */
export const itemKinds = {
  prompt: 'prompt',
  request: 'request',
  answer: 'say answer',
  commentary: 'say commentary',
  context: 'context',
  thought: 'thought',
  command: 'command',
  patch: 'patch',
  tool: 'tool',
  search: 'search',
  plan: 'planned',
  image: 'image',
  agent: 'card',
  approval: 'aside',
  notice: 'note',
  error: 'error',
  exploration: 'group exploration',
  inherited: 'group inherited',
  rolledBack: 'group rolledback',
  omitted: 'group omitted',
  unknown: 'unknown',
  changed: 'changed',
  repeated: 'group repeated',
} as const

/** What an item is. */
export type ItemKind = keyof typeof itemKinds

/** Class names of an item. */
export function itemClasses({ kind, failed, fixed }: ItemFrame): string[] {
  return ['item', ...itemKinds[kind].split(' '), ...(failed ? [fixed ? 'fixed' : 'failed'] : [])]
}

// Code: coloured runs, and marks over them.

/** Hast of tokens; each kind is a class, and text without a kind has no element. */
export function codeToHast(tokens: readonly Token[]): ElementContent[] {
  const result: ElementContent[] = []
  // Built by hand: pages of code have thousands of these.
  for (const { text, kind } of tokens) {
    const children = literal(text)
    if (kind !== undefined)
      result.push({ type: 'element', tagName: 'span', properties: { className: [kind] }, children })
    else for (const node of children) result.push(node)
  }
  return result
}

/** Hast of tokens with a `b` around each marked part. Marks are in order and do not overlap. */
export function markedToHast(tokens: readonly Token[], marks: readonly Range[]): ElementContent[] {
  if (marks.length === 0) return codeToHast(tokens)
  const result: ElementContent[] = []
  let from = 0
  for (const { start, end } of marks) {
    append(result, codeToHast(cutTokens(tokens, from, start)))
    result.push({
      type: 'element',
      tagName: 'b',
      properties: {},
      children: codeToHast(cutTokens(tokens, start, end)),
    })
    from = end
  }
  return [...result, ...codeToHast(cutTokens(tokens, from, Number.POSITIVE_INFINITY))]
}

/** The part of tokens between two UTF-16 indices. */
function cutTokens(tokens: readonly Token[], start: number, end: number): Token[] {
  const parts: Token[] = []
  let offset = 0
  for (const token of tokens) {
    const text = token.text.slice(Math.max(0, start - offset), Math.max(0, end - offset))
    if (text !== '') parts.push({ ...token, text })
    offset += token.text.length
  }
  return parts
}
