/** What a call says about personal data. */

import type { PersonalPolicy } from '../config/personal.ts'
import type { Resolved } from '../config/resolve.ts'

/** The policy of a call: that of `personal`, with e-mail addresses where the flag asks for them. */
export function personalOf({ settings: { personal, redactEmails } }: Resolved): PersonalPolicy {
  return redactEmails ? { ...personal, emails: true } : personal
}
