// How words are split into parts. The index is made by these rules, and pages read questions by them: `search/entry-text.ts`
// imports this part of the page script unchanged.
import { formsOfSign } from './signs.js'

/** Runs of scripts that are written without spaces between words. */
export const unspaced =
  /([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+)/u

/**
 * A part: a run of letters and digits, split where a capital follows a small letter or a digit, or begins the last word after
 * capitals. Hexadecimal numbers in capitals are not split.
 */
const wordParts =
  /[\dA-F](?<![\p{L}\p{M}\p{N}].)[\dA-F]*(?![\p{L}\p{M}\p{N}])|[\p{L}\p{M}\p{N}]+?(?=[^\p{L}\p{M}\p{N}]|$|(?<=[\p{Ll}\p{N}])\p{Lu}|(?<=\p{Lu})\p{Lu}\p{Ll})/gu

/** Signs that, before or after a word, make it a different word, with the character that represents each in the index. */
const before = { '-': '⁀', '--': '⁀⁀', '.': '⁔', '@': '︳', $: '︴', '#': '﹎' }
const after = { '++': '﹍', '#': '﹏' }
// Lookbehinds come last, because a pattern that begins with one runs it at every character.
const signed =
  /(--?|[.@$#])(?=[\p{L}\p{N}])(?<![\p{L}\p{N}\p{Pc}.$@#]\1)(?<!-(?=-)\1)|(\+\+|#)(?![\p{L}\p{N}+#])(?<=[\p{L}\p{N}]\2)/gu

/** Pictographs, flags (two regional indicators) and signs of currencies, which the index would drop. */
const pictures = /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|(?!\$)\p{Sc}/gu

/** Selectors of how the character before them looks, which are not part of a word. */
const variationSelectors = /[\uFE00-\uFE0F]/gu

/** Joins two parts that are separated by a sign. */
const joint = '‿'

/** Signs between the parts of a path, a name, an address or a version, in contrast to operators of code. */
const pathSigns = new RegExp(`^[${formsOfSign('-')}/\\\\._:@]{1,3}$`)

/** The `v` at the beginning of a version, which is found with and without it. */
const versionSign = /^v(?=\d{1,5}$)/

/** The maximum length of a part, and of two or three parts in a row; anything longer is encoded data. */
export const maxNameLength = 64

/**
 * The parts of a word, at most `max`. `text`: the part in lower case; `signed`: index words for the part with the sign before or
 * after it; `last`: the text of the part before; `pair`: one index word for both; `isNext`: no sign separates the two; `triple`:
 * one index word with the two parts before it, for paths, identifiers and versions, whose pairs recur in others.
 */
export function partsOf(word, max) {
  const plain = word.replace(variationSelectors, '')
  const signs = signsOf(plain)
  // The part before, the pair before if a triple may follow, and the offset at which the part before ends.
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
    const signedForms = signs === undefined ? none : signedWords(text, !isNext && signs.get(index), signs.get(end))
    const pair = last && last.length + text.length <= maxNameLength && last + name
    found.push({
      text,
      last,
      isNext,
      signed: signedForms,
      pair: pair || undefined,
      triple: tripleOf(isJoined && two, name),
    })
    two = isJoined && pair
    last = bare
  }
  return found
}

const none = []

/**
 * The letters after the digits of a part, as `fps` in `60fps`, which are a word too if there are at least three and the part is
 * not a hexadecimal number.
 */
export function lettersAfterDigits(part) {
  const letters = /(?<=\p{N})\p{L}[\p{L}\p{M}]{2,}$/u.exec(part)?.[0]
  return letters === undefined || /^(?:0x)?[\da-f]+$/i.test(part) ? undefined : letters
}

/** Three parts in a row as one index word, unless that is too long. */
function tripleOf(two, name) {
  return two && two.length + name.length <= maxNameLength ? two + name : undefined
}

/** The signs in a word, by the offset where a sign before a part ends or one after it begins; `undefined` if there are none. */
function signsOf(word) {
  if (!/[-.@$#+]/.test(word)) return undefined
  return new Map(
    [...word.matchAll(signed)].map(({ index, 0: sign, 1: first }) => [first ? index + sign.length : index, sign]),
  )
}

/** The index words for a part with the sign before it and with the sign after it. */
function signedWords(text, first, last) {
  const [sign, suffix] = [before[first], after[last]]
  return [sign && sign + text, suffix && text + suffix].filter(Boolean)
}

/** The index words for the pictographs, flags and signs of currencies in a word. */
export function pictureWords(word) {
  return [...word.matchAll(pictures)].map(
    ([sign]) => joint + [...sign].map((one) => one.codePointAt(0).toString(16)).join(''),
  )
}

/** The letters and digits of a run without spaces: the index omits combining marks. */
export function lettersOf(run) {
  return [...run.replace(/[^\p{L}\p{N}]/gu, '')]
}
