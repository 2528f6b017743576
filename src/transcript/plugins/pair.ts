/**
 * Joins the call, outputs and end records of each call into one fragment (rollout-format 4). The first record with a key
 * opens the group at its position; all others fold into it, wherever they are. Outputs without a call stay, as groups of
 * their own.
 */

import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import type { Action, CallFact, Log, MessageFact, OutputFact, ResultFact } from '../../rollout/parse/facts.ts'
import { append } from '../../util/groups.ts'
import {
  type CallFragment,
  type CallGroup,
  type Draft,
  drafts,
  type Fragment,
  type FragmentOf,
  hasFact,
  isFragment,
  mergeSources,
  setDrafts,
} from '../fragment.ts'
import { callKeys, recordKey } from '../script-calls.ts'
import { diagnosticMessage } from '../slice.ts'
import { isPictureOnly } from '../texts.ts'
import type { Session } from '../trast.ts'

/** A script, and the keys of its calls once they were needed. */
interface Script {
  group: CallFragment
  keys?: readonly string[]
}

interface State {
  file: VFile
  out: Draft[]
  /** The newest group for each key. */
  byKey: Map<string, CallFragment>
  /** Code-mode calls without an output so far. */
  cells: CallFragment[]
  /** Scripts that were still running, by cell number: a later `wait` continues them. */
  running: Map<string, CallFragment>
  /** All scripts so far, because what a script left running may end long after the script's output. */
  scripts: Script[]
  /** Calls that view a picture, which a message may still bring, and the logs that have brought one. */
  pictureViews: { group: CallFragment; logs: Set<Log> }[]
  /** Searches of the turn that only one log has recorded so far. */
  searches: CallFragment[]
  /** Calls that may send the user a message but have neither the message nor an output yet, in order. */
  senders: CallFragment[]
}

/** Pairs the calls of a raw slice. */
export const pair: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const state: State = {
    file,
    out: [],
    byKey: new Map(),
    cells: [],
    running: new Map(),
    scripts: [],
    pictureViews: [],
    searches: [],
    senders: [],
  }
  for (const node of drafts(tree)) {
    if (!isFragment(node)) state.out.push(node)
    else take(node, state)
  }
  setDrafts(tree, state.out)
}

function take(node: Fragment, state: State): void {
  if (hasFact(node, 'call')) takeCall(node, state)
  else if (hasFact(node, 'output')) takeOutput(node, state)
  else if (hasFact(node, 'result')) takeResult(node, state)
  else if (hasFact(node, 'message') && (tryMergePictures(node, state) || tryMergeSaid(node, state))) return
  else {
    if (endsPictureView(node)) state.pictureViews = []
    // A script that was cut off contains nothing from later turns.
    if (hasFact(node, 'turnStart') || hasFact(node, 'turnEnd'))
      [state.cells, state.searches, state.senders] = [[], [], []]
    state.out.push(node)
  }
}

/** Whether a record separates a viewed picture from pictures that a person attaches later. */
function endsPictureView(node: Fragment): boolean {
  return (
    hasFact(node, 'turnStart') ||
    hasFact(node, 'reasoning') ||
    (hasFact(node, 'message') && node.fact.role === 'assistant')
  )
}

function takeCall(node: FragmentOf<CallFact>, state: State): void {
  const key = node.fact.callId
  const existing = key === undefined ? undefined : state.byKey.get(key)
  if (existing !== undefined && isSameCall(node.fact, existing.fact)) {
    existing.fact.call ??= node.fact
    mergeSources(existing, node)
    return
  }
  if (tryMergeSearch(node, state)) return
  const { action } = node.fact
  const script = action.type === 'wait' ? state.running.get(action.cellId) : undefined
  if (script !== undefined) {
    mergeSources(script, node)
    if (key !== undefined) state.byKey.set(key, script)
    state.cells.push(script)
    return
  }
  const group = open(node, { call: node.fact }, key, state)
  const { type } = action
  if (type === 'search' && key === undefined) state.searches.push(group)
  if (type === 'cell' || type === 'wait') state.cells.push(group)
  if (node.fact.tool.endsWith('_async')) state.senders.push(group)
  if (type === 'cell') state.scripts.push({ group })
  if (type === 'viewImage') state.pictureViews.push({ group, logs: new Set() })
}

/**
 * Whether a group still needs a call, or has this very one. The same id with another input, or after an output, is reused
 * by a new call (4.3, rule 5).
 */
function isSameCall(fact: CallFact, { call, outputs }: CallGroup): boolean {
  if (call === undefined) return true
  return outputs.length === 0 && inputOf(call) === inputOf(fact)
}

/** What a call sent, as a key for comparison. */
function inputOf({ tool, server, input, action }: CallFact): string {
  return JSON.stringify([tool, server, input, action])
}

function takeOutput(node: FragmentOf<OutputFact>, state: State): void {
  const key = node.fact.callId
  const existing = key === undefined ? undefined : state.byKey.get(key)
  if (existing === undefined) {
    diagnosticMessage(state.file, 'orphan-output', node.data.sources[0] ?? { line: 0 }, key)
    open(node, { outputs: [node.fact] }, key, state)
    return
  }
  mergeSources(existing, node)
  if (node.at !== undefined) existing.fact.answeredAt ??= node.at
  state.cells = state.cells.filter((cell) => cell !== existing)
  state.senders = state.senders.filter((sender) => sender !== existing)
  // The output itself contains the picture, or says why there is none.
  if (node.fact.pictures.length > 0 || node.fact.outcome.status === 'failed') {
    state.pictureViews = state.pictureViews.filter(({ group }) => group !== existing)
  }
  const { outcome } = node.fact
  // Outputs of a script and of each `wait` for it are separate, even if they say the same.
  const isRepeated = existing.fact.outputs.some(
    (before) => before.callId === key && before.outcome.body === outcome.body,
  )
  const isScript = existing.fact.call?.action.type === 'cell'
  if (!isRepeated) existing.fact.outputs.push(node.fact)
  if (isScript && outcome.cellId !== undefined) state.running.set(outcome.cellId, existing)
}

