/** Options: what of the sessions is shown. */
import * as kinds from '../kinds.ts'
import type { PrivacySettings } from '../settings.ts'
import type { OptionTable } from './option.ts'

/** What of the sessions is shown. */
export const privacyOptions: OptionTable<PrivacySettings> = {
  redact: {
    kind: kinds.toggle,
    default: true,
    flag: 'redact',
    config: true,
    commands: ['build', 'list', 'show', 'serve'],
    help: 'Replace keys, tokens, passwords and other secrets by `[redacted:…]` wherever they stand; `--no-redact` leaves them in.',
  },
}
