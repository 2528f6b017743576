/** Calls of tools that have no page shape of their own. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { ToolCall, TrastNode } from '../../../model/trast.ts'
import { prettyJson } from '../../../util/json-pretty.ts'
import { literal } from '../../literal.ts'
import { scriptGist } from '../../script-gist.ts'
import { firstLine, isTrouble } from '../../words.ts'
import { codeToHast } from '../code.ts'
import { block, callMark, fold, isCollapsed, item } from '../parts.ts'
import type { State } from '../state.ts'

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
  const back = node.children.filter((child) => results.has(child.type))
  const nested = node.children.filter((child) => !results.has(child.type))
  const head = {
    what: name,
    gist: gistOf(node),
    mark: callMark(node, families[node.family]),
    open: failed && !isCollapsed(node),
    // What a script did stands below it and says more.
    quiet: nested.length > 0,
  }
  const details = h('div', { className: ['term'] }, argumentsOf(node, state), state.all(back))
  const work = nested.length === 0 ? [] : [h('div', { className: ['nested'] }, state.all(nested))]
  return [item(node, { kind: 'tool', failed }, state, [fold(head, [details]), ...work])]
}

/** What a script is about, `query: gate, limit: 5` of JSON arguments, else the first line. */
function gistOf(node: ToolCall): string {
  const { input } = node
  return firstLine((isScript(node) ? scriptGist(input) : fieldsOf(input)) ?? input, 300)
}

/** Code mode: the only tool of ours whose free text is a script, in JavaScript. */
function isScript({ family, tool }: ToolCall): boolean {
  return family === 'custom' && tool === 'exec'
}

function fieldsOf(input: string): string | undefined {
  // Longer arguments hold a document, of which the first line tells more than a list of keys.
  if (input.length > 4096 || !input.trimStart().startsWith('{')) return undefined
  try {
    const fields = Object.entries(JSON.parse(input))
    return fields
      .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(', ')
  } catch {
    return undefined
  }
}

function argumentsOf(node: ToolCall, state: State): ElementContent | undefined {
  const json = prettyJson(node.input)
  const shown = json ?? node.input
  if (shown.trim() === '' || shown === '{}') return undefined
  const language = isScript(node) ? 'javascript' : undefined
  const tokens = state.colour(shown, json === undefined ? language : 'json')
  return block('code', tokens === undefined ? literal(shown) : codeToHast(tokens))
}
