/** What handlers share while a slice is converted to plain text, and helpers that make text. */

import type { Literal, Session, TrastNode } from '../../../transcript/trast.ts'
import { joinTexts } from '../../../util/join-texts.ts'
import { stripAnsi, stripControls } from '../../../util/printable.ts'
import { omissionLine, omissionOf } from '../../omissions.ts'
import type { RenderContext } from '../context.ts'
import { beginWalk, type Handler, type HandlerTable, unregistered, type Walk } from '../walk.ts'

/** What changes from one part of a slice to the next. */
interface RenderScope {
  /** Word after the titles of turns, for example `rolled back`; empty for ordinary ones. */
  readonly mark: string
  /** Working folder of the turn; paths in it are shown relative to it. */
  readonly cwd: string | undefined
  /** Whether changes of files were made: not for a failed patch, `undefined` for an interrupted one. */
  readonly applied: boolean | undefined
}

/** Facts of the slice, the current scope, and how to render children. */
export interface State extends RenderScope, Walk<string, RenderScope> {}

/** Converts one node to blocks of text, which are separated by blank lines. */
export type Handle<N> = Handler<N, State, string>

/** Creates the state for one slice. */
export function createState(session: Session, context: RenderContext, handlers: HandlerTable<State, string>): State {
  const other: Handle<TrastNode> = (node, state) => handlers.unknown(unregistered(node), state)
  const scope = { mark: '', cwd: session.cwd, applied: true }
  return beginWalk<State, string, RenderScope>({ handlers, other }, { context, session }, scope)
}

// Helpers that make plain text.

/** Parts that are not empty, separated by dots. */
export function dotted(parts: readonly string[]): string {
  return joinTexts(parts, ' · ')
}

/** `[a · b]` from the parts that are not empty; an empty list if there are none. */
export function bracketed(parts: readonly string[]): string[] {
  const text = dotted(parts)
  return text === '' ? [] : [`[${text}]`]
}

/** A text with two spaces before each line that is not blank. */
export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}

/** A literal without escape sequences and surrounding blank lines; a cut one says how much is missing. */
export function literalText(node: Literal, strip: (text: string) => string = stripAnsi): string[] {
  const { value } = node
  const omitted = omissionOf(node)
  const at = omitted?.at ?? value.length
  const parts = [strip(value.slice(0, at)), omitted === undefined ? '' : omissionLine(omitted), strip(value.slice(at))]
  const text = joinTexts(parts.map(trimLines), '\n')
  return text === '' ? [] : [text]
}

/** A body of prose; all its line endings become newlines. */
export function proseText(node: Literal): string[] {
  return literalText(node, stripControls)
}

/** A text without leading blank lines and trailing whitespace. */
function trimLines(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
}

/** A text on one line, without controls. */
export function oneLine(text: string): string {
  return stripAnsi(text).replace(/\s+/g, ' ').trim()
}
