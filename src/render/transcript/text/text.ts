/** The handlers that convert a transcript to plain text, and its head, slices and foot. */

import type {
  Agent,
  Approval,
  Command,
  ErrorNode,
  FileChange,
  Finding,
  Group,
  Hunk,
  Image,
  Input,
  Message,
  Notice,
  Output,
  Patch,
  Plan,
  PlanStep,
  Preamble,
  Question,
  Reasoning,
  Reference,
  Search,
  Session,
  ToolCall,
  TrastNode,
  Turn,
  Unknown,
} from '../../../transcript/trast.ts'
import { argumentsOf, isScriptCall } from '../../../transcript/view.ts'
import { prettyJson } from '../../../util/json.ts'
import { isSamePath, pathBelow } from '../../../util/paths.ts'
import { stripAnsi } from '../../../util/printable.ts'
import { formatBytes, formatInstant } from '../../../util/time.ts'
import {
  agentLine,
  appliedWords,
  callFacts,
  commandFacts,
  errorKind,
  findingHead,
  hunkHeader,
  isAddress,
  messageLabel,
  noticeBody,
  noticeWords,
  operationWord,
  ownTool,
  receiptRows,
  toolLabel,
  turnError,
  turnFacts,
  turnMark,
  turnTitle,
  unknownPage,
  wasApplied,
} from '../../labels.ts'
import { totalRows } from '../../pages/totals.ts'
import {
  approvalTitles,
  brokenPicture,
  cutText,
  describedOptions,
  insteadWords,
  pageTitle,
  shownAnswer,
  statusWord,
} from '../../phrases.ts'
import { visibleKeys, withoutControls } from '../../visible-text.ts'
import type { RenderContext } from '../context.ts'
import type { HandlerTable } from '../walk.ts'
import {
  bracketed,
  createState,
  dotted,
  type Handle,
  indent,
  literalText,
  oneLine,
  proseText,
  type State,
} from './state.ts'

/** What comes before the first turn. */
const preamble: Handle<Preamble> = (node, state) => state.all(node.children)

/** A ruled title with the turn's facts, then its items. */
const turn: Handle<Turn> = (node, state) => {
  const children = state.at({ cwd: node.cwd ?? state.cwd }).all(node.children)
  const error = turnError(node)
  const body = [...children, ...(error === undefined ? [] : [`Error: ${oneLine(error)}`])]
  if (node.data?.continued) return body
  const title = dotted([
    turnTitle(node, state.mark),
    ...turnFacts(node, state.context.timeZone),
    otherFolder(node.cwd, state),
    statusWord(node.status),
  ])
  return [`--- ${title} ---`, ...body]
}

/** A working folder, unless it is that of the surrounding scope. */
function otherFolder(cwd: string | undefined, state: State): string {
  return cwd === undefined || isSamePath(cwd, state.cwd) ? '' : oneLine(cwd)
}

/** The role, then the indented body. A collapsed injected message is one line. */
const message: Handle<Message> = (node, state) => {
  const label = oneLine(messageLabel(node))
  if (node.origin === 'injected' && node.data?.visibility === 'collapsed') return [`${label}: not shown`]
  return [`${label}:`, ...state.all(node.children).map(indent)]
}

/** A label, then the readable part, indented. */
const reasoning: Handle<Reasoning> = (node, state) => {
  const body = state.all(node.children).map(indent)
  if (body.length > 0) return ['Reasoning:', ...body]
  return [node.encrypted ? 'Reasoning: encrypted' : 'Reasoning: empty']
}

/** The kind and its numbers, then the indented text. */
const notice: Handle<Notice> = (node, state) => {
  const { title, detail } = noticeWords(node)
  return [`* ${title}${detail === '' ? '' : `: ${detail}`}`, ...state.all(noticeBody(node)).map(indent)]
}

/** A label, then the children. Inherited history is only the label, unless it is open. */
const group: Handle<Group> = (node, state) => {
  const label = `* ${oneLine(node.label)}`
  if (node.kind === 'inherited' && node.data?.visibility !== 'open') return [label]
  return [label, ...state.at({ mark: turnMark(node.kind, state.mark) }).all(node.children)]
}

// Pictures, references, approvals, errors and unknown records, as plain text.

/** `[picture · description · source]`. */
const image: Handle<Image> = (node) => {
  const size = node.bytes === undefined ? '' : formatBytes(node.bytes)
  const note = node.broken ? brokenPicture : ''
  const facts = [node.alt ?? '', node.mediaType ?? '', size, cutText(node.url ?? '', 200), note]
  return [`[${dotted(['picture', ...facts.map(oneLine)])}]`]
}

