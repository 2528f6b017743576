/** What is to be left out of one session. */

import { contentKinds, type SessionCuration, type Visibility } from '../model/publication.ts'
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
}

/** Joins what holds for all sessions with what was decided for this one. */
export function planOf(visibility: Visibility, curation: SessionCuration | undefined): CurationPlan {
  if (curation === undefined) return { visibility, exclude: [] }
  const { exclude, title, note } = curation
  const omitted = exclude.flatMap((selection) => (selection.by === 'category' ? [selection.category] : []))
  const kinds = contentKinds.filter((kind) => omitted.includes(kind))
  return {
    visibility: { ...visibility, ...Object.fromEntries(kinds.map((kind) => [kind, 'omit'])) },
    exclude: exclude.filter(({ by }) => by !== 'category'),
    ...(title === undefined ? {} : { title }),
    ...(note === undefined ? {} : { note }),
  }
}

/** Whether anything is left out under a plan. */
export function leavesOut({ visibility, exclude, withoutInherited = false }: CurationPlan): boolean {
  return exclude.length > 0 || withoutInherited || contentKinds.some((kind) => visibility[kind] === 'omit')
}

/** Whether a plan changes anything. */
export function isPlain({ visibility, exclude, title, note, withoutInherited }: CurationPlan): boolean {
  if (exclude.length > 0 || title !== undefined || note !== undefined || withoutInherited) return false
  return contentKinds.every((kind) => visibility[kind] === 'show')
}
