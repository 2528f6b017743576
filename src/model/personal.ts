/** What is done about personal data: one answer for everything that is written or printed. */

/** Which personal data are replaced. Secrets are replaced whatever this says. */
export interface PersonalPolicy {
  /** Home folders become `~`. */
  readonly home: boolean
  /** User and host names in paths, shell prompts and lists of owners become `user` and `host`. */
  readonly names: boolean
  /** E-mail addresses become `[redacted:email]`. */
  readonly emails: boolean
  /** Names by the folder that they stand for; the longest folder wins. */
  readonly roots: Readonly<Record<string, string>>
}

/** What is done where nothing else was asked for. */
export const personalDefaults: PersonalPolicy = { home: true, names: true, emails: false, roots: {} }

/** Leaves all personal data where they are. */
export const personalOff: PersonalPolicy = { home: false, names: false, emails: false, roots: {} }

const personalRules: ReadonlySet<string> = new Set(['email', 'home-folder', 'host-name', 'project-root', 'user-name'])

/** Counts of replacements by rule, parted into secrets and personal data. */
export function partCounts(counts: Readonly<Record<string, number>>): {
  secrets: Record<string, number>
  personal: Record<string, number>
} {
  const entries = Object.entries(counts)
  return {
    secrets: Object.fromEntries(entries.filter(([rule]) => !personalRules.has(rule))),
    personal: Object.fromEntries(entries.filter(([rule]) => personalRules.has(rule))),
  }
}
