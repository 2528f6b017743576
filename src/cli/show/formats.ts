/** How `show` writes a thread piece by piece: each slice when it passes, head and foot when the numbers are known. */

import type { Settings } from '../../config/settings.ts'
import type { RenderContext } from '../../render/transcript/context.ts'
import { renderBody } from '../../render/transcript/html.ts'
import { envelopeFoot, envelopeHead } from '../../render/transcript/json.ts'
import { renderMarkdownFoot, renderMarkdownHead, renderMarkdownSlice } from '../../render/transcript/markdown.ts'
import { renderTextFoot, renderTextHead, renderTextSlice } from '../../render/transcript/text/text.ts'
import type { Session } from '../../transcript/trast.ts'

/** A slice in a format; for HTML the body of the page. */
export const sliceIn: Readonly<Record<Settings['format'], (slice: Session, context: RenderContext) => string>> = {
  html: renderBody,
  md: renderMarkdownSlice,
  text: renderTextSlice,
  json: ({ children }) => children.map((child) => JSON.stringify(child)).join(','),
}

/** What stands around and between the slices of a thread. */
export interface Frame {
  head: string
  separator: string
  foot: string
}

/** The frame of a thread in the formats that are no page. */
export function frameIn(
  format: Exclude<Settings['format'], 'html'>,
  session: Session,
  { context, generator }: { context: RenderContext; generator: string },
): Frame {
  if (format === 'json') return { head: envelopeHead(session, generator), separator: ',', foot: envelopeFoot(session) }
  if (format === 'text')
    return { head: renderTextHead(session, context), separator: '', foot: renderTextFoot(session, context) }
  return { head: renderMarkdownHead(session, context), separator: '', foot: renderMarkdownFoot(session, context) }
}
