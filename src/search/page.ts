/** The pruned document of a page, as the search index reads it: prose, with headings that tell the kind of hit. */

import type { Element, ElementContent, Root } from 'hast'
import { h } from 'hastscript'
import { monthOf } from '../render/pages/dates.ts'
import type { RenderContext } from '../render/transcript/context.ts'
import { renderItem } from '../render/transcript/failed-item.ts'
import { isTyped } from '../render/transcript/prose/typed.ts'
import { serialize } from '../render/transcript/serialize.ts'
import { withoutHidden } from '../render/visible-text.ts'
import { requestText } from '../rollout/parse/request.ts'
import type {
  Agent,
  Approval,
  Command,
  FileChange,
  Finding,
  Group,
  Message,
  Notice,
  Output,
  Patch,
  Session,
  ToolCall,
  TrastNode,
} from '../transcript/trast.ts'
import { stripAnsi } from '../util/ansi-strip.ts'
import { defined } from '../util/defined.ts'
import { pathBelow } from '../util/paths.ts'
import { formatInstant } from '../util/time.ts'
import { entry, longest, paragraph, searchText, squeeze, typedSearchText } from './entry-text.ts'

/** What the index filters and shows beside the text. */
export interface SearchMeta {
  title: string
  /** Name of the project. */
  project: string
  /** Instant of the session's start. */
  startedAt?: string
  models: readonly string[]
  branch?: string
  /** Label of the home that the session was found in. */
  label?: string
  /** Tags of the session; the first page has them as words too. */
  tags?: readonly string[]
  /** The page tells of an error, or of a command or turn that failed. */
  errors?: boolean
  /** Outputs of commands and tools are indexed too. */
  outputs?: boolean
}

/**
 * HTML of the pruned page of a slice. Heading levels stand for kinds: `h2` prompt, `h3` answer, `h4` command, `h5`
 * edit, `h6` error; each has the id of its item, so that a hit leads there. Injected context and inherited or
 * rolled-back history stay out, and outputs unless they are asked for.
 */
export function renderSearchPage(slice: Session, context: RenderContext, meta: SearchMeta): string {
  const around = defined({ engine: context.engine, outputs: meta.outputs, cwd: slice.cwd })
  const body = slice.children.flatMap((child: TrastNode) =>
    renderItem(child, context, (node) => searchBlocks(node, around)),
  )
  const root: Root = {
    type: 'root',
    children: [
      { type: 'doctype' },
      h('html', { lang: 'en' }, [
        h('head', {}, [h('title', {}, meta.title), ...filters(meta, context), ...metaData(meta, context)]),
        h('body', { dataPagefindBody: '' }, [...body, ...paragraph((meta.tags ?? []).map(squeeze).join(', '), 'p')]),
      ]),
    ],
  }
  return withoutHidden(serialize(root))
}

function filters(meta: SearchMeta, { timeZone }: RenderContext): Element[] {
  const values: [string, string | undefined][] = [
    ['project', meta.project],
    ...meta.models.map((model): [string, string] => ['model', model]),
    ['month', monthOf(meta.startedAt, timeZone)],
    ['branch', meta.branch],
    ['label', meta.label],
    ...(meta.tags ?? []).map((tag): [string, string] => ['tag', tag]),
    ['errors', meta.errors === true ? 'yes' : undefined],
  ]
  return values.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [h('meta', { dataPagefindFilter: `${name}[content]`, content: value })],
  )
}

function metaData({ title, project, startedAt }: SearchMeta, { timeZone }: RenderContext): ElementContent[] {
  const date = startedAt === undefined ? [] : [metaTag('date', formatInstant(startedAt, timeZone, 'minute'))]
  return [
    metaTag('title', title),
    metaTag('project', project),
    ...date,
    // What has no date sorts as the oldest.
    h('meta', { dataPagefindSort: 'date[content]', content: startedAt ?? '0' }),
  ]
}

function metaTag(name: string, content: string): Element {
  return h('meta', { dataPagefindMeta: `${name}[content]`, content })
}

// Headings and text that the search index gets from each node.

/** What blocks are made from beside the node. */
export interface BlockContext extends Pick<RenderContext, 'engine'> {
  /** Outputs of commands and tools are indexed too. */
  outputs?: boolean
  /** Folder of the session: paths are told from there, as the page does. */
  cwd?: string
}

/** What one node adds to the pruned page; hidden and inherited nodes add nothing. */
function searchBlocks(node: TrastNode, context: BlockContext): ElementContent[] {
  if (node.data?.visibility === 'hidden' || node.data?.inherited === true) return []
  switch (node.type) {
    case 'turn':
    case 'preamble':
      return all(node.children, context)
    case 'group':
      return groupBlocks(node, context)
    case 'message':
      return messageBlocks(node, context)
    case 'reasoning':
      return paragraph(texts(node.children.map(({ value }) => searchText(value, context.engine))), 'p', node.id)
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
      return paragraph(texts(node.children.map(({ value }) => squeeze(value))), 'p', node.id)
    case 'search':
      return [...paragraph(texts(node.queries.map(squeeze)), 'p', node.id), ...outputBlocks(node.children, context)]
    case 'error':
      return entry('h6', node.id, node.message)
    default:
      return []
  }
}

/** Texts as sentences of one, cut to what is indexed of a body. */
function texts(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part) => (/[\p{L}\p{N})\]"']$/u.test(part) ? `${part}.` : part))
    .join(' ')
    .slice(0, longest)
}

function all(nodes: readonly TrastNode[], context: BlockContext): ElementContent[] {
  return nodes.flatMap((node) => searchBlocks(node, context))
}

