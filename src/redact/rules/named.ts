/** Values that the name before them makes secret, in every notation of `notations.ts`. */

import { none, type Rule, type Secret } from '../rule.ts'
import { readBound, secretsBelowLabel } from '../values/bound-value.ts'
import { secretBytes } from '../values/byte-lists.ts'
import { secretsListed, secretsMapped, secretsWithin } from '../values/collections.ts'
import { secretsInColumn } from '../values/columns.ts'
import { isIn, letterTable } from '../values/letters.ts'
import { secretsInLines, withoutLinePrefixes } from '../values/line-prefixes.ts'
import { isPartOfPath, kindOfMany, kindOfName, type NameKind, openerWords, passwordWords } from '../values/names.ts'
import type { Surroundings } from '../values/value-reader.ts'

const parts = 'secret token pass pwd key credential creds auth jwt bearer salt pepper'.split(' ')
const short = [
  ...['pw=', 'pw:', 'PW=', 'PW:', 'Pw=', 'Pw:', "pw'", 'pw"', 'pw ', 'PW ', 'pw,'],
  ...['_pat', '_PAT', 'PAT:', 'PAT=', 'pat=', 'sid=', 'sas=', 'otp=', 'PW：', 'pw：'],
  ...['totp', 'TOTP'].flatMap((word) => [':', '=', '"', "'", ',', ' ', '\n', '\r'].map((sign) => word + sign)),
  ...['code_verifier', 'codeVerifier'],
  ...['mdp', 'MDP', 'Mdp'].flatMap((word) => [':', '=', ' ', '_', '"', "'"].map((sign) => word + sign)),
]
const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`
/** Words for passwords and for what else opens something that contain none of the other parts. */
const foreign = [...passwordWords, ...openerWords].filter((word) => !parts.some((part) => word.includes(part)))
/** A word as it is written in the middle of a line, at its beginning, and in capitals. */
function spellings(word: string): string[] {
  const own = word.replace(/(?<= |^|['’])api/, 'API')
  return [word, own, capital(word), capital(own), word.toUpperCase()]
}
const spelled = [...new Set([...parts, ...foreign].flatMap(spellings))].filter((anchor) => anchor.length >= 3)
/** Words of two characters are looked for together with the character after them. */
const cjk = foreign
  .filter(({ length }) => length < 3)
  .flatMap((word) => [':', '：', '=', ' ', '"', '是', '`', '*', '|', '（', '\n'].map((sign) => word + sign))

const pattern = new RegExp(
  `(?:${[...spelled, ...foreign]
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(/[.*+?|]/g, '\\$&'))
    .join('|')})`,
)
/** Names of several words that begin with one of the others. */
const phrases = [
  ...['mot de passe', 'kata sandi', 'kata laluan', 'mật khẩu', 'كلمة المرور', 'clave de acceso', 'palavra passe'],
  ...["parola d['’]ordine", 'رمز (?:عبور|الوصول)', 'mã truy cập', 'api ?키'],
  "(?:clé|clave|llave|chiave|chave|jeton|token|klucz|ключ|токен|cheie|khóa|kunci|κλειδί|مفتاح|מפתח|کلید|คีย์) (?:(?:de|da|do|del|di) |d['’])?(?:api|accès|acceso|accesso|acesso|akses|dostępu|доступа|secrète|privée|secreta|privada|segreta)",
]
const nameRest = new RegExp(
  `(?:${phrases.join('|')})|[\\p{L}\\p{M}\\p{N}_]{0,80}(?:[-.][\\p{L}\\p{M}\\p{N}_]{1,80}){0,8}`,
  'iuy',
)
/** The same for a name of ASCII letters, for which the engine needs no tables of other scripts. */
const plainRest = /\w{0,80}(?:[-.]\w{1,80}){0,8}/y
/** First words of the names in `nameRest` that contain spaces. */
const phraseBegin = /^(?:mot|kata|clave|palavra|parola|llave|chiave|chave|jeton|token|klucz|cheie|kunci|api)$/i
const inName = /[A-Za-z0-9_.\u00C0-\u02AF\u0370-\u1FFF\u3040-\uD7FF-]/
const maxName = 80
/** Further characters after an anchor are not looked at. Texts of some scripts are long runs of letters. */
const maxRest = 720
/** Words that make a key with a name of two words open something: `API key`, `Secret access key`. */
const qualifying =
  'api access secret private auth encryption signing master license activation application admin client storage account bot app webhook recovery session shared service ingest ingestion integration subscription write deploy instrumentation'.split(
    ' ',
  )
