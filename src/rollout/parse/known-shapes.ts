/**
 * Every field that a record may have and every word that a closed set of them may be, up to Codex 0.171
 * (rollout-format 2 and 3, and all genuine files at hand). `check --unknown` reports what is missing here.
 *
 * A line is a kind and its fields. `a{b c}`: an object, or a list of them. `a=x|y`: one of these words. `a<name>`: an
 * object whose keys are data, with the shape of its values. `a@name`: a shape that is declared below. `a:*`: whatever people,
 * tools or models put there. A field without a mark is a text, a number, a switch or a list of them.
 */
const shared = `
usage: input_tokens cached_input_tokens cache_write_input_tokens output_tokens reasoning_output_tokens total_tokens
duration: secs nanos
window: used_percent window_minutes resets_at resets_in_seconds
error: message codex_error_info=context_window_exceeded|session_budget_exceeded|usage_limit_exceeded|rate_limit_exceeded|flex_unavailable|server_overloaded|model_not_found|internal_server_error|unauthorized|bad_request|invalid_prompt|sandbox_error|cyber_policy|bio_policy|misalignment_policy_violation|policy_capacity_unavailable|inference_hook_denied|too_many_denials|thread_rollback_failed|other@errorInfo additional_details
errorInfo: http_connection_failed{http_status_code} response_stream_connection_failed{http_status_code} response_stream_disconnected{http_status_code} response_too_many_failed_attempts{http_status_code} active_turn_not_steerable{turn_kind}
parsed: type=read|list_files|search|unknown|format|test|lint|noop cmd name path query
change: type=add|delete|update content unified_diff move_path add{content} delete{content} update{unified_diff move_path}
action: type=search|open_page|find_in_page|other query queries url pattern
review: findings{title body confidence_score priority code_location{absolute_file_path line_range{start end}}} overall_correctness overall_explanation overall_confidence_score
target: type=uncommittedChanges|baseBranch|commit|custom branch sha title instructions
elements: byte_range{start end} placeholder
collaboration: mode=plan|default|code|custom|execute|pair_programming settings{model reasoning_effort developer_instructions} model reasoning_effort developer_instructions
special: kind=root|minimal|slash_tmp|tmpdir|current_working_directory|project_roots|unknown subpath path
entries: access=read|write|none|deny path{type=path|special|glob_pattern path pattern value@special} missing_path_behavior
fileSystem: type=restricted|unrestricted|external_sandbox kind=restricted|unrestricted|external_sandbox entries@entries glob_scan_max_depth
permissions: type=disabled|managed|external|read_only file_system@fileSystem network=restricted|enabled:*
sandbox: type=danger-full-access|read-only|workspace-write|external-sandbox mode=danger-full-access|read-only|workspace-write|external-sandbox writable_roots network_access exclude_slash_tmp exclude_tmpdir_env_var access@sandboxAccess read_only_access@sandboxAccess
sandboxAccess: type include_platform_defaults readable_roots
attribution: initiating_agent_path parent_turn_id root_turn_id turn_id turn_trigger
allocation: ordinal prefix salt suffix value
itemId: id id_allocation@allocation
windowId: ordinal salt value
retainedSource: complete revision@itemId id{message_id role turn_id}
bookkeeping: additional_context_tool_output client_authored compaction_model_hash compaction_output compaction_without_file_error_sources delivered_assistant_message fallback_token_limit_override guardian_retained_omissions{assistant_context user_instructions} guardian_review_ids@itemId guardian_source_order_guidance guardian_sources@retainedSource harness_authored_configuration history_sequence image_replay_sources{detail original_data_url prepared_url_digest} inherited_user_message mcp_attribution{status=none|complete|incomplete|partial|attribution_error error_reason sources{first_turn_id server_name tool_name}} model_search_state=unused|search_mcp|standalone native_search_fallback_used retain_across_windows retained_source@retainedSource sampled_through_sequence sender_user_messages{receiver_message_id receiver_turn_id text} tool_audio_budget_applied user_input_order
passthrough: turn_id create_time content_item_kinds=user.text|user.image|user.audio|unknown|environments.environment_context|agents_md.instructions|permissions.instructions|host_skills.instructions|skills.selected_skill_instructions|tools.deferred_namespaces|tools.removed_definition|model.base_instructions|hooks.additional_context|apply_patch.legacy_exec_command_warning|generic.turn_aborted|shell.user_command|multi_agent.subagent_notification|multi_agent.role_instructions|multi_agent.mode_instructions|multi_agent.usage_hint|collaboration_mode.instructions|model_switch.instructions|generic.content_filter_guidance|generic.developer_instructions|current_time.reminder|exec.command_sessions|token_budget.context_window|token_budget.context_window_guidance|token_budget.reminder|multi_agent.model_catalog|realtime_conversation.start_instructions|realtime_conversation.end_instructions content_item_metadata{provenance{type=user|harness|hook|tool|skills|agents_md|developer_instructions namespace hook from_additional_requirements}} executed_tool_calls:* tool_calls_complete
content: type=input_text|output_text|input_image|input_audio|encrypted_content|text|refusal|summary_text|reasoning_text text refusal image_url@imageUrl file_id detail=auto|low|high|original audio_url encrypted_content annotations:* logprobs:*
imageUrl: url detail
output: type=input_text|output_text|input_image|input_audio|encrypted_content|text|image|audio|resource|resource_link text image_url@imageUrl file_id detail=auto|low|high|original audio_url encrypted_content content:* success data mimeType annotations:* resource:* uri name output metadata:*
retained: assistant_messages@retainedMessage user_messages@retainedMessage verified_answers@verified assistant_messages_incomplete user_messages_incomplete incomplete next_order
retainedMessage: complete message_id order phase revision@itemId text turn_id
verified: type acceptance_order call_id turn_id questions{question answer}
record: response_id root_turn_id session_id thread_id turn_id usage@usage turn_token_usage@usage thread_token_usage@usage
blocks: content:* isError is_error structuredContent:* structured_content:* _meta:*
spawn: parent_thread_id depth agent_path agent_nickname agent_role agent_type
`

