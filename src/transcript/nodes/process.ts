/** Processes that a command left running, and the polls of them (rollout-format 3.7, 3.8). */

import type { Outcome } from '../../rollout/parse/facts.ts'
import { defined } from '../../util/own.ts'
import { timeOf } from '../../util/time.ts'
import { type CallFragment, mergeSources } from '../fragment.ts'
import type { Command, FlowContent } from '../trast.ts'
import { base, missingStatus, type NodeContext, output, type Process } from './context.ts'

/**
 * The latest possible start of a process: its first output waited for it. The call may be earlier, because of an
 * approval.
 */
export function startOf({ fact: { answeredAt, outputs } }: CallFragment): number | undefined {
  const at = timeOf(answeredAt)
  return at === undefined ? undefined : at - (outputs[0]?.outcome.durationMs ?? 0)
}

/** `write_stdin`: adds input and output to a command that is still running, or makes a node if that command is not known. */
export function stdinNodes(group: CallFragment, context: NodeContext): FlowContent[] {
  const { call, outputs } = group.fact
  if (call?.action.type !== 'stdin') return []
  const { processId, chars } = call.action
  const running = context.processes.get(processId)
  const target = running?.command ?? orphanProcess(group, processId, context)
  if (chars !== '') target.children.push({ type: 'input', id: nextId(target), value: chars })
  for (const { outcome } of outputs) takePoll(target, outcome, runTime(running, group, outcome))
  if (running === undefined) return [target]
  mergeSources(target, group)
  return []
}

/**
 * A poll of at least this many milliseconds waited for the process; Codex needs some time to read what an ended one
 * printed.
 */
const minWait = 100

/**
 * How long a process had run when a poll ended, as far as records prove it: it may have begun earlier, and if the poll
 * found it ended, when it ended is not known.
 */
function runTime(
  process: Process | undefined,
  { at }: CallFragment,
  { status, exitCode, durationMs = 0 }: Outcome,
): number | undefined {
  const lookedAt = timeOf(at)
  if (process?.startedAt === undefined || lookedAt === undefined) return undefined
  const wasThere = status === 'running' || (exitCode !== undefined && durationMs >= minWait)
  return wasThere ? lookedAt + durationMs - process.startedAt : undefined
}

const unknownProcess = /^\s*write_stdin failed: Unknown process/i

/** Adds what a poll shows. Once the end of the process is known, only text that was not seen before is added. */
function takePoll(target: Command, outcome: Outcome, ranMs: number | undefined): void {
  const { body, truncated, status, exitCode } = outcome
  const ended = !/^(?:running|unfinished|unknown)$/.test(target.status)
  const seen = ended && target.children.some((child) => child.type === 'output' && child.value.includes(body.trim()))
  if (body !== '' && !seen) target.children.push(output(body, nextId(target), truncated))
  if (ended) {
    // A record gives the total run time; the model also waited during this poll.
    if (target.ranMs !== undefined) addTimes(target, outcome, target.ranMs)
    return
  }
  // If input was refused, only the call failed: the command continues, and a later poll may show its end.
  if (status === 'failed' && exitCode === undefined) {
    if (unknownProcess.test(body)) target.status = 'unknown'
    return
  }
  target.status = status
  if (exitCode !== undefined) target.exitCode = exitCode
  addTimes(target, outcome, ranMs)
}

function addTimes(target: Command, { durationMs }: Outcome, ranMs = 0): void {
  if (durationMs !== undefined) target.durationMs = (target.durationMs ?? 0) + durationMs
  const longest = Math.max(target.ranMs ?? 0, ranMs)
  // Without pauses between polls, the model waited all the time.
  if (longest > (target.durationMs ?? 0)) target.ranMs = longest
  else delete target.ranMs
}

function nextId({ id, children }: Command): string {
  return `${id}.${children.length + 1}`
}

/** A command of which only a poll is known: it began before this slice, or its start is lost. */
function orphanProcess(group: CallFragment, processId: string, context: NodeContext): Command {
  const script = context.slice.carry.processes[processId]
  const node: Command = {
    ...base(group),
    type: 'command',
    ...defined({ callId: group.fact.call?.callId }),
    argv: [],
    script: script ?? '',
    actor: 'agent',
    actions: [],
    processId,
    status: missingStatus(context.turn),
    children: [],
  }
  if (script !== undefined) node.data = { ...node.data, continued: true }
  context.processes.set(processId, { command: node, startedAt: undefined })
  return node
}
