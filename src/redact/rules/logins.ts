/** Passwords next to the user that logs in: in options of any program, `-u ada -p …`, `--user ada:…`, and after `login`. */

import type { PatternRule } from '../rule.ts'
import { isNamedSecret } from '../values/named-value.ts'
import { varied } from './labels.ts'

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
