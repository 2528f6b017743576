/**
 * trast, the transcript tree: unist nodes in plain JSON for what happened in a Codex thread; `docs/ast.md` describes
 * them. Absent means that there is no property, never `null`. Times are ISO 8601 UTC strings, durations integer
 * milliseconds, counts integers.
 */

import type { Position } from 'unist'
import type {
  Call,
  CommandAction,
  Git,
  Lineage,
  NoticeFacts,
  NoticeKind,
  Omission,
  Source,
  Stats,
  Status,
  Usage,
} from '../rollout/terms.ts'

export type * from '../rollout/terms.ts'

/** The unist data field of every node; plugins may add keys. */
export interface Data {
  /** Records behind this node, first source first. Empty for generated nodes. */
  sources?: Source[]
  /** How pages show the node. Absent: `open`. */
  visibility?: 'open' | 'collapsed' | 'hidden'
  /** The node was copied from an ancestor thread and counts in no statistic. */
  inherited?: boolean
  /** Names of fields that were inferred, not recorded. */
  inferred?: string[]
  /**
   * `continued`: a turn or command that continues from the previous slice. `continues`: a turn with more in the next
   * slice, which shows its end. `sameCall`: a further request of the previous search's call; both count once.
   */
  continued?: boolean
  continues?: boolean
  sameCall?: boolean
  /** The code-mode script that made this call and no other: the call replaces it. */
  code?: string
}

/** Common part of all nodes. */
export interface Node {
  type: string
  /** `l<line>` of the first source record, `l12.1` for further nodes of one record; see `transcript/urls.ts`. */
  id: string
  /** Instant of the first source record. */
  at?: string
  data?: Data
  /** Physical lines: `start` of the first source record, `end` after the last one. */
  position?: Position
}

/** A node with text. */
export interface Literal extends Node {
  value: string
  omitted?: Omission
}

/** A node with children. */
export interface Parent extends Node {
  children: TrastNode[]
}

/** One thread: the root of a tree. */
export interface Session extends Parent {
  type: 'session'
  threadId: string
  title: string
  titleFrom: 'index' | 'event' | 'prompt' | 'file' | 'curation'
  star?: true
  tags?: readonly string[]
  cwd?: string
  git?: Git
  client: { originator?: string; version?: string; source?: string }
  startedAt?: string
  endedAt?: string
  archived: boolean
  status: Status
  models: string[]
  contextWindow?: number
  lineage: Lineage
  children: TopContent[]
  stats: Stats
}

/** Content before the first turn. */
export interface Preamble extends Parent {
  type: 'preamble'
  children: FlowContent[]
}

/** Everything that followed from one prompt, or from another single cause. */
export interface Turn extends Parent {
  type: 'turn'
  turnId?: string
  /** 1-based over the thread's own turns; inherited turns count from 1 on their own. */
  number: number
  kind: 'user' | 'compaction' | 'shell' | 'review' | 'agent' | 'goal'
  status: Status
  model?: string
  effort?: string
  approval?: string
  sandbox?: string
  cwd?: string
  usage?: Usage
  /** Tokens in the model's window at the turn's last request, and the size of that window then. */
  contextTokens?: number
  contextWindow?: number
  endedAt?: string
  durationMs?: number
  /** Message of the error that ended the turn. */
  error?: string
  children: FlowContent[]
}

/** What somebody said, or what was added to the conversation in somebody's name. */
export interface Message extends Parent {
  type: 'message'
  role: 'user' | 'assistant' | 'developer' | 'system'
  origin: 'typed' | 'codex' | 'injected' | 'generated' | 'agent' | 'hook'
  phase?: 'commentary' | 'partial_answer' | 'final_answer'
  author?: string
  recipient?: string
  /** Typed while a turn was running. */
  steering?: boolean
  /** A prompt written by the agent that started the thread: a model's Markdown, like answers. */
  delegated?: boolean
  /** What an injected message is, for example `environment`, or what a request of Codex itself is; a short English label. */
  label?: string
  /** A reviewer's answer contains the review as a notice. */
  children: (PhraseContent | Notice)[]
}

/** What the model thought. */
export interface Reasoning extends Parent {
  type: 'reasoning'
  /** The file contains only ciphertext; `children` is empty. */
  encrypted: boolean
  form: 'summary' | 'raw'
  children: Markdown[]
}

/** A command that ran in a shell. */
export interface Command extends Parent, Call {
  type: 'command'
  argv: string[]
  /** What ran, without the `bash -lc` wrapper; empty only if nothing is known about it. */
  script: string
  cwd?: string
  /** The words with which Codex asked for approval to run it outside the sandbox. */
  justification?: string
  actor: 'agent' | 'user'
  actions: CommandAction[]
  exitCode?: number
  /** What is known about its end besides the status, from the exit code or without one. */
  outcome?: 'noMatch' | 'cutOff' | 'stopped' | 'timedOut' | 'killed' | 'noEnd' | 'ranOn' | 'maybe'
  processId?: string
  /**
   * How long its process ran, as recorded or else as observed, if that is longer than `durationMs`, the time that the
   * model waited.
   */
  ranMs?: number
  /** Output and input in order, then the commits and pull requests that it made. */
  children: (Output | Input | Reference)[]
}

/** What `write_stdin` sent. */
export interface Input extends Literal {
  type: 'input'
}

/** What a command, a tool or a patch returned. */
export interface Output extends Literal {
  type: 'output'
  stream: 'stdout' | 'stderr' | 'both'
  /** The value contains escape sequences. */
  ansi: boolean
  /** What the model was given in place of the output before it, as hooks do. */
  instead?: true
}

/** A patch to files. */
export interface Patch extends Parent, Call {
  type: 'patch'
  /** As in `command`, if a shell applied it. */
  justification?: string
  children: (FileChange | Output | Text)[]
}

