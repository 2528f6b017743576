/**
 * Nodes of code-mode scripts: each command, patch or other call that a script makes is a node of its own. A single call
 * replaces its script; of several calls the script is the parent.
 */

import { callOutput, scriptCall } from '../../rollout/parse/call.ts'
import { readOutcome, statusByCode } from '../../rollout/parse/exec-text.ts'
import type { CallFact, Outcome, OutputFact, PictureFact } from '../../rollout/parse/facts.ts'
import { attribute, type Found } from '../../rollout/script/attribute.ts'
import { execResult, withoutCutHead } from '../../rollout/script/match.ts'
import { readScript, type Script, type ScriptCall } from '../../rollout/script/read-script-fs.ts'
import { isKind, plainOf } from '../../rollout/script/value.ts'
import { addTo, append, sumBy } from '../../util/groups.ts'
import { defined } from '../../util/own.ts'
import { type CallFragment, type CallGroup, type Fragment, hasFact, mergeSources } from '../fragment.ts'
import { errorOutcome, failingCall, isLike, recordedWords, wordsOf } from '../script-calls.ts'
import type { Call, FlowContent, Status, ToolCall } from '../trast.ts'
import { idMaker, image, type NodeContext, output } from './context.ts'

/** A call of a script on its way to a node. */
interface Made {
  call: ScriptCall
  fact: CallFact
  outcome: Outcome | undefined
  pictures: PictureFact[]
  /** What Codex recorded about it. */
  event: CallFragment | undefined
}

/** What a script returned, and how it ended. */
interface Result {
  status: Status | undefined
  durationMs: number | undefined
  parts: string[]
  /** Why it failed, in the words of a tool or of the runtime. */
  error: string | undefined
  pictures: PictureFact[]
}

/**
 * The nodes of a script. `wrap` makes the node of the script itself, without what it printed and did; it is not used if
 * the script is a single call and there is nothing else to show.
 */
export function scriptNodes(group: CallFragment, context: NodeContext, wrap: () => ToolCall): FlowContent[] {
  const { call } = group.fact
  const code = call?.action.type === 'cell' ? call.action.code : ''
  const result = resultOf(group.fact)
  // Anything that is not JavaScript was not run.
  const script = isSyntaxError(result.error) ? noScript : readScript(code)
  const work = workOf(script, result, eventsOf(group.fact))
  const [only] = work.made
  const isOne = work.made.length === 1 && work.others.length === 0 && !work.isPartial
  if (!isOne || only === undefined || !canReplaceScript(only, work)) return [withWork(wrap(), group, work, context)]
  const nodes = context.nodes(onlyCall(only, group, work), context)
  markCall(nodes, only, result)
  const [node] = nodes
  if (node !== undefined) node.data = { ...node.data, code }
  return nodes
}

/** The node of a script with what it printed and did. */
function withWork(wrapper: ToolCall, group: CallFragment, work: Reading, context: NodeContext): FlowContent {
  const { result } = work
  const next = idMaker(group)
  if (result.durationMs !== undefined) wrapper.durationMs = result.durationMs
  for (const text of work.rest) wrapper.children.push(output(text, next(), false))
  for (const picture of work.pictures) wrapper.children.push(image(picture, next(), context, 'tool'))
  for (const item of work.order) {
    const nodes = context.nodes('call' in item ? asFragment(item, group, next()) : item, context)
    if ('call' in item) markCall(nodes, item, result)
    append(wrapper.children, nodes)
  }
  if (result.status === 'failed' && work.hasFailingCall) markCompleted(wrapper) // The failing call shows the error.
  const [only, ...more] = wrapper.children
  if (only === undefined || more.length > 0 || work.isPartial || !isWork(only)) return wrapper
  // If calls that continue a process were folded into its node, a single call may be left, which replaces the script.
  const sources = [...(wrapper.data?.sources ?? []), ...(only.data?.sources ?? [])]
  const { at, position } = wrapper
  // Changed in place, because later records of its process look for this node.
  return Object.assign(only, {
    ...defined({ at, position }),
    id: group.id,
    data: { ...only.data, sources, code: wrapper.input },
  })
}

function isWork(node: ToolCall['children'][number]): node is FlowContent {
  return ['command', 'toolCall', 'patch', 'search', 'plan'].includes(node.type)
}

const noScript: Script = { calls: [], emissions: [], unread: [] }

function isSyntaxError(error: string | undefined): boolean {
  return error !== undefined && /^(?:Uncaught )?SyntaxError\b/.test(error)
}

function markCompleted(node: Call & Pick<FlowContent, 'data'>): void {
  node.status = 'completed'
  node.data = { ...node.data, inferred: [...(node.data?.inferred ?? []), 'status'] }
}

const errorHead = /^Script error:\n/

