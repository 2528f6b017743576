/** What to do with personal data: one policy for everything that is written or printed. */

import { isObject } from '../util/json.ts'
import { isLine } from '../util/text.ts'

/** Which personal data is replaced. Secrets are replaced in any case. */
export interface PersonalPolicy {
  /** Home folders become `~`. */
  readonly home: boolean
  /** User and host names in paths, shell prompts and lists of owners become `user` and `host`. */
  readonly names: boolean
  /** E-mail addresses become `[redacted:email]`. */
  readonly emails: boolean
  /** Names that replace folders, by folder; the longest matching folder wins. */
  readonly roots: Readonly<Record<string, string>>
}

/** The policy if nothing else was asked for. */
export const personalDefaults: PersonalPolicy = { home: true, names: true, emails: false, roots: {} }

/** Replaces no personal data. */
export const personalOff: PersonalPolicy = { home: false, names: false, emails: false, roots: {} }

/**
 * Combines the policies of two origins, of which one may turn replacement on and the other give details. If the stronger one
 * turns it off, it stays off.
 */
export function joinPolicies(strong: PersonalPolicy, weak: PersonalPolicy): PersonalPolicy {
  if (!(strong.home || strong.names)) return strong
  return {
    home: strong.home || weak.home,
    names: strong.names || weak.names,
    emails: strong.emails || weak.emails,
    roots: { ...weak.roots, ...strong.roots },
  }
}

/** Identifies everything that a policy does for a user, whose home folder is an absolute path. */
export function personalKey(policy: PersonalPolicy, homeDir: string): string {
  return JSON.stringify([policy, homeDir])
}

/** A policy as a site may name it: of renamed folders only the new names, because the old ones are private. */
export interface PublicPolicy {
  home: boolean
  names: boolean
  emails: boolean
  roots: string[]
}

/** What a site says about the policy under which it was made. */
export function publicPolicy({ home, names, emails, roots }: PersonalPolicy): PublicPolicy {
  return { home, names, emails, roots: Object.values(roots).sort() }
}

/** For each rule for personal data, whether a policy replaces what it finds. */
const personalRules: Readonly<Record<string, (policy: PersonalPolicy) => boolean>> = {
  email: ({ emails }) => emails,
  'home-folder': ({ home }) => home,
  'host-name': ({ names }) => names,
  'project-root': () => true,
  'user-name': ({ names }) => names,
}

/** Whether a rule finds personal data and not secrets. */
export function isPersonalRule(rule: string): boolean {
  return Object.hasOwn(personalRules, rule)
}

/** Whether a policy replaces what a rule finds; secrets are always replaced. */
export function replaces(policy: PersonalPolicy, rule: string): boolean {
  return isPersonalRule(rule) ? personalRules[rule]?.(policy) === true : true
}

/** Splits counts of replacements by rule into secrets and personal data. */
export function partCounts(counts: Readonly<Record<string, number>>): {
  secrets: Record<string, number>
  personal: Record<string, number>
} {
  const entries = Object.entries(counts)
  return {
    secrets: Object.fromEntries(entries.filter(([rule]) => !isPersonalRule(rule))),
    personal: Object.fromEntries(entries.filter(([rule]) => isPersonalRule(rule))),
  }
}

// Reading the policy of a configuration file.

/** A policy with defaults for what is left out; `undefined` if the value is not valid. */
export function personalFrom(value: unknown): PersonalPolicy | undefined {
  if (!isObject(value)) return undefined
  const { home, names, emails, roots, ...rest } = { ...personalDefaults, ...value }
  if (Object.keys(rest).length > 0 || !isRoots(roots)) return undefined
  return [home, names, emails].every((item) => typeof item === 'boolean') ? { home, names, emails, roots } : undefined
}

/** Whether a value has folders as keys, absolute or below `~`, and a name of one line for each. */
function isRoots(value: unknown): value is PersonalPolicy['roots'] {
  if (!isObject(value)) return false
  return Object.entries(value).every(
    ([folder, name]) => /^(?:~?\/|~\\|\\\\|[A-Za-z]:[/\\])[^/\\]/.test(folder) && isLine(name),
  )
}
