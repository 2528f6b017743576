/** The view of a page that stands alone: a session, and its sub-agents below it. */
import { placeLink, relativeLink, sessionPage } from '../model/urls.ts'
import { agentAnchor, type Relink, relinkView } from './alone.ts'
import type { SessionPage } from './session-page.ts'
import { sessionView } from './view.ts'
import type { AgentView, LinkView, SingleView } from './views.ts'

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
  const link = relativeLink(sessionPage(session.threadId), placeLink(parent.threadId, parent.place))
  const href = context.relink?.(link)
  return href === undefined ? undefined : { text: parent.title ?? parent.threadId, href }
}

function relinkOf({ context }: SessionPage): Relink {
  return context.relink ?? ((href) => href)
}
