/** Finds the turns of a session that match a question, and their lines with hits. */

import type { TextKind } from '../../../templates/assets/search/grammar.js'
import type { Session, TrastNode, Turn } from '../../transcript/trast.ts'
import { isOnlyCopy, walk } from '../../transcript/view.ts'
import { append } from '../../util/groups.ts'
import { defined } from '../../util/own.ts'
import { asksForMarks } from './byte-patterns.ts'
import type { Query, Term } from './query.ts'
import { type TurnText, textsOf, verbatimKinds } from './texts.ts'

/** A session with hits. */
export interface FoundSession {
  id: string
  title: string
  project: string
  startedAt?: string
  /** Number of pages of its transcript. */
  pages: number
  /** Turns with hits, in their order. */
  turns: FoundTurn[]
}

/** A turn with hits. */
export interface FoundTurn {
  /** Absent for items before the first turn. */
  number?: number
  startedAt?: string
  model?: string
  texts: FoundText[]
}

/** A text with hits. */
export interface FoundText {
  kind: TextKind
  /** Anchor of the item, and the page that has it. */
  id: string
  page: number
  /** Lines with hits and, if asked for, those around them. */
  lines: FoundLine[]
}

/** A line of a text. `hits` are offsets in it; there are none in a line that is only there as a neighbour of another. */
export interface FoundLine {
  /** 1-based. */
  number: number
  text: string
  hits: { start: number; end: number }[]
}

/** Matches a session page by page. */
interface TurnMatcher {
  take: (slice: Session, page: number) => void
  /** Returns the turns that were found. Call it last. */
  finish: () => FoundTurn[]
}

/** A turn that may still continue on the next page. */
interface OpenTurn extends Omit<FoundTurn, 'number'> {
  number: number | undefined
  /** Lists of terms none of which was found yet. */
  missing: Set<readonly Term[]>
  refused: boolean
  failed: boolean
  status?: string
}

