/** Passwords that any command may get: in options next to the user that logs in, and in variables of its environment. */

import { none, type PatternRule, type ReaderRule, type Secret } from '../rule.ts'
import { isNamedSecret, isOnlyPassword } from '../values/named-value.ts'
import { kindOfName } from '../values/names.ts'
import { isPlaceholder } from '../values/placeholders.ts'
import { isQualifiedName } from '../values/public.ts'
import { varied } from './labels.ts'

// Next to the user: `-u ada -p …`, `--user ada:…`, and after `login`.

/** Who logs in. A script, which may be followed by its own options, is not a user. */
const user = `-(?:[uUnl]|-user(?:-?name)?|user(?:name)?|-login)[ =]["']?[\\w.@+\\\\-]{2,64}["']?(?!\\S)`
const isScript = /\.(?:py|[cm]?[jt]sx?|sh|rb|pl|php|lua|go|jar)["']?$/
const password = `(?<secret>[^\\s"'\`;|&<>()]{6,128})["']?`
const end = '(?=[\\s;|&)`"\']|$)'

/** Whether a value is an address, a port or a file, which the same options take. */
const isOther = (value: string): boolean =>
  /^(?:[\w.-]{1,60}:)?[\d.:[\]-]+(?:\/\w+)?$|^[\w@+-]+:[\w./-]+$|\.[a-z]\w{1,4}$/.test(value)

/** Rules for such options. */
const optionRules: readonly PatternRule[] = [
  new RegExp(`(?<= (?<name>${user})) -(?:[pP]|pw) ["']?${password}${end}`, 'y'),
  new RegExp(` -(?:[pP]|pw) ["']?${password}(?= (?<name>${user}))`, 'y'),
].map((pattern) => ({
  id: 'command-secret',
  anchors: [' -p ', ' -P ', ' -pw '],
  follows: '["\']?[^\\s"\']{6}',
  pattern,
  isSecret: (value, name) => varied(value) && !isOther(value) && !isScript.test(name),
}))

/** A user and a password in one word. */
const pair = `[\\w.@+%-]{2,64}:${password}`

/** Rules for both in one word, and for both in lines below a heading. */
const pairRules: readonly PatternRule[] = [
  {
    // Options of curl on a line of their own, and of a file with options: `user = "ada:…"`
    id: 'command-secret',
    anchors: ['--user ', '--user=', '--proxy-user', 'user = "', 'user="'],
    pattern: new RegExp(`(?:--(?:proxy-)?user[ =]["']?|(?<![\\w-])user ?= ?")${pair}${end}`, 'y'),
    isSecret: (value) => varied(value) && !isOther(value),
  },
  {
    // `login ada:…`
    id: 'command-secret',
    anchors: ['ogin ', 'reds '],
    follows: '["\'`]?[\\w.@+%-]{2,64}:[^\\s/]{6}',
    pattern: new RegExp(`(?:ogin|reds) ["'\`]?${pair}${end}`, 'y'),
    isSecret: (value) => isNamedSecret(value, 'password', 'loose') && !isOther(value),
  },
  {
    // `Admin login:` with the user and the password in the lines below
    id: 'spoken-password',
    anchors: ['ogin:', 'ogin data:', 'redentials:', 'ugangsdaten:', 'reds:'],
    follows: '[ \\t]*\\r?\\n[ \\t>`*-]{0,12}[\\w.@+-]{2,64}[ \\t`]*\\r?\\n',
    pattern:
      /(?:ogin(?: data)?|redentials|ugangsdaten|reds):[ \t]*\r?\n[ \t>`*-]{0,12}[\w.@+-]{2,64}[ \t`]*\r?\n[ \t>`*-]{0,12}(?<secret>[!-_a-~]{6,128})(?=[ \t`]*(?:\r?\n|$))/y,
    isSecret: (value) => isNamedSecret(value, 'password', 'loose') && !isOther(value),
  },
]

/** Rules for passwords next to a user. */
export const loginRules: readonly PatternRule[] = [...optionRules, ...pairRules]

// Passwords that a shell puts into a variable of the environment, which its syntax proves however short or simple they are.

/** Variables from which programs read a password, and nothing else. */
const ofPrograms =
  'PGPASSWORD MYSQL_PWD SSHPASS REDISCLI_AUTH VALKEYCLI_AUTH RSYNC_PASSWORD RESTIC_PASSWORD BORG_PASSPHRASE SQLCMDPASSWORD'
