/** Words of the format, and phrases of Codex, which stay as they are. */

/** The words of a text, separated by whitespace. */
function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** Keys of records, and of the arguments of Codex's own tools (rollout-format 2, 3). */
export const formatKeys: ReadonlySet<string> = words(`
  absolute_file_path acceptance_order access account_scoped action active_permission_profile add additional_details agent_id
  agent_name agent_nickname agent_path agent_role agent_status agent_statuses agent_thread_id agent_type agents
  agents_states aggregated_output annotations answer answers approval_policy approvals_reviewer arguments
  assistant_messages assistant_messages_incomplete audio audio_url author auto_approved b64_json base_instructions
  body branch byte_range cache_write_input_tokens cached_input_tokens call_id callId cell_id changes channels chars
  cli_version client_authored client_id cmd code code_location codex_error_info codex_home collaboration_mode
  collaboration_mode_kind command commit commit_hash comp_hash compaction_output compaction_response_id complete
  completed_at completed_at_ms confidence_score content content_item_kinds content_item_metadata contentItems
  context_window create_time createdAt credits current_date cursor custom cwd data decision_source delete delivery
  depth description detail developer_instructions dir_path disabled_plugin_ids duration duration_ms
  duration_seconds durationMs dynamic_tools effort encrypted_content end end_byte_offset end_index
  end_ordinal_exclusive env environment_id Err err error event_id exclude_slash_tmp exclude_tmpdir_env_var
  execution exit_code explanation failure fallback_token_limit_override file_id file_path file_system
  file_system_sandbox_policy fileId final_output_json_schema findings first_turn_id first_window_id fork_context
  fork_turns forked_from_id forked_from_ordinal_exclusive formatted_output fragments freeform from_model full ghost_commit
  git goal guardian_history header hint history_base history_mode history_sequence hook hookRunId
  http_connection_failed http_status_code id ids image image_url images include incomplete individual_limit info
  inherited_user_message initiating_agent_path input input_tokens instructions interaction_input internal
  internal_chat_message_metadata_passthrough interrupt invocation is_error is_secret isError isOther isSecret item
  item_completed item_id items justification kind label last_agent_message last_started_turn_id last_task_message
  last_token_usage last_usage_includes_reasoning latest_token_usage_record limit limit_id limit_name line_range
  loaded_at local_audio local_image local_images login logprobs max_output_tokens max_tokens mcp_attribution
  memory_citation mention message message_id metadata mime_type mimeType missing_path_behavior mode model
  model_context_window model_provider model_provider_id moderation move_path msg multi_agent_mode
  multi_agent_version name namespace nanos network network_access new_agent_nickname new_agent_role new_thread_id
  next_order nickname num_turns objective occurred_at_ms offset Ok ok openWorldHint options order ordinal
  originator other output output_tokens overall_confidence_score overall_correctness overall_explanation parent
  parent_thread_id parent_turn_id parsed_cmd patch path path_prefix pattern payload permission_profile permissions
  personality phase placeholder plan plan_type plugin_id preexisting_untracked_dirs preexisting_untracked_files
  prefix_rule previous_response_id previous_status previous_turn_settings previous_window_id primary priority
  process_id prompt provenance queries query question questions rate_limit_reached_type rate_limits rationale
  raw_content readOnlyHint realtime_active reason reasoning_effort reasoning_output_tokens reasoning_summary
  receiver_agents receiver_thread_id receiver_thread_ids recipient record_type ref_id refusal replacement_history
  replacement_history_metadata repository_url requested_approvals_reviewer resource response_id result results
  resume_metadata retained_context retained_source review_output revised_prompt revision risk_level role
  rollout_path root_turn_id runtime_workspace_roots sampled_through_sequence sandbox_permissions sandbox_policy
  saved_path wall_time_seconds original_token_count script_path search_query secondary secs sender_thread_id server server_name service_tier session
  session_id settings sha shell skill snippet source spend_control_reached start start_index started_at started_at_ms
  state status statuses stderr stdout step structured_content structuredContent subagent
  subagent_history_start_ordinal submission_id success summary summary_text target target_item_id targets
  task_name terminate text text_elements thread thread_id thread_name thread_settings thread_source thread_spawn
  thread_token_usage threadId time time_to_first_token_ms timed_out timeout timeout_ms timestamp timeUsedSeconds
  timezone title to_model tokenBudget tokensUsed tool tool_name tools total_token_usage total_tokens trigger_turn
  truncation_policy ts tty turn_attribution turn_id turn_token_usage turn_trigger turnId type unified_diff update
  updated_at updatedAt uri url usage user user_authorization user_facing_hint user_input_order user_instructions
  user_messages user_messages_incomplete value verified_answers version voice_transcript web_search window_id window_number
  with_escalated_permissions workdir working_directory workspace_roots writable_roots yield_time_ms
`)