const qualifier = new RegExp(`(?:^|[^A-Za-z])((?:(?:${qualifying.join('|')}|mot de)[ ]){1,3})$`, 'i')

/** The last of those words. Checking for them first saves trying that pattern on most other words. */
const qualifiers = new Set([...qualifying, 'de'])
const lastWord = /[A-Za-z]{2,11}(?= $)/
/** How all of `harmlessSpoken` end. */
const spokenEnd = /^(?:keys?|pass|tokens?)$/i
/** The same for keys, tokens and passes that open nothing: `Public key: …`, `cache key=…`, `Uploaded to key: …`. */
const harmlessSpoken =
  /(?:^|[^A-Za-z])(?:(?:public|primary|foreign|sort|partition|cache|unique|idempotency|object|group|composite|publishable|routing|dedup(?:e|lication)?|query|translation|message|shortcut|host|blob|project|verify(?:ing)?|verification|gpg|pgp|to|from|at|by|active_?storage(?:[/.]\w{1,20})?) keys?|(?:first|second|third|last|final|next|previous|render|shadow|depth|blur|main|boarding|season|day|bus|train|rail|transit|travel|ski|hall|press|backstage|battle|museum|visitor|parking) pass|(?:public key|continuation|next|page|pagination|cancellation|design|commit) tokens?)$/i

/** How what follows a name begins if it binds a value. Most names bind none, and this is the cheapest way to rule them out. */
const binding = [
  '["\'`”’»\\\\:=,>|│┃║?!\\t;：＝﹕→⇒（\u00A0]',
  '\\.(?:to[BSE]|perform\\(|\\.{3})|[+.]=',
  '\\[(?:\\d{0,4}\\]|\\d{0,3}m|["\'])',
  '\\^\\[|␛',
  '[ \\t]{1,2}(?:[→⇒＝…(（[【]|string\\b|\\[\\]byte)',
  '[({][ \\t]?["\'`\\\\]',
  '\\s{1,8}\\{\\s{0,40}get;',
  '/(?:[gimsu]{0,4}(?: ?\\})?\\))',
  '</',
  '[ \\t]{0,3}(?:\\r?\\n|$)',
  '[ \\t]{2}',
  '[ \\t][:=|│┃?!<>–—.-]',
  '[ \\t]["\'`{]',
  '[ \\t](?:NOT[ \\t])?(?:IN|in)[ \\t]{0,2}\\(',
  '[ \\t](?:is|was|are|were|will|should|must|has|be|it|its|use|type|enter|answer|give|prompt|created|changed|generated|to|[aA]s|ist|war|sei|wäre|either|maybe|est|es|era|lautet|set|now|for|of|on|für|zum?|zur|vo[mn]|van|voor|du|de|del|des|do|da|di|della|pour|para)\\b',
  '[ \\t](?:от|для|к)[ \\t]',
  '[ \\t]--?[a-z]',
  '[ \\t]\\(it',
  "[ \\t]d['’]ordine",
  "[ \\t](?:(?:de|da|do|del|di)[ \\t]|d['’])?(?:API|api|acc[eè]s|aces|akses|dost|дост|secr|priv|segr)",
  '\\s{1,8}(?:VALUES|values|FROM std|from std)',
  '[ \\t](?:\\S{0,64}\\d|[A-Za-z]{20})',
]
/** A number of few digits, which is never a secret. */
const shortNumber = '["\']?[ \\t]{0,3}(?:[:=][ \\t]{0,3}-?\\d{1,5}\\s(?![0-9A-Fa-f]{2}\\s)|:[ \\t]{0,3}-?\\d{1,5}[,}])'

