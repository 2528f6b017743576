/** Calls of tools that have no page shape of their own. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { ToolCall, TrastNode } from '../../../model/trast.ts'
import { literal } from '../../literal.ts'
import { firstLine, isTrouble } from '../../words.ts'
import { block, callMark, fold, isCollapsed, item } from '../parts.ts'
import type { State } from '../state.ts'
import { prettyJson } from './phrase.ts'

const families: Readonly<Record<ToolCall['family'], string>> = {
  mcp: 'MCP',
  function: '',
  custom: '',
  dynamic: 'app tool',
}

/** Results of the call itself; anything else is work that a code-mode script did and stands below as items. */
const results = new Set<TrastNode['type']>(['output', 'text', 'markdown', 'image', 'reference'])

/** A tool call: server and tool, arguments laid out, what came back. */
export function toolCall(node: ToolCall, state: State): ElementContent[] {
  const failed = isTrouble(node.status)
  const name = node.server === undefined ? node.tool : `${node.server}/${node.tool}`
  const head = {
    what: name,
    gist: firstLine(node.input, 300),
    mark: callMark(node, families[node.family]),
    failed,
    open: failed && !isCollapsed(node),
  }
  const back = node.children.filter((child) => results.has(child.type))
  const nested = node.children.filter((child) => !results.has(child.type))
  const details = h('div', { className: ['term'] }, argumentsOf(node), state.all(back))
  const work = nested.length === 0 ? undefined : h('div', { className: ['nested'] }, state.all(nested))
  return [item(node, 'tool', state, [fold(head, [details]), ...(work === undefined ? [] : [work])])]
}

function argumentsOf(node: ToolCall): ElementContent | undefined {
  const input = prettyJson(node.input)
  return input.trim() === '' || input === '{}' ? undefined : block([h('kbd', {}, literal(input))])
}
