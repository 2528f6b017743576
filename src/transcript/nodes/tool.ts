/** Makes the nodes of tool calls (MCP, functions, custom and dynamic tools), patches and commands. */

import { asExitCode, asSeconds } from '../../rollout/parse/decode.ts'
import { statusByCode } from '../../rollout/parse/exec-text.ts'
import type {
  Action,
  CallFact,
  ChangeFact,
  Outcome,
  OutputFact,
  PictureFact,
  ResultFact,
} from '../../rollout/parse/facts.ts'
import { powershellReads } from '../../rollout/shell/powershell-reads.ts'
import { append, groupBy, sumBy } from '../../util/groups.ts'
import { defined, withDefined } from '../../util/own.ts'
import { pathKey, resolvePath } from '../../util/paths.ts'
import { joinTexts } from '../../util/text.ts'
import type { CallFragment, CallGroup, Fragment } from '../fragment.ts'
import { withoutBlanks } from '../texts.ts'
import type { Command, FileChange, Hunk, Patch, Status, Text, ToolCall } from '../trast.ts'
import { base, idMaker, image, missingStatus, type NodeContext, output } from './context.ts'
import { startOf } from './process.ts'

type Result = ResultFact['result']
type ResultOf<T extends Result['type']> = Extract<Result, { type: T }>

/** The last end record of a type. */
function endOf<T extends Result['type']>(
  { results }: CallGroup,
  type: T,
): (ResultFact & { result: ResultOf<T> }) | undefined {
  return results.findLast((item): item is ResultFact & { result: ResultOf<T> } => item.result.type === type)
}

/** The tool call of a group, with its outputs, pictures and nested work. */
export function toolNode(group: CallFragment, context: NodeContext): ToolCall {
  const result = endOf(group.fact, 'tool')?.result
  const node = toolFrame(group, context)
  const next = idMaker(group)
  for (const body of bodies(group.fact, result)) node.children.push(bodyNode(body.text, next(), body.cut, node.family))
  for (const picture of picturesOf(group.fact, result)) node.children.push(image(picture, next(), context, 'tool'))
  for (const fragment of group.fact.nested) append(node.children, context.nodes(fragment, context))
  return node
}

/** The tool call of a group without what it returned. */
export function toolFrame(group: CallFragment, context: NodeContext): ToolCall {
  const { call, outputs } = group.fact
  const end = endOf(group.fact, 'tool')
  const result = end?.result
  const outcome = outputs.at(-1)?.outcome
  const { status, inferred } = statusOf(end?.status ?? outcome?.status, group.fact, context)
  const node: ToolCall = withDefined(base(group), {
    callId: call?.callId ?? end?.callId,
    // Names in the end record are complete; those in the call may be shortened (3.7).
    server: result?.server ?? call?.server,
    durationMs: end?.durationMs ?? outcome?.durationMs,
    type: 'toolCall' as const,
    family: familyOf(call, result),
    tool: result?.tool ?? call?.tool ?? outputs[0]?.tool ?? 'unknown',
    input: call?.input || (result?.input ?? ''),
    status,
    children: [],
  })
  if (inferred) node.data = { ...node.data, inferred: ['status'] }
  return node
}

function familyOf(call: CallFact | undefined, result: ResultOf<'tool'> | undefined): ToolCall['family'] {
  return call?.family === 'mcp' ? 'mcp' : (result?.family ?? call?.family ?? 'function')
}

/** Pictures of the outputs, which those of the end record repeat. */
function picturesOf({ outputs, pictures }: CallGroup, result: ResultOf<'tool'> | undefined): PictureFact[] {
  const shown = outputs.length > 0 ? outputs.flatMap((item) => item.pictures) : (result?.pictures ?? [])
  return [...shown, ...pictures]
}

/** The status of a call. One with an output and no word about its end counts as completed, and this as inferred. */
function statusOf(
  recorded: Status | undefined,
  fact: CallGroup,
  context: NodeContext,
): { status: Status; inferred: boolean } {
  if (recorded !== undefined && recorded !== 'unknown') return { status: recorded, inferred: false }
  if (fact.call !== undefined && fact.outputs.length > 0) return { status: 'completed', inferred: true }
  return { status: fact.call === undefined ? 'unknown' : missingStatus(context.turn), inferred: false }
}

