/** Values that are secret because of where they are: headers, options, files of credentials. */

import type { Rule, Secret } from '../rule.ts'
import { isMixed } from '../values/letters.ts'
import { isNamedSecret, isSecretOf, isTokenForUser, nameOfPassword } from '../values/named-value.ts'
import { isPlaceholder } from '../values/placeholders.ts'
import { isPublic } from '../values/public.ts'
import { isRandom, isStrong, isWordy } from '../values/randomness.ts'
import { said, varied } from './labels.ts'

/** Whether base64 contains two texts with a colon between them. */
function isPair(value: string): boolean {
  if (isPlaceholder(value)) return false
  try {
    return /^[^:\s]{1,128}:[\x20-\x7E]{2,}$/.test(atob(value.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return false
  }
}

const plain = (value: string): boolean => !isPlaceholder(value) && !isWordy(value)

/** Resources whose type says that a field is secret, whatever its name, as in state files and answers of tools. */
const typed: ReadonlyMap<string, RegExp> = new Map([
  ['random_password', fieldOf('result')],
  ['random_string', fieldOf('result')],
  ['azuread_application_password', fieldOf('value')],
  ['azuread_service_principal_password', fieldOf('value')],
  ['SecureString', fieldOf('Value')],
])
/** Attributes of one resource rarely extend further. */
const maxResource = 4096
const nextType = /"type"\s{0,3}:\s{0,3}"|\n\}|\n[ \t]*# \w+\./

function fieldOf(name: string): RegExp {
  return new RegExp(`(?<![\\w-])"?${name}"?\\s{0,12}[:=]\\s{0,3}"((?:[^"\\\\\\n]|\\\\.){6,512})"`, 'dg')
}

/** The fields of a typed resource after its type, up to the next type. */
function readTyped(text: string, offset: number): readonly Secret[] {
  const [type = ''] = /^\w+/.exec(text.slice(offset, offset + 64)) ?? []
  const field = typed.get(type)
  if (field === undefined) return []
  const rest = text.slice(offset + type.length, offset + maxResource)
  const end = rest.search(nextType)
  const own = end < 0 ? rest : rest.slice(0, end)
  return Array.from(own.matchAll(field), ({ 1: value = '', indices }) => {
    const start = offset + type.length + (indices?.[1]?.[0] ?? 0)
    return { start, end: start + value.length, value }
  }).filter(({ value }) => isSecretOf('secret', value, 'literal'))
}

const typeBefore = /"type"\s{0,3}:\s{0,3}$/
const valueBefore = /"value"\s{0,3}:\s{0,3}"((?:[^"\\\n]|\\.){6,512})"[^{}]{0,200}$/d
const valueAfter = /^"secret"\s{0,3},[^{}]{0,200}?"value"\s{0,3}:\s{0,3}"((?:[^"\\\n]|\\.){6,512})"/d
/** How far from its type the value of a variable may be. */
const maxVariable = 800

/**
 * The value of a variable whose type is `secret`, as in exports of API clients: `{"key": "x", "value": "…", "type": "secret"}`.
 */
function readMarked(text: string, offset: number): readonly Secret[] {
  const from = Math.max(0, offset - maxVariable)
  const before = text.slice(from, offset)
  if (!typeBefore.test(before.slice(-16))) return []
  const [start, end] = valueBefore.exec(before)?.indices?.[1] ?? []
  const [after, last] =
    start === undefined ? (valueAfter.exec(text.slice(offset, offset + maxVariable))?.indices?.[1] ?? []) : []
  const own = start === undefined ? after : from + start - offset
  const to = end === undefined ? last : from + end - offset
  if (own === undefined || to === undefined) return []
  const value = text.slice(offset + own, offset + to)
  return isSecretOf('secret', value, 'literal') ? [{ start: offset + own, end: offset + to, value }] : []
}

/** What may follow `Bearer` in a sentence. */
const wordWithNumber = /^[a-z]{3,24}\d{1,4}$/

