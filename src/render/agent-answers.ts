/** What calls of sub-agents answer, of which pages and Markdown show the words and not the JSON. */

import { asObject } from '../rollout/parse/decode.ts'
import type { Agent } from '../transcript/trast.ts'
import { joinTexts } from '../util/join-texts.ts'
import { parseJson } from '../util/json.ts'
import { agentLabel, firstLine } from './phrases.ts'

/** What an answer says of one sub-agent. */
export interface AgentReport {
  /** The id of its thread, or its path such as `/root/read_one`; absent where it is the one that the call was about, or none. */
  agent?: string
  /** `completed`, `running`, … */
  status?: string
  /** Its last message or its error, or a word of Codex; empty where there is none. */
  words: string
  /** What it was last asked to do. */
  task?: string
}

/** UTF-16 units of an answer that is read. */
const maxAnswer = 40_000

/**
 * The reports in an answer: of a call that waited, listed, or closed; none where it only repeats names that the call is shown
 * with. `undefined` where it is anything else.
 */
export function agentReports(answer: string, node: Pick<Agent, 'name' | 'threadId'>): AgentReport[] | undefined {
  const value = answer.length > maxAnswer ? undefined : asObject(parseJson(answer))
  if (value === undefined) return undefined
  const { agents, status, previous_status: before, message, timed_out: isLate, ...others } = value
  if (isKnown(others, node) && Object.keys(others).length === Object.keys(value).length) return []
  if (Object.keys(others).length > 0) return undefined
  if (Array.isArray(agents)) return allOf(agents.map(listedReport))
  if (typeof message === 'string' && typeof isLate === 'boolean') return [{ words: message }]
  if (before !== undefined) return allOf([beforeOf(before)])
  if (status === undefined) return undefined
  const byThread = Object.entries(asObject(status) ?? {}).map(([agent, state]) => reportOf(agent, state))
  // To close an agent tells the state of that one alone, which has no id.
  return allOf(byThread) ?? allOf([beforeOf(status)])
}

function allOf(reports: readonly (AgentReport | undefined)[]): AgentReport[] | undefined {
  const known = reports.filter((report) => report !== undefined)
  return known.length === 0 || known.length < reports.length ? undefined : known
}

/** Whether an answer holds only names of the agent that the call is shown with. */
function isKnown(
  { agent_id: id, nickname, task_name: path, ...others }: Record<string, unknown>,
  node: Pick<Agent, 'name' | 'threadId'>,
): boolean {
  if (Object.keys(others).length > 0 || (id === undefined && path === undefined)) return false
  const { name = '', threadId } = node
  const isSame = (given: unknown): boolean =>
    given === undefined || (typeof given === 'string' && name !== '' && agentLabel(given) === agentLabel(`/${name}`))
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
  // Of the main agent Codex says only that it is that.
  return report === undefined || typeof task !== 'string' || agent === '/root' ? report : { ...report, task }
}

function reportOf(agent: string, value: unknown): AgentReport | undefined {
  const [[kind, words] = [], ...others] =
    typeof value === 'string' ? [[value, '']] : Object.entries(asObject(value) ?? {})
  const isReport = kind !== undefined && others.length === 0 && (typeof words === 'string' || words === null)
  return isReport ? { agent, status: kind.replaceAll('_', ' '), words: words ?? '' } : undefined
}

/** UTF-16 units of a task in a line. */
const maxTask = 300

/** The line of a report: the name of the agent, by the title of its thread or by its path, and its state. Empty where it has none. */
export function reportHead(
  { agent, status, task = '' }: AgentReport,
  threads: (id: string) => { title?: string } | undefined,
): { name: string; state: string } {
  const name = agent === undefined ? '' : agentLabel(threads(agent)?.title ?? agent)
  const state = [status ?? '', task === '' ? '' : `last task: ${firstLine(task, maxTask)}`]
  return { name, state: joinTexts(state, ' · ') }
}
