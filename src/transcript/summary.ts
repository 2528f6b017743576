/** Small facts about threads, for lists, index pages and links. */

import type { Thread } from '../rollout/discover/rollout.ts'
import type { Cost } from './cost.ts'
import type { Command, FileChange, LineCounts, Status, Turn, Usage } from './trast.ts'

/** A project: the sessions of one git root or remote, else of one folder. */
export interface ProjectRef {
  /** Unique, URL-safe; made by `projectSlug`. */
  slug: string
  name: string
}

/** An entry of the outline: a prompt, or a request of Codex itself. */
export interface OutlineEntry {
  /** Anchor of the prompt. */
  anchor: string
  /** 1-based page of the session. */
  page: number
  turn: number
  /** First words of the request, at most 80 columns (`firstWords`), or a name for a prompt without words. */
  text: string
  at?: string
  /** It answers an agent that asked for a password or the like. */
  isReply?: true
}

/** What a scan of one thread finds without building its tree. */
export interface ScanFacts {
  /** From the curation: `star` highlights the session in lists, `tags` group sessions. */
  star?: true
  tags?: readonly string[]
  threadId: string
  title: string
  titleFrom: 'index' | 'event' | 'prompt' | 'file' | 'curation'
  startedAt?: string
  /** Instant of the last record. */
  endedAt?: string
  cwds: string[]
  /** Who works on which machine, as `user@host`, from prompts anywhere in the thread; never published. */
  people?: string[]
  branch?: string
  remote?: string
  version?: string
  /** Own turns, including those that were rolled back, which keep their numbers. */
  turns: number
  /** Typed prompts of all turns that were not rolled back. */
  prompts: number
  /** The same for requests in a thread that Codex started for its own purposes: nobody typed them. */
  requests?: number
  /** Segment and line at which each own turn begins. */
  turnLines?: [segment: number, line: number][]
  firstPrompt?: string
  lastPrompt?: string
  /** First sentence of the last answer, without Markdown, at most 118 columns; absent if it says nothing new. */
  subtitle?: string
  /** The turn of that answer. */
  subtitleTurn?: number
  lines: number
  bytes: number
  outline: OutlineEntry[]
  pages: PagePlan[]
  /** Copied history at the beginning of a fork (rollout-format 1.4). */
  inherited?: InheritedRange
  /** History before the first record that is inherited by reference (rollout-format 1.4). */
  base?: InheritedBase
  /** How many turns of that history a rollback in this thread removed, or tried to remove. */
  baseRolledBack?: number
  /** Starts of the parts that later segments undid, in order (rollout-format 6.3). */
  undone?: UndonePart[]
  /** Calls that started sub-agents, and reviews, in order. */
  agents?: AgentCall[]
  /** Numbers of own turns that a rollback or a revert removed. */
  rolledBack: number[]
  /** The model that was set last. */
  model?: string
  /** Tokens of the own turns. */
  usage?: Usage
  /** How the last own turn ended. */
  state?: Status
}

/** Lines of copied history: `from` inclusive, `to` exclusive, in the first segment. */
export interface InheritedRange {
  from: number
  to: number
  /** The thread from which it was copied. */
  threadId?: string
  /** The end was guessed from a burst of equal timestamps. */
  guessed: boolean
  /** Numbers of copied turns that a rollback removed: a copied one, or the fork's own. */
  rolledBack?: number[]
}

/** History that a thread inherits without containing it. */
export interface InheritedBase {
  /** The thread that contains it; if no file does, the rollout id that the head names. */
  threadId: string
  /** Number of turns up to the point where this thread branches off; absent if a file of the chain is missing. */
  turns?: number
  /** Anchor of its last prompt, on the page of the thread that contains it. */
  anchor?: string
}

/** Lines of a segment, from `from` on, that a later segment undid. */
export interface UndonePart {
  segment: number
  from: number
}

/** A call that gave work to another thread. */
export interface AgentCall {
  kind: 'spawn' | 'review'
  page: number
  anchor: string
  /** Number of the turn; 0 before the first. */
  turn: number
  callId?: string
  /** The thread that was started, if the records say so. */
  threadId?: string
  /** Task name or nickname of the agent. */
  name?: string
}