function resultOf({ outputs }: CallGroup): Result {
  const parts = outputs.flatMap(({ parts: own, outcome }) => own ?? (outcome.body === '' ? [] : [outcome.body]))
  const status = outputs.at(-1)?.outcome.status
  const last = parts.at(-1)
  const hasError = status === 'failed' && last !== undefined
  const durations = outputs.flatMap(({ outcome }) => outcome.durationMs ?? [])
  return {
    status,
    durationMs: durations.length === 0 ? undefined : sumBy(durations, (one) => one),
    parts: hasError ? parts.slice(0, -1) : parts,
    error: hasError ? last.replace(errorHead, '') : undefined,
    pictures: outputs.flatMap(({ pictures }) => pictures),
  }
}

function eventsOf({ nested }: CallGroup): CallFragment[] {
  return nested.filter((fragment): fragment is CallFragment => hasFact(fragment, 'callGroup'))
}

/** What a script did, in order, and which parts of its output belong to none of its calls. */
interface Reading {
  made: Made[]
  /** Recorded work that matches no call of the script. */
  others: CallFragment[]
  order: (Made | CallFragment)[]
  rest: string[]
  pictures: PictureFact[]
  hasFailingCall: boolean
  /** Part of the script could not be read. */
  isPartial: boolean
  result: Result
}

function workOf(script: Script, result: Result, events: CallFragment[]): Reading {
  const { found, unattributed, absent, reached } = attribute(script, result.parts, result.status === 'completed')
  const pictures = picturesByCall(script, result.pictures)
  const made = script.calls.map((call, index): Made => {
    const fact = scriptCall(call.tool, plainOf(call.args[0]).value)
    const own = found.get(index)
    const certain = call.certain || reached.has(index)
    const outcome = outcomeOf(own, fact)
    return { call: { ...call, certain }, fact, outcome, pictures: pictures.get(index) ?? [], event: undefined }
  })
  const ran = made.filter((_item, index) => !absent.has(index))
  nameSessions(made)
  const failing = result.error === undefined ? undefined : failingCall(ran, result.error)
  if (failing !== undefined && result.error !== undefined) failing.outcome = errorOutcome(result.error)
  const { order, others } = withEvents(ran, events)
  const placed = new Set(made.flatMap((item) => item.pictures))
  const kept = result.error !== undefined && failing === undefined ? [...unattributed, result.error] : unattributed
  return {
    made: order.filter((item): item is Made => 'call' in item),
    others,
    order,
    rest: kept.filter((text) => text.trim() !== ''),
    pictures: result.pictures.filter((picture) => !placed.has(picture)),
    hasFailingCall: failing !== undefined,
    isPartial: script.unread.length > 0,
    result,
  }
}

/** Assigns pictures to the calls from which they came, in the order in which the script shows them. */
function picturesByCall({ calls, emissions }: Script, pictures: PictureFact[]): Map<number, PictureFact[]> {
  const shown = emissions.filter(({ kind }) => kind === 'image')
  const byCall = new Map<number, PictureFact[]>()
  for (const [index, picture] of pictures.entries()) {
    const value = shown.length === pictures.length ? shown[index]?.value : undefined
    const from = isKind(value, 'unknown') && value.calls.length === 1 ? value.calls[0] : undefined
    const call = from ?? (calls.length === 1 ? 0 : undefined)
    if (call !== undefined) addTo(byCall, call, picture)
  }
  return byCall
}

/** The outcome that the result of one call shows. */
function outcomeOf(found: Found | undefined, { action }: CallFact): Outcome | undefined {
  if (found === undefined) return undefined
  if (found.whole !== undefined) return wholeOutcome(found.whole, action.type === 'patch')
  const { output: body = '', exitCode } = found
  const shown = withoutCutHead(body)
  return {
    status: exitCode === undefined ? 'unknown' : statusByCode(exitCode),
    ...defined({ exitCode }),
    truncated: shown !== body,
    body: shown,
  }
}

function wholeOutcome(whole: string, isPatch: boolean): Outcome {
  const text = withoutCutHead(whole)
  // The result of an applied patch is an empty object.
  if (isPatch && text.trim() === '{}') return { status: 'completed', truncated: false, body: '' }
  const result = execResult(text)
  if (result === undefined) {
    const outcome = readOutcome(text)
    return text === whole ? outcome : { ...outcome, truncated: true }
  }
  const { output: body, exitCode, sessionId, seconds } = result
  return {
    ...defined({
      exitCode,
      processId: sessionId,
      durationMs: seconds === undefined ? undefined : Math.round(seconds * 1000),
    }),
    status: exitCode === undefined ? 'running' : statusByCode(exitCode),
    truncated: text !== whole,
    body,
  }
}

/** In `session_id: r.session_id` the process is that of the call from which `r` came. */
function nameSessions(made: readonly Made[]): void {
  for (const item of made) {
    const [args] = item.call.args
    const session = isKind(args, 'fields') ? args.entries.get('session_id') : undefined
    if (item.fact.action.type !== 'stdin' || !isKind(session, 'unknown')) continue
    const from = session.calls.map((call) => made[call]?.outcome?.processId).find((id) => id !== undefined)
    if (from !== undefined) item.fact = { ...item.fact, action: { ...item.fact.action, processId: from } }
  }
}