/** How the names of other variables with passwords end. */
const endings = ['PASSWORD=', 'PASSWD=', 'PASSPHRASE=', 'PASSCODE=', 'PASS=', '_PWD=', '_PW=']

/** A value with the quotes around it, which are escaped inside a string, and without an expansion or an escape. */
const literal = /(?<open>\\{0,7}["'])(?<quoted>[^"'`\\$\n]{1,256})\k<open>|(?<bare>[^\s"'`\\$;|&<>()[\]{},]{1,256})/y
/** What ends a word: a blank, an operator, or the end of the text that holds the command. */
const wordEnd = /^(?:[\s;|&)"'`\\]|$)/
/** A command, or another assignment before it. */
const command = /^[ \t]{1,8}(?:[A-Z_][A-Z\d_]{0,60}=\S|(?:~|\.{0,2})\/[\w.-]|[a-z][\w./+-]{1,80}(?:[\s;|&)"'`\\]|$))/

/** What precedes an argument or an item of a list in code: `dict(PGPASSWORD=value, …`. */
const inCode = /(?:\w\s*\(|[,[])\s*$/
/** Where a word of a command, or of a text about one, may begin. */
const beginsWord = /(?:^|[\s"'`;|&({❯]|\\[nrt]|\$env:)$/

/** Where a command begins, apart from blanks. */
const beginsCommand = /(?:^|[\n\r"'`;|&{$%#❯]|(?<!\w)\(|\\[nrt])[ \t]*$/
/** What is before an assignment that is not the first word: a command that takes one, its options, or other assignments. */
const beforeAssignment =
  /(?:^|[\s"'`;|&({])(?:env|sudo|exec|time|nohup|then|do|else|!|-[a-zA-Z]{1,4}|-u [\w.-]{1,40}|[A-Za-z_]\w{0,60}=[^\s"'`]{0,60})[ \t]{1,8}$/

/** Rules for variables whose values are passwords. */
export const variableRules: readonly ReaderRule[] = [
  {
    // `PGPASSWORD=abc psql`, `export PGPASSWORD=abc`
    id: 'named-secret',
    anchors: ofPrograms.split(' ').map((name) => `${name}=`),
    read(text, offset) {
      const head = text.slice(Math.max(0, offset - 80), offset)
      if (!beginsWord.test(head) || inCode.test(head)) return none
      const found = valueAfter(text, text.indexOf('=', offset) + 1, head.slice(-1))
      return found !== undefined && wordEnd.test(text.charAt(found.wordEnd)) ? [found] : none
    },
  },
  {
    // `DB_PASSWORD=abc ./run`. Without a command it may be a sample of settings, in which a word is a placeholder.
    id: 'named-secret',
    anchors: endings,
    read(text, offset) {
      const at = text.indexOf('=', offset)
      const [name = ''] = /[A-Z\d_]{1,60}$/.exec(text.slice(Math.max(0, at - 60), at)) ?? []
      const head = text.slice(Math.max(0, at - name.length - 128), at - name.length)
      if (kindOfName(name) !== 'password' || !(beginsCommand.test(head) || beforeAssignment.test(head))) return none
      const found = valueAfter(text, at + 1, head.slice(-1))
      if (found === undefined || !command.test(text.slice(found.wordEnd, found.wordEnd + 96))) return none
      return isChosenWord(found.value) ? [found] : none
    },
  },
]

/** Whether a value is no number or switch, which variables with such names may hold, too. */
function isChosenWord(value: string): boolean {
  return value.length >= 4 && /[A-Za-z]/.test(value) && !isPlaceholder(value)
}

/** The password at an offset, and where its word ends. The quote before the name opened a text that contains both. */
function valueAfter(text: string, at: number, before: string): (Secret & { wordEnd: number }) | undefined {
  literal.lastIndex = at
  const { open = '', quoted, bare } = literal.exec(text)?.groups ?? {}
  const value = quoted ?? bare ?? ''
  if (value === '' || (before !== '' && open.endsWith(before))) return undefined
  if (!isOnlyPassword(value) || (quoted === undefined && isQualifiedName(value))) return undefined
  const start = at + open.length
  return { start, end: start + value.length, value, wordEnd: literal.lastIndex }
}