/** Tokens of a turn, and how full the model's window was at its last request. */
export type TurnTokens = Pick<Turn, 'usage' | 'contextTokens' | 'contextWindow'>

/** How a turn that a page border cuts ended, and what the whole turn cost. */
export interface CutTurn extends Partial<TurnTokens> {
  status: Status
  endedAt?: string
  durationMs?: number
  error?: string
  /** The page has all of the turn except the record of its end, so that no part of it begins on the next page. */
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

/** The plan of a page. One page is one slice: lines that are in memory together. */
export interface PagePlan {
  /** 1-based. */
  number: number
  ranges: ByteRange[]
  /** Single late lines that belong to calls of this page but come after it. */
  late: ByteRange[]
  /** Estimated bytes of HTML for its prompts, answers and small work in the story, from its records. */
  storyWeight: number
  /** Lines inside `ranges` that an earlier page took as `late`: `segment:line`. */
  taken: string[]
  /** Slices before the page that contain only history copied from a session that is available: they get no page. */
  folded?: PagePlan[]
  /** The end of the turn that the page's lower border cuts. */
  cutTurn?: CutTurn
}

/** What index pages, lists and neighbours show of one built thread. */
export interface SessionSummary {
  threadId: string
  title: string
  startedAt?: string
  endedAt?: string
  /** Time inside turns, in milliseconds; absent if nothing was timed. */
  activeMs?: number
  archived: boolean
  status: Status
  project: ProjectRef
  /** Label of the home that contains it: it says whose session it is. */
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
  /** The first typed prompt; if nobody typed one, the first request of Codex. */
  firstPrompt?: string
  /** First sentence of the last answer. */
  subtitle?: string
  /** All turns, also those that were rolled back. */
  turns: number
  messages: number
  commands: { total: number; failed: number }
  /** Failed commands that nothing fixed. */
  failuresLeft: number
  edits: { files: number; added: number; removed: number }
  usage?: Usage
  /** From the configuration's prices, else from list prices. */
  cost?: Cost
  /** Number of commits, pull requests and merge requests that its commands made. */
  commits?: number
  pullRequests?: number
  errors: number
  pages: number
  parentId?: string
  forkedFromId?: string
  /** Role or kind of a thread that no person started, for example `review`. */
  agent?: string
  /** Its parent has no page in this site. */
  parentMissing?: true
  /** Its rollout no longer exists, but its pages are kept. */
  sourceMissing?: true
  /** Values of plugins' fields, by field name. */
  fields?: Readonly<Record<string, readonly string[]>>
  /** Data that plugins keep for their pages, by plugin name. */
  pluginData?: Readonly<Record<string, unknown>>
  lines: LineCounts
}

/** One change of one file that a patch made or tried to make. */
export interface FileTouch {
  /** Relative to the session's folder if it is inside, else as recorded. */
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
  /** The patch failed or was declined: the file does not contain it. */
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
  /** The same if calls were omitted on purpose: this then includes their time. */
  mixed?: number
  commands: number
  tools: number
  /** Time between turns, from the first record to the last; 0 if a turn has no recorded duration or was omitted. */
  idle: number
}

/**
 * What one built thread contributes to pages across sessions. Inherited and hidden parts do not count. Its lists are
 * bounded; `omitted` counts what was left out.
 */
export interface SessionDetail {
  threadId: string
  /** In the order of the records; only the newest if there are too many. */
  touches: FileTouch[]
  failures: FailedCommand[]
  /** Each once, in the order of the records; only the newest if there are too many. */
  made: MadeReference[]
  /** Remote of the repository, without user information; if the head names none, the one to which commits were pushed. */
  remote?: string
  /** Runs by program. */
  programs: Record<string, CommandRuns>
  /** First lines of the prompts of turns that touched files, by the turn's number. */
  prompts: Record<string, string>
  times: WorkTimes
  /** Tokens by model. */
  usage: Record<string, Usage>
  /** Number of turns by the hour of the day in which they began, in the site's time zone: 24 numbers. */
  hours: number[]
  omitted: { touches: number; failures: number; programs: CommandRuns }
}

/** A selected thread with the facts of its scan. */
export interface ScannedThread {
  thread: Thread
  facts: ScanFacts
}
