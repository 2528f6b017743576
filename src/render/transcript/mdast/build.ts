/** Helpers that make mdast nodes for the frame around bodies, and how mdast-util-to-markdown writes our trees. */

import type {
  BlockContent,
  Blockquote,
  Code,
  DefinitionContent,
  Link,
  List,
  ListItem,
  Literal,
  Paragraph,
  PhrasingContent,
  RootContent,
  Text,
} from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import type { Handle, Info, Options, State } from 'mdast-util-to-markdown'
import type { Session } from '../../../transcript/trast.ts'
import { relativeLink, sessionMarkdown } from '../../../transcript/urls.ts'
import { defined } from '../../../util/own.ts'
import { stripAnsi } from '../../../util/printable.ts'
import { codePointOffset, joinTexts } from '../../../util/text.ts'
import { formatInstant } from '../../../util/time.ts'
import type { RenderContext } from '../context.ts'
import { isWebUrl } from '../prose/schemes.ts'
import { codeParts } from '../prose/typed.ts'

/** Inline content; a string is literal text on one line. */
export type Inline = string | PhrasingContent

/** Inline nodes from mixed content; consecutive strings become one text. */
function inline(parts: readonly Inline[]): PhrasingContent[] {
  const nodes: PhrasingContent[] = []
  for (const part of parts) {
    const last = nodes.at(-1)
    if (typeof part !== 'string') nodes.push(part)
    else if (part !== '' && last?.type === 'text') last.value += oneLine(part)
    else if (part !== '') nodes.push({ type: 'text', value: oneLine(part) })
  }
  return nodes
}

/** A text on one line, without controls; spaces at its ends are kept. */
export function oneLine(text: string): string {
  return stripAnsi(text).replace(/[\n\u2028\u2029]\s*/g, ' ')
}

/** Inline content, or a list of it, because a record may contain more parts than a call can have arguments. */
type Phrase = Inline | readonly Inline[]

/** A paragraph. */
export function paragraph(...parts: readonly Phrase[]): Paragraph {
  return { type: 'paragraph', children: inline(parts.flat()) }
}

/** A heading of the frame. */
export function heading(depth: 1 | 2 | 3, title: string): RootContent {
  return { type: 'heading', depth, children: inline([oneLine(title).trim()]) }
}

/** Bold text. */
export function strong(...parts: readonly Phrase[]): PhrasingContent {
  return { type: 'strong', children: inline(parts.flat()) }
}

/** A short text that a model wrote, with its inline code. */
export function withCode(text: string): Inline[] {
  return codeParts(text).map(({ kind, value }) => (kind === 'code' ? mono(value) : value))
}

/** Literal text as inline code: paths, ids, queries. An empty string if the text is empty. */
export function mono(text: string): Inline {
  const value = oneLine(text).trim()
  return value === '' ? '' : { type: 'inlineCode', value }
}

/** A link to an external page, or words and destination as text if it is not an address of the web. */
export function webLink(url: string, words: string): Inline[] {
  const target = oneLine(url).trim()
  const label = oneLine(words).trim()
  if (isWebUrl(target)) return [link(target, label || target)]
  return label === '' || label === target ? [mono(target)] : [`${label} `, mono(target)]
}

/** A link to a path of the site itself. */
export function link(url: string, words: string): Link {
  return { type: 'link', url, children: [{ type: 'text', value: oneLine(words).trim() }] }
}

/** A fenced block without trailing blank lines; an empty list for an empty value. */
export function fence(value: string, lang?: string): Code[] {
  const text = stripAnsi(value).trimEnd()
  return text === '' ? [] : [{ type: 'code', value: text, ...defined({ lang }) }]
}

/** A blockquote of whole blocks. */
export function quote(children: RootContent[]): Blockquote {
  return { type: 'blockquote', children: children.filter(isBlock) }
}

function isBlock(node: RootContent): node is BlockContent | DefinitionContent {
  return blocks.has(node.type)
}

const blocks = new Set<string>('paragraph code list blockquote verbatim thematicBreak heading table'.split(' '))

/** `a · b · c` as a paragraph; an empty list if no fact is left. */
export function factLine(facts: readonly Inline[]): Paragraph[] {
  const shown = facts.filter((fact) => fact !== '')
  if (shown.length === 0) return []
  return [paragraph(shown.flatMap((fact, index) => (index === 0 ? [fact] : [' · ', fact])))]
}

// Links from one transcript to another.

/** The title of a thread as a link to its Markdown; without a link, and with its id, if the site has no page for it. */
export function threadLink(threadId: string, context: RenderContext): Inline[] {
  const target = context.threads(threadId)
  if (target === undefined) return [mono(threadId)]
  if (!target.built) return [target.title, ' (', mono(threadId), ')']
  return [link(relativeLink(sessionMarkdown(context.threadId), sessionMarkdown(threadId)), target.title || threadId)]
}

// How trees are written: GitHub's dialect, verbatim bodies, and plain words cheaply.

const verbatim = (node: Verbatim): string => node.value

/** Words, numbers and marks that mean nothing to Markdown: no list marker, no bare address. */
const plain = /^(?!\d+[.)])[a-z0-9 ·…→−](?:[a-z0-9 ,:;()·…→−%]|(?<!w)\.)*$/i

