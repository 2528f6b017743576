/** Scans a thread: one cheap pass for title, prompts, turns and page borders. */

import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import { PluginError, UsageError } from '../diagnostics/errors.ts'
import { type Asker, firstFile, type SessionHead, type Thread } from '../rollout/discover/rollout.ts'
import { asInstant, asWords } from '../rollout/parse/decode.ts'
import { ordinalOf, type Sniffed, sniff, sniffCallId, sniffProcess, sniffTool } from '../rollout/parse/entry.ts'
import { fileFault } from '../rollout/read/source.ts'
import type { ScanFacts } from '../transcript/summary.ts'
import { defined } from '../util/own.ts'
import { reasonOf } from '../util/reason.ts'
import { agentName, machineName } from './agents.ts'
import type { PageSizes } from './page-cutter.ts'
import { projectOf } from './project.ts'
import { type ScanHead, type ScanLine, traitsOf } from './scan-line.ts'
import { type Scanner, scanner } from './scan-lines.ts'
import { entriesOf, openThread, readInSteps, type SegmentReader, type ThreadLine } from './thread-lines.ts'

/** Options of a scan. */
export interface ScanOptions {
  /** Returns an existing folder for temporary files. */
  spoolDir: () => string
  signal?: AbortSignal
  /** Omit what a later segment undid. */
  kept?: boolean
  /** Page sizes, if they differ from those of the site. */
  pageSizes?: PageSizes
}

/** Facts of a thread; absent if it could not be read, and then a diagnostic says why. */
export interface Scan {
  facts?: ScanFacts
  diagnostics: Diagnostic[]
}

/** The facts of a scan. If there are none, throws an error that says why: a `UsageError`, unless the fault is ours. */
export function requiredFacts({ id }: Thread, { facts, diagnostics }: Scan): ScanFacts {
  if (facts !== undefined) return facts
  const reasons = diagnostics.map(({ file, message }) => `\`${file ?? id}\`: ${message}`).join(' ')
  throw diagnostics.some(({ ruleId }) => ruleId === 'page-failed') ? new Error(reasons) : new UsageError(reasons)
}

/** Kinds whose content the scan needs; for all others, the head is enough. */
const parsed = new Set([
  'session_meta',
  'response_item/message/user',
  'response_item/message/assistant',
  'message/assistant',
  'event_msg/user_message',
  'event_msg/task_started',
  'event_msg/turn_started',
  'event_msg/task_complete',
  'event_msg/turn_complete',
  'event_msg/turn_aborted',
  'event_msg/thread_rolled_back',
  'event_msg/thread_name_updated',
  'event_msg/error',
  'event_msg/stream_error',
  'event_msg/entered_review_mode',
  'event_msg/exited_review_mode',
  'event_msg/item_completed/UserMessage',
  'event_msg/item_completed/EnteredReviewMode',
  'event_msg/item_completed/ExitedReviewMode',
  // Something said by voice may open a turn.
  'realtime_item',
  'realtime_item/frame',
  'realtime_item/transcript_segment',
])
/** Kinds that count tokens. They are parsed for the tokens only. */
const counts = new Set(['event_msg/token_count', 'token_usage_record'])
/** Kinds that give the model. */
const settings = new Set(['turn_context', 'event_msg/thread_settings_applied'])

/** Scans the segments of a thread. A file that cannot be read gives a diagnostic, never an error; so does a fault of ours. */
export async function scanThread(thread: Thread, { spoolDir, signal, kept, pageSizes }: ScanOptions): Promise<Scan> {
  const scan = scanner(headOf(thread), pageSizes)
  const ordinals = thread.segments[0]?.head.subagentHistoryStart !== undefined
  let readers: SegmentReader[] = []
  try {
    readers = await openThread(thread, spoolDir)
    for (const reader of readers) {
      signal?.throwIfAborted()
      const take = (line: ThreadLine): void => {
        if (!(kept && line.undone)) scanLine(line, scan, ordinals)
      }
      await readInSteps(reader, take, { signal })
    }
    return { facts: scan.facts(), diagnostics: readers.flatMap((reader) => reader.diagnostics) }
  } catch (error) {
    signal?.throwIfAborted()
    return { diagnostics: [sessionFault(thread, error)] }
  } finally {
    for (const reader of readers) reader.close()
  }
}

/** Why a session could not be read or rendered: a plugin threw, a file is missing or unreadable, or the fault is ours. */
export function sessionFault(thread: Thread, error: unknown): Diagnostic {
  if (error instanceof PluginError) return pluginFailure(error, thread)
  return faultDiagnostic(error, firstFile(thread))
}

/** The diagnostic for a plugin that threw while it handled a session. */
export function pluginFailure(error: PluginError, { id, segments }: Thread): Diagnostic {
  const { line, segment = 0 } = error.place ?? {}
  const location = defined({ file: segments[segment]?.file.name, line })
  return diagnostic('plugin-failed', location, `Session ${id}: ${error.what}.`)
}

/** The diagnostic for an error while a file was handled: the file cannot be read, or the fault is ours. */
export function faultDiagnostic(error: unknown, location: { file?: string }): Diagnostic {
  // An error that a user can fix says that the disk refused a temporary file.
  const rule = error instanceof UsageError ? 'unreadable-file' : (fileFault(error) ?? 'page-failed')
  return diagnostic(rule, location, `Reason: ${reasonOf(error)}.`)
}

