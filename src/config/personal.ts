/** What is done about personal data: one answer for everything that is written or printed. */

import { isObject } from '../util/json.ts'

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

/** What is replaced where one place turns it on and another says more of it; what the stronger one turns off stays off. */
export function joinPolicies(strong: PersonalPolicy, weak: PersonalPolicy): PersonalPolicy {
  if (!(strong.home || strong.names)) return strong
  return {
    home: strong.home || weak.home,
    names: strong.names || weak.names,
    emails: strong.emails || weak.emails,
    roots: { ...weak.roots, ...strong.roots },
  }
}

/** Names all that a policy does for a user, whose home folder is an absolute path. */
export function personalKey(policy: PersonalPolicy, homeDir: string): string {
  return JSON.stringify([policy, homeDir])
}

/** Whether a policy replaces what each rule for personal data finds. */
const personalRules: Readonly<Record<string, (policy: PersonalPolicy) => boolean>> = {
  email: ({ emails }) => emails,
  'home-folder': ({ home }) => home,
  'host-name': ({ names }) => names,
  'project-root': () => true,
  'user-name': ({ names }) => names,
}

/** Whether a rule finds personal data, not secrets. */
export function isPersonalRule(rule: string): boolean {
  return Object.hasOwn(personalRules, rule)
}

/** Whether a policy replaces what a rule finds; secrets it always does. */
export function replaces(policy: PersonalPolicy, rule: string): boolean {
  return isPersonalRule(rule) ? personalRules[rule]?.(policy) === true : true
}

/** Counts of replacements by rule, parted into secrets and personal data. */
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

// Reads what a configuration file says about personal data.

/** A policy with the defaults for what is left out, or `undefined` for what is none. */
export function personalFrom(value: unknown): PersonalPolicy | undefined {
  if (!isObject(value)) return undefined
  const { home, names, emails, roots, ...rest } = { ...personalDefaults, ...value }
  if (Object.keys(rest).length > 0 || !isRoots(roots)) return undefined
  return [home, names, emails].every((item) => typeof item === 'boolean') ? { home, names, emails, roots } : undefined
}

/** Absolute folders, or such below `~`, with a name of one line for each. */
function isRoots(value: unknown): value is PersonalPolicy['roots'] {
  if (!isObject(value)) return false
  return Object.entries(value).every(
    ([folder, name]) => /^(?:~?\/|~\\|\\\\|[A-Za-z]:[/\\])[^/\\]/.test(folder) && isName(name),
  )
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && !/\p{Cc}/u.test(value)
}
