/** What goes into a scan: lines that were sniffed, and what the head of the thread tells. */
import type { Fact } from '../model/facts.ts'
import type { KnownCopy } from '../model/rollout.ts'
import type { LinePlace } from './page-cutter.ts'

/** A line that was sniffed, and parsed where the scan needs its content. */
export interface ScanLine extends LinePlace {
  at?: string
  kind: string
  bytes: number
  facts?: Fact[]
  callId?: string
  /** A function call that looks at a picture. */
  looks?: boolean
  ordinal?: number
  /** A later segment undid it. */
  undone?: boolean
}

/** What is known of a thread before its lines are read. */
export interface ScanHead {
  threadId: string
  name?: string
  /** Name of the agent that the thread is, for its title. */
  agentName?: string
  fallbackTitle: string
  startedAt?: string
  cwd?: string
  branch?: string
  remote?: string
  version?: string
  forkedFromId?: string
  subagentHistoryStart?: number
  copied?: KnownCopy
  /** Rollout id by segment index. */
  rollouts: string[]
}
