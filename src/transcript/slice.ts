/** Data that a slice's plugins share through `file.data.slice`: plain data, except for a few functions. */

import type { VFile } from 'vfile'
import { diagnostic, type RuleId } from '../diagnostics/codes.ts'
import type { Asker } from '../rollout/discover/rollout.ts'
import type { PictureFact } from '../rollout/parse/facts.ts'
import type { CutTurn, InheritedRange, UndonePart } from './summary.ts'
import type { LineCounts, Source, Stats, Turn, Usage } from './trast.ts'

/** A picture that was handed to the asset sink. */
export interface Asset {
  asset?: string
  bytes: number
  mediaType: string
  width?: number
  height?: number
  /** Its parts cannot be separated, so what it contains besides its pixels is not known. */
  broken?: true
}

/** Stores a picture and names its file; `undefined` if pages cannot show it. */
export type AssetSink = (picture: PictureFact) => Asset | undefined

/** Settings in force. */
export interface Settings {
  cwd?: string
  model?: string
  effort?: string
  approval?: string
  sandbox?: string
}

/** What one slice hands to the next about its turns. */
export interface TurnCarry {
  /** Number of turns so far. */
  turns: number
  /** Records mark where these turns start. */
  startsRecorded?: true
  settings: Settings
  /** The turn that the border cuts. */
  open?: {
    turnId?: string
    number: number
    kind: Turn['kind']
    explicit: boolean
    review: boolean
    /** Its parts so far contain an answer. */
    answered?: true
  }
  /** Ids of the turns that are over: an end that comes late closes no other turn. */
  closed: Set<string>
}

/** What one slice hands to the next. */
export interface Carry {
  own: TurnCarry
  /** The turns of copied history, which are numbered separately. */
  copied: TurnCarry
  /** Segment of the last record, and whether the record was undone. */
  place?: string
  /** Keys of records in the open turn whose twin has not come: `log role text`. */
  waiting: string[]
  /** Scripts of commands by the session number of their process. */
  processes: Record<string, string>
  /** Addresses of web pages, by the names that a search gave them. */
  pages: Map<string, string>
  /** Tasks that calls in the copied history assigned, by the agent's own name. */
  tasks: Map<string, string>
  /** End of the last own turn. */
  lastAt?: string
  /** Last cumulative token counts. */
  tokensTotal?: Usage
  /** Sum of the exact records since then, which the next total repeats. */
  tokensRecorded?: Usage
  /** Ids of responses with an exact record. */
  responses?: Set<string>
  model?: string
}

/** Statistics that grow node by node. */
type CountedStats = Omit<Stats, 'lines' | 'commits' | 'pullRequests'> & Required<Pick<Stats, 'durations'>>

/** Things that count once, however often they occur. */
interface Distinct {
  files: Set<string>
  commits: Set<string>
  pullRequests: Set<string>
}

/** History in another thread that precedes this thread's first record. */
export interface BaseHistory {
  threadId: string
  title?: string
  turns?: number
  /** Not all of its files were found. */
  missing: boolean
}

/** What is known about a slice besides its tree. */
export interface SliceData {
  threadId: string
  /** Rollout id by segment index; the first segment's items need none in their anchors. */
  rollouts: string[]
  inherited?: InheritedRange
  /** Numbers of own turns that a rollback or a revert removed. */
  rolledBack: number[]
  /** Starts of the parts that a later segment undid. */
  undone?: readonly UndonePart[]
  /** History that is inherited by reference, for the first slice. */
  base?: BaseHistory
  /** Why the thread whose history was copied is missing: the copy is all there is of it. */
  parentMissing?: 'lost' | 'unselected'
  /** Earlier slices of copied history have no page: the group in this slice also stands for them. */
  wholeCopy?: boolean
  /** Threads by the id of the call that started them, if only the threads themselves record it. */
  agents?: ReadonlyMap<string, string>
  /** Who wrote prompts that no client sent, if no person started the thread. */
  asker?: Asker
  /** This slice ends the thread. */
  last: boolean
  /** Its file has just grown: a turn without an end is still running. */
  live?: boolean
  cutTurn?: CutTurn
  carry: Carry
  assets: AssetSink
  /** Returns the mark that replaces an answer which Codex calls secret. */
  secretAnswer: (answer: string) => string
  /** Lines of this slice that no node has taken so far: from `lineKey` to counter name. */
  carried: Map<number, string>
  /** Lines whose nodes were omitted on purpose, by `lineKey`. */
  omitted?: ReadonlySet<number>
  /** Ids of the thread's turns so far. */
  anchors: Set<string>
  lines: LineCounts
  stats: CountedStats
  usage: Record<string, Usage>
  distinct: Distinct
  /** Whether `stats` has counted this slice. */
  counted: boolean
}

