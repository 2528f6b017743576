/** What the head of a session's first page says about the whole thread; small, however long the thread is. */

import { defined } from '../util/own.ts'
import type { Span } from '../util/spans.ts'
import type { Status, Turn } from './trast.ts'
import type { PageAnchor } from './urls.ts'

/** Collected while the slices of a thread pass. Does not include copied history and hidden items. */
export interface SessionOverview {
  /** Efforts of own turns by their model, in the order of first use. */
  efforts: ModelEfforts[]
  permissions: Permissions
  /** Failed commands that nothing fixed, and the first of them. */
  failuresLeft: number
  firstLeft?: PageAnchor
  /** Failed edits whose files were not all changed later in the turn, and the first of them. */
  editsLeft: number
  /** Files that commands wrote and that no edit changed. */
  written: number
  firstEditLeft?: PageAnchor
  /** Failed edits whose files were all changed later in the turn. */
  fixedEdits: number
  /** Errors that the session shows, and the first of them. */
  errors: number
  firstError?: PageAnchor
  /** What kind the last command or other call is, if it is still running. */
  running?: 'command' | 'tool'
  /** The first turns, and later ones that have no prompt, in order. */
  turns: TurnOverview[]
  /** Absent if fewer than two instants were recorded. */
  timeline?: Timeline
}

/** The efforts that turns asked of a model. */
export interface ModelEfforts {
  /** Absent if the turns do not say which model they used. */
  model?: string
  efforts: string[]
}

/** Models, and efforts of one, that are kept; a file with more is made up. */
const maxModels = 20
const maxEfforts = 8

/** Adds the effort of a turn to those of a session. */
export function addEffort({ model, effort }: Pick<Turn, 'model' | 'effort'>, all: ModelEfforts[]): void {
  if (effort === undefined) return
  const known = all.find((entry) => entry.model === model)
  if (known === undefined && all.length < maxModels) all.push({ ...defined({ model }), efforts: [effort] })
  else if (known?.efforts.includes(effort) === false && known.efforts.length < maxEfforts) known.efforts.push(effort)
}

/** Sandboxes and approval policies of own turns, in readable words. */
export interface Permissions {
  /** In the order of first use. */
  all: string[]
  /** How often a turn had other permissions than the previous one. */
  changes: number
  /** What was chosen during the last turn, so that no turn has used it. */
  next?: string
}

/** One turn in numbers. */
export interface TurnOverview extends PageAnchor {
  number: number
  kind: Turn['kind']
  at?: string
  durationMs?: number
  status: Status
  /** A rollback or a later segment removed it. */
  undone?: boolean
  /** Failed commands that nothing fixed. */
  left: number
  /** Lines of applied edits. */
  added: number
  removed: number
  /** First sentence of its last answer, or the verdict of its review. */
  result?: string
  /** What was reviewed, if the turn is a review. */
  review?: string
  /** It completed, and its record says that nobody answered. */
  unanswered?: true
}

/** What happened when. Times are milliseconds since the epoch; lists are sorted by start and bounded. */
export interface Timeline {
  from: number
  to: number
  /**
   * Time inside turns: their durations, but for a turn that contains a silence of half an hour or more, only the time
   * around it.
   */
  turnMs: number
  /** Time inside turns during which a command or tool ran; what ran in parallel counts once. */
  workMs: number
  turns: TurnSpan[]
  work: TimelineSpan[]
  marks: TimelineMark[]
}

/** A time span with the location of what began it; `label` describes that if the span stands for a single thing. */
export interface TimelineSpan extends Span, PageAnchor {
  label: string
}

/** A turn in the timeline; `undone`: a rollback removed it. */
export interface TurnSpan extends TimelineSpan {
  undone: boolean
  /** The turn's own duration, unless a silence splits the turn. */
  durationMs?: number
}

/**
 * Notable moments of the timeline. `failed`, `edit` and `tool` are a command, an edit, and the call of another tool that
 * failed.
 */
export type MarkKind = 'failed' | 'edit' | 'tool' | 'error' | 'compaction' | 'interrupted'

/** A moment; several of one kind that are close together become one mark. */
export interface TimelineMark extends TimelineSpan {
  kind: MarkKind
}
