/** The pruned document of a page, as the search index reads it: prose, with headings that tell the kind of hit. */

import type { Element, ElementContent, Root } from 'hast'
import { h } from '../render/hast.ts'
import { describedOptions, pageTitle } from '../render/phrases.ts'
import { type RenderContext, renderItem } from '../render/transcript/context.ts'
import { isTyped } from '../render/transcript/prose/typed.ts'
import { htmlPieces, serialize } from '../render/transcript/serialize.ts'
import { withoutHidden } from '../render/visible-text.ts'
import { requestText } from '../rollout/parse/prompt.ts'
import type {
  Agent,
  Approval,
  Command,
  FileChange,
  Finding,
  Message,
  Notice,
  Output,
  Patch,
  Session,
  ToolCall,
  TrastNode,
} from '../transcript/trast.ts'
import { argumentsOf, isAbsent, isRequest, walk } from '../transcript/view.ts'
import { joinTexts } from '../util/join-texts.ts'
import { defined } from '../util/own.ts'
import { pathBelow } from '../util/paths.ts'
import { stripAnsi } from '../util/printable.ts'
import { formatInstant } from '../util/time.ts'
import {
  type EntryKind,
  entry,
  indexOnlyWords,
  maxTextLength,
  more,
  searchText,
  squeeze,
  typedSearchText,
  wordsBeyond,
} from './entry-text.ts'

/** What the index shows beside the text. */
export interface SearchMeta {
  title: string
  /** Name of the project. */
  project: string
  /** Instant of the session's start. */
  startedAt?: string
  /** Words by which the page is found and that it does not show: tags and the id of the session. */
  words: readonly string[]
  /** Outputs of commands and tools are indexed too. */
  outputs?: boolean
}

/**
 * HTML of the pruned page of a slice, in pieces: a text for each item, which an empty element with the id of the item and the
 * name of its kind leads in; so does one with its number each turn. Injected context and inherited or rolled-back history stay
 * out, and outputs unless they are asked for.
 */
export function searchPagePieces(slice: Session, context: RenderContext, meta: SearchMeta): string[] {
  const around = defined({ engine: context.engine, outputs: meta.outputs, cwd: slice.cwd })
  const body = slice.children.flatMap((child: TrastNode) =>
    renderItem(child, context, (node) => searchBlocks(node, around)),
  )
  const root: Root = {
    type: 'root',
    children: [
      { type: 'doctype' },
      h('html', { lang: 'en' }, [
        h('head', {}, [h('title', {}, meta.title), ...metaData(meta, context)]),
        h('body', { dataPagefindBody: '' }, [...body, ...wholePaths(slice), ...wordsBeside(meta.words)]),
      ]),
    ],
  }
  return htmlPieces(root, withoutHidden)
}

/** A pruned page with further words by which it is found. */
export function withWords(html: string, words: readonly string[]): string {
  const hidden = serialize({ type: 'root', children: wordsBeside(words) })
  return html.replace(/<\/body>/, () => `${hidden}</body>`)
}

function wordsBeside(words: readonly string[]): ElementContent[] {
  return words.length === 0 ? [] : [h('span', {}, ` ${indexOnlyWords(words)} `)]
}

function metaData({ title, project, startedAt }: SearchMeta, { timeZone }: RenderContext): ElementContent[] {
  const date = startedAt === undefined ? [] : [metaTag('date', formatInstant(startedAt, timeZone, 'minute'))]
  return [metaTag('title', title), metaTag('project', project), ...date]
}

function metaTag(name: string, content: string): Element {
  return h('meta', { dataPagefindMeta: `${name}[content]`, content })
}

/**
 * What finds edits below the session's folder by their whole paths: an empty element with the folder, from which the page that shows
 * a hit tells the rest, and hidden words. Nothing where there are none.
 */
function wholePaths(slice: Session): ElementContent[] {
  const { cwd } = slice
  if (cwd === undefined) return []
  const words = wordsBeyond(namesIn(slice, '').files ?? [], namesIn(slice).files ?? [])
  // The index drops blanks of an id.
  const id = cwd.replace(/[%\s]/gu, encodeURIComponent)
  return words === '' ? [] : [h('x-folder', { id }), h('span', {}, ` ${words} `)]
}

/** Names that operators of the search ask for: paths of edits from a folder on, tools with their servers' before them. */
export function namesIn(
  slice: Session,
  folder: string | undefined = slice.cwd,
): { files?: string[]; tools?: string[] } {
  const [files, tools] = [new Set<string>(), new Set<string>()]
  walk(slice, (node) => {
    if (isLeftOut(node)) return false
    if (node.type === 'patch') for (const path of pathsOf(node, folder)) files.add(path)
    if (node.type === 'toolCall') tools.add(toolName(node))
    return undefined
  })
  return { ...(files.size > 0 && { files: [...files] }), ...(tools.size > 0 && { tools: [...tools] }) }
}

// Text that the search index gets from each node.

/** What blocks are made from beside the node. */
export interface BlockContext extends Pick<RenderContext, 'engine'> {
  /** Outputs of commands and tools are indexed too. */
  outputs?: boolean
  /** Folder of the session: paths are told from there, as the page does. */
  cwd?: string
}

