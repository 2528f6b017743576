/** Takes the secrets out of a tree. */
import type { Plugin } from 'unified'
import type { Session } from '../model/trast.ts'
import type { Redactor } from './redactor.ts'
import { redactStrings } from './strings.ts'

/** Replaces secrets in every text of the tree and counts them in `stats.redacted`. */
export const redact: Plugin<[Redactor], Session> = (redactor: Redactor) => (tree: Session) => {
  redactStrings(tree, redactor)
  tree.stats.redacted = { ...redactor.counts }
}
