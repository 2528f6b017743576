/** Words for what happened, shared by the formats. */

import type { Repair } from '../transcript/fixes.ts'
import type {
  Agent,
  Call,
  Command,
  ErrorNode,
  FileChange,
  Finding,
  Group,
  LineCounts,
  Message,
  Notice,
  Patch,
  Reference,
  Search,
  ToolCall,
  Turn,
} from '../transcript/trast.ts'
import { isScriptCall } from '../transcript/view.ts'
import { compareText } from '../util/compare.ts'
import { sumOfCounts } from '../util/groups.ts'
import { defined, ownValue } from '../util/own.ts'
import { pathBelow } from '../util/paths.ts'
import { joinTexts } from '../util/text.ts'
import { formatAmount, formatCount, formatDuration, formatInstant } from '../util/time.ts'
import { callDuration, callWord, contextText, isTrouble, scriptLine, statusWord } from './phrases.ts'

const roles: Readonly<Record<Message['role'], string>> = {
  user: 'User',
  assistant: 'Assistant',
  developer: 'Developer',
  system: 'System',
}

/** Who speaks, and what is special about the message: `User (while the turn was running)`, `Agent message from /root/probe`. */
export function messageLabel(node: Message): string {
  const notes: string[] = []
  if (node.origin === 'codex') return `Codex (${(node.label ?? 'Request').toLowerCase()})`
  if (node.origin === 'injected') notes.push(node.label === undefined ? 'injected' : `injected: ${node.label}`)
  if (node.origin === 'hook') notes.push('from a hook')
  if (node.phase === 'commentary') notes.push('commentary')
  if (node.phase === 'partial_answer') notes.push('partial answer')
  if (node.delegated) notes.push('from another agent')
  if (node.steering) notes.push('while the turn was running')
  // The role under which a model receives the message of an agent does not say who wrote it.
  const who = node.origin === 'agent' ? agentRoute(node) : roles[node.role]
  return notes.length === 0 ? who : `${who} (${notes.join(', ')})`
}

function agentRoute(node: Message): string {
  const from = node.author === undefined ? '' : ` from ${node.author}`
  const to = node.recipient === undefined ? '' : ` to ${node.recipient}`
  return `Agent message${from}${to}`
}

/** State and duration of a call, if there is something to say. */
export function callFacts(node: Call & Pick<Command, 'ranMs'>): string[] {
  return [statusWord(node.status), callDuration(node)].filter((fact) => fact !== '')
}

/** How a command ended: whether it began on an earlier page, exit code, state unless the code implies it, duration. */
export function commandFacts(node: Command): string[] {
  const { exitCode, outcome, status, data } = node
  const begun = data?.continued ? ['began earlier'] : []
  const exit = exitCode === undefined ? [] : [`exit ${exitCode}`]
  if (outcome !== undefined) return [...begun, callWord(node), ...exit, ...callFacts({ ...node, status: 'unknown' })]
  const isShownByCode = exitCode !== undefined && status === 'failed'
  return [...begun, ...exit, ...callFacts(isShownByCode ? { ...node, status: 'unknown' } : node)]
}

/** That a later edit or command fixed a failure, and the script of that command if it is another one. */
export function fixFacts(node: Command | Patch, fix: Repair | undefined): [words?: string, script?: string] {
  if (fix === undefined) return []
  if (fix.type === 'patch') return ['fixed by a later edit']
  if (node.type === 'command' && node.script === fix.script) return ['fixed by a later run']
  return [`fixed by a later ${node.type === 'command' ? 'run' : 'command'}`, scriptLine(fix.script, 120)]
}

/** Whether the address of a search is a real one, not the name that an earlier result gave a page, with a position in it. */
export function isAddress(url: string): boolean {
  return !/^(?=\D*\d)[\w-]+(?:, (?:line|link|page) .*)?$/.test(url)
}

/** The replacement for the address of an opened page if that is not known; else empty. */
export function unknownPage({ url, action }: Search): string {
  if (action !== 'open' || (url !== undefined && isAddress(url))) return ''
  return /, link .*$/.test(url ?? '') ? 'a link (address not recorded)' : 'a page (address not recorded)'
}

