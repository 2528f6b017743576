/** Transcripts as portable Markdown: GitHub's dialect, no HTML. */

import type { Code, List, PhrasingContent, RootContent } from 'mdast'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import type { Session } from '../../transcript/trast.ts'
import { formatInstant } from '../../util/time.ts'
import { withoutControlsInMarkdown } from '../visible-text.ts'
import type { RenderContext } from './context.ts'
import { headBlocks, transcriptToMarkdown } from './mdast/build.ts'
import { footBlocks, sliceBlocks } from './mdast/table.ts'
import { fenceFor } from './prose/fences.ts'

/** What the front matter says in addition to the tree. */
export interface FrontMatter {
  project: string
  /** Paths of changed files; repeated ones are written once. */
  files: readonly string[]
}

/** The beginning of a transcript: front matter if it is given, title and facts. Ends with a newline. */
export function renderMarkdownHead(session: Session, context: RenderContext, matter?: FrontMatter): string {
  const head = written(headBlocks(session, context)).join('')
  return matter === undefined ? head : `${frontMatter(session, context, matter)}\n${head}`
}

/** Facts as YAML between two lines of dashes. Their texts are quoted, so that none can break out of its value. */
function frontMatter(session: Session, { timeZone }: RenderContext, { project, files }: FrontMatter): string {
  const { title, startedAt, endedAt, models, tags = [], threadId } = session
  const day = (at: string | undefined): string | undefined => at && formatInstant(at, timeZone, 'day')
  const fields: readonly [name: string, value: string | readonly string[] | undefined][] = [
    ['title', title],
    ['date', day(startedAt)],
    ['updated', day(endedAt)],
    ['project', project],
    ['models', models],
    // Obsidian ends a tag at a space.
    ['tags', ['codex', ...tags.map((tag) => tag.replace(/\s+/g, '-'))]],
    ['files', [...new Set(files)]],
    ['session', threadId],
  ]
  const lines = fields.flatMap(([name, value]) => {
    if (value === undefined || value.length === 0) return []
    if (typeof value === 'string') return [`${name}: ${inYaml(value)}`]
    return [`${name}:`, ...value.map((item) => `  - ${inYaml(item)}`)]
  })
  return ['---', ...lines, '---', ''].join('\n')
}

