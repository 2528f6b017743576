/** Small facts about threads: what lists, index pages and links need. */

import type { Thread } from '../rollout/discover/rollout.ts'
import type { Cost } from './cost.ts'
import type { Command, FileChange, LineCounts, Status, Turn, Usage } from './trast.ts'

/** A project: sessions of one git root or remote, else one folder. */
export interface ProjectRef {
  /** Unique, URL-safe; made by `projectSlug`. */
  slug: string
  name: string
}

/** An entry of the outline: one prompt, or one request of Codex itself. */
export interface OutlineEntry {
  /** Anchor of the prompt. */
  anchor: string
  /** 1-based page of the session. */
  page: number
  turn: number
  /** First line of the request, at most 120 characters. */
  text: string
  at?: string
  /** The agent had asked for a password or the like. */
  isReply?: true
}

/** What a scan of one thread finds without building its tree. */
export interface ScanFacts {
  /** From the curation: it stands out in lists; words that group sessions. */
  star?: true
  tags?: readonly string[]
  threadId: string
  title: string
  titleFrom: 'index' | 'event' | 'prompt' | 'file' | 'curation'
  startedAt?: string
  /** Instant of the last record. */
  endedAt?: string
  cwds: string[]
  /** Who works on which machine, as `user@host`, by prompts anywhere in the thread; nothing of it is published. */
  people?: string[]
  branch?: string
  remote?: string
  version?: string
  /** Own turns, also those that were taken back: they keep their numbers. */
  turns: number
  /** Typed prompts of the turns that count. */
  prompts: number
  /** The same of requests, in a thread that Codex started for work of its own: nobody typed them. */
  requests?: number
  /** Segment and line at which each own turn begins. */
  turnLines?: [segment: number, line: number][]
  firstPrompt?: string
  lastPrompt?: string
  /** First sentence of the last answer, without marks, at most 120 characters; none where it says nothing new. */
  subtitle?: string
  lines: number
  bytes: number
  outline: OutlineEntry[]
  pages: PagePlan[]
  /** Copied history at the head of a fork (rollout-format 1.4). */
  inherited?: InheritedRange
  /** History by reference that stands before the first record (rollout-format 1.4). */
  base?: InheritedBase
  /** How many turns of that history a rollback of this thread took back, or tried to. */
  baseRolledBack?: number
  /** Where what a later segment undid begins, in order (rollout-format 6.3). */
  undone?: UndonePart[]
  /** Calls that started sub-agents, and reviews, in order. */
  agents?: AgentCall[]
  /** Numbers of own turns that a rollback or a revert took back. */
  rolledBack: number[]
  /** The one that was set last. */
  model?: string
  /** Tokens of the own turns. */
  usage?: Usage
  /** How the last own turn ended. */
  state?: Status
}

/** Lines of a copied history: `from` inclusive, `to` exclusive, in the first segment. */
export interface InheritedRange {
  from: number
  to: number
  /** Whose history it is. */
  threadId?: string
  /** The end was guessed from a burst of equal times. */
  guessed: boolean
  /** Numbers of copied turns that a copied rollback removed, or one of the fork's own. */
  rolledBack?: number[]
}

/** History that a thread inherits without holding it. */
export interface InheritedBase {
  /** Thread that holds it; where no file does, the rollout id that the head names. */
  threadId: string
  /** Turns up to the place where the thread left it; absent where a file of the chain is missing. */
  turns?: number
  /** Last of its prompts, on the page of the thread that holds it. */
  anchor?: string
}

/** Lines of a segment from `from` on, which a later segment undid. */
export interface UndonePart {
  segment: number
  from: number
}

/** A place that handed work to another thread. */
export interface AgentCall {
  kind: 'spawn' | 'review'
  page: number
  anchor: string
  /** Number of the turn; 0 before the first. */
  turn: number
  callId?: string
  /** Thread that was started, where the records tell. */
  threadId?: string
  /** Task name or nickname of the agent. */
  name?: string
}

/** Tokens of a turn, and how full the model's window was at its last request. */
export type TurnTokens = Pick<Turn, 'usage' | 'contextTokens' | 'contextWindow'>

/** How a turn ended that a page border cuts, and what all of it cost. */
export interface CutTurn extends Partial<TurnTokens> {
  status: Status
  endedAt?: string
  durationMs?: number
  error?: string
  /** The page holds all of the turn but the record of its end, with which no part of it begins on the next one. */
  isWhole?: true
}

/** Byte range of one segment. */
export interface ByteRange {
  /** Index into the thread's segments. */
  segment: number
  start: number
  end: number
  /** 1-based number of the first line in the range. */
  firstLine: number
}