/** Rules for headers, options and files of credentials. */
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
    // `Authorization: Basic user password`, as in request files that an editor encodes
    id: 'authorization',
    anchors: ['uthorization: Basic ', 'uthorization: Digest '],
    pattern:
      /uthorization: (?:Basic|Digest) [^\s:,="'`]{1,64}[ \t]{1,4}(?<secret>[^\s"'`]{6,128})(?=[ \t]*(?:\r?\n|$))/y,
    isSecret: (value) => isNamedSecret(value, 'password'),
  },
  {
    // What proves the password to a server that asked for a digest: a hash of it, which can be guessed
    id: 'password-hash',
    anchors: ['response='],
    pattern: /(?<=Digest [^\n]{0,600})response=\\{0,3}["']?(?<secret>[0-9a-f]{32}(?:[0-9a-f]{32})?)(?![\w-])/y,
    isSecret: isRandom,
  },
  {
    id: 'authorization',
    anchors: ['Bearer ', 'bearer ', 'BEARER '],
    pattern: /[Bb](?:earer|EARER) {1,2}(?<secret>[A-Za-z0-9._~+/=-]{16,4096})/y,
    isSecret: (value) => plain(value) && isRandom(value) && isMixed(value) && !wordWithNumber.test(value),
    continues: true,
  },
  {
    id: 'netrc',
    anchors: ['login ', 'machine ', 'default '],
    lines: true,
    pattern:
      /(?:login\s{1,4}\S{1,128}|machine\s{1,4}(?:[\w-]{1,63}\.[\w.-]{1,128}|localhost)|(?:machine\s{1,4}\S{1,128}|default)\s{1,8}login\s{1,4}\S{1,128})\s{1,8}password\s{1,4}(?<secret>\S{4,256})/y,
    isSecret(value) {
      // The line may be a string of a program, whose end follows the password.
      const given = value.replace(/^["'`]/, '').replace(/(?:\\[nrt])?["'`]?[,;)\]]{0,2}$/, '')
      const isTemplate = /^[$%{<*]/.test(given) && isPlaceholder(given)
      return !isPlaceholder(value) && !isTemplate && !nameOfPassword.test(given)
    },
  },
  {
    // A token in place of the user.
    id: 'netrc',
    anchors: ['login '],
    pattern: /login\s{1,4}(?<secret>[\w.~+=-]{16,256})\s{1,8}password\s/y,
    isSecret: isTokenForUser,
  },
  {
    // The same in code: `auth=("…", "x-oauth-basic")`
    id: 'url-credentials',
    anchors: ['auth=(', 'auth = (', 'BasicAuth(', 'basic_auth(', 'Credentials('],
    pattern: /(?:auth ?= ?|BasicAuth|basic_auth|Credentials)\(\s{0,4}["'](?<secret>[\w.~+=-]{16,256})["'],\s{0,4}["']/y,
    isSecret: isTokenForUser,
  },
  {
    // A line of a PostgreSQL password file: `host:port:database:user:password`.
    id: 'pgpass',
    anchors: [':*:', ':5432:', ':5433:', ':5434:', ':6432:', ':26257:', ':5439:'],
    pattern:
      /(?<=^[\w.*-]{1,120}):(?:\*|\d{2,5}):[\w.*-]{1,64}:[\w.*@-]{1,64}:(?<secret>(?:[^\n\r]){4,256}?)(?=\s*$)/my,
    isSecret: (value) => !isPlaceholder(value) && !/\s/.test(value),
  },
  {
    // The same in a string, indented, or after what a tool puts before a line.
    id: 'pgpass',
    anchors: [':*:', ':5432:', ':5433:', ':5434:', ':6432:', ':26257:', ':5439:'],
    pattern:
      /(?<=(?:[\s"'`+>|-]|:\d{1,6}[:-])[\w.*]{1,120}):(?:\*|\d{2,5}):[\w.*-]{1,64}:[\w.*@-]{1,64}:(?<secret>[^\s"'`\\]{4,256})(?=\s*$|["'`]|\\[nr])/my,
    isSecret: varied,
  },
  {
    // What Docker stores for a registry: `user:password` in base64.
    id: 'docker-auth',
    anchors: ['"auth"', '\\"auth\\"', "'auth'"],
    pattern: /\\{0,3}["']auth\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["'](?<secret>[A-Za-z0-9+/=_-]{8,4096})/y,
    isSecret: (value) => isPair(value),
  },
  {
    // Only where the statement shows that it is SQL: in capitals, or after its beginning.
    id: 'sql-password',
    anchors: ['IDENTIFIED ', 'identified ', 'Identified '],
    pattern:
      /(?:(?=IDENTIFIED)|(?<=\b(?:(?:[Cc]reate|[Aa]lter|CREATE|ALTER)\s{1,4}(?:or\s{1,4}replace\s{1,4})?(?:user|role|database|USER|ROLE|DATABASE)|grant|GRANT|[Ss]et\s{1,4}password|SET\s{1,4}PASSWORD)\b[^;]{0,240}))(?:IDENTIFIED|[Ii]dentified)(?:\s{1,4}(?:WITH|with)\s{1,4}[\w'"`]{1,40})?\s{1,4}(?:BY|by|AS|as)\s{1,4}(?:(?:PASSWORD|password)\s{1,4}|(?:VALUES|values)\s{1,4})?(?:"(?<secret>(?:[^"\\\n]|\\.){4,256})"|'(?<single>(?:[^'\\\n]|\\.|''){4,256})'|(?!(?:an?|its|the|their|this|your)\s)(?<bare>[^\s;"'`]{4,256}))/y,
    isSecret: (value) => !isPlaceholder(value),
  },
  {
    id: 'sql-password',
    anchors: ['identified ', 'Identified '],
    pattern:
      /[Ii]dentified(?:\s{1,4}with\s{1,4}[\w'"`]{1,40})?\s{1,4}(?:by|as)\s{1,4}'(?<secret>(?:[^'\\\n]|\\.|''){4,256})'/y,
    isSecret: (value) => !isPlaceholder(value) && !isWordy(value),
  },
  {
    // A line of `redis.conf`, or a command with the same words.
    id: 'named-secret',
    anchors: ['requirepass ', 'masterauth '],
    pattern: /(?:requirepass|masterauth) {1,8}["']?(?<secret>[^\s"']{4,512})/y,
    isSecret: (value) => isNamedSecret(value, 'password'),
  },
  {
    // `Login: user / password`
    id: 'spoken-password',
    anchors: (
      'ogin: |ogin:\t|redentials: |ccess: |ccount: |ser: |ugang: |ugangsdaten: |reds: |redentials are |' +
      'redentials (|reds (|ser/pass|ser / pass|name/pass|ogin/pass|reds are |gged in as |og in with |' +
      'ogin with |og in using |ign in with |ign in using |ign in as |ogge dich mit |elde dich mit |' +
      'nmelden mit |dentifiants |dentifiants:|redenciales:|redenciais:|ogin is |og in as |ogin as |iFi: |' +
      'asic auth |asic Auth |http auth |HTTP auth '
    ).split('|'),
    pattern:
      /(?:(?<name>(?:ogin|redentials|reds|ugangsdaten|dentifiants|redenciales|redenciais|(?:ser|name|ogin) ?\/ ?pass(?:word)?)(?:[ \t]?[:=]| are| is|(?= \())|(?:og ?|ign )in (?:with|using|as)|(?:ogge|elde) dich mit|nmelden mit|iFi:|(?:asic|http|HTTP) [aA]uth(?:entication)?(?: is| with)?:?)|(?:ccess|ccount|ser|ugang):|gged in as)[ \t]{1,4}["'`(]?[^\s/"'`:]{2,64}["'`]?[ \t]{0,2}(?:\/|\||:(?=\S)|[ \t](?:and|und|with|using)[ \t](?:(?:the[ \t])?(?:password|pw)[ \t])?)[ \t]{0,2}["'`]?(?<secret>[^\s"'`\0-\x1F]{6,128}?)(?=[\s"'`]|[).,;]{1,3}(?:\s|$)|$)/y,
    // A value with a number of one digit is an ordinary name: `login: github / oauth2`.
    isSecret: (value, label) =>
      (isStrong(value) ||
        isNamedSecret(value, 'password', 'loose') ||
        (label !== '' && /[A-Za-z]\d\d/.test(value) && said(value))) &&
      !isPublic(value) &&
      !isPlaceholder(value),
  },
  {
    // The answer of SASL: `\0user\0password` in base64.
    id: 'sasl-password',
    anchors: ['AUTH PLAIN ', 'AUTH LOGIN ', 'AUTHENTICATE PLAIN ', 'SASL PLAIN '],
    pattern: /(?:AUTH|AUTHENTICATE|SASL) (?:PLAIN|LOGIN) (?<secret>[A-Za-z0-9+/]{12,512}={0,2})/y,
    isSecret: (value) => isRandom(value),
  },
  {
    id: 'maven-password',
    anchors: ['<master>'],
    pattern: /<master>\s{0,8}\{(?<secret>[A-Za-z0-9+/=]{16,256})\}/y,
    isSecret: (value) => !isPlaceholder(value),
  },
  {
    id: 'url-credentials',
    anchors: ['getConnection(', 'connect('],
    pattern:
      /(?:getConnection|connect)\(\s{0,4}["'][^"'\n]{1,200}["']\s{0,2},\s{0,40}["'][^"'\n]{1,64}["']\s{0,2},\s{0,40}["'](?<secret>[^"'\n]{6,256})["']/y,
    isSecret: (value) => !isPlaceholder(value) && !isWordy(value) && isMixed(value),
  },
  {
    // `jdbc:oracle:thin:user/password@…`
    id: 'url-credentials',
    anchors: ['oracle:thin:', 'oracle:oci:', 'oracle:oci8:'],
    pattern: /oracle:(?:thin|oci8?):[^\s/@"']{1,64}\/(?<secret>[^\s"']{3,256}?)@(?=[/\w(:])/y,
    isSecret: (value) => !isPlaceholder(value),
  },
  { id: 'typed-secret', anchors: ['"secret"'], follows: '\\s{0,3}[,}]', read: readMarked },
  { id: 'typed-secret', anchors: [...typed.keys()], follows: '\\\\?"', read: readTyped },
  {
    // After `pexpect` waited for a prompt
    id: 'typed-password',
    anchors: ['.sendline('],
    pattern:
      /(?<=expect(?:_exact)?\([^\n]{0,60}(?:assword|assphrase|PASSWORD)[^\n]{0,60}\)[^\n]{0,40}\n[ \t]{0,40}[\w.]{1,40})\.sendline\(\s{0,4}[rb]?(?:"(?<secret>[^"\n]{6,256})"|'(?<single>[^'\n]{6,256})')/y,
    isSecret: (value) => isNamedSecret(value, 'password', 'literal'),
  },
  {
    // The users of pgbouncer, if its file is named before them
    id: 'named-secret',
    anchors: ['" "'],
    follows: '[^"\\n]{6,256}"\\r?(?:\\n|$)',
    pattern:
      /(?<=userlist[^\n]{0,120}\n(?:"[^"\n]{1,64}" "[^"\n]{0,256}"\r?\n){0,8}"[^"\n]{1,64})" "(?<secret>[^"\n]{6,256})"(?=\r?(?:\n|$))/y,
    isSecret: (value) => isNamedSecret(value, 'password', 'literal'),
  },
  {
    // Database addresses in Go: `user:…@tcp(host:3306)/name`
    id: 'url-credentials',
    anchors: ['@tcp(', '@tcp4(', '@tcp6(', '@unix(', '@cloudsql(', '@cloudsql-mysql(', '@ssh(', '@mysql+tcp('],
    pattern: /(?<=(?:^|[\s"'`=(,[{\\])[\w.%+-]{1,64}:(?<head>[^\s"'`]{4,128}))(?=@[a-z\d+-]{2,16}\()/y,
    isSecret: (value) => !isPlaceholder(value, true) && !/^(?:pass(?:word|wd)?|secret|pwd|user|root)$/i.test(value),
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
    anchors: ['X-Amz-Signature=', 'X-Amz-Security-Token=', 'X-Goog-Signature=', 'sig=', 'ignature='],
    pattern:
      /(?:X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature|(?<=[?&](?:amp;)?[\w-]{0,20})(?:sig|ignature))=(?<secret>[A-Za-z0-9%+/=_-]{20,2048})/y,
    isSecret: isRandom,
    continues: true,
  },
  {
    // `terraform output -json`, where an output is marked as sensitive.
    id: 'typed-secret',
    anchors: ['"sensitive": true', '"sensitive":true'],
    pattern: /"sensitive":\s?true,\s{0,40}"type":\s?"string",\s{0,40}"value":\s?"(?<secret>[^"\\\n]{6,512})"/y,
    isSecret: (value) => isNamedSecret(value, 'password', 'literal'),
  },
  {
    // `kubectl patch secret db -p '{"data": {"db": "…"}}'`
    id: 'typed-secret',
    anchors: ['patch secret'],
    pattern:
      /patch secrets?[ /][^\n]{1,200}?"(?:data|stringData)":\s?\{\s?"[\w.-]{1,80}":\s?"(?<secret>[^"\\\n]{6,4096})"/y,
    isSecret: (value) => isNamedSecret(value, 'password', 'literal'),
  },
  {
    // `ACL SETUSER ada on >…`
    id: 'named-secret',
    anchors: ['SETUSER ', 'setuser '],
    pattern: /(?:SETUSER|setuser) [^\n>"']{1,80}[ "']>(?<secret>[^\s"']{6,256})/y,
    isSecret: (value) => isNamedSecret(value, 'password'),
  },
  {
    // `crypt('…', gen_salt('bf'))`
    id: 'named-secret',
    anchors: ["crypt('"],
    pattern: /crypt\('(?<secret>[^'\n]{6,256})'(?:::text)?,\s{0,4}gen_salt\(/y,
    isSecret: (value) => isNamedSecret(value, 'password', 'literal'),
  },
  {
    // What a user types into FTP.
    id: 'named-secret',
    anchors: ['ftp> user '],
    pattern: /ftp> user \S{1,64} (?<secret>\S{6,256})/y,
    isSecret: (value) => isNamedSecret(value, 'password'),
  },
]
