/** Turns, messages and what stands around them, as plain text. */
import type { Group, Message, Notice, Preamble, Reasoning, Turn } from '../../model/trast.ts'
import { formatAmount, formatDuration, formatInstant } from '../../util/time.ts'
import { messageLabel, noticeWords } from '../labels.ts'
import { contextText, statusWord } from '../words.ts'
import { dotted, indent, oneLine } from './lines.ts'
import type { Handle, State } from './state.ts'

/** What stands before the first turn. */
export const preamble: Handle<Preamble> = (node, state) => state.all(node.children)

/** A ruled title with the turn's facts, then its items. */
export const turn: Handle<Turn> = (node, state) => {
  const children = state.all(node.children)
  if (node.data?.continued) return children
  const told = node.children.some((child) => child.type === 'error' && child.message === node.error)
  const error = node.error === undefined || told ? [] : [`Error: ${oneLine(node.error)}`]
  return [`--- ${turnTitle(node, state)} ---`, ...children, ...error]
}

function turnTitle(node: Turn, state: State): string {
  const { at, model, effort, durationMs, usage } = node
  const notes = [node.kind === 'user' ? '' : node.kind, state.mark].filter((note) => note !== '')
  return dotted([
    `Turn ${node.number}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`,
    at === undefined ? '' : formatInstant(at, state.context.timeZone),
    model === undefined ? '' : `${model}${effort === undefined ? '' : ` (${effort})`}`,
    durationMs === undefined ? '' : formatDuration(durationMs),
    usage === undefined ? '' : formatAmount(usage.total, 'token'),
    contextText(node),
    statusWord(node.status),
  ])
}

/** The role, then the body, indented. A collapsed injected message is one line. */
export const message: Handle<Message> = (node, state) => {
  const label = oneLine(messageLabel(node))
  if (node.origin === 'injected' && node.data?.visibility === 'collapsed') return [`${label}: not shown`]
  return [`${label}:`, ...state.all(node.children).map(indent)]
}

/** A label, then what can be read, indented. */
export const reasoning: Handle<Reasoning> = (node, state) => {
  const body = state.all(node.children).map(indent)
  if (body.length > 0) return ['Reasoning:', ...body]
  return [node.encrypted ? 'Reasoning: encrypted' : 'Reasoning: empty']
}

/** The kind and its numbers, then what it says, indented. */
export const notice: Handle<Notice> = (node, state) => {
  const { title, detail } = noticeWords(node)
  return [`* ${title}${detail === '' ? '' : `: ${detail}`}`, ...state.all(node.children).map(indent)]
}

/** A label, then the children. Inherited history is one line, unless it is open. */
export const group: Handle<Group> = (node, state) => {
  const label = `* ${oneLine(node.label)}`
  if (node.kind === 'inherited' && node.data?.visibility !== 'open') return [label]
  const marks: Partial<Record<Group['kind'], string>> = { inherited: 'inherited', rolledBack: 'rolled back' }
  return [label, ...state.marked(marks[node.kind] ?? state.mark).all(node.children)]
}