declare module 'vfile' {
  interface DataMap {
    slice: SliceData
  }
}

/** The slice data of a file; every plugin of the preset needs it. */
export function sliceOf(file: VFile): SliceData {
  const { slice } = file.data
  if (slice === undefined)
    throw new Error('Cannot normalize without `file.data.slice`, expected it to be set by `assemble`')
  return slice
}

/** A physical line as a number. In the first file, which is the only one of most threads, it is the line's own number. */
export function lineKey({ file = 0, line }: Pick<Source, 'file' | 'line'>): number {
  return file * 2 ** 32 + line
}

/** The state before the first slice. */
export function emptyCarry(): Carry {
  return {
    own: emptyTurnCarry(),
    copied: emptyTurnCarry(),
    waiting: [],
    processes: {},
    pages: new Map(),
    tasks: new Map(),
  }
}

function emptyTurnCarry(): TurnCarry {
  return { turns: 0, closed: new Set(), settings: {} }
}

/** A receipt without lines. */
export function emptyLines(): LineCounts {
  return { total: 0, shown: 0, folded: 0, skipped: {}, unknown: {}, damaged: 0 }
}

/** Empty statistics. */
export function emptyStats(): CountedStats {
  return {
    turns: 0,
    messages: 0,
    commands: { total: 0, failed: 0 },
    tools: {},
    edits: { files: 0, added: 0, removed: 0 },
    durations: { turns: 0, commands: 0, tools: 0 },
    usage: {},
    redacted: {},
    omitted: {},
  }
}

/** Empty sets. */
export function emptyDistinct(): Distinct {
  return { files: new Set(), commits: new Set(), pullRequests: new Set() }
}

// Diagnostics about the session, as messages on its VFile.

/** Adds a rule's finding about a record to the file. */
export function diagnosticMessage(
  file: VFile,
  ruleId: RuleId,
  source: Pick<Source, 'line' | 'file'>,
  detail?: string,
): void {
  const found = diagnostic(ruleId, { line: source.line }, detail === undefined ? undefined : `\`${detail}\``)
  const message = file.message(found.message, {
    place: { line: source.line, column: 1 },
    ruleId,
    source: 'codex-export',
  })
  message.fatal = found.level === 'info' ? undefined : false
  if (source.file !== undefined) message.note = `segment ${source.file}`
}

// Borders between segments, and between records that count and records that a revert undid (rollout-format 6.3).

/** Follows the lines of a thread in order. */
export interface SegmentBorders {
  /** Takes the next line; returns whether a border precedes it. */
  crosses: (line: { segment: number; line: number; undone?: boolean }) => boolean
  /** Undone parts so far, in order. */
  undone: () => UndonePart[]
}

/** Follows the lines of a thread, starting with the first one. */
export function segmentBorders(): SegmentBorders {
  const parts: UndonePart[] = []
  let place: string | undefined
  return {
    crosses({ segment, line, undone = false }) {
      const before = place
      place = `${segment} ${undone}`
      if (place === before) return false
      if (undone) parts.push({ segment, from: line })
      return before !== undefined
    },
    undone: () => parts,
  }
}

/** Whether a revert undid a line of a segment. */
export function isUndone(parts: readonly UndonePart[], segment: number, line: number): boolean {
  return parts.some((part) => part.segment === segment && line >= part.from)
}