/** The rule for `KEY=value`, `key: value`, `"key": "value"` and everything else that binds a value to a name. */
export const namedRule: Rule = {
  id: 'named-secret',
  anchors: spelled,
  follows: `[\\w.-]{0,48}(?![\\w.-]|${shortNumber})[\\])}*]{0,3}(?:${binding.join('|')})`,
  read: readNamed,
  continues: true,
}

/** The same for short words, whose anchors include the character before or after them. */
export const shortNamedRule: Rule = {
  id: 'named-secret',
  anchors: [...cjk, ...short],
  read: readNamed,
  continues: true,
}

function readNamed(text: string, offset: number): readonly Secret[] {
  const found = readHere(text, offset)
  if (found === undefined) return none
  const bare = withoutLinePrefixes(text, offset)
  return bare === undefined ? found : [...found, ...secretsInLines(bare, (lines, at) => readHere(lines, at) ?? none)]
}

/** The secrets of the name around an anchor in a text as it is; `undefined` if the name indicates none. */
function readHere(text: string, offset: number): readonly Secret[] | undefined {
  const range = rangeAt(text, offset)
  const { start, end } = range
  // Checked first, because names repeat and most indicate no secret: looking up a known name costs least.
  const kind = kindOfName(text.slice(start, end))
  const spoken = kind === 'password' ? undefined : kindOfSpoken(text, range)
  const own = kind === 'secret' && spoken !== 'weak' ? kind : (spoken ?? kind)
  const many = kindOfMany(text.slice(start, end)) ?? manySpoken(text, range)
  if ((own ?? many) === undefined) return undefined
  if (!isName(text, offset, range)) return none
  const found = own === undefined ? none : ofOne(text, range, own)
  if (found.length > 0) return found
  if (many !== undefined) return secretsWithin(text, range, many)
  return own === 'weak' ? none : secretsMapped(text, range)
}

/** The value of a singular name, or all values if they are in a list. A name bound to itself says nothing. */
function ofOne(text: string, range: Range, own: NameKind): readonly Secret[] {
  const name = text.slice(range.start, range.end)
  const bytes = secretBytes(text, range, own)
  if (bytes.length > 0) return bytes
  const listed = secretsListed(text, range, own).filter(({ value }) => !value.endsWith(name))
  // The bracket of a list does not begin a value.
  return listed.length > 0 && text.startsWith('=(', range.end) ? listed : [...secretsOf(text, range, own), ...listed]
}

function secretsOf(text: string, { start, end }: Range, own: NameKind): readonly Secret[] {
  if (
    text[start - 1] === ' ' &&
    spokenEnd.test(text.slice(start, end)) &&
    harmlessSpoken.test(text.slice(Math.max(0, start - 24), end))
  )
    return none
  const bound = readBound(text, { start, end, text, around: () => surroundings(text, start, end) }, own)
  if (bound.length > 0) return bound
  const labelled = secretsBelowLabel(text, start, end, own)
  return labelled.length > 0 ? labelled : secretsInColumn(text, start, end, own)
}

/** A part of a text, `end` exclusive. */
interface Range {
  start: number
  end: number
}

/** Anchors that contain no other: names that end with one need no search for a later anchor. */
const whole: ReadonlySet<string> = new Set(spelled.filter((word) => !pattern.test(word.slice(1))))

/** Letters, digits, `_`, `.` and `-`, by their codes below 128. */
const nameCodes = letterTable('_.-')

function isInName(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 ? isIn(nameCodes, code) : inName.test(text.charAt(at))
}

