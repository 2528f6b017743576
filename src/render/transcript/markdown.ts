/** Transcripts as portable Markdown: GitHub's dialect, no HTML. */

import type { RootContent } from 'mdast'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import type { Session } from '../../transcript/trast.ts'
import type { RenderContext } from './context.ts'
import { headBlocks } from './mdast/head.ts'
import { footBlocks, sliceBlocks } from './mdast/table.ts'
import { transcriptToMarkdown } from './mdast/to-markdown.ts'

/** Writes the frame; bodies of messages go through as they are. */
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

function write(children: RootContent[]): string {
  return children.length === 0 ? '' : processor.stringify({ type: 'root', children })
}

/** The beginning of a transcript: title and facts. Ends with a newline. */
export function renderMarkdownHead(session: Session, context: RenderContext): string {
  return write(headBlocks(session, context))
}

/** The items of one slice, with a blank line before them; empty for a slice that shows nothing. */
export function renderMarkdownSlice(slice: Session, context: RenderContext): string {
  const text = write(sliceBlocks(slice, context))
  return text === '' ? '' : `\n${text}`
}

/** The end of a transcript, with a blank line before it: its numbers and what became of every line. */
export function renderMarkdownFoot(session: Session, context: Pick<RenderContext, 'prices'> = {}): string {
  return `\n${write(footBlocks(session, context.prices))}`
}

/** A whole transcript: head, all items, foot. */
export function renderMarkdown(session: Session, context: RenderContext): string {
  const parts = [renderMarkdownHead, renderMarkdownSlice, renderMarkdownFoot]
  return parts.map((render) => render(session, context)).join('')
}
