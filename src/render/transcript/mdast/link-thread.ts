/** Links from one transcript to another. */

import { relativeLink, sessionMarkdown } from '../../../transcript/urls.ts'
import type { RenderContext } from '../context.ts'
import { type Inline, link, mono } from './build.ts'

/** The title of a thread as a link to its Markdown, or its id where the site has no page for it. */
export function threadLink(threadId: string, context: RenderContext): Inline[] {
  const target = context.threads(threadId)
  if (target === undefined) return [mono(threadId)]
  if (!target.built) return [target.title, ' (', mono(threadId), ')']
  return [link(relativeLink(sessionMarkdown(context.threadId), sessionMarkdown(threadId)), target.title || threadId)]
}
