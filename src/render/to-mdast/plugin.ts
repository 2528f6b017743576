/** The bridge from transcripts to remark: a unified plugin. */
import type { Root } from 'mdast'
import type { Plugin } from 'unified'
import type { Session } from '../../model/trast.ts'
import type { RenderContext } from '../context.ts'
import { referenceEngine } from '../prose/engine.ts'
import { transcriptToMarkdown } from './to-markdown.ts'
import { type HandlerMap, toMdast } from './to-mdast.ts'

/** Options of `rolloutToMdast`; every field has a default. */
export interface ToMdastOptions extends Partial<Omit<RenderContext, 'threadId'>> {
  /** Handlers that replace built-in ones, or serve node types that a plugin added (default: none). */
  handlers?: HandlerMap
}

/**
 * Turns a `session` tree into mdast: `unified().use(rolloutToMdast, options).use(remarkStringify)`.
 * Bodies of messages become `verbatim` nodes, which remark-stringify can write because the plugin registers how.
 */
export const rolloutToMdast: Plugin<[ToMdastOptions?], Session, Root> = function (options = {}) {
  const { handlers = {}, timeZone = 'UTC', threads = () => undefined, engine = referenceEngine } = options
  const data = this.data()
  const extensions = data.toMarkdownExtensions ?? []
  data.toMarkdownExtensions = extensions
  extensions.push(transcriptToMarkdown)
  return (session) => toMdast(session, { threadId: session.threadId, timeZone, threads, engine }, handlers)
}