/** Values that the format itself defines, when they are a whole text (rollout-format 3). */
export const formatValues: ReadonlySet<string> = words(`
  session_meta response_item event_msg turn_context compacted world_state token_usage_record retained_context state
  message reasoning local_shell_call function_call function_call_output custom_tool_call custom_tool_call_output
  web_search_call image_generation_call tool_search_call tool_search_output agent_message additional_tools
  ghost_snapshot compaction compaction_summary context_compaction input_text output_text input_image input_audio
  summary_text reasoning_text encrypted_content refusal text image audio resource search open_page find_in_page
  user_message agent_reasoning token_count task_started task_complete turn_started turn_complete turn_aborted
  context_compacted entered_review_mode exited_review_mode thread_rolled_back undo_completed thread_name_updated
  thread_goal_updated thread_settings_applied patch_apply_end mcp_tool_call_end web_search_end exec_command_end
  image_generation_end view_image_tool_call sub_agent_activity item_completed error stream_error warning
  user assistant developer system tool none object string number integer boolean array null true false
  completed in_progress inProgress pending failed declined incomplete interrupted replaced review_ended
  budget_limited running started interacted commentary partial_answer final_answer plain legacy paginated
  minimal low medium high xhigh max auto default concise detailed never always on-request on-failure untrusted
  read-only workspace-write danger-full-access external-sandbox disabled enabled v1 v2 cli vscode exec mcp unknown
  review compact subagent guardian memory_consolidation user_shell unified_exec_startup agent read list_files list
  add update delete move uncommittedChanges baseBranch commit custom NEW_TASK MESSAGE FINAL_ANSWER use_default
  require_escalated async original unused search_mcp standalone
`)

/** Tags around context and special messages, and those within them (rollout-format 5.4). */
export const keptTags: ReadonlySet<string> = words(`
  environment_context user_instructions INSTRUCTIONS skill user_shell_command turn_aborted subagent_notification
  hook_prompt codex_internal_context goal_context extension_context recommended_plugins apps_instructions
  plugins_instructions skills_instructions tool_context pinned_notes rollout_budget token_budget user_action image
  proposed_plan oai-mem-citation command result cwd shell approval_policy sandbox_mode network_access
  writable_roots current_date timezone name path permissions collaboration_mode model_switch multi_agent_role
  multi_agent_mode context action results stdin realtime_delegation realtime_conversation source input transcript_delta
`)

/** Programs and words of a shell that distinguish commands (rollout-format 3.7). */
export const keptWords: ReadonlySet<string> = words(`
  bash sh zsh dash ksh fish powershell pwsh exe cmd sudo env git gh glab npm npx pnpm yarn bun deno node tsc tsx python
  python3 pip pip3 pytest uv ruby gem bundle rake perl php composer java javac mvn gradle go gofmt cargo rustc rustup
  make cmake ninja gcc clang docker podman kubectl helm terraform ssh scp rsync curl wget tar zip unzip gzip zstd
  cat head tail nl bat less more gc type ls fd find tree eza exa dir rg grep ag ack egrep fgrep sed awk tr cut sort
  uniq wc column true false test echo printf cd pwd mkdir rmdir rm cp mv ln chmod chown stat du df ps kill
  xargs tee diff jq sqlite3 psql EOF localhost which where findstr cmp comp fc look fdfind fzf rga zgrep ugrep sdiff expr
  pgrep pkill pidof killall lsof fuser locate getent printenv mountpoint systemctl hash command compgen
`)

/** Words of JavaScript and of the environment in which code-mode scripts run (rollout-format 3.4). */
export const scriptWords: ReadonlySet<string> = words(`
  await async let of yield tools text image notify store load yield_control ALL_TOOLS setTimeout apply_patch exec_command shell_command
  write_stdin view_image update_plan web__run undefined NaN Infinity Promise all allSettled race any then catch finally
  JSON parse stringify Array from of isArray Object keys values entries assign fromEntries String raw Number Boolean Math
  min max floor ceil round abs Date now Set Map Error RegExp console log error map filter forEach reduce flatMap flat
  find findIndex some every includes indexOf slice splice concat join push pop shift unshift reverse sort fill length
  split trim trimStart trimEnd replace replaceAll match matchAll startsWith endsWith padStart padEnd repeat toString
  q open click response_length toUpperCase toLowerCase charAt substring has get set add delete message name value output exit_code session_id
`)

