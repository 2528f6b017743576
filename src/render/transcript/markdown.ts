/** Transcripts as portable Markdown: GitHub's dialect, no HTML. */

import type { Session } from '../../transcript/trast.ts'
import { formatInstant } from '../../util/time.ts'
import type { RenderContext } from './context.ts'
import { headBlocks } from './mdast/head.ts'
import { footBlocks, sliceBlocks } from './mdast/table.ts'
import { writeBlocks } from './mdast/write.ts'

/** What the front matter says beside the tree. */
export interface FrontMatter {
  project: string
  /** Paths of changed files; each is named once. */
  files: readonly string[]
}

/** The beginning of a transcript: front matter where it is given, title and facts. Ends with a newline. */
export function renderMarkdownHead(session: Session, context: RenderContext, matter?: FrontMatter): string {
  const head = writeBlocks(headBlocks(session, context))
  return matter === undefined ? head : `${frontMatter(session, context, matter)}\n${head}`
}

/** Facts as YAML between two lines of dashes. None of their texts can end its value. */
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

/** A text in double quotes, which is JSON and YAML; what cannot be seen is escaped. */
function inYaml(text: string): string {
  return JSON.stringify(text).replace(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => {
    const digits = (character.codePointAt(0) ?? 0).toString(16)
    return digits.length > 4 ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`
  })
}

/** The items of one slice, with a blank line before them; empty for a slice that shows nothing. */
export function renderMarkdownSlice(slice: Session, context: RenderContext): string {
  const text = writeBlocks(sliceBlocks(slice, context))
  return text === '' ? '' : `\n${text}`
}

/** The end of a transcript, with a blank line before it: its numbers and what became of every line. */
export function renderMarkdownFoot(session: Session, context: Pick<RenderContext, 'prices'> = {}): string {
  return `\n${writeBlocks(footBlocks(session, context.prices))}`
}

/** A whole transcript: head, all items, foot. */
export function renderMarkdown(session: Session, context: RenderContext): string {
  const parts = [renderMarkdownHead, renderMarkdownSlice, renderMarkdownFoot]
  return parts.map((render) => render(session, context)).join('')
}