/** Codex's own tools that pages show as ordinary tool calls: what the model did, and the name of the main argument. */
const ownTools: Readonly<Record<string, [did: string, mainArgument?: string]>> = {
  wait: ['Waited for a script'],
  tool_search: ['Looked for tools', 'query'],
  search_tool_bm25: ['Looked for tools', 'query'],
  list_mcp_resources: ['Listed MCP resources', 'server'],
  list_mcp_resource_templates: ['Listed MCP resource templates', 'server'],
  read_mcp_resource: ['Read an MCP resource', 'uri'],
  create_goal: ['Set the goal', 'objective'],
  update_goal: ['Updated the goal', 'status'],
  get_goal: ['Read the goal'],
  get_context_remaining: ['Asked how much context is left'],
}

/** What a call of one of Codex's own tools did; `undefined` for tools of others, which may have the same names. */
export function ownTool({ family, server, tool }: ToolCall): { did: string; mainArgument?: string } | undefined {
  // The records of their ends name the server whose resources were requested.
  const isOwn = /_mcp_/.test(tool) || (family === 'function' && server === undefined)
  const [did, mainArgument] = (isOwn ? ownValue(ownTools, tool) : undefined) ?? []
  return did === undefined ? undefined : { did, ...defined({ mainArgument }) }
}

/** The label of a tool call: `Script`, what the model did with one of Codex's own tools, or `server/tool`. */
export function toolLabel(node: ToolCall): string {
  if (isScriptCall(node)) return 'Script'
  return ownTool(node)?.did ?? (node.server === undefined ? node.tool : `${node.server}/${node.tool}`)
}

const agentActions: Readonly<Record<Agent['action'], string>> = {
  spawn: 'Started a sub-agent',
  send: 'Wrote to a sub-agent',
  wait: 'Waited for a sub-agent',
  resume: 'Resumed a sub-agent',
  close: 'Closed a sub-agent',
  list: 'Listed sub-agents',
  finish: 'Sub-agent finished',
}

/** What was done with a sub-agent: `Started a sub-agent`. */
export function agentLine({ action }: Agent): string {
  return agentActions[action]
}

const operations: Readonly<Record<FileChange['operation'], string>> = {
  add: 'Added',
  update: 'Edited',
  delete: 'Deleted',
  move: 'Moved',
}

/** `Added`, `Edited`, `Deleted` or `Moved`; `Not edited` if the patch was not applied, `Maybe edited` if that is unknown. */
export function operationWord({ operation, movedTo }: FileChange, applied: boolean | undefined): string {
  return editWord(operations[movedTo !== undefined && operation === 'update' ? 'move' : operation], applied)
}

/** A word for an edit, with whether it was applied: `Edited`, `Not edited`, `Maybe edited`. */
export function editWord(word: string, applied: boolean | undefined): string {
  return applied === true ? word : `${applied === false ? 'Not' : 'Maybe'} ${word.toLowerCase()}`
}

/** Whether the changes of a patch were made; `undefined` for an interrupted one, because no record says so. */
export function wasApplied({ status }: Patch): boolean | undefined {
  return status === 'interrupted' ? undefined : !isTrouble(status)
}

/** `not applied`, `may have been applied`; empty for a patch whose changes were made. */
export function appliedWords(applied: boolean | undefined): string {
  if (applied === undefined) return 'may have been applied'
  return applied ? '' : 'not applied'
}

/** `@@ -1,4 +1,5 @@ header` of a hunk; without numbers if the rollout has none. */
export function hunkHeader(hunk: { value: string; oldStart?: number; newStart?: number; header?: string }): string {
  const lines = hunk.value === '' ? [] : hunk.value.replace(/\n$/, '').split('\n')
  // A line without a sign is context that lost its space; a note about a missing line end is no line.
  const count = (other: string) => lines.filter((line) => !line.startsWith(other) && !line.startsWith('\\')).length
  const { oldStart, newStart } = hunk
  // The header of patch text may include its own `@@`.
  const header = hunk.header?.replace(/^@@\s*/, '').trim() ?? ''
  const hasNumbers = oldStart !== undefined && newStart !== undefined
  const range = hasNumbers ? `@@ -${oldStart},${count('+')} +${newStart},${count('-')} @@` : '@@'
  return header === '' ? range : `${range} ${header}`
}

/** The heading of a finding of a review. */
interface FindingHead {
  title: string
  /** `P1`. */
  priority: string
  /** `src/gate.ts:4-9`. */
  location: string
  /** `confidence 98 %`. */
  confidence: string
}