/** What one node adds to the pruned page; hidden and inherited nodes add nothing. */
function searchBlocks(node: TrastNode, context: BlockContext): ElementContent[] {
  if (isLeftOut(node)) return []
  switch (node.type) {
    case 'turn':
      return [h('x-turn', { id: String(node.number) }), ...all(node.children, context)]
    case 'preamble':
    case 'group':
      return all(node.children, context)
    case 'message':
      return messageBlocks(node, context)
    case 'reasoning':
      return entry('thought', node.id, texts(node.children.map(({ value }) => searchText(value, context.engine))))
    case 'command':
      return commandBlocks(node, context)
    case 'patch':
      return patchBlocks(node, context)
    case 'toolCall':
      return toolBlocks(node, context)
    case 'agent':
      return agentBlocks(node, context)
    case 'approval':
      return approvalBlocks(node, context)
    case 'notice':
      return noticeBlocks(node, context)
    case 'plan':
      return entry('plan', node.id, texts(node.children.map(({ value }) => value)))
    case 'search':
      return [
        ...entry(
          'search',
          node.id,
          texts([...node.queries, node.url ?? '', node.pattern ?? '', pageTitle(node) ?? '']),
        ),
        ...outputBlocks(node.id, node.children, context),
      ]
    case 'error':
      return entry('error', node.id, node.message)
    default:
      return []
  }
}

/** Whether nothing of a node is searched. */
function isLeftOut(node: TrastNode): boolean {
  const isElsewhere = node.type === 'group' && (node.kind === 'inherited' || node.kind === 'rolledBack')
  return isElsewhere || isAbsent(node)
}

/** Texts as one. */
function texts(parts: readonly string[]): string {
  return joinTexts(parts, ' ')
}

function all(nodes: readonly TrastNode[], context: BlockContext): ElementContent[] {
  return nodes.flatMap((node) => searchBlocks(node, context))
}

/**
 * Typed prompts, requests of Codex itself with the label that alone says what they are, and what the assistant said; injected and
 * machine-made messages stay out.
 */
function messageBlocks(node: Message, context: BlockContext): ElementContent[] {
  const asked = isRequest(node) ? askedKind(node) : undefined
  if (asked === undefined && node.role !== 'assistant') return []
  const said = isTyped(node) ? typedTexts(node.children) : prose(node.children, context)
  const reviews = node.children.flatMap((child) => (child.type === 'notice' ? noticeBlocks(child, context) : []))
  const words = asked === undefined ? said : [node.label ?? '', ...said]
  return [...entries(asked ?? saidKind(node), node.id, words), ...reviews]
}

/** What a request is: typed by somebody, or a question of Codex to its reviewer. */
export function askedKind({ origin }: Message): 'prompt' | 'question' {
  return origin === 'typed' ? 'prompt' : 'question'
}

/** What a message of the assistant is; what it tells while it works is no answer. */
export function saidKind({ origin, phase }: Message): 'agent' | 'answer' | 'commentary' {
  if (origin === 'agent') return 'agent'
  return phase === 'commentary' ? 'commentary' : 'answer'
}

/** Texts of one item, apart from each other. */
function entries(kind: EntryKind, id: string, values: readonly string[]): ElementContent[] {
  const [first = '', ...others] = values.filter((value) => value !== '')
  return [...entry(kind, id, first), ...others.flatMap((value) => more(kind, value))]
}

/** Texts of an item behind its head, in which alone `file:` and `tool:` look: an empty element leads in the rest. */
function headed(kind: EntryKind, id: string, head: string, values: readonly string[]): ElementContent[] {
  const rest = values.flatMap((value) => more(kind, value))
  return [...entry(kind, id, head), ...(rest.length > 0 ? [h('x-rest', { id: `${id}.rest` }), ...rest] : [])]
}

/** Bodies of Markdown and text among some nodes as plain words, and what references name. */
function prose(nodes: readonly TrastNode[], { engine }: BlockContext): string[] {
  return bodies(nodes, (value) => searchText(value, engine))
}

/** The same of a prompt: its words as they were typed, without what the editor put before them. */
function typedTexts(nodes: readonly TrastNode[]): string[] {
  return bodies(nodes, (value) => typedSearchText(requestText(value)))
}

function bodies(nodes: readonly TrastNode[], words: (value: string) => string): string[] {
  return nodes.flatMap((child) => {
    if (child.type === 'reference') return [texts([child.label ?? '', child.target])]
    if (child.type !== 'markdown' && child.type !== 'text') return []
    const text = child.type === 'text' ? squeeze(child.value) : words(child.value)
    return text === '' ? [] : [text]
  })
}