/** What a patch did to one file. */
export interface FileChange extends Parent {
  type: 'fileChange'
  path: string
  operation: 'add' | 'update' | 'delete' | 'move'
  movedTo?: string
  added: number
  removed: number
  children: Hunk[]
}

/** `value`: lines that begin with ` `, `+` or `-`. */
export interface Hunk extends Literal {
  type: 'hunk'
  oldStart?: number
  newStart?: number
  header?: string
}

/** A call of a tool that has no node type of its own. */
export interface ToolCall extends Parent, Call {
  type: 'toolCall'
  family: 'mcp' | 'function' | 'custom' | 'dynamic'
  server?: string
  tool: string
  /** Arguments as sent: JSON text or free text. */
  input: string
  /** Outputs, then what a code-mode script did. */
  children: (Output | Text | Markdown | Image | FlowContent)[]
}

/** A web search, or a page that was opened or searched. */
export interface Search extends Parent, Call {
  type: 'search'
  action: 'search' | 'open' | 'find'
  queries: string[]
  url?: string
  pattern?: string
  /** Pages that were opened or found, then what a code-mode script printed. */
  children: (Reference | Output)[]
}

/** A plan: steps of a checklist, or prose. */
export interface Plan extends Parent {
  type: 'plan'
  children: (PlanStep | Markdown)[]
}

/** One step of a plan; `value` is its text. */
export interface PlanStep extends Literal {
  type: 'planStep'
  status: 'pending' | 'inProgress' | 'completed'
}

/** A picture. */
export interface Image extends Node {
  type: 'image'
  /** Name of the asset file: `<content hash>.<extension>`. */
  asset?: string
  /** Where the picture came from or was saved; a path or URL, shown as text, never loaded. */
  url?: string
  alt?: string
  origin: 'attached' | 'generated' | 'viewed' | 'tool'
  width?: number
  height?: number
  bytes?: number
  mediaType?: string
  /** Omitted, because its parts cannot be separated, so what it contains besides its pixels is not known. */
  broken?: true
}

/** A call that starts a sub-agent or otherwise concerns one. `finish` is not a call but Codex's report that it finished. */
export interface Agent extends Parent, Call {
  type: 'agent'
  action: 'spawn' | 'send' | 'wait' | 'resume' | 'close' | 'list' | 'finish'
  /** The tool that was called: each generation has its own tools for the same action. */
  tool?: string
  threadId?: string
  name?: string
  role?: string
  children: (Message | Reference | Output)[]
}

/** A question to the user, with what was decided. */
export interface Approval extends Parent {
  type: 'approval'
  subject: 'command' | 'patch' | 'permission' | 'question'
  decision?: string
  callId?: string
  status: Status
  children: (PhraseContent | Question)[]
}

/** Children: the question's text. */
export interface Question extends Parent {
  type: 'question'
  header?: string
  options: string[]
  /** A description of each option, in the same order; empty if there is none. */
  descriptions?: string[]
  answer?: string
  secret: boolean
  children: PhraseContent[]
}

/** Something that happened to the thread. */
export interface Notice extends Parent {
  type: 'notice'
  kind: NoticeKind
  facts?: NoticeFacts
  children: (PhraseContent | Finding)[]
}

/** One finding of a review. */
export interface Finding extends Parent {
  type: 'finding'
  title: string
  priority?: number
  confidence?: number
  path?: string
  startLine?: number
  endLine?: number
  children: PhraseContent[]
}

/** An error that Codex reported. */
export interface ErrorNode extends Node {
  type: 'error'
  message: string
  code?: string
  /** The error as recorded, if `message` was extracted from it (an answer in JSON), and the details beside it. */
  body?: string
}

/** Items that are shown folded into one line. */
export interface Group extends Parent {
  type: 'group'
  kind: 'exploration' | 'inherited' | 'rolledBack' | 'omitted'
  label: string
  children: (FlowContent | Turn)[]
}

/** A record that this version does not know. */
export interface Unknown extends Node {
  type: 'unknown'
  recordType: string
  payload: unknown
}

/** Markdown source, which bridges parse. */
export interface Markdown extends Literal {
  type: 'markdown'
}

/** Literal text. JSON is a text with lang `json`. */
export interface Text extends Literal {
  type: 'text'
  lang?: string
}

/** Something to which a text or a call refers. */
export interface Reference extends Node {
  type: 'reference'
  kind: 'file' | 'url' | 'skill' | 'memory' | 'session' | 'commit' | 'pullRequest'
  target: string
  label?: string
  /** What a search of the web quotes from the page. */
  excerpt?: string
}

/** Nodes that may be in a turn; plugins extend it by module augmentation. */
export interface FlowMap {
  message: Message
  reasoning: Reasoning
  command: Command
  patch: Patch
  toolCall: ToolCall
  search: Search
  plan: Plan
  image: Image
  agent: Agent
  approval: Approval
  notice: Notice
  error: ErrorNode
  group: Group
  unknown: Unknown
}

/** Nodes that may be in messages and answers; plugins extend it by module augmentation. */
export interface PhraseMap {
  markdown: Markdown
  text: Text
  image: Image
  reference: Reference
}

/** What may be in a turn. */
export type FlowContent = FlowMap[keyof FlowMap]
/** What may be in a message. */
export type PhraseContent = PhraseMap[keyof PhraseMap]
/** What may be in a session. */
export type TopContent = Preamble | Turn | Notice | Group | Unknown

/** What may be in one kind of node only. */
export type PartContent = Input | Output | FileChange | Hunk | PlanStep | Question | Finding

/** Every node of a tree. */
export type TrastNode = Session | TopContent | FlowContent | PhraseContent | PartContent
