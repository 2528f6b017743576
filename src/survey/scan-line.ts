/** The input of a scan: sniffed lines, the traits of their kinds, and what the head of the thread says. */

import type { KnownCopy } from '../rollout/discover/rollout.ts'
import type { SniffedTool } from '../rollout/parse/entry.ts'
import type { Fact, MessageFact } from '../rollout/parse/facts.ts'
import type { CutTurn } from '../transcript/summary.ts'
import { injectedLabel } from '../transcript/texts.ts'
import type { Handover } from './agents.ts'

/** Position of a line. */
export interface LineRef {
  segment: number
  line: number
  start: number
  /** After the line's newline. */
  end: number
}

/**
 * A line that was sniffed, and parsed if the scan needs its content. Every line has all fields, so that the code that takes them
 * is compiled for a single shape.
 */
export interface ScanLine extends LineRef {
  at: string | undefined
  kind: string
  bytes: number
  facts: Fact[] | undefined
  /** Facts of a record that counts tokens and is not content. */
  meta: readonly Fact[] | undefined
  callId: string | undefined
  tool: SniffedTool | undefined
  /** The process that an output leaves running, or that a call goes on with. */
  process: string | undefined
  ordinal: number | undefined
  /** Whether a later segment undid it. */
  undone: boolean
}

/** Whether a line is an answer of the agent, and not just an announcement of what it will do next. */
export function isAnswer({ facts = [] }: ScanLine): boolean {
  return facts.some((fact) => fact.kind === 'message' && fact.role === 'assistant' && fact.phase !== 'commentary')
}

/** What is known of a thread before its lines are read. */
export interface ScanHead {
  threadId: string
  name?: string
  /** Name of the agent whose thread this is, for its title. */
  agentName?: string
  /** Name of a thread that Codex started for its own work. */
  machineName?: string
  /** Whether Codex itself wrote the prompts. */
  isCodex?: boolean
  /** Whether it is the thread of a reviewer. */
  isReview?: boolean
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

/** A line whose page is not decided: the start of its turn may come after the user's record (2.4) or after the context (6.1). */
export interface HeldLine {
  line: ScanLine
  opens: boolean
  callsOpen: number
  prompts: MessageFact[]
  handovers: Handover[]
  /** The line with the first record of its prompt, if that is another one. */
  first?: HeldLine
  /** Its page, once it is decided. */
  page?: number
  /** Whether the line ends the open turn. */
  ends: boolean
  /** The turn that is over when the one of this line begins. */
  before?: TurnBefore | undefined
}

/** A turn that is over when the next one begins. */
export interface TurnBefore {
  end: CutTurn
  /** Whether no record before the first line of the next turn says that it ended. */
  isOpen: boolean
}

// What a scan concludes from the kind of a line alone.

/** Traits of all lines of a kind. */
interface KindTraits {
  /** It is context that may come between a prompt and its turn, recognised by the head alone. */
  isContext: boolean
  /** It is context, or a compaction, that may be written before the prompt it is meant for. */
  isLead: boolean
  /** It is a compaction, which stays on the page of the turn before that prompt. */
  isCompaction: boolean
  /** It is a call whose output is another record. Codex searches the web, and makes pictures, in one record. */
  isCall: boolean
  isOutput: boolean
  /** It is a call, or a record that names one by its id. */
  hasCallId: boolean
  /** The assistant says or thinks something: no message after it brings a picture that was viewed before it. */
  endsView: boolean
  /** Weight on a page regardless of content, and how many bytes of the line are added to it at most. */
  weight: number
  maxBytes: number
}

/** The traits of kinds seen so far: a few tens, unless a file makes kinds up. */
const cachedTraits = new Map<string, KindTraits>()
const maxCached = 1000

/** The traits of a kind. The patterns are tested once for each kind, not for each line. */
export function traitsOf(kind: string): KindTraits {
  const before = cachedTraits.get(kind)
  if (before !== undefined) return before
  if (cachedTraits.size >= maxCached) cachedTraits.clear()
  const traits: KindTraits = {
    isContext:
      /^(?:session_meta|turn_context|world_state|token_usage_record|state)$|token_count$|thread_settings_applied$/.test(
        kind,
      ),
    isLead: /^(?:turn_context|response_item\/message\/developer)$|compacted$/.test(kind),
    isCompaction: /compacted$/.test(kind),
    isCall: /(?<!web_search|image_generation)_call$/.test(kind),
    isOutput: /_output$/.test(kind),
    hasCallId: /_call$|_output$|_end$|item_completed\/(?:Command|File|Mcp|Dynamic|Web|Image|Collab|SubAgent)/.test(
      kind,
    ),
    endsView: /agent_message$|\/reasoning$|AgentMessage$/.test(kind),
    ...weightsOf(kind),
  }
  cachedTraits.set(kind, traits)
  return traits
}

/** Roughly the bytes of HTML; kinds that produce no HTML weigh nothing. */
function weightsOf(kind: string): Pick<KindTraits, 'weight' | 'maxBytes'> {
  if (/reasoning$/.test(kind)) return { weight: 300, maxBytes: 0 }
  if (!/^response_item|^message$|_call$|_output$|(?:CommandExecution|FileChange|_end)$/.test(kind))
    return { weight: 0, maxBytes: 0 }
  return { weight: 200, maxBytes: /_output$|CommandExecution$|_end$/.test(kind) ? 9000 : 40_000 }
}

/** Whether a line is a call that goes on with an earlier one: with a command, or with a script, that is still running. */
export function continuesCall({ tool }: ScanLine): boolean {
  return tool === 'write_stdin' || tool === 'wait'
}

/** The most lines of context that wait for their turn; more than this cannot belong to one. */
const maxLeading = 100

/**
 * Whether a line of such context may wait for its turn, as one of `waiting` lines. A compaction may not, because it stays with
 * the turn before.
 */
export function mayWait({ kind }: ScanLine, waiting: number): boolean {
  return waiting <= maxLeading && !traitsOf(kind).isCompaction
}

/** Whether a line is context, or a compaction, that may be written before the prompt it is meant for. */
export function isLead({ kind, facts }: ScanLine): boolean {
  return traitsOf(kind).isLead || facts?.some(isLabelled) === true
}

function isLabelled(fact: Fact): boolean {
  return fact.kind === 'message' && leadLabels.has(injectedLabel(fact) ?? '')
}

const leadLabels: ReadonlySet<string> = new Set(['Environment', 'Instructions'])
