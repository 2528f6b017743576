/**
 * Secrets that stand in base64 or in hexadecimal digits: tokens are looked for by what their beginnings become there, and all else in
 * texts that are objects of JSON or hold a telling name.
 */

import { addTo } from '../../util/groups.ts'
import { type Anchors, compileAnchors } from '../anchors.ts'
import { tokenRules } from '../kinds/kinds.ts'
import { type PatternRule, type Rule, type Secret, secretAt, secretsAt } from '../rule.ts'
import { searchWithin } from '../search.ts'
import {
  base64,
  decodedText,
  digitsFrom,
  type Encoding,
  endBehindFill,
  freshRuns,
  hex,
  inBase64,
  inHex,
  runAround,
  startOfRun,
  wrapped,
} from '../values/encoded-run.ts'
import { byteRules } from './bytes.ts'
import { formRules } from './forms.ts'

/** So much before and behind a beginning tells whether a token stands there. */
const [near, far] = [256, 1024]
/** A shorter beginning is found in everything, but for where a run begins with it. */
const minBeginning = 4
const minAtStart = 3
/** Rules with more beginnings than this have some that are part of what is random. */
const maxBeginnings = 24
const none: readonly Secret[] = []

/** How a beginning stands in an encoded run. */
interface Encoded {
  rule: PatternRule
  /** Characters of the run that are a group: four in base64, two in hexadecimal digits. */
  group: number
  /** Characters of its group before the anchor. */
  offset: number
  /** Too short to be looked for but where a run begins. */
  atStart?: true
}

/** Key ids of AWS, whose form is no row of the table. */
const keyIds = formRules.flatMap((rule) => (rule.id === 'aws-key-id' && rule.pattern !== undefined ? [rule] : []))
const anchors = new Map<string, Encoded[]>()
/** How tokens begin in base64 of base64, where the run begins with them. */
const tokensTwice = new Set<string>()
/** Of fewer characters nothing is left that their neighbours do not decide. */
const minBase64 = 5

for (const rule of [...tokenRules, ...keyIds]) {
  for (const beginning of rule.anchors) {
    if (beginning.length < minBeginning || !/[^A-Za-z0-9]|^A[KS]IA$/.test(beginning)) {
      if (rule.anchors.length > maxBeginnings || beginning.length < minAtStart) continue
      addTo(anchors, inBase64(beginning)[0]?.anchor ?? '', { rule, group: 4, offset: 0, atStart: true })
      for (const digits of new Set([inHex(beginning), inHex(beginning).toUpperCase()]))
        addTo(anchors, digits, { rule, group: 2, offset: 0, atStart: true })
      continue
    }
    for (const { anchor, offset } of inBase64(beginning)) addTo(anchors, anchor, { rule, group: 4, offset })
    tokensTwice.add(inBase64(inBase64(beginning)[0]?.anchor ?? '')[0]?.anchor ?? '')
    const digits = inHex(beginning)
    addTo(anchors, digits, { rule, group: 2, offset: 0 })
    addTo(anchors, digits.toUpperCase(), { rule, group: 2, offset: 0 })
  }
}

/** An anchor with a line end and an indent in it is no longer. */
const maxAnchor = 96
/** Lengths of the anchors, the longest first. */
const lengths = [...new Set(Array.from(anchors.keys(), (anchor) => anchor.length))].toSorted((a, b) => b - a)

const nameWords = [
  ...['token', 'TOKEN', 'Token', 'secret', 'SECRET', 'Secret', 'passw', 'PASSW', 'Passw'],
  ...['PRIVATE KEY', '_KEY=', '_key', 'apiKey', 'credential', 'uthorization:'],
  // The heads of signed tokens, which are encoded once more here.
  ...['eyJhbGci', 'eyJ0eXAi', 'eyJraWQi'],
  // Addresses that hold the password of a database or a queue.
  ...[
    'postgres',
    'mysql://',
    'mysql2:/',
    'mariadb:/',
    'mongodb',
    'redis://',
    'rediss:/',
    'amqp://',
    'amqps://',
    'mssql://',
  ],
]
/** What frequent tokens begin with: characters of two bytes make long ones of short words. */
const wideBeginnings = [
  ...[
    'ghp_',
    'gho_',
    'ghs_',
    'github_pat_',
    'glpat-',
    'npm_',
    'pypi-',
    'sk-',
    'sk_',
    'rk_',
    'hf_',
    'SG.',
    'eyJ',
    'xox',
  ],
  ...['AKIA', 'ASIA', 'AIza', 'dop_v1_', 'shpat_', 'Bearer ', 'assword', '://'],
]
/** The same in characters of two bytes, as PowerShell encodes commands. */
const wideWords = [...nameWords, ...wideBeginnings].map((word) => word.replaceAll(/./g, '$&\0'))
/** What objects and lists of JSON begin with, and words of names, in base64. */
const texts = [
  ...['eyJ', 'ewog', 'ewoJ', 'eyAi', 'eyci', 'W3si', 'Wwog'],
  ...[...nameWords, ...wideWords].flatMap(inBase64).map(({ anchor }) => anchor),
]
/** The same in base64 of base64. */
const textsTwice = ['eyJ', 'ewog', 'ewoJ', 'eyAi', 'W3si', ...nameWords.flatMap(inBase64).map(({ anchor }) => anchor)]
  .flatMap((text) => inBase64(text).slice(0, text.length < minBase64 ? 1 : 3))
  .map(({ anchor }) => anchor)
const hexTexts = nameWords.map(inHex).flatMap((digits) => [digits, digits.toUpperCase()])
const minText = 24
const runAt = freshRuns()

