/** What the value of a key is (rollout-format 2, 3): decides how its text is replaced. */
import { formatKeys } from './words.ts'

/**
 * `keep`: a word of the format. `tool`, `server`: names of tools and of their servers. `client`: name of Codex's program. `process`: a number that outputs repeat.
 * `id`, `path`, `cipher`: as they say. `text`: everything else.
 */
export type Rule = 'keep' | 'tool' | 'server' | 'client' | 'process' | 'id' | 'path' | 'cipher' | 'text'

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
    agent_path initiating_agent_path local_images runtime_workspace_roots script_path rollout_path codex_home branch
    workspace_roots preexisting_untracked_files preexisting_untracked_dirs`,
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
export function ruleOf(key: string): Rule {
  return rules.get(key) ?? (/(?:^|_)ids?$|[a-z]Ids?$/.test(key) ? 'id' : 'text')
}

/** Keys whose values are not Codex's: what tools, clients and schemas define. */
const foreign = new Set(
  `arguments structuredContent structured_content _meta meta env tools dynamic_tools parameters input_schema
  inputSchema output_schema final_output_json_schema state answers result_schema`.split(/\s+/),
)

/** Whether keys and words below a key belong to somebody else than the format. */
export function isForeign(key: string): boolean {
  return foreign.has(key)
}

/** Keys whose texts may hold JSON, which a reader looks into (rollout-format 3.8). */
const products = new Set(['output', 'arguments', 'aggregated_output', 'formatted_output', 'stdout', 'result'])

/** Whether a text below a key may be JSON. */
export function isProduct(key: string): boolean {
  return products.has(key)
}

/** Whether a key stays in an object of the format, or of somebody else. */
export function keepsKey(key: string, isForeignObject: boolean): boolean {
  return formatKeys.has(key) || (!isForeignObject && /^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(key))
}