/** Parts of paths that every machine has, files that Codex looks for, and what addresses of merge requests contain. */
export const keptSegments: ReadonlySet<string> = words(`
  home Users users root tmp usr bin sbin etc var dev null opt lib mnt proc private AGENTS.md SKILL.md .codex .git pull
  merge_requests
`)

/** Ends of host names that reveal nothing. */
export const publicSuffixes: ReadonlySet<string> = words(
  'com org net io dev app ai co edu gov info local internal test de uk fr eu',
)

// Phrases that Codex itself writes around what people and programs say (rollout-format 3.8, 5.4, 8.1). They decide how a record is read,
// so they stay while everything else is replaced.

/** Phrases at the start of a line, after whitespace. */
const lineStarts: readonly string[] = [
  // Heads of outputs.
  String.raw`Exit code: -?\d+$`,
  String.raw`Wall time:? [\d.]+ seconds?$`,
  String.raw`Duration: [\d.]+ seconds?$`,
  String.raw`Total output lines: \d+$`,
  String.raw`Original token count: \d+$`,
  String.raw`Process exited with code -?\d+$`,
  String.raw`Process running with session ID \d+$`,
  'Chunk ID: ',
  'Command: ',
  'Output:$',
  'Script (?:completed|failed|error:)$',
  'Script running with cell ID ',
  // Outputs that only report a state.
  String.raw`aborted(?: by user(?: after [\d.]+ ?s(?:econds?)?)?)?$`,
  String.raw`(?:Error: )?command timed out after \d+ milliseconds`,
  '(?:exec command|patch) rejected(?: by user)?',
  'approval policy is UnlessTrusted; reject command',
  'failed in sandbox',
  'execution error:',
  '(?:exec_command|write_stdin) failed',
  'error: ',
  'Command blocked by PreToolUse hook:',
  'unable to locate image at',
  'unsupported call:',
  'failed to parse function arguments',
  'apply_patch verification failed',
  'Invalid patch',
  'Failed to ',
  'collab spawn failed:',
  String.raw`Success\. Updated the following files:$`,
  'Plan updated$',
  'Done!?$',
  'Compact task completed$',
  // Patches.
  String.raw`\*\*\* (?:Begin Patch|End Patch|End of File)$`,
  String.raw`\*\*\* Environment ID:`,
  String.raw`@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@`,
  // Texts in the position of the user's.
  '# AGENTS\\.md instructions(?: for(?= ))?',
  'Warning: apply_patch was requested via ',
  'Warning: The maximum number of unified exec processes',
  'Warning: Your account was flagged',
  'Warning(?=:)',
  'Another language model started to solve this problem',
  '# Context from my IDE setup:',
  '# Files mentioned by the user:',
  '# Review findings:',
  '## Prior conversation with Codex:',
  '## Code review guidelines:',
  '## Referenced ChatGPT conversation:',
  '## My request for Codex:$',
  '## (?:Active file|Active selection of the file|Open tabs):',
  '>>> APPROVAL REQUEST (?:START|END)$',
  'Message Type: (?:NEW_TASK|MESSAGE|FINAL_ANSWER)$',
  '(?:Message Type|Task name|Sender|Payload):',
]

const reviewKeys =
  'findings|title|body|confidence_score|priority|code_location|absolute_file_path|line_range|start|end|overall_correctness|overall_explanation|overall_confidence_score'
const approvalKeys = 'tool|tool_name|server|target|command|files|patch'
const verdictKeys = 'outcome|risk_level|user_authorization|rationale'
const errorKeys = 'error|errors|message|detail|error_description|error_message|msg|type|param|code'