/** What ran, why it asked for approval, and what was typed into it; of what it printed the lines that tell of its failure, or all where outputs are wanted. */
function commandBlocks(node: Command, context: BlockContext): ElementContent[] {
  const { id } = node
  const outputs = node.children.filter((child): child is Output => child.type === 'output')
  const inputs = node.children.flatMap((child) => (child.type === 'input' ? [child.value.slice(0, maxTextLength)] : []))
  const isNoFailure = node.outcome === 'noMatch' || node.outcome === 'cutOff' || node.outcome === 'stopped'
  const failed = node.status === 'failed' || ((node.exitCode ?? 0) !== 0 && !isNoFailure)
  return [
    ...entries('command', id, [node.script, node.justification ?? '', ...inputs]),
    ...(failed ? entry('error', id, errorLines(outputs.map(({ value }) => value))) : []),
    ...outputBlocks(id, outputs, context),
  ]
}

function outputBlocks(id: string, nodes: readonly TrastNode[], { outputs }: BlockContext): ElementContent[] {
  if (outputs !== true) return []
  return entries(
    'output',
    id,
    nodes.flatMap((node) => (node.type === 'output' ? [stripAnsi(node.value.slice(0, maxTextLength))] : [])),
  )
}

/** Paths of an edit, why it asked for approval, and the lines that it adds and removes. */
function patchBlocks(node: Patch, { cwd }: BlockContext): ElementContent[] {
  const { id } = node
  const changes = changesOf(node)
  const troubles =
    node.status === 'failed' ? node.children.filter((child): child is Output => child.type === 'output') : []
  return [
    ...headed('edit', id, pathsOf(node, cwd).join(' '), [node.justification ?? '', ...changes.map(changedLines)]),
    ...entry('error', id, errorLines(troubles.map(({ value }) => value))),
  ]
}

function changesOf({ children }: Patch): FileChange[] {
  return children.filter((child): child is FileChange => child.type === 'fileChange')
}

/** Paths of an edit, told from a folder. */
function pathsOf(node: Patch, folder: string | undefined): string[] {
  const paths = changesOf(node).flatMap(({ path, movedTo }) => (movedTo === undefined ? [path] : [path, movedTo]))
  return paths.map((path) => pathBelow(path, folder))
}

/** Added and removed lines of a file, without those around them. */
function changedLines({ children }: FileChange): string {
  const lines = children.flatMap(({ value }) => value.slice(0, maxTextLength).split('\n'))
  return lines.flatMap((line) => (/^[-+]/.test(line) ? [line.slice(1)] : [])).join('\n')
}

/** The tool's name, its arguments, and what a script did. */
function toolBlocks(node: ToolCall, context: BlockContext): ElementContent[] {
  const isResult = ({ type }: TrastNode): boolean => type === 'output' || type === 'text' || type === 'markdown'
  return [
    ...headed(node.server === undefined ? 'tool' : 'mcp', node.id, toolName(node), [
      argumentsOf(node).slice(0, maxTextLength),
    ]),
    ...all(
      node.children.filter((child) => !isResult(child)),
      context,
    ),
    ...outputBlocks(node.id, node.children, context),
  ]
}

function toolName({ server, tool }: ToolCall): string {
  return joinTexts([server, tool], '/')
}

/** Who was given which work, and what came back. */
function agentBlocks(node: Agent, context: BlockContext): ElementContent[] {
  const messages = node.children.filter((child): child is Message => child.type === 'message')
  const name = joinTexts([node.role, node.name], ' ')
  return entries('agent', node.id, [name, ...messages.flatMap((message) => prose(message.children, context))])
}

/** Questions to the user with their options and the answer, unless that is secret. */
function approvalBlocks(node: Approval, context: BlockContext): ElementContent[] {
  const parts = node.children.flatMap((child) => {
    if (child.type !== 'question') return []
    const { header, options, answer, secret } = child
    const own = secret || answer === undefined || options.includes(answer) ? [] : [answer]
    return [header ?? '', ...prose(child.children, context), ...describedOptions(child), ...own]
  })
  return entry('question', node.id, texts(parts))
}

/** Findings of a review, and what an interruption, a goal or a compaction says. */
function noticeBlocks(node: Notice, context: BlockContext): ElementContent[] {
  const findings = node.children.filter((child): child is Finding => child.type === 'finding')
  const said = findings.map(({ title, path, children }) => texts([title, path ?? '', ...prose(children, context)]))
  return entries('notice', node.id, [...prose(node.children, context), ...said])
}

// What the output of something that failed says about the failure.

/** Lines of one command, and characters of a line, that are kept at most. */
const maxLines = 6
const maxLineLength = 300
/** Characters of the end of an output that are looked at: failures are told last. */
const tail = 16_384

const trouble =
  /\b(?:error|err!|fatal|panic(?:ked)?|exception|traceback|failed|failure|cannot|can't|could not|unable to|not found|no such|denied|undefined|refused|timed? ?out|segmentation fault)\b|(?:Error|Exception)\b/i

/** Lines of outputs that tell of a failure, each once, in order and joined by newlines; empty where none does. */
export function errorLines(outputs: readonly string[]): string {
  const found = new Set<string>()
  for (const output of outputs) {
    for (const line of stripAnsi(output.slice(-tail)).split('\n')) {
      if (found.size >= maxLines) break
      if (trouble.test(line)) found.add(line.trim().slice(0, maxLineLength))
    }
  }
  return [...found].join('\n')
}