function takeResult(node: FragmentOf<ResultFact>, state: State): void {
  const key = node.fact.callId
  const existing = key === undefined ? undefined : state.byKey.get(key)
  if (existing !== undefined) {
    existing.fact.results.push(node.fact)
    mergeSources(existing, node)
    return
  }
  if (tryMergeSearch(node, state)) return
  const cell = scriptOf(node.fact, state)
  if (cell === undefined) {
    const made = open(node, { results: [node.fact] }, key, state)
    if (node.fact.result.type === 'search') state.searches.push(made)
    return
  }
  // Ids of what a script does match no call; the position in the file is the only link (3.7).
  const nested = group(node, { results: [node.fact] })
  cell.fact.nested.push(nested)
  if (node.fact.result.type === 'search') state.searches.push(nested)
  if (key !== undefined) state.byKey.set(key, nested)
}

/** The script to which a record without a call belongs: the running one, or an earlier one that makes exactly this call. */
function scriptOf(fact: ResultFact, { cells, scripts }: State): CallFragment | undefined {
  if (isUserCommand(fact)) return undefined
  const running = cells.at(-1)
  const key = recordKey(fact.result)
  if (key === undefined) return running
  const makes = (script: Script): boolean => missesRecord(script, key)
  const current = scripts.at(-1)
  if (running !== undefined && (current?.group !== running || makes(current))) return running
  return scripts.findLast(makes)?.group ?? running
}

/** Whether a script makes a call more often than records of it have appeared. */
function missesRecord(script: Script, key: string): boolean {
  const { call, nested } = script.group.fact
  script.keys ??= call?.action.type === 'cell' ? callKeys(call.action.code) : []
  const records = nested.flatMap((fragment) => (hasFact(fragment, 'callGroup') ? fragment.fact.results : []))
  return (
    countOf(script.keys, key) >
    countOf(
      records.map(({ result }) => recordKey(result)),
      key,
    )
  )
}

function countOf(keys: readonly (string | undefined)[], wanted: string): number {
  return keys.filter((key) => key === wanted).length
}

/**
 * Joins the two records of a search if the item has no id: same turn, same action, nearest first (4.1). `false` if the
 * other record has not come.
 */
function tryMergeSearch(node: FragmentOf<CallFact | ResultFact>, state: State): boolean {
  const { fact } = node
  const isCall = fact.kind === 'call'
  const search = searchOf(isCall ? fact.action : fact.result)
  if (search === undefined || (isCall && fact.callId !== undefined)) return false
  const index = state.searches.findLastIndex(({ fact: { call, results } }) => {
    const other = isCall ? results[0]?.result : call?.action
    return (isCall ? call === undefined : results.length === 0) && searchOf(other) === search
  })
  const [twin] = index < 0 ? [] : state.searches.splice(index, 1)
  if (twin === undefined) return false
  if (isCall) twin.fact.call = fact
  else twin.fact.results.push(fact)
  mergeSources(twin, node)
  return true
}

/** What a search looked for, as a key for comparison. */
function searchOf(value: Action | ResultFact['result'] | undefined): string | undefined {
  if (value?.type !== 'search') return undefined
  const { action, queries, url, pattern } = value
  return JSON.stringify([action, queries, url, pattern])
}

function isUserCommand({ result }: ResultFact): boolean {
  return result.type === 'command' && result.actor === 'user'
}

/** Gives a user message that contains only pictures to the first call that waits for one (5.1). */
function tryMergePictures(node: FragmentOf<MessageFact>, state: State): boolean {
  const { log, parts } = node.fact
  const view = isPictureOnly(node.fact) ? state.pictureViews.find(({ logs }) => !logs.has(log)) : undefined
  if (view === undefined) return false
  const { pictures } = view.group.fact
  if (pictures.length === 0)
    append(
      pictures,
      parts.filter((part) => part.kind === 'image'),
    )
  view.logs.add(log)
  mergeSources(view.group, node)
  return true
}

/**
 * Gives a message that a call sent to the user to that call, which does nothing else. The message precedes the call's
 * output.
 */
function tryMergeSaid(node: FragmentOf<MessageFact>, state: State): boolean {
  const { byCall, id } = node.fact
  if (byCall === undefined) return false
  const sender = id === undefined ? state.senders[0] : state.byKey.get(id)
  if (sender === undefined) return false
  state.senders = state.senders.filter((other) => other !== sender)
  sender.fact.said = node.fact
  mergeSources(sender, node)
  return true
}

function open(node: Fragment, fact: Partial<CallGroup>, key: string | undefined, state: State): CallFragment {
  const made = group(node, fact)
  if (key !== undefined) state.byKey.set(key, made)
  state.out.push(made)
  return made
}

function group(node: Fragment, fact: Partial<CallGroup>): CallFragment {
  return { ...node, fact: { kind: 'callGroup', outputs: [], results: [], nested: [], pictures: [], ...fact } }
}