/** Phrases anywhere. The text on either side is compared separately, so each side is replaced separately. */
const anywhere: readonly string[] = [
  String.raw`\u2026\s*\d+ (?:tokens|chars|lines|bytes) truncated\s*\u2026`,
  String.raw`\[\.\.\. (?:omitted(?: \d+ of \d+ lines)?|output truncated(?: to fit \d+ bytes)?)`,
  String.raw`Use the apply_patch tool instead of exec_command\.`,
  `</?(?:${[...keptTags].join('|')})(?=[\\s>/])`,
  String.raw`"outcome"\s*:\s*"(?:allow|deny)"`,
  // These show that an answer is a review or a verdict, that a prompt asks for an approval, or that a host's JSON error has a
  // message.
  `"(?:${reviewKeys}|${approvalKeys}|${verdictKeys}|${errorKeys})"\\s*:`,
]

/** Phrases and words within a text that stay (rollout-format 3.7, 3.8); patterns for parts of a line. */
export const keptPhrases: readonly string[] = [
  String.raw`Rejected\((?:\\?"rejected by user)?`,
  'rejected: (?:blocked by policy)?',
  String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?`,
  // Colours and other escape sequences of terminals, including their final letter.
  String.raw`\x1b\[[0-9;?]{0,40}[A-Za-z]`,
  // JSON within a text stays JSON.
  String.raw`(?<=[:[,]\s{0,9})null(?=\s{0,9}(?:[,\]}]|$))`,
  // These show that a command does more than explore, or is run by another shell.
  String.raw`(?<=\s)-(?:delete|execdir|exec|fprint\w{0,2})(?!\w)`,
  String.raw`(?<!\S)(?:-Command|--files)(?![\w-])`,
  String.raw`(?<![\w-])(?:ls-files|apply_?patch)(?![\w-])`,
  // These show what a PowerShell command looked for, and that finding nothing is not an error.
  String.raw`(?<![\w-])(?:[Gg]et|[Ss]elect|[Ss]ort|[Ww]here|[Ff]or[Ee]ach|[Mm]easure|[Gg]roup|[Ss]et)-(?:[Cc]ontent|[Cc]hild[Ii]tem|[Ss]tring|[Oo]bject|[Cc]ommand|[Pp]rocess|[Ss]ervice|[Ii]tem|[Ll]ocation|NetTCPConnection)(?![\w-])`,
  String.raw`(?<![\w-])(?:(?:Write|Out)-(?:Output|Host|String|Null)|(?:Test|Split|Join|Resolve)-Path|Format-(?:Table|List)|Convert(?:To|From)-Json)(?![\w-])`,
  // These show that a PowerShell command only reads.
  String.raw`(?<![\w-])(?:foreach|for|while|if|elseif|else)(?=\s*[({])`,
  String.raw`\[(?:[Mm]ath\]::(?:Min|Max|Floor|Ceiling|Round)|(?:System\.)?Text\.Encoding\]::UTF8|Console\]::OutputEncoding)(?!\w)`,
  String.raw`\$(?:path|file)(?![\w-])`,
  String.raw`(?<!\S)-(?:Path|Encoding|TotalCount|First|Head|Tail|Last)(?![\w-])`,
  String.raw`(?<!\S)-(?:ErrorAction|ea) (?:SilentlyContinue|Ignore)(?![\w-])`,
  String.raw`(?<!\S)-[A-Za-z]{1,3}(?!\S)`,
  // These show that a command creates a commit or a merge request, and prints it.
  String.raw`(?<![\w-])(?:commit|cherry-pick|revert|pr|mr|create|new)(?![\w-])(?<=\b(?:git|gh|glab)\b[^\n;&|]{0,300})`,
]

const lineStart = new RegExp(String.raw`^\s*(?:${lineStarts.join('|')})`, 'iu')
const inside = new RegExp(anywhere.join('|'), 'gu')

/** A line in parts; the phrases that stay are at odd indexes. */
export function splitFrames(line: string): string[] {
  const start = lineStart.exec(line)?.[0] ?? ''
  const parts: string[] = start === '' ? [] : ['', start]
  let from = start.length
  for (const match of line.slice(from).matchAll(inside)) {
    const at = start.length + match.index
    parts.push(line.slice(from, at), match[0])
    from = at + match[0].length
  }
  parts.push(line.slice(from))
  return parts
}

const patchFile = /^(\s*\*\*\* (?:(?:Add|Delete|Update) File|Move to): )(.*\S)(\s*)$/

/** Head, path and rest of a line of a patch that names a file. */
export function patchFileLine(line: string): { head: string; path: string; tail: string } | undefined {
  const [, head, path, tail] = patchFile.exec(line) ?? []
  return head === undefined || path === undefined || tail === undefined ? undefined : { head, path, tail }
}
