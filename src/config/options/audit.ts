/** Options: the audit of a built site. */
import * as kinds from '../kinds.ts'
import type { AuditSettings } from '../settings.ts'
import type { OptionTable } from './option.ts'

const waivers: kinds.Kind<AuditSettings['waivers']> = {
  expected: "{ fingerprint: 'reason' } with fingerprints of 16 hex digits as `check` tells them, and a reason for each",
  placeholder: 'TABLE',
  many: false,
  fromText: () => undefined,
  fromConfig(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const entries: [string, unknown][] = Object.entries(value)
    const areWhole = entries.every(([key, reason]) => /^[\da-f]{16}$/.test(key) && isReason(reason))
    return areWhole ? (value as AuditSettings['waivers']) : undefined // every key and value was looked at
  },
}

/** One line that says something. */
function isReason(value: unknown): boolean {
  return typeof value === 'string' && value.trim().length >= 3 && !/\p{Cc}/u.test(value)
}

/** What is asked in the audit of a built site, and what it lets pass. */
export const auditOptions: OptionTable<AuditSettings> = {
  scanners: {
    kind: { ...kinds.choices(['gitleaks', 'trufflehog']), placeholder: 'NAME' },
    default: [],
    flag: 'scanner',
    flagOnly: true,
    commands: ['check', 'publish'],
    help: 'Ask a program on your path about the texts of a built site, too: `gitleaks` or `trufflehog`; may be given several times. It is run without a network where the system allows that, and asks no vendor.',
  },
  waivers: {
    kind: waivers,
    default: {},
    defaultHelp: 'none',
    config: true,
    commands: ['check', 'publish'],
    help: 'Secrets in a built site that the audit lets pass: the reason, by the fingerprint of the finding. One that fits nothing any more is told.',
  },
}