/** The run around a place, if it is an encoded text that holds a secret. */
function readRun(text: string, place: number, encoding: Encoding, ruleIn: RuleIn): readonly Secret[] {
  const run = runAt(text, place, encoding)
  if (run === undefined || run.end - run.start < minText) return none
  const decoded = decodedText(text.slice(run.start, run.end), encoding)
  const rule = decoded === undefined ? undefined : ruleIn(decoded)
  return rule === undefined ? none : [secretOf(text, { start: run.start, end: run.end, rule })]
}

/** Searches a decoded text; gives the id of the first rule that finds a secret in it. */
type RuleIn = (decoded: string) => string | undefined

interface FirstRule {
  readonly decoded: string
  readonly search: EncodedSearch
  id: string | undefined
}

/** What encoded texts are searched for. */
export interface EncodedSearch {
  /** All rules, these among them. */
  rules: () => readonly Rule[]
  /** Those that count in a decoded text. */
  inner: ReadonlySet<Rule>
}

function noteFirst(place: number, ranks: readonly number[], first: FirstRule): void {
  const { decoded, search } = first
  for (const rank of first.id === undefined ? ranks : []) {
    const rule = search.rules()[rank]
    const [secret] = rule === undefined || !search.inner.has(rule) ? none : secretsAt(decoded, place, rule)
    if (rule !== undefined && secret !== undefined) first.id = secret.rule ?? rule.id
  }
}

/** A run with the signs that fill its last group. */
function secretOf(text: string, { start, end, rule }: { start: number; end: number; rule: string }): Secret {
  const filled = endBehindFill(text, end)
  return { start, end: filled, value: text.slice(start, filled), rule }
}

/** The rules of encoded secrets: the whole run goes, for its other parts belong to the same text. Marks name the secret's rule. */
export function encodedRules(search: EncodedSearch): readonly Rule[] {
  // The anchors of all rules, where no search goes on.
  let own: Anchors | undefined
  const ruleIn = (decoded: string, given?: Anchors): string | undefined => {
    // Whoever searches has the anchors of all rules, and maybe of more.
    own ??= given?.inner() ?? compileAnchors(search.rules())
    const first: FirstRule = { decoded, search, id: undefined }
    const anchors = own
    searchWithin(() => anchors.search(decoded, noteFirst, first))
    return first.id
  }
  const reader =
    (encoding: Encoding): NonNullable<Rule['read']> =>
    (text, place, given) =>
      readRun(text, place, encoding, (decoded) => ruleIn(decoded, given))
  return [
    ...byteRules(ruleIn),
    { id: 'encoded-token', anchors: [...anchors.keys()], wraps: true, read: readToken },
    {
      id: 'encoded-secret',
      anchors: [...new Set([...texts, ...textsTwice, ...tokensTwice])],
      follows: wrapped('A-Za-z0-9+/_-'),
      wraps: true,
      read: reader(base64),
    },
    { id: 'encoded-secret', anchors: hexTexts, follows: wrapped('0-9a-fA-F'), wraps: true, read: reader(hex) },
    {
      // `powershell -EncodedCommand …`
      id: 'encoded-secret',
      anchors: ['-enc', '-Enc', '-ENC', '-ec', '-EC', '-e']
        .map((option) => `${option} `)
        .concat('ncodedCommand ', 'ncodedcommand '),
      follows: '["\']?[A-Za-z0-9+/]{24}',
      read(text, place, given) {
        const head = /^-?\w+ ["']?/.exec(text.slice(place, place + 32))?.[0].length ?? 0
        return reader(base64)(text, place + head, given)
      },
    },
  ]
}

/** The run in which a token is encoded that begins at a place, be its beginning broken over two lines. */
function readToken(text: string, place: number): readonly Secret[] {
  const ahead = text.slice(place, place + maxAnchor)
  const beginning = ahead.includes('\n') ? ahead.replaceAll(anyLineBreak, '') : ahead
  for (const length of lengths) {
    // Anchors are looked up by their own text; the longest that stands here tells most.
    const known = anchors.get(beginning.slice(0, length))
    const found = known?.map((encoded) => secretAround(text, place, encoded)).find((secret) => secret !== undefined)
    if (found !== undefined) return [found]
  }
  return none
}

const anyLineBreak = /\r?\n[ \t]{0,40}/g

function secretAround(text: string, place: number, { rule, group, offset, atStart }: Encoded): Secret | undefined {
  const encoding = group === 2 ? hex : base64
  const { chars, bits, decode } = encoding
  if (atStart && place > 0 && chars.test(text.charAt(place - 1)) && !isEscape(text, place)) return undefined
  const from = startOfRun(text, place, near, encoding)
  const first = from + ((((place - offset - from) % group) + group) % group)
  const decoded = decode(digitsFrom(text, first, place + far, encoding))
  // The beginning stands in the byte in which its first whole character does, or in the one before.
  const at = Math.floor(((place - first) * bits) / 8)
  for (const index of [at, at + 1, at - 1]) {
    if (
      !rule.anchors.some((anchor) => decoded.startsWith(anchor, index)) ||
      secretAt(decoded, index, rule) === undefined
    )
      continue
    return secretOf(text, { ...runAround(text, place, encoding), rule: rule.id })
  }
  return undefined
}

/** `\\n`, `%3D`: the end of an escape stands before a place. */
function isEscape(text: string, place: number): boolean {
  return /\\[nrt]$|%[0-9A-F]{2}$/.test(text.slice(Math.max(0, place - 3), place))
}
