/** What a text reveals: secrets by two sets of rules, and personal data. */

import type { Finding } from '../../diagnostics/finding.ts'

/** A part of a text that should not be there, `end` exclusive. */
export interface Hit {
  start: number
  end: number
  ruleId: Finding['ruleId']
  /** What was found in a decoded run of base64; the part is then the whole run. */
  encoded?: string
}

/** A part of a text, `end` exclusive, and the kind of what is there. */
export interface Found {
  start: number
  end: number
  rule: string
}

/** A text with `[redacted]` instead of its hits, once for hits that overlap. */
export function withoutHits(text: string, hits: readonly Pick<Hit, 'start' | 'end'>[]): string {
  let [shown, done] = ['', 0]
  for (const { start, end } of hits.toSorted((a, b) => a.start - b.start)) {
    if (start >= done) shown += `${text.slice(done, start)}[redacted]`
    done = Math.max(done, end)
  }
  return shown + text.slice(done)
}

/** Finds the secrets of a text. */
export type FindSecrets = (text: string) => readonly Found[]

/** How a text is read. */
export interface HitOptions {
  findSecrets: FindSecrets
  /** The text has lost its case, as words of a search index have. */
  anyCase?: boolean
  /** Ignores personal data, because it belongs to nobody in a session. */
  secretsOnly?: boolean
}

/** The hits of a text, without those in its base64. */
export function plainHits(text: string, { findSecrets, anyCase, secretsOnly }: HitOptions): Hit[] {
  const secrets = [...findSecrets(text), ...findShapes(text, anyCase), ...findRandomValues(text)]
  const personal = secretsOnly ? [] : [...findHomes(text), ...findEmails(text)]
  return [
    ...secrets.map(({ start, end, rule }): Hit => ({ start, end, ruleId: `secret/${rule}` })),
    ...personal.map(({ start, end, rule }): Hit => ({ start, end, ruleId: `personal/${rule}` })),
  ]
}

/** Whether a hit is a secret rather than personal data. */
export function isSecret({ ruleId }: Pick<Hit, 'ruleId'>): boolean {
  return ruleId.startsWith('secret/')
}

// Shapes of well-known keys, written without the rules of redaction and their machinery, so that what those miss by a bug of
// their own is still found here. Plain patterns over a whole text, for the few kinds that do the most harm.

