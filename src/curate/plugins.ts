/** The plugins that curate a tree, in their places. */
import type { PluggableList, Plugin } from 'unified'
import type { Session } from '../model/trast.ts'
import { type CurateOptions, curate } from './curate.ts'
import { trimHead } from './trim.ts'

/** Takes away numbers and facts of the head, once all is counted. */
const trimmedHead: Plugin<[CurateOptions], Session> =
  ({ plan }: CurateOptions) =>
  (tree: Session) =>
    trimHead(tree, plan.visibility)

/** Plugins before and after statistics are counted. */
export function curation(options: CurateOptions): { before: PluggableList; after: PluggableList } {
  return { before: [[curate, options]], after: [[trimmedHead, options]] }
}