function headOf(thread: Thread): ScanHead {
  const [first] = thread.segments
  const head = first?.head
  const named = agentName(head?.agent)
  return {
    threadId: thread.id,
    fallbackTitle: fallbackTitle(thread),
    rollouts: thread.segments.map(({ rolloutId }) => rolloutId),
    ...defined({
      name: thread.name,
      startedAt: head?.startedAt,
      cwd: head?.cwd,
      branch: head?.git?.branch,
      remote: head?.git?.remote,
      version: head?.version,
      forkedFromId: head?.forkedFromId,
      subagentHistoryStart: head?.subagentHistoryStart,
      copied: thread.copied,
      agentName: named === undefined ? undefined : asWords(named),
      machineName: machineName(head?.agent),
      isCodex: askerOf(head) === 'codex' || undefined,
      isReview: head?.agent?.kind === 'review' || undefined,
    }),
  }
}

/** Who writes the prompts of a thread; `undefined` for people, and for a review, because its prompts are partly theirs. */
export function askerOf(head: SessionHead | undefined): Asker | undefined {
  const kind = head?.agent?.kind
  if (kind === undefined || kind === 'review') return undefined
  return kind === 'spawn' ? 'agent' : 'codex'
}

/** What is known of a thread without prompts: its project and its day, from the name of its file or else from its start. */
function fallbackTitle({ segments: [first] }: Thread): string {
  const day = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/
  const cwd = first?.head.cwd
  const project = cwd === undefined ? undefined : projectOf({ cwds: [cwd] }).name
  const at = day.exec(first?.file.name.split('/').at(-1) ?? '') ?? day.exec(first?.head.startedAt ?? '')
  return ['No prompt', project, at?.[0]].filter((part) => part !== undefined).join(' · ')
}

function scanLine(line: ThreadLine, scan: Scanner, ordinals: boolean): void {
  const { bytes } = line
  if (bytes !== undefined) scan.people(bytes)
  const ordinal = ordinals && bytes !== undefined ? ordinalOf(bytes) : undefined
  const head = bytes === undefined ? undefined : headIn(bytes, scan)
  if (head === undefined) scanParsed(line, scan, ordinal)
  else scanHead(line, head, scan, ordinal)
}

/** What the head of a line shows. */
type LineHead = Pick<ScanLine, 'kind' | 'at' | 'callId' | 'tool' | 'process'>

/** The head of a line; `undefined` if the scan needs its content. */
function headIn(bytes: Buffer, scan: Scanner): LineHead | undefined {
  const sniffed = sniff(bytes)
  if (sniffed === undefined) return undefined
  const kind = lineKind(sniffed)
  if (parsed.has(kind)) return undefined
  const callId = traitsOf(kind).hasCallId ? sniffCallId(bytes, kind) : undefined
  const tool = kind === 'response_item/function_call' ? sniffTool(bytes) : undefined
  // The call starts an agent, or its output may name the thread that was started.
  if (tool === 'spawn_agent' || (callId !== undefined && scan.awaits(callId))) return undefined
  const isOutput = kind === 'response_item/function_call_output'
  const process = isOutput || tool === 'write_stdin' ? sniffProcess(bytes, isOutput ? 'output' : 'call') : undefined
  return { kind, at: asInstant(sniffed.at), callId, tool, process }
}

function scanHead(line: ThreadLine, head: LineHead, scan: Scanner, ordinal: number | undefined): void {
  const { kind, at, callId, tool, process } = head
  if (settings.has(kind)) scan.settings(line)
  const meta = counts.has(kind) ? entriesOf(line).flatMap(({ facts }) => facts) : undefined
  scan.line(scanLineOf(line, ordinal, { kind, at, callId, facts: undefined, meta, tool, process }))
}

function lineKind({ kind, role }: Sniffed): string {
  return role === undefined ? kind : `${kind}/${role}`
}

function scanParsed(line: ThreadLine, scan: Scanner, ordinal: number | undefined): void {
  const entries = entriesOf(line)
  const facts = entries.flatMap((entry) => entry.facts)
  const call = facts.find((fact) => fact.kind === 'call' || fact.kind === 'output' || fact.kind === 'result')
  scan.line(
    scanLineOf(line, ordinal, {
      kind: entries[0]?.source.kind ?? 'blank',
      at: entries[0]?.at,
      callId: call === undefined || !('callId' in call) ? undefined : call.callId,
      facts,
      meta: undefined,
      tool: call?.kind === 'call' && call.action.type === 'viewImage' ? 'view_image' : undefined,
      process: undefined,
    }),
  )
}

/** A single literal without a spread, because properties after a spread are added one at a time. */
function scanLineOf(
  { segment, line, start, end, undone }: ThreadLine,
  ordinal: number | undefined,
  { kind, at, callId, facts, meta, tool, process }: LineHead & Pick<ScanLine, 'facts' | 'meta'>,
): ScanLine {
  const bytes = end - start
  return { segment, line, start, end, bytes, undone, ordinal, kind, at, callId, facts, meta, tool, process }
}
