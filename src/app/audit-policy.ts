/** What `check` looks for in sessions, and what a build with the same options would replace. */
import { type PersonalPolicy, personalDefaults } from '../model/personal.ts'
import type { ScanFacts } from '../model/summary.ts'
import { personalSearch } from '../redact/personal/search.ts'
import type { Search } from '../redact/redactor.ts'
import type { PrivacyOptions } from './privacy.ts'
import type { Host } from './types.ts'

/** A policy for all sessions of a check. */
export interface AuditPolicy {
  /** A search for one session that knows its people already. */
  search(facts: ScanFacts): Search
  /** Whether a build replaces what a rule finds. */
  isReplaced(rule: string): boolean
}

/** The policy under options: all personal data are looked for, whichever of them are replaced. */
export function auditPolicy(
  { redact = true, personal = personalDefaults }: PrivacyOptions,
  { homeDir }: Pick<Host, 'homeDir'>,
): AuditPolicy {
  const searches = personalSearch({ home: true, names: true, emails: true, roots: personal.roots }, homeDir)
  return {
    search({ cwds, title, outline, firstPrompt = '', lastPrompt = '' }) {
      const search = searches()
      for (const folder of cwds) search.people?.learn(folder)
      for (const text of [firstPrompt, title, ...outline.map((entry) => entry.text), lastPrompt])
        search.people?.find(text)
      return search
    },
    isReplaced: (rule) => redact && replaces(personal, rule),
  }
}

/** Whether a policy replaces what a rule finds; secrets it always does. */
function replaces({ home, names, emails }: PersonalPolicy, rule: string): boolean {
  switch (rule) {
    case 'home-folder':
      return home
    case 'user-name':
    case 'host-name':
      return names
    case 'email':
      return emails
    default:
      return true
  }
}
