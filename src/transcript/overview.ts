/** What the head of a session's first page tells of the whole thread: small, whatever the thread's size. */

import type { Span } from '../util/spans.ts'
import type { Status, Turn } from './trast.ts'
import type { PageAnchor } from './urls.ts'

/** Collected while the slices of a thread pass. Copied history and hidden items are not in it. */
export interface SessionOverview {
  /** Efforts of own turns, in the order of first use. */
  efforts: string[]
  permissions: Permissions
  /** Failed commands that nothing put right, and the first of them. */
  failuresLeft: number
  firstLeft?: PageAnchor
  /** Failed edits of which no later one of the turn changed all files, and the first of them. */
  editsLeft: number
  firstEditLeft?: PageAnchor
  /** Failed edits whose files a later one of the turn changed after all. */
  fixedEdits: number
  /** Errors that the session shows, and the first of them. */
  errors: number
  firstError?: PageAnchor
  /** The last command or other call that still runs. */
  running?: 'command' | 'tool'
  /** The first turns, one by one. */
  turns: TurnOverview[]
  /** Absent where fewer than two instants were recorded. */
  timeline?: Timeline
}

/** Sandboxes and approval policies of own turns, as people read them. */
export interface Permissions {
  /** In the order of first use. */
  all: string[]
  /** How often a turn had others than the one before. */
  changes: number
  /** What was chosen while the last turn ran; no turn had it. */
  next?: string
}

/** One turn in numbers. */
export interface TurnOverview extends PageAnchor {
  number: number
  kind: Turn['kind']
  at?: string
  durationMs?: number
  status: Status
  /** A rollback or a later segment took it back. */
  undone?: boolean
  /** Failed commands that nothing put right. */
  left: number
  /** Lines of applied edits. */
  added: number
  removed: number
  /** First sentence of its last answer, or the verdict of its review. */
  result?: string
  /** What was reviewed, in a turn that is a review. */
  review?: string
  /** It completed, and its record says that nobody answered. */
  unanswered?: true
}

/** What happened when. Times are milliseconds since the epoch; lists are sorted by start and bounded. */
export interface Timeline {
  from: number
  to: number
  /** Time inside turns: what they took, but of those that silence of half an hour or more parts the time around it. */
  turnMs: number
  /** Time inside turns in which a command or tool ran; what ran in parallel counts once. */
  workMs: number
  turns: TurnSpan[]
  work: TimelineSpan[]
  marks: TimelineMark[]
}

/** A stretch with the place of what began it; `label` describes that, where the span stands for one thing only. */
export interface TimelineSpan extends Span, PageAnchor {
  label: string
}

/** A turn in the timeline; `undone` where a rollback took it back. */
export interface TurnSpan extends TimelineSpan {
  undone: boolean
  /** As the turn tells it, where no silence parted it. */
  durationMs?: number
}

/** Moments of the timeline to look at; `failed` is a command, `edit` and `tool` an edit and the call of another tool that failed. */
export type MarkKind = 'failed' | 'edit' | 'tool' | 'error' | 'compaction' | 'interrupted'

/** A moment; several of one kind that lie close together are one mark. */
export interface TimelineMark extends TimelineSpan {
  kind: MarkKind
}
