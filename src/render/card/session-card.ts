/** What the card of a session tells. */
import type { ProjectRef } from '../../model/summary.ts'
import type { Session } from '../../model/trast.ts'
import type { SiteInfo } from '../../model/view.ts'
import { formatAmount, formatInstant } from '../../util/time.ts'
import { firstLine } from '../words.ts'
import type { CardFacts } from './card.ts'

/** Title, project, day and the numbers that tell most, of a session with its final statistics. */
export function sessionCardFacts(session: Session, project: ProjectRef, site: SiteInfo): CardFacts {
  const { turns, edits } = session.stats
  const facts = [
    session.startedAt === undefined ? '' : formatInstant(session.startedAt, site.timeZone, 'day'),
    formatAmount(turns, 'turn'),
    edits.files === 0 ? '' : `${formatAmount(edits.files, 'file')} changed`,
  ]
  return {
    site: site.title,
    title: firstLine(session.title, 300),
    project: project.name,
    facts: facts.filter((fact) => fact !== ''),
  }
}
