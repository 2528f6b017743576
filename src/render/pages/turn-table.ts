/** The turns of a session in numbers: the same as the timeline, for reading. */

import type { SessionOverview, TurnOverview } from '../../transcript/overview.ts'
import type { OutlineEntry } from '../../transcript/summary.ts'
import type { PageAnchor } from '../../transcript/view.ts'
import { defined } from '../../util/defined.ts'
import { formatAmount, formatCount, formatDuration, formatInstant } from '../../util/time.ts'
import { cutText, statusWord } from '../phrases.ts'
import type { TurnsView } from './session-views.ts'

type TurnRow = TurnsView['rows'][number]

/** Characters of a prompt in the table. */
const promptLength = 80

/** What stands for a prompt where nobody wrote one. */
const kinds: Readonly<Record<TurnOverview['kind'], string>> = {
  user: '',
  compaction: 'Compaction',
  shell: 'Shell',
  review: 'Review',
  agent: 'From another agent',
  goal: 'Goal',
}

/** What the table needs beside the numbers. */
export interface TurnTableContext {
  outline: readonly OutlineEntry[]
  turnHref: (place: PageAnchor) => string
  timeZone: string
}

/** The table; `undefined` for a single turn, whose heading says as much. */
export function turnTable({ turns, moreTurns }: SessionOverview, place: TurnTableContext): TurnsView | undefined {
  if (turns.length < 2) return undefined
  const firstDay = dayOf(turns[0]?.at, place.timeZone)
  const prompts = new Map<number, string>()
  for (const { turn, text } of place.outline) if (!prompts.has(turn)) prompts.set(turn, text)
  return {
    summary: formatAmount(turns.length + moreTurns, 'turn'),
    rows: turns.map((turn) => rowOf(turn, { prompt: prompts.get(turn.number) ?? '', firstDay, place })),
    rest: moreTurns === 0 ? '' : `Not listed: ${formatAmount(moreTurns, 'later turn')}.`,
  }
}

function dayOf(at: string | undefined, timeZone: string): string {
  return at === undefined ? '' : formatInstant(at, timeZone, 'day')
}

/** The time of day, with the day where it is another than that of the first turn. */
function timeOf(at: string, firstDay: string, timeZone: string): TurnRow['time'] {
  const style = dayOf(at, timeZone) === firstDay ? 'time' : 'minute'
  return { iso: at, text: formatInstant(at, timeZone, style) }
}

function rowOf(
  turn: TurnOverview,
  { prompt, firstDay, place }: { prompt: string; firstDay: string; place: TurnTableContext },
): TurnRow {
  const { number, kind, status, at, durationMs = 0, commands, failed, added, removed } = turn
  return {
    number: formatCount(number),
    href: place.turnHref(turn),
    prompt: prompt === '' ? kinds[kind] : cutText(prompt, promptLength),
    ...defined({ time: at === undefined ? undefined : timeOf(at, firstDay, place.timeZone) }),
    duration: durationMs === 0 ? '' : formatDuration(durationMs),
    commands: commands === 0 ? '' : formatCount(commands),
    failed: failed === 0 ? '' : `${formatCount(failed)} failed`,
    ...(added === 0 ? {} : { added: `+${formatCount(added)}` }),
    ...(removed === 0 ? {} : { removed: `\u2212${formatCount(removed)}` }),
    state: turn.undone ? 'taken back' : statusWord(status),
  }
}
