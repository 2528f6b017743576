/** Removes fields of nodes that stay, if they belong to a kind that is omitted. */

import type { Visibility } from '../../config/publication.ts'
import type { Notice, Session, ToolCall, TrastNode, Turn } from '../../transcript/trast.ts'
import { isScriptCall } from '../../transcript/view.ts'
import { isObject, jsonOf, parseJson } from '../../util/json.ts'

/** Trims one node, without those below it. Returns whether arguments of a tool were removed. */
export function trim(node: TrastNode, visibility: Visibility): boolean {
  if (node.type === 'turn') trimTurn(node, visibility)
  else if (node.type === 'notice' && visibility.stats === 'omit') trimNotice(node)
  // What was asked of the user.
  else if ((node.type === 'command' || node.type === 'patch') && visibility.approvals === 'omit')
    delete node.justification
  const hidesScripts = inScripts.some((kind) => visibility[kind] === 'omit')
  if (hidesScripts) delete node.data?.code
  if (node.type !== 'toolCall') return false
  if (hidesScripts && isScriptCall(node)) return trimScript(node)
  return visibility.toolArguments === 'omit' && trimCall(node)
}

/** The text of a script shows everything that it does, so it is removed if any of that is omitted. */
const inScripts = [
  'toolArguments',
  'tools',
  'commands',
  'edits',
  'diffs',
  'searches',
  'plans',
  'agents',
  'approvals',
] as const

function trimScript(call: ToolCall): boolean {
  const isLess = call.input !== ''
  call.input = ''
  return isLess
}

function trimTurn(turn: Turn, { errors, stats }: Visibility): void {
  if (errors === 'omit') delete turn.error
  if (stats !== 'omit') return
  delete turn.usage
  delete turn.contextTokens
  delete turn.contextWindow
}

function trimNotice(notice: Notice): void {
  delete notice.facts?.tokensBefore
  delete notice.facts?.tokensAfter
}

function trimCall(call: ToolCall): boolean {
  const input = keyArguments(call.input)
  const isLess = !isSameJson(input, call.input)
  call.input = input
  return isLess
}

function isSameJson(kept: string, whole: string): boolean {
  if (kept === '') return whole.trim() === ''
  return jsonOf(parseJson(whole)) === kept
}

/** Removes from the head of a session, in place, what belongs to the machine, and the numbers that are omitted. */
export function trimHead(session: Session, { internals, stats }: Visibility): void {
  if (internals === 'omit') {
    delete session.client.originator
    delete session.client.source
  }
  if (stats !== 'omit') return
  delete session.contextWindow
  session.stats = { ...session.stats, usage: {} }
}

// What the arguments of a tool say about the call in few words.

/** The most characters of a value, and the most values, that are kept. */
const max = { characters: 80, values: 12 }

/** The short one-line values of JSON arguments. Free text, which may be a whole document, is omitted. */
function keyArguments(input: string): string {
  const fields = parseJson(input)
  if (!isObject(fields)) return ''
  const kept = Object.entries(fields).filter(([, value]) => isShort(value))
  return JSON.stringify(Object.fromEntries(kept.slice(0, max.values)))
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= max.characters && !/[\r\n]/.test(value)
  return typeof value === 'number' || typeof value === 'boolean'
}
