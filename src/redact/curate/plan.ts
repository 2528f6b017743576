/** What is to be left out of one session. */

import { contentKinds, type Publication, type SessionCuration, type Visibility } from '../../config/publication.ts'
import { type Selection, type SelectionTarget, selects } from '../../config/selectors.ts'
import type { Source, TrastNode } from '../../transcript/trast.ts'

/** Decisions for one session, ready to be applied. */
export interface CurationPlan {
  visibility: Visibility
  /** Turns and lines. */
  exclude: readonly Selection[]
  /** In place of the session's own. */
  title?: string
  /** Markdown for the head of the first page. */
  note?: string
  star?: true
  tags?: readonly string[]
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
  const { exclude, title, note, star, tags } = curation
  const omitted = exclude.flatMap((selection) => (selection.by === 'category' ? [selection.category] : []))
  const kinds = contentKinds.filter((kind) => omitted.includes(kind))
  return {
    ...common,
    visibility: { ...visibility, ...Object.fromEntries(kinds.map((kind) => [kind, 'omit'])) },
    exclude: exclude.filter(({ by }) => by !== 'category'),
    ...(title === undefined ? {} : { title }),
    ...(note === undefined ? {} : { note }),
    ...(star === undefined ? {} : { star }),
    ...(tags === undefined || tags.length === 0 ? {} : { tags }),
  }
}

/** Whether anything is left out under a plan. */
export function leavesOut({ visibility, exclude, withoutInherited = false, maxOutput }: CurationPlan): boolean {
  if (maxOutput !== undefined) return true
  return exclude.length > 0 || withoutInherited || contentKinds.some((kind) => visibility[kind] === 'omit')
}

/** Whether a plan changes anything. */
export function isPlain(plan: CurationPlan): boolean {
  const { visibility, ...rest } = plan
  if (leavesOut(plan) || [rest.title, rest.note, rest.star, rest.tags].some((said) => said !== undefined)) return false
  return contentKinds.every((kind) => visibility[kind] === 'show')
}

// Whether single turns and items of a session are left out.

/** The selections that hold a turn, or an item by its anchor or any record that it was made from. */
export function excludedBy(
  node: TrastNode,
  exclude: readonly Selection[],
  rollouts: readonly string[],
): readonly Selection[] {
  if (exclude.length === 0) return exclude
  const places = targetsOf(node, rollouts)
  return exclude.filter((selection) => places.some((place) => selects(selection, place)))
}

function targetsOf(node: TrastNode, rollouts: readonly string[]): SelectionTarget[] {
  if (node.type === 'turn') return node.data?.inherited ? [] : [{ turn: node.number }]
  // What frames items is no item; its records tell of settings and of the turn.
  if (node.type === 'preamble' || node.type === 'group' || node.type === 'session') return []
  const own = anchorTarget(node.id)
  const anchors = own === undefined ? [] : [own]
  // Two records of one prompt count by the first, as in the outline, which knows no other.
  if (node.type === 'message' && node.origin === 'typed') return anchors
  return [...anchors, ...(node.data?.sources ?? []).map((source) => sourceTarget(source, rollouts))]
}

/** Whether an anchor such as `l12`, `l12.1` or `0a1b2c3d-l12` is left out. */
export function isExcludedAnchor(anchor: string, exclude: readonly Selection[]): boolean {
  const place = anchorTarget(anchor)
  return place !== undefined && exclude.some((selection) => selects(selection, place))
}

/** The same for the number of an own turn. */
export function isExcludedTurn(turn: number, exclude: readonly Selection[]): boolean {
  return exclude.some((selection) => selects(selection, { turn }))
}

function anchorTarget(anchor: string): SelectionTarget | undefined {
  const [, segment, line] = /^(?:([\da-f]{8})-)?l(\d+)(?:[.-]|$)/.exec(anchor) ?? []
  return line === undefined ? undefined : { line: Number(line), ...(segment === undefined ? {} : { segment }) }
}

/** Anchors of later segments begin with eight digits of the rollout id. */
function sourceTarget({ file, line }: Source, rollouts: readonly string[]): SelectionTarget {
  const segment = file === undefined ? undefined : rollouts[file]?.replaceAll('-', '').slice(-8)
  return { line, ...(segment === undefined ? {} : { segment }) }
}