function bodies(fact: CallGroup, result: ResultOf<'tool'> | undefined): { text: string; cut: boolean }[] {
  const seen = fact.outputs.map(({ outcome }) => ({ text: outcome.body, cut: outcome.truncated }))
  const all = seen.length === 0 && result?.text !== undefined ? [{ text: result.text, cut: false }] : seen
  return all.filter(({ text }) => text !== '')
}

function bodyNode(text: string, id: string, cut: boolean, family: ToolCall['family']): ToolCall['children'][number] {
  if (family === 'mcp' || family === 'dynamic') {
    const json = /^\s*[[{]/.test(text)
    const node: Text = { type: 'text', id, value: text, ...(json ? { lang: 'json' } : {}) }
    return cut ? { ...node, omitted: { bytes: 0, by: 'codex' } } : node
  }
  return output(text, id, cut)
}

// Patches as per-file changes (rollout-format 8).

/** Output of patch tools that says nothing. Each line ends before the next begins, so that a text matches in only one way. */
const boilerplate = /^(?:Success\. Updated the following files:(?:\n[AMDR] .*)*|Done!?)?$/

/** The patch of a group: from its structured changes, else the patch text, else the raw text (8.3). */
export function patchNode(group: CallFragment, context: NodeContext): Patch {
  const { call, outputs } = group.fact
  const end = endOf(group.fact, 'patch')
  const action = call?.action.type === 'patch' ? call.action : undefined
  const recorded = end?.result
  const next = idMaker(group)
  const outcome = outputs.at(-1)?.outcome
  const node: Patch = withDefined(base(group), {
    type: 'patch' as const,
    callId: call?.callId ?? end?.callId,
    justification: action?.justification,
    status: end?.status ?? outcome?.status ?? missingStatus(context.turn),
    durationMs: end?.durationMs ?? outcome?.durationMs,
    children: [],
  })
  append(node.children, patchBody(action, recorded, action?.cwd ?? context.turn?.cwd, next))
  const shown =
    outputs.map((item) => item.outcome.body).join('\n') || joinTexts([recorded?.stdout, recorded?.stderr], '\n')
  if (!boilerplate.test(shown.trim())) node.children.push(output(shown, next(), outcome?.truncated ?? false))
  // Output that the model did not get.
  for (const text of [recorded?.stdout, recorded?.stderr])
    if (text !== undefined && !boilerplate.test(text.trim()) && !shown.includes(text.trim()))
      node.children.push(output(text, next(), false))
  return node
}

/** The script around the patch if it does more, then the files, or the raw text if it breaks the grammar. */
function patchBody(
  action: Extract<Action, { type: 'patch' }> | undefined,
  recorded: ResultOf<'patch'> | undefined,
  cwd: string | undefined,
  next: () => string,
): Patch['children'] {
  const body: Patch['children'] = []
  if (action?.script !== undefined) body.push({ type: 'text', id: next(), value: action.script, lang: 'sh' })
  const changes =
    recorded !== undefined && recorded.changes.length > 0
      ? allSections(recorded, action?.changes, cwd)
      : action?.changes
  if (changes !== undefined)
    append(
      body,
      changes.map((change) => fileChange(located(change, cwd), next)),
    )
  else if (action !== undefined) body.push({ type: 'text', id: next(), value: action.text, lang: 'diff' })
  return body
}

/**
 * A recorded patch has only one change per path, but a patch may change a file in several sections, for example delete it
 * and add it anew. The earlier sections are in its text, or in the tool's output (8.2).
 */
function allSections(
  { changes, stdout = '' }: ResultOf<'patch'>,
  asked: ChangeFact[] | undefined,
  cwd: string | undefined,
): ChangeFact[] {
  const key = (path: string): string => pathKey(resolvePath(cwd, path))
  const sections = groupBy(asked ?? [], ({ path }) => key(path))
  const deleted = new Set([...stdout.matchAll(/^D (.*\S)/gm)].map(([, path = '']) => key(path)))
  return changes.flatMap((change) => {
    const earlier = sections.get(key(change.path))?.slice(0, -1) ?? []
    if (earlier.length === 0 && change.operation === 'add' && deleted.has(key(change.path)))
      earlier.push({ path: change.path, operation: 'delete', hunks: [] })
    return [...earlier.map((section) => ({ ...section, path: change.path })), change]
  })
}

/**
 * Resolves the paths of a change: those of a patch text are relative to the call's folder, recorded ones are absolute.
 * Each file gets one name (8.1).
 */
function located(change: ChangeFact, cwd: string | undefined): ChangeFact {
  const { movedTo } = change
  const moved = movedTo === undefined ? undefined : resolvePath(cwd, movedTo)
  return { ...change, path: resolvePath(cwd, change.path), ...defined({ movedTo: moved }) }
}

function fileChange(change: ChangeFact, next: () => string): FileChange {
  return {
    type: 'fileChange',
    id: next(),
    path: change.path,
    operation: change.operation,
    ...defined({ movedTo: change.movedTo }),
    added: sumBy(change.hunks, ({ value }) => linesWith('+', value)),
    removed: sumBy(change.hunks, ({ value }) => linesWith('-', value)),
    children: change.hunks.map((hunk): Hunk => ({ type: 'hunk', id: next(), ...hunk })),
  }
}

/** The number of lines that begin with `sign`. */
function linesWith(sign: string, text: string): number {
  let count = text.startsWith(sign) ? 1 : 0
  for (let at = text.indexOf(`\n${sign}`); at >= 0; at = text.indexOf(`\n${sign}`, at + 1)) count++
  return count
}

// Commands: call, output and end record become one terminal entry (rollout-format 3.7, 3.8).

type CommandResult = ResultFact & { result: ResultOf<'command'> }

/** The command of a group. */
export function commandNode(group: CallFragment, context: NodeContext): Command {
  const { call, outputs } = group.fact
  const action = call?.action.type === 'command' ? call.action : undefined
  const end = endOf(group.fact, 'command')
  const last = outputs.at(-1)?.outcome
  const script = action?.script ?? end?.result.script ?? ''
  const node: Command = withDefined(base(group), {
    callId: call?.callId ?? end?.callId,
    cwd: end?.result.cwd ?? action?.cwd ?? context.turn?.cwd,
    justification: action?.justification,
    exitCode: exitCodeOf(end, last),
    ...timesOf(end?.durationMs, last),
    processId: end?.result.processId ?? last?.processId,
    type: 'command' as const,
    argv: firstFilled(end?.result.argv, action?.argv),
    script,
    actor: end?.result.actor ?? 'agent',
    actions: withReads(firstFilled(end?.result.actions, action?.actions), script),
    status: commandStatus(end, outputs, context),
    children: [],
  })
  addOutput(node, outputs, end)
  if (last?.processId !== undefined) context.processes.set(last.processId, { command: node, startedAt: startOf(group) })
  return node
}

/**
 * What a command explores. For a PowerShell script that reads files into variables, neither Codex nor the words of its
 * steps show it.
 */
function withReads(actions: Command['actions'], script: string): Command['actions'] {
  const paths = actions.every(({ kind }) => kind === 'other') ? powershellReads(script) : undefined
  return paths === undefined ? actions : paths.map((path) => ({ kind: 'read', path }))
}

/**
 * The times of a command. An end record says how long the process ran; the model waited for less if it left the process
 * running, or was interrupted.
 */
function timesOf(ended: number | undefined, last: Outcome | undefined): Pick<Command, 'durationMs' | 'ranMs'> {
  const waited = last?.status === 'running' || last?.status === 'interrupted' ? last.durationMs : undefined
  if (ended === undefined || waited === undefined || waited >= ended)
    return defined({ durationMs: ended ?? last?.durationMs })
  return { durationMs: waited, ranMs: ended }
}

/**
 * The exit code of a command. An end record says -1 if Codex knows none (3.8); -1 is only a real code if the output says
 * it too.
 */
function exitCodeOf(end: CommandResult | undefined, last: Outcome | undefined): number | undefined {
  const recorded = end?.result.exitCode
  return recorded === -1 ? last?.exitCode : (recorded ?? last?.exitCode)
}

function firstFilled<T>(first: T[] | undefined, second: T[] | undefined): T[] {
  return first !== undefined && first.length > 0 ? first : (second ?? [])
}

/**
 * The status of a command. The end record decides, but an abort in the output stays one unless the record has an exit
 * code (3.8: the item then says -1).
 */
function commandStatus(result: CommandResult | undefined, outputs: OutputFact[], context: NodeContext): Status {
  const { status, exitCode } = outputs.at(-1)?.outcome ?? {}
  const isEnded = (result?.result.exitCode ?? -1) !== -1
  if (status === 'declined' || (status === 'interrupted' && !isEnded)) return status
  if (result?.result.exitCode === -1 && exitCode === undefined && wasStopped(result, status, context))
    return 'interrupted'
  return result?.status ?? status ?? missingStatus(context.turn)
}

/** Whether a command without an exit code was running when it ended: then Codex stopped it. Others could not be run. */
function wasStopped({ result }: CommandResult, status: Status | undefined, { turn }: NodeContext): boolean {
  if (status === 'failed') return false
  // What a code-mode script printed about the command need not say that it continued.
  return status === 'running' || result.processId !== undefined || turn?.status === 'interrupted'
}

/**
 * The body of the output or of the end record, whichever is longer (3.8); both where a hook gave the model other words in
 * place of what the command printed.
 */
function addOutput(node: Command, outputs: OutputFact[], result: CommandResult | undefined): void {
  const next = idMaker(node)
  if (result?.result.input !== undefined) node.children.push({ type: 'input', id: next(), value: result.result.input })
  const seen = outputs.map(({ outcome }) => outcome.body).join('\n')
  const recorded = result?.result.output ?? ''
  const isReplaced = recorded !== '' && outputs.every(isFreeText) && !areSameOutput(recorded, seen)
  const body = isReplaced || recorded.length > seen.length ? recorded : seen
  const cut = body === seen && outputs.some(({ outcome }) => outcome.truncated)
  if (body !== '') node.children.push(output(body, next(), cut))
  if (isReplaced && seen !== '') node.children.push({ ...output(seen, next(), false), instead: true })
}

/** Whether an output has none of the forms in which Codex writes how a command went (3.8). */
function isFreeText({ outcome: { status, exitCode, durationMs, truncated } }: OutputFact): boolean {
  return status === 'unknown' && exitCode === undefined && durationMs === undefined && !truncated
}

/** Whether one of two texts holds the other: each may be cut. */
function areSameOutput(recorded: string, seen: string): boolean {
  const [a, b] = [withoutBlanks(recorded), withoutBlanks(seen)]
  return a.includes(b) || b.includes(a)
}

const shellTags = /<\/command>\s*<result>/g
const shellResult = /^\s*Exit code: (-?\d+)\nDuration: ([\d.]+) seconds?\n(?:Output:\n?)?/

/** Reads a user's `!command` from the message that informs the model of it (rollout-format 4.3, rule 8). */
function shellMessage(
  text: string,
): { script: string; exitCode?: number; durationMs?: number; body: string } | undefined {
  const start = text.indexOf('<command>')
  shellTags.lastIndex = Math.max(0, start)
  const between = start < 0 ? null : shellTags.exec(text)
  if (between === null) return undefined
  const end = text.indexOf('</result>', shellTags.lastIndex)
  if (end < 0) return undefined
  const script = inLines(text.slice(start + '<command>'.length, between.index))
  const result = inLines(text.slice(between.index + between[0].length, end))
  const head = shellResult.exec(result)
  if (head === null) return { script, body: result }
  return {
    script,
    ...defined({ exitCode: asExitCode(head[1]), durationMs: asSeconds(head[2]) }),
    body: result.slice(head[0].length),
  }
}

/** The text between two tags, without the line ends next to them. */
function inLines(text: string): string {
  return text.replace(/^\n/, '').replace(/\n$/, '')
}

/** The node of a command that the user ran. */
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
    ...defined({ exitCode, durationMs }),
    status: exitCode === undefined ? 'unknown' : statusByCode(exitCode),
    children: [],
  }
  if (body !== '') node.children.push(output(body, `${node.id}.1`, false))
  return node
}
