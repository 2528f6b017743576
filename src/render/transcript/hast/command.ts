/** Commands with script, output and outcome; other tool calls; searches of the web. */

import type { ElementContent } from 'hast'
import { asObject } from '../../../rollout/parse/decode.ts'
import { exploredPaths } from '../../../rollout/parse/shell.ts'
import type { Command, CommandAction, Input, Output, Search, ToolCall, TrastNode } from '../../../transcript/trast.ts'
import { argumentsOf, isScriptCall } from '../../../transcript/view.ts'
import { parseJson, prettyJson } from '../../../util/json.ts'
import { isSamePath, pathBelow } from '../../../util/paths.ts'
import { joinTexts } from '../../../util/text.ts'
import { formatAmount } from '../../../util/time.ts'
import { h } from '../../hast.ts'
import { isAddress, ownTool, referenceWord, toolLabel, unknownPage } from '../../labels.ts'
import { callDuration, firstLine, insteadWords, isTrouble, pageTitle, scriptLine } from '../../phrases.ts'
import { enterKeys, literal } from '../../visible-text.ts'
import { ansiToHast } from '../ansi.ts'
import { foreignRel } from '../prose/schemes.ts'
import { isCallResult } from '../story.ts'
import {
  block,
  callMark,
  codeToHast,
  copied,
  endOf,
  type Fold,
  fold,
  isCollapsed,
  item,
  itemAround,
  joined,
  justificationOf,
  scriptFold,
  single,
  textOf,
  withCut,
} from './parts.ts'
import { rows } from './rows.ts'
import type { State } from './state.ts'

/** A command as a terminal; one that only explored is quiet. */
export function command(node: Command, state: State): ElementContent[] {
  const frame = { kind: 'command', failed: isTrouble(node.status), fixed: state.fixes.has(node.id) } as const
  const shown = fold({ ...head(node, state), collapsed: isCollapsed(node) }, [terminal(node, state)])
  return [item(node, frame, state, [shown, ...made(node, state)])]
}

function head(node: Command, state: State): Fold {
  const inspected = node.actor === 'agent' ? inspectionOf(node, state) : undefined
  const script = scriptLine(node.script, 300)
  const failed = isTrouble(node.status)
  if (inspected !== undefined) {
    const gist = inspected.gist || script
    const mark = failed || node.outcome !== undefined ? markOf(node, state) : []
    return { what: inspected.what, gist, hint: script, mark, quiet: !failed }
  }
  return { what: node.actor === 'user' ? 'You ran' : 'Ran', gist: script, mark: markOf(node, state) }
}

/** How a command ended, and whether it was fixed later. */
function markOf(node: Command, state: State): ElementContent[] {
  if (!state.fixes.has(node.id)) return callMark(node)
  const facts = [...endOf(node), callDuration(node), 'fixed by a later run']
  return textOf(facts.filter((fact) => fact !== ''))
}

/** A link to the run that fixed a failed command. */
function fixOf(node: Command, state: State): ElementContent | undefined {
  const fix = state.fixes.get(node.id)
  if (fix?.type !== 'command') return undefined
  return h(
    'p',
    { className: ['where'] },
    'Fixed by ',
    h('a', { href: state.link(fix.id) }, literal(scriptLine(fix.script, 120))),
  )
}

type Inspection = CommandAction & { kind: 'read' | 'list' | 'search' }

const inspectionWords: Readonly<Record<Inspection['kind'], string>> = {
  read: 'Read',
  list: 'Listed',
  search: 'Searched',
}

/** `Read a.ts, b.ts` for a command that only reads, lists or searches; `undefined` for any other. */
function inspectionOf({ actions, script }: Command, state: State): { what: string; gist: string } | undefined {
  const inspections = actions.filter((action): action is Inspection => action.kind !== 'other')
  const [first] = inspections
  if (first === undefined || inspections.length < actions.length) return undefined
  const same = inspections.every(({ kind }) => kind === first.kind)
  const parts = inspections.map((inspection) => {
    const target = targetOf(inspection, targetPaths(inspection, inspections.length === 1 ? script : ''), state)
    return same ? target : `${inspectionWords[inspection.kind].toLowerCase()} ${target}`.trimEnd()
  })
  const gist = firstLine(joinTexts([...new Set(parts)], ', '), 300)
  return { what: same ? inspectionWords[first.kind] : 'Explored', gist }
}