/** A text in double quotes, which is both JSON and YAML; invisible characters are escaped. */
function inYaml(text: string): string {
  return JSON.stringify(text).replace(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => {
    const digits = (character.codePointAt(0) ?? 0).toString(16)
    return digits.length > 4 ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`
  })
}

/** The items of one slice, with a blank line before them; empty for a slice that shows nothing. */
export function renderMarkdownSlice(slice: Session, context: RenderContext): string {
  return markdownPieces(slice, context).join('')
}

/** The items of one slice in pieces. */
export function markdownPieces(slice: Session, context: RenderContext): string[] {
  const pieces = written(sliceBlocks(slice, context))
  return pieces.length === 0 ? [] : ['\n', ...pieces]
}

/** The end of a transcript, with a blank line before it: its numbers and the account of every line. */
export function renderMarkdownFoot(session: Session, context: Pick<RenderContext, 'prices'>): string {
  return `\n${written(footBlocks(session, context.prices)).join('')}`
}

/** A whole transcript: head, all items, foot. */
export function renderMarkdown(session: Session, context: RenderContext): string {
  const parts = [renderMarkdownHead, renderMarkdownSlice, renderMarkdownFoot]
  return parts.map((render) => render(session, context)).join('')
}

/** Blocks as they are published, in pieces: characters that reorder or hide text become names. */
function written(children: readonly RootContent[]): string[] {
  return blockPieces(children).map(withoutControlsInMarkdown)
}

// Our mdast as Markdown. Most blocks are plain words, code or bodies and are written directly; remark-stringify writes all
// others, one at a time. A property test compares both.

/** Writes the frame; bodies of messages are written verbatim. */
const processor = unified()
  .data('toMarkdownExtensions', [transcriptToMarkdown])
  .use(remarkStringify, {
    bullet: '-',
    emphasis: '*',
    fences: true,
    listItemIndent: 'one',
    rule: '*',
  })
  .freeze()

/** Blocks as Markdown that ends with a newline, in pieces that split no character or mark; no pieces without blocks. */
export function blockPieces(children: readonly RootContent[]): string[] {
  const pieces = parts(children).flatMap((part, index) => (index === 0 ? [part] : ['\n\n', part]))
  const last = pieces.findLast((piece) => piece !== '')
  if (last !== undefined && !/[\r\n]/.test(last.at(-1) ?? '')) pieces.push('\n')
  return last === undefined ? [] : pieces
}

/** Blocks as Markdown, written by the package only. */
export function stringify(children: readonly RootContent[]): string {
  return processor.stringify({ type: 'root', children: [...children] })
}

/** Blocks with a blank line between them. */
function blocks(children: readonly RootContent[]): string {
  return parts(children).join('\n\n')
}

function parts(children: readonly RootContent[]): string[] {
  const written: string[] = []
  for (let start = 0, end = 1; start < children.length; start = end++) {
    // The marker of a list depends on the list directly before it, also inside a blockquote.
    while (children[end - 1]?.type === 'list' && mayBeginWithList(children[end])) end++
    const [only] = children.slice(start, end)
    const straight = only !== undefined && end === start + 1 ? block(only) : undefined
    written.push(straight ?? byPackage(children.slice(start, end)))
  }
  return written
}

function mayBeginWithList(node: RootContent | undefined): boolean {
  return node?.type === 'list' || node?.type === 'blockquote'
}

const rule = { type: 'thematicBreak' } as const

/** Blocks as the package writes them. A rule is appended and cut off again, which keeps line ends of the last block. */
function byPackage(nodes: readonly RootContent[]): string {
  return stringify([...nodes, rule]).slice(0, -'\n\n***\n'.length)
}

/** A block of common content; `undefined` for any other. */
function block(node: RootContent): string | undefined {
  switch (node.type) {
    case 'verbatim':
      return node.value
    case 'thematicBreak':
      return '***'
    case 'code':
      return code(node)
    case 'paragraph':
      return phrases(node.children)
    case 'heading': {
      const text = phrases(node.children)
      return text === undefined ? undefined : `${'#'.repeat(node.depth)} ${text}`
    }
    case 'list':
      return list(node)
    case 'blockquote': {
      const text = blocks(node.children)
      return text.includes('\r') ? undefined : text.replace(/^(?=.)/gm, ' ').replace(lineStart, '>')
    }
    default:
      return undefined
  }
}

const lineStart = /(?<=^|\n)/g

function code({ value, lang, meta }: Code): string | undefined {
  if (meta || (lang && !/^[a-z\d-]+$/i.test(lang))) return undefined
  const fence = fenceFor(value)
  return `${fence}${lang ?? ''}\n${value === '' ? '' : `${value}\n`}${fence}`
}

/** A list of single lines without numbers and check boxes; `undefined` for any other. */
function list({ children, ordered, spread }: List): string | undefined {
  const lines: string[] = []
  for (const { children: inner, checked, spread: isSpread } of children) {
    const [only, ...others] = inner
    if (only?.type !== 'paragraph' || others.length > 0 || typeof checked === 'boolean' || isSpread) return undefined
    const text = phrases(only.children)
    if (text === undefined) return undefined
    lines.push(`- ${text}`)
  }
  return lines.length === 0 || ordered || spread !== false ? undefined : lines.join('\n')
}

/** Words in which no character except the underscore can mean anything to Markdown, within a line and at its beginning. */
const plainWords = /^(?:[a-z\d_ ,;()·…→−%+\-/'"=]|:(?!\/)|(?<!w)\.)*$/i
const plainStart = /^(?!\d+(?:\)|\.(?!\d)))[a-z\d·…→−]/i
/** Paths of our own links. */
const plainPath = /^[\w./#-]+$/

/** A line of plain words, bold words, code and links of our own; `undefined` for anything else. */
function phrases(children: readonly PhrasingContent[]): string | undefined {
  let line = ''
  for (const [index, node] of children.entries()) {
    const text = phrase(node, children[index + 1])
    if (text === undefined || (index === 0 && node.type === 'text' && !plainStart.test(text))) return undefined
    line += text
  }
  // Markdown drops a space at the end of a line.
  return line === '' || line.endsWith(' ') ? undefined : line
}

function phrase(node: PhrasingContent, next: PhrasingContent | undefined): string | undefined {
  switch (node.type) {
    case 'text':
      return onlyWords([node])
    case 'inlineCode':
      return /^[^`\s](?:[^`\r\n]*[^`\s])?$/.test(node.value) ? `\`${node.value}\`` : undefined
    case 'strong':
      return bold(onlyWords(node.children), next)
    case 'link': {
      const words = onlyWords(node.children)
      return words && !node.title && plainPath.test(node.url) ? `[${words}](${node.url})` : undefined
    }
    default:
      return undefined
  }
}

/** Bold words; `undefined` unless they begin and end with a letter or digit, or with a bracket before a space or the end. */
function bold(words: string | undefined, next: PhrasingContent | undefined): string | undefined {
  const isApart = next === undefined || (next.type === 'text' && next.value.startsWith(' '))
  const holds = isApart ? /^[a-z\d](?:.*[a-z\d)])?$/i : /^[a-z\d](?:.*[a-z\d])?$/i
  return words !== undefined && holds.test(words) ? `**${words}**` : undefined
}

/** The plain words of the only child, escaped; `undefined` if there is anything else. */
function onlyWords([only, ...others]: readonly PhrasingContent[]): string | undefined {
  if (only?.type !== 'text' || others.length > 0 || !plainWords.test(only.value)) return undefined
  return only.value.replaceAll('_', '\\_')
}
