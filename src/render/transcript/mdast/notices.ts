/** Groups, references, and what is mostly shown as quotes: notices, findings, approvals, questions and errors. */

import type { RootContent } from 'mdast'
import type { Notice, Reference } from '../../../transcript/trast.ts'
import { prettyJson } from '../../../util/json.ts'
import { pathBelow } from '../../../util/paths.ts'
import { codePointOffset } from '../../../util/text.ts'
import { formatAmount } from '../../../util/time.ts'
import {
  afterTitle,
  errorKind,
  findingHead,
  notHere,
  noticeBody,
  noticeWords,
  referenceWord,
  turnMark,
} from '../../labels.ts'
import { approvalTitles, describedOptions, shownAnswer, statusWord } from '../../phrases.ts'
import { fence, type Inline, mono, paragraph, quote, strong, threadLink, webLink, withCode } from './build.ts'
import type { Handlers, State } from './state.ts'

/** UTF-16 units of an unknown record's JSON that are shown. */
const limit = 4096

/** Handlers of groups, references, and what is mostly shown as quotes. */
export const notices: Pick<
  Handlers,
  'group' | 'reference' | 'notice' | 'finding' | 'approval' | 'question' | 'error' | 'unknown'
> = {
  /** A label, then the children. Unless it is open, inherited history is only the label, which has a count, and a link. */
  group: (node, state) => {
    if (node.kind === 'inherited' && node.data?.visibility !== 'open')
      return [paragraph(strong(node.label), ...originLink(state))]
    const mark = turnMark(node.kind, state.mark)
    const files = state.files && node.kind !== 'inherited'
    return [paragraph(strong(node.label)), ...state.at({ mark, files }).all(node.children)]
  },

  /** A reference on a line of its own. */
  reference: (node, state) => {
    const { kind, target } = node
    const note = kind === 'session' && !state.context.threads(target)?.built ? [notHere] : []
    return [paragraph(`${referenceWord(kind)}: `, ...referenceInline(node, state), ...note)]
  },

  /** A quote with the kind and its numbers, then its text. */
  notice: (node, state) => {
    const { title, detail } = noticeWords(node)
    const isInherited = node.kind === 'inherited'
    const origin = isInherited ? originLink(state, node.children.find(isOrigin)?.target) : []
    const label = paragraph(strong(title), detail === '' ? '' : `${afterTitle(title)}${detail}`, ...origin)
    const body = noticeBody(node)
    const children = isInherited ? body.filter((child) => !isOrigin(child)) : body
    return [quote([label, ...state.at({ quoted: true }).all(children)])]
  },

  /** A finding of a review: title, location, text. */
  finding: (node, state) => {
    const { title, location, confidence } = findingHead(node)
    return [
      paragraph(
        strong(withCode(title)),
        node.priority === undefined ? '' : ` · priority ${node.priority}`,
        ...(location === '' ? [] : [' · ', mono(location)]),
        confidence === '' ? '' : ` · ${confidence}`,
      ),
      ...state.all(node.children),
    ]
  },

  /** A quote with what was asked for and the answer. */
  approval: (node, state) => {
    const outcome = node.decision ?? statusWord(node.status)
    const label = paragraph(strong(approvalTitles[node.subject]), outcome === '' ? '' : `: ${outcome}`)
    return [quote([label, ...state.at({ quoted: true }).all(node.children)])]
  },

  /** A question with its options and the answer. */
  question: (node, state) => {
    const options = describedOptions(node).flatMap((option, index): Inline[] =>
      index === 0 ? withCode(option) : [' · ', ...withCode(option)],
    )
    const answer = shownAnswer(node)
    return [
      ...(node.header === undefined ? [] : [paragraph(strong(withCode(node.header)))]),
      ...state.all(node.children),
      ...(options.length === 0 ? [] : [paragraph('Options: ', options)]),
      ...(answer === undefined ? [] : [paragraph('Answer: ', answer)]),
    ]
  },

  /** A quote with the word and the message; a message of several lines is fenced. */
  error: (node) => {
    const code = errorKind(node)
    const text = node.message.trim()
    const label: RootContent[] = text.includes('\n')
      ? [paragraph(strong('Error'), code), ...fence(text)]
      : [paragraph(strong('Error'), `${code}: ${text}`)]
    const { body } = node
    return [quote(body === undefined ? label : [...label, ...fence(prettyJson(body) ?? body, 'json')])]
  },

  /** A label with the record's type, then at most `limit` UTF-16 units of its JSON. */
  unknown: (node) => {
    const json = JSON.stringify(node.payload, null, 2) ?? ''
    const end = codePointOffset(json, limit)
    const rest = json.length <= end ? '' : `\n… ${formatAmount(json.length - end, 'character')} left out …`
    return [
      paragraph(strong('Unrecognised record'), ' ', mono(node.recordType)),
      ...fence(json.slice(0, end) + rest, 'json'),
    ]
  },
}

/** The link to the thread that has the inherited history. */
function originLink({ session: { lineage }, context }: State, target?: string): Inline[] {
  const from = target ?? lineage.forkedFromId ?? lineage.parentId
  return from === undefined ? [] : [' · ', ...threadLink(from, context)]
}

/** A reference within a line: a link if the target is a page, else the target as inline code. */
export function referenceInline(node: Reference, state: State): Inline[] {
  const { kind, target, label } = node
  if (kind === 'session') return threadLink(target, state.context)
  if (kind === 'url' || kind === 'pullRequest') return webLink(target, label ?? target)
  const shown = kind === 'file' ? pathBelow(target, state.cwd) : target
  return label === undefined || label === target ? [mono(shown)] : [`${label} `, mono(shown)]
}

function isOrigin(node: Notice['children'][number]): node is Reference {
  return node.type === 'reference' && node.kind === 'session'
}
