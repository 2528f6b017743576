/** Fields of nodes that stay: what belongs to a kind that is left out is taken from them. */
import type { Visibility } from '../model/publication.ts'
import type { Notice, Session, ToolCall, TrastNode, Turn } from '../model/trast.ts'
import { keyArguments } from './key-arguments.ts'

/** Trims one node, without those below it. Gives whether arguments of a tool were left out. */
export function trim(node: TrastNode, visibility: Visibility): boolean {
  if (node.type === 'turn') trimTurn(node, visibility)
  else if (node.type === 'notice' && visibility.stats === 'omit') trimNotice(node)
  return node.type === 'toolCall' && visibility.toolArguments === 'omit' && trimCall(node)
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
  try {
    return JSON.stringify(JSON.parse(whole)) === kept
  } catch {
    return false
  }
}

/** Takes from the head of a session what belongs to the machine, and the numbers that are left out, in place. */
export function trimHead(session: Session, { internals, stats }: Visibility): void {
  if (internals === 'omit') {
    delete session.client.originator
    delete session.client.source
  }
  if (stats !== 'omit') return
  delete session.contextWindow
  session.stats = { ...session.stats, usage: {} }
}
