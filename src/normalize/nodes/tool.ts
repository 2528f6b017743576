/** Tool calls: MCP, functions, custom and dynamic tools, code-mode scripts. */
import type { CallFact, PictureFact, ResultFact } from '../../model/facts.ts'
import type { FlowContent, Status, Text, ToolCall } from '../../model/trast.ts'
import { defined } from '../../util/defined.ts'
import type { CallGroup, Fragment } from '../fragment.ts'
import { base, idMaker, image, missingStatus, type NodeContext, output } from './context.ts'

type Group = Fragment & { fact: CallGroup }
type ToolResult = Extract<ResultFact['result'], { type: 'tool' }>

/** The tool call of a group, with its outputs, pictures and nested work. */
export function toolNode(group: Group, context: NodeContext): ToolCall {
  const { call, outputs, nested } = group.fact
  const end = group.fact.results.findLast((item) => item.result.type === 'tool')
  const result = end?.result.type === 'tool' ? end.result : undefined
  const outcome = outputs.at(-1)?.outcome
  const { status, inferred } = statusOf(end?.status ?? outcome?.status, group.fact, context)
  const node: ToolCall = {
    ...base(group),
    ...defined({
      callId: call?.callId ?? end?.callId,
      // Names in the end record are whole, those in the call may be shortened (3.7).
      server: result?.server ?? call?.server,
      durationMs: end?.durationMs ?? outcome?.durationMs,
    }),
    type: 'toolCall',
    family: familyOf(call, result),
    tool: result?.tool ?? call?.tool ?? outputs[0]?.tool ?? 'unknown',
    input: call?.input || (result?.input ?? ''),
    status,
    children: [],
  }
  if (inferred) node.data = { ...node.data, inferred: ['status'] }
  const next = idMaker(group)
  for (const body of bodies(group.fact, result)) node.children.push(bodyNode(body.text, next(), body.cut, node.family))
  for (const picture of picturesOf(group.fact, result)) node.children.push(image(picture, next(), context, 'tool'))
  for (const fragment of nested) node.children.push(...context.nodes(fragment, context))
  if (outcome?.cellId !== undefined && outcome.status === 'running') context.cells.set(outcome.cellId, node)
  return node
}

function familyOf(call: CallFact | undefined, result: ToolResult | undefined): ToolCall['family'] {
  return call?.family === 'mcp' ? 'mcp' : (result?.family ?? call?.family ?? 'function')
}

/** Pictures of the outputs; those of the end record repeat them. */
function picturesOf({ outputs, pictures }: CallGroup, result: ToolResult | undefined): PictureFact[] {
  const shown = outputs.length > 0 ? outputs.flatMap((item) => item.pictures) : (result?.pictures ?? [])
  return [...shown, ...pictures]
}

/** A call with an output and no word about its end is taken as completed, and told to be a guess. */
function statusOf(
  told: Status | undefined,
  fact: CallGroup,
  context: NodeContext,
): { status: Status; inferred: boolean } {
  if (told !== undefined && told !== 'unknown') return { status: told, inferred: false }
  if (fact.call !== undefined && fact.outputs.length > 0) return { status: 'completed', inferred: true }
  return { status: fact.call === undefined ? 'unknown' : missingStatus(context.turn), inferred: false }
}

function bodies(fact: CallGroup, result: ToolResult | undefined): { text: string; cut: boolean }[] {
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

/** `wait` of code mode: further output of a script that still runs; alone where that is not known. */
export function waitNodes(group: Group, context: NodeContext): FlowContent[] {
  const { call, outputs, nested } = group.fact
  const cell = call?.action.type === 'wait' ? context.cells.get(call.action.cellId) : undefined
  if (cell === undefined) return [toolNode(group, context)]
  for (const { outcome } of outputs) {
    if (outcome.body !== '')
      cell.children.push(output(outcome.body, `${cell.id}.${cell.children.length + 1}`, outcome.truncated))
    cell.status = outcome.status
    if (outcome.durationMs !== undefined) cell.durationMs = (cell.durationMs ?? 0) + outcome.durationMs
  }
  for (const fragment of nested) cell.children.push(...context.nodes(fragment, context))
  cell.data = { ...cell.data, sources: [...(cell.data?.sources ?? []), ...group.data.sources] }
  return []
}
