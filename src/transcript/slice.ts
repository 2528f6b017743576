/** Facts that a slice's plugins share through `file.data.slice`. Plain data but for the asset sink. */

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
  /** Its parts cannot be told apart, so that nobody knows what it says beside its pixels. */
  broken?: true
}

/** Stores a picture and names its file; `undefined` where it is not one that pages show. */
export type AssetSink = (picture: PictureFact) => Asset | undefined

/** Settings in force. */
export interface Settings {
  cwd?: string
  model?: string
  effort?: string
  approval?: string
  sandbox?: string
}

/** What one slice hands to the next. */
export interface Carry {
  turns: number
  /** Turns of the copied history so far; they have numbers of their own. */
  copiedTurns: number
  /** Id of the copied turn that no record has ended yet. */
  copiedOpen?: string
  /** Records start turns here. */
  startsRecorded?: true
  settings: Settings
  /** A turn that the border cut. */
  open?: {
    turnId?: string
    number: number
    kind: Turn['kind']
    explicit: boolean
    review: boolean
    /** Its parts so far hold an answer. */
    answered?: true
  }
  /** Segment of the last record and whether it was undone. */
  place?: string
  /** Texts of one-sided messages of the open turn: `log role text`. */
  waiting: string[]
  /** Scripts of commands by the session number of their process. */
  processes: Record<string, string>
  /** Addresses of pages of the web by the names that a search gave them. */
  pages: Map<string, string>
  /** Words of the tasks that calls in the copied history handed over, by the agent's own name. */
  tasks: Map<string, string>
  /** End of the last own turn. */
  lastAt?: string
  /** Last cumulative token counts. */
  tokensTotal?: Usage
  /** Exact records since then: the next total repeats them. */
  tokensRecorded?: Usage
  /** Ids of the responses that were recorded exactly. */
  responses?: Set<string>
  model?: string
}

/** Numbers that grow node by node. */
export type CountedStats = Omit<Stats, 'lines' | 'commits' | 'pullRequests'> & Required<Pick<Stats, 'durations'>>

/** What counts once, however often it comes up. */
export interface Distinct {
  files: Set<string>
  commits: Set<string>
  pullRequests: Set<string>
}

/** History that stands before the first record, in another thread. */
export interface BaseHistory {
  threadId: string
  title?: string
  turns?: number
  /** Not all of its files were found. */
  missing: boolean
}

/** What is known of a slice beside its tree. */
export interface SliceData {
  threadId: string
  /** Rollout id by segment index; the first segment's items need none in their anchors. */
  rollouts: string[]
  inherited?: InheritedRange
  /** Numbers of own turns that a rollback or a revert took back. */
  rolledBack: number[]
  /** Where what a later segment undid begins. */
  undone?: readonly UndonePart[]
  /** History by reference, for the first slice. */
  base?: BaseHistory
  /** The thread whose history was copied is not at hand: the copy is all there is of it. */
  parentMissing?: 'lost' | 'unselected'
  /** The slices of copied history before this one have no page: its group stands for them too. */
  wholeCopy?: boolean
  /** Threads by the id of the call that started them, where only they themselves tell. */
  agents?: ReadonlyMap<string, string>
  /** Who wrote the prompts that no client sent, where the thread is not a person's. */
  asker?: Asker
  /** This slice ends the thread. */
  last: boolean
  /** Its file grew just now: a turn without an end still runs. */
  live?: boolean
  cutTurn?: CutTurn
  carry: Carry
  assets: AssetSink
  /** The mark that stands for an answer which Codex calls secret. */
  secretAnswer: (answer: string) => string
  /** Lines of this slice that wait for a node: `lineKey` to counter name. */
  carried: Map<number, string>
  /** Lines behind nodes that were left out on purpose, by `lineKey`. */
  omitted?: ReadonlySet<number>
  /** Ids of the thread's turns so far. */
  anchors: Set<string>
  lines: LineCounts
  stats: CountedStats
  usage: Record<string, Usage>
  distinct: Distinct
  /** `stats` has counted this slice. */
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

/** A physical line as a number: of the first file, which most threads have alone, its own. */
export function lineKey({ file = 0, line }: Pick<Source, 'file' | 'line'>): number {
  return file * 2 ** 32 + line
}

/** The state before the first slice. */
export function emptyCarry(): Carry {
  return {
    turns: 0,
    copiedTurns: 0,
    settings: {},
    waiting: [],
    processes: {},
    pages: new Map(),
    tasks: new Map(),
  }
}

/** A receipt without lines. */
export function emptyLines(): LineCounts {
  return { total: 0, shown: 0, folded: 0, skipped: {}, unknown: {}, damaged: 0 }
}

/** Statistics of nothing. */
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

/** Nothing seen yet. */
export function emptyDistinct(): Distinct {
  return { files: new Set(), commits: new Set(), pullRequests: new Set() }
}

// Diagnostics of the document as messages on its VFile.

/** Puts a rule's finding about a record on the file. */
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

// Borders between segments, and between what counts and what a revert undid (rollout-format 6.3).

/** Looks at the lines of a thread in order. */
export interface SegmentBorders {
  /** Takes the next line; whether a border stands before it. */
  crosses: (line: { segment: number; line: number; undone?: boolean }) => boolean
  /** Undone parts so far, in order. */
  undone: () => UndonePart[]
}

/** Follows the lines of a thread from the first one on. */
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