// Joining what Codex recorded about a script's work to the same work in the script.

/** Joins recorded work to the calls of the script: first by equal words, then in order. */
function withEvents(made: Made[], events: CallFragment[]): { order: (Made | CallFragment)[]; others: CallFragment[] } {
  const unmatched = new Set(events)
  const join = (item: Made, isSame: (event: CallFragment) => boolean): void => {
    if (item.event !== undefined) return
    for (const event of unmatched) {
      if (eventType(event) !== callType(item) || !isSame(event)) continue
      item.event = event
      unmatched.delete(event)
      return
    }
  }
  const words = new Map(events.map((event) => [event, recordedWords(event.fact.results[0]?.result)]))
  for (const item of made) join(item, (event) => words.get(event) === wordsOf(item.fact))
  for (const item of made) if (!item.call.repeated) join(item, (event) => isLike(item.fact, words.get(event) ?? ''))
  const recorded = new Set(events.map(eventType))
  const order: (Made | CallFragment)[] = []
  for (const item of made) {
    // If there are records of this kind, they are all that ran: a call in a branch or a loop without a record did not
    // run, or has several records.
    const isRun =
      item.event !== undefined || (item.call.certain && !item.call.repeated) || !recorded.has(callType(item))
    if (isRun) order.push(item)
  }
  return { order: [...order, ...unmatched], others: [...unmatched] }
}

function eventType({ fact }: CallFragment): string {
  return fact.results[0]?.result.type ?? ''
}

function callType({ fact }: Made): string {
  return fact.action.type
}

// From calls to nodes.

/** Whether a call shows everything there is to show about its script. */
function canReplaceScript({ fact }: Made, { rest, pictures, hasFailingCall, result }: Reading): boolean {
  if ((result.error !== undefined && !hasFailingCall) || pictures.length > 0) return false
  return rest.length === 0 || holdsOutput.has(fact.action.type)
}

const holdsOutput = new Set<CallFact['action']['type']>(['command', 'patch', 'tool', 'agent', 'search'])

/** How a call ended of which nothing is known. */
const unknownOutcome: Outcome = { status: 'unknown', truncated: false, body: '' }

/** The fragment of a script's only call, which takes the place of the script. */
function onlyCall(item: Made, group: CallFragment, { rest, result }: Reading): Fragment {
  const body = [item.outcome?.body ?? '', ...rest].reduce((text, part) => joinLines(text, part), '')
  const known = item.outcome ?? unknownOutcome
  const { durationMs = result.durationMs } = known
  const isGiven = item.outcome !== undefined || body !== '' || result.status === 'completed'
  const outcome = isGiven ? { ...known, body, ...defined({ durationMs }) } : undefined
  const fragment = asFragment({ ...item, outcome }, group, group.id)
  const { at, position, order, segment } = group
  const alone: Fragment = { ...fragment, ...defined({ at, position }), data: { ...group.data }, order, segment }
  if (item.event !== undefined) mergeSources(alone, item.event)
  return alone
}

/** Appends a text to another, on a line of its own. */
function joinLines(text: string, part: string): string {
  return text === '' || text.endsWith('\n') || part === '' ? text + part : `${text}\n${part}`
}

function asFragment({ fact, outcome, pictures, event }: Made, group: CallFragment, id: string): Fragment {
  // Only a call that replaces the script has its id.
  const callId = id === group.id ? group.fact.call?.callId : undefined
  const outputs = outputsOf(fact, outcome, pictures, event)
  const results = event?.fact.results ?? []
  const call: CallFact = { ...fact, ...defined({ callId }) }
  const { position, ...rest } = event ?? { ...group, position: undefined, data: { sources: [] } }
  return {
    ...rest,
    ...defined({ position }),
    id: event !== undefined && id !== group.id ? event.id : id,
    fact: { kind: 'callGroup', call, outputs, results, nested: [], pictures: [] },
  }
}

function outputsOf(
  { action }: CallFact,
  outcome: Outcome | undefined,
  pictures: PictureFact[],
  event: CallFragment | undefined,
): OutputFact[] {
  // The record of a tool contains its result in parts; the script may have printed it as one.
  if (event !== undefined && action.type === 'tool') return []
  if (outcome === undefined && pictures.length === 0) return []
  const known = outcome ?? unknownOutcome
  const inside = action.type === 'tool' ? callOutput({ output: known.body }).pictures : []
  return [{ kind: 'output', outcome: known, pictures: [...pictures, ...inside] }]
}

/** Marks a call that must have run in a completed script as completed, and this as inferred. */
function markCall(nodes: readonly FlowContent[], { call }: Made, { status }: Result): void {
  const mustHaveRun = call.certain && !call.repeated
  for (const node of nodes) {
    if (!('status' in node) || node.status !== 'unknown') continue
    if (status === 'completed' && mustHaveRun) markCompleted(node)
    else if (node.type === 'command' && node.children.length === 0) node.outcome = mustHaveRun ? 'noEnd' : 'maybe'
  }
}
