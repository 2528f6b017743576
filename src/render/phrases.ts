/** Short texts that several parts of a page share. */

import type {
  Approval,
  Command,
  Question,
  Reference,
  Search,
  Stats,
  Status,
  TrastNode,
  Turn,
} from '../transcript/trast.ts'
import { beginningOf, joinTexts } from '../util/text.ts'
import { formatAmount, formatCount, formatDuration } from '../util/time.ts'

const statusWords: Readonly<Record<Status, string>> = {
  completed: '',
  failed: 'failed',
  declined: 'declined',
  interrupted: 'interrupted',
  running: 'still running',
  unfinished: 'unfinished',
  unknown: '',
}

/** The word for a status; empty if there is nothing to say. */
export function statusWord(status: Status): string {
  return statusWords[status]
}

/** What introduces the words that a hook gave the model instead of an output. */
export const insteadWords = 'The model was given instead'

const outcomeWords: Readonly<Record<NonNullable<Command['outcome']>, string>> = {
  noMatch: 'no match',
  cutOff: 'stopped early: enough was read',
  stopped: 'stopped by Ctrl-C',
  timedOut: 'timed out',
  killed: 'killed',
  noEnd: 'no end recorded',
  ranOn: 'left running',
  maybe: 'may not have run',
}

/** The fields that show how a call ended; only commands have the last three. */
export interface EndedCall {
  status: Status
  outcome?: Command['outcome']
  actions?: Command['actions']
  children?: readonly TrastNode[]
}

/** The word for how a call ended: the outcome of a command if it is known, because it says more than the status. */
export function callWord(call: EndedCall): string {
  const { status, outcome } = call
  if (outcome === undefined) return statusWord(status)
  return outcome === 'noMatch' && mayHaveFound(call) ? 'no match in the last search' : outcomeWords[outcome]
}

/** Whether the output may contain hits of one search although another, whose exit code was recorded, had none. */
function mayHaveFound({ actions = [], children = [] }: EndedCall): boolean {
  return (
    actions.filter(({ kind }) => kind === 'search').length > 1 &&
    children.some((child) => child.type === 'output' && child.value.trim() !== '')
  )
}

/** Whether a status needs the reader's attention. */
export function isTrouble(status: Status): boolean {
  return status === 'failed' || status === 'declined' || status === 'interrupted'
}

/** Label for the time of turns whose calls were left out on purpose. */
export const mixedTime = 'Model and calls left out'

/** A count in a few characters: `812`, `9.4k`, `212k`, `1.2M`, `2.1B`. */
export function formatCompact(count: number): string {
  if (count < 1000) return formatCount(count)
  if (count < 9950) return `${(count / 1000).toFixed(1).replace(/\.0$/, '')}k`
  if (count < 999_500) return `${Math.round(count / 1000)}k`
  const [size, unit] = count < 999_950_000 ? [1_000_000, 'M'] : [1_000_000_000, 'B']
  return `${(count / size).toFixed(1).replace(/\.0$/, '')}${unit}`
}

/** `6 %` or `0.4 %`, with a non-breaking space; one decimal below one percent, and where a part would round up to 100. */
export function percentText(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0\u00A0%'
  const value = (100 * part) / whole
  const tenths = Math.round(value * 10) / 10
  if (value < 1) return `${Math.max(0.1, tenths)}\u00A0%`
  return `${part < whole && value >= 99.5 ? Math.min(99.9, tenths) : Math.round(value)}\u00A0%`
}

/** The first line of a text that is not blank, cut to `limit` UTF-16 units with an ellipsis; no surrogate pair is split. */
export function firstLine(text: string, limit: number): string {
  const line = /\S.*/.exec(text.slice(0, 20_000))?.[0].trimEnd() ?? ''
  return cutText(line, limit)
}

