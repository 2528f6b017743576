/** Calls: commands with their output, edits, plans, searches, tools, and work for other threads. */

import type { ListItem, RootContent } from 'mdast'
import type { Agent, Command, Hunk, Patch, PlanStep, Reference, Search } from '../../../transcript/trast.ts'
import { argumentsOf, isScriptCall } from '../../../transcript/view.ts'
import { prettyJson } from '../../../util/json.ts'
import { isSamePath, pathBelow } from '../../../util/paths.ts'
import { joinTexts } from '../../../util/text.ts'
import { agentReports, reportHead } from '../../agent-answers.ts'
import {
  agentLine,
  appliedWords,
  callFacts,
  commandFacts,
  fixFacts,
  hunkHeader,
  isAddress,
  operationWord,
  toolLabel,
  unknownPage,
  wasApplied,
} from '../../labels.ts'
import { omissionLine, piecesOf } from '../../omissions.ts'
import { insteadWords, pageTitle } from '../../phrases.ts'
import { visibleKeys } from '../../visible-text.ts'
import {
  bullets,
  factLine,
  fence,
  type Inline,
  mono,
  paragraph,
  quote,
  strong,
  threadLink,
  webLink,
  withCode,
} from './build.ts'
import { referenceInline } from './notices.ts'
import { fencedLiteral, type Handlers, type State } from './state.ts'

/** Handlers of calls. */
export const calls: Pick<
  Handlers,
  | 'command'
  | 'input'
  | 'output'
  | 'patch'
  | 'fileChange'
  | 'hunk'
  | 'plan'
  | 'planStep'
  | 'search'
  | 'toolCall'
  | 'agent'
> = {
  /** Fenced script, the reason given for approval, fenced output, then how it ended: `exit 1 · 2.3 s`. */
  command: (node, state) => [
    ...fence(node.script, 'sh'),
    ...justification(node),
    ...state.all(node.children),
    ...factLine(outcome(node, state)),
  ],

  /** What was sent to a running process. */
  input: (node, state) => [
    paragraph('Sent to the process:'),
    ...fencedLiteral({ ...node, value: visibleKeys(node.value) }, state),
  ],

  /** Fenced text, verbatim: the output of a command is not rearranged. */
  output: (node, state) => {
    const body = fencedLiteral(node, state)
    if (body.length === 0) return body
    if (node.instead) return [paragraph(`${insteadWords}:`), ...body]
    return node.stream === 'stderr' ? [paragraph('Standard error:'), ...body] : body
  },

  /** Each file with its diff, then how it ended. */
  patch: (node, state) => {
    const applied = wasApplied(node)
    const changes = state.at({ applied }).all(node.children)
    const facts = [appliedWords(applied), ...callFacts(node), ...fixOf(node, state)]
    return [...justification(node), ...changes, ...factLine(facts)]
  },

  /** A line with operation, path and counts, then a fenced `diff`. */
  fileChange: (node, state) => {
    const name = (path: string): Inline => mono(pathBelow(path, state.cwd))
    const moved: Inline[] = node.movedTo === undefined ? [] : [' → ', name(node.movedTo)]
    const counts = node.added + node.removed === 0 ? '' : ` · +${node.added} −${node.removed}`
    return [
      paragraph(strong(operationWord(node, state.applied)), ' ', name(node.path), ...moved, counts),
      ...fence(node.children.map(hunkText).join('\n'), 'diff'),
    ]
  },

  /** A hunk outside a file change. */
  hunk: (node) => fence(hunkText(node), 'diff'),

  /** A label, then the steps as one task list and the plan's text. */
  plan: (node, state) => {
    const steps = node.children.filter((child) => child.type === 'planStep')
    const prose = node.children.filter((child) => child.type !== 'planStep')
    const list: RootContent[] = steps.length === 0 ? [] : [taskList(steps)]
    return [paragraph(strong('Plan')), ...list, ...state.all(prose)]
  },

  /** A step outside a plan. */
  planStep: (node) => [taskList([node])],

  /** A label, then one list of queries, the page and what was found. */
  search: (node, state) => {
    const rows: Inline[][] = node.queries.map((query) => [mono(query)])
    if (node.pattern !== undefined) rows.push([mono(node.pattern)])
    const title = pageTitle(node)
    if (node.url !== undefined && isAddress(node.url)) rows.push(webLink(node.url, title ?? node.url))
    const printed = node.children.filter((child) => child.type === 'output')
    for (const child of node.children)
      if (child.type === 'reference' && child.target !== node.url)
        rows.push([...referenceInline(child, state), ...excerptOf(child)])
    const unknown = unknownPage(node)
    const label = unknown === '' ? words[node.action] : `Opened ${unknown}`
    return [
      paragraph(strong(label)),
      ...(rows.length === 0 ? [] : [bullets(rows)]),
      ...state.all(printed),
      ...factLine(callFacts(node)),
    ]
  },

  /** Bold name, arguments, results, how it ended. */
  toolCall: (node, state) => {
    const sent = argumentsOf(node)
    const pretty = prettyJson(sent)
    return [
      paragraph(strong(toolLabel(node))),
      ...(pretty === undefined ? fence(sent, isScriptCall(node) ? 'js' : undefined) : fence(pretty, 'json')),
      ...state.all(node.children),
      ...factLine(callFacts(node)),
    ]
  },

  /** A line that names the agent and links its transcript, then what was said. */
  agent: (node, state) => {
    const names = joinTexts([node.name, node.role], ', ')
    const thread: Inline[] = node.threadId === undefined ? [] : [' · ', ...threadLink(node.threadId, state.context)]
    const messages = node.children.filter((child) => child.type === 'message')
    const rest = node.children.filter((child) => child.type !== 'message')
    const said = state.at({ quoted: true }).all(messages)
    return [
      paragraph(strong(agentLine(node)), names === '' ? '' : `: ${names}`, ...thread),
      ...(said.length === 0 ? [] : [quote(said)]),
      ...rest.flatMap((child) => reports(child, node, state) ?? state.all([child])),
      ...factLine(callFacts(node)),
    ]
  },
}