/** Rule, beginning, body. A body is bounded, so that a text full of beginnings stays quick. */
const rows: readonly (readonly [rule: string, head: string, body: string])[] = [
  ['anthropic-key', 'sk-ant-', '[\\w-]{20,256}'],
  ['openai-key', 'sk-(?:proj-|svcacct-|admin-)?', '[\\w-]{32,256}'],
  ['github-token', 'gh[pousr]_', '[A-Za-z0-9]{30,256}'],
  ['github-token', 'github_pat_', '\\w{36,256}'],
  ['gitlab-token', 'gl(?:pat|rt|dt|ptt)-', '[\\w-]{20,256}'],
  ['google-key', 'AIza', '[\\w-]{35,80}'],
  ['huggingface-token', 'hf_', '[A-Za-z0-9]{30,80}'],
  ['npm-token', 'npm_', '[A-Za-z0-9]{36,80}'],
  ['sendgrid-key', 'SG\\.', '[\\w-]{16,40}\\.[\\w-]{32,80}'],
  ['slack-token', 'xox[abceoprs]-', '[\\w-]{20,256}'],
  ['stripe-key', '[rs]k_live_', '[A-Za-z0-9]{16,128}'],
  ['aws-key-id', 'A(?:KI|SI)A', '[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['jwt', 'eyJ', '[\\w-]{10,2048}\\.eyJ[\\w-]{10,4096}\\.[\\w-]{10,2048}'],
  ['private-key', '-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----', '[\\s\\\\nr>|+]{0,40}[A-Za-z0-9+/=]{40,64}'],
]

const heads = rows.map(([, head, body], row) => `(?<r${row}>(?<![A-Za-z0-9_])${head}(?:${body}))`).join('|')
const asWritten = new RegExp(heads, 'g')
/** The words of a search index are in lowercase. */
const inAnyCase = new RegExp(heads, 'gi')

/** The parts of a text with the shape of a key; with `anyCase`, also if case was lost. */
function findShapes(text: string, anyCase = false): Found[] {
  const found: Found[] = []
  for (const { 0: match, index, groups = {} } of text.matchAll(anyCase ? inAnyCase : asWritten)) {
    const row = rows.findIndex((_, number) => groups[`r${number}`] !== undefined)
    const rule = rows[row]?.[0]
    if (rule !== undefined && isVaried(match)) found.push({ start: index, end: index + match.length, rule })
  }
  return found
}

/** Whether a match varies as keys do: placeholders repeat a few letters, and names are made of words. */
function isVaried(match: string): boolean {
  const body = match.replace(/^.{4}/s, '')
  const isWords = body.split(/[-_.]/).every((part) => /^(?:[A-Za-z]*|\d{1,4})$/.test(part))
  return new Set(body).size >= 9 && !isWords
}

// Random texts after words about secrets: a safety net below all rules that know what a key looks like. It deliberately shares
// nothing with redaction, because what redaction reads wrongly must not be read wrongly in the same way here.

/** Words about secrets, also within a longer name: `DB_PASSWORD`, `apiKeyValue`, `client secret`. */
const secretWord =
  /pass(?:word|wort|wd|phrase|code)|pwd|secret|token|credential|authorization|identified\s+by|sshpass\s+-p|(?<![A-Za-z])(?:auth|pw)(?![a-z])|(?:api|app|access|account|auth|client|encryption|license|master|private|secret|service|shared|signing|storage)[-_. ]?key/gi
/** The rest of a name. `tokens`, `tokenizer` and `secretary` are other words. */
const nameRest = /(?:s(?![A-Za-z])|S(?![A-Za-z])|(?<=[a-z])(?=[A-Z])|(?![A-Za-z]))[\w.-]{0,30}?(?![\w.-])/y
/** What may come between a name and its value: punctuation, and words without meaning. */
const between =
  /(?:\\[nrt]|[^A-Za-z0-9]|(?<![A-Za-z0-9])(?:is|was|be|to|of|as|with|the|an?|values?|default|string|text|plain|set|key|by|identified|now|new|basic|bearer|token)(?![A-Za-z0-9])){1,40}/iy
/** A key: letters and digits, with the characters of base64 and separators. */
const key = /[A-Za-z0-9][A-Za-z0-9+/_=.~-]{18,400}/y
/** A generated password: any characters except those that end it. */
const password = /[^\s\p{Cc}"'`<>\u2026\u00AB\u00BB]{10,64}/uy

/**
 * Line breaks between a name and its value: a page has one for each tag that is not inline. From the last heading of a table to
 * the first cell below it there are more, and that cell does not belong to that column.
 */
const maxBreaks = 6

/** The random values of a text that follow words about secrets, in order. */
export function findRandomValues(text: string): Found[] {
  const found: Found[] = []
  for (const { 0: word, index } of text.matchAll(secretWord)) {
    const name = endOf(nameRest, text, index + word.length)
    const start = name === undefined ? undefined : endOf(between, text, name)
    if (start === undefined || start <= (found.at(-1)?.start ?? -1)) continue
    // Base64 may contain such words, too, followed only by its own characters.
    const gap = text.slice(index + word.length, start)
    if (!/[^\w+/.~-]/.test(gap) || (gap.match(/\n/g)?.length ?? 0) > maxBreaks) continue
    const end = valueEnd(text, start)
    // A commit on the next line, or later in a list, is not the value of the name.
    const isCommit = end !== undefined && /[\n,]/.test(gap) && /^[\da-f]{40}\b/.test(text.slice(start, start + 41))
    if (end !== undefined && !isCommit) found.push({ start, end, rule: 'random-value' })
  }
  return found
}

/** The end of a random value that begins at an offset; `undefined` if there is none. */
function valueEnd(text: string, start: number): number | undefined {
  const keyEnd = endOf(key, text, start)
  if (keyEnd !== undefined && isRandomKey(text.slice(start, keyEnd))) return keyEnd
  const passwordEnd = endOf(password, text, start)
  return passwordEnd !== undefined && isRandomPassword(text.slice(start, passwordEnd)) ? passwordEnd : undefined
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** Whether a text of letters, digits and base64 characters looks like one that nobody typed. */
function isRandomKey(run: string): boolean {
  if (/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.test(run)) return true
  // Ids of threads and turns encode the time; only those of version 4 are random.
  const text = run.replace(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi, '').replace(/(?<!=)=+$/, '')
  if (text.length < 16 || new Set(text).size < 9) return false
  if (/^[\da-f]+$/i.test(text)) return text.length >= 32 && /\d/.test(text) && /[a-f]/i.test(text)
  const letters = text.match(/[A-Za-z]/g)?.length ?? 0
  return letters >= 4 && /\d/.test(text) && changes(text) >= 0.12 && !isOfWords(text)
}

/** Whether a text with punctuation looks like a generated password. */
function isRandomPassword(text: string): boolean {
  const body = text.replace(/(?<![.,;:!?)}\]])[.,;:!?)}\]]+$/, '')
  const punctuation = body.match(/[^A-Za-z0-9]/g)?.length ?? 0
  const isMixed = /[a-z]/.test(body) && /[A-Z]/.test(body) && /\d/.test(body)
  const isCode = /^u[\dA-Fa-f]{4}|\\[ux]|\$\{|\(\)|=>|::|&&|\|\|/.test(body)
  return (
    isMixed &&
    !isCode &&
    body.length >= 10 &&
    punctuation <= body.length / 2 &&
    changes(body) >= 0.4 &&
    !isOfWords(body)
  )
}

