/** Transcripts as plain text, for terminals and `grep`: head, slices and foot, and a handler for every type of node. */

import { failuresAmong, type Repair } from '../../transcript/fixes.ts'
import type { Command, Literal, Patch, PlanStep, Session, TrastNode } from '../../transcript/trast.ts'
import { argumentsOf, isScriptCall } from '../../transcript/view.ts'
import { prettyJson } from '../../util/json.ts'
import { isSamePath, pathBelow } from '../../util/paths.ts'
import { stripAnsi, stripControls } from '../../util/printable.ts'
import { joinTexts } from '../../util/text.ts'
import { formatBytes, formatInstant } from '../../util/time.ts'
import {
  afterTitle,
  agentLine,
  appliedWords,
  callFacts,
  commandFacts,
  errorKind,
  findingHead,
  fixFacts,
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
} from '../labels.ts'
import { omissionLine, piecesOf } from '../omissions.ts'
import { totalRows } from '../pages/totals.ts'
import {
  approvalTitles,
  brokenPicture,
  cutText,
  describedOptions,
  insteadWords,
  pageTitle,
  shownAnswer,
  statusWord,
} from '../phrases.ts'
import { visibleKeys, withoutControls } from '../visible-text.ts'
import type { RenderContext } from './context.ts'
import { beginWalk, type HandlerTable, type Walk } from './walk.ts'

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
  const scope = { mark: '', cwd: slice.cwd, fixes: new Map(), applied: true }
  const state = beginWalk<State, string, RenderScope>({ handlers }, { context, session: slice }, scope)
  // Labels come from the transcript too.
  return forTerminal(
    state
      .all(slice.children)
      .map((block) => `\n${block}\n`)
      .join(''),
  )
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

/** What changes from one part of a slice to the next. */
interface RenderScope {
  /** Word after the titles of turns, for example `rolled back`; empty for ordinary ones. */
  readonly mark: string
  /** Working folder of the turn; paths in it are shown relative to it. */
  readonly cwd: string | undefined
  /** What fixed the turn's failed commands and patches, by their ids. */
  readonly fixes: ReadonlyMap<string, Repair>
  /** Whether changes of files were made: not for a failed patch, `undefined` for an interrupted one. */
  readonly applied: boolean | undefined
}

/** Facts of the slice, the current scope, and how to render children. */
interface State extends RenderScope, Walk<string, RenderScope> {}

