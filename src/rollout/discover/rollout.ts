/** Types for rollout files on disk, what their heads say, and the threads that they form. */

import { sumBy } from '../../util/groups.ts'
import type { Git } from '../terms.ts'

/** One rollout file, as discovery found it. */
export interface RolloutFile {
  /** Absolute path; never shown in output. */
  path: string
  /** Path below its root with `/` separators; what people and reports see. */
  name: string
  /** Label of the root in which it was found; empty if the user gave none. */
  home: string
  archived: boolean
  compression: 'none' | 'zstd'
  /** `document`: one JSON object of the TypeScript CLI (rollout-format 2.1, G0). */
  format: 'lines' | 'document'
  bytes: number
  mtimeMs: number
  /** Copies from before it was pruned, oldest first (docs/cli.md, `prune`). */
  backups?: RolloutBackup[]
  /** The `YYYY-MM-DDThh-mm-ss` in the name, in local time of the machine that wrote it. */
  stamp?: string
  /** Thread id in the name: a hint only. */
  nameId?: string
  /** Rollout id of a later segment: the part after `_` (rollout-format 1.3). */
  nameRolloutId?: string
}

/** A backup of a rollout. */
export interface RolloutBackup {
  /** Absolute path. */
  path: string
  bytes: number
  mtimeMs: number
}

/** Envelope generation of a file, judged by its first parsable line (rollout-format 2.1). */
export type Generation = 'G0' | 'G1' | 'G1t' | 'G2' | 'G3'

/** Position in another rollout up to which its history is inherited (rollout-format 1.4). */
export interface HistoryBase {
  /** A rollout id: the thread's id for its first segment, the part after `_` for later ones. */
  rolloutId: string
  endOrdinal?: number
  endByte?: number
}

/** Why a thread exists that the user did not start. */
export interface AgentSource {
  kind: 'spawn' | 'review' | 'compact' | 'other'
  name?: string
  role?: string
  path?: string
  depth?: number
}

/** Who writes the prompts of a thread that no person started: another agent, or Codex for its own purposes. */
export type Asker = 'agent' | 'codex'

/** Identity of a rollout, from its first `session_meta` (rollout-format 2.3). */
export interface SessionHead {
  generation: Generation
  threadId: string
  /** How `threadId` was found. */
  idFrom: 'meta' | 'name' | 'path'
  /** Creation instant, ISO UTC. */
  startedAt?: string
  cwd?: string
  git?: Git
  originator?: string
  version?: string
  /** `cli`, `vscode`, `exec`, `subagent` … */
  source?: string
  agent?: AgentSource
  rootId?: string
  parentId?: string
  forkedFromId?: string
  historyBase?: HistoryBase
  subagentHistoryStart?: number
  modelProvider?: string
}

/** One file of a thread. Ordinary threads have one, reverted threads several. */
export interface Segment {
  file: RolloutFile
  head: SessionHead
  /** Id of this rollout; the thread id for the first segment. */
  rolloutId: string
  /** Bytes from here on were undone by a later segment. */
  endByte?: number
  /** Ordinal of the first record that was undone, used if `endByte` is not the end of a line. */
  endOrdinal?: number
}

/** Lines of a segment that are copied from another thread, known before the scan: `from` inclusive, `to` exclusive. */
export interface KnownCopy {
  from: number
  to: number
  threadId: string
}

/** A further copy of a segment, which is not used. */
export interface Duplicate {
  file: RolloutFile
  /** `name` of the file that is used instead. */
  chosen: string
  reason: 'plain-beside-zstd' | 'longer-copy' | 'live-over-archived' | 'same-thread-again' | 'later-save'
}

/** One thread with all its segments, oldest first. */
export interface Thread {
  id: string
  /** From `session_index.jsonl` (rollout-format 1.5). */
  name?: string
  archived: boolean
  segments: Segment[]
  duplicates: Duplicate[]
  /** Copied history that the file itself does not mark; found by comparing files (rollout-format 1.4, tests 4 and 5). */
  copied?: KnownCopy
}

/** Bytes of a thread's files on disk. */
export function threadBytes({ segments }: Thread): number {
  return sumBy(segments, ({ file }) => file.bytes)
}

/** The file in which a thread begins, as the location of a diagnostic. */
export function firstFile({ segments: [first] }: Pick<Thread, 'segments'>): { file?: string } {
  return first === undefined ? {} : { file: first.file.name }
}

/** Label of the root that holds a thread: it says whose session it is. */
export function homeLabel({ segments: [first] }: Thread): string | undefined {
  return first?.file.home || undefined
}

/** Whether a file was written less than `liveMs` ago, so that its session may still be running. */
export function isLive({ mtimeMs }: RolloutFile, now: number, liveMs = 0): boolean {
  return Math.abs(now - mtimeMs) < liveMs
}

/** Everything the survey learned, sorted by start, then id. It is small and stays in memory for the whole build. */
export interface Catalog {
  threads: Thread[]
  /** Number of files seen. */
  files: number
}
