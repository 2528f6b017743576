/** Options: what of the sessions is shown. */
import { personalDefaults } from '../../model/personal.ts'
import * as kinds from '../kinds.ts'
import type { PrivacySettings } from '../settings.ts'
import { type Command, type OptionTable, remembering } from './option.ts'

/** Commands that show texts of sessions. */
const shown: readonly Command[] = ['build', 'list', 'show', 'serve', 'check', ...remembering]

/** What of the sessions is shown. */
export const privacyOptions: OptionTable<PrivacySettings> = {
  redact: {
    kind: kinds.toggle,
    default: true,
    flag: 'redact',
    config: true,
    commands: shown,
    help: 'Replace keys, tokens, passwords and other secrets by `[redacted:…]` wherever they stand; `--no-redact` leaves them and personal data in.',
  },
  personal: {
    kind: kinds.personal,
    default: personalDefaults,
    defaultHelp: 'home folders and names, no e-mail addresses',
    flag: 'personal',
    config: true,
    commands: shown,
    help: 'Replace personal data: home folders by `~`, names of users and machines in paths and shell prompts; `--no-personal` leaves them in.',
  },
  redactEmails: {
    kind: kinds.toggle,
    default: false,
    flag: 'redact-emails',
    commands: shown,
    help: 'Replace e-mail addresses by `[redacted:email]`, too.',
  },
}
