/** Types that rollouts and trees share: where a record is, how a call ended, what it cost, what was left out. */

/** One physical record that a node was made from. */
export interface Source {
  /** Index of the thread's segment file; absent for the first segment. */
  file?: number
  /** 1-based physical line; for one-document files the 1-based item number. */
  line: number
  /** Index of the record among those that ran together on the line; absent for the first. */
  part?: number
  /** Offset of the line's first byte in the (decompressed) file. */
  byteOffset?: number
  /** Record kind as written, for example `response_item/message`. */
  kind: string
}

/** State of a call or a turn. `unfinished`: the rollout ends before it does. */
export type Status = 'completed' | 'failed' | 'declined' | 'interrupted' | 'running' | 'unfinished' | 'unknown'

/** Fields of every call. */
export interface Call {
  callId?: string
  status: Status
  durationMs?: number
}

/** Token counts of one or more model responses. `input` includes `cached`. */
export interface Usage {
  input: number
  cached: number
  cacheWrite?: number
  output: number
  reasoning: number
  total: number
}

/** The state of the repository when the session began. */
export interface Git {
  branch?: string
  commit?: string
  /** Remote URL without user information. */
  remote?: string
}

/** Receipt of a thread's own lines: `total = shown + folded + Σskipped + Σunknown + damaged`. */
export interface LineCounts {
  total: number
  /** Lines that are the first source of a node. */
  shown: number
  /** Lines merged into a node that another line began. */
  folded: number
  skipped: Record<string, number>
  unknown: Record<string, number>
  damaged: number
}

/** What a command does with files, as Codex understood it. */
export interface CommandAction {
  kind: 'read' | 'list' | 'search' | 'other'
  path?: string
  query?: string
}

/** What was cut, and by whom. */
export interface Omission {
  /** UTF-8 bytes left out; 0 when the writer did not say. */
  bytes: number
  by: 'codex' | 'limit' | 'policy'
  /** UTF-16 index of the cut in `value`, between the head and the tail that were kept. Absent: the cut is at the end. */
  at?: number
}

/** Numbers of a thread. Inherited nodes do not count; of rolled-back turns only the work counts. */
export interface Stats {
  lines: LineCounts
  /** Turns that were not rolled back. */
  turns: number
  /** Turns that a rollback or a revert removed; absent if there are none. */
  rolledBack?: number
  /** Typed prompts and assistant messages of all turns that were not rolled back. */
  messages: number
  commands: { total: number; failed: number }
  /** Calls other than commands, by `server/tool` or tool. */
  tools: Record<string, { calls: number; failed: number }>
  /** Changes that were applied; each file counts once. */
  edits: { files: number; added: number; removed: number }
  /** Recorded milliseconds of turns, commands and tool calls; what ran in parallel adds up. */
  durations?: { turns: number; commands: number; tools: number }
  /** Hashes of commits that commands made, as git printed them. */
  commits?: string[]
  /** Addresses of pull requests and merge requests that commands opened. */
  pullRequests?: string[]
  /** By model. */
  usage: Record<string, Usage>
  redacted: Record<string, number>
  omitted: Record<string, number>
}

/** Origin of a thread: ids of related threads, and its own files. */
export interface Lineage {
  rootId?: string
  parentId?: string
  forkedFromId?: string
  /** Rollout ids of this thread's segment files, oldest first. */
  segments: string[]
}

/** What a notice reports. */
export type NoticeKind =
  | 'compaction'
  | 'rollback'
  | 'abort'
  | 'unanswered'
  | 'undo'
  | 'warning'
  | 'review'
  | 'settings'
  | 'model'
  | 'goal'
  | 'inherited'
  | 'gap'
  | 'corrupt'
  | 'note'

/** What a notice counts, compares or explains. */
export interface NoticeFacts {
  before?: string
  after?: string
  tokensBefore?: number
  tokensAfter?: number
  count?: number
  gapMs?: number
  /** A reviewer's confidence in the verdict, from 0 to 1. */
  confidence?: number
  /** Why a turn ended this way, in our words. */
  reason?: string
}