/** The target of a reference, with its label. */
const reference: Handle<Reference> = ({ kind, label, target, excerpt }, { cwd }) => {
  const shown = kind === 'file' ? pathBelow(target, cwd) : target
  const link = `[${dotted([kind, label === undefined || label === target ? '' : oneLine(label), oneLine(shown)])}]`
  return [excerpt === undefined ? link : `${link}\n${indent(oneLine(excerpt))}`]
}

/** What was asked for and the answer. */
const approval: Handle<Approval> = (node, state) => {
  const outcome = oneLine(node.decision ?? statusWord(node.status))
  const head = `* ${approvalTitles[node.subject]}${outcome === '' ? '' : `: ${outcome}`}`
  return [head, ...state.all(node.children).map(indent)]
}

/** A question with its options and the answer. */
const question: Handle<Question> = (node, state) => {
  const answer = shownAnswer(node)
  return [
    ...(node.header === undefined ? [] : [oneLine(node.header)]),
    ...state.all(node.children),
    ...(node.options.length === 0 ? [] : [`Options: ${describedOptions(node).map(oneLine).join(' · ')}`]),
    ...(answer === undefined ? [] : [`Answer: ${oneLine(answer)}`]),
  ]
}

/** A finding of a review: title, location, text. */
const finding: Handle<Finding> = (node, state) => {
  const { title, location, confidence } = findingHead(node)
  const priority = node.priority === undefined ? '' : `priority ${node.priority}`
  return [dotted([oneLine(title), priority, oneLine(location), confidence]), ...state.all(node.children).map(indent)]
}

/** The word and the message. */
const error: Handle<ErrorNode> = (node) => {
  const { body } = node
  return [
    `${oneLine(`Error${errorKind(node)}`)}: ${oneLine(node.message)}`,
    ...(body === undefined ? [] : [indent(`Recorded: ${oneLine(body)}`)]),
  ]
}

/** The record's type and at most 4,096 UTF-16 units of its JSON. */
const unknown: Handle<Unknown> = (node) => {
  const json = cutText(JSON.stringify(node.payload) ?? '', 4096)
  return [`Unrecognised record ${oneLine(node.recordType)}\n${indent(json)}`]
}

// Commands, patches and other calls, as plain text.

/** `$ script`, the output, `[exit 1 · 2.3 s]`. */
const command: Handle<Command> = (node, state) => {
  const script = stripAnsi(node.script).trimEnd()
  const who = node.actor === 'user' ? 'run by the user' : ''
  const head = `$ ${script.replaceAll('\n', '\n  ')}`
  const body = [...justification(node), ...state.all(node.children)]
  return [[head, ...body, ...bracketed([who, ...commandFacts(node), otherFolder(node.cwd, state)])].join('\n')]
}

/** The reason that Codex gave when it asked to run a command or apply a patch outside the sandbox. */
function justification({ justification: words }: Command | Patch): string[] {
  return words === undefined ? [] : [`Asked for approval: ${oneLine(words)}`]
}

/** `> keys` sent to a running process. */
const input: Handle<Input> = (node) => literalText(node, visibleKeys).map((text) => `> ${text}`)

/** What a call wrote. */
const output: Handle<Output> = (node) =>
  literalText(node).map((text) => (node.instead ? `${insteadWords}: ${text}` : text))

/** Each file with its diff, then how it ended. */
const patch: Handle<Patch> = (node, state) => {
  const applied = wasApplied(node)
  const changes = state.at({ applied }).all(node.children)
  return [...justification(node), ...changes, ...bracketed([appliedWords(applied), ...callFacts(node)])]
}

/** `Edited path (+3 -1)`, then the diff. */
const fileChange: Handle<FileChange> = (node, state) => {
  const name = (path: string): string => oneLine(pathBelow(path, state.cwd))
  const target = node.movedTo === undefined ? '' : ` -> ${name(node.movedTo)}`
  const head = `${operationWord(node, state.applied)} ${name(node.path)}${target} (+${node.added} -${node.removed})`
  return [[head, ...state.all(node.children)].join('\n')]
}

/** Header and lines of a hunk. */
const hunk: Handle<Hunk> = (node) => [[oneLine(hunkHeader(node)), ...literalText(node)].join('\n')]

