/** Secrets with an inner form of their own: key blocks, signed tokens, addresses, numbers with a checksum. */

import { createPrivateKey, createPublicKey } from 'node:crypto'
import { beginsWord, endsWord, type Rule } from '../rule.ts'
import { isMixed } from '../values/letters.ts'
import { isNamedSecret, isTokenForUser } from '../values/named-value.ts'
import { isPlaceholder, isStandIn } from '../values/placeholders.ts'
import { isTokenHead } from '../values/public.ts'
import { isRandom, isWordy } from '../values/randomness.ts'

const always = (): boolean => true
const random = (value: string): boolean => isRandom(value) && !isPlaceholder(value)

/** Matches a break in a key block: whitespace, the marks of a diff or of an indented string, an escaped line end. */
const breaks = '(?:[\\s+>|"\',-]|\\\\+[nr])*'

/**
 * The same between lines of a framed key, including line numbers and whatever else tools and formats write there. A backslash is
 * an alternative of its own, because a run of them that can be split in many ways would be.
 */
const sign = '(?:[\\s>|│┃▌"\'`,;*#.…+-]|\\\\(?:[nr]|u000[aAdD])?|&#(?:10|13|x[aAdD]);|%0[aAdD]|<br ?/?>)'
const between = `${sign}{0,60}(?:(?:[\\w./-]{1,80}[:-])?\\d{1,6}(?:[:|)→-]|(?=\\s))${sign}{0,40})?`
/** A line of a key, or of its header; a short one must be alone in its line. */
const keyLine = `${between}(?:[A-Z][A-Za-z-]{2,20}: [^\\n\\\\]{1,160}(?=\\s|\\\\)|=?[A-Za-z0-9+/=]{16,}|(?<=[\\n"'] {0,40}|\\\\[nr] {0,40})=?[A-Za-z0-9+/]{1,15}={0,2}(?=["',+]{0,3}\\s{0,3}(?:[\\r\\n]|\\\\+[nr]|-----END|$)))`
const keyFrame = /-----(?:BEGIN|END)[A-Z0-9 ]+-----/g

/** The same where at least one is required, between lines of a key whose frame is incomplete. */
const gap = '(?:[\\s>|"\',–—-]|\\\\+[nr]){1,24}'

/** What comes between `://` and the host of an address. */
const inAuthority = '[^\\s"\'<>`]{3,2120}@'

/** Addresses that let whoever has them set a password, or log in. */
const links = [
  ...['/reset-password/', '/password-reset/', '/password/reset/', '/invite/', '/invites/', '/invitation/'],
  ...['/invitations/', '/accept-invite/', '/accept-invitation/', '/magic-link/'],
  // Workflows and MCP servers, which anyone with the address may start.
  ...['/webhook/', '/webhook-test/', '/mcp/', '/mcp-test/'],
]

