/** Transcripts as plain text, for terminals and `grep`. */
import type { Session } from '../model/trast.ts'
import { stripAnsi } from '../util/ansi-strip.ts'
import { formatInstant } from '../util/time.ts'
import type { RenderContext } from './context.ts'
import { receiptRows } from './labels.ts'
import { withoutControls } from './literal.ts'
import { oneLine } from './to-text/lines.ts'
import { createState } from './to-text/state.ts'
import { renderNode } from './to-text/table.ts'
import { totalRows } from './totals.ts'

/** The beginning: title and facts. Ends with a newline. */
export function renderTextHead(session: Session, context: RenderContext): string {
  const title = oneLine(session.title) || 'Untitled session'
  const { cwd, startedAt, git } = session
  const rows: [string, string | undefined][] = [
    ['Session', session.threadId],
    [
      'Started',
      startedAt === undefined ? undefined : `${formatInstant(startedAt, context.timeZone)} ${context.timeZone}`,
    ],
    ['Folder', cwd],
    ['Branch', git?.branch],
  ]
  const facts = rows.filter((row): row is [string, string] => (row[1] ?? '') !== '')
  return forTerminal([title, '='.repeat(Math.min(title.length, 80)), ...facts.map(line), ''].join('\n'))
}

/** The items of one slice, with a blank line before them; empty for a slice that shows nothing. */
export function renderTextSlice(slice: Session, context: RenderContext): string {
  const blocks = createState(slice, context, renderNode).all(slice.children)
  // Labels come from the transcript too.
  return forTerminal(blocks.map((block) => `\n${block}\n`).join(''))
}

/** The end, with a blank line before it: numbers of the thread, and what became of every line. */
export function renderTextFoot(session: Session, context: RenderContext): string {
  const { lines, commits = [], pullRequests = [] } = session.stats
  const made: [string, string][] = [
    ['Commits', commits.join(', ')],
    ['Pull requests', pullRequests.join(', ')],
  ]
  const rows = [...totalRows(session, context.prices), ...made.filter(([, list]) => list !== ''), ...receiptRows(lines)]
  return forTerminal(`\n--- Receipt ---\n\n${rows.map(line).join('\n')}\n`)
}

/** A whole transcript as plain text without escape sequences. */
export function renderText(session: Session, context: RenderContext): string {
  return [renderTextHead, renderTextSlice, renderTextFoot].map((render) => render(session, context)).join('')
}

/** Nothing that drives a terminal, reorders what stands there or hides in it. */
function forTerminal(text: string): string {
  return withoutControls(stripAnsi(text))
}

function line([label, value]: [string, string]): string {
  return `${label}: ${oneLine(value)}`
}