const lines = `
envelope: timestamp ordinal type payload metadata@bookkeeping
session_meta: id timestamp cwd originator cli_version instructions source=cli|vscode|exec|mcp|app_server|custom|unknown{subagent=review|compact|memory_consolidation{thread_spawn@spawn other} internal custom} thread_source=user|subagent|memory_consolidation|unknown session_id parent_thread_id forked_from_id forked_from_ordinal_exclusive history_base{thread_id end_ordinal_exclusive end_byte_offset} history_mode=legacy|paginated subagent_history_start_ordinal attached_thread model_provider base_instructions{text provenance{type model}} dynamic_tools:* git{branch commit_hash repository_url} memory_mode agent_nickname agent_path agent_role agent_type multi_agent_version context_window{window_id@windowId} runtime_workspace_roots account_scoped selected_capability_roots:*
turn_context: turn_id root_turn_id trace_id cwd workspace_roots model effort summary approval_policy=untrusted|on-failure|on-request|never{granular:* reject:*} approvals_reviewer sandbox_policy@sandbox file_system_sandbox_policy@fileSystem permission_profile@permissions active_permission_profile{id extends modifications:*} network:* collaboration_mode@collaboration personality current_date timezone realtime_active multi_agent_version multi_agent_mode user_instructions developer_instructions base_instructions final_output_json_schema:* truncation_policy{mode=tokens|bytes limit} comp_hash disabled_plugin_ids
compacted: message replacement_history:* replacement_history_metadata@bookkeeping window_number window_id@windowId previous_window_id@windowId first_window_id@windowId compaction_response_id resume_metadata{dynamic_tools:* last_started_turn_id next_item_ordinal observation_clock_floor_ms rejected_audio_file_ids multi_agent_version previous_turn_settings{comp_hash model realtime_active} turn_attribution@attribution} latest_token_usage_record@record retained_context@retained guardian_history:*
token_usage_record: response_id root_turn_id session_id thread_id turn_id usage@usage turn_token_usage@usage thread_token_usage@usage
inter_agent_communication: id id_allocation@allocation author recipient other_recipients content encrypted_content trigger_turn internal_chat_message_metadata_passthrough@passthrough
inter_agent_communication_metadata: trigger_turn
world_state: full state:*
retained_context: *
security_risk_score: *
realtime_item: type=realtime_session_started|frame|transcript_segment|bem_item_promoted|realtime_session_closed|turn_input_accepted|session_end_input_saved id realtime_session_id observed_at_ms channels{voice_transcript{role=user|assistant text}} role=user|assistant text turn_id item_id presentation{type index} outcome handoff_id mode=start|steer source_event_ids input_item_id input
dynamic_tools_updated: *
state: record_type previous_response_id
session_document: session{timestamp id instructions responseId} items:*
`

