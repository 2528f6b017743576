/** What a call says about personal data. */
import type { Resolved } from '../config/resolve.ts'
import type { PersonalPolicy } from '../model/personal.ts'

/** The policy of a call: that of `personal`, with e-mail addresses where the flag asks for them. */
export function personalOf({ settings: { personal, redactEmails } }: Resolved): PersonalPolicy {
  return redactEmails ? { ...personal, emails: true } : personal
}
