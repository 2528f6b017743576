/** What a search found, as lines for a terminal. */

import { printable } from '../../util/printable.ts'
import { formatAmount, formatInstant } from '../../util/time.ts'
import type { FoundLine, FoundText, FoundTurn } from './match.ts'
import type { FoundSession } from './search.ts'

/** How results are shown. */
export interface ResultStyle {
  timeZone: string
  colour: boolean
  /** Columns of the terminal; absent elsewhere. */
  width: number | undefined
  /** Address of the first place of a turn, by its index, in a built site. */
  link: (found: FoundSession, turn: number) => string | undefined
}

/** Lines of one text that are shown; of more only their number. */
const maxLines = 5
/** Characters of a line around its first hit, where the terminal does not tell. */
const longestLine = 200

/** A session with its turns and their lines. */
export function sessionLines(found: FoundSession, style: ResultStyle): string {
  const lines = [heading(found, style)]
  for (const [index, turn] of found.turns.entries()) {
    const address = style.link(found, index)
    lines.push(turnLine(turn, style), ...turn.texts.flatMap((text) => textLines(text, style)))
    if (address !== undefined) lines.push(`    ${faint(address, style)}`)
  }
  return `${lines.join('\n')}\n\n`
}

/** A session on one line, with the number of its turns. */
export function countLine(found: FoundSession, style: ResultStyle): string {
  return `${String(found.turns.length).padStart(5)}  ${heading(found, style)}\n`
}

function heading({ id, title, project, startedAt }: FoundSession, style: ResultStyle): string {
  const when = startedAt === undefined ? [] : [formatInstant(startedAt, style.timeZone)]
  return [id, ...when, printable(project), bold(printable(title).slice(0, 120), style)].join('  ')
}

function turnLine({ number, startedAt, model, texts }: FoundTurn, style: ResultStyle): string {
  const when = startedAt === undefined ? [] : [formatInstant(startedAt, style.timeZone)]
  const name = number === undefined ? 'Before the first turn' : `Turn ${number}`
  const facts = [...when, ...(model === undefined ? [] : [printable(model)]), formatAmount(texts.length, 'place')]
  return `  ${name}  ${faint(facts.join('  '), style)}`
}

function textLines({ kind, lines }: FoundText, style: ResultStyle): string[] {
  const more = lines.length - maxLines
  const shown = lines.slice(0, maxLines).map((line) => `    ${kind.padEnd(8)} ${lineText(line, style)}`)
  return more > 0
    ? [...shown, `    ${''.padEnd(8)} ${faint(`and ${formatAmount(more, 'more line', 'more lines')}`, style)}`]
    : shown
}

/** A line cut to what fits, with its first hit in it, and its hits marked. */
function lineText({ text, hits }: FoundLine, style: ResultStyle): string {
  const columns = style.width === undefined ? longestLine : Math.max(20, style.width - 14)
  const first = hits[0]?.start ?? 0
  const start = text.length <= columns || first < columns / 2 ? 0 : first - Math.floor(columns / 3)
  const end = Math.min(text.length, start + columns)
  let [at, line] = [start, start > 0 ? '…' : '']
  for (const hit of hits) {
    const [from, to] = [Math.max(hit.start, at), Math.min(hit.end, end)]
    if (from >= to) continue
    line += printable(text.slice(at, from)) + strong(printable(text.slice(from, to)), style)
    at = to
  }
  return line + printable(text.slice(at, end)) + (end < text.length ? '…' : '')
}

const bold = (text: string, { colour }: ResultStyle): string => (colour ? `\x1b[1m${text}\x1b[22m` : text)
const faint = (text: string, { colour }: ResultStyle): string => (colour ? `\x1b[2m${text}\x1b[22m` : text)
const strong = (text: string, { colour }: ResultStyle): string => (colour ? `\x1b[1;31m${text}\x1b[22;39m` : text)
