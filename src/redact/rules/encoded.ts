/**
 * Secrets in base64 or in hexadecimal digits. Tokens are found by what their beginnings become there, and everything else only in
 * texts that are JSON objects or contain a telling name.
 */

import { addTo } from '../../util/groups.ts'
import { type Anchors, compileAnchors } from '../anchors.ts'
import { tokenRules } from '../kinds/kinds.ts'
import { none, type PatternRule, type Rule, type Secret, secretAt, secretsAt } from '../rule.ts'
import { searchWithin } from '../search.ts'
import {
  base64,
  decodedText,
  digitsFrom,
  type Encoding,
  endAfterFill,
  freshRuns,
  hex,
  inBase64,
  inHex,
  runAround,
  startOfRun,
  wrapped,
} from '../values/encoded-run.ts'
import { isIn } from '../values/letters.ts'
import { byteRules } from './bytes.ts'
import { formRules } from './forms.ts'

/** How many characters before and after a beginning are read to find out whether a token is there. */
const [near, far] = [256, 1024]
/** A shorter beginning occurs everywhere, so it counts only where a run begins with it. */
const minBeginning = 4
const minAtStart = 3
/** If a rule has more beginnings than this, some of them occur in random text. */
const maxBeginnings = 24

/** A beginning as it occurs in an encoded run. */
interface Encoded {
  rule: PatternRule
  /** The number of characters of the run in a group: four in base64, two in hexadecimal digits. */
  group: number
  /** The number of characters of its group before the anchor. */
  offset: number
  /** Too short to be looked for anywhere but at the beginning of a run. */
  atStart?: true
}

/** Key ids of AWS, whose form is not in the table of tokens. */
const keyIds = formRules.flatMap((rule) => (rule.id === 'aws-key-id' && rule.pattern !== undefined ? [rule] : []))
const anchors = new Map<string, Encoded[]>()
/** How tokens begin when encoded in base64 twice, at the beginning of a run. */
const tokensTwice = new Set<string>()
/** In a shorter text, all characters of its base64 may depend on their neighbours. */
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

/** An anchor with a line end and an indent in it is at most this long. */
const maxAnchor = 96
/** Lengths of the anchors, longest first. */
const lengths = [...new Set(Array.from(anchors.keys(), (anchor) => anchor.length))].toSorted((a, b) => b - a)

const nameWords = [
  ...['token', 'TOKEN', 'Token', 'secret', 'SECRET', 'Secret', 'passw', 'PASSW', 'Passw'],
  ...['PRIVATE KEY', '_KEY=', '_key', 'apiKey', 'credential', 'uthorization:'],
  // The heads of signed tokens, here encoded once more.
  ...['eyJhbGci', 'eyJ0eXAi', 'eyJraWQi'],
  // Addresses with the password of a database or a queue.
  ...'postgres mysql:// mysql2:/ mariadb:/ mongodb redis:// rediss:/ amqp:// amqps:// mssql://'.split(' '),
]
/** Beginnings of frequent tokens. Short words suffice, because characters of two bytes make them long. */
const wideBeginnings = [
  ...'ghp_ gho_ ghs_ github_pat_ glpat- npm_ pypi- sk- sk_ rk_ hf_ SG. eyJ xox'.split(' '),
  ...['AKIA', 'ASIA', 'AIza', 'dop_v1_', 'shpat_', 'Bearer ', 'assword', '://'],
]
/** The same in characters of two bytes, as PowerShell encodes commands. */
const wideWords = [...nameWords, ...wideBeginnings].map((word) => word.replaceAll(/./g, '$&\0'))
/** What JSON objects and lists begin with, and words of names, in base64. */
const texts = [
  ...['eyJ', 'ewog', 'ewoJ', 'eyAi', 'eyci', 'W3si', 'Wwog'],
  ...[...nameWords, ...wideWords].flatMap(inBase64).map(({ anchor }) => anchor),
]
/** The same encoded in base64 twice. */
const textsTwice = ['eyJ', 'ewog', 'ewoJ', 'eyAi', 'W3si', ...nameWords.flatMap(inBase64).map(({ anchor }) => anchor)]
  .flatMap((text) => inBase64(text).slice(0, text.length < minBase64 ? 1 : 3))
  .map(({ anchor }) => anchor)
const hexTexts = nameWords.map(inHex).flatMap((digits) => [digits, digits.toUpperCase()])
const minText = 24
const runAt = freshRuns()

