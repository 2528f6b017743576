/** Redaction of trees that programs hold, as a unified plugin. */
import type { Plugin } from 'unified'
import { type PersonalPolicy, personalDefaults } from '../model/personal.ts'
import type { Session } from '../model/trast.ts'
import { hearStrings, redactStrings } from '../redact/strings.ts'
import { privacyOf } from './privacy.ts'

/** What `redactTranscript` replaces beside secrets: what is left out is as by default. */
export type RedactOptions = Partial<PersonalPolicy>

/**
 * unified plugin: replaces secrets and personal data of a session tree, in place, and adds to `stats.redacted`. Each tree
 * is numbered anew. A tree of `transcribe` has been redacted already.
 */
export const redactTranscript: Plugin<[RedactOptions?], Session> = (options = {}) => {
  const privacy = privacyOf({ personal: { ...personalDefaults, ...options } }, { homeDir: '' })
  return (tree) => {
    const own = privacy?.redactor()
    if (own === undefined) return
    own.learn(tree.cwd === undefined ? [] : [tree.cwd], [])
    own.passage('page')
    hearStrings(tree, own)
    redactStrings(tree, own)
    const { redacted } = tree.stats
    for (const [rule, count] of Object.entries(own.counts)) redacted[rule] = (redacted[rule] ?? 0) + count
  }
}
