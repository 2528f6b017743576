/** Takes the secrets out of a tree. */
import type { Plugin } from 'unified'
import type { Session } from '../model/trast.ts'
import type { Redactor } from './redactor.ts'
import { hearStrings, redactStrings } from './strings.ts'

/** Replaces secrets in every text of the tree and counts them in `stats.redacted`. */
export const redact: Plugin<[Redactor], Session> = (redactor: Redactor) => (tree: Session) => {
  redactor.passage('page')
  redactStrings(tree, redactor)
  redactor.passage('around')
  tree.stats.redacted = { ...redactor.counts }
}

/** Takes the secrets of a tree of which parts are to be left out, before that happens: they are known in the rest. */
export const hearSecrets: Plugin<[Redactor], Session> = (redactor: Redactor) => (tree: Session) => {
  redactor.passage('page')
  hearStrings(tree, redactor)
}
