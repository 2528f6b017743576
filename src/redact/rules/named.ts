/** Values that are secret by what stands before them: a name, a header, an option. */
import type { Rule } from '../rule.ts'
import { entropyOf, isMixed, isPlaceholder, isPublic, isRandom, isWordy } from '../values.ts'

const secretName =
  /secret|token|passw(?:or)?d|passwd|passphrase|pass$|pwd|credential|_auth$|auth_?key|[a-z0-9]key$|[-_.]key(?:$|[-_.])|[a-z]Key|^KEY$|sig(?:nature)?$/i
const password = /passw|passphrase|pwd|pass$/i
/** Names that speak of a secret without holding one, or of a key that is none. */
const harmlessName =
  /(?:[-_.]|^)(?:public|primary|foreign|sort|partition|cache|idempotency|row|hash|map|object|index|group|search|composite|unique|host|publishable|anon|react|nav|menu|i18n|message|locale|translation|shortcut|hot|arrow|registry|merge)[-_.]?key|(?:name|id|ids|ref|path|file|dir|url|uri|type|kind|arn|count|counts|limit|length|size|age|expir\w*|ttl|version|hash|sha\d*|digest|fingerprint|checksum|integrity|policy|algorithm|format|header|prefix|endpoint|label|field|hint|placeholder|status|usage|budget|rate|description|regex|pattern|rules?|length)$|(?:max|min|total|input|output|prompt|completion|num|count|cached|reasoning|next_?page|page|continuation|csrf_?header)[-_]?tokens?$|(?:^|[-_.])(?:key)?code|keyboard|keyframes?|monkey|turkey|tokenizer|tokenize/i

const leastPassword = 6
const leastKey = 12

/** Whether a value under a name is a secret: the name says so, and the value looks random. */
export function isNamedSecret(value: string, name: string): boolean {
  if (!secretName.test(name) || harmlessName.test(name)) return false
  if (isPlaceholder(value) || isPublic(value)) return false
  if (password.test(name)) return value.length >= leastPassword && isMixed(value) && !isWordyPassword(value)
  if (value.length < leastKey || isWordy(value)) return false
  if (/^[0-9a-f]+$/.test(value)) return value.length >= 16 && entropyOf(value) > 2.5
  return isMixed(value) && /\d|[A-Z].*[a-z].*[A-Z]/.test(value) && entropyOf(value) >= 3
}

/** Words joined by signs are no password; a word with a number at its end may be one. */
function isWordyPassword(value: string): boolean {
  return !/\d/.test(value) && isWordy(value)
}

const names = ['secret', 'token', 'passw', 'passp', 'pwd', 'key', 'credential', 'auth', 'sig', 'pass']
const spelled = names.flatMap((name) => [name, `${name[0]?.toUpperCase()}${name.slice(1)}`, name.toUpperCase()])

/** The rest of a name behind its telling part. */
const rest = '[A-Za-z0-9_-]{0,24}'
/** What may stand between a name and its value. */
const assigns = `["'\\]]{0,2}[ \\t]{0,3}(?:=>|:=|[:=])[ \\t]{0,3}`

const usual = '[^\\s"\'`,;&|<>(){}\\[\\]\\\\]'

/** The rule of `KEY=value`, `key: value` and `"key": "value"`. */
export const namedRule: Rule = {
  id: 'named-secret',
  anchors: spelled,
  follows: rest + assigns,
  pattern: new RegExp(
    `(?<=(?<name>[A-Za-z0-9_.-]{0,64}))(?<rest>(?:${spelled.join('|')})${rest})${assigns}(?:"(?<secret>[^"\\n\\\\]{4,512})"?|'(?<single>[^'\\n\\\\]{4,512})'?|(?<bare>${usual}{6,512})(?!\\())`,
    'y',
  ),
  isSecret: isNamedSecret,
  continues: true,
}

const plain = (value: string): boolean => !isPlaceholder(value) && !isWordy(value)

/** Headers, options and files of credentials. */
export const contextRules: readonly Rule[] = [
  {
    id: 'authorization',
    anchors: ['uthorization', 'UTHORIZATION'],
    pattern:
      /(?:uthorization|UTHORIZATION)["'\]]{0,2}[ \t]{0,3}[:=,][ \t]{0,3}["'`]?(?:[A-Za-z][A-Za-z0-9-]{2,20}[ \t]{1,2})?(?<secret>[A-Za-z0-9._~+/=:-]{8,4096})/y,
    isSecret: plain,
    continues: true,
  },
  {
    id: 'authorization',
    anchors: ['Bearer ', 'bearer ', 'BEARER '],
    pattern: /[Bb](?:earer|EARER) {1,2}(?<secret>[A-Za-z0-9._~+/=-]{16,4096})/y,
    isSecret: (value) => plain(value) && isRandom(value) && isMixed(value),
    continues: true,
  },
  {
    id: 'cookie',
    anchors: ['ookie:', 'ookie"', "ookie'", 'OOKIE=', '--cookie'],
    pattern: /(?:ookie["']?:|ookie["'],|OOKIE=|--cookie)[ \t=]{0,3}["']?(?<secret>[^\n"'\\]{8,4096})/y,
    isSecret: (value) =>
      value.split(';').some((part) => {
        const own = part.slice(part.indexOf('=') + 1).trim()
        return part.includes('=') && own.length >= 12 && plain(own) && isRandom(own) && isMixed(own)
      }),
    continues: true,
  },
  {
    id: 'curl-user',
    anchors: ['-u ', '--user ', '--user='],
    pattern: /(?<=\bcurl\b[^\n]{0,300})-{1,2}u(?:ser)?[ =]["']?[^\s:"']{1,64}:(?<secret>[^\s"'\\]{3,256})/y,
    isSecret: (value) => !isPlaceholder(value),
  },
  {
    id: 'netrc',
    anchors: ['login '],
    pattern: /login\s{1,4}\S{1,128}\s{1,8}password\s{1,4}(?<secret>\S{4,256})/y,
    isSecret: (value) => !isPlaceholder(value),
  },
  {
    id: 'option-secret',
    anchors: ['password', 'passwd', 'passphrase', 'token', 'secret', 'api-key', 'apikey', 'access-key'],
    follows: '[a-z-]{0,8}[ \\t=]',
    pattern:
      /(?<=--(?<name>(?:[a-z0-9]{1,20}-){0,3}))(?<rest>password|passwd|passphrase|token|secret(?:-key)?|api-?key|access-key)[ \t=]{1,2}["']?(?<secret>[^\s"'`\\]{6,512})/y,
    isSecret: isNamedSecret,
    continues: true,
  },
  {
    id: 'url-signature',
    anchors: ['X-Amz-Signature=', 'X-Amz-Security-Token=', 'X-Goog-Signature=', 'sig='],
    pattern:
      /(?:X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature|(?<=[?&])sig)=(?<secret>[A-Za-z0-9%+/=_-]{20,2048})/y,
    isSecret: isRandom,
    continues: true,
  },
]
