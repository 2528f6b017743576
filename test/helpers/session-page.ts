/** Pages of sessions that are made by hand. */

import type { SessionPage } from '../../src/render/pages/session/session-page.ts'
import { overviewCollector } from '../../src/site/collect/overview.ts'
import type { SessionOverview } from '../../src/transcript/overview.ts'
import type { Session } from '../../src/transcript/trast.ts'
import { context, siteInfo } from './render.ts'
import { detail, facts } from './summary.ts'
import { session } from './tree.ts'

/** The overview of a thread with these pages. */
export function overviewOf(...pages: Session[]): SessionOverview {
  const collector = overviewCollector()
  for (const [index, page] of pages.entries()) collector.take(page, index + 1)
  return collector.overview()
}

/** What the page of a session is made of; by default, the session has one empty page. */
export function sessionPage(fields: Partial<SessionPage> = {}): SessionPage {
  const { session: tree = session([]) } = fields
  return {
    session: tree,
    facts: facts(),
    project: { slug: 'garden-000000', name: 'garden' },
    page: 1,
    neighbours: { forks: [], agents: [] },
    overview: overviewOf(tree),
    detail: detail({ threadId: tree.threadId }),
    body: '<p>turns</p>',
    site: siteInfo(),
    context: context(),
    ...fields,
  }
}