function groupBlocks(node: Group, context: BlockContext): ElementContent[] {
  if (node.kind === 'inherited' || node.kind === 'rolledBack') return []
  return all(node.children, context)
}

/** Typed prompts and what the assistant said; injected and machine-made messages stay out. */
function messageBlocks(node: Message, context: BlockContext): ElementContent[] {
  const isPrompt = node.role === 'user' && node.origin === 'typed'
  if (!isPrompt && node.role !== 'assistant') return []
  const level = isPrompt ? 'h2' : 'h3'
  const [first = '', ...others] = isTyped(node) ? typedTexts(node.children) : prose(node.children, context)
  const reviews = node.children.flatMap((child) => (child.type === 'notice' ? noticeBlocks(child, context) : []))
  return [...entry(level, node.id, first), ...others.flatMap((text) => paragraph(text, level)), ...reviews]
}

/** Bodies of Markdown and text among some nodes as plain words. */
function prose(nodes: readonly TrastNode[], { engine }: BlockContext): string[] {
  return bodies(nodes, (value) => searchText(value, engine))
}

/** The same of a prompt: its words as they were typed, without what the editor put before them. */
function typedTexts(nodes: readonly TrastNode[]): string[] {
  return bodies(nodes, (value) => typedSearchText(requestText(value)))
}

function bodies(nodes: readonly TrastNode[], words: (value: string) => string): string[] {
  return nodes.flatMap((child) => {
    if (child.type !== 'markdown' && child.type !== 'text') return []
    const text = child.type === 'text' ? squeeze(child.value.slice(0, longest)) : words(child.value)
    return text === '' ? [] : [text]
  })
}

/** What ran; of what it printed the lines that tell of its failure, or all where outputs are wanted. */
function commandBlocks(node: Command, context: BlockContext): ElementContent[] {
  const outputs = node.children.filter((child): child is Output => child.type === 'output')
  const failed = node.status === 'failed' || ((node.exitCode ?? 0) !== 0 && node.outcome !== 'noMatch')
  return [
    ...entry('h4', node.id, node.script === '' ? node.argv.join(' ') : node.script),
    ...(failed ? entry('h6', node.id, errorLines(outputs.map(({ value }) => value))) : []),
    ...outputBlocks(outputs, context),
  ]
}

function outputBlocks(nodes: readonly TrastNode[], { outputs }: BlockContext): ElementContent[] {
  if (outputs !== true) return []
  return nodes.flatMap((node) =>
    node.type === 'output' ? paragraph(squeeze(stripAnsi(node.value.slice(0, longest))), 'p') : [],
  )
}

function patchBlocks(node: Patch, { cwd }: BlockContext): ElementContent[] {
  const changes = node.children.filter((child): child is FileChange => child.type === 'fileChange')
  const paths = changes.flatMap(({ path, movedTo }) => (movedTo === undefined ? [path] : [path, movedTo]))
  const troubles =
    node.status === 'failed' ? node.children.filter((child): child is Output => child.type === 'output') : []
  return [
    ...entry('h5', node.id, paths.map((path) => pathBelow(path, cwd)).join(' ')),
    ...entry('h6', node.id, errorLines(troubles.map(({ value }) => value))),
  ]
}

/** The tool's name, and what a script did. Its arguments and results are most of the bytes and little of the meaning. */
function toolBlocks(node: ToolCall, context: BlockContext): ElementContent[] {
  const isResult = ({ type }: TrastNode): boolean => type === 'output' || type === 'text' || type === 'markdown'
  return [
    ...entry('h4', node.id, [node.server, node.tool].filter((part) => part !== undefined).join('/')),
    ...all(
      node.children.filter((child) => !isResult(child)),
      context,
    ),
    ...outputBlocks(node.children, context),
  ]
}

/** Who was given which work, and what came back. */
function agentBlocks(node: Agent, context: BlockContext): ElementContent[] {
  const messages = node.children.filter((child): child is Message => child.type === 'message')
  const texts = messages.flatMap((message) => prose(message.children, context))
  const name = [node.role, node.name].filter((part) => part !== undefined).join(' ')
  return [...entry('h4', node.id, name), ...texts.flatMap((text) => paragraph(text, 'p'))]
}

/** Questions to the user with their options and the answer, unless that is secret. */
function approvalBlocks(node: Approval, context: BlockContext): ElementContent[] {
  const texts = node.children.flatMap((child) => {
    if (child.type !== 'question') return []
    const { header, options, answer, secret } = child
    const own = secret || answer === undefined || options.includes(answer) ? [] : [answer]
    return [header ?? '', ...prose(child.children, context), ...options, ...own]
  })
  return entry('h3', node.id, texts.join(' '))
}

/** Findings of a review, and what an interruption or a goal says. */
function noticeBlocks(node: Notice, context: BlockContext): ElementContent[] {
  const findings = node.children.filter((child): child is Finding => child.type === 'finding')
  const texts = [
    ...(node.kind === 'review' || node.kind === 'goal' ? prose(node.children, context) : []),
    ...findings.map(({ title, path, children }) => [title, path ?? '', ...prose(children, context)].join(' ')),
  ]
  const [first = '', ...others] = texts
  return [...entry('h3', node.id, first), ...others.flatMap((text) => paragraph(squeeze(text), 'h3'))]
}

// What the output of something that failed says about the failure.

/** Lines of one command, and characters of a line, that are kept at most. */
const maxLines = 6
const longestLine = 300
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
      if (trouble.test(line)) found.add(line.trim().slice(0, longestLine))
    }
  }
  return [...found].join('\n')
}
