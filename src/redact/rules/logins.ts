/** Passwords next to the user that logs in, when the options of any program give both: `-u ada -p …`. */

import type { PatternRule } from '../rule.ts'
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
export const loginRules: readonly PatternRule[] = [
  new RegExp(`(?<= (?<name>${user})) -(?:[pP]|pw) ["']?${password}${end}`, 'y'),
  new RegExp(` -(?:[pP]|pw) ["']?${password}(?= (?<name>${user}))`, 'y'),
].map((pattern) => ({
  id: 'command-secret',
  anchors: [' -p ', ' -P ', ' -pw '],
  follows: '["\']?[^\\s"\']{6}',
  pattern,
  isSecret: (value, name) => varied(value) && !isOther(value) && !isScript.test(name),
}))
