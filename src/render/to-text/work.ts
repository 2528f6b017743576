/** Commands, patches and other calls, as plain text. */
import type {
  Agent,
  Command,
  FileChange,
  Hunk,
  Input,
  Output,
  Patch,
  Plan,
  PlanStep,
  Search,
  ToolCall,
} from '../../model/trast.ts'
import { stripAnsi } from '../../util/ansi-strip.ts'
import { callFacts, commandFacts, hunkHeader, operationWord } from '../labels.ts'
import { bracketed, indent, literalText, oneLine } from './lines.ts'
import type { Handle } from './state.ts'

/** `$ script`, the output, `[exit 1 · 2.3 s]`. */
export const command: Handle<Command> = (node, state) => {
  const script = stripAnsi(node.script === '' ? node.argv.join(' ') : node.script).trimEnd()
  const who = node.actor === 'user' ? 'run by the user' : ''
  const head = `$ ${script.replaceAll('\n', '\n  ')}`
  return [[head, ...state.all(node.children), ...bracketed([who, ...commandFacts(node)])].join('\n')]
}

/** `> keys` sent to a running process. */
export const input: Handle<Input> = (node) => literalText(node).map((text) => `> ${text}`)

/** What a call wrote. */
export const output: Handle<Output> = (node) => literalText(node)

/** Each file with its diff, then how it ended. */
export const patch: Handle<Patch> = (node, state) => {
  const refused = node.status === 'failed' || node.status === 'declined' ? 'not applied' : ''
  return [...state.all(node.children), ...bracketed([refused, ...callFacts(node)])]
}

/** `Edited path (+3 -1)`, then the diff. */
export const fileChange: Handle<FileChange> = (node, state) => {
  const target = node.movedTo === undefined ? '' : ` -> ${oneLine(node.movedTo)}`
  const head = `${operationWord(node)} ${oneLine(node.path)}${target} (+${node.added} -${node.removed})`
  return [[head, ...state.all(node.children)].join('\n')]
}

/** Header and lines of a hunk. */
export const hunk: Handle<Hunk> = (node) => [[oneLine(hunkHeader(node)), ...literalText(node)].join('\n')]

/** The tool, what went in, what came out. */
export const toolCall: Handle<ToolCall> = (node, state) => {
  const name = oneLine(node.server === undefined ? node.tool : `${node.server}/${node.tool}`)
  const sent = stripAnsi(node.input).trim()
  return [
    `Tool ${name}${sent === '' ? '' : `\n${indent(sent)}`}`,
    ...state.all(node.children).map(indent),
    ...bracketed(callFacts(node)),
  ]
}

/** What was searched for, then what was found. */
export const search: Handle<Search> = (node, state) => {
  const { url, pattern } = node
  const terms = [...node.queries, ...(pattern === undefined ? [] : [pattern]), ...(url === undefined ? [] : [url])]
  const found = state.all(node.children).map(indent)
  return [[`Web ${node.action}: ${terms.map(oneLine).join(' · ')}`, ...found, ...bracketed(callFacts(node))].join('\n')]
}

/** The steps as boxes, then the plan's text. */
export const plan: Handle<Plan> = (node, state) => [['Plan:', ...state.all(node.children).map(indent)].join('\n')]

const boxes: Readonly<Record<PlanStep['status'], string>> = { pending: '[ ]', inProgress: '[>]', completed: '[x]' }

/** `[x] step`; `[>]` is under way. */
export const planStep: Handle<PlanStep> = (node) => [`${boxes[node.status]} ${oneLine(node.value)}`]

/** What was asked of which agent, then what was said. */
export const agent: Handle<Agent> = (node, state) => {
  const names = [node.name, node.role, node.threadId].filter((name) => name !== undefined).map(oneLine)
  return [
    `Agent ${node.action}${names.length === 0 ? '' : `: ${names.join(', ')}`}`,
    ...state.all(node.children).map(indent),
    ...bracketed(callFacts(node)),
  ]
}