/** The head of a finding, with its path relative to a folder; what is not known is empty. */
export function findingHead(node: Finding, cwd = ''): FindingHead {
  const { path = '', startLine, endLine, priority, confidence } = node
  const lines = [...new Set([startLine, endLine].filter((line) => line !== undefined))].join('-')
  const name = cwd === '' ? path : pathBelow(path, cwd)
  return {
    // Codex writes the priority into the title too.
    title: priority === undefined ? node.title : node.title.replace(/^\s*\[P\d\]\s*/, ''),
    priority: priority === undefined ? '' : `P${priority}`,
    location: joinTexts([name, lines], ':'),
    confidence: confidenceText(confidence),
  }
}

function confidenceText(confidence: number | undefined): string {
  return confidence === undefined ? '' : `confidence ${Math.round(100 * confidence)} %`
}

const references: Readonly<Record<Reference['kind'], string>> = {
  file: 'File',
  url: 'Page',
  skill: 'Skill',
  memory: 'From memory',
  session: 'From session',
  commit: 'Commit',
  pullRequest: 'Pull request',
}

/** The word for what a reference leads to; a kind that a plugin invented is its own word. */
export function referenceWord(kind: Reference['kind']): string {
  return Object.hasOwn(references, kind) ? references[kind] : String(kind)
}

/** The note after a session that has no page here. */
export const notHere = ' (not included here)'

/** What a notice says in one line: what happened, with its numbers or names. */
interface NoticeWords {
  title: string
  detail: string
}

type NoticeFacts = NonNullable<Notice['facts']>

/** Titles by kind; a title that contains a fact, such as a number, is a function. */
const notices: Readonly<Record<Notice['kind'], string | ((facts: NoticeFacts) => string)>> = {
  compaction: 'Context compacted',
  rollback: ({ count }) => (count === undefined ? 'Rolled back' : `Rolled back ${formatAmount(count, 'turn')}`),
  abort: 'Interrupted',
  unanswered: 'Ended without an answer',
  undo: 'Undone',
  warning: 'Warning',
  review: ({ before }) => (before === undefined ? 'Review' : `Review of ${before}`),
  settings: 'Settings changed',
  model: 'Model',
  goal: 'Goal',
  inherited: ({ count }) =>
    count === undefined
      ? 'History continues from elsewhere'
      : `${formatAmount(count, 'turn')} of another session before this`,
  gap: ({ gapMs }) => (gapMs === undefined ? 'Later' : `${formatDuration(gapMs)} later`),
  corrupt: ({ count }) => (count === undefined ? 'Damaged records' : formatAmount(count, 'damaged line')),
  note: 'Note',
}

/** The words for a notice, the same in every format; a kind that a plugin invented is its own title. */
export function noticeWords({ kind, facts = {} }: Notice): NoticeWords {
  const words = Object.hasOwn(notices, kind) ? notices[kind] : String(kind)
  const title = typeof words === 'string' ? words : words(facts)
  // What was reviewed is in the title.
  const { before, after } = kind === 'review' ? { ...facts, before: undefined } : facts
  const setting = settingChange(before, after)
  if (setting !== undefined) return setting
  const confidence = confidenceText(facts.confidence)
  return {
    title,
    detail: joinTexts([change(before, after), confidence, tokenChange(facts), facts.reason ?? ''], ', '),
  }
}

/** What separates a title from what follows it: a colon, unless the title ends with a mark of its own, as a question does. */
export function afterTitle(title: string): string {
  return /[.!?:;…。．！？：；]$/.test(title) ? ' ' : ': '
}

/** Children of a notice, except texts that only repeat its title, as the reason of an interruption often does. */
export function noticeBody(node: Notice): Notice['children'] {
  const title = noticeWords(node).title.toLowerCase()
  return node.children.filter((child) => child.type !== 'text' || child.value.toLowerCase() !== title)
}

/** The border between settings in a state that names several: `Approval: on-request, Sandbox: read-only`. */
const settingBorder = /, (?=(?:Model|Effort|Folder|Approval|Sandbox): )/

/** One setting: its label and its value. */
const labelledSetting = /^([A-Z]\w+): (.+)$/

/** The settings that a state names, by label. */
export function settingsIn(state = ''): Partial<Record<string, string>> {
  return Object.fromEntries(
    state.split(settingBorder).flatMap((one) => {
      const [, title, value] = labelledSetting.exec(one) ?? []
      return title === undefined ? [] : [[title, value]]
    }),
  )
}

