/** Call items of the model's log and their outputs (rollout-format 3.2, 3.7, 3.8). */

import { append } from '../../util/groups.ts'
import { parseJson } from '../../util/json.ts'
import { defined, ownValue, recordOf, withDefined } from '../../util/own.ts'
import { picturesOf } from './content.ts'
import {
  asArray,
  asBoolean,
  asHandle,
  asObject,
  asPath,
  asString,
  asStrings,
  asText,
  itemTurn,
  type JsonObject,
} from './decode.ts'
import { outputText, readOutcome, scriptParts } from './exec-text.ts'
import type { Action, AgentWork, CallFact, OutputFact, PlanStepFact, QuestionFact, WebSearch } from './facts.ts'
import { findPatch, parsePatch } from './patch-text.ts'
import { exploreActions, scriptOf } from './shell.ts'

/** Namespaces of Codex's own tools, whose names need no prefix. */
const ownSpaces = new Set(['functions', 'collaboration', 'multi_agent_v1', 'tool_search'])

/**
 * Server and tool from `mcp__server__tool`, from `server__tool` (the first Rust builds) or from a namespace and a name;
 * other namespaces become a prefix of the tool (rollout-format 3.7).
 */
export function toolName(name: string, namespace: string | undefined): { server?: string; tool: string } {
  const space = namespace?.replace(/__$/, '')
  if (space?.startsWith('mcp__')) return { server: space.slice('mcp__'.length), tool: name }
  if (space !== undefined && !ownSpaces.has(space)) return { tool: `${space}.${name}` }
  // An end record, if there is one, names the server. Calls without one must count as the same tools.
  if (/^(?:list_mcp_resources|list_mcp_resource_templates|read_mcp_resource)$/.test(name))
    return { server: 'codex', tool: name }
  const flat = /^(?:mcp__)?(.+?)__(.+)$/s.exec(name)
  return flat?.[1] !== undefined && flat[2] !== undefined ? { server: flat[1], tool: flat[2] } : { tool: name }
}

/** `function_call`: arguments are JSON text; anything else is kept unchanged. */
export function functionCall(payload: JsonObject): CallFact {
  const input = textOf(payload['arguments'])
  const name = toolName(asString(payload['name']) ?? 'unknown', asText(payload['namespace']))
  const action: Action = name.server === undefined ? functionAction(name.tool, parseJson(input)) : { type: 'tool' }
  return callFact(payload, { family: name.server === undefined ? 'function' : 'mcp', ...name, input, action })
}

function callFact(
  payload: JsonObject,
  { family, server, tool, input, action }: Omit<CallFact, 'kind' | 'callId' | 'turnId'>,
): CallFact {
  const callId = asText(payload['call_id']) ?? asText(payload['id'])
  return withDefined({ kind: 'call', family, tool, input, action }, { server, callId, turnId: itemTurn(payload) })
}

/** Prefixes with which code mode writes the namespaces of Codex's own tools. */
const ownPrefix = /^(?:functions|collaboration|multi_agent_v1)__/

/** A tool call in a code-mode script, with as much of its arguments as is known (rollout-format 3.7). */
export function scriptCall(name: string, args: unknown): CallFact {
  const bareName = name.replace(ownPrefix, '')
  const input = typeof args === 'string' ? args : (JSON.stringify(args) ?? '')
  if (bareName === 'apply_patch' && typeof args === 'string')
    return { kind: 'call', family: 'custom', tool: bareName, input, action: customAction(bareName, args) }
  const call = functionCall({ name: bareName, arguments: input })
  if (bareName !== 'web__run') return call
  return { ...call, tool: 'web_search', family: 'function', action: webRun(asObject(args)) ?? { type: 'tool' } }
}

/** Page requests of `web.run`: the argument that gives a position in the page, and the word that is shown for it. */
const pageRequests: Readonly<Record<string, readonly [argument: string, word: string]>> = {
  open: ['lineno', 'line'],
  click: ['id', 'link'],
  find: ['lineno', 'line'],
  screenshot: ['pageno', 'page'],
}

