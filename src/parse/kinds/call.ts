/** Call items of the model's log and their outputs (rollout-format 3.2, 3.7, 3.8). */
import type { CallFact, OutputFact } from '../../model/facts.ts'
import { asObject, asPath, asString, asStrings, asText, type JsonObject } from '../decode.ts'
import { outputText, readOutcome } from '../exec-text.ts'
import { scriptOf } from '../shell.ts'
import { commandAction, customAction, functionAction } from './action.ts'
import { itemTurn, optional, picturesOf } from './shared.ts'

/** Namespaces of Codex's own tools, whose names tell enough. */
const ownSpaces = new Set(['functions', 'collaboration', 'multi_agent_v1', 'tool_search'])

/**
 * Server and tool of `mcp__server__tool`, of `server__tool` (the first Rust builds) or of a namespace and a name;
 * other namespaces stand before the tool (rollout-format 3.7).
 */
export function toolName(name: string, namespace: string | undefined): { server?: string; tool: string } {
  const space = namespace?.replace(/__$/, '')
  if (space?.startsWith('mcp__')) return { server: space.slice('mcp__'.length), tool: name }
  if (space !== undefined && !ownSpaces.has(space)) return { tool: `${space}.${name}` }
  const flat = /^(?:mcp__)?(.+?)__(.+)$/.exec(name)
  return flat?.[1] !== undefined && flat[2] !== undefined ? { server: flat[1], tool: flat[2] } : { tool: name }
}

/** `function_call`: arguments are JSON text; anything else is kept as it stands. */
export function functionCall(payload: JsonObject): CallFact {
  const input = textOf(payload['arguments'])
  const name = toolName(asString(payload['name']) ?? 'unknown', asText(payload['namespace']))
  return {
    kind: 'call',
    ...callIds(payload),
    family: name.server === undefined ? 'function' : 'mcp',
    ...name,
    input,
    action: name.server === undefined ? functionAction(name.tool, parseInput(input)) : { type: 'tool' },
  }
}

/** `custom_tool_call`: free text. */
export function customCall(payload: JsonObject): CallFact {
  const input = textOf(payload['input'])
  const name = toolName(asString(payload['name']) ?? 'unknown', asText(payload['namespace']))
  return { kind: 'call', ...callIds(payload), family: 'custom', ...name, input, action: customAction(name.tool, input) }
}

/** `local_shell_call` of the first models. */
export function localShellCall(payload: JsonObject): CallFact {
  const action = asObject(payload['action']) ?? {}
  const argv = asStrings(action['command'])
  const cwd = asPath(action['working_directory'])
  return {
    kind: 'call',
    ...callIds(payload),
    family: 'function',
    tool: 'local_shell',
    input: JSON.stringify(action),
    action: commandAction(argv, scriptOf(argv), cwd),
  }
}

/** `web_search_call`; the outcome comes with the call. */
export function webSearchCall(payload: JsonObject): CallFact {
  const action = asObject(payload['action']) ?? {}
  return {
    kind: 'call',
    ...callIds(payload),
    family: 'function',
    tool: 'web_search',
    input: '',
    action: searchAction(action, undefined),
  }
}

/** A search action of an item or event (rollout-format 3.2). */
export function searchAction(
  action: JsonObject,
  query: string | undefined,
): Extract<CallFact['action'], { type: 'search' }> {
  const type = asString(action['type'])
  const queries = asStrings(action['queries'])
  const single = asText(action['query']) ?? (type === 'search' || type === undefined ? query : undefined)
  return {
    type: 'search',
    action: searchKind(type),
    queries: queries.length > 0 || single === undefined ? queries : [single],
    ...optional('url', asText(action['url'])),
    ...optional('pattern', asText(action['pattern'])),
  }
}

function searchKind(type: string | undefined): 'search' | 'open' | 'find' {
  if (type === 'open_page' || type === 'openPage') return 'open'
  return type === 'find_in_page' || type === 'findInPage' ? 'find' : 'search'
}

/** `image_generation_call`, whose result stands in it. */
export function imageCall(payload: JsonObject): CallFact {
  const base64 = asText(payload['result'])
  const action: CallFact['action'] = {
    type: 'generateImage',
    ...optional('prompt', asText(payload['revised_prompt'])),
    ...(base64 === undefined ? {} : { picture: { base64, mediaType: 'image/png' } }),
  }
  return { kind: 'call', ...callIds(payload), family: 'function', tool: 'image_generation', input: '', action }
}

/** `tool_search_call`. */
export function toolSearchCall(payload: JsonObject): CallFact {
  return {
    kind: 'call',
    ...callIds(payload),
    family: 'function',
    tool: 'tool_search',
    input: textOf(payload['arguments']),
    action: { type: 'tool' },
  }
}

/** `function_call_output` and `custom_tool_call_output` of every shape. */
export function callOutput(payload: JsonObject): OutputFact {
  const output = payload['output']
  return {
    kind: 'output',
    ...optional('callId', asText(payload['call_id'])),
    ...optional('tool', asText(payload['name'])),
    outcome: readOutcome(outputText(output)),
    pictures: picturesOf(output).concat(inlinePictures(output)),
  }
}

/** MCP results up to 0.50 hold their pictures inside the JSON text. */
function inlinePictures(output: unknown): OutputFact['pictures'] {
  if (typeof output !== 'string' || !output.includes('"image"') || !/^\s*[[{]/.test(output)) return []
  const value = parseInput(output)
  return picturesOf(asObject(value)?.['content'] ?? value)
}

/** `tool_search_output`: the names of what was found; the catalogue itself is noise. */
export function toolSearchOutput(payload: JsonObject): OutputFact {
  const names = (Array.isArray(payload['tools']) ? payload['tools'] : [])
    .map((tool) => asString(asObject(tool)?.['name']))
    .filter((name) => name !== undefined)
  return {
    kind: 'output',
    ...optional('callId', asText(payload['call_id'])),
    tool: 'tool_search',
    outcome: { status: 'completed', truncated: false, body: names.join('\n') },
    pictures: [],
  }
}

function callIds(payload: JsonObject): { callId?: string; turnId?: string } {
  return {
    ...optional('callId', asText(payload['call_id']) ?? asText(payload['id'])),
    ...optional('turnId', itemTurn(payload)),
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
