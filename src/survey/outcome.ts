/** What a scan collects of a thread: prompts, model, tokens, and how turns end, by the rules of the statistics. */

import { asksForSecret } from '../redact/strings.ts'
import type { Fact, MessageFact, SettingsFact, TurnEndFact } from '../rollout/parse/facts.ts'
import { requestText } from '../rollout/parse/prompt.ts'
import type { AnswerCollector } from '../transcript/subtitle.ts'
import type { CutTurn, OutlineEntry, ScanFacts, TurnTokens } from '../transcript/summary.ts'
import { isInjected, isPictureOnly, outlineEntry, reviewName, typedText } from '../transcript/texts.ts'
import type { Status, Usage } from '../transcript/trast.ts'
import { itemAnchor } from '../transcript/urls.ts'
import { addTokens, newUsage, sumUsage, type TokenTotals } from '../transcript/usage.ts'
import { defined } from '../util/own.ts'
import { type HeldLine, type ScanHead, type ScanLine, traitsOf } from './scan-line.ts'
import { entriesOf, type ThreadLine } from './thread-lines.ts'

/** Collects them while the lines of a thread are read. */
export interface Outcome {
  /**
   * Takes a fact; one copied from another thread only sets the totals from which counting starts. `isOpen`: within a turn. Returns
   * whether it adds tokens to the turn.
   */
  take: (fact: Fact, isInherited: boolean, isOpen: boolean) => boolean
  /** Takes a line that records settings. It is parsed only if no later one gives the model. */
  takeSettings: (line: ThreadLine) => void
  turnBegins: () => void
  turnEnds: (status: Status) => void
  /** Tokens of the last turn so far. */
  turnTokens: () => TurnTokens
  facts: (end: ThreadEnd) => Pick<ScanFacts, 'model' | 'usage' | 'state'>
}

/** State of a thread after its last line. */
interface ThreadEnd {
  /** Number of its turns. */
  turns: number
  /** The turn whose end no record reports; `explicit` if a record began it. */
  open: { explicit: boolean } | undefined
  /** Message of the error, if the last thing recorded was one. */
  error: string | undefined
}

/** The status of a turn whose end no record reports; `error` is given if the last thing in it was an error. */
function endStatus({ isExplicit, error }: { isExplicit: boolean; error: string | undefined }): Status {
  if (isExplicit) return 'unfinished'
  return error === undefined ? 'completed' : 'failed'
}

/** A collector that has seen no lines. */
export function outcome(): Outcome {
  const totals: TokenTotals = {}
  const models = modelFinder()
  let usage: Usage | undefined
  let turn: TurnTokens = {}
  let contextWindow: number | undefined
  let state: Status | undefined
  return {
    takeSettings: models.takeLine,
    take(fact, isInherited, isOpen) {
      if (fact.kind === 'settings') models.take(fact)
      if (fact.kind !== 'tokens') return false
      const used = newUsage(fact, totals, isInherited)
      if (isInherited) return false
      contextWindow = fact.contextWindow ?? contextWindow
      addTokens(turn, { fact, used, isOpen, contextWindow })
      if (used !== undefined) usage = sumUsage(usage, used)
      return used !== undefined
    },
    turnBegins() {
      state = undefined
      turn = {}
    },
    turnTokens: () => turn,
    turnEnds(status) {
      state = status
    },
    facts({ turns, open, error }) {
      const end = state ?? endStatus({ isExplicit: open?.explicit === true, error })
      return defined({ model: models.last(), usage, state: turns === 0 ? undefined : end })
    },
  }
}

// The model is that of the last turn whose settings give one, or else of the last settings that were chosen. Each turn writes
// some kilobytes of settings, so most are not parsed.

/** Bytes of settings lines that may wait; they are then examined from the newest one back. */
const maxWaiting = 256 * 1024

interface ModelFinder {
  take: (settings: SettingsFact) => void
  takeLine: (line: ThreadLine) => void
  last: () => string | undefined
}