/** What `web.run` is asked for: all queries as one search, then each page; `undefined` if it is asked for anything else. */
function webRun(args: JsonObject | undefined): Action | undefined {
  const queries: string[] = []
  const pages: WebSearch[] = []
  for (const [key, value] of Object.entries(args ?? {})) {
    const requests = asArray(value).map((item) => asObject(item) ?? {})
    const locator = ownValue(pageRequests, key)
    if (locator !== undefined)
      append(
        pages,
        requests.map((request) => pageRequest(request, locator)),
      )
    else if (/^(?:search|image)_query$/.test(key))
      append(
        queries,
        requests.flatMap((item) => asText(item['q']) ?? []),
      )
    else if (requests.length > 0) return undefined
  }
  const searches: WebSearch[] = queries.length === 0 ? [] : [{ type: 'search', action: 'search', queries }]
  const [first, ...more] = [...searches, ...pages]
  return first === undefined ? undefined : { ...first, more }
}

/** A page, by its address or by the name that an earlier result gave it, with the position in it. */
function pageRequest(request: JsonObject, [argument, word]: readonly [string, string]): WebSearch {
  const page = asText(request['ref_id'])
  const at = asHandle(request[argument])
  const pattern = asText(request['pattern'])
  const position = at === undefined || page === undefined || /^https?:/i.test(page) ? '' : `, ${word} ${at}`
  const action = pattern === undefined ? 'open' : 'find'
  const url = page === undefined ? undefined : page + position
  return { type: 'search', action, queries: [], ...defined({ url, pattern }) }
}

/** `custom_tool_call`: free text. */
export function customCall(payload: JsonObject): CallFact {
  const input = textOf(payload['input'])
  const name = toolName(asString(payload['name']) ?? 'unknown', asText(payload['namespace']))
  return callFact(payload, { family: 'custom', ...name, input, action: customAction(name.tool, input) })
}

/** `local_shell_call`, used by the first models. */
export function localShellCall(payload: JsonObject): CallFact {
  const action = asObject(payload['action']) ?? {}
  const argv = asStrings(action['command'])
  const asked = defined({ cwd: asPath(action['working_directory']) })
  return callFact(payload, {
    family: 'function',
    tool: 'local_shell',
    input: JSON.stringify(action),
    action: commandAction(argv, scriptOf(argv), asked),
  })
}

/** `web_search_call`; its outcome comes with the call. */
export function webSearchCall(payload: JsonObject): CallFact {
  const action = asObject(payload['action']) ?? {}
  return callFact(payload, {
    family: 'function',
    tool: 'web_search',
    input: '',
    action: searchAction(action, undefined),
  })
}

/** A search action of an item or event (rollout-format 3.2). */
export function searchAction(action: JsonObject, query: string | undefined): WebSearch {
  const type = asString(action['type'])
  const queries = asStrings(action['queries'])
  const single = asText(action['query']) ?? (type === 'search' || type === undefined ? query : undefined)
  return {
    type: 'search',
    action: searchKind(type),
    queries: queries.length > 0 || single === undefined ? queries : [single],
    ...defined({ url: asText(action['url']), pattern: asText(action['pattern']) }),
  }
}

function searchKind(type: string | undefined): 'search' | 'open' | 'find' {
  if (type === 'open_page' || type === 'openPage') return 'open'
  return type === 'find_in_page' || type === 'findInPage' ? 'find' : 'search'
}

/** `image_generation_call`, which contains its result. */
export function imageCall(payload: JsonObject): CallFact {
  const action = generatedImage(payload)
  return callFact(payload, { family: 'function', tool: 'image_generation', input: '', action })
}

/** A picture that was generated, as calls and their end records describe it. */
export function generatedImage(record: JsonObject): Extract<Action, { type: 'generateImage' }> {
  const base64 = asText(record['result'])
  const picture = base64 === undefined ? undefined : { base64, mediaType: 'image/png' }
  return { type: 'generateImage', ...defined({ prompt: asText(record['revised_prompt']), picture }) }
}

