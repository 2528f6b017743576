/**
 * How texts bind a value to a name, as a table. Each notation says what comes between the two and how the value is read; the
 * first that fits is used.
 */

import { readBlock, readHeredoc } from './folded.ts'
import type { Binding } from './named-value.ts'
import {
  type Name,
  readArgument,
  readAssigned,
  readBraced,
  readCell,
  readElement,
  readInvocation,
  readLiteral,
  readNumberedWord,
  readPrompted,
  readRow,
  readSaid,
  readTuple,
  readTyped,
  readWord,
  readWords,
} from './notation-values.ts'
import type { Value } from './value-reader.ts'

/** One way to bind a value to a name. */
export interface Notation {
  id: string
  /** One of these occurs within two hundred characters after the name; checked first, because it costs least. */
  hints?: readonly string[]
  /** Matches what is between name and value; sticky, tried right after the name. */
  between: RegExp
  /** Reads the value after it. */
  read: (name: Name, at: number, between: RegExpExecArray) => Value | undefined
  binding: Binding
  /** It binds only passwords, because tokens appear in this way in texts about parsers. */
  passwordsOnly?: true
  /** What it binds is a password, whatever the name. */
  isPassword?: true
}

/** A quote, at any depth of escapes. */
const quote = '\\\\{0,15}["\'`]'
const valueKey =
  '(?:[Vv]al(?:ue)?|VALUE|[Dd]efault(?:_?[Vv]alue)?|[Ss]tring_?[Vv]alue|[Cc]ontents?|[Dd]ata|[Pp]lain(?:text)?|[Rr]aw|(?<=")S(?=["\\\\])|env(?:Var)?Value|[Tt]ext|secretString|SecretString)'
const gap = '(?:\\s|\\\\{1,15}[nrt]|[,;{(:=>+-]){0,40}'
/** The same between two fields, where at least one such character is required. */
const between = gap.replace('{0,40}', '{1,40}')
const field = `(?!${valueKey}\\b)(?:${quote})?[A-Za-z_][\\w-]{0,30}(?:${quote})?\\s{0,4}(?:=>|[:=])\\s{0,4}(?:${quote}[^"'\`\\\\\\n]{0,80}${quote}|[\\w.-]{1,40}(?![\\w.-]))`
/** What only wraps a literal: `SecretStr("…")`, `String::from("…")`, `["…"]`. */
const carrier = `(?:(?:(?:new |await )?(?:[\\w.]{0,20}(?:Secret|Password|[Ss]tring|String|Bytes|Literal|Option|Argument)\\w{0,12}|Some|Ok|Just|quote|str|bytes|\\[\\]byte|Buffer\\.from|base64|b64encode|btoa)(?:::(?:from|new))?\\((?:\\r?\\n[ \\t]{1,40})?|ConvertTo-SecureString(?: -\\w+){0,3} |[[(])[ \\t]{0,2}|\\(\\r?\\n[ \\t]{1,40})?`
const quoteAhead = '(?=(?:[rbfuRBFUL@$]{1,2})?\\\\{0,15}["\'`“‘«])'
/** Colours of a terminal whose escape character was lost or is spelled out: `[32m`, `^[[0m`. */
const lostColour = '(?:(?:\\^\\[|␛)?\\[\\d{0,3}(?:;\\d{1,3}){0,4}m){0,2}'
const closes = `(?:${quote}|[\\])}”’»]|\\*{1,2}|_{2}){0,4}`

/** What sentences say about a password, and about where to type it. */
const saidBy =
  "(?:(?:is|was|be|are|ist|war|sei|wäre|lautet|est|es|era|é|è|either|maybe|to|it is|it['’]s|its|use|type|enter|answer(?: with)?|give(?: it)?|prompt)(?: (?:now|still|just|currently|jetzt|nun|ahora|maintenant|set to|changed to))?|now|set to|changed to)"

const sticky = (source: string): RegExp => new RegExp(source, 'y')

/** What binds a value to the name before it, with or without colours around it. */
const assignment = (colour: string): RegExp =>
  sticky(
    `${closes}${colour}(?:\\[\\d{0,4}\\]|[ \\t](?:string|\\[\\]byte)(?=[ \\t]=[ \\t]))?[ \\t\u00A0]{0,24}(?:\\.{4,60}:?|＝|﹕|→|⇒|=>|::(?=[ \\t])|::?=|\\?{1,2}=|\\|\\|=|[+.!]?={1,3}|:(?=\\*\\*|__)(?:\\*\\*|__)|:-|:(?!:[A-Za-z_]\\w{0,60}[(<:{,])|<-|->|<>|：)[ \\t\u00A0]{0,24}${colour}(?:!{1,2}[a-z]{2,12}[ \\t]{1,4}|![A-Z][A-Za-z]{1,12}[ \\t]{1,4}${quoteAhead}|(?<=[ \\t])&[\\w-]{1,40}[ \\t]{1,4}|${carrier}${quoteAhead}|\\r?\\n[ \\t]{1,40}${quoteAhead}|\\\\\\r?\\n[ \\t]{0,40})?`,
  )

