/** What goes into a scan: lines that were sniffed, what their kinds tell, and what the head of the thread tells. */

import type { KnownCopy } from '../rollout/discover/rollout.ts'
import type { Fact, MessageFact } from '../rollout/parse/facts.ts'
import type { CutTurn } from '../transcript/summary.ts'
import { injectedLabel } from '../transcript/texts.ts'
import type { Handover } from './agents.ts'

/** Where a line stands. */
export interface LineRef {
  segment: number
  line: number
  start: number
  /** Behind the line's newline. */
  end: number
}

/**
 * A line that was sniffed, and parsed where the scan needs its content. All lines have all fields, so that what takes each
 * of them is compiled for one shape.
 */
export interface ScanLine extends LineRef {
  at: string | undefined
  kind: string
  bytes: number
  facts: Fact[] | undefined
  /** Of a record that counts tokens and is no content. */
  meta: readonly Fact[] | undefined
  callId: string | undefined
  /** A function call that looks at a picture. */
  viewsPicture: boolean
  ordinal: number | undefined
  /** A later segment undid it. */
  undone: boolean
}

/** Whether the agent answers on a line, and does not only say what it is about to do. */
export function isAnswer({ facts = [] }: ScanLine): boolean {
  return facts.some((fact) => fact.kind === 'message' && fact.role === 'assistant' && fact.phase !== 'commentary')
}

/** What is known of a thread before its lines are read. */
export interface ScanHead {
  threadId: string
  name?: string
  /** Name of the agent that the thread is, for its title. */
  agentName?: string
  /** Name of a thread that Codex started for itself. */
  machineName?: string
  /** Whether Codex itself wrote its prompts. */
  isCodex?: boolean
  /** Whether the thread is a reviewer's. */
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

/** A line whose page is not decided: the start of its turn may stand behind the user's record (2.4) or the context (6.1). */
export interface HeldLine {
  line: ScanLine
  opens: boolean
  callsOpen: number
  prompts: MessageFact[]
  handovers: Handover[]
  /** Where the first record of its prompt stands, if that is another line. */
  first?: HeldLine
  /** Its page, once it is decided. */
  page?: number
  /** The line ends the open turn. */
  ends: boolean
  /** The turn before the one that begins with the line. */
  before?: TurnBefore | undefined
}

/** A turn that is over as the next one begins. */
export interface TurnBefore {
  end: CutTurn
  /** No record before the line with which the next turn begins tells that it ended. */
  isOpen: boolean
}

// What the scan concludes from the kind of a line.

/** What the kind of a line tells by itself. */
export interface KindTraits {
  /** Its head alone tells that it is context that may stand between a prompt and its turn. */
  isContext: boolean
  /** Context, or a compaction, that may be written before the prompt that it is for. */
  isLead: boolean
  /** A compaction stands on the page of the turn before that prompt. */
  isCompaction: boolean
  isCall: boolean
  isOutput: boolean
  /** A call, or a record about one, which names it by its id. */
  hasCallId: boolean
  /** The assistant says or thinks something: what pictures were looked at before, no message brings any more. */
  endsView: boolean
  /** Weight on a page, whatever the line holds, and bytes that count with it. */
  weight: number
  maxBytes: number
}

/** Of the kinds that went by: some tens, unless a file makes them up. */
const known = new Map<string, KindTraits>()
const maxKnown = 1000

/** The traits of a kind. Patterns are asked once for each, not for each line. */
export function traitsOf(kind: string): KindTraits {
  const before = known.get(kind)
  if (before !== undefined) return before
  if (known.size >= maxKnown) known.clear()
  const traits: KindTraits = {
    isContext:
      /^(?:session_meta|turn_context|world_state|token_usage_record|state)$|token_count$|thread_settings_applied$/.test(
        kind,
      ),
    isLead: /^(?:turn_context|response_item\/message\/developer)$|compacted$/.test(kind),
    isCompaction: /compacted$/.test(kind),
    isCall: /_call$/.test(kind),
    isOutput: /_output$/.test(kind),
    hasCallId: /_call$|_output$|_end$|item_completed\/(?:Command|File|Mcp|Dynamic|Web|Image|Collab|SubAgent)/.test(
      kind,
    ),
    endsView: /agent_message$|\/reasoning$|AgentMessage$/.test(kind),
    ...weightsOf(kind),
  }
  known.set(kind, traits)
  return traits
}

/** About the bytes of HTML; kinds that give no HTML weigh nothing. */
function weightsOf(kind: string): Pick<KindTraits, 'weight' | 'maxBytes'> {
  if (/reasoning$/.test(kind)) return { weight: 300, maxBytes: 0 }
  if (!/^response_item|^message$|_call$|_output$|(?:CommandExecution|FileChange|_end)$/.test(kind))
    return { weight: 0, maxBytes: 0 }
  return { weight: 200, maxBytes: /_output$|CommandExecution$|_end$/.test(kind) ? 9000 : 40_000 }
}

/** Lines of context that wait for their turn: more are no context of one. */
const maxLeading = 100

/** Whether a page may end before a line of that context, or before such lines that wait already. */
export function mayWait({ kind }: ScanLine, waiting: number): boolean {
  return waiting <= maxLeading && !traitsOf(kind).isCompaction
}

/** Whether a line is context, or a compaction, that may be written before the prompt that it is for. */
export function isLead({ kind, facts }: ScanLine): boolean {
  return traitsOf(kind).isLead || facts?.some(isLabelled) === true
}

function isLabelled(fact: Fact): boolean {
  return fact.kind === 'message' && leadLabels.has(injectedLabel(fact) ?? '')
}

const leadLabels: ReadonlySet<string> = new Set(['Environment', 'Instructions'])