/** `tool_search_call`. */
export function toolSearchCall(payload: JsonObject): CallFact {
  return callFact(payload, {
    family: 'function',
    tool: 'tool_search',
    input: textOf(payload['arguments']),
    action: { type: 'tool' },
  })
}

/** `function_call_output` and `custom_tool_call_output`, whatever their shape. */
export function callOutput(payload: JsonObject): OutputFact {
  const output = payload['output']
  const pictures = typeof output === 'string' ? inlinePictures(output) : picturesOf(output)
  return withDefined(
    { kind: 'output', outcome: readOutcome(outputText(output)), pictures },
    { callId: asText(payload['call_id']), tool: asText(payload['name']), parts: scriptParts(output) },
  )
}

/** Up to 0.50, MCP results contain their pictures in the JSON text. */
function inlinePictures(output: string): OutputFact['pictures'] {
  if (!/^\s*[[{]/.test(output) || !output.includes('"image"')) return []
  const value = parseJson(output)
  return picturesOf(asObject(value)?.['content'] ?? value)
}

/** `tool_search_output`: only the names of the tools that were found; the rest of the catalogue is noise. */
export function toolSearchOutput(payload: JsonObject): OutputFact {
  const names = asArray(payload['tools'])
    .map((tool) => asString(asObject(tool)?.['name']))
    .filter((name) => name !== undefined)
  return {
    kind: 'output',
    ...defined({ callId: asText(payload['call_id']) }),
    tool: 'tool_search',
    outcome: { status: 'completed', truncated: false, body: names.join('\n') },
    pictures: [],
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

// What a call asks for, by tool name and argument shape (rollout-format 3.7).

/** A command, or the patch that it contains: argv `apply_patch`, or a heredoc (rollout-format 8.1). */
function commandAction(argv: string[], script: string, asked: { cwd?: string; justification?: string }): Action {
  const patch =
    /\bapply_?patch\b/.test(script.slice(0, 4096)) || isPatchProgram(argv[0]) ? findPatch(script) : undefined
  if (patch === undefined) return { type: 'command', argv, script, actions: exploreActions(script), ...asked }
  return {
    ...patchAction(patch, asked.cwd),
    ...defined({ script: scriptAround(script, patch), justification: asked.justification }),
  }
}

const onlyPatch = /^ ?(?:cd (?:'[^']*'|"[^"]*"|\S+) ?&& ?)?(?:apply_?patch\b)? ?(?:<<-? ?['"]?\w+['"]?)? ?… ?\w* ?$/

/** The script with `…` instead of its patch, if it does more than apply the patch. */
function scriptAround(script: string, patch: string): string | undefined {
  const around = script.split(patch).join('…')
  return onlyPatch.test(around.replace(/\s+/g, ' ')) ? undefined : around
}

function isPatchProgram(word: string | undefined): boolean {
  return word === 'apply_patch' || word === 'applypatch'
}

/** A patch from its text; without `changes` if the text breaks the grammar. */
function patchAction(text: string, cwd: string | undefined): Action {
  return withDefined({ type: 'patch', text }, { changes: parsePatch(text), cwd })
}

function shell(input: JsonObject): Action | undefined {
  const command = input['command'] ?? input['cmd']
  const asked = defined({
    cwd: asPath(input['workdir'] ?? input['working_directory']),
    justification: asText(input['justification']),
  })
  if (typeof command === 'string') return commandAction([], command, asked)
  const argv = asStrings(command)
  if (argv.length === 0) return undefined
  return commandAction(argv, isPatchProgram(argv[0]) ? argv.slice(1).join('\n') : scriptOf(argv), asked)
}

/** `undefined` if a step has another shape: such a plan is shown as it was sent. */
function plan(input: JsonObject): Action | undefined {
  if (!Array.isArray(input['plan'])) return undefined
  const steps: PlanStepFact[] = []
  for (const item of input['plan']) {
    const { step, status } = asObject(item) ?? {}
    const word = stepStatus(status)
    if (asText(step) === undefined || word === undefined) return undefined
    steps.push({ step: String(step), status: word })
  }
  return { type: 'plan', ...defined({ explanation: asText(input['explanation']) }), steps }
}

/** The status of a plan step, in either spelling. */
function stepStatus(word: unknown): PlanStepFact['status'] | undefined {
  if (word === undefined || word === null || word === 'pending') return 'pending'
  if (word === 'completed') return 'completed'
  return word === 'in_progress' || word === 'inProgress' ? 'inProgress' : undefined
}

function questions(input: JsonObject): Action | undefined {
  if (!Array.isArray(input['questions'])) return undefined
  return { type: 'questions', questions: input['questions'].map(question) }
}

function question(value: unknown): QuestionFact {
  const item = asObject(value) ?? {}
  const options = asArray(item['options'])
  const descriptions = options.map((option) => asString(asObject(option)?.['description']) ?? '')
  return {
    ...defined({ id: asText(item['id']), header: asText(item['header']) }),
    text: asString(item['question']) ?? asString(item['title']) ?? '',
    options: options.map((option) => asString(asObject(option)?.['label']) ?? asString(option) ?? ''),
    ...defined({ descriptions: descriptions.some((text) => text !== '') ? descriptions : undefined }),
    secret: asBoolean(item['isSecret'] ?? item['is_secret']) ?? false,
  }
}

function agent(action: AgentWork['action']): (input: JsonObject) => Action {
  return (input) => ({
    type: 'agent',
    action,
    ...defined({
      name: asText(input['task_name']) ?? asText(input['path_prefix']),
      role: asText(input['agent_type']),
      message: asText(input['message']) ?? asText(textItems(input['items'])),
    }),
    threadIds: asStrings([input['id'], input['target'], ...asArray(input['ids']), ...asArray(input['targets'])]),
  })
}

function textItems(value: unknown): string {
  return asArray(value)
    .map((item) => asString(asObject(item)?.['text']) ?? '')
    .join('\n')
}

/** Readers of arguments by tool name. A reader may decline with `undefined`; the call is then shown as a plain tool call. */
const actions: Readonly<Record<string, (input: JsonObject) => Action | undefined>> = {
  ...recordOf('shell container.exec local_shell shell_command exec_command', shell),
  unified_exec: (input) => {
    const argv = asStrings(input['input'])
    return argv.length === 0 ? undefined : commandAction(argv, scriptOf(argv), {})
  },
  write_stdin: (input) => {
    const id = asHandle(input['session_id'])
    return id === undefined ? undefined : { type: 'stdin', processId: id, chars: asString(input['chars']) ?? '' }
  },
  apply_patch: (input) => {
    const text = asText(input['input']) ?? asText(input['patch'])
    return text === undefined ? undefined : patchAction(findPatch(text) ?? text, undefined)
  },
  update_plan: plan,
  view_image: (input) => {
    const path = asPath(input['path'])
    return path === undefined ? undefined : { type: 'viewImage', path }
  },
  ...recordOf('request_user_input request_user_input_async', questions),
  request_permissions: (input) => ({ type: 'permissions', ...defined({ reason: asText(input['reason']) }) }),
  spawn_agent: agent('spawn'),
  ...recordOf('send_input send_message followup_task', agent('send')),
  wait_agent: agent('wait'),
  resume_agent: agent('resume'),
  ...recordOf('close_agent interrupt_agent', agent('close')),
  list_agents: agent('list'),
}

/** The action of a function call; arguments that are not a JSON object give a plain tool call. */
function functionAction(tool: string, input: unknown): Action {
  const object = asObject(input)
  if (object === undefined) return { type: 'tool' }
  if (tool === 'wait') return waitAction(object)
  return ownValue(actions, tool)?.(object) ?? { type: 'tool' }
}

/** In code mode `wait` waits for a script cell, elsewhere for an agent. */
function waitAction(input: JsonObject): Action {
  const cell = asHandle(input['cell_id'])
  return cell === undefined ? agent('wait')(input) : { type: 'wait', cellId: cell }
}

/** The action of a custom call, whose input is free text. */
function customAction(tool: string, input: string): Action {
  if (tool === 'apply_patch') return patchAction(findPatch(input) ?? input, undefined)
  return tool === 'exec' ? { type: 'cell', code: input } : { type: 'tool' }
}