/** What separates the cell of a name from the next. */
const cell = sticky(
  `${closes}(?:[ \\t]{0,40}[|│┃║][ \\t]{0,40}|\\t[ \\t]{0,40}|[ \\t]{2,60}|(?<![\\])}]["']?)[;,](?=\\S))`,
)

/** Words between a name and its value in a sentence. */
const said = 'is was be are ist war sei wäre lautet est es era é è to it use type enter answer give now prompt'.split(
  ' ',
)

/** The notations, in the order in which they are tried. */
export const notations: readonly Notation[] = [
  // `"name": "API_KEY", "value": "…"`, `<add key="…" value="…"/>`, `variable "…" { default = "…" }`
  {
    id: 'pair',
    hints: ['val', 'Val', 'VAL', 'efault', 'ontent', 'ata', 'lain', 'aw', 'S"', 'ext', 'tring'],
    between: sticky(
      `(?:${quote})?${gap}(?:#[^\\n]{0,160}\\n\\s{0,40})?(?:${field}${between}){0,4}(?:${quote})?${valueKey}(?:${quote})?\\s{0,4}(?:=>|[:=])\\s{0,4}`,
    ),
    read: readWord,
    binding: 'firm',
  },
  // `<password>…</password>`, `<string name="password">…<`, `<key>Password</key><string>…<`, `<td>Password</td><td>…<`
  {
    id: 'element',
    hints: ['>'],
    between: sticky(
      `(?:(?:${quote})?(?:\\s[^<>\\n]{0,120})?>|(?:</[\\w:]{1,40}>|\\s|&nbsp;|:){1,6}<[\\w:]{1,40}(?:\\s[^<>\\n]{0,80})?>)\\s{0,40}(?:<(?:code|b|strong|span|kbd|tt|em|string|[vV]alue)>)?(?:<!\\[CDATA\\[)?`,
    ),
    read: readElement,
    binding: 'firm',
  },
  // `Server=db;PWD={…};Encrypt=yes`: ODBC drivers take what is in braces literally
  {
    id: 'braced',
    hints: ['={'],
    between: sticky('=\\{'),
    read: readBraced,
    binding: 'firm',
    passwordsOnly: true,
  },
  // `auth=("user", "…")`, `HTTPBasicAuth('user', '…')`
  {
    id: 'tuple',
    hints: ['(', '['],
    between: sticky(
      `(?:${quote})?[ \\t]{0,3}(?:[:=][ \\t]{0,3})?[[(][ \\t]{0,3}${quote}[^"'\`\\n\\\\]{1,64}${quote}[ \\t]{0,3},[ \\t]{0,3}${carrier}${quoteAhead}`,
    ),
    read: readTuple,
    binding: 'firm',
    isPassword: true,
  },
  // `password = <<EOT` with the value in the line below
  {
    id: 'heredoc',
    hints: ['<<'],
    between: sticky(`[ \\t]{0,24}=[ \\t]{0,3}<<[-~]?(["']?)(?<tag>\\w{1,40})\\1\\r?\\n[ \\t]{0,40}`),
    read: readHeredoc,
    binding: 'firm',
  },
  // `api_key: |-` with the value on the lines below
  {
    id: 'block',
    hints: ['|', '>'],
    between: sticky(
      `(?:${quote})?:[ \\t]{0,8}(?:!\\S{1,20}[ \\t]{1,4})?[|>][+-]?\\d?[+-]?[ \\t]{0,8}(?:#[^\\n]{0,80})?\\r?\\n`,
    ),
    read: readBlock,
    binding: 'firm',
  },
  // `printf 'password=%s\\n' …`
  {
    id: 'format',
    hints: ['%s'],
    between: sticky(`[=:][ \\t]?["']?%s["']?(?:\\\\n)?${quote}[ \\t]{1,4}`),
    read: readWord,
    binding: 'firm',
  },
  // `const token: string = '…'`, `password!: string = '…'`, `SECRET: &'static str = "…"`, `Password As String = "…"`
  {
    id: 'typed',
    hints: ['='],
    between: sticky(
      `(?:[?!]?[ \\t]{0,3}:[ \\t]{0,3}(?:&(?:'[a-z]{1,12}[ \\t])?)?|[ \\t][Aa]s[ \\t])(?<type>[A-Za-z_][\\w.<>[\\]|?, ]{0,40})[ \\t]{0,3}=(?!=)[ \\t]{0,3}${carrier}${quoteAhead}`,
    ),
    read: readTyped,
    binding: 'firm',
  },
  // `string Password { get; set; } = "…"`
  {
    id: 'property',
    hints: ['get;'],
    between: sticky(`\\s{1,40}\\{\\s{0,40}get;[^{}\\n]{0,40}\\}[ \\t]{0,3}=[ \\t]{0,3}${carrier}${quoteAhead}`),
    read: readWord,
    binding: 'firm',
  },
  // `process.env.NAME ?? "…"`, `getenv("NAME") or "…"`, `password = process.env.DB ?? '…'`, `"{{ x | default('…') }}"`
  {
    id: 'fallback',
    hints: ['??', '||', ' or ', '?:', 'default'],
    between: sticky(
      `(?:[ \\t]{0,3}[=:][ \\t]{0,3}["']?\\{\\{[^{}\\n]{1,160}?\\|[ \\t]?default[ (]{1,2}|(?:${closes}[ \\t]{0,3}(?:=>|[=:])[ \\t]{0,3}(?:<%=[ \\t]?)?[A-Za-z_$][\\w$]{0,40}(?:\\??\\.[\\w$]{1,40}|[([]["']?[\\w.-]{0,60}["']?[)\\]]){1,5}|${closes})[ \\t]{0,3}(?:\\?\\?|\\|\\||or|\\?:)[ \\t]{0,3})${quoteAhead}`,
    ),
    read: readWord,
    binding: 'firm',
  },
  // `[32mname=[0mvalue`, where colours lost their escape character
  {
    id: 'coloured',
    hints: ['[0m'],
    between: assignment(lostColour),
    read: readWord,
    binding: 'firm',
  },
  // `name=value`, `name: value`, `"name": "value"`, `**name:** value`, `x['name'] == "value"`, `${name:-value}`
  {
    id: 'assignment',
    between: assignment(''),
    read: readWord,
    binding: 'firm',
  },
  // `password("…")`, `secret{"…"}`, `password { "…" }`
  {
    id: 'invocation',
    hints: ['(', '{'],
    between: sticky(`(?:\\(|[ \\t]?\\{)[ \\t]{0,2}${quoteAhead}`),
    read: readInvocation,
    binding: 'firm',
  },
  // `AWS Secret Access Key [None]: …`, `Password (will be hidden): …`
  {
    id: 'default',
    hints: ['[', '('],
    between: sticky(`[ \\t]{1,2}(?:\\[[^\\]\\n]{0,64}\\]|\\([^)\\n]{1,64}\\))[ \\t]?[:：=][ \\t]{1,3}`),
    read: readWord,
    binding: 'firm',
  },
  // `getByLabel('Password').fill('…')`, `withId(R.id.password)).perform(typeText("…"))`
  {
    id: 'field',
    hints: [').'],
    between: sticky(
      `(?:${quote}|[\\])])[\\])}"' /]{0,4}\\)\\.\\w{2,20}\\((?:(?:type|replace)Text\\()?[ \\t]{0,2}${quoteAhead}`,
    ),
    read: readWord,
    binding: 'firm',
  },
  // `secureTextFields["Password"].typeText("…")`, `type(getByLabelText(/password/i), '…')`
  {
    id: 'field',
    hints: ['].typeText', '), '],
    between: sticky(`(?:["']\\]\\.typeText\\(|(?:["']|/[gimsu]{0,4})(?: ?\\})?\\){1,2},[ \\t]{1,3})${quoteAhead}`),
    passwordsOnly: true,
    read: readWord,
    binding: 'firm',
  },
  // `Content-Disposition: form-data; name="api_key"` with the value after an empty line
  {
    id: 'form',
    hints: ['\n\n', '\n\r\n'],
    between: sticky(`"(?:;[^\\n]{0,80})?\\r?\\n(?:[\\w-]{1,40}:[^\\n]{0,120}\\n)?\\r?\\n`),
    read: readWord,
    binding: 'firm',
  },
  // `Password for 'https://…': …`
  {
    id: 'prompt',
    between: sticky(
      `[ \\t](?:for|of|für|pour|para|zum?|zur|vo[mn]|voor|van|de|del|du|des|do|da|di|della|от|для|к)[ \\t][^\\n:]{0,40}(?::\\/\\/[^\\n: ]{1,80})?[^\\n: ]{0,24}:[ \\t]{1,3}`,
    ),
    read: readPrompted,
    binding: 'firm',
    passwordsOnly: true,
  },
  // `define('NAME', '…')`, `setItem("name", "…")`, `fill('input[name="password"]', '…')`, `.equals`-like calls
  {
    id: 'call',
    hints: [','],
    between: sticky(
      `(?:${quote})?(?:\\]${quote})?(?<=["'\`])[ \\t]{0,3},\\s{0,40}(?:(?<keyword>[A-Za-z_]\\w{0,30})[ \\t]?[=:][ \\t]?)?${carrier}${quoteAhead}`,
    ),
    read: readArgument,
    binding: 'firm',
  },
  // `x.password.equals("…")`, `assertEquals(password, "…")`
  {
    id: 'comparison',
    between: sticky(
      `(?:\\(\\))?(?:\\.(?:equals|eq|is|toBe|toEqual|compareTo|equalsIgnoreCase)\\(|\\)\\.(?:toBe|toEqual|toStrictEqual)\\(|[ \\t]{0,2},[ \\t]{0,2})${quoteAhead}`,
    ),
    read: readWord,
    binding: 'firm',
    passwordsOnly: true,
  },
  // The same for what is not a password. Such words are parts of a text that is parsed, unless they look random
  {
    id: 'compared',
    between: sticky(
      `(?:\\(\\))?(?:\\.(?:equals|eq|is|toBe|toEqual|compareTo)\\(|\\)\\.(?:toBe|toEqual|toStrictEqual)\\()${quoteAhead}`,
    ),
    read: readWord,
    binding: 'loose',
  },
  // `WITH PASSWORD '…'`, `password "…"`
  {
    id: 'literal',
    between: sticky(`(?:${quote})?[ \\t]{1,24}(?:[\`^\\\\]\\r?\\n[ \\t]{1,40})?${quoteAhead}`),
    read: readLiteral,
    binding: 'firm',
    passwordsOnly: true,
  },
  // The same below a heading `name | value`
  {
    id: 'row',
    between: cell,
    read: readRow,
    binding: 'firm',
  },
  // `| NAME | … |`, `NAME    …`
  {
    id: 'cell',
    between: cell,
    read: readCell,
    binding: 'loose',
  },
  // `the password (…)`, `password … …`
  {
    id: 'brackets',
    hints: ['(', '（', '[', '【', '…'],
    between: sticky('[ \\t]{0,2}(?:[(（[【]|…)[ \\t]{0,2}["\'`]?'),
    read: readWords,
    binding: 'loose',
    passwordsOnly: true,
  },
  // `setx NAME …`, `ENV NAME …`, `set -gx NAME …`
  {
    id: 'variable',
    between: sticky('[ \\t]{1,3}'),
    read: readAssigned,
    binding: 'firm',
  },
  // `The password for the server will be: …`, `for the password use …`, `asks for a password, it is …`
  {
    id: 'said',
    hints: [...said.map((word) => ` ${word}`), '(it'],
    between: sticky(
      `${closes}(?:[ \\t](?:for|of|on|für|zu[mr]?|vo[mn]|van|del?|di|della|du|para|pour|do)[ \\t][^\\n:=.,;()]{1,60}?)?[,;]?(?:[ \\t](?:(?:will|should|must|has to)(?: now)?|has been|[—–-]))?[ \\t]{1,3}\\(?${saidBy}(?::?[ \\t]{1,3}|:[ \\t]{0,3}(?:\\r?\\n[ \\t]{0,8}){1,3})`,
    ),
    read: readSaid,
    binding: 'firm',
    passwordsOnly: true,
  },
  // `use password …`, `my pw …`
  {
    id: 'told',
    between: sticky('[ \\t]{1,2}["\'`]?(?=[A-Za-z])'),
    read: readNumberedWord,
    binding: 'firm',
    passwordsOnly: true,
  },
  // `API key is …`, `password …`
  {
    id: 'words',
    between: sticky(
      `${closes}[ \\t]{1,3}(?:(?:is|was|ist|war|lautet|est|es|to|as|=|[–—-]|--?[a-z][a-z-]{1,16}|(?:is |was )?(?:now|set to|still|currently))[ \\t:=]{1,3}|\\d{1,2}[ \\t]{1,3})?`,
    ),
    read: readWords,
    binding: 'loose',
  },
]