const items = `
message: type id id_allocation@allocation status=completed|in_progress|incomplete|failed|searching|generating role=user|assistant|developer|system content@content phase=commentary|partial_answer|final_answer end_turn encrypted_content internal_chat_message_metadata_passthrough@passthrough metadata@passthrough
reasoning: type id id_allocation@allocation status=completed|in_progress|incomplete|failed|searching|generating summary@content content@content encrypted_content duration_ms internal_chat_message_metadata_passthrough@passthrough
local_shell_call: type id id_allocation@allocation call_id status=completed|in_progress|incomplete action{type=exec command timeout_ms working_directory env:* user} encrypted_content internal_chat_message_metadata_passthrough@passthrough
function_call: type id id_allocation@allocation call_id status=completed|in_progress|incomplete|failed|searching|generating name namespace arguments:* encrypted_function_args encrypted_content internal_chat_message_metadata_passthrough@passthrough
function_call_output: type id id_allocation@allocation call_id status=completed|in_progress|incomplete|failed|searching|generating name namespace output@output internal_chat_message_metadata_passthrough@passthrough
custom_tool_call: type id id_allocation@allocation call_id status=completed|in_progress|incomplete|failed|searching|generating name namespace input encrypted_content internal_chat_message_metadata_passthrough@passthrough
custom_tool_call_output: type id id_allocation@allocation call_id status=completed|in_progress|incomplete|failed|searching|generating name namespace output@output internal_chat_message_metadata_passthrough@passthrough
web_search_call: type id id_allocation@allocation status=completed|in_progress|incomplete|failed|searching|generating action@action encrypted_content internal_chat_message_metadata_passthrough@passthrough
image_generation_call: type id id_allocation@allocation status=completed|in_progress|incomplete|failed|searching|generating revised_prompt result encrypted_content internal_chat_message_metadata_passthrough@passthrough
tool_search_call: type id id_allocation@allocation call_id status=completed|in_progress|incomplete|failed|searching|generating execution arguments:* internal_chat_message_metadata_passthrough@passthrough
tool_search_output: type id id_allocation@allocation call_id status=completed|in_progress|incomplete|failed|searching|generating execution tools:* internal_chat_message_metadata_passthrough@passthrough
agent_message: type id id_allocation@allocation author recipient content@content internal_chat_message_metadata_passthrough@passthrough
additional_tools: type id id_allocation@allocation role tools:* internal_chat_message_metadata_passthrough@passthrough
ghost_snapshot: type id id_allocation@allocation ghost_commit{id parent preexisting_untracked_files preexisting_untracked_dirs} internal_chat_message_metadata_passthrough@passthrough
compaction: type id id_allocation@allocation encrypted_content internal_chat_message_metadata_passthrough@passthrough
compaction_summary: type id id_allocation@allocation encrypted_content internal_chat_message_metadata_passthrough@passthrough
context_compaction: type id id_allocation@allocation encrypted_content internal_chat_message_metadata_passthrough@passthrough
compaction_trigger: *
configuration_update: *
other: *
`