const handlers: HandlerTable<State, string> = {
  /** What comes before the first turn. */
  preamble: (node, state) => state.all(node.children),

  /** A ruled title with the turn's facts, then its items. */
  turn: (node, state) => {
    const inner = state.at({ cwd: node.cwd ?? state.cwd, fixes: failuresAmong(node.children).repairs })
    const children = inner.all(node.children)
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
  },

  /** The role, then the indented body. A collapsed injected message is one line. */
  message: (node, state) => {
    const label = oneLine(messageLabel(node))
    if (node.origin === 'injected' && node.data?.visibility === 'collapsed') return [`${label}: not shown`]
    return [`${label}:`, ...state.all(node.children).map(indent)]
  },

  /** A label, then the readable part, indented. */
  reasoning: (node, state) => {
    const body = state.all(node.children).map(indent)
    if (body.length > 0) return ['Reasoning:', ...body]
    return [node.encrypted ? 'Reasoning: encrypted' : 'Reasoning: empty']
  },

  /** The kind and its numbers, then the indented text. */
  notice: (node, state) => {
    const { title, detail } = noticeWords(node)
    return [`* ${joinTexts([title, detail], afterTitle(title))}`, ...state.all(noticeBody(node)).map(indent)]
  },

  /** A label, then the children. Inherited history is only the label, unless it is open. */
  group: (node, state) => {
    const label = `* ${oneLine(node.label)}`
    if (node.kind === 'inherited' && node.data?.visibility !== 'open') return [label]
    return [label, ...state.at({ mark: turnMark(node.kind, state.mark) }).all(node.children)]
  },

  /** `[picture · description · source]`. */
  image: (node) => {
    const size = node.bytes === undefined ? '' : formatBytes(node.bytes)
    const note = node.broken ? brokenPicture : ''
    const facts = [node.alt ?? '', node.mediaType ?? '', size, cutText(node.url ?? '', 200), note]
    return [`[${dotted(['picture', ...facts.map(oneLine)])}]`]
  },

  /** The target of a reference, with its label. */
  reference: ({ kind, label, target, excerpt }, { cwd }) => {
    const shown = kind === 'file' ? pathBelow(target, cwd) : target
    const link = `[${dotted([kind, label === undefined || label === target ? '' : oneLine(label), oneLine(shown)])}]`
    return [excerpt === undefined ? link : `${link}\n${indent(oneLine(excerpt))}`]
  },

  /** What was asked for and the answer. */
  approval: (node, state) => {
    const outcome = oneLine(node.decision ?? statusWord(node.status))
    const head = `* ${approvalTitles[node.subject]}${outcome === '' ? '' : `: ${outcome}`}`
    return [head, ...state.all(node.children).map(indent)]
  },

  /** A question with its options and the answer. */
  question: (node, state) => {
    const answer = shownAnswer(node)
    return [
      ...(node.header === undefined ? [] : [oneLine(node.header)]),
      ...state.all(node.children),
      ...(node.options.length === 0 ? [] : [`Options: ${describedOptions(node).map(oneLine).join(' · ')}`]),
      ...(answer === undefined ? [] : [`Answer: ${oneLine(answer)}`]),
    ]
  },

  /** A finding of a review: title, location, text. */
  finding: (node, state) => {
    const { title, location, confidence } = findingHead(node)
    const priority = node.priority === undefined ? '' : `priority ${node.priority}`
    return [dotted([oneLine(title), priority, oneLine(location), confidence]), ...state.all(node.children).map(indent)]
  },

  /** The word and the message. */
  error: (node) => {
    const { body } = node
    return [
      `${oneLine(`Error${errorKind(node)}`)}: ${oneLine(node.message)}`,
      ...(body === undefined ? [] : [indent(`Recorded: ${oneLine(body)}`)]),
    ]
  },

  /** The record's type and at most 4,096 UTF-16 units of its JSON. */
  unknown: (node) => {
    const json = cutText(JSON.stringify(node.payload) ?? '', 4096)
    return [`Unrecognised record ${oneLine(node.recordType)}\n${indent(json)}`]
  },

  /** `$ script`, the output, `[exit 1 · 2.3 s]`. */
  command: (node, state) => {
    const script = stripAnsi(node.script).trimEnd()
    const who = node.actor === 'user' ? 'run by the user' : ''
    const head = `$ ${script.replaceAll('\n', '\n  ')}`
    const body = [...justification(node), ...state.all(node.children)]
    const fix = oneLine(fixFacts(node, state.fixes.get(node.id)).join(': '))
    return [[head, ...body, ...bracketed([who, ...commandFacts(node), fix, otherFolder(node.cwd, state)])].join('\n')]
  },

  /** `> keys` sent to a running process. */
  input: (node) => literalText(node, visibleKeys).map((text) => `> ${text}`),

  /** What a call wrote. */
  output: (node) => literalText(node).map((text) => (node.instead ? `${insteadWords}: ${text}` : text)),

  /** Each file with its diff, then how it ended. */
  patch: (node, state) => {
    const applied = wasApplied(node)
    const changes = state.at({ applied }).all(node.children)
    const fix = oneLine(fixFacts(node, state.fixes.get(node.id)).join(': '))
    return [...justification(node), ...changes, ...bracketed([appliedWords(applied), ...callFacts(node), fix])]
  },

  /** `Edited path (+3 -1)`, then the diff. */
  fileChange: (node, state) => {
    const name = (path: string): string => oneLine(pathBelow(path, state.cwd))
    const target = node.movedTo === undefined ? '' : ` -> ${name(node.movedTo)}`
    const head = `${operationWord(node, state.applied)} ${name(node.path)}${target} (+${node.added} -${node.removed})`
    return [[head, ...state.all(node.children)].join('\n')]
  },

  /** Header and lines of a hunk. */
  hunk: (node) => [[oneLine(hunkHeader(node)), ...literalText(node)].join('\n')],

  /** The tool or what the model did with it, the arguments, the results. */
  toolCall: (node, state) => {
    const isNamed = isScriptCall(node) || ownTool(node) !== undefined
    const name = `${isNamed ? '' : 'Tool '}${oneLine(toolLabel(node))}`
    const sent = stripAnsi(argumentsOf(node)).trim()
    return [
      `${name}${sent === '' ? '' : `\n${indent(sent)}`}`,
      ...state.all(node.children).map(indent),
      ...bracketed(callFacts(node)),
    ]
  },

  /** What was searched for, then what was found. */
  search: (node, state) => {
    const { url, pattern } = node
    const page = url !== undefined && isAddress(url) ? url : unknownPage(node)
    const terms = [...node.queries, pattern ?? '', page, pageTitle(node) ?? ''].filter((term) => term !== '')
    const isNamed = (child: TrastNode): boolean => child.type === 'reference' && child.target === url
    const found = state.all(node.children.filter((child) => !isNamed(child))).map(indent)
    return [
      [`Web ${node.action}: ${terms.map(oneLine).join(' · ')}`, ...found, ...bracketed(callFacts(node))].join('\n'),
    ]
  },

  /** The steps as check boxes and the plan's text. */
  plan: (node, state) => [['Plan:', ...state.all(node.children).map(indent)].join('\n')],

  /** `[x] step`; `[>]` is under way. */
  planStep: (node) => [`${boxes[node.status]} ${oneLine(node.value)}`],

  /** What was done with which sub-agent, then what was said. */
  agent: (node, state) => {
    const names = [node.name, node.role, node.threadId].filter((name) => name !== undefined).map(oneLine)
    return [
      `${agentLine(node)}${names.length === 0 ? '' : `: ${names.join(', ')}`}`,
      ...state.all(node.children).map(indent),
      ...bracketed(callFacts(node)),
    ]
  },

  /** A body of prose; all its line endings become newlines. */
  markdown: (node) => literalText(node, stripControls),

  /** Literal text; JSON is indented. */
  text: (node) => literalText(node.lang === 'json' ? { ...node, value: prettyJson(node.value) ?? node.value } : node),
}

