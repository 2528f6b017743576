/** Reads what a configuration file says about personal data. */
import { type PersonalPolicy, personalDefaults } from '../model/personal.ts'

/** A policy with the defaults for what is left out, or `undefined` for what is none. */
export function personalFrom(value: unknown): PersonalPolicy | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { home, names, emails, roots, ...rest } = { ...personalDefaults, ...value }
  if (Object.keys(rest).length > 0 || !isRoots(roots)) return undefined
  return [home, names, emails].every((item) => typeof item === 'boolean') ? { home, names, emails, roots } : undefined
}

/** Absolute folders, or such below `~`, with a name of one line for each. */
function isRoots(value: unknown): value is PersonalPolicy['roots'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(value).every(
    ([folder, name]) => /^(?:~?\/|~\\|\\\\|[A-Za-z]:[/\\])[^/\\]/.test(folder) && isName(name),
  )
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && !/\p{Cc}/u.test(value)
}