const events = `
user_message: type kind=plain|user_instructions|environment_context|image message images local_images text_elements@elements client_id audio:* local_audio:* image_details:* local_image_details:*
agent_message: type message phase=commentary|partial_answer|final_answer memory_citation{entries{path lineStart lineEnd note} rolloutIds} delivery questions:*
agent_reasoning: type text
agent_reasoning_raw_content: type text
token_count: type info{total_token_usage@usage last_token_usage@usage model_context_window last_usage_includes_reasoning} rate_limits{limit_id limit_name primary@window secondary@window credits{has_credits unlimited balance} individual_limit:* plan_type rate_limit_reached_type spend_control_reached primary_used_percent secondary_used_percent primary_window_minutes secondary_window_minutes primary_to_secondary_ratio_percent}
task_started: type turn_id root_turn_id trace_id started_at model_context_window collaboration_mode_kind turn_attribution@attribution
task_complete: type turn_id root_turn_id last_agent_message started_at completed_at duration_ms time_to_first_token_ms error@error
turn_aborted: type turn_id root_turn_id reason=interrupted|replaced|review_ended|budget_limited started_at completed_at duration_ms error@error
context_compacted: type
entered_review_mode: type turn_id item_id target@target user_facing_hint prompt
exited_review_mode: type turn_id item_id review_output@review
thread_rolled_back: type num_turns rollback_start_index
undo_completed: type success message
thread_name_updated: type thread_id thread_name
thread_goal_updated: type threadId turnId goal{threadId objective status tokenBudget tokensUsed timeUsedSeconds createdAt updatedAt}
thread_settings_applied: type thread_id thread_settings{model model_provider_id service_tier cwd runtime_workspace_roots workspace_roots approval_policy=untrusted|on-failure|on-request|never{granular:* reject:*} approvals_reviewer requested_approvals_reviewer sandbox_policy@sandbox permission_profile@permissions active_permission_profile{id extends modifications:*} reasoning_effort reasoning_summary personality collaboration_mode@collaboration disabled_plugin_ids}
patch_apply_end: type call_id turn_id success status=completed|failed|declined stdout stderr changes<change> auto_approved
mcp_tool_call_end: type call_id turn_id invocation{server environment_id tool arguments:*} duration@duration result{Ok@blocks Err} mcp_app_resource_uri plugin_id app_name connector_id link_id template_id
web_search_end: type call_id query action@action results:*
image_generation_end: type call_id status revised_prompt result fileId saved_path failure:*
exec_command_end: type call_id turn_id command cwd parsed_cmd@parsed source=agent|user_shell|unified_exec_startup|unified_exec_interaction process_id interaction_input stdout stderr formatted_output aggregated_output exit_code duration@duration status=completed|failed|declined completed_at_ms
view_image_tool_call: type call_id path
dynamic_tool_call_response: type call_id turn_id namespace tool arguments:* content_items:* success error duration@duration completed_at_ms
collab_agent_spawn_end: type call_id sender_thread_id new_thread_id new_agent_nickname new_agent_role prompt model reasoning_effort status:* completed_at_ms
collab_agent_interaction_end: type call_id sender_thread_id receiver_thread_id receiver_agent_nickname receiver_agent_role prompt status:* completed_at_ms
collab_waiting_end: type call_id sender_thread_id agent_statuses:* statuses:* completed_at_ms
collab_close_end: type call_id sender_thread_id receiver_thread_id receiver_agent_nickname receiver_agent_role status:* completed_at_ms
collab_resume_end: type call_id sender_thread_id receiver_thread_id receiver_agent_nickname receiver_agent_role status:* completed_at_ms
sub_agent_activity: type event_id agent_thread_id agent_path kind=started|interacted|interrupted|completed occurred_at_ms model reasoning_effort
item_completed: type thread_id turn_id started_at_ms completed_at_ms item:*
error: type message codex_error_info=context_window_exceeded|session_budget_exceeded|usage_limit_exceeded|rate_limit_exceeded|flex_unavailable|server_overloaded|model_not_found|internal_server_error|unauthorized|bad_request|invalid_prompt|sandbox_error|cyber_policy|bio_policy|misalignment_policy_violation|policy_capacity_unavailable|inference_hook_denied|too_many_denials|thread_rollback_failed|other@errorInfo additional_details
stream_error: type message codex_error_info=context_window_exceeded|session_budget_exceeded|usage_limit_exceeded|rate_limit_exceeded|flex_unavailable|server_overloaded|model_not_found|internal_server_error|unauthorized|bad_request|invalid_prompt|sandbox_error|cyber_policy|bio_policy|misalignment_policy_violation|policy_capacity_unavailable|inference_hook_denied|too_many_denials|thread_rollback_failed|other@errorInfo additional_details
warning: type message
model_reroute: type message from_model to_model reason
guardian_assessment: type id target_item_id turn_id started_at_ms completed_at_ms status risk_score risk_level user_authorization rationale decision_source action:*
`

