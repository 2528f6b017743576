/** Passwords and keys in settings, consoles and answers of single programs, which no general notation reads. */

import type { PatternRule } from '../rule.ts'
import { isNamedSecret } from '../values/named-value.ts'
import { isPlaceholder } from '../values/placeholders.ts'
import { isRandom } from '../values/randomness.ts'
import { plain } from './labels.ts'

const isPassword = (value: string): boolean => isNamedSecret(value, 'password')
const isLiteral = (value: string): boolean => isNamedSecret(value, 'password', 'literal')

/** Where somebody types in a test: a field by its name in code, `passwordInput`, `password_field`. */
const fields = ['Input', 'Field', 'Box', 'TextBox', 'El', 'Element', '_input', '_field', '_box', '_element']
const typing = '(?:type|fill|setValue|typeText|paste|keyboard|[sS]end_?[kK]eys|change|input|enterText|setText|set)'

/** Rules for them. */
export const settingRules: readonly PatternRule[] = [
  {
    // HAProxy, Squid, Redis, Neo4j: `user ada insecure-password …`, `stats auth ada:…`, `cache_peer … login=ada:…`
    id: 'config-password',
    anchors: ['insecure-password ', 'stats auth ', ' login=', 'sentinel auth-pass ', 'NEO4J_AUTH=', 'NEO4J_AUTH: '],
    pattern:
      /(?:insecure-password |sentinel auth-pass \S{1,64} |NEO4J_AUTH(?:=|: )["']?neo4j\/|stats auth [^\s:]{1,64}:|(?<=cache_peer [^\n]{1,200}) login=[^\s:]{1,64}:)(?<secret>[^\s"']{4,256})/y,
    isSecret: isPassword,
  },
  {
    // Routers with OpenWrt, and what Subversion stores, with its length.
    id: 'config-password',
    anchors: ["option key '", "].key='", 'password\nV ', 'passphrase\nV '],
    pattern:
      /(?:option key '|(?<=wireless\.[^\n]{1,60})\].key='|(?<=K \d\n)pass(?:word|phrase)\nV \d{1,3}\n)(?<secret>[^\n']{6,128})(?='?[ \t]*(?:\n|$))/y,
    isSecret: isLiteral,
  },
  {
    // `keychain.set("…", forKey: "password")`
    id: 'call-password',
    anchors: ['set("', 'setValue("', 'setString("'],
    follows: '[^"\\n]{4,256}",[ \\t]{0,4}(?:forKey|withKey|key):',
    pattern:
      /set(?:Value|String)?\("(?<secret>[^"\n]{4,256})",[ \t]{0,4}(?:forKey|withKey|key): ?"(?<name>[\w.-]{2,80})"/y,
    isSecret: (value, name) => isNamedSecret(value, name, 'literal'),
  },
  {
    // Cisco: `enable secret 0 …`, `username ada secret …`; a digit says what kind of text follows
    id: 'config-password',
    anchors: ['enable secret ', 'enable password ', ' secret ', ' password 0 '],
    pattern:
      /(?:enable (?:secret|password)(?: level \d{1,2})?|(?<=(?:^|[\n\t>#:])[ \t+-]{0,4}username \S{1,64}(?: privilege \d{1,2})?) (?:secret|password(?= 0 )))(?: \d)? (?<secret>[^\s"'$][^\s"'\\]{3,127})(?=[ \t]*(?:[\r\n"'\\]|$))/y,
    isSecret: isPassword,
  },
  {
    // What is typed into a console of Redis.
    id: 'named-secret',
    anchors: ['> AUTH ', '> auth '],
    pattern: /(?<=:\d{2,5}(?:\[\d{1,2}\])?)> (?:AUTH|auth) (?:[\w.-]{1,64} (?=\S))?"?(?<secret>[^\s"]{4,512})/y,
    isSecret: isPassword,
  },
  {
    // Clients of mail and others, with the user in one line and the password in the next.
    id: 'config-password',
    anchors: ['user ', 'User ', 'username ', 'Username '],
    lines: true,
    follows: '[ \\t]{0,8}[^\\s=:]{1,80}[ \\t]*\\r?\\n[^\\n]{0,80}[Pp]ass',
    pattern:
      /(?<=(?:^|\n)[ \t+-]{0,12})[Uu]ser(?:name)?[ \t]{1,9}[^\s=:]{1,80}[ \t]{0,4}\r?\n[ \t+-]{0,12}[Pp]ass(?:word)?[ \t]{1,9}"?(?<secret>[^\s"]{6,256})(?="?[ \t]*(?:\r?\n|$))/y,
    isSecret: isPassword,
  },
  {
    // Yarn: a user and a password, or both in base64
    id: 'config-password',
    anchors: ['npmAuthIdent'],
    pattern: /npmAuthIdent["']?[ \t]?:[ \t]{0,3}["']?(?:[^\s:"']{1,64}:)?(?<secret>[^\s"':]{6,512})/y,
    isSecret: plain,
  },
  {
    // A table of `aws ssm get-parameter`
    id: 'typed-secret',
    anchors: ['SecureString '],
    lines: true,
    follows: '[ \\t]*\\|[ \\t]*\\r?\\n[^\\n]{0,80}Value',
    pattern:
      /SecureString[ \t]{1,200}\|[ \t]*\r?\n[ \t]{0,12}\|[ \t]{1,8}Value[ \t]{1,40}\|[ \t]{1,8}(?<secret>[^\s|]{4,512})/y,
    isSecret: (value) => !isPlaceholder(value, true),
  },
  {
    // The keys of an account in a table of `az storage`, and as other services of Azure call them.
    id: 'azure-key',
    anchors: ['FULL ', 'FULL\t', 'rimaryKey', 'econdaryKey', 'rimary_key', 'econdary_key'],
    pattern:
      /(?:FULL[ \t]{1,20}|(?:rimary|econdary)(?:K|_k)ey\\{0,3}["']?(?:\s{0,12}[:=]|[ \t]{2})\s{0,12}\\{0,3}["']?)(?<secret>[A-Za-z0-9+/]{86}==|[A-Za-z0-9+/]{43}=)(?![\w+/=])/y,
    isSecret: isRandom,
  },
  {
    // What logs in at a service after a company has said who somebody is.
    id: 'session-key',
    anchors: ['SAMLResponse'],
    pattern:
      /SAMLResponse(?:=|\\{0,3}["'](?:\s?:\s?|\s{1,4}value=)\\{0,3}["'])(?<secret>(?:[A-Za-z0-9+/]|%2[BF]){100,2048}={0,2})/y,
    isSecret: isRandom,
  },
  {
    // The key of a network of Zigbee or Thread, in numbers.
    id: 'config-password',
    anchors: ['network_key', 'networkKey', 'networkkey'],
    follows: '["\']?[ \\t]{0,4}[:=]',
    pattern:
      /network_?[kK]ey["']?[ \t]{0,4}[:=]\s{0,12}[[{]?\s{0,12}(?:- )?(?<secret>(?:0x[0-9a-fA-F]{2}|\d{1,3})(?:(?:,\s{0,12}|\n[ \t]{1,12}- )(?:0x[0-9a-fA-F]{2}|\d{1,3})){15})(?![\w,])/y,
    isSecret: (value) => new Set(value.split(/\D+/)).size > 6,
  },
  {
    // Names that say nothing by themselves: the team of Honeycomb, what routes events in PagerDuty, the application of Telegram.
    id: 'named-secret',
    anchors: [
      'oneycomb-team',
      'oneycomb-Team',
      'ONEYCOMB_TEAM',
      'outing_key',
      'outingKey',
      'OUTING_KEY',
      'api_hash',
      'API_HASH',
    ],
    pattern:
      /(?:(?<=[xX]-?[hH])oneycomb-[tT]eam|(?<=_H)ONEYCOMB_TEAM|outing(?:_k|K)ey|OUTING_KEY|(?<=api_id\b[\s\S]{1,120})api_hash|(?<=API_ID\b[\s\S]{1,120})API_HASH)\\{0,3}["']?\s{0,3}[:=,]\s{0,3}\\{0,3}["']?(?<secret>[A-Za-z0-9]{22,64})(?![\w.])/y,
    isSecret: (value) => isRandom(value) && !isPlaceholder(value),
  },
  {
    // `DBI->connect("dbi:mysql:shop", "ada", "…")`
    id: 'call-password',
    anchors: ['connect("dbi:', "connect('dbi:", 'connect("DBI:', "connect('DBI:"],
    pattern:
      /connect\(["'][^"'\n]{1,200}["'],\s{0,40}(?:["'][^"'\n]{1,64}["']|\$\w{1,40}),\s{0,40}["'](?<secret>[^"'\n]{6,256})["']/y,
    isSecret: isLiteral,
  },
  {
    // `userEvent.type(passwordInput, '…')`, `passwordField.sendKeys("…")`
    id: 'form-password',
    anchors: fields.map((field) => `assword${field}`),
    pattern: new RegExp(
      `assword(?:${fields.join('|')})(?:\\(\\))?(?:(?<=${typing}\\(\\s{0,4}[\\w$.]{0,60}(?:\\(\\))?),\\s{0,40}(?:\\{\\s{0,4}target:\\s{0,4}\\{\\s{0,4}value:\\s{0,4})?|\\.${typing}\\()["'\`](?<secret>[^"'\`\\n]{6,256})["'\`]`,
      'y',
    ),
    isSecret: isLiteral,
  },
  {
    // What a script of `expect` types after it has waited for a prompt.
    id: 'piped-password',
    lines: true,
    anchors: ['send "', 'send -- "'],
    pattern:
      /(?<=expect[^\n]{1,80}(?:assword|assphrase)[^\n]{0,24}[\s;{]{1,12})send (?:-- )?"(?<secret>[^"\s\\]{4,128})(?:\\[rn]|\r?\n)"/y,
    isSecret: isLiteral,
  },
  {
    // A parameter of PowerShell in a line of its own, or after a line that continues.
    id: 'option-secret',
    anchors: ['-Password ', '-Passphrase ', '-Pwd ', '-AdminPassword ', '-SqlPassword '],
    pattern:
      /(?<=^|[ \t\n"'`])-(?:Admin|Sql)?P(?:assword|assphrase|wd) {1,3}(?<secret>[^\s"'`$(|;]{6,128})(?=[ \t]*(?:[\r\n"'`;|\\]|$| -[A-Z]))/y,
    isSecret: isPassword,
  },
]
