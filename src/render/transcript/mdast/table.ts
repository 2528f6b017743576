/** The handler table: one entry for every type of node, so that a new type does not compile until it has one. */

import type { Root, RootContent } from 'mdast'
import type { Plugin } from 'unified'
import type { PriceTable } from '../../../config/prices.ts'
import { failuresAmong } from '../../../transcript/fixes.ts'
import type { Image, Markdown, Message, Session, Turn } from '../../../transcript/trast.ts'
import { assetPath, relativeLink, sessionMarkdown } from '../../../transcript/urls.ts'
import { sumBy } from '../../../util/groups.ts'
import { prettyJson } from '../../../util/json.ts'
import { isSamePath } from '../../../util/paths.ts'
import { stripControls } from '../../../util/printable.ts'
import { beginningOf, joinTexts } from '../../../util/text.ts'
import { formatBytes } from '../../../util/time.ts'
import { messageLabel, receiptRows, turnError, turnFacts, turnTitle } from '../../labels.ts'
import { omissionLine, piecesOf } from '../../omissions.ts'
import { totalRows } from '../../pages/totals.ts'
import { brokenPicture, statusWord } from '../../phrases.ts'
import { type BridgeOptions, bridgeContext, type RenderContext } from '../context.ts'
import { portableBody } from '../prose/portable.ts'
import { isTyped } from '../prose/typed.ts'
import {
  factLine,
  factList,
  fence,
  headBlocks,
  heading,
  type Inline,
  mono,
  oneLine,
  paragraph,
  quote,
  strong,
  transcriptToMarkdown,
  webLink,
} from './build.ts'
import { calls } from './calls.ts'
import { notices } from './notices.ts'
import { createState, fencedLiteral, type Handlers, type State } from './state.ts'

