/** Messages of every role. */
import type { RootContent } from 'mdast'
import type { Message, PhraseContent } from '../../../model/trast.ts'
import { formatBytes } from '../../../util/time.ts'
import { messageLabel } from '../../labels.ts'
import { heading, paragraph, strong } from '../build.ts'
import type { Handle } from '../state.ts'

/** Heading 3 with the role, then the body. A collapsed injected message is one line. */
export const message: Handle<Message> = (node, state) => {
  if (node.origin === 'injected' && node.data?.visibility === 'collapsed') return [injectedLine(node)]
  const body = state.at({ breaks: node.origin === 'typed' }).all(node.children)
  // Inside a quote a heading would count as one of the frame's.
  if (state.quoted) return [paragraph(strong(messageLabel(node))), ...body]
  return [heading(3, messageLabel(node)), ...body]
}

function injectedLine(node: Message): RootContent {
  const bytes = node.children.reduce((sum, child) => sum + size(child), 0)
  return paragraph(strong(messageLabel(node)), ` · ${formatBytes(bytes)} not shown`)
}

function size(node: PhraseContent): number {
  return 'value' in node ? Buffer.byteLength(node.value) + (node.omitted?.bytes ?? 0) : 0
}
