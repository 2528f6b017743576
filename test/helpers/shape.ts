/** The shape of a transcript: what stays the same when every word is replaced by another one of the same length. */
import type { Session, TrastNode } from '../../src/transcript/trast.ts'

/** Fields with numbers, states and words of the format: nobody's text. */
const plain = new Set([
  ...['type', 'at', 'number', 'kind', 'status', 'origin', 'phase', 'actor', 'action', 'operation', 'form'],
  ...['exitCode', 'durationMs', 'added', 'removed', 'stream', 'ansi', 'encrypted', 'steering', 'family', 'subject'],
  ...['secret', 'startedAt', 'endedAt', 'archived', 'usage', 'contextTokens', 'contextWindow', 'titleFrom', 'models'],
  ...['oldStart', 'newStart', 'priority', 'startLine', 'endLine', 'omitted', 'model', 'effort', 'lang'],
])

/** Fields that are compared in their own form. */
const special: Readonly<Record<string, (value: never, node: object) => unknown>> = {
  children: (children: TrastNode[], node) => childShapes(children, 'type' in node && node.type === 'patch'),
  actions: (actions: { kind: string }[]) => actions.map(({ kind }) => kind),
  stats: statsShape,
  // Ids of turn nodes end in a part of the original id, which is replaced.
  id: (id: string) => id.replace(/\bt-[\w-]*$/, 't'),
  // The label of a message is made of words of ours and of the format; other labels are names.
  label: ofMessage,
  role: ofMessage,
  position: (position: { start: { line: number } }) => position.start.line,
  data: (data: object) => JSON.parse(JSON.stringify(data, withoutOffsets)),
}

/** A tree of plain fields; texts are compared only by their presence. */
export function shapeOf(node: TrastNode | Session): unknown {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, fieldShape(key, value, node)]))
}

function fieldShape(key: string, value: unknown, node: object): unknown {
  // The key in the table is the name of the field, so its function accepts the value.
  if (Object.hasOwn(special, key)) return special[key]?.(value as never, node)
  if (plain.has(key)) return value
  return Array.isArray(value) ? value.length : typeof value
}

function ofMessage(value: string, node: object): string {
  return 'type' in node && node.type === 'message' ? value : typeof value
}

/** Files of a patch are sorted by path, and paths are replaced too: their order and their ids may differ. */
function childShapes(children: readonly TrastNode[], isPatch: boolean): unknown[] {
  if (!isPatch) return children.map(shapeOf)
  const shapes = children.map((child) => JSON.stringify(shapeOf(child)).replace(/"id":"[^"]*"/g, '"id":""'))
  return shapes.sort()
}

/** Names do not always keep their length, and pictures never do: lines stay, their offsets move. Scripts are texts. */
function withoutOffsets(key: string, value: unknown): unknown {
  if (key === 'code') return typeof value
  return key === 'byteOffset' ? undefined : value
}

/** Tools of MCP servers are renamed, and so are results of commands; their numbers stay. */
function statsShape({ tools, commits, pullRequests, ...stats }: Session['stats']): unknown {
  const counts = Object.values(tools).map(({ calls, failed }) => `${calls}/${failed}`)
  return { ...stats, tools: counts.sort(), commits: commits?.length, pullRequests: pullRequests?.length }
}

/** Whether a tree contains a script of code mode. */
export function hasScript(node: TrastNode | Session): boolean {
  if ('data' in node && node.data !== undefined && 'code' in node.data) return true
  return 'children' in node && node.children.some(hasScript)
}

/**
 * Types of all nodes in order, except those that outputs decide: words decide which text of a script belongs to which
 * call.
 */
export function typesOf(node: TrastNode | Session): string[] {
  if (node.type === 'output' || node.type === 'reference') return []
  return [node.type, ...('children' in node ? node.children.flatMap(typesOf) : [])]
}