/** The pairs of letters that words consist of; in a random text, one pair in seven is among them. */
const common = new Set(
  (
    'th he in er an re nd at on nt ha es st en ed to it ou ea hi is or ti as te et ng of al de se le sa si ar ve ra ld ur ' +
    'ro ri io ic ne me li co ma ce ho la el ta ec om ca no il ns us di be wi tr ac un so pe lo ut em ge ke ss am ot ol ir ' +
    'ry ey ad mo po id cr im ag ct ie sp pr op ap ck ow ue ai ul ab ay nc sh ch ee ll tt mp rs ts od ex au vi ty ni ys do'
  ).split(' '),
)

/** Whether the letters of a text follow each other as in words: `CreateOAuth2TokenCommand`, `x25519.PrivateKey`. */
function isOfWords(text: string): boolean {
  let [pairs, commonPairs] = [0, 0]
  for (const [word] of text.matchAll(/[A-Za-z]{2,}/g)) {
    for (let at = 0; at < word.length - 1; at++) if (common.has(word.slice(at, at + 2).toLowerCase())) commonPairs++
    pairs += word.length - 1
  }
  return pairs >= 6 && commonPairs > pairs * 0.42
}

/** The share of neighbouring characters of different kinds: lowercase, uppercase, digit, other. */
function changes(text: string): number {
  let count = 0
  for (let at = 1; at < text.length; at++) if (kindOf(text.charCodeAt(at)) !== kindOf(text.charCodeAt(at - 1))) count++
  return count / (text.length - 1)
}

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return 1
  if (code >= 65 && code <= 90) return 2
  return code >= 48 && code <= 57 ? 3 : 4
}

// Personal data that its form reveals: home folders and e-mail addresses. It shares no code with redaction, but covers every
// notation that redaction replaces.

const userName = String.raw`([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63})`
/** A slash, perhaps escaped as in JSON. */
const slash = String.raw`(?:\\{0,8}/|\\{1,8}u002[fF])`
const back = String.raw`\\{1,64}`
const either = `(?:${back}|${slash})`
/**
 * Where a path begins. A route such as `https://host/Users/guide` has something before it; an escaped line end, a flag or a diff
 * mark does not count.
 */
const begin = String.raw`(?:(?<![\p{L}\p{N}_.$~})%/\\\]@#*-])|(?<=\\[nrt])|(?<=file:\/\/)|(?<=(?:^|\s)-[A-Za-z])|(?<=[\r\n]-))`
const quoteOrBlank = '(?<=^|[\\s"\'`(=[<>,|])'