/** The paths that were looked at: an action names one, but the script of a single step names all of them. */
function targetPaths({ kind, path }: Inspection, script: string): readonly string[] {
  const all = script === '' ? undefined : exploredPaths(script, kind)
  if (all !== undefined && all.length > 1) return all
  return path === undefined ? [] : [path]
}

/** `“gate” in src, test`, or only the paths. */
function targetOf({ kind, query }: Inspection, paths: readonly string[], state: State): string {
  const below = paths.map((path) => pathBelow(path, state.cwd)).join(', ')
  const target = /^\.[\\/]?$/.test(below) ? '' : below
  if (kind === 'list' && target === '') return 'the working folder'
  if (query === undefined) return target
  return target === '' ? `“${query}”` : `“${query}” in ${target}`
}

function terminal(node: Command, state: State): ElementContent {
  const elsewhere = node.cwd !== undefined && !isSamePath(node.cwd, state.cwd)
  return h('div', { className: ['term'] }, [
    elsewhere ? h('p', { className: ['where'] }, 'in ', h('code', {}, literal(node.cwd ?? ''))) : undefined,
    justificationOf(node),
    h('pre', { className: ['run'], ...copied('command') }, literal(node.script)),
    state.all(node.children.filter(({ type }) => type !== 'reference')),
    fixOf(node, state),
    scriptFold(node, state),
  ])
}

/** Commits and pull requests that the command made, visible while the terminal is folded. */
function made(node: Command, state: State): ElementContent[] {
  const items = node.children.flatMap((child) => {
    const shown = child.type === 'reference' ? state.all([child]) : []
    if (child.type !== 'reference' || shown.length === 0) return []
    return [h('li', {}, `${referenceWord(child.kind)} `, shown)]
  })
  return items.length === 0 ? [] : [h('ul', { className: ['made'] }, items)]
}

/** What was typed into a running program. */
export function input(node: Input, state: State): ElementContent[] {
  return [
    h(
      'pre',
      { className: ['typed'], ...copied('command') },
      withCut(node, state, (value) => literal(enterKeys(value))),
    ),
  ]
}

/** What a program printed, always as text. */
export function output(node: Output, state: State): ElementContent[] {
  if (node.value === '' && node.omitted === undefined) return []
  const shown = block(
    'output',
    withCut(node, state, (value) => ansiToHast(trimLines(value))),
  )
  if (isCollapsed(node)) return [fold({ what: 'Output', gist: labelOf(node), quiet: true, collapsed: true }, [shown])]
  const label = labelOf(node)
  return label === '' ? [shown] : [h('p', { className: ['label'] }, label), shown]
}

function labelOf({ instead, stream }: Output): string {
  if (instead) return insteadWords
  return stream === 'stderr' ? 'stderr' : ''
}

/** A text without leading and trailing line ends, which are only spacing. */
function trimLines(value: string): string {
  let end = value.length
  while (end > 0 && /[\r\n]/.test(value.charAt(end - 1))) end--
  // A pattern for both ends would examine every line.
  const [lead = ''] = /^(?:\r?\n)+/.exec(value) ?? []
  return value.slice(Math.min(lead.length, end), end)
}

// Calls of tools without a layout of their own.

const families: Readonly<Record<ToolCall['family'], string>> = {
  mcp: 'MCP',
  function: '',
  custom: '',
  dynamic: 'app tool',
}

/** A tool call: server and tool, formatted arguments, results. */
export function toolCall(node: ToolCall, state: State): ElementContent[] {
  const failed = isTrouble(node.status)
  const codexTool = ownTool(node)
  const back = node.children.filter(isCallResult)
  const nested = node.children.filter((child) => !isCallResult(child))
  const head = {
    what: toolLabel(node),
    gist: nested.length === 0 ? gistOf(node, codexTool) : madeBy(nested),
    ...(codexTool === undefined ? {} : { hint: node.tool }),
    mark: callMark(node, codexTool === undefined ? families[node.family] : ''),
    collapsed: isCollapsed(node),
    // The calls that a script made are shown below it and say more.
    quiet: nested.length > 0,
  }
  const details = h(
    'div',
    { className: ['term'] },
    argumentsBlock(node, state),
    state.all(back),
    scriptFold(node, state),
  )
  const work = (): ElementContent[] =>
    nested.length === 0 ? [] : [h('div', { className: ['nested'] }, rows(nested, state))]
  return [itemAround(node, { kind: 'tool', failed }, state, () => [fold(head, [details]), ...work()])]
}