/** The built-in handlers: one for every type of node, so that a new type does not compile until it has one. */
export const handlers: Handlers = {
  ...calls,
  ...notices,

  /** Heading 3 with the role, then the body; a collapsed injected message is one line. */
  message: (node, state) => {
    if (node.origin === 'injected' && node.data?.visibility === 'collapsed') return [injectedLine(node)]
    const body = state.at({ typed: isTyped(node) }).all(node.children)
    // Inside a quote, a heading would count as one of the frame.
    if (state.quoted) return [paragraph(strong(messageLabel(node))), ...body]
    return [heading(3, messageLabel(node)), ...body]
  },

  /** What comes before the first turn. */
  preamble: (node, state) => {
    const children = state.all(node.children)
    if (children.length === 0 || node.data?.continued) return children
    return [heading(2, 'Before the first turn'), ...children]
  },

  /** Heading 2 with a line of facts; a turn continued from the previous slice has neither. */
  turn: (node, state) => {
    const inner = state.at({ cwd: node.cwd ?? state.cwd, fixes: failuresAmong(node.children).repairs })
    const children = inner.all(node.children)
    const body = [...children, ...failure(node)]
    if (node.data?.continued) return body
    return [heading(2, turnTitle(node, state.mark)), ...factLine(facts(node, state)), ...body]
  },

  /** A body of Markdown. */
  markdown: proseBlocks,

  /** Fenced text; complete JSON is indented. The language is dropped if it is more than a word. */
  text: (node, state) => {
    const pretty = node.lang === 'json' && node.omitted === undefined ? prettyJson(node.value) : undefined
    if (pretty !== undefined) return fence(pretty, 'json')
    return fencedLiteral(node, state, node.lang !== undefined && /^[\w+#.-]+$/.test(node.lang) ? node.lang : undefined)
  },

  /** A blockquote with a label. */
  reasoning: (node, state) => {
    const body = state.at({ quoted: true }).all(node.children)
    const note = body.length === 0 ? ` (${node.encrypted ? 'encrypted' : 'empty'})` : ''
    const label = node.form === 'raw' ? 'Reasoning, in full' : 'Reasoning'
    return [quote([paragraph(strong(label), note), ...body])]
  },

  /** The copied asset as a picture, or a line that says what it was. The original source is never loaded. */
  image: (node, { context }) => {
    const alt = oneLine(node.alt ?? '').trim() || words[node.origin]
    if (node.asset !== undefined) {
      const url = relativeLink(sessionMarkdown(context.threadId), assetPath(node.asset))
      return [{ type: 'paragraph', children: [{ type: 'image', url, alt }] }]
    }
    const details = joinTexts([node.mediaType, node.bytes === undefined ? '' : formatBytes(node.bytes)], ', ')
    const source: Inline[] = node.url === undefined ? [] : [': ', mono(shownUrl(node.url))]
    const note = node.broken ? brokenPicture : 'not included'
    return [paragraph(`${alt}, ${note}`, details === '' ? '' : ` (${details})`, ...source)]
  },
}

function injectedLine(node: Message): RootContent {
  const bytes = sumBy(node.children, (child) => size(child))
  return paragraph(strong(messageLabel(node)), ` · ${formatBytes(bytes)} not shown`)
}

function size(node: Message['children'][number]): number {
  return 'value' in node ? Buffer.byteLength(node.value) + (node.omitted?.bytes ?? 0) : 0
}

function facts(node: Turn, state: State): Inline[] {
  const { cwd } = node
  return [
    ...turnFacts(node, state.context.timeZone),
    cwd === undefined || isSamePath(cwd, state.cwd) ? '' : mono(cwd),
    statusWord(node.status),
  ]
}

function failure(node: Turn): RootContent[] {
  const error = turnError(node)
  return error === undefined ? [] : [quote([paragraph(strong('Error'), `: ${error}`)])]
}

// Markdown bodies: verbatim if they can be made portable, else fenced.

/** Blocks of a body. */
function proseBlocks(node: Markdown, state: State): RootContent[] {
  const { head, tail, omitted } = piecesOf(node)
  if (omitted === undefined) return piece(head, node.id, state)
  return [
    ...piece(head, node.id, state),
    paragraph(omissionLine(omitted)),
    // The labels of both pieces must differ, because each piece is parsed as a separate text.
    ...piece(tail, `${node.id}.tail`, state),
  ]
}

function piece(value: string, id: string, state: State): RootContent[] {
  if (value.trim() === '') return []
  const { quoted, typed, context } = state
  const body = portableBody(value, { id, engine: context.engine, typed, quoted })
  if (body === undefined) return fence(stripControls(value))
  return body === '' ? [] : [{ type: 'verbatim', value: body }]
}

const words: Readonly<Record<Image['origin'], string>> = {
  attached: 'Attached picture',
  generated: 'Generated picture',
  viewed: 'Viewed picture',
  tool: 'Picture from a tool',
}

/** An address without the bytes that a `data:` address carries. */
function shownUrl(url: string): string {
  return /^\s*data:/i.test(url) ? `${beginningOf(url.trim(), 40)}…` : url
}

// A transcript, or a slice of one, as mdast.

/** Handlers that replace built-in ones or handle node types that a plugin added. */
type HandlerMap = Partial<Handlers> & Record<string, unknown>

/** Blocks of the items of a slice: everything except title, facts and receipt. */
export function sliceBlocks(slice: Session, context: RenderContext, replacements: HandlerMap = {}): RootContent[] {
  return createState(slice, context, { ...handlers, ...replacements }).all(slice.children)
}

/** The whole transcript: title and facts, items, receipt. */
function toMdast(session: Session, context: RenderContext, replacements: HandlerMap = {}): Root {
  const children = [
    ...headBlocks(session, context),
    ...sliceBlocks(session, context, replacements),
    ...footBlocks(session, context.prices),
  ]
  return { type: 'root', children }
}

// The bridge from transcripts to remark: a unified plugin.

/** Options of `rolloutToMdast`; every field has a default. */
export interface ToMdastOptions extends BridgeOptions {
  /** Handlers that replace built-in ones or handle node types that a plugin added (default: none). */
  handlers?: HandlerMap
}

/**
 * Converts a `session` tree to mdast: `unified().use(rolloutToMdast, options).use(remarkStringify)`.
 * Bodies of messages become `verbatim` nodes; the plugin registers how remark-stringify writes these.
 */
export const rolloutToMdast: Plugin<[ToMdastOptions?], Session, Root> = function ({ handlers = {}, ...options } = {}) {
  const data = this.data()
  const extensions = data.toMarkdownExtensions ?? []
  data.toMarkdownExtensions = extensions
  extensions.push(transcriptToMarkdown)
  return (session) => toMdast(session, bridgeContext(session.threadId, options), handlers)
}

// The receipt: an account of every line.

/** Heading 2 and a list: numbers of the thread, what its commands made, then its lines by how they were treated. */
export function footBlocks(session: Session, prices: PriceTable | undefined): RootContent[] {
  const { lines, commits = [], pullRequests = [] } = session.stats
  const plain = (rows: [string, string][]) => rows.map(([label, value]): [string, Inline[]] => [label, [value]])
  const rows: [string, Inline[]][] = [
    ...plain(totalRows(session, prices)),
    ['Commits', listed(commits.map((hash) => [mono(hash)]))],
    ['Pull requests', listed(pullRequests.map((url) => webLink(url, url)))],
    ...plain(receiptRows(lines)),
  ]
  return [heading(2, 'Receipt'), factList(rows)]
}

function listed(items: Inline[][]): Inline[] {
  return items.flatMap((item, index) => (index === 0 ? item : [', ', ...item]))
}