/** The run around an offset, if it is an encoded text with a secret. */
function readRun(text: string, offset: number, encoding: Encoding, ruleIn: RuleIn): readonly Secret[] {
  const run = runAt(text, offset, encoding)
  if (run === undefined || run.end - run.start < minText) return none
  const decoded = decodedText(text.slice(run.start, run.end), encoding)
  const rule = decoded === undefined ? undefined : ruleIn(decoded)
  return rule === undefined ? none : [secretOf(text, { start: run.start, end: run.end, rule })]
}

/** Searches a decoded text, and returns the id of the first rule that finds a secret in it. */
type RuleIn = (decoded: string) => string | undefined

interface FirstRule {
  readonly decoded: string
  readonly search: EncodedSearch
  id: string | undefined
}

/** What to search encoded texts for. */
export interface EncodedSearch {
  /** All rules, including the encoded ones. */
  rules: () => readonly Rule[]
  /** Those that count in a decoded text. */
  inner: ReadonlySet<Rule>
}

function noteFirst(offset: number, ranks: readonly number[], first: FirstRule): void {
  const { decoded, search } = first
  for (const rank of first.id === undefined ? ranks : []) {
    const rule = search.rules()[rank]
    const [secret] = rule === undefined || !search.inner.has(rule) ? none : secretsAt(decoded, offset, rule)
    if (rule !== undefined && secret !== undefined) first.id = secret.rule ?? rule.id
  }
}

/** A run, including the characters that pad its last group. */
function secretOf(text: string, { start, end, rule }: { start: number; end: number; rule: string }): Secret {
  const filled = endAfterFill(text, end)
  return { start, end: filled, value: text.slice(start, filled), rule }
}

/**
 * The rules for encoded secrets. The whole run is replaced, because its other parts belong to the same text. Marks name the
 * secret's rule.
 */
export function encodedRules(search: EncodedSearch): readonly Rule[] {
  // The anchors of all rules.
  let own: Anchors | undefined
  const ruleIn = (decoded: string, given?: Anchors): string | undefined => {
    // The anchors of the running search cover all rules, and perhaps more.
    own ??= given?.inner() ?? compileAnchors(search.rules())
    const first: FirstRule = { decoded, search, id: undefined }
    const anchors = own
    searchWithin(() => anchors.search(decoded, noteFirst, first))
    return first.id
  }
  const reader =
    (encoding: Encoding): NonNullable<Rule['read']> =>
    (text, offset, given) =>
      readRun(text, offset, encoding, (decoded) => ruleIn(decoded, given))
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
      read(text, offset, given) {
        const head = /^-?\w+ ["']?/.exec(text.slice(offset, offset + 32))?.[0].length ?? 0
        return reader(base64)(text, offset + head, given)
      },
    },
  ]
}

/** The run that encodes a token whose beginning is at an offset, even if that is broken over two lines. */
function readToken(text: string, offset: number): readonly Secret[] {
  const ahead = text.slice(offset, offset + maxAnchor)
  const beginning = ahead.includes('\n') ? ahead.replaceAll(anyLineBreak, '') : ahead
  for (const length of lengths) {
    // Anchors are looked up by their own text; the longest that occurs here says most.
    const known = anchors.get(beginning.slice(0, length))
    const found = known?.map((encoded) => secretAround(text, offset, encoded)).find((secret) => secret !== undefined)
    if (found !== undefined) return [found]
  }
  return none
}

const anyLineBreak = /\r?\n[ \t]{0,40}/g

function secretAround(text: string, start: number, { rule, group, offset, atStart }: Encoded): Secret | undefined {
  const encoding = group === 2 ? hex : base64
  const { digits, bits, decode } = encoding
  if (atStart && start > 0 && isIn(digits, text.charCodeAt(start - 1)) && !isEscape(text, start)) return undefined
  const from = startOfRun(text, start, near, encoding)
  const first = from + ((((start - offset - from) % group) + group) % group)
  const decoded = decode(digitsFrom(text, first, start + far, encoding))
  // The beginning is at the byte of its first whole character, or next to it.
  const at = Math.floor(((start - first) * bits) / 8)
  for (const index of [at, at + 1, at - 1]) {
    if (
      !rule.anchors.some((anchor) => decoded.startsWith(anchor, index)) ||
      secretAt(decoded, index, rule) === undefined
    )
      continue
    return secretOf(text, { ...runAround(text, start, encoding), rule: rule.id })
  }
  return undefined
}

/** Whether an escape such as `\\n` or `%3D` ends at an offset. */
function isEscape(text: string, offset: number): boolean {
  return /\\[nrt]$|%[0-9A-F]{2}$/.test(text.slice(Math.max(0, offset - 3), offset))
}