/** A working folder, unless it is that of the surrounding scope. */
function otherFolder(cwd: string | undefined, state: State): string {
  return cwd === undefined || isSamePath(cwd, state.cwd) ? '' : oneLine(cwd)
}

/** The reason that Codex gave when it asked to run a command or apply a patch outside the sandbox. */
function justification({ justification: words }: Command | Patch): string[] {
  return words === undefined ? [] : [`Asked for approval: ${oneLine(words)}`]
}

const boxes: Readonly<Record<PlanStep['status'], string>> = { pending: '[ ]', inProgress: '[>]', completed: '[x]' }

// Helpers that make plain text.

/** Parts that are not empty, separated by dots. */
function dotted(parts: readonly string[]): string {
  return joinTexts(parts, ' · ')
}

/** `[a · b]` from the parts that are not empty; an empty list if there are none. */
function bracketed(parts: readonly string[]): string[] {
  const text = dotted(parts)
  return text === '' ? [] : [`[${text}]`]
}

/** A text with two spaces before each line that is not blank. */
function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}

/** A literal without escape sequences and surrounding blank lines; a cut one says how much is missing. */
function literalText(node: Literal, strip: (text: string) => string = stripAnsi): string[] {
  const { head, tail, omitted } = piecesOf(node)
  const parts = [strip(head), omitted === undefined ? '' : omissionLine(omitted), strip(tail)]
  const text = joinTexts(parts.map(trimLines), '\n')
  return text === '' ? [] : [text]
}

/** A text without leading blank lines and trailing whitespace. */
function trimLines(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
}

/** A text on one line, without controls. */
function oneLine(text: string): string {
  return stripAnsi(text).replace(/\s+/g, ' ').trim()
}