const turnItems = `
UserMessage: type id client_id content{type=text|image|local_image|audio|local_audio|skill|mention text text_elements@elements image_url file_id detail path name audio_url}
AgentMessage: type id content{type=text text} phase=commentary|partial_answer|final_answer memory_citation{entries{path lineStart lineEnd note} rolloutIds} delivery=async questions{title options} moderation:*
Reasoning: type id summary_text raw_content
Plan: type id text
HookPrompt: type id fragments{text hookRunId}
CommandExecution: type id command cwd parsed_cmd@parsed source=agent|user_shell|unified_exec_startup|unified_exec_interaction process_id interaction_input status=in_progress|completed|failed|declined stdout stderr formatted_output aggregated_output exit_code duration@duration plugin_id script_path
FileChange: type id changes<change> status=in_progress|completed|failed|declined auto_approved stdout stderr
McpToolCall: type id server environmentId tool actionName arguments:* status=inprogress|in_progress|completed|failed result@blocks error{message} duration@duration readOnlyHint mcpAppResourceUri mcpAppUi:* pluginId appName connectorId linkId templateId appContext:*
DynamicToolCall: type id namespace tool arguments:* status content_items:* success error:* duration@duration
FunctionCallOutput: type id namespace name output:*
WebSearch: type id query action@action results:*
ImageView: type id path
ImageGeneration: type id status revised_prompt result fileId saved_path failure:*
CollabAgentToolCall: type id tool=spawn_agent|send_input|resume_agent|wait|close_agent|send_message|followup_task|interrupt_agent|list_agents status=in_progress|completed|failed sender_thread_id receiver_thread_ids receiver_agents{agent_nickname agent_role thread_id} prompt model reasoning_effort agents_states:*
SubAgentActivity: type id kind=started|interacted|interrupted|completed agent_thread_id agent_path model reasoning_effort
EnteredReviewMode: type id target@target user_facing_hint
ExitedReviewMode: type id review_output@review
ContextCompaction: type id
Extension: *
Sleep: *
`

/** What is known about one value. */
export interface Shape {
  /** Its content is whatever people, tools or models put there. */
  open?: true
  /** Words that it may be, in the form of `wordKey`; absent if any text is allowed. */
  words?: ReadonlySet<string>
  /** Fields of the object, or of each object of the list. */
  fields?: ReadonlyMap<string, Shape>
  /** The shape of each value, if the keys are data. */
  values?: Shape
}

/** A word in the form in which it is compared, because builds write words in several cases. */
function wordKey(word: string): string {
  return word.replaceAll('_', '').toLowerCase()
}

type Table = ReadonlyMap<string, string>

function rows(text: string): [kind: string, fields: string][] {
  return text
    .trim()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
}

const token = /([$\w]+)((?:=[\w|.-]+)?)(:\*|@\w+|<\w+>|\{)?|\}/g

