/** Processes that a command left running, and the looks at them (rollout-format 3.7, 3.8). */

import type { Outcome } from '../rollout/parse/facts.ts'
import { defined } from '../util/own.ts'
import { timeOf } from '../util/time.ts'
import type { CallGroup, Fragment } from './fragment.ts'
import { base, missingStatus, type NodeContext, output, type Process } from './node-context.ts'
import type { Command, FlowContent } from './trast.ts'

type Group = Fragment & { fact: CallGroup }

/** When a process began at the latest: its first output waited for it, and a call may wait for an approval. */
export function startOf({ fact: { answeredAt, outputs } }: Group): number | undefined {
  const at = timeOf(answeredAt)
  return at === undefined ? undefined : at - (outputs[0]?.outcome.durationMs ?? 0)
}

/** `write_stdin`: input and further output of a command that still runs; alone where that is not known. */
export function stdinNodes(group: Group, context: NodeContext): FlowContent[] {
  const { call, outputs } = group.fact
  if (call?.action.type !== 'stdin') return []
  const { processId, chars } = call.action
  const running = context.processes.get(processId)
  const target = running?.command ?? orphanProcess(group, processId, context)
  if (chars !== '') target.children.push({ type: 'input', id: childIds(target)(), value: chars })
  for (const { outcome } of outputs) {
    const ranMs = runTime(running, group, outcome)
    takePoll(target, outcome, ranMs)
  }
  if (running === undefined) return [target]
  target.data = { ...target.data, sources: [...(target.data?.sources ?? []), ...group.data.sources] }
  return []
}

/** Milliseconds from which on a look at a process waited for it; Codex takes some to read what one that ended had printed. */
const minWait = 100

/**
 * How long a process had run when a look at it ended, as far as the records prove it: it may have begun earlier, and where the
 * look found that it had ended, nobody saw when.
 */
function runTime(
  process: Process | undefined,
  { at }: Group,
  { status, exitCode, durationMs = 0 }: Outcome,
): number | undefined {
  const lookedAt = timeOf(at)
  if (process?.startedAt === undefined || lookedAt === undefined) return undefined
  const wasThere = status === 'running' || (exitCode !== undefined && durationMs >= minWait)
  return wasThere ? lookedAt + durationMs - process.startedAt : undefined
}

const unknownProcess = /^\s*write_stdin failed: Unknown process/i

/** What a look at a process tells. Once its end is known, only words that were not seen before are news. */
function takePoll(target: Command, outcome: Outcome, ranMs: number | undefined): void {
  const { body, truncated, status, exitCode } = outcome
  const ended = !/^(?:running|unfinished|unknown)$/.test(target.status)
  const seen = ended && target.children.some((child) => child.type === 'output' && child.value.includes(body.trim()))
  if (body !== '' && !seen) target.children.push(output(body, childIds(target)(), truncated))
  if (ended) {
    // A record tells how long it ran in all; the model waited for it at this look, too.
    if (target.ranMs !== undefined) addTimes(target, outcome, target.ranMs)
    return
  }
  // Input that was refused fails the call; the command goes on, and a later look may tell its end.
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
  // Without a pause between its looks the model waited all the time.
  if (longest > (target.durationMs ?? 0)) target.ranMs = longest
  else delete target.ranMs
}

function childIds(node: Command): () => string {
  let count = node.children.length
  return () => {
    count++
    return `${node.id}.${count}`
  }
}

/** A command of which only the poll is known: it began before this slice, or its start is lost. */
function orphanProcess(group: Group, processId: string, context: NodeContext): Command {
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
