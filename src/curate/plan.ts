/** What is to be left out of one session. */

import { contentKinds, type Publication, type SessionCuration, type Visibility } from '../model/publication.ts'
import type { Selection } from '../model/selection.ts'

/** Decisions for one session, ready to be applied. */
export interface CurationPlan {
  visibility: Visibility
  /** Turns and lines. */
  exclude: readonly Selection[]
  /** In place of the session's own. */
  title?: string
  /** Markdown for the head of the first page. */
  note?: string
  /** Copied history of a session of which parts are left out: they would stand here. */
  withoutInherited?: boolean
  /** UTF-16 units of each output that are published. */
  maxOutput?: number
}

/** Joins what holds for all sessions with what was decided for this one. */
export function planOf(
  { visibility, maxOutput }: Pick<Publication, 'visibility' | 'maxOutput'>,
  curation: SessionCuration | undefined,
): CurationPlan {
  const common = { visibility, exclude: [], ...(maxOutput === undefined ? {} : { maxOutput }) }
  if (curation === undefined) return common
  const { exclude, title, note } = curation
  const omitted = exclude.flatMap((selection) => (selection.by === 'category' ? [selection.category] : []))
  const kinds = contentKinds.filter((kind) => omitted.includes(kind))
  return {
    ...common,
    visibility: { ...visibility, ...Object.fromEntries(kinds.map((kind) => [kind, 'omit'])) },
    exclude: exclude.filter(({ by }) => by !== 'category'),
    ...(title === undefined ? {} : { title }),
    ...(note === undefined ? {} : { note }),
  }
}

/** Whether anything is left out under a plan. */
export function leavesOut({ visibility, exclude, withoutInherited = false, maxOutput }: CurationPlan): boolean {
  if (maxOutput !== undefined) return true
  return exclude.length > 0 || withoutInherited || contentKinds.some((kind) => visibility[kind] === 'omit')
}

/** Whether a plan changes anything. */
export function isPlain(plan: CurationPlan): boolean {
  const { visibility, title, note } = plan
  if (leavesOut(plan) || title !== undefined || note !== undefined) return false
  return contentKinds.every((kind) => visibility[kind] === 'show')
}
