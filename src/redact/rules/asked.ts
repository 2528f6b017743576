/** What interpreters, databases and pages print for the name of a secret: the name in one line, the value in the next. */

import type { PatternRule } from '../rule.ts'
import { isNamedSecret } from '../values/named-value.ts'

const isLiteral = (value: string, name: string): boolean => isNamedSecret(value, name, 'literal')
/** A line of an interpreter that ends with a name, which may be a key between quotes and brackets. */
const asked = '[^\\n]{0,120}?(?<name>[A-Za-z_][\\w.-]{1,60})["\'`)\\]]{0,4};?[ \\t]{0,3}\\r?\\n'
/** What precedes the answer. */
const answer =
  '(?:=> |Out\\[\\d{1,4}\\]: |\\$\\d{1,4} = |val \\w{1,20}: String = |res\\d{1,4}: String = |==> |\\[1\\] )?'

/** Rules for such answers. */
export const askedRules: readonly PatternRule[] = [
  {
    // `>>> os.environ['DB_PASSWORD']` with `'…'` below, in Python, Node, Ruby, Elixir, Scala, Julia, debuggers
    id: 'named-secret',
    anchors: '>>> |In [|irb|pry(|iex(|julia> |scala> |jshell> |(Pdb) p|ipdb> p|> process.env|(gdb) p'.split('|'),
    follows: '[^\\n]{2,200}\\r?\\n[^\\n]{0,40}["\']',
    pattern: new RegExp(
      `(?<=(?:^|\\n)[ \\t]{0,8}(?:\\[\\d{1,4}\\] )?)(?:>>> |In \\[\\d{1,4}\\]: |irb(?:\\([^\\n)]{0,20}\\))?[:\\d]{0,16}> |pry\\([^\\n)]{0,20}\\)> |iex\\(\\d{1,4}\\)> |julia> |scala> |jshell> |(?:\\((?:Pdb|gdb)\\)|ipdb>) pp? |> (?=process))${asked}${answer}(?<sign>["'])(?<secret>(?:\\\\.|(?!\\k<sign>)[^\\\\\\n]){4,512})\\k<sign>(?=[ \\t]*(?:\\r?\\n|$))`,
      'y',
    ),
    isSecret: isLiteral,
  },
  {
    // `$password` with `[1] "…"` below, as R prints lists
    id: 'named-secret',
    anchors: ['[1] "'],
    pattern:
      /(?<=(?:^|\n)(?:\$|[^\n]{0,80}["'`$])(?<name>[A-Za-z_][\w.]{1,60})["'`)\]]{0,3}[ \t]?\r?\n)\[1\] "(?<secret>[^"\n]{4,512})"(?=[ \t]*(?:\r?\n|$))/y,
    isSecret: isLiteral,
  },
  {
    // `1) "requirepass"` with `2) "…"` below, because Redis answers with names and values in turn
    id: 'named-secret',
    anchors: ['2) "', '4) "', '6) "', '8) "', '0) "'],
    pattern:
      /(?<=(?:^|\n)[ \t]{0,12}\d{0,3}[13579]\) "(?<name>[A-Za-z_][\w.-]{1,60})"\r?\n[ \t]{0,12}\d{0,3})[02468]\) "(?<secret>[^"\n]{4,512})"(?=[ \t]*(?:\r?\n|$))/y,
    isSecret: isLiteral,
  },
  {
    // `user ada on >…`, as Redis stores its users in a file
    id: 'named-secret',
    anchors: [' on >'],
    pattern: /(?<=\buser [\w.-]{1,64}) on >(?<secret>[^\s"'\\]{6,256})/y,
    isSecret: (value) => isNamedSecret(value, 'password'),
  },
  {
    // `CONNECT ada/…@SHOP`, as Oracle clients take it
    id: 'url-credentials',
    anchors: ['CONNECT ', 'connect ', 'Connect ', 'conn ', 'CONN '],
    follows: '[\\w$#]{1,64}/[^\\s@]',
    pattern: /(?:CONN(?:ECT)?|[Cc]onnect|conn) [\w$#]{1,64}\/"?(?<secret>[^\s@/"'<>]{4,128})"?@(?=[\w/(])/y,
    isSecret: (value) => isNamedSecret(value, 'password'),
  },
  {
    // The key that a column is encrypted with: `pgp_sym_encrypt(note, '…')`
    id: 'call-secret',
    anchors: ['pgp_sym_encrypt', 'pgp_sym_decrypt', 'AES_ENCRYPT(', 'AES_DECRYPT(', 'aes_encrypt(', 'aes_decrypt('],
    pattern:
      /(?:pgp_sym_(?:en|de)crypt(?:_bytea)?|(?:AES|aes)_(?:EN|DE|en|de)(?:CRYPT|crypt))\([^\n]{1,160}?,\s{0,4}'(?<secret>[^'\n]{6,256})'/y,
    isSecret: (value) => isNamedSecret(value, 'password', 'literal'),
  },
  {
    // The key of an encrypted database of SQLite
    id: 'call-secret',
    anchors: ['PRAGMA key', 'PRAGMA rekey', 'pragma key', 'PRAGMA hexkey', " KEY '"],
    pattern:
      /(?:(?:PRAGMA|pragma) (?:re|hex)?key ?=|(?<=(?:ATTACH|attach)[^\n;]{1,200}) KEY) ?["'](?:x')?(?<secret>[^"'\n]{6,256})["']/y,
    isSecret: (value) => isNamedSecret(value, 'password', 'literal'),
  },
  {
    // `lftp -e "open -u ada,… host"`, `kadmin -q "addprinc -pw … ada"`, `cvs -d :pserver:ada:…@host:/cvs`
    id: 'command-secret',
    anchors: ['open -u ', 'addprinc ', 'change_password ', 'cpw ', ':pserver:'],
    pattern:
      /(?:open -u [^\s,"']{1,64},|(?:addprinc|change_password|cpw) (?:[^\s"']{1,64} ){0,6}-pw |:pserver:[^\s:@"']{1,64}:)["']?(?<secret>[^\s"'@]{4,256})/y,
    isSecret: (value) => isNamedSecret(value, 'password'),
  },
  {
    // Logins to mail and chat servers: `a1 LOGIN ada …`, `NickServ identify …`
    id: 'named-secret',
    anchors: [' LOGIN ', 'ickServ '],
    pattern:
      /(?:(?<=(?:^|[\n>"'`\t] ?|C: ?)[A-Za-z]?\d{1,6}) LOGIN "?[^\s"]{1,64}"?|ickServ:? (?:identify|IDENTIFY|ghost|GHOST|register|REGISTER)(?: [^\s"]{1,64}(?= \S{6}))?) "?(?<secret>[^\s"]{6,256})/y,
    isSecret: (value) => isNamedSecret(value, 'password'),
  },
  {
    // What SonarQube scanners called a token before `sonar.token`.
    id: 'named-secret',
    anchors: ['sonar.login'],
    pattern: /sonar\.login["']?[ \t]{0,3}[=:][ \t]{0,3}["']?(?<secret>[0-9a-f]{40}|[\w-]{20,64})(?![\w-])/y,
    isSecret: (value) => isNamedSecret(value, 'token'),
  },
  {
    // `<label>Password <input value="…">`, `<label for="x">Password</label> <input id="x" value="…">`
    id: 'form-password',
    anchors: [' value="', " value='"],
    follows: '[^"\'\\n<>]{6,256}["\']',
    pattern:
      /(?<=>\s{0,20}(?:<b>)?(?<name>[\p{L}][\p{L} ]{2,40}?)\s{0,8}[:*]?\s{0,8}(?:<\/(?:label|b|span)>\s{0,40}){0,3}(?:<(?:br|div[^<>]{0,80}|span[^<>]{0,80}) ?\/?>\s{0,40}){0,2}<input(?:\s[^<>]{0,160})?) value=["'](?<secret>[^"'\n<>]{6,256})["']/uy,
    isSecret: isLiteral,
  },
]