/** Notations of home folders, from the folder above on. What precedes it is `head`, and the name is the last group. */
const homes: readonly RegExp[] = [
  [`${begin}(?:${slash}(?:var|export))?${slash}`, `home${slash}`],
  [`${begin}(?:${slash}(?:mnt|cygdrive))?(?:${slash}[A-Za-z])?${slash}`, `Users${slash}`],
  [`${begin}${slash}mnt${slash}[A-Za-z]${slash}`, `(?:users|USERS)${slash}`],
  [String.raw`(?<![\p{L}\p{N}])[A-Za-z](?::|%3[Aa])${either}`, `(?:[Uu]sers|USERS|Documents and Settings)${either}`],
  [String.raw`(?<![\w\\.~:-])${back}`, `Users${back}`],
  // Shares: of Windows, of Linux as seen from Windows, and of homes only.
  [String.raw`${quoteOrBlank}\\{2,128}[\w.$-]{1,80}${back}(?:[\w.$-]{1,80}${back})?`, `Users${back}`],
  [String.raw`${quoteOrBlank}\\{2,128}wsl[\w.$-]{1,20}${back}[\w.$-]{1,80}${back}`, `home${back}`],
  [String.raw`${quoteOrBlank}\/\/wsl(?:\$|\.localhost)\/[\w.-]{1,80}\/`, String.raw`home\/`],
  [
    String.raw`${quoteOrBlank}\k<sep>\k<sep>[\w.-]{1,80}(?<sep>\\{1,32})`,
    String.raw`(?:[Uu]sers|[Hh]omes?|[Pp]rofiles)\$?\k<sep>`,
  ],
  ['%(?:2[Ff]|5[Cc])', '(?:home|Users)%(?:2[Ff]|5[Cc])'],
].map(([head = '', folder = '']) => new RegExp(`(?<=(?<head>${head}))${folder}${userName}`, 'uy'))
/** Names of folders that belong to nobody. */
const nobody =
  /^(?:Shared|[Pp]ublic|PUBLIC|Default|All|linuxbrew|user|username|name|you|your[-_]?name|me|USER|USERNAME|NAME)$/
/** Pages of a site: `/home/index.html`. */
const webPage = /^[\w-]+\.(?:html?|php|aspx?|jsp|[jt]sx?|vue|s?css|json|md|png|jpe?g|svg|webp)$/

/** The folder above those of people, and the separator after it. No notation is tried anywhere else. */
const anchor = /(?:[Hh]omes?|[Uu]sers|USERS|[Pp]rofiles|Documents and Settings)\$?[\\/%]/g
/** The home folders of people in a text, in order. */
function findHomes(text: string): Found[] {
  const found: Found[] = []
  for (const { index } of text.matchAll(anchor)) {
    const hit = homeAt(text, index)
    if (hit !== undefined && hit.start >= (found.at(-1)?.end ?? 0)) found.push(hit)
  }
  return found
}

/** The home folder whose anchor is at an offset. */
function homeAt(text: string, at: number): Found | undefined {
  for (const pattern of homes) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) continue
    const end = pattern.lastIndex
    const folder = match.at(-1) ?? ''
    const isPage = webPage.test(folder) && text[end] !== '/'
    if (nobody.test(folder) || isPage) continue
    return { start: at - (match.groups?.['head']?.length ?? 0), end, rule: 'home-folder' }
  }
  return undefined
}

const local = /[A-Za-z0-9][\w.+-]{0,63}$/
const domain = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.){1,8}[A-Za-z]{2,24}(?![\w-])/
/** Addresses that are invented, belong to programs, or are not mailboxes. */
const noPerson =
  /^(?:git|hg|svn|npm|no-?reply|noreply\S*|notifications?|you|user|name|me)@|@(?:\S+\.)?(?:example(?:\.(?:com|org|net))?|test|invalid|localhost|local|internal|users\.noreply\.\S+)$|\.(?:png|jpe?g|gif|svg|webp|ico|css|[cm]?[jt]sx?|json|md|html?|py|rs|go|sh|toml|ya?ml|lock|txt|service|timer|socket|target)$/i

/** The e-mail addresses in a text that may belong to somebody. */
function findEmails(text: string): Found[] {
  const found: Found[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const before = local.exec(text.slice(Math.max(0, at - 64), at))?.[0]
    const host = domain.exec(text.slice(at + 1, at + 256))?.[0]
    if (before === undefined || host === undefined || noPerson.test(`${before}@${host}`)) continue
    // `user:password@host` is an address of another kind, and a secret.
    if (/[:/]$/.test(text.slice(0, at - before.length).slice(-1))) continue
    found.push({ start: at - before.length, end: at + 1 + host.length, rule: 'email' })
  }
  return found
}
