/** Answers to calls of sub-agents: JSON, which pages and Markdown show as words. */

import { asObject } from '../rollout/parse/decode.ts'
import type { Agent } from '../transcript/trast.ts'
import { parseJson } from '../util/json.ts'
import { joinTexts } from '../util/text.ts'
import { agentLabel, firstLine } from './phrases.ts'

/** What an answer says of one sub-agent. */
interface AgentReport {
  /** The id of its thread, or its path such as `/root/read_one`; absent if it is the agent that the call names, or no agent. */
  agent?: string
  /** `completed`, `running`, … */
  status?: string
  /** Its last message or its error, or a remark by Codex; empty if there is none. */
  words: string
  /** What it was last asked to do. */
  task?: string
}

/** UTF-16 units of the longest answer that is parsed. */
const maxAnswer = 40_000

/**
 * The reports in the answer to a call that waited, listed or closed; an empty list if the answer only repeats names that are
 * shown with the call. `undefined` if the answer is anything else.
 */
export function agentReports(answer: string, node: Pick<Agent, 'name' | 'threadId'>): AgentReport[] | undefined {
  const value = answer.length > maxAnswer ? undefined : asObject(parseJson(answer))
  if (value === undefined) return undefined
  const { agents, status, previous_status: before, message, timed_out: isLate, ...others } = value
  if (repeatsCall(others, node) && Object.keys(others).length === Object.keys(value).length) return []
  if (Object.keys(others).length > 0) return undefined
  if (Array.isArray(agents)) return allOf(agents.map(listedReport))
  if (typeof message === 'string' && typeof isLate === 'boolean') return [{ words: message }]
  if (before !== undefined) return allOf([beforeOf(before)])
  if (status === undefined) return undefined
  const byThread = Object.entries(asObject(status) ?? {}).map(([agent, state]) => reportOf(agent, state))
  // The answer to closing an agent contains the state of that agent only, without its id.
  return allOf(byThread) ?? allOf([beforeOf(status)])
}

function allOf(reports: readonly (AgentReport | undefined)[]): AgentReport[] | undefined {
  const readable = reports.filter((report) => report !== undefined)
  return readable.length === 0 || readable.length < reports.length ? undefined : readable
}

/** Whether an answer contains only names of the agent that are already shown with the call. */
function repeatsCall(
  { agent_id: id, nickname, task_name: path, ...others }: Record<string, unknown>,
  node: Pick<Agent, 'name' | 'threadId'>,
): boolean {
  if (Object.keys(others).length > 0 || (id === undefined && path === undefined)) return false
  const { name = '', threadId } = node
  const isSame = (value: unknown): boolean =>
    value === undefined || (typeof value === 'string' && name !== '' && agentLabel(value) === agentLabel(`/${name}`))
  return (id === undefined || id === threadId) && (nickname === undefined || nickname === name) && isSame(path)
}

function beforeOf(state: unknown): AgentReport | undefined {
  const report = reportOf('', state)
  return report === undefined ? undefined : { status: `was ${report.status}`, words: report.words }
}

function listedReport(value: unknown): AgentReport | undefined {
  const { agent_name: agent, agent_status: status, last_task_message: task, ...others } = asObject(value) ?? {}
  if (typeof agent !== 'string' || Object.keys(others).length > 0) return undefined
  const report = reportOf(agent, status)
  // For the main agent, Codex records as its task only that it is the main agent.
  return report === undefined || typeof task !== 'string' || agent === '/root' ? report : { ...report, task }
}

function reportOf(agent: string, value: unknown): AgentReport | undefined {
  const [[kind, words] = [], ...others] =
    typeof value === 'string' ? [[value, '']] : Object.entries(asObject(value) ?? {})
  const isReport = kind !== undefined && others.length === 0 && (typeof words === 'string' || words === null)
  return isReport ? { agent, status: kind.replaceAll('_', ' '), words: words ?? '' } : undefined
}

/** UTF-16 units that a line shows of a task. */
const maxTask = 300

/** The line of a report: the agent's name, from the title of its thread or from its path, and its state; empty if unknown. */
export function reportHead(
  { agent, status, task = '' }: AgentReport,
  threads: (id: string) => { title?: string } | undefined,
): { name: string; state: string } {
  const name = agent === undefined ? '' : agentLabel(threads(agent)?.title ?? agent)
  const state = [status ?? '', task === '' ? '' : `last task: ${firstLine(task, maxTask)}`]
  return { name, state: joinTexts(state, ' · ') }
}
