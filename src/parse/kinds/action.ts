/** What a call asks for, by tool name and argument shape (rollout-format 3.7). */
import type { Action, PlanStepFact, QuestionFact } from '../../model/facts.ts'
import {
  asArray,
  asBoolean,
  asHandle,
  asObject,
  asPath,
  asString,
  asStrings,
  asText,
  type JsonObject,
} from '../decode.ts'
import { findPatch, parsePatch } from '../patch-text.ts'
import { exploreActions, scriptOf } from '../shell.ts'
import { optional } from './shared.ts'

/** A command, or the patch that hides in it: argv `apply_patch`, or a heredoc (rollout-format 8.1). */
export function commandAction(argv: string[], script: string, cwd: string | undefined): Action {
  const patch =
    /\bapply_?patch\b/.test(script.slice(0, 4096)) || isPatchProgram(argv[0]) ? findPatch(script) : undefined
  if (patch !== undefined) return { ...patchAction(patch, cwd), ...optional('script', scriptAround(script, patch)) }
  return { type: 'command', argv, script, ...optional('cwd', cwd), actions: exploreActions(script) }
}

const onlyPatch =
  /^\s*(?:cd\s+(?:'[^']*'|"[^"]*"|\S+)\s*&&\s*)?(?:apply_?patch\b)?\s*(?:<<-?\s*['"]?\w+['"]?)?\s*…\s*\w*\s*$/

/** The script with `…` for its patch, where it does more than apply it. */
function scriptAround(script: string, patch: string): string | undefined {
  const around = script.split(patch).join('…')
  return onlyPatch.test(around) ? undefined : around
}

function isPatchProgram(word: string | undefined): boolean {
  return word === 'apply_patch' || word === 'applypatch'
}

/** A patch by its text; `changes` is absent where the text breaks the grammar. */
function patchAction(text: string, cwd: string | undefined): Action {
  return { type: 'patch', text, ...optional('changes', parsePatch(text)), ...optional('cwd', cwd) }
}

function shell(input: JsonObject): Action | undefined {
  const command = input['command'] ?? input['cmd']
  const cwd = asPath(input['workdir'] ?? input['working_directory'])
  if (typeof command === 'string') return commandAction([], command, cwd)
  const argv = asStrings(command)
  if (argv.length === 0) return undefined
  return commandAction(argv, isPatchProgram(argv[0]) ? argv.slice(1).join('\n') : scriptOf(argv), cwd)
}

function plan(input: JsonObject): Action | undefined {
  if (!Array.isArray(input['plan'])) return undefined
  const steps = input['plan'].map((item): PlanStepFact => {
    const step = asObject(item) ?? {}
    return { step: asString(step['step']) ?? '', status: stepStatus(asString(step['status'])) }
  })
  return { type: 'plan', ...optional('explanation', asText(input['explanation'])), steps }
}

/** Status word of a plan step in either spelling. */
function stepStatus(word: string | undefined): PlanStepFact['status'] {
  if (word === 'completed') return 'completed'
  return word === 'in_progress' || word === 'inProgress' ? 'inProgress' : 'pending'
}

function questions(input: JsonObject): Action | undefined {
  if (!Array.isArray(input['questions'])) return undefined
  return { type: 'questions', questions: input['questions'].map(question) }
}

function question(value: unknown): QuestionFact {
  const item = asObject(value) ?? {}
  return {
    ...optional('id', asText(item['id'])),
    ...optional('header', asText(item['header'])),
    text: asString(item['question']) ?? '',
    options: asArray(item['options']).map((option) => asString(asObject(option)?.['label']) ?? asString(option) ?? ''),
    secret: asBoolean(item['isSecret'] ?? item['is_secret']) ?? false,
  }
}

function agent(action: Extract<Action, { type: 'agent' }>['action']): (input: JsonObject) => Action {
  return (input) => ({
    type: 'agent',
    action,
    ...optional('name', asText(input['task_name']) ?? asText(input['path_prefix'])),
    ...optional('role', asText(input['agent_type'])),
    ...optional('message', asText(input['message']) ?? asText(textItems(input['items']))),
    threadIds: [input['id'], input['target'], ...asArray(input['ids']), ...asArray(input['targets'])].filter(
      (id) => typeof id === 'string',
    ),
  })
}

function textItems(value: unknown): string {
  return asArray(value)
    .map((item) => asString(asObject(item)?.['text']) ?? '')
    .join('\n')
}

/** By tool name. A table entry may decline by `undefined`: then the call is shown as a plain tool call. */
const actions: Readonly<Record<string, (input: JsonObject) => Action | undefined>> = {
  shell,
  'container.exec': shell,
  local_shell: shell,
  shell_command: shell,
  exec_command: shell,
  unified_exec: (input) => {
    const argv = asStrings(input['input'])
    return argv.length === 0 ? undefined : commandAction(argv, scriptOf(argv), undefined)
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
  request_user_input: questions,
  request_user_input_async: questions,
  request_permissions: (input) => ({ type: 'permissions', ...optional('reason', asText(input['reason'])) }),
  spawn_agent: agent('spawn'),
  send_input: agent('send'),
  send_message: agent('send'),
  followup_task: agent('send'),
  wait_agent: agent('wait'),
  resume_agent: agent('resume'),
  close_agent: agent('close'),
  interrupt_agent: agent('close'),
  list_agents: agent('list'),
}

/** The action of a function call; arguments that are no JSON object give a plain tool call. */
export function functionAction(tool: string, input: unknown): Action {
  const object = asObject(input)
  if (object === undefined) return { type: 'tool' }
  if (tool === 'wait') return waitAction(object)
  return (Object.hasOwn(actions, tool) ? actions[tool]?.(object) : undefined) ?? { type: 'tool' }
}

/** `wait` is a script cell's in code mode and an agent's elsewhere. */
function waitAction(input: JsonObject): Action {
  const cell = asHandle(input['cell_id'])
  return cell === undefined ? agent('wait')(input) : { type: 'wait', cellId: cell }
}

/** The action of a custom call, whose input is free text. */
export function customAction(tool: string, input: string): Action {
  if (tool === 'apply_patch') return patchAction(findPatch(input) ?? input, undefined)
  return tool === 'exec' ? { type: 'cell', code: input } : { type: 'tool' }
}
