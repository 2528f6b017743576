/** What is said where a text was cut, and where its whole is. */

import { hasCutMark } from '../rollout/parse/exec-text.ts'
import type { Literal, Omission } from '../transcript/trast.ts'
import { joinTexts } from '../util/text.ts'
import { formatAmount } from '../util/time.ts'

/** The omission that must be reported for a text; `undefined` if Codex's own mark in the text already reports it. */
function omissionOf({ omitted, value }: Literal): Omission | undefined {
  return omitted?.by === 'codex' && omitted.at === undefined && hasCutMark(value) ? undefined : omitted
}

/** A literal in pieces; `tail` is empty if the cut is at the end. */
interface Pieces {
  head: string
  tail: string
  omitted?: Omission
}

/** The pieces of a literal. */
export function piecesOf(node: Literal): Pieces {
  const { value } = node
  const omitted = omissionOf(node)
  if (omitted === undefined) return { head: value, tail: '' }
  const at = omitted.at ?? value.length
  return { head: value.slice(0, at), tail: value.slice(at), omitted }
}

/** The line that marks a cut. */
export function omissionLine({ bytes, by }: Omission): string {
  const amount = bytes === 0 ? 'an unknown number of bytes' : formatAmount(bytes, 'byte')
  const whose: Record<Omission['by'], string> = {
    codex: ' by Codex',
    policy: ' by the settings of this site',
    limit: '',
  }
  return `… ${amount} left out${whose[by]} …`
}

/** Whether a site with files for outputs has one with all of this text: only outputs that a page cut have one. */
export function hasWholeFile({ type, omitted }: Literal): boolean {
  return type === 'output' && omitted?.by === 'limit'
}

/** The text of such a file, before a page cuts the output; what is missing already is marked. */
export function wholeFileText(node: Literal): string {
  const { head, tail, omitted } = piecesOf(node)
  return omitted === undefined ? head : joinTexts([head, omissionLine(omitted), tail], '\n')
}
