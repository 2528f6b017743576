/** The turns of a session in numbers: the same as the timeline, for reading. */
import type { SessionOverview, TurnOverview } from '../model/overview.ts'
import type { OutlineEntry } from '../model/summary.ts'
import type { PagePlace } from '../model/view.ts'
import { formatAmount, formatCount, formatDuration, formatInstant } from '../util/time.ts'
import type { TurnsView } from './session-views.ts'
import { cutText, statusWord } from './words.ts'

/** Characters of a prompt in the table. */
const promptLength = 80

/** What the table needs beside the numbers. */
export interface TurnTablePlace {
  outline: readonly OutlineEntry[]
  href: (place: PagePlace) => string
  timeZone: string
}

/** The table; `undefined` for a single turn, whose heading says as much. */
export function turnTable({ turns, moreTurns }: SessionOverview, place: TurnTablePlace): TurnsView | undefined {
  if (turns.length < 2) return undefined
  const prompts = new Map<number, string>()
  for (const { turn, text } of place.outline) if (!prompts.has(turn)) prompts.set(turn, text)
  return {
    summary: formatAmount(turns.length + moreTurns, 'turn'),
    rows: turns.map((turn) => rowOf(turn, prompts.get(turn.number) ?? '', place)),
    rest: moreTurns === 0 ? '' : `Not listed: ${formatAmount(moreTurns, 'later turn')}.`,
  }
}

function rowOf(turn: TurnOverview, prompt: string, { href, timeZone }: TurnTablePlace): TurnsView['rows'][number] {
  const { number, status, at, durationMs = 0, commands, failed, added, removed } = turn
  return {
    number: formatCount(number),
    href: href(turn),
    prompt: cutText(prompt, promptLength),
    ...(at === undefined ? {} : { time: { iso: at, text: formatInstant(at, timeZone, 'minute') } }),
    duration: durationMs === 0 ? '' : formatDuration(durationMs),
    commands: commands === 0 ? '' : formatCount(commands),
    failed: failed === 0 ? '' : `${formatCount(failed)} failed`,
    ...(added === 0 ? {} : { added: `+${formatCount(added)}` }),
    ...(removed === 0 ? {} : { removed: `\u2212${formatCount(removed)}` }),
    state: turn.undone ? 'taken back' : statusWord(status),
  }
}