/** The tool or what the model did with it, the arguments, the results. */
const toolCall: Handle<ToolCall> = (node, state) => {
  const isNamed = isScriptCall(node) || ownTool(node) !== undefined
  const name = `${isNamed ? '' : 'Tool '}${oneLine(toolLabel(node))}`
  const sent = stripAnsi(argumentsOf(node)).trim()
  return [
    `${name}${sent === '' ? '' : `\n${indent(sent)}`}`,
    ...state.all(node.children).map(indent),
    ...bracketed(callFacts(node)),
  ]
}

/** What was searched for, then what was found. */
const search: Handle<Search> = (node, state) => {
  const { url, pattern } = node
  const page = url !== undefined && isAddress(url) ? url : unknownPage(node)
  const terms = [...node.queries, pattern ?? '', page, pageTitle(node) ?? ''].filter((term) => term !== '')
  const isNamed = (child: TrastNode): boolean => child.type === 'reference' && child.target === url
  const found = state.all(node.children.filter((child) => !isNamed(child))).map(indent)
  return [[`Web ${node.action}: ${terms.map(oneLine).join(' · ')}`, ...found, ...bracketed(callFacts(node))].join('\n')]
}

/** The steps as check boxes and the plan's text. */
const plan: Handle<Plan> = (node, state) => [['Plan:', ...state.all(node.children).map(indent)].join('\n')]

const boxes: Readonly<Record<PlanStep['status'], string>> = { pending: '[ ]', inProgress: '[>]', completed: '[x]' }

/** `[x] step`; `[>]` is under way. */
const planStep: Handle<PlanStep> = (node) => [`${boxes[node.status]} ${oneLine(node.value)}`]

/** What was done with which sub-agent, then what was said. */
const agent: Handle<Agent> = (node, state) => {
  const names = [node.name, node.role, node.threadId].filter((name) => name !== undefined).map(oneLine)
  return [
    `${agentLine(node)}${names.length === 0 ? '' : `: ${names.join(', ')}`}`,
    ...state.all(node.children).map(indent),
    ...bracketed(callFacts(node)),
  ]
}

// Transcripts as plain text, for terminals and `grep`.

/** The beginning: title, first sentence of the last answer, facts. Ends with a newline. */
export function renderTextHead(session: Session, context: RenderContext): string {
  const title = oneLine(session.title) || 'Untitled session'
  const { cwd, startedAt, git } = session
  const rows: [string, string | undefined][] = [
    ['Session', session.threadId],
    [
      'Started',
      startedAt === undefined ? undefined : `${formatInstant(startedAt, context.timeZone)} ${context.timeZone}`,
    ],
    ['Folder', cwd],
    ['Branch', git?.branch],
  ]
  const facts = rows.filter((row): row is [string, string] => (row[1] ?? '') !== '')
  const subtitle = oneLine(context.subtitle ?? '')
  const said = subtitle === '' ? [] : [subtitle, '']
  return forTerminal([title, '='.repeat(Math.min(title.length, 80)), ...said, ...facts.map(line), ''].join('\n'))
}

/** The items of one slice, with a blank line before them; empty for a slice that shows nothing. */
export function renderTextSlice(slice: Session, context: RenderContext): string {
  const blocks = createState(slice, context, handlers).all(slice.children)
  // Labels come from the transcript too.
  return forTerminal(blocks.map((block) => `\n${block}\n`).join(''))
}

/** The end, with a blank line before it: numbers of the thread, and the account of every line. */
export function renderTextFoot(session: Session, context: RenderContext): string {
  const { lines, commits = [], pullRequests = [] } = session.stats
  const made: [string, string][] = [
    ['Commits', commits.join(', ')],
    ['Pull requests', pullRequests.join(', ')],
  ]
  const rows = [...totalRows(session, context.prices), ...made.filter(([, list]) => list !== ''), ...receiptRows(lines)]
  return forTerminal(`\n--- Receipt ---\n\n${rows.map(line).join('\n')}\n`)
}

/** A text without characters that control a terminal, reorder what it shows or hide in it. */
function forTerminal(text: string): string {
  return withoutControls(stripAnsi(text))
}

function line([label, value]: [string, string]): string {
  return `${label}: ${oneLine(value)}`
}

/** The handlers of plain text. */
const handlers: HandlerTable<State, string> = {
  agent,
  approval,
  command,
  error,
  fileChange,
  finding,
  group,
  hunk,
  image,
  input,
  markdown: (node) => proseText(node),
  message,
  notice,
  output,
  patch,
  plan,
  planStep,
  preamble,
  question,
  reasoning,
  reference,
  search,
  text: (node) => literalText(node.lang === 'json' ? { ...node, value: prettyJson(node.value) ?? node.value } : node),
  toolCall,
  turn,
  unknown,
}