const mark = /\[redacted:[^\]\n]{1,80}\]/g
/** A mark with its number. The number counts earlier redactions, but here not everything is redacted, so it would be wrong. */
const numbered = /(\[redacted:[^\]#\n]{1,80})#\d{1,9}\]/g

/** Returns a matcher for one session. `around` is the number of lines to return before and after each hit. */
export function turnMatcher(query: Query, around: number): TurnMatcher {
  const found: FoundTurn[] = []
  const seesMarks = [...query.all.flat(), ...query.none].some(({ text }) => asksForMarks(text))
  let open: OpenTurn | undefined
  const close = (): void => {
    const turn = open
    open = undefined
    if (turn === undefined || turn.missing.size > 0 || turn.refused || turn.texts.length === 0) return
    const { number, startedAt, model, texts } = turn
    if (query.turn.every((test) => test(turn))) found.push({ ...defined({ number, startedAt, model }), texts })
  }
  const take = (text: TurnText, page: number, turn: OpenTurn): void => {
    if (query.kinds?.has(text.kind) === false) return
    const shown = (seesMarks ? text.value : text.value.replace(numbered, '$1]')).normalize()
    const value = seesMarks ? shown : shown.replace(mark, (whole) => '\0'.repeat(whole.length))
    const searched = { ...text, value }
    if (query.none.some((term) => spansOf(term, searched).length > 0)) turn.refused = true
    if (query.all.length === 0) takeFirstLine({ kind: text.kind, id: text.id, page, lines: firstLine(shown) }, turn)
    const spans = query.all.flatMap((terms) => {
      const here = terms.flatMap((term) => spansOf(term, searched))
      if (here.length > 0) turn.missing.delete(terms)
      return here
    })
    if (spans.length > 0) {
      const lines = linesOf(shown, spans, around)
      turn.texts.push({ kind: text.kind, id: text.id, page, lines })
    }
  }
  /**
   * If the query has no words, the prompt of a turn represents it, or else its first text; with `kind:`, each text of
   * these kinds does.
   */
  const takeFirstLine = (text: FoundText, { number, texts }: OpenTurn): void => {
    if (text.lines.length === 0) return
    if (query.kinds !== undefined) texts.push(text)
    else if (number !== undefined && texts[0]?.kind !== 'prompt' && (texts.length === 0 || text.kind === 'prompt'))
      texts[0] = text
  }
  const turnOf = (node: TrastNode): OpenTurn => {
    const number = numberOf(node)
    if (open !== undefined && number !== undefined && open.number === number) return open
    close()
    open = { ...openTurn(node, number), missing: new Set(query.all) }
    return open
  }
  return {
    take(slice, page) {
      for (const node of slice.children.flatMap(turnsIn)) {
        const turn = turnOf(node)
        turn.failed ||= query.turn.length > 0 && hasFailed(node)
        textsOf(node, (text) => take(text, page, turn))
      }
    },
    finish() {
      close()
      return found
    },
  }
}

/** The first line of a text that has more than whitespace. */
function firstLine(text: string): FoundLine[] {
  const [blank = ''] = /^\s*(?:\n|$)/.exec(text) ?? []
  const line = text.slice(blank.length).split('\n', 1)[0] ?? ''
  return line === '' ? [] : [{ number: blank.split('\n').length, text: line, hits: [] }]
}

/** The turns in a group of rolled-back turns, or of copied history that no other session has; any other node itself. */
export function turnsIn(node: TrastNode): TrastNode[] {
  const holdsTurns = (node.type === 'group' && node.kind === 'rolledBack') || isOnlyCopy(node)
  return holdsTurns ? node.children.flatMap(turnsIn) : [node]
}

/** The number of a turn; `undefined` for items before the first turn, which include copied history. */
export function numberOf(node: TrastNode): number | undefined {
  return node.type === 'turn' && !node.data?.inherited ? node.number : undefined
}

function openTurn(node: TrastNode, number: number | undefined): Omit<OpenTurn, 'missing'> {
  const { model, status } = node.type === 'turn' ? node : {}
  return { number, ...defined({ startedAt: node.at, model, status }), texts: [], refused: false, failed: false }
}

function hasFailed(turn: TrastNode): boolean {
  let failed = (turn as Partial<Turn>).status === 'failed'
  walk(turn, (node) => {
    if (node.type === 'error' || ('status' in node && node.status === 'failed')) failed = true
  })
  return failed
}

interface Span {
  start: number
  end: number
}

/**
 * Where a text holds a term, in UTF-16 units. Paths and the name of a tool are at the start of their texts, so offsets in
 * them fit.
 */
function spansOf({ field, pattern, prose }: Term, { kind, value, files, tool }: TurnText): Span[] {
  if (field === 'text') return spansIn(value, verbatimKinds.has(kind) ? pattern : prose)
  const head = field === 'file' ? files?.join('\n') : tool
  return head === undefined ? [] : spansIn(head, pattern)
}

function spansIn(text: string, pattern: RegExp): Span[] {
  const spans: Span[] = []
  for (const match of text.matchAll(pattern)) {
    if (match[0] !== '') spans.push({ start: match.index, end: match.index + match[0].length })
  }
  return spans
}

/**
 * The lines of a text that hold spans, and `around` lines before and after them, each line once. A span across a line end
 * is in both lines.
 */
function linesOf(text: string, spans: readonly Span[], around: number): FoundLine[] {
  const sorted = spans.toSorted((a, b) => a.start - b.start)
  const lines: FoundLine[] = []
  let [start, next] = [0, 0]
  let until = -1
  const before: FoundLine[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const end = start + line.length
    while ((sorted[next]?.end ?? end) < start) next++
    const hits = hitsOf(sorted, next, { start, end })
    const found: FoundLine = { number: index + 1, text: line, hits }
    if (hits.length > 0) {
      append(lines, before.splice(0))
      lines.push(found)
      until = index + around
    } else if (index <= until) lines.push(found)
    else if (around > 0) {
      before.push(found)
      if (before.length > around) before.shift()
    }
    start = end + 1
  }
  return lines
}

function hitsOf(spans: readonly Span[], from: number, { start, end }: Span): Span[] {
  const hits: Span[] = []
  for (let at = from; at < spans.length; at++) {
    const span = spans[at]
    if (span === undefined || span.start >= end) break
    const hit = { start: Math.max(span.start, start) - start, end: Math.min(span.end, end) - start }
    const last = hits.at(-1)
    if (hit.end <= hit.start) continue
    if (last !== undefined && hit.start <= last.end) last.end = Math.max(last.end, hit.end)
    else hits.push(hit)
  }
  return hits
}