/** The reason that Codex gave when it asked to run a command or apply a patch outside the sandbox. */
function justification({ justification: words }: Command | Patch): RootContent[] {
  return words === undefined ? [] : [paragraph(`Asked for approval: ${words}`)]
}

function outcome(node: Command, state: State): Inline[] {
  const { cwd, actor } = node
  return [
    actor === 'user' ? 'run by the user' : '',
    ...commandFacts(node),
    ...fixOf(node, state),
    cwd === undefined || isSamePath(cwd, state.cwd) ? '' : mono(cwd),
  ]
}

function fixOf(node: Command | Patch, { fixes }: State): Inline[] {
  const [words = '', script] = fixFacts(node, fixes.get(node.id))
  return script === undefined ? [words] : [words, mono(script)]
}

function hunkText(node: Hunk): string {
  const { head, tail, omitted } = piecesOf(node)
  const lines = [hunkHeader(node), head.replace(/\n$/, '')]
  if (omitted !== undefined) lines.push(omissionLine(omitted))
  if (tail !== '') lines.push(tail.replace(/^\n|\n$/g, ''))
  return lines.join('\n')
}

function taskList(steps: PlanStep[]): RootContent {
  return { type: 'list', ordered: false, spread: false, children: steps.map(task) }
}

function task(node: PlanStep): ListItem {
  const state = node.status === 'inProgress' ? [strong('in progress'), ' '] : []
  return {
    type: 'listItem',
    spread: false,
    checked: node.status === 'completed',
    children: [paragraph(state, withCode(node.value.trim()))],
  }
}

const words: Readonly<Record<Search['action'], string>> = {
  search: 'Searched the web',
  open: 'Opened a page',
  find: 'Searched in a page',
}

function excerptOf({ excerpt }: Reference): Inline[] {
  return excerpt === undefined ? [] : [`: ${excerpt}`]
}

/** An answer about agents as a line for each, with what it said; `undefined` for anything else. */
function reports(child: Agent['children'][number], node: Agent, state: State): RootContent[] | undefined {
  if (child.type !== 'output' || child.omitted !== undefined) return undefined
  return agentReports(child.value, node)?.flatMap((report) => {
    const { name, state: condition } = reportHead(report, state.context.threads)
    const said = state.at({ quoted: true }).all([{ type: 'markdown', id: child.id, value: report.words }])
    return [...factLine([name === '' ? '' : strong(name), condition]), ...(report.words === '' ? [] : [quote(said)])]
  })
}