/** Writes a text. Most texts of the frame are plain, and trying a hundred patterns on each would be most of the work. */
const text: Handle = (node: Text, _parent, state, info) => {
  const { value } = node
  const edge = (info.before === '\n' && value.startsWith(' ')) || (info.after === '\n' && value.endsWith(' '))
  return !edge && plain.test(value) ? value : withoutEscapedTags(safe(value, state, info))
}

/** Characters of a text that are escaped at once, and characters before them that may affect their meaning. */
const maxSafe = 1024
const maxBefore = 64

/** A text with escapes. Long texts are escaped in pieces, because the package compares each escaped mark with all others. */
function safe(value: string, state: State, info: Info): string {
  if (value.length <= maxSafe) return state.safe(value, info)
  let text = ''
  for (let start = 0, end = 0; start < value.length; start = end) {
    end = endOfPiece(value, start)
    const before = start === 0 ? info.before : value.slice(Math.max(0, start - maxBefore), start)
    text += state.safe(value.slice(start, end), { ...info, before, after: value[end] ?? info.after })
  }
  return text
}

/** Where a piece ends: between two letters or digits if possible, so that no mark is separated from its neighbours. */
function endOfPiece(value: string, start: number): number {
  const limit = start + maxSafe
  if (limit >= value.length) return value.length
  for (let end = limit; end > limit - maxBefore; end--)
    if (/^[a-z\d]{2}$/i.test(value.slice(end - 1, end + 1))) return end
  return codePointOffset(value, limit)
}

/** Writes `&lt;` instead of `\\<`: in a lenient parser a bare address absorbs the backslash, which leaves a tag after it. */
function withoutEscapedTags(markdown: string): string {
  return markdown.includes('<') ? markdown.replace(/(?<!\\)((?:\\\\)*)\\</g, '$1&lt;') : markdown
}

/** Merges nested extensions into one, because otherwise they would be unfolded at every call. */
function flatten(extensions: readonly Options[]): Options {
  const flat = extensions.map((extension) => (extension.extensions ? flatten(extension.extensions) : extension))
  return {
    handlers: Object.assign({}, ...flat.map(({ handlers }) => handlers)),
    join: flat.flatMap(({ join }) => join ?? []),
    unsafe: flat.flatMap(({ unsafe }) => unsafe ?? []),
  }
}

/** All extensions merged into one. */
export const transcriptToMarkdown: Options = flatten([gfmToMarkdown(), { handlers: { verbatim, text } }])

// A block of Markdown that is written verbatim.

/** Markdown that needs no escapes: a portable body. */
interface Verbatim extends Literal {
  type: 'verbatim'
}

declare module 'mdast' {
  interface BlockContentMap {
    verbatim: Verbatim
  }
  interface RootContentMap {
    verbatim: Verbatim
  }
}

// Title and facts of a transcript.

/**
 * Heading 1, the first sentence of the last answer, and a list of what is known before the first item is read. Models, state
 * and numbers are in the foot, because they are final only after the last item.
 */
export function headBlocks(session: Session, context: RenderContext): RootContent[] {
  const title = session.title.trim() === '' ? 'Untitled session' : session.title
  const { subtitle = '' } = context
  return [heading(1, title), ...(subtitle === '' ? [] : [paragraph(subtitle)]), factList(facts(session, context))]
}

/** `- **label**: value` rows; a row without a value is left out. */
export function factList(rows: [label: string, value: Inline[]][]): List {
  const shown = rows.filter(([, value]) => value.some((part) => part !== ''))
  return bullets(shown.map(([label, value]) => [`${label}: `, ...value]))
}

/** A list of lines. */
export function bullets(lines: readonly Inline[][]): List {
  const children = lines.map((line): ListItem => ({ type: 'listItem', spread: false, children: [paragraph(line)] }))
  return { type: 'list', ordered: false, spread: false, children }
}

function facts(session: Session, context: RenderContext): [string, Inline[]][] {
  const { git = {}, client, lineage, startedAt, endedAt } = session
  const instant = (at: string | undefined) => (at === undefined ? '' : formatInstant(at, context.timeZone))
  return [
    ['Session', [mono(session.threadId)]],
    ['Starred', [session.star ? 'yes' : '']],
    ['Tags', [(session.tags ?? []).join(', ')]],
    ['Started', [instant(startedAt)]],
    ['Last activity', [instant(endedAt)]],
    ['Time zone', [startedAt === undefined && endedAt === undefined ? '' : context.timeZone]],
    ['Folder', [mono(session.cwd ?? '')]],
    ['Repository', git.remote === undefined ? [] : webLink(git.remote, git.remote)],
    ['Branch', [mono(git.branch ?? '')]],
    ['Commit', [mono(git.commit ?? '')]],
    ['Codex', [joinTexts([client.version, client.originator, client.source], ', ')]],
    ['Parent', lineage.parentId === undefined ? [] : threadLink(lineage.parentId, context)],
    ['Forked from', lineage.forkedFromId === undefined ? [] : threadLink(lineage.forkedFromId, context)],
    ['Archived', [session.archived ? 'yes' : '']],
  ]
}
