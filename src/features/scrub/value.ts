/** JSON values: shape and words of the format stay, everything that anybody said is replaced. */

import { isDeeper, parseJson } from '../../util/json.ts'
import { scrubScript, scrubText } from './text.ts'
import { mayHoldKey, type Scope, scrubCipher } from './tokens.ts'
import { formatKeys, formatValues } from './vocabulary.ts'

/** The context of a value. */
interface ValueContext {
  /** The nearest key above. */
  key: string
  /** Keys and words do not belong to the format. */
  foreign: boolean
  /** Texts may be JSON. */
  product: boolean
  /** The object that contains it is a call of one of Codex's own tools or of an MCP server's, or its output. */
  tool: 'own' | 'mcp' | undefined
  /** The object that contains it runs a script of code mode. */
  script: boolean
}

const top: ValueContext = { key: '', foreign: false, product: false, tool: undefined, script: false }

/** The deepest nesting that is walked; a reader gives up there, too. */
const maxDepth = 512

/** Whether a value can be walked. */
export function isShallow(value: unknown): boolean {
  return !isDeeper(value, maxDepth)
}

/** A record with all words replaced. */
export function scrubValue(value: unknown, scope: Scope): unknown {
  return scrubAt(value, top, scope)
}

function scrubAt(value: unknown, context: ValueContext, scope: Scope): unknown {
  if (typeof value === 'string') return scrubString(value, context, scope)
  if (typeof value === 'number') return context.foreign ? scrubNumber(value, context, scope) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => scrubAt(item, context, scope))
  return scrubObject(value, context, scope)
}

function scrubObject(object: object, context: ValueContext, scope: Scope): object {
  const fields = object as Record<string, unknown> // any object may be read by key
  const tool = toolOf(fields)
  const script = fields['type'] === 'custom_tool_call' && fields['name'] === 'exec'
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => {
      const inner: ValueContext = {
        key,
        foreign: context.foreign || isForeign(key),
        product: context.product || isProduct(key),
        tool,
        script,
      }
      return [scrubKey(key, context, scope), scrubAt(value, inner, scope)]
    }),
  )
}

