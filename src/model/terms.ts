/** Words that rollouts and trees share: where something stands, how it ended, what it cost. */

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

/** State of a call or a turn. */
export type Status = 'completed' | 'failed' | 'declined' | 'interrupted' | 'running' | 'unknown'

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