/** `query: gate, limit: 5` of JSON arguments, else the first line; for one of Codex's own tools, its main argument. */
function gistOf({ input }: ToolCall, codexTool: ReturnType<typeof ownTool>): string {
  if (codexTool === undefined) return firstLine(fieldsOf(input) ?? input, 300)
  const value = codexTool.mainArgument === undefined ? undefined : asObject(parseJson(input))?.[codexTool.mainArgument]
  return typeof value === 'string' ? firstLine(value, 300) : ''
}

/** How many calls a script made. */
function madeBy(nested: readonly TrastNode[]): string {
  const commands = nested.filter(({ type }) => type === 'command').length
  if (commands === nested.length) return formatAmount(commands, 'command')
  return formatAmount(nested.length, 'call')
}

function fieldsOf(input: string): string | undefined {
  // Longer arguments contain a document, whose first line says more than a list of keys.
  if (input.length > 4096 || !input.trimStart().startsWith('{')) return undefined
  const fields = asObject(parseJson(input))
  if (fields === undefined) return undefined
  return Object.entries(fields)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}

function argumentsBlock(node: ToolCall, state: State): ElementContent | undefined {
  const sent = argumentsOf(node)
  const json = prettyJson(sent)
  const shown = json ?? sent
  if (shown.trim() === '') return undefined
  const language = isScriptCall(node) ? 'javascript' : undefined
  const tokens = state.colour(shown, json === undefined ? language : 'json')
  return block('code', tokens === undefined ? literal(shown) : codeToHast(tokens))
}

// Web searches, opened pages, text looked for in them.

const searchVerbs: Readonly<Record<Search['action'], string>> = {
  search: 'Searched the web',
  open: 'Opened',
  find: 'Looked for',
}

/** A search on one line, with further queries and links in a fold if there are any. */
export function search(node: Search, state: State): ElementContent[] {
  const { queries, pattern } = node
  const url = node.url !== undefined && isAddress(node.url) ? node.url : undefined
  const line = { what: searchVerbs[node.action], mark: callMark(node) }
  const frame = { kind: 'search', failed: isTrouble(node.status) } as const
  const title = pageTitle(node)
  const named = [pattern === undefined ? undefined : `“${pattern}”`, queries[0], unknownPage(node), title].filter(
    isText,
  )
  const links = node.children.filter((child) => child.type === 'reference' && child.target !== node.url)
  const printed = node.children.filter(({ type }) => type === 'output')
  const details = [...state.all(printed), ...scriptFold(node, state)]
  if (queries.length <= 1 && links.length === 0 && details.length === 0) {
    const parts = [...named.map(literal), ...(url === undefined ? [] : [[webLink(url)]])]
    return [item(node, frame, state, [single({ ...line, gist: joined(parts, ' · ') })])]
  }
  const rest: ElementContent[] = [
    // The first query is in the line.
    ...queries.slice(1).map((query) => h('li', {}, literal(query))),
    ...(url === undefined ? [] : pageLink(url, title)),
  ]
  const pages = links.map((child) => h('li', {}, state.all([child]), excerptOf(child)))
  const amount = pages.length === 0 ? [] : [formatAmount(pages.length, 'page')]
  const gist = [...named, ...(url === undefined || isText(title) ? [] : [url]), ...amount].join(' · ')
  const list = [rest, pages].flatMap((items) => (items.length === 0 ? [] : [h('ul', {}, items)]))
  const found = details.length === 0 ? [] : [h('div', { className: ['term'] }, details)]
  return [item(node, frame, state, [fold({ ...line, gist, quiet: true }, [...list, ...found])])]
}

function excerptOf(node: TrastNode): ElementContent[] {
  return node.type === 'reference' && node.excerpt !== undefined ? [h('br', {}), ...literal(node.excerpt)] : []
}

function isText(value: string | undefined): value is string {
  return value !== undefined && value !== ''
}

/** The link to an opened page, below its title; without a title the line shows the address, so the link has other words. */
function pageLink(url: string, title: string | undefined): ElementContent[] {
  if (isText(title)) return [h('li', {}, webLink(url))]
  return isLinked(url) ? [h('li', {}, webLink(url, 'Open this page'))] : []
}

function webLink(url: string, words = url): ElementContent {
  if (!isLinked(url)) return h('code', {}, literal(url))
  return h('a', { href: url, rel: [...foreignRel] }, literal(words))
}

function isLinked(url: string): boolean {
  return /^https?:\/\//i.test(url)
}
