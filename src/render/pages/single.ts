/** The view of a page that stands alone: a session, and its sub-agents below it. */

import { anchorLink, relativeLink, sessionPage } from '../../transcript/urls.ts'
import type { AgentView, LinkView, SingleView } from '../views.ts'
import { sessionView } from './session.ts'
import type { SessionPage } from './session-page.ts'
import { agentAnchor, type Relink, relinkView } from './standalone.ts'

/** The view for `html/single.eta` without style sheet, script and policy. Throws where there is no page. */
export function singleView(pages: readonly SessionPage[]): Omit<SingleView, 'style' | 'script' | 'policy'> {
  const [first, ...below] = pages
  if (first === undefined) throw new TypeError('Expected a session')
  const agents = below.map(agentView)
  const view = relinkView(sessionView(first), relinkOf(first))
  const outline = agents.map(({ id, heading }) => ({ text: `Sub-agent: ${heading}`, href: `#${id}`, here: true }))
  return { ...view, outline: [...view.outline, ...outline], agents }
}

function agentView(page: SessionPage): AgentView {
  const { heading, facts, receipt, downloads, body } = relinkView(sessionView(page), relinkOf(page))
  const origin = originOf(page)
  return {
    id: agentAnchor(page.session.threadId),
    heading,
    facts,
    receipt,
    downloads,
    body,
    ...(origin === undefined ? {} : { origin }),
  }
}

/** The thread that started this one, at the call that did. */
function originOf({ session, neighbours: { parent }, context }: SessionPage): LinkView | undefined {
  if (parent === undefined) return undefined
  const link = relativeLink(sessionPage(session.threadId), anchorLink(parent.threadId, parent.place))
  const href = context.relink?.(link)
  return href === undefined ? undefined : { text: parent.title ?? parent.threadId, href }
}

function relinkOf({ context }: SessionPage): Relink {
  return context.relink ?? ((href) => href)
}

// Style sheets and scripts inside a page.

/**
 * A script as the content of a `script` element. Browsers hash what they parsed, so that line breaks are theirs; what
 * would end the element or comment it out is escaped, which means the same inside strings.
 */
export function inlineScript(source: string): string {
  return parsedBreaks(source).replace(/<(?=\/script|!--)/gi, '\\x3C')
}

/** A style sheet as the content of a `style` element. */
export function inlineStyle(source: string): string {
  return parsedBreaks(source).replace(/<(?=\/style)/gi, '\\3C ')
}

function parsedBreaks(source: string): string {
  return source.replace(/\r\n?/g, '\n')
}
