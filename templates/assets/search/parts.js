// How words fall into parts. The index is made by these rules, and pages read questions by them: `search/entry-text.ts`
// imports this part of the page script as it is.
import { formsOfSign } from './signs.js'

/** Runs of scripts that are written without blanks between words. */
export const unspaced =
  /([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+)/u

/** A part: a run of letters and digits, cut where a capital follows a small letter or begins the last word of capitals, but no number in hexadecimal. */
const wordParts =
  /[\dA-F](?<![\p{L}\p{M}\p{N}].)[\dA-F]*(?![\p{L}\p{M}\p{N}])|[\p{L}\p{M}\p{N}]+?(?=[^\p{L}\p{M}\p{N}]|$|(?<=[\p{Ll}\p{N}])\p{Lu}|(?<=\p{Lu})\p{Lu}\p{Ll})/gu

/** Signs that make another word of one where they stand in front of it or behind it, and what the index keeps of them. */
const before = { '-': '⁀', '--': '⁀⁀', '.': '⁔', '@': '︳', $: '︴', '#': '﹎' }
const behind = { '++': '﹍', '#': '﹏' }
// What stands before is looked at last: a pattern that begins with that does so at every character.
const signed =
  /(--?|[.@$#])(?=[\p{L}\p{N}])(?<![\p{L}\p{N}\p{Pc}.$@#]\1)(?<!-(?=-)\1)|(\+\+|#)(?![\p{L}\p{N}+#])(?<=[\p{L}\p{N}]\2)/gu

/** A picture sign, a flag, which is two letters of its own, or the sign of a currency, which the index would drop. */
const pictures = /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|(?!\$)\p{Sc}/gu

/** Says how the sign before it looks, and is no part of a word. */
const variationSelectors = /[\uFE00-\uFE0F]/gu

/** Stands between two parts that a sign parts. */
const joint = '‿'

/** Signs between parts of a path, a name, an address or a version, unlike those of code. */
const pathSigns = new RegExp(`^[${formsOfSign('-')}/\\\\._:@]{1,3}$`)

/** What a version may begin with: it is found with and without. */
const versionSign = /^v(?=\d{1,5}$)/

/** What is longer is encoded data: a part, and two or three in a row. */
export const maxNameLength = 64

/**
 * The parts of a word, `max` of them at most. `text`: in small letters; `signed`: the words that a sign in front of it or
 * behind it makes of it; `pair`: the word that it is with the part before, of which `last` is the text; `isNext`: no sign parts
 * them; `triple`: one word with the two parts before it, of a path, an identifier or a version, whose pairs come again in others.
 */
export function partsOf(word, max) {
  const plain = word.replace(variationSelectors, '')
  const signs = signsOf(plain)
  // The part before, the two before where they are in a row, and where they end.
  let [last, two, end] = ['', '', -1]
  const found = []
  for (const { 0: part, index } of plain.matchAll(wordParts)) {
    if (found.length === max) break
    const text = part.toLowerCase()
    const isNext = end === index
    const bare = text.replace(versionSign, '')
    const name = isNext ? bare : joint + bare
    const isJoined = isNext || pathSigns.test(plain.slice(end, index))
    end = index + part.length
    const own = signs === undefined ? none : signedWords(text, !isNext && signs.get(index), signs.get(end))
    const pair = last && last.length + text.length <= maxNameLength && last + name
    found.push({ text, last, isNext, signed: own, pair: pair || undefined, triple: tripleOf(isJoined && two, name) })
    two = isJoined && pair
    last = bare
  }
  return found
}

const none = []

/** The last letters of a part behind digits, as `fps` in `60fps`: a word too, where there are three of them and the part is no number in hexadecimal. */
export function lettersBehindDigits(part) {
  const letters = /(?<=\p{N})\p{L}[\p{L}\p{M}]{2,}$/u.exec(part)?.[0]
  return letters === undefined || /^(?:0x)?[\da-f]+$/i.test(part) ? undefined : letters
}

/** Three parts in a row as one word. */
function tripleOf(two, name) {
  return two && two.length + name.length <= maxNameLength ? two + name : undefined
}

/** The signs of a word by the places of the parts that they stand before or behind; `undefined` where it has none. */
function signsOf(word) {
  if (!/[-.@$#+]/.test(word)) return undefined
  return new Map(
    [...word.matchAll(signed)].map(({ index, 0: sign, 1: first }) => [first ? index + sign.length : index, sign]),
  )
}

/** The words that a sign in front of a part, or one behind it, makes of it. */
function signedWords(text, first, last) {
  const [sign, suffix] = [before[first], behind[last]]
  return [sign && sign + text, suffix && text + suffix].filter(Boolean)
}

/** The words that stand for signs in a word that are no letters. */
export function pictureWords(word) {
  return [...word.matchAll(pictures)].map(
    ([sign]) => joint + [...sign].map((one) => one.codePointAt(0).toString(16)).join(''),
  )
}

/** The characters of a run without blanks that words are made of: the index leaves out marks above and below letters. */
export function lettersOf(run) {
  return [...run.replace(/[^\p{L}\p{N}]/gu, '')]
}
