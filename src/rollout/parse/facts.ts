/**
 * Facts: what one record says by itself, decoded and independent of generations. `parse` makes them; `transcript` relates
 * them to each other. A fact never contains what only another record can say. All members are plain data.
 */

import type { CommandAction, NoticeKind, Source, Status, Usage } from '../terms.ts'
import type { Action, AgentWork, ChangeFact, PictureFact, WebSearch } from './action.ts'

export type * from './action.ts'

/** Which of a rollout's two logs a record belongs to: `item` is what the model exchanged, `event` what the screen showed. */
export type Log = 'item' | 'event'

/** One part of a message. */
export type Part =
  | { kind: 'text'; text: string; class: PartClass; label?: string }
  | ({ kind: 'image' } & PictureFact)
  | { kind: 'reference'; what: 'file' | 'skill' | 'memory' | 'session'; target: string; label?: string }
  | { kind: 'placeholder'; text: string }

/** Who wrote a text part of role `user` (rollout-format 5.4). */
export type PartClass = 'typed' | 'injected' | 'wrapper'

/** A message of one of the two logs. */
export interface MessageFact {
  kind: 'message'
  log: Log
  role: 'user' | 'assistant' | 'developer' | 'system'
  parts: Part[]
  id?: string
  phase?: 'commentary' | 'partial_answer' | 'final_answer'
  turnId?: string
  /** The record says that it is the summary of a compaction. */
  compaction?: boolean
  /** The words are those that the screen showed: plan blocks and citations are already removed. */
  shown?: boolean
  /** Typed while a turn was running; set by `turns`. */
  steering?: boolean
  /** A client added it between turns, so nobody typed it there. Set by `turns`. */
  added?: true
  /** Instructions that the head of a bare rollout contains. */
  inHead?: true
  /** The record says that it was copied from the parent. */
  inherited?: boolean
  /** The record names the client that sent it: a person typed it, even in a thread that an agent started. */
  fromClient?: true
  /** A call sent it to the user while the work continues. If the record has an id, it is that of the call. */
  byCall?: true
}

/** What the model thought: a summary, the full text, or neither if it is encrypted. */
export interface ReasoningFact {
  kind: 'reasoning'
  log: Log
  id?: string
  summary: string[]
  raw: string[]
  turnId?: string
}

/** A call of a tool. */
export interface CallFact {
  kind: 'call'
  callId?: string
  family: 'mcp' | 'function' | 'custom' | 'dynamic'
  tool: string
  server?: string
  /** Arguments as sent: JSON text or free text. */
  input: string
  action: Action
  turnId?: string
}

/** What an output's text says (rollout-format 3.8). */
export interface Outcome {
  exitCode?: number
  durationMs?: number
  status: Status
  /** Session number of a process that is still running. */
  processId?: string
  /** Cell number of a script that is still running. */
  cellId?: string
  /** Codex cut the text. */
  truncated: boolean
  body: string
}

/** The output of a call. */
export interface OutputFact {
  kind: 'output'
  callId?: string
  tool?: string
  outcome: Outcome
  pictures: PictureFact[]
  /** Texts that a code-mode script printed, one by one; `outcome.body` is all of them. */
  parts?: string[]
}

/** What an end event or a completed item says about a call. */
export interface ResultFact {
  kind: 'result'
  /** Call id, or the item's own id. */
  callId?: string
  turnId?: string
  result:
    | {
        type: 'command'
        argv: string[]
        script: string
        cwd?: string
        actions: CommandAction[]
        actor: 'agent' | 'user'
        exitCode?: number
        processId?: string
        input?: string
        output?: string
      }
    | { type: 'patch'; changes: ChangeFact[]; stdout?: string; stderr?: string }
    | {
        type: 'tool'
        server?: string
        tool: string
        input?: string
        text?: string
        pictures: PictureFact[]
        family: 'mcp' | 'dynamic'
      }
    | WebSearch
    | { type: 'viewImage'; path: string }
    | { type: 'generateImage'; prompt?: string; picture?: PictureFact; path?: string }
    | AgentWork
    | { type: 'assessment'; text: string }
  status: Status
  durationMs?: number
}

/** A turn begins. */
export interface TurnStartFact {
  kind: 'turnStart'
  turnId?: string
  /** ISO instant to the second; the record may be written up to a minute later. */
  startedAt?: string
  contextWindow?: number
}