/** Maps have paths, ids and names as keys; each has the same replacement there as anywhere else. */
function scrubKey(key: string, { key: above, foreign }: ValueContext, { names }: Scope): string {
  if (above === 'answers' && key !== 'answers') return names.id(key)
  if (above === 'changes') return names.path(key)
  if (keepsKey(key, foreign)) return key
  if (/[0-9a-f]{8}-[0-9a-f]{4}-/i.test(key)) return names.id(key)
  return names.path(key)
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
const word = /^[\w.:/-]{1,64}$/
const client = /^codex[\w -]{0,40}$/i

/** Whether a text can be a word of the format, and does not contain what may be a key. */
function isWord(text: string, form: RegExp = word): boolean {
  return form.test(text) && !mayHoldKey(text)
}

function scrubString(text: string, context: ValueContext, scope: Scope): string {
  if (text === '' || formatValues.has(text) || instant.test(text)) return text
  if (context.script && context.key === 'input') return scrubScript(text, scope)
  const rule = context.foreign ? foreignRule(context.key) : ruleOf(context.key)
  if (rule === 'tool' || (context.key === 'name' && context.tool !== undefined && !context.foreign))
    return toolName(text, context, scope)
  return rule === 'text' ? scrubProduct(text, context, scope) : scrubbers[rule](text, scope)
}

const scrubbers: Readonly<Record<Exclude<Rule, 'text' | 'tool'>, (text: string, scope: Scope) => string>> = {
  keep: (text, scope) => (isWord(text) ? text : scrubText(text, scope)),
  server: (text, { names }) => names.segment(text),
  client: (text, scope) => (isWord(text, client) ? text : scrubText(text, scope)),
  process: (text, { names }) => (/^\d+$/.test(text) ? text : names.id(text)),
  id: (text, { names }) => names.id(text),
  path: (text, scope) => (text.includes('://') ? scrubText(text, scope) : scope.names.path(text)),
  cipher: scrubCipher,
}

/** Whose tool an object calls. Calls of MCP tools name their server, in a separate namespace if it is not part of the name. */
function toolOf({ type, namespace }: Record<string, unknown>): ValueContext['tool'] {
  if (typeof type !== 'string' || !/_call$|_output$|^CollabAgentToolCall$|^FunctionCallOutput$/.test(type))
    return undefined
  return typeof namespace === 'string' && namespace.startsWith('mcp__') ? 'mcp' : 'own'
}

/** Words of others may be under any key of ours; ids and paths look the same everywhere. */
function foreignRule(key: string): Rule {
  const rule = ruleOf(key)
  return rule === 'id' || rule === 'path' || rule === 'process' || rule === 'cipher' ? rule : 'text'
}

/** Codex's own tools keep their names; those of MCP servers belong to their makers. */
function toolName(text: string, { key, tool }: ValueContext, { names }: Scope): string {
  const isOwn = (tool === 'own' || key === 'namespace') && !text.includes('__')
  return isOwn && isWord(text) ? text : names.tool(text)
}

/**
 * Numbers of more than four digits, before or behind their point, reveal accounts, amounts and places; under the format's own keys
 * they are counts and times.
 */
function scrubNumber(value: number, { key }: ValueContext, { names }: Scope): number {
  if (keepsKey(key, true)) return value
  return Number(String(value).replace(/\d{5,}/g, (run) => names.digits(run)))
}

/** A JSON text keeps its form, so that a reader finds the same in it as before. */
function scrubProduct(text: string, context: ValueContext, scope: Scope): string {
  if (!context.product) return scrubText(text, scope)
  const start = jsonStart(text)
  const json = start === undefined ? undefined : parse(text.slice(start))
  if (start === undefined || json === undefined) return scrubText(text, scope)
  const body = text.slice(start).trimEnd()
  const scrubbed = scrubAt(json.value, { ...context, key: '', foreign: true }, scope)
  return (
    scrubText(text.slice(0, start), scope) + printLike(body, json.value, scrubbed) + text.slice(start + body.length)
  )
}

const head =
  /^(?:(?:Wall time|Exit code|Chunk ID|Process|Original token|Total output|Command|Script)\b[^\n]*\n)*(?:Output:\n)?/

/** Where a JSON text begins: at the start, or after the head of an output. */
function jsonStart(text: string): number | undefined {
  const trimmed = text.trimStart()
  const body = trimmed.slice(head.exec(trimmed)?.[0].length).trimStart()
  return /^[[{]/.test(body) ? text.length - body.length : undefined
}

function parse(text: string): { value: unknown } | undefined {
  const value = parseJson(text)
  return value !== undefined && isShallow(value) ? { value } : undefined
}

// What the value of a key is (rollout-format 2, 3), which decides how its text is replaced.

/**
 * `keep`: a word of the format. `tool`, `server`: names of tools and of their servers. `client`: name of Codex's program.
 * `process`: a number that outputs repeat. `id`, `path`, `cipher`: as they are named. `text`: everything else.
 */
type Rule = 'keep' | 'tool' | 'server' | 'client' | 'process' | 'id' | 'path' | 'cipher' | 'text'

const rules: ReadonlyMap<string, Rule> = new Map([
  ...entries(
    'keep',
    `type role status phase record_type kind model model_provider model_provider_id effort reasoning_effort
    cli_version source thread_source history_mode mode mimeType mime_type media_type subagent internal
    content_item_kinds codex_error_info multi_agent_version collaboration_mode_kind approval_policy sandbox_policy
    sandbox_permissions turn_trigger memory_mode`,
  ),
  ...entries('tool', 'namespace tool tool_name'),
  ...entries('server', 'server server_name'),
  ...entries('client', 'originator'),
  ...entries('process', 'process_id cell_id'),
  ...entries(
    'path',
    `cwd workdir path saved_path move_path absolute_file_path writable_roots file_path dir_path working_directory
    agent_path initiating_agent_path task_name path_prefix local_images runtime_workspace_roots script_path rollout_path
    codex_home branch workspace_roots preexisting_untracked_files preexisting_untracked_dirs`,
  ),
  ...entries('cipher', 'encrypted_content encrypted_function_args'),
])

function entries(rule: Rule, keys: string): [string, Rule][] {
  return keys
    .trim()
    .split(/\s+/)
    .map((key) => [key, rule])
}

/** The rule of a key. Every key that ends like an id is one. */
function ruleOf(key: string): Rule {
  return rules.get(key) ?? (/(?:^|_)ids?$|[a-z]Ids?$/.test(key) ? 'id' : 'text')
}

/** Keys whose values tools, clients and schemas define, not Codex. */
const foreign = new Set(
  `arguments structuredContent structured_content _meta meta env tools dynamic_tools parameters input_schema
  inputSchema output_schema final_output_json_schema state answers result_schema`.split(/\s+/),
)

/** Whether keys and words below a key do not belong to the format. */
function isForeign(key: string): boolean {
  return foreign.has(key)
}

/** Keys whose texts may contain JSON, which a reader looks into (rollout-format 3.8). */
const products = new Set(['output', 'arguments', 'aggregated_output', 'formatted_output', 'stdout', 'result'])

/** Whether a text below a key may be JSON. */
function isProduct(key: string): boolean {
  return products.has(key)
}

/** Whether a key stays, in an object of the format or of somebody else. */
function keepsKey(key: string, isForeignObject: boolean): boolean {
  return formatKeys.has(key) || (!isForeignObject && /^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(key) && !mayHoldKey(key))
}

// Prints JSON in the form of another JSON text.

/** The usual indents of JSON; `undefined` means all on one line. */
const indents: readonly (string | undefined)[] = [undefined, '  ', '    ', '\t']

/**
 * JSON of `replacement` in the form in which `text` was written from `value`: compact, indented, or with a space after commas and
 * colons. Any other form becomes compact JSON.
 */
export function printLike(text: string, value: unknown, replacement: unknown): string {
  for (const indent of indents) {
    if (text === JSON.stringify(value, undefined, indent)) return JSON.stringify(replacement, undefined, indent)
  }
  return /^[[{]"?[^"]*"?: /.test(text) ? spaced(JSON.stringify(replacement)) : JSON.stringify(replacement)
}

/** Adds a space after each comma and colon outside of strings, as other writers do. */
function spaced(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (part) => (part.length === 1 ? `${part} ` : part))
}
