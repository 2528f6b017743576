/** What a cut leaves of a secret: its rest after a mark of an omission, and an address that ends within its password. */

import type { PatternRule } from '../rule.ts'
import { isNamedSecret } from '../values/named-value.ts'
import { isPlaceholder } from '../values/placeholders.ts'
import { isRandom } from '../values/randomness.ts'

/** `…231 tokens truncated…`, `[... omitted 12 of 300 lines ...]`, `[... output truncated to fit 9000 bytes ...]`. */
const marks = ['truncated', 'omitted']
const toEnd =
  '(?:truncated|omitted)(?: to fit \\d{1,9} bytes| \\d{1,9} of \\d{1,9} lines)?[ ]?(?:…|\\.{3}\\]?|[\\])>])\\n{0,2}'
const afterMark = '(?: to fit | \\d| ?[….\\])>])'

const hex = /^[0-9a-f]{12,}$/
const file = /\.[a-zA-Z]{1,5}(?::\d{1,6})*$/

/** Whether a rest belongs to a key. Its name was omitted, so it must look random by itself. */
function isRest(value: string): boolean {
  if (hex.test(value)) return isRandom(value)
  return isRandom(value) && isNamedSecret(value, 'token', 'loose') && !file.test(value)
}

/** Schemes of addresses that may include a user and a password. */
const schemes =
  'https?|ftps?|sftp|ssh|git|postgres(?:ql)?|mysql|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver|smtps?|imaps?|ldaps?|clickhouse|mqtts?|nats|kafka|socks5h?'

/** Rules for cut secrets. */
export const cutRules: readonly PatternRule[] = [
  {
    id: 'cut-secret',
    anchors: marks,
    follows: afterMark,
    pattern: new RegExp(`${toEnd}(?<secret>[\\w+/=.~-]{12,4096})`, 'y'),
    isSecret: isRest,
    wraps: true,
  },
  {
    // `…231 tokens truncated…‹rest of the password›@db.example:5432/shop`
    id: 'url-credentials',
    anchors: marks,
    follows: afterMark,
    pattern: new RegExp(`${toEnd}(?<secret>[^\\s"'<>\`@]{6,256})@(?=[\\w-]{1,64}[\\w.-]{0,200}(?::\\d|/))`, 'y'),
    isSecret: (value) => isNamedSecret(value, 'password'),
  },
  {
    // `postgres://ada:‹password›…`
    id: 'url-credentials',
    anchors: ['://'],
    follows: '[^\\s/:@"\'<>`[\\]]{1,64}:[^\\s"\'<>`@]{6}',
    pattern: new RegExp(
      `(?<=\\b(?:${schemes})(?:\\+\\w{1,12})?)://(?<name>[^\\s/:@"'<>\`[\\]]{1,64}):(?<secret>(?!\\d{1,5}(?:[/?#….]|$))[^\\s"'<>\`@/…]{6,256}?)(?=…|\\.{3}|\\s?\\[(?:\\.{3}|truncated|omitted|…)|<truncated|$)`,
      'y',
    ),
    isSecret: (value) => !isPlaceholder(value) && isNamedSecret(value, 'password'),
  },
]