/** The fields up to the closing bracket, or to the end of the line. */
function fieldsOf(tokens: RegExpExecArray[], named: Table): Map<string, Shape> {
  const fields = new Map<string, Shape>()
  for (let next = tokens.shift(); next !== undefined; next = tokens.shift()) {
    const [, name, words = '', mark = ''] = next
    if (name === undefined) break
    const shape: Shape = {}
    if (words !== '') shape.words = new Set(words.slice(1).split('|').map(wordKey))
    if (mark === ':*') shape.open = true
    else if (mark.startsWith('@')) shape.fields = lineOf(named.get(mark.slice(1)) ?? '', named)
    else if (mark === '{') shape.fields = fieldsOf(tokens, named)
    else if (mark.startsWith('<')) shape.values = { fields: lineOf(named.get(mark.slice(1, -1)) ?? '', named) }
    fields.set(name, shape)
  }
  return fields
}

function lineOf(text: string, named: Table): Map<string, Shape> {
  return fieldsOf([...text.matchAll(token)], named)
}

function shapesOf(text: string, prefix: string, named: Table): [string, Shape][] {
  return rows(text).map(([kind, fields]) => [
    prefix + kind,
    fields === '*' ? { open: true } : { fields: lineOf(fields, named) },
  ])
}

/**
 * Shapes of payloads by the kind of their record, and of turn items as `item/<type>`. `envelope` is the line around a
 * payload.
 */
export function knownShapes(): ReadonlyMap<string, Shape> {
  const named = new Map(rows(shared))
  return new Map([
    ...shapesOf(lines, '', named),
    ...shapesOf(items, 'response_item/', named),
    ...shapesOf(events, 'event_msg/', named),
    ...shapesOf(turnItems, 'item/', named),
  ])
}

/**
 * A difference between a value and its known shape. `path` leads to it by known names; `name` is what the record
 * contains.
 */
export type Drift =
  | { what: 'field'; path: readonly string[]; name: string; form: string }
  | { what: 'value'; path: readonly string[]; name: string }
  | { what: 'form'; path: readonly string[]; form: string }

/** Most fields of an object, or elements of a list, that are compared. */
const maxParts = 1000

const maxNewNames = 16

const anything: Shape = { open: true }

/** Reports where a value differs from its shape. */
export function compareShape(value: unknown, shape: Shape, report: (drift: Drift) => void): void {
  compareAt(value, shape, [], report)
}

function compareAt(value: unknown, shape: Shape, path: readonly string[], report: (drift: Drift) => void): void {
  if (Array.isArray(value)) {
    for (const part of value.slice(0, maxParts)) compareAt(part, shape, path, report)
  } else if (typeof value === 'string') {
    if (shape.words !== undefined && !shape.words.has(wordKey(value))) report({ what: 'value', path, name: value })
  } else if (typeof value === 'object' && value !== null && shape.open !== true) {
    compareObject(Object.entries(value).slice(0, maxParts), shape, path, report)
  }
}

function compareObject(
  entries: readonly [string, unknown][],
  { fields, values }: Shape,
  path: readonly string[],
  report: (drift: Drift) => void,
): void {
  if (values !== undefined) for (const [, part] of entries) compareAt(part, values, path, report)
  else if (fields === undefined) report({ what: 'form', path, form: 'object' })
  else {
    const others: typeof entries = entries.filter(([name]) => !fields.has(name))
    for (const [name, part] of entries) compareAt(part, fields.get(name) ?? anything, [...path, name], report)
    // So many unknown names are not names of the format: the keys are data.
    if (others.length > maxNewNames) report({ what: 'form', path, form: 'object with many other names' })
    else for (const [name, part] of others) report({ what: 'field', path, name, form: formOf(part) })
  }
}

/** `object`, `list`, `text`, `number`, `switch` or `null`. */
function formOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  const forms: Readonly<Record<string, string>> = { string: 'text', boolean: 'switch' }
  return forms[typeof value] ?? typeof value
}
