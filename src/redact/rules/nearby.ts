/**
 * Values that look random and that words of the same sentence, comment or loop call a secret: one before the word, or several
 * after it.
 */

import { none, type Rule, type Secret } from '../rule.ts'
import { tryReachItem } from '../search.ts'
import { kindOfMany, kindOfName } from '../values/names.ts'
import { isSaid } from './spoken.ts'

const id = 'spoken-key'

const minValue = 16
const code = /[<>&;(){}\\]/
/** Whether a value looks random, and unlike a name in code. */
const isRandom = (value: string): boolean => value.length >= minValue && !code.test(value) && isSaid(value)

const maxValue = 512
/** What a value is called after it: `API token`, `the new GitHub key`, `my secret`. */
const nameAfter =
  /(?:(?:the|a|an|my|your|our|their|its|new|old|first|second|last|current|temporary|valid|working) ){0,3}(?:[A-Za-z][\w.-]{0,20} ){0,2}?["'`]?(?<name>[\w-]{0,24}(?:tokens?|keys?|secrets?|credentials?|passwords?|passphrase)(?:[_-]\w{1,20})?)(?![\w(=:])/iy

/** The same in other languages, where the word itself says that the value opens something. */
const foreignName =
  /(?:(?:mein|dein|unser|das|der|die|neue|el|la|mi|tu|le|ma|mon|votre|il|o|a|minha|meu)[enrsm]{0,2} ){0,3}(?:[^\s"'`]{1,16} )?[^\s"'`]{0,24}(?:[Ss]chlüssel|[Pp]asswort|[Kk]ennwort|[Tt]oken|lave|ontraseña|clé|mot de passe|chiave|senha|密[钥鑰码碼]|令牌|口令|パスワード|トークン|APIキー)/y

/** What binds the value to a name that says nothing, and an open bracket: `T=…`, `(…`. */
const headOfWord = /^(?:[A-Za-z_][\w.-]{0,40}[=:](?!=|$))?[([]?/
const longWord = /[^\s"'`]{16}["'`]? ?$/

/** The value before a character or word that leads to its name. */
function valueBefore(text: string, offset: number, after: number): readonly Secret[] {
  if (!longWord.test(text.slice(Math.max(0, offset - 18), offset))) return none
  if (!isCalledSecret(text, after)) return none
  let end = offset
  while (end > 0 && /[ "'`]/.test(text.charAt(end - 1))) end--
  let start = end
  while (start > 0 && end - start < maxValue && !/[\s"'`]/.test(text.charAt(start - 1))) start--
  start += headOfWord.exec(text.slice(start, end))?.[0].length ?? 0
  const value = text.slice(start, end)
  return isRandom(value) ? [{ start, end, value }] : none
}

function isCalledSecret(text: string, offset: number): boolean {
  foreignName.lastIndex = offset
  if (foreignName.test(text)) return true
  nameAfter.lastIndex = offset
  const match = nameAfter.exec(text)
  return match !== null && namesSecret(match.groups?.['name'] ?? '', match[0])
}

/** Whether a name says that its value opens something. A `key` alone may be one of a map, so the word before it counts, too. */
function namesSecret(name: string, phrase: string): boolean {
  const words = phrase.trim().replaceAll(/["'`]/g, '').split(' ')
  const [last = '', before = ''] = words.toReversed()
  const kinds = [kindOfName(name), kindOfMany(name), kindOfName(`${before}_${last}`)]
  return kinds.some((kind) => kind === 'secret' || kind === 'password')
}

/** Matches what leads to the name. */
const lead =
  / (?:(?:is|was|as|AS|ist|war|als|es|est|は) |(?:#|\/\/|--|<--?|←|→|;) |\((?:that(?:['’]s| is) )?)|["'`] (?:AS|as) | ?是[我你]的 ?/y

const joint = /["'`]?(?:, (?:and |or )?| and | or | und | oder | y | et | & | then | to | → | -> )["'`]?/y
const nextValue = /[^\s"'`,;]{16,512}/y
const severalHead =
  /(?:oken|ey|ecret|assword)s?(?: (?:are|were|is|was))?:? ["'`]?(?=[^\s"'`]{16,512}["'`]?(?:, | and | or | und | oder | y | et | & | then | to | → | -> ))/y
const maxItems = 32

/** Several values of a sentence: `the tokens A and B`, `token: A or B`. Single values are left to other rules. */
function valuesAfter(text: string, offset: number): readonly Secret[] {
  severalHead.lastIndex = offset
  const found: Secret[] = []
  for (let at = severalHead.test(text) ? severalHead.lastIndex : -1; at >= 0; ) {
    const value = valueAt(text, at)
    if (value === undefined || !tryReachItem(found.length, maxItems, maxValue)) break
    found.push(value)
    joint.lastIndex = value.end
    at = joint.test(text) ? joint.lastIndex : -1
  }
  return found.length > 1 ? found : none
}

function valueAt(text: string, at: number): Secret | undefined {
  nextValue.lastIndex = at
  const value = nextValue.exec(text)?.[0].replace(/[.:!?)]+$/, '') ?? ''
  return isRandom(value) ? { start: at, end: at + value.length, value } : undefined
}

const loop = /for \w{1,40} in (?<items>[^;\n]{16,4096});? ?\n?[ \t]{0,8}do\b(?<body>[\s\S]{0,400})/y
const usesSecret = /token|bearer|authorization|api[-_]?key|secret|passw/i

/** The items of a shell loop that uses each as something that grants access. */
function itemsOfLoop(text: string, offset: number): readonly Secret[] {
  loop.lastIndex = offset
  const { items = '', body = '' } = loop.exec(text)?.groups ?? {}
  if (!usesSecret.test(body)) return none
  const from = text.indexOf(items, offset)
  return Array.from(items.matchAll(/[^\s"']{16,512}/g), ({ 0: value, index }) => ({
    start: from + index,
    end: from + index + value.length,
    value,
  })).filter(({ value }) => isRandom(value))
}

/** Rules for such values. */
export const nearbyRules: readonly Rule[] = [
  {
    // `… is my API key`, `… # GitHub token`, `SELECT '…' AS api_token`
    id,
    anchors: [
      ...['is', 'was', 'as', 'AS', 'ist', 'war', 'als', 'es', 'est', '#', '//', '--', '<-', '<--', '←', ';'].map(
        (lead) => ` ${lead} `,
      ),
      ...[' 是我的', ' 是你的', '是我的 ', ' は ', ' (API', ' (api', ' (token', ' (secret', ' (the ', ' (my '],
      ...["' AS ", "' as ", '" AS ', '" as '],
    ],
    follows:
      '[^\\n]{0,64}?(?:[Tt]oken|TOKEN|[Kk]ey|KEY|[Ss]ecret|SECRET|[Pp]assw|PASSW|[Cc]redential|CREDENTIAL|chlüssel|wort|lave|ontraseña|clé|mot de|chiave|senha|密|令牌|口令|パス|トークン|キー)',
    read(text, offset) {
      lead.lastIndex = offset
      const length = lead.exec(text)?.[0].length ?? 0
      return length === 0 ? none : valueBefore(text, offset, offset + length)
    },
  },
  {
    id,
    anchors: ['oken', 'ey', 'ecret', 'assword'].flatMap((word) =>
      ['s are ', 's were ', 's: ', 's ', ': '].map((after) => word + after),
    ),
    follows: '["\'`]?[^\\s"\'`]{16}',
    read: valuesAfter,
  },
  {
    // `for t in … …; do curl -H "Authorization: Bearer $t"`
    id,
    anchors: ['for '],
    follows: '\\w{1,40} in [^;\\n]{16}',
    read: itemsOfLoop,
  },
]