/** Title and detail for two states with equal labels: `Effort`, `high → low`; `Approval`, `never → asks, Sandbox: a → b`. */
function settingChange(before = '', after = ''): NoticeWords | undefined {
  const states = before.split(settingBorder)
  const later = after.split(settingBorder)
  const changes = states.flatMap((was, index) => changeOf(was, later[index] ?? '') ?? [])
  const [first, ...others] = changes
  if (first === undefined || changes.length < Math.max(states.length, later.length)) return undefined
  return { ...first, detail: [first.detail, ...others.map(({ title, detail }) => `${title}: ${detail}`)].join(', ') }
}

function changeOf(before: string, after: string): NoticeWords | undefined {
  const [, title, was] = labelledSetting.exec(before) ?? []
  if (title === undefined || was === undefined || !after.startsWith(`${title}: `)) return undefined
  return { title, detail: `${was} → ${after.slice(title.length + 2)}` }
}

function change(before: string | undefined, after: string | undefined): string {
  if (before !== undefined && after !== undefined) return `${before} → ${after}`
  return before === undefined ? (after ?? '') : `was ${before}`
}

function tokenChange({ tokensBefore, tokensAfter }: NoticeFacts): string {
  if (tokensBefore !== undefined && tokensAfter !== undefined) {
    return `${formatCount(tokensBefore)} → ${formatAmount(tokensAfter, 'token')}`
  }
  if (tokensBefore !== undefined) return `${formatAmount(tokensBefore, 'token')} before`
  return tokensAfter === undefined ? '' : `${formatAmount(tokensAfter, 'token')} after`
}

/** The kind of a turn that no prompt of the user started; empty for a turn of the user. */
export const turnKinds: Readonly<Record<Turn['kind'], string>> = {
  user: '',
  compaction: 'compaction',
  shell: 'command run by the user',
  review: 'review',
  agent: 'from another agent',
  goal: 'goal',
}

/** `Turn 3 (review, rolled back)`; `mark` is the word for turns that do not count. */
export function turnTitle({ number, kind }: Turn, mark: string): string {
  const notes = [turnKinds[kind], mark].filter((note) => note !== '')
  return `Turn ${number}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
}

/** Kinds of errors for which Codex's own name is long-winded or says nothing. */
const errorKinds: Readonly<Record<string, string>> = {
  other: '',
  response_too_many_failed_attempts: 'too many failed attempts',
  active_turn_not_steerable: 'this turn takes no prompt while it runs',
}

/** ` (context window exceeded)`: the kind of an error, to follow the word; empty if it is not recorded. */
export function errorKind({ code = 'other' }: ErrorNode): string {
  const kind = ownValue(errorKinds, code) ?? code.replaceAll('_', ' ')
  return kind === '' ? '' : ` (${kind})`
}

/** The error that ended a turn, unless an item of the turn shows it or the turn continues after a page border. */
export function turnError({ error, children, data }: Turn): string | undefined {
  if (data?.continues) return undefined
  return children.some((child) => child.type === 'error' && child.message === error) ? undefined : error
}

/** The word for turns in a group that do not count; `around` in any other group. */
export function turnMark(kind: Group['kind'], around: string): string {
  if (kind === 'inherited') return 'inherited'
  return kind === 'rolledBack' ? 'rolled back' : around
}

/** When a turn began, its model and its numbers; what is not known is empty. */
export function turnFacts(node: Turn, timeZone: string): string[] {
  const { at, model, effort, durationMs, usage } = node
  return [
    at === undefined ? '' : formatInstant(at, timeZone),
    model === undefined ? '' : `${model}${effort === undefined ? '' : ` (${effort})`}`,
    durationMs === undefined ? '' : formatDuration(durationMs),
    usage === undefined ? '' : formatAmount(usage.total, 'token'),
    contextText(node),
  ]
}

/** The receipt of a thread as rows of label and value. */
export function receiptRows(lines: LineCounts): [label: string, value: string][] {
  const kinds = (counts: Record<string, number>): string =>
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .sort(([a], [b]) => compareText(a, b))
      .map(([kind, count]) => `${kind} ${formatCount(count)}`)
      .join(', ')
  const withKinds = (counts: Record<string, number>): string => {
    const names = kinds(counts)
    return names === '' ? '0' : `${formatCount(sumOfCounts(counts))} (${names})`
  }
  return [
    ['Lines read', formatCount(lines.total)],
    ['Shown', formatCount(lines.shown)],
    ['Merged into those', formatCount(lines.folded)],
    ['Counted only', withKinds(lines.skipped)],
    ['Unknown', withKinds(lines.unknown)],
    ['Damaged', formatCount(lines.damaged)],
  ]
}
