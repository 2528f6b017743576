/** Notices, findings, approvals, questions and errors: quotes with a bold label. */

import type { RootContent } from 'mdast'
import type { Approval, ErrorNode, Finding, Notice, Question, Reference } from '../../../model/trast.ts'
import { noticeWords } from '../../labels.ts'
import { shownAnswer, statusWord } from '../../words.ts'
import type { Inline } from '../build.ts'
import { fence, mono, paragraph, quote, strong } from '../build.ts'
import { threadLink } from '../link-thread.ts'
import type { Handle, State } from '../state.ts'

/** A quote with the kind and its numbers, then what it says. */
export const notice: Handle<Notice> = (node, state) => {
  const { title, detail } = noticeWords(node)
  const label = paragraph(strong(title), detail === '' ? '' : `: ${detail}`, ...origin(node, state))
  const children = node.kind === 'inherited' ? node.children.filter((child) => !isOrigin(child)) : node.children
  return [quote([label, ...state.at({ quoted: true }).all(children)])]
}

/** Where inherited history is to be read. */
function origin(node: Notice, { session, context }: State): Inline[] {
  if (node.kind !== 'inherited') return []
  const from = node.children.find(isOrigin)?.target ?? session.lineage.forkedFromId ?? session.lineage.parentId
  return from === undefined ? [] : [' · ', ...threadLink(from, context)]
}

function isOrigin(node: Notice['children'][number]): node is Reference {
  return node.type === 'reference' && node.kind === 'session'
}

/** A finding of a review: title, place, text. */
export const finding: Handle<Finding> = (node, state) => [
  paragraph(
    strong(node.title),
    node.priority === undefined ? '' : ` · priority ${node.priority}`,
    ...(node.path === undefined ? [] : [' · ', mono(`${node.path}${lines(node)}`)]),
  ),
  ...state.all(node.children),
]

function lines({ startLine, endLine }: Finding): string {
  if (startLine === undefined) return ''
  return endLine === undefined || endLine === startLine ? `:${startLine}` : `:${startLine}-${endLine}`
}

/** A quote with what was asked for and the answer. */
export const approval: Handle<Approval> = (node, state) => {
  const outcome = node.decision ?? statusWord(node.status)
  const label = paragraph(strong(`Approval (${node.subject})`), outcome === '' ? '' : `: ${outcome}`)
  return [quote([label, ...state.at({ quoted: true }).all(node.children)])]
}

/** A question with what could be chosen and what was. */
export const question: Handle<Question> = (node, state) => {
  const options = node.options.flatMap((option, index): Inline[] => (index === 0 ? [option] : [' · ', option]))
  const answer = shownAnswer(node)
  return [
    ...(node.header === undefined ? [] : [paragraph(strong(node.header))]),
    ...state.all(node.children),
    ...(options.length === 0 ? [] : [paragraph('Options: ', ...options)]),
    ...(answer === undefined ? [] : [paragraph('Answer: ', answer)]),
  ]
}

/** A quote with the word and the message; a message of several lines is fenced. */
export const error: Handle<ErrorNode> = (node) => {
  const code = node.code === undefined ? '' : ` (${node.code})`
  const text = node.message.trim()
  const label: RootContent[] = text.includes('\n')
    ? [paragraph(strong('Error'), code), ...fence(text)]
    : [paragraph(strong('Error'), `${code}: ${text}`)]
  return [quote(label)]
}