/** One page is one slice: the lines that are in memory together. */
export interface PagePlan {
  /** 1-based. */
  number: number
  ranges: ByteRange[]
  /** Single late lines that belong to calls of this page but stand behind it. */
  late: ByteRange[]
  /** About the bytes of HTML that its prompts, answers and small work take in the story, by its records. */
  storyWeight: number
  /** Lines inside `ranges` that an earlier page took as `late`: `segment:line`. */
  taken: string[]
  /** Slices before the page that hold nothing but copied history of a session that is at hand: they take no page. */
  folded?: PagePlan[]
  /** End of the turn that the page's lower border cuts. */
  cutTurn?: CutTurn
}

/** What index pages, lists and neighbours show of one built thread. */
export interface SessionSummary {
  threadId: string
  title: string
  startedAt?: string
  endedAt?: string
  /** Time inside turns, in milliseconds; absent where nothing was timed. */
  activeMs?: number
  archived: boolean
  status: Status
  project: ProjectRef
  /** Label of the home that holds it: whose session it is. */
  label?: string
  /** From the curation. */
  star?: true
  tags?: readonly string[]
  branch?: string
  /** Working folder as recorded. */
  cwd?: string
  version?: string
  originator?: string
  models: string[]
  /** Where nobody typed one, the first request of Codex. */
  firstPrompt?: string
  /** First sentence of the last answer. */
  subtitle?: string
  turns: number
  messages: number
  commands: { total: number; failed: number }
  /** Failed commands that nothing put right. */
  failuresLeft: number
  edits: { files: number; added: number; removed: number }
  usage?: Usage
  /** By the prices of the configuration, else by list prices. */
  cost?: Cost
  /** Number of commits, pull requests and merge requests that its commands made. */
  commits?: number
  pullRequests?: number
  errors: number
  pages: number
  parentId?: string
  forkedFromId?: string
  /** Role or kind of a machine-made thread, for example `review`. */
  agent?: string
  /** Its parent has no page in this site. */
  parentMissing?: true
  /** Its rollout is no longer there; its pages are kept. */
  sourceMissing?: true
  /** Values of fields of plugins, by the names of the fields. */
  fields?: Readonly<Record<string, readonly string[]>>
  /** What plugins keep for their pages, by their names. */
  pluginData?: Readonly<Record<string, unknown>>
  lines: LineCounts
}

/** One change of one file, as a patch made it or tried to. */
export interface FileTouch {
  /** As seen from the session's folder where it lies below it, else as recorded. */
  path: string
  operation: FileChange['operation']
  movedTo?: string
  added: number
  removed: number
  /** Number of the turn; 0 before the first one. */
  turn: number
  /** 1-based page and anchor of the patch. */
  page: number
  anchor: string
  at?: string
  /** The patch failed or was declined: nothing of it is in the file. */
  failed?: true
}

/** A command that failed. */
export interface FailedCommand {
  /** As `programOf` names it. */
  program: string
  /** First line of the script, at most 200 characters. */
  script: string
  exitCode?: number
  outcome?: Command['outcome']
  turn: number
  page: number
  anchor: string
  at?: string
  /** The next command of the turn that did the same task and worked. */
  fix?: { script: string; page: number; anchor: string }
}

/** A commit, pull request or merge request that a command made. */
export interface MadeReference {
  kind: 'commit' | 'pullRequest'
  /** Hash of the commit, or address of the request. */
  target: string
  /** Subject of the commit, or name of the request. */
  label?: string
  turn: number
  /** 1-based page and anchor of the command. */
  page: number
  anchor: string
  at?: string
}

/** How often commands ran. */
export interface CommandRuns {
  runs: number
  failed: number
  /** Recorded milliseconds; what ran in parallel adds up. */
  durationMs: number
}

/** Recorded milliseconds by kind of work. */
export interface WorkTimes {
  /** Turns without the commands and tool calls in them. */
  model: number
  /** The same where calls were left out on purpose: it holds their time too. */
  mixed?: number
  commands: number
  tools: number
  /** Between turns, from the first record to the last; 0 where a turn has no recorded duration or was left out. */
  idle: number
}

/**
 * What one built thread contributes to pages across sessions. Inherited and hidden parts do not count. Its
 * lists are bounded; `omitted` tells what was left out.
 */
export interface SessionDetail {
  threadId: string
  /** In the order of the records; the newest where there are too many. */
  touches: FileTouch[]
  failures: FailedCommand[]
  /** Each once, in the order of the records; the newest where there are too many. */
  made: MadeReference[]
  /** Remote of the repository, without user information; where the head tells none, the one that was pushed to. */
  remote?: string
  /** Runs by program. */
  programs: Record<string, CommandRuns>
  /** First lines of the prompts of turns that touched files, by the turn's number. */
  prompts: Record<string, string>
  times: WorkTimes
  /** Tokens by model. */
  usage: Record<string, Usage>
  /** Turns by the hour of the day in which they began, in the zone of the site: 24 numbers. */
  hours: number[]
  omitted: { touches: number; failures: number; programs: CommandRuns }
}

/** A selected thread with the facts of its scan. */
export interface ScannedThread {
  thread: Thread
  facts: ScanFacts
}