/** Rules for such secrets. */
export const formRules: readonly Rule[] = [
  {
    id: 'aws-key-id',
    anchors: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    pattern:
      /(?:(?<![A-Z0-9])|(?<=%[0-9A-F]{2})|(?<=A[KS]IA[A-Z0-9]{16}))A(?:KI|SI|BI|CC)A(?:[A-Z0-9]{16}(?:(?![A-Za-z0-9])|(?=A[KS]IA[A-Z0-9]{16}))|[A-Z0-9]{8,15}(?=$|…|\.{3}))/y,
    isSecret: (value) => new Set(value.slice(4)).size > 4,
    wraps: true,
  },
  {
    // The secret of a key id, without a name of its own: `AKIA…:…`, `AKIA…,…`, a column of `--output text`, the next line.
    id: 'aws-secret-key',
    anchors: ['AKIA', 'ASIA'],
    pattern:
      /A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])(?:[^\n]{1,60}?|["',;]{0,3}[ \t]{0,8}\r?\n[^\w\n/+]{0,12})(?<![\w/+])(?<secret>[A-Za-z0-9/+]{40})(?![\w/+=])/y,
    isSecret: (value) => random(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value),
  },
  {
    id: 'azure-key',
    anchors: ['AccountKey=', 'SharedAccessKey=', 'AccessKey='],
    pattern: /(?:Account|SharedAccess|Access)Key=(?<secret>[A-Za-z0-9+/]{16,128}={0,2})/y,
    isSecret: random,
    wraps: true,
  },
  {
    id: 'azure-secret',
    anchors: Array.from({ length: 10 }, (_, generation) => `${generation}Q~`),
    pattern: /(?<=(?<head>[A-Za-z0-9_~.-]{3}))\dQ~[A-Za-z0-9_~.-]{31,34}/y,
    isSecret: isRandom,
  },
  {
    id: 'discord-token',
    anchors: numbersInBase64(),
    follows: '[\\w-]{18,30}\\.[\\w-]{6}\\.',
    pattern: new RegExp(`${beginsWord}[MNO][\\w-]{22,27}\\.[\\w-]{6}\\.[\\w-]{27,45}`, 'y'),
    isSecret: isRandom,
  },
  {
    id: 'jwt',
    anchors: ['eyJ'],
    // The first part is matched whole or not at all; otherwise a long run of its characters would be tried at every length, and
    // from each `eyJ` in it.
    pattern:
      /(?<!eyJ[\w-]{0,200})eyJ(?=(?<run>[\w-]{8,8192}))\k<run>(?:\.[\w-]{4,8192}(?:\.[\w-]{0,4096}){0,3}|\.\.[\w-]{8,256}(?:\.[\w-]{8,8192}){1,2}|(?=$|…|\.{3}))/y,
    isSecret: (value) => isRandom(value) && !isTokenHead(value),
    wraps: true,
  },
  {
    // A key of fal: its id, which is always a UUID of version 4, and its secret.
    id: 'fal-key',
    anchors: Array.from('0123456789abcdef', (digit) => `-4${digit}`),
    follows: '[0-9a-f]{2}-[89ab][0-9a-f]{3}-[0-9a-f]{12}:[0-9a-f]{32}(?![0-9a-f])',
    pattern:
      /(?<=(?<![\w-])(?<head>[0-9a-f]{8}-[0-9a-f]{4}))-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}:[0-9a-f]{32}(?![0-9a-f])/y,
    isSecret: isRandom,
  },
  {
    // A key of Zhipu has no beginning of its own: an id and a secret, in a line that names the vendor.
    id: 'zhipu-key',
    anchors: ['igmodel', 'hipu', 'HIPU', 'api.z.ai', 'ZAI_', 'Z_AI', 'hatglm', 'hatGLM', 'GLM'],
    pattern:
      /(?:igmodel|[Hh]ipu|HIPU|api\.z\.ai|ZAI_|Z_AI|hat(?:glm|GLM)|GLM)[^\n]{0,200}?(?<![\w.])(?<secret>[0-9a-f]{32}\.[A-Za-z0-9]{16})(?![\w.])/y,
    isSecret: isRandom,
  },
  {
    // Beginnings that many vendors use.
    id: 'api-key',
    anchors: ['sk_', 'pat_', 'key_', 'tok_', 'token_', 'mcp_', 'apikey_', 'api_key_'],
    follows: '(?:[a-z]{2,8}_)?[A-Za-z0-9]{30}',
    pattern: new RegExp(
      `${beginsWord}(?:sk|pat|key|tok|token|mcp|apikey|api_key)_(?:[a-z]{2,8}_)?(?=[a-zA-Z]{0,32}\\d)(?=[a-z0-9]{0,32}[A-Z])(?=[A-Z0-9]{0,32}[a-z])[A-Za-z0-9]{30,128}${endsWord}`,
      'y',
    ),
    isSecret: random,
    wraps: true,
  },
  {
    id: 'mailchimp-key',
    anchors: ['-us'],
    follows: '\\d',
    pattern: new RegExp(`(?<=(?<head>${beginsWord}[0-9a-f]{32}))-us\\d{1,2}(?:(?!\\w)|${endsWord})`, 'y'),
    isSecret: isRandom,
  },
  {
    id: 'openai-account',
    anchors: ['user-', 'org-', 'acct_'],
    pattern: new RegExp(`${beginsWord}(?:user-|org-|acct_)(?<secret>[A-Za-z0-9]{16,32})${endsWord}`, 'y'),
    isSecret: (value) => random(value) && /\d/.test(value) && /[A-Z]/.test(value),
  },
  {
    id: 'openai-account',
    anchors: 'account_id account-id Account-Id Account-ID accountId ACCOUNT_ID creator_user_id chatgpt_user_id'.split(
      ' ',
    ),
    pattern:
      /(?:account[_-]id|Account-I[dD]|accountId|ACCOUNT_ID|(?:creator|chatgpt)_user_id)["'\]]{0,2}[ \t]{0,2}[:=][ \t]{0,2}["']?(?<secret>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})/y,
    isSecret: always,
  },
  {
    // The first private number of a JSON Web Key whose type is not in reach.
    id: 'private-key',
    anchors: ['"d"', '\\"d\\"'],
    follows: '\\s{0,3}:',
    pattern: /\\{0,3}"d\\{0,3}"\s{0,3}:\s{0,3}\\{0,3}"(?<secret>[\w-]{40,1024})/y,
    isSecret: random,
  },
  {
    // A key pair as Solana stores it: a seed of 32 numbers and its public key.
    id: 'private-key',
    anchors: Array.from({ length: 256 }, (_, first) => `[${first},`),
    follows: '\\s{0,9}(?:\\d{1,3},\\s{0,9}){62}\\d{1,3}\\s{0,9}\\]',
    pattern: /\[(?<secret>(?:\d{1,3},\s{0,9}){63}\d{1,3})\s{0,9}\]/y,
    isSecret: (value) => isEd25519Pair(value.split(',').map(Number)),
  },
  {
    // Between the frame lines, or after one whose end is cut off, only what looks like lines of a key.
    id: 'private-key',
    anchors: ['-----BEGIN'],
    pattern: new RegExp(
      `-----BEGIN[ +](?:[A-Z0-9]{1,12}[ +]){0,4}PRIVATE[ +]KEY(?:[ +]BLOCK)?-----(?:${keyLine}){0,400}(?:${between}-----END[ +](?:[A-Z0-9]{1,12}[ +]){0,4}PRIVATE[ +]KEY(?:[ +]BLOCK)?-----)?`,
      'y',
    ),
    isSecret: (value) => value.length > 72 && /[A-Za-z0-9+/]{16}/.test(value.replaceAll(keyFrame, '')),
    spans: true,
  },
  {
    id: 'private-key',
    anchors: ['-----BEGIN OpenVPN'],
    pattern: new RegExp(
      `-----BEGIN OpenVPN Static key V1-----(?:${between}[0-9a-f]{16,64}){1,64}(?:${between}-----END OpenVPN Static key V1-----)?`,
      'y',
    ),
    isSecret: always,
    spans: true,
  },
  {
    // The same where a title lost the dashes, has four or long ones, or is cut off at the end.
    id: 'private-key',
    anchors: ['PRIVATE KEY', 'Private-Lines:'],
    pattern: new RegExp(
      `P(?:RIVATE KEY(?: BLOCK)?|rivate-Lines: {0,2}\\d{1,3})${gap}(?:[A-Za-z-]{4,24}: [\\s\\S]{1,480}?(?<![A-Za-z0-9+/]))?(?<secret>[A-Za-z0-9+/]{40,}(?:${gap}[A-Za-z0-9+/=]{8,}){0,400})`,
      'y',
    ),
    isSecret: random,
  },
  {
    id: 'private-key',
    anchors: ['LS0tLS1CRUdJTi'],
    pattern: new RegExp(
      `LS0tLS1CRUdJTi(?:${breaks}[A-Za-z0-9+/=]{20,}){1,400}(?:${breaks}[A-Za-z0-9+/]{1,19}={1,2})?`,
      'y',
    ),
    isSecret: (value) => /UFJJVkFURSBLRV|QUklWQVRFIEtFW|BSSVZBVEUgS0VZ/.test(value.replace(/\s/g, '')),
    spans: true,
  },
  {
    id: 'private-key',
    anchors: ['PuTTY-User-Key-File-'],
    pattern: new RegExp(
      `PuTTY-User-Key-File-\\d: ?[^\\n\\\\]{1,80}(?:${sign}{1,60}(?:[A-Z][A-Za-z-]{2,30}: {0,2}[^\\n\\\\]{0,200}|[A-Za-z0-9+/]{1,80}={0,2}(?=[\\s\\\\"',]))){1,400}`,
      'y',
    ),
    isSecret: (value) => /Private-(?:Lines|MAC|Hash):/.test(value),
  },
  {
    // Hashes of shadow files, `htpasswd`, PostgreSQL, LDAP and frameworks: those of crypt, then those with names.
    id: 'password-hash',
    anchors: [
      ...'$1$ $5$ $6$ $7$ $y$ $gy$ $2a$ $2b$ $2x$ $2y$ $P$ $H$ $apr1$ $sha1$ $md5'.split(' '),
      ...['$argon2', '$scrypt$', '$pbkdf2', '$7z$', '$krb5', '$DCC2$'],
    ],
    pattern:
      /\$(?:2[abxy]\${1,2}\d\d\${1,2}[./A-Za-z0-9]{53}|(?:1|apr1|md5)\${1,2}[./A-Za-z0-9]{1,16}\${1,2}[./A-Za-z0-9]{22}|[56]\${1,2}(?:rounds=\d{1,9}\${1,2})?[^\s$:"']{1,16}\${1,2}[./A-Za-z0-9]{43,86}|(?:g?y|7)\${1,2}[./A-Za-z0-9]{1,24}\${1,2}[./A-Za-z0-9]{1,86}\${1,2}[./A-Za-z0-9]{43}|[PH]\${1,2}[./A-Za-z0-9]{31}|(?:argon2(?:id?|d)|scrypt|pbkdf2(?:-\w{1,8})?|sha1)\${1,2}(?:[\w=,]{1,48}\${1,2}){1,3}[\w+/.=-]{8,128}\${1,2}[\w+/.=-]{16,256}|krb5\w{2,16}\$[^\s"']{40,4096}|DCC2\$\d{1,8}#[^\s#]{1,64}#[0-9a-f]{32})(?![./A-Za-z0-9])/y,
    isSecret: isRandom,
  },
  {
    id: 'password-hash',
    anchors: 'SCRAM-SHA- pbkdf2_sha pbkdf2:sha scrypt: bcrypt_sha256$ {SSHA {PBKDF2 {CRYPT} {SMD5}'.split(' '),
    pattern:
      /(?:SCRAM-SHA-\d{1,3}\$\d{1,9}:[\w+/=]{8,128}\$[\w+/=]{24,256}:[\w+/=]{24,256}|pbkdf2_sha\d{1,3}\$\d{1,9}\$[^\s$]{4,64}\$[\w+/=]{24,128}|(?:pbkdf2:sha\d{1,3}:\d{1,9}|scrypt:\d{1,9}:\d{1,3}:\d{1,3})\$[^\s$]{4,64}\$[0-9a-f]{40,128}|bcrypt_sha256\$\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}|\{(?:SSHA\d{0,3}|PBKDF2[\w-]{0,12}|CRYPT|SMD5)\}[\w$./+=-]{24,256})/y,
    isSecret: isRandom,
  },
  {
    // What Windows stores: `user:id:LM:NT:::`
    id: 'password-hash',
    anchors: [':::'],
    pattern: /(?<=(?<![\w.\\-])[\w.\\@$-]{1,80}:\d{1,10}:(?<head>[0-9a-fA-F]{32}:[0-9a-fA-F]{32}))(?=:::)/y,
    isSecret: isRandom,
  },
  {
    id: 'slack-webhook',
    anchors: ['hooks.slack.com/'],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[A-Za-z0-9/]{16,120})/y,
    isSecret: random,
    wraps: true,
  },
  {
    id: 'discord-webhook',
    anchors: ['/api/webhooks/'],
    pattern: /\/api\/webhooks\/\d{6,20}\/(?<secret>[\w-]{20,120})/y,
    isSecret: random,
    wraps: true,
  },
  {
    id: 'telegram-token',
    anchors: [':AA'],
    pattern: new RegExp(`(?<=(?<head>(?<!\\d)\\d{8,10})):AA[\\w-]{32,34}${endsWord}`, 'y'),
    isSecret: isRandom,
  },
  {
    id: 'url-credentials',
    anchors: ['://'],
    follows: inAuthority,
    // A password may contain `/` and `@`; the last `@` before the host counts.
    pattern:
      /:\/\/(?<name>[^\s/:@"'<>`[\]]{0,64}):(?<secret>(?!\d{1,5}[/?#])[^\s"'<>`]{3,2048})@(?!sha\d{3}:)(?=\[?[\w.${%-]*\]?(?:[:/?#,\s"'`)\]}|\\;…]|$))/y,
    // A password equal to the user's name, as in `guest:guest@`, is a default of the image or the server.
    isSecret: (value, user) =>
      new Set(value).size > 1 &&
      !isStandIn(value) &&
      !(value === user && isWordy(value)) &&
      !/^(?:pserver|ext|gserver):|\[\^|\(\?[:<=!]/.test(value) &&
      !/^(?:pass(?:word|wd)?|secret|token|pwd|pw|psw|user|key|port|bar|baz|xyz|x-oauth-basic|\d{1,3})$/i.test(value) &&
      !(/^\d{4,5}$/.test(value) && /^localhost$|[.]/.test(user)) &&
      !(/[/?]./.test(value) && (isWordy(value) || /\/\//.test(value))),
  },
  {
    // `{PLAIN}…` of Dovecot, `{noop}…` of Spring
    id: 'named-secret',
    anchors: ['{PLAIN}', '{plain}', '{CLEARTEXT}', '{CLEAR}', '{noop}'],
    pattern: /\{(?:PLAIN|plain|CLEAR(?:TEXT)?|noop)\}(?<secret>[^\s:"'`<>{}]{6,256})/y,
    isSecret: (value) => isNamedSecret(value, 'password'),
  },
  {
    id: 'url-token',
    anchors: links,
    follows: '[\\w-]{16}',
    pattern: new RegExp(
      `(?<=://[^\\s"'<>\`]{3,256})(?:${links.join('|')})(?<secret>[\\w-]{16,256})(?=[/?#&\\s"'\`<>)\\],;]|\\.(?:\\s|$)|$)`,
      'y',
    ),
    isSecret: (value) => random(value) && isMixed(value),
  },
  {
    id: 'url-credentials',
    anchors: ['://'],
    follows: inAuthority,
    pattern: /:\/\/(?<secret>[A-Za-z0-9_-]{20,256})@/y,
    isSecret: random,
  },
  {
    // A token in place of the user, whatever follows it: `TOKEN:x-oauth-basic@`, `TOKEN:@`.
    id: 'url-credentials',
    anchors: ['://'],
    follows: inAuthority,
    pattern: /:\/\/(?<secret>[\w.~+=-]{16,256})(?=:[^\s/"'<>`]{0,256}@)/y,
    isSecret: isTokenForUser,
  },
]

/** How pairs of digits begin in base64, in three characters: the third depends on the second digit and on what follows. */
function numbersInBase64(): string[] {
  return Array.from({ length: 100 }, (_, number) => btoa(String(number).padStart(2, '0')).slice(0, 3))
}

// Ed25519 key pairs, as wallets store them.

/** What precedes the seed in a private key (PKCS #8). */
const keyHead = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Whether 64 bytes are a seed and its public key; `true` if the system has no Ed25519 to check with. */
export function isEd25519Pair(bytes: readonly number[]): boolean {
  if (bytes.length !== 64 || bytes.some((byte) => byte > 255)) return false
  const der = Buffer.from([...keyHead, ...bytes.slice(0, 32)])
  try {
    const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
    return key
      .export({ format: 'der', type: 'spki' })
      .subarray(-32)
      .equals(Buffer.from(bytes.slice(32)))
  } catch {
    // Some systems allow only approved algorithms.
    return true
  }
}
