/** How `show` writes a thread piece by piece: each slice when it passes, head and foot when the numbers are known. */
import type { ShowFormat } from '../config/settings.ts'
import type { Session } from '../model/trast.ts'
import type { RenderContext } from '../render/context.ts'
import { renderBody } from '../render/html.ts'
import { renderMarkdownFoot, renderMarkdownHead, renderMarkdownSlice } from '../render/markdown.ts'
import { renderTextFoot, renderTextHead, renderTextSlice } from '../render/text.ts'
import { envelopeFoot, envelopeHead } from './json-tree.ts'

/** A slice in a format; for HTML the body of the page. */
export const sliceIn: Readonly<Record<ShowFormat, (slice: Session, context: RenderContext) => string>> = {
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
  format: Exclude<ShowFormat, 'html'>,
  session: Session,
  { context, generator }: { context: RenderContext; generator: string },
): Frame {
  if (format === 'json') return { head: envelopeHead(session, generator), separator: ',', foot: envelopeFoot(session) }
  if (format === 'text')
    return { head: renderTextHead(session, context), separator: '', foot: renderTextFoot(session, context) }
  return { head: renderMarkdownHead(session, context), separator: '', foot: renderMarkdownFoot(session, context) }
}
