/** Pictures, references, approvals, errors and unknown records, as plain text. */
import type { Approval, ErrorNode, Finding, Image, Question, Reference, Unknown } from '../../model/trast.ts'
import { formatBytes } from '../../util/time.ts'
import { brokenPicture, cutText, shownAnswer, statusWord } from '../words.ts'
import { dotted, indent, oneLine } from './lines.ts'
import type { Handle } from './state.ts'

/** `[picture · description · source]`. */
export const image: Handle<Image> = (node) => {
  const size = node.bytes === undefined ? '' : formatBytes(node.bytes)
  const note = node.broken ? brokenPicture : ''
  const facts = [node.alt ?? '', node.mediaType ?? '', size, cutText(node.url ?? '', 200), note]
  return [`[${dotted(['picture', ...facts.map(oneLine)])}]`]
}

/** What a part names, with its label. */
export const reference: Handle<Reference> = (node) => {
  const label = node.label === undefined || node.label === node.target ? '' : oneLine(node.label)
  return [`[${dotted([node.kind, label, oneLine(node.target)])}]`]
}

/** What was asked for and the answer. */
export const approval: Handle<Approval> = (node, state) => {
  const outcome = oneLine(node.decision ?? statusWord(node.status))
  const head = `* Approval (${node.subject})${outcome === '' ? '' : `: ${outcome}`}`
  return [head, ...state.all(node.children).map(indent)]
}

/** A question with what could be chosen and what was. */
export const question: Handle<Question> = (node, state) => {
  const answer = shownAnswer(node)
  return [
    ...(node.header === undefined ? [] : [oneLine(node.header)]),
    ...state.all(node.children),
    ...(node.options.length === 0 ? [] : [`Options: ${node.options.map(oneLine).join(' · ')}`]),
    ...(answer === undefined ? [] : [`Answer: ${oneLine(answer)}`]),
  ]
}

/** A finding of a review: title, place, text. */
export const finding: Handle<Finding> = (node, state) => {
  const line = node.startLine === undefined ? '' : `:${node.startLine}`
  const place = node.path === undefined ? '' : `${oneLine(node.path)}${line}`
  const priority = node.priority === undefined ? '' : `priority ${node.priority}`
  return [dotted([oneLine(node.title), priority, place]), ...state.all(node.children).map(indent)]
}

/** The word and the message. */
export const error: Handle<ErrorNode> = (node) => {
  const code = node.code === undefined ? '' : ` (${oneLine(node.code)})`
  return [`Error${code}: ${oneLine(node.message)}`]
}

/** The record's type and at most 4 KiB of its JSON. */
export const unknown: Handle<Unknown> = (node) => {
  const json = cutText(JSON.stringify(node.payload) ?? '', 4096)
  return [`Unrecognised record ${oneLine(node.recordType)}\n${indent(json)}`]
}