/** The length of a name from an anchor on; punctuation at its end belongs to what follows. */
function lengthOfName(text: string, offset: number): number {
  const stop = Math.min(text.length, offset + maxRest)
  let end = offset
  while (end < stop && isIn(nameCodes, text.charCodeAt(end))) end++
  if (end < text.length && text.charCodeAt(end) < 128 && text[end] !== ' ') {
    while (end > offset && /[-.]/.test(text.charAt(end - 1))) end--
    return end - offset
  }
  const isPlain = text[end] === ' ' && !phraseBegin.test(text.slice(offset, Math.min(end, offset + 8)))
  const rest = isPlain ? plainRest : nameRest
  rest.lastIndex = offset
  return rest.exec(text)?.[0].length ?? 0
}

/** The whole name around an anchor. */
function rangeAt(text: string, offset: number): Range {
  const length = lengthOfName(text, offset)
  // Short anchors include the character after the name.
  const end = offset + Math.max(length, 2)
  let start = offset
  while (start > 0 && offset - start < maxName && isInName(text, start - 1)) start--
  return { start, end }
}

/** Whether the text around an anchor may bind a value: not a file, and not a name that a later anchor finds as well. */
function isName(text: string, offset: number, { start, end }: Range): boolean {
  // Marks of redaction contain names of rules, and cloud resources have names.
  if (text[start - 1] === ':' && /\[redacted:$|arn:[\w:-]{1,80}$/.test(text.slice(Math.max(0, start - 90), start)))
    return false
  if (isPartOfPath(text, start, end)) return false
  const tail = text.slice(offset, end)
  return whole.has(tail) || tail.length >= maxName || !pattern.test(tail.slice(1))
}

/** The kind of a name of two words: `API key`. */
function kindOfSpoken(text: string, { start, end }: Range): NameKind | undefined {
  const before = qualifierBefore(text, start)
  return before === undefined ? undefined : kindOfName(before + text.slice(start, end))
}

/** The same for several: `API keys`. */
function manySpoken(text: string, { start, end }: Range): NameKind | undefined {
  const before = /s/i.test(text.charAt(end - 1)) ? qualifierBefore(text, start) : undefined
  return before === undefined ? undefined : kindOfMany(before + text.slice(start, end))
}

/** The words before a name that make it one that opens something. */
function qualifierBefore(text: string, start: number): string | undefined {
  if (text[start - 1] !== ' ') return undefined
  const head = text.slice(Math.max(0, start - 24), start)
  return qualifiers.has(lastWord.exec(head)?.[0].toLowerCase() ?? '') ? qualifier.exec(head)?.[1] : undefined
}

const lineBegin =
  /(?:^|\n|\r)(?:[\w./-]{1,80}:(?:\d{1,6}[:-])?)?[ \t]*(?:[-+>$#%*•]|\d{1,6}[:|.)\t]?)?[ \t]*(?:(?:export|set|setenv|declare(?: -\w+)?|local|readonly|env|ENV|ARG|SET|typeset|const|let|var|final|\$env:)\s{0,3})?["'`]?$/

/** What opens a string that a shell runs: `bash -lc '`, `"sh", "-c", "`, `eval "`, `ssh ada@host '`. */
const opensCommand =
  /(?<!\w)(?:(?:(?:ba|z|da|k|fi|pw|a)?sh|su|runuser|script)(?:\.exe)?(?!\w)[^\n|;]{0,80}[\s"'`,\\]-\w{0,4}c[\s"'`,\\]{0,8}|(?:eval|ssh\s[^\n|;"'`]{1,80}|--command)[ =])\$?\\{0,3}["'`]$/

function surroundings(text: string, start: number, end: number): Surroundings {
  const head = text.slice(Math.max(0, start - 120), start)
  const before = text.charAt(start - 1)
  return {
    startsLine: lineBegin.test(start <= 120 ? `\n${head}` : head) && !/["'`]/.test(before),
    isTight: text[end] === '=',
    before: /["'`?&\\]/.test(before) ? before : '',
    isCommand: /["'`]/.test(before) && opensCommand.test(head),
  }
}