/** Ends of a first line after which an inner script begins: a here-document, a here-string, quoted code that first imports. */
const scriptBegins =
  /<<[-~]?\s*\\?["']?\w+["']?\s*$|@["']\s*$|\s-(?=\w*[ce])\w+\s+["'](?:\s*$|\s*(?:import|from|using|require)\b)/
/** Lines that scripts of all kinds begin with: blank lines, comments, imports, shell options. */
const commonplace = /^\s*(?:$|#|\/\/|import\b|from\b|using\b|use\b|set -|(?:const|var|let)\b.*\brequire\(|require\b)/

/**
 * A script on one line: its first one, and of a script within it, which that line only begins, what it does first; one that
 * continues after a line end in quotes is shown with it, `printf '%s⏎' a | sort`. Cut to `limit` characters with an ellipsis.
 */
export function scriptLine(script: string, limit: number): string {
  const first = firstLine(script, limit)
  const [, ...body] = script.slice(0, 20_000).trimStart().split('\n', maxBody)
  const [next = ''] = body
  const [quote = ''] = /^["']/.exec(next) ?? []
  if (quote !== '' && first.split(quote).length % 2 === 0)
    return cutText(`${first}${lineEndSymbol}${next.trimEnd()}`, limit)
  if (!scriptBegins.test(first)) return first
  const mainLine = body.find((line) => !commonplace.test(line)) ?? body.find((line) => line.trim() !== '')
  return mainLine === undefined ? first : cutText(`${first} … ${mainLine.trim()}`, limit)
}

/** A line end within quotes. */
const lineEndSymbol = '\u23CE'

/** Lines of a script that are examined. */
const maxBody = 60

/** A text cut to `limit` UTF-16 units with an ellipsis; no surrogate pair is split. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${beginningOf(text, limit - 1).trimEnd()}…`
}

/** The parts of an answer as Codex records it: the chosen option, and the user's own words, which follow `user_note: `. */
export function answerParts(answer: string): { chosen: string; note: string } {
  const name = /(?:^|; )user_note: /.exec(answer)
  if (name === null) return { chosen: answer, note: '' }
  return { chosen: answer.slice(0, name.index), note: answer.slice(name.index + name[0].length) }
}

/** The answer to a question as it may be shown: of a secret one only its redaction mark, or `not shown`. */
export function shownAnswer({ answer, secret }: Question): string | undefined {
  if (answer === undefined) return undefined
  if (!secret) {
    const { chosen, note } = answerParts(answer)
    return chosen === '' || note === '' ? chosen || note : `${chosen}; note: ${note}`
  }
  return /^\[redacted:secret-answer(?:#\d+)?\]$/.test(answer) ? answer : 'not shown'
}

/** The options of a question with their descriptions: `Red: Dries in an hour.`, or the option alone. */
export function describedOptions({ options, descriptions = [] }: Question): string[] {
  return options.map((option, index) => joinTexts([option, descriptions[index]], ': '))
}

/** Why a picture whose metadata cannot be removed is not shown. */
export const brokenPicture = 'left out: the file is damaged'

/** How long a call took; empty if Codex did not measure it, in which case it records 0. */
export function callDuration({ durationMs = 0, ranMs = durationMs }: Pick<Command, 'durationMs' | 'ranMs'>): string {
  return ranMs > 0 ? formatDuration(ranMs) : ''
}

/** How full the model's window was at a turn's last request: `context 48 % full`; empty if unknown or below 1 %. */
export function contextText({ contextTokens, contextWindow }: Pick<Turn, 'contextTokens' | 'contextWindow'>): string {
  if (contextTokens === undefined || contextWindow === undefined || contextWindow <= 0) return ''
  const percent = Math.round((100 * contextTokens) / contextWindow)
  return percent < 1 ? '' : `context ${percent} % full`
}

/** `#12` or `!12`, as hosts name the pull request or merge request at an address; the address itself if it is neither. */
export function requestName(url: string): string {
  const [, word, number] = /\/(pull|merge_requests)\/(\d+)$/.exec(url) ?? []
  if (number === undefined) return url
  return `${word === 'pull' ? '#' : '!'}${number}`
}

/** The readable name of an agent: `read one` for `/root/read_one`, `main agent` for the one that started the others. */
export function agentLabel(name: string): string {
  if (!name.startsWith('/')) return name
  const last = name.split('/').findLast((part) => part !== '') ?? ''
  return last === 'root' ? 'main agent' : last.replaceAll('_', ' ')
}

/** `2 failed commands not fixed`: how many failures nothing fixed later. */
export function failuresLeft(count: number, what = 'failed command'): string {
  return `${formatAmount(count, what)} not fixed`
}

/** `, 2 rolled back`, to follow the number of all turns; empty if none were. */
export function rolledBackText({ rolledBack = 0 }: Pick<Stats, 'rolledBack'>): string {
  return rolledBack === 0 ? '' : `, ${formatCount(rolledBack)} rolled back`
}

/** Title of the page that was opened or searched. */
export function pageTitle({ url, children }: Search): string | undefined {
  return children.find((child): child is Reference => child.type === 'reference' && child.target === url)?.label
}

/** `+12` and `−3`; absent if no lines were added or removed. */
export function signedLines({ added, removed }: { added: number; removed: number }): {
  added?: string
  removed?: string
} {
  return {
    ...(added === 0 ? {} : { added: `+${formatCount(added)}` }),
    ...(removed === 0 ? {} : { removed: `\u2212${formatCount(removed)}` }),
  }
}

/** What was asked of the user. */
export const approvalTitles: Readonly<Record<Approval['subject'], string>> = {
  command: 'Asked to run a command',
  patch: 'Asked to change files',
  permission: 'Asked for permission',
  question: 'Asked a question',
}