/** A turn ends. */
export interface TurnEndFact {
  kind: 'turnEnd'
  turnId?: string
  status: 'completed' | 'failed' | 'interrupted'
  /** The record says that the turn's last request gave no words. */
  silent?: true
  /** The turn's last answer, which the record repeats. */
  said?: string
  reason?: string
  durationMs?: number
  error?: string
  /** The error as recorded, if `error` was extracted from it. */
  errorBody?: string
}

/** Settings that apply from here on. */
export interface SettingsFact {
  kind: 'settings'
  from: 'turn_context' | 'thread_settings'
  turnId?: string
  cwd?: string
  model?: string
  /** `unsetEffort` if the record says that none was chosen. */
  effort?: string
  approval?: string
  sandbox?: string
}

/** Tokens of one model response, and the running total after it. */
export interface TokensFact {
  kind: 'tokens'
  from: 'token_count' | 'token_usage_record'
  turnId?: string
  responseId?: string
  last?: Usage
  /** Total of the thread so far: distinguishes repeated records from new ones (rollout-format 7). */
  total?: Usage
  contextWindow?: number
  /** The request was refused because the account has reached a usage limit. */
  limitReached?: true
}

/** The head of a session, or a copy of one. */
interface MetaFact {
  kind: 'meta'
  threadId?: string
}

/** The context was replaced by a summary. */
export interface CompactionFact {
  kind: 'compaction'
  from: 'line' | 'event' | 'item'
  summary?: string
}

/** A finding of a review. */
export interface FindingFact {
  title: string
  body: string
  priority?: number
  /** From 0 to 1. */
  confidence?: number
  path?: string
  startLine?: number
  endLine?: number
}

/** A review begins or ends. */
export interface ReviewFact {
  kind: 'review'
  step: 'entered' | 'exited'
  /** What the reviewer was asked; set if the prompt's record is folded into the review. */
  prompt?: string
  log: Log
  hint?: string
  /** Absent: interrupted. */
  verdict?: string
  explanation?: string
  /** Confidence in the verdict, from 0 to 1. */
  confidence?: number
  findings: FindingFact[]
}

/** The last `turns` turns were rolled back. */
export interface RollbackFact {
  kind: 'rollback'
  turns: number
}

/** The thread was given a name. */
interface NameFact {
  kind: 'name'
  name: string
}

/** A plan in prose. */
export interface PlanTextFact {
  kind: 'planText'
  id?: string
  turnId?: string
  text: string
}

/** A message from one agent to another. */
export interface AgentMessageFact {
  kind: 'agentMessage'
  author?: string
  recipient?: string
  text?: string
  encrypted: boolean
}

/** Qualifies the agent message on the next line. */
interface AgentTriggerFact {
  kind: 'agentTrigger'
}

/** Texts that a hook added to the conversation. */
export interface HookFact {
  kind: 'hook'
  texts: string[]
}

/** Something that happened to the thread, in words. */
export interface NoticeFact {
  kind: 'notice'
  notice: NoticeKind
  text: string
}

/** An error that Codex reported. */
export interface ErrorFact {
  kind: 'error'
  message: string
  code?: string
  /** The message as recorded, if `message` was extracted from it, and the details beside it. */
  body?: string
}

/** A record of a kind that this version does not know, unchanged. */
export interface UnknownFact {
  kind: 'unknown'
  recordType: string
  payload: unknown
}

/** What one record says by itself. */
export type Fact =
  | MessageFact
  | ReasoningFact
  | CallFact
  | OutputFact
  | ResultFact
  | TurnStartFact
  | TurnEndFact
  | SettingsFact
  | TokensFact
  | MetaFact
  | CompactionFact
  | ReviewFact
  | RollbackFact
  | NameFact
  | PlanTextFact
  | AgentMessageFact
  | AgentTriggerFact
  | HookFact
  | NoticeFact
  | ErrorFact
  | UnknownFact

/** What may be wrong with a line; each is a rule id of the diagnostics. */
export type LineFault =
  | 'absurd-value'
  | 'bad-utf8'
  | 'damaged-line'
  | 'deep-json'
  | 'nul-bytes'
  | 'oversized-line'
  | 'run-together'
  | 'torn-last-line'
  | 'unknown-record'

/** One record of a rollout after parsing. */
export interface Entry {
  source: Source
  /** ISO UTC instant at which it was written; absent in G0 and G1. */
  at?: string
  facts: Fact[]
  /**
   * How the line is counted if no node takes it: `skipped` lines only feed counters; `carried` lines end in a node, or in
   * `skipped` under `kind` if a plugin drops them.
   */
  count: 'carried' | 'skipped' | 'damaged'
  /** Counter name for `skipped`. */
  kind: string
  faults: LineFault[]
}
