/** Commands: call, output and end record as one terminal entry (rollout-format 3.7, 3.8). */
import type { Outcome, OutputFact, ResultFact } from '../../model/facts.ts'
import type { Command, FlowContent, Status } from '../../model/trast.ts'
import { asExitCode, asSeconds } from '../../parse/decode.ts'
import { defined } from '../../util/defined.ts'
import type { CallGroup, Fragment } from '../fragment.ts'
import { base, idMaker, missingStatus, type NodeContext, output } from './context.ts'

type Group = Fragment & { fact: CallGroup }
type CommandResult = ResultFact & { result: { type: 'command' } }

/** The command of a group. */
export function commandNode(group: Group, context: NodeContext): Command {
  const { call, outputs } = group.fact
  const action = call?.action.type === 'command' ? call.action : undefined
  const end = commandResult(group.fact)
  const last = outputs.at(-1)?.outcome
  const node: Command = {
    ...base(group),
    ...defined({
      callId: call?.callId ?? end?.callId,
      cwd: end?.result.cwd ?? action?.cwd ?? context.turn?.cwd,
      exitCode: exitCodeOf(end, last),
      durationMs: end?.durationMs ?? last?.durationMs,
      processId: end?.result.processId ?? last?.processId,
    }),
    type: 'command',
    argv: firstFilled(end?.result.argv, action?.argv),
    script: action?.script ?? end?.result.script ?? '',
    actor: end?.result.actor ?? 'agent',
    actions: firstFilled(end?.result.actions, action?.actions),
    status: commandStatus(end, outputs, context),
    children: [],
  }
  addOutput(node, outputs, end)
  if (last?.processId !== undefined) context.processes.set(last.processId, node)
  return node
}

/** An item of an interrupted command says -1, which no process ever ended with (3.8). */
function exitCodeOf(end: CommandResult | undefined, last: Outcome | undefined): number | undefined {
  const recorded = end?.result.exitCode
  return recorded === -1 && last?.status === 'interrupted' ? undefined : (recorded ?? last?.exitCode)
}

function commandResult(fact: CallGroup): CommandResult | undefined {
  return fact.results.findLast((item): item is CommandResult => item.result.type === 'command')
}

function firstFilled<T>(first: T[] | undefined, second: T[] | undefined): T[] {
  return first !== undefined && first.length > 0 ? first : (second ?? [])
}

/** The end record decides; an abort in the output stays one (3.8: the item says -1 there). */
function commandStatus(result: CommandResult | undefined, outputs: OutputFact[], context: NodeContext): Status {
  const told = outputs.at(-1)?.outcome.status
  if (told === 'interrupted' || told === 'declined') return told
  return result?.status ?? told ?? missingStatus(context.turn)
}

/** The body of the output or of the end record, whichever is longer (3.8). */
function addOutput(node: Command, outputs: OutputFact[], result: CommandResult | undefined): void {
  const next = idMaker(node)
  if (result?.result.input !== undefined) node.children.push({ type: 'input', id: next(), value: result.result.input })
  const seen = outputs.map(({ outcome }) => outcome.body).join('\n')
  const recorded = result?.result.output ?? ''
  const body = recorded.length > seen.length ? recorded : seen
  const cut = body === seen && outputs.some(({ outcome }) => outcome.truncated)
  if (body !== '') node.children.push(output(body, next(), cut))
}

/** `write_stdin`: input and further output of a command that still runs; alone where that is not known. */
export function stdinNodes(group: Group, context: NodeContext): FlowContent[] {
  const { call, outputs } = group.fact
  if (call?.action.type !== 'stdin') return []
  const { processId, chars } = call.action
  const running = context.processes.get(processId)
  const target = running ?? orphanProcess(group, processId, context)
  if (chars !== '') target.children.push({ type: 'input', id: childIds(target)(), value: chars })
  for (const { outcome } of outputs) takePoll(target, outcome)
  if (running === undefined) return [target]
  running.data = { ...running.data, sources: [...(running.data?.sources ?? []), ...group.data.sources] }
  return []
}

const goneProcess = /^\s*write_stdin failed: Unknown process/i

/** What a look at a process tells. Once its end is known, only words that were not seen before are news. */
function takePoll(target: Command, { body, truncated, status, exitCode, durationMs }: Outcome): void {
  const ended = target.status !== 'running' && target.status !== 'unknown'
  const seen = ended && target.children.some((child) => child.type === 'output' && child.value.includes(body.trim()))
  if (body !== '' && !seen) target.children.push(output(body, childIds(target)(), truncated))
  if (ended) return
  // Input that was refused fails the call; the command goes on, and a later look may tell its end.
  if (status === 'failed' && exitCode === undefined) {
    if (goneProcess.test(body)) target.status = 'unknown'
    return
  }
  target.status = status
  if (exitCode !== undefined) target.exitCode = exitCode
  if (durationMs !== undefined) target.durationMs = (target.durationMs ?? 0) + durationMs
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
    ...(group.fact.call?.callId === undefined ? {} : { callId: group.fact.call.callId }),
    argv: [],
    script: script ?? '',
    actor: 'agent',
    actions: [],
    processId,
    status: missingStatus(context.turn),
    children: [],
  }
  if (script !== undefined) node.data = { ...node.data, continued: true }
  context.processes.set(processId, node)
  return node
}

const shellCommand = /<command>\n?([\s\S]*?)\n?<\/command>\s*<result>\n?([\s\S]*?)\n?<\/result>/
const shellResult = /^\s*Exit code: (-?\d+)\nDuration: ([\d.]+) seconds?\n(?:Output:\n?)?/

/** The user's `!command` as the model was told of it (rollout-format 4.3, rule 8). */
function shellMessage(
  text: string,
): { script: string; exitCode?: number; durationMs?: number; body: string } | undefined {
  const match = shellCommand.exec(text)
  if (match === null) return undefined
  const result = match[2] ?? ''
  const head = shellResult.exec(result)
  if (head === null) return { script: match[1] ?? '', body: result }
  return {
    script: match[1] ?? '',
    ...defined({ exitCode: asExitCode(head[1]), durationMs: asSeconds(head[2]) }),
    body: result.slice(head[0].length),
  }
}

/** A command node of the user's own. */
export function userCommand(fragment: Fragment, text: string): Command | undefined {
  const found = shellMessage(text)
  if (found === undefined) return undefined
  const { script, exitCode, durationMs, body } = found
  const node: Command = {
    ...base(fragment),
    type: 'command',
    argv: [],
    script,
    actor: 'user',
    actions: [],
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(durationMs === undefined ? {} : { durationMs }),
    status: statusByCode(exitCode),
    children: [],
  }
  if (body !== '') node.children.push(output(body, `${node.id}.1`, false))
  return node
}

function statusByCode(exitCode: number | undefined): Status {
  if (exitCode === undefined) return 'unknown'
  return exitCode === 0 ? 'completed' : 'failed'
}