function modelFinder(): ModelFinder {
  let used: string | undefined
  let chosen: string | undefined
  let waiting: ThreadLine[] = []
  let bytes = 0
  const readWaiting = (): void => {
    let newestModel: string | undefined
    for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) {
      const found = settingsOn(line)
      newestModel ??= found.findLast(isChosen)?.model
      const turn = found.findLast(isOfTurn)
      if (turn === undefined) continue
      used = turn.model
      break
    }
    chosen = newestModel ?? chosen
    waiting = []
    bytes = 0
  }
  return {
    take(settings) {
      if (settings.model === undefined) return
      if (isOfTurn(settings)) {
        waiting = []
        bytes = 0
        used = settings.model
      } else {
        readWaiting()
        chosen = settings.model
      }
    },
    takeLine(line) {
      waiting.push(line.copy())
      bytes += line.end - line.start
      if (bytes > maxWaiting) readWaiting()
    },
    last() {
      readWaiting()
      return used ?? chosen
    },
  }
}

function isOfTurn({ from, model }: SettingsFact): boolean {
  return from === 'turn_context' && model !== undefined
}

function isChosen({ from, model }: SettingsFact): boolean {
  return from === 'thread_settings' && model !== undefined
}

function settingsOn(line: ThreadLine): SettingsFact[] {
  return entriesOf(line).flatMap(({ facts }) => facts.filter((fact) => fact.kind === 'settings'))
}

// How turns end: what a page says of a turn that its border cuts, or that ends on it without a record of its end.

/** What a scan knows of the last turn. */
export interface LastTurn {
  /** Whether a record began it. */
  isExplicit: boolean
  /** When something last happened in it. */
  lastAt: string | undefined
  /** Message of the error, if the last thing in the turn was one. */
  lastError: string | undefined
  /** How it ended, if a record says so. */
  ended: CutTurn | undefined
}

/** A turn in which nothing happened. */
export const noTurn: Readonly<LastTurn> = {
  isExplicit: false,
  lastAt: undefined,
  lastError: undefined,
  ended: undefined,
}

/** How a turn ended according to a record. If the last thing in it was an error, it counts as failed, as in `turns`. */
export function recordedEnd(
  { status, error, durationMs }: TurnEndFact,
  lastError: string | undefined,
  endedAt: string | undefined,
): CutTurn {
  const isFailed = status === 'completed' && lastError !== undefined
  const end = isFailed ? { status: 'failed' as const, error: error ?? lastError } : { status, error }
  return { status: end.status, ...defined({ durationMs, error: end.error, endedAt }) }
}

/** How the last turn ended; up to 0.98, no record says that a turn completed (rollout-format 6.1). */
export function endOfTurn({ ended, isExplicit, lastError, lastAt }: LastTurn, { turnTokens }: Outcome): CutTurn {
  const error = isExplicit ? undefined : lastError
  const end = ended ?? { status: endStatus({ isExplicit, error }), ...defined({ error, endedAt: lastAt }) }
  return { ...end, ...turnTokens() }
}

/** Whether a line contains more than context and numbers. */
export function isContent({ kind, facts }: ScanLine): boolean {
  if (facts === undefined) return !traitsOf(kind).isContext
  return facts.some((fact) => (fact.kind === 'message' ? !isInjected(fact) : !noContent.has(fact.kind)))
}

const noContent: ReadonlySet<Fact['kind']> = new Set(['settings', 'tokens', 'meta', 'name'])

// The prompts of a thread, with their positions on its pages.

/** What is known of a thread while its prompts are read. */
export interface OutlineState {
  head: ScanHead
  answers: AnswerCollector
  outline: OutlineEntry[]
  /** Number of the turn. */
  turn: number
}

/** Takes a prompt at the line of its first record. That line may have been given to a page before it was known to be a prompt. */
export function takePrompt(prompt: MessageFact, { line, page, prompts }: HeldLine, state: OutlineState): void {
  if (page === undefined) prompts.push(prompt)
  else addPrompt(prompt, line, page, state)
}

/** Adds a prompt whose line is on a page. */
export function addPrompt(prompt: MessageFact, line: ScanLine, page: number, state: OutlineState): void {
  const { head, turn } = state
  const isReply = asksForSecret(state.answers.takeUnanswered()) || undefined
  const at = { page, anchor: anchorOf(line, head), turn, ...defined({ at: line.at, isReply }) }
  const request = requestText(typedText(prompt))
  state.outline.push(outlineEntry(head.isReview ? reviewName(request) : request, isPictureOnly(prompt), at))
}

/** The anchor of the item that begins at a line. */
export function anchorOf({ line, segment }: ScanLine, { rollouts }: ScanHead): string {
  return itemAnchor(line, segment === 0 ? undefined : rollouts[segment])
}
