/** Whether a value is made of words or of random characters, by shape alone. */

import { isIdentifier, isSpoken, spokenLetters } from './code-shapes.ts'
import { holdsRandomRun, isGibberish, isRandomRun, kindsIn } from './letters.ts'

/** How what `redactor` writes in place of a secret begins. */
export const written = '[redacted:'
/** How much of a long value is judged; its beginning says enough. */
export const maxJudged = 256
const algorithm = /^(?:[Aa]rgon2(?:id|[di])|[Ee]d25519|[Xx]25519|secp\d{3}[kr]1|SECP\d{3}[KR]1)$/
/** An abbreviation with a number, then a word: `EC2Role`. */
const abbreviated = /^[A-Z]{1,4}\d([A-Z][a-z]{2,11})$/
/** A word followed by a number and a letter or two: `token2fa`. */
const suffixed = /^([a-z]{3,9})\d[a-z]{1,2}$/

/** Punctuation between words, of every script; `$`, `%` and `^` are missing because they occur in passwords. */
const signs =
  /[-_./:+=,@#!?&*'"()[\]{}<>;|~\\ \u00A0\u00A1\u00AB\u00B7\u00BB\u00BF\u055A-\u055F\u05BE-\u05C6\u060C\u061B\u061F\u2010-\u205E\u2190-\u21FF\u3000-\u3020\u30FB\uFF01-\uFF0F\uFF1A-\uFF1F]/

/** Whether a value is made of words and small numbers: `my-app-secret-v2`. */
export function isWordy(value: string): boolean {
  return value.split(signs).every(isWordyPart)
}

/**
 * Whether a part is a word, words with capitals, words with numbers between or after them, or a number. Long runs of letters are
 * no word.
 */
export function isWordyPart(part: string): boolean {
  if (/^(?:[A-Za-z]?[a-z]{0,5}|[A-Z]{0,6}|\d{1,4}|\d{8}|\d{1,3}[a-z]{1,2}|[a-z]{1,2}\d{1,3})$/.test(part)) return true
  if (!/^[A-Za-z\d]+$/.test(part)) return isForeignWord(part)
  if (algorithm.test(part)) return true
  const word = abbreviated.exec(part)?.[1] ?? suffixed.exec(part)?.[1]
  if (word !== undefined) return isSpoken(word)
  return !unspoken.test(part) && (part.length < 12 || !silent.test(part)) && hasWordPieces(part)
}

/** Whether letters and digits alternate as rarely as in words with capitals and numbers. */
function hasWordPieces(part: string): boolean {
  const count = pieces(part)
  if (part.length > 24 * count) return false
  if (/^[A-Za-z]*$/.test(part)) return count <= 2 || count * (part.length < 12 ? 2.5 : 4) <= part.length
  if (/^[A-Za-z]{1,12}\d{1,3}$/.test(part)) return count <= 2 + part.length / 4 && isLikeWords(part)
  return count * minPiece(part.length) <= part.length && (part.length < 10 || isLikeWords(part))
}

/**
 * Whether at least a third of the letters belongs to words, if there are many before a number, or if a long run contains numbers.
 */
function isLikeWords(part: string): boolean {
  const given = part.replace(/\d+$/, '')
  const cased = /[a-z]/.test(given) ? given : given.toLowerCase()
  const letters = cased.replaceAll(/\d/g, '').length
  return letters < (cased.length > letters ? 2 : 8) || spokenLetters(cased) * 3 >= letters
}

/** Whether a part is letters with diacritics, or of other scripts, in lowercase after the first: `Lösenord`, `пароль`. */
function isForeignWord(part: string): boolean {
  if (!/^[\p{L}\p{M}\d]+$/u.test(part)) return false
  const plain = part.normalize('NFD').replaceAll(/\p{M}/gu, '')
  if (plain !== part && /^[A-Za-z\d]+$/.test(plain)) return isWordyPart(plain)
  return /^(?:\p{Lu}+|\p{L}[\p{Ll}\p{Lo}]*)\d{0,4}$/u.test(plain)
}

/** The least mean length of pieces: the longer a run with numbers is, the longer are its words, if it has any. */
function minPiece(length: number): number {
  if (length < 12) return 3.5
  return length < 20 ? 5 : 6
}

/** A word, a number and a word: `Sha256Js`, `win32api`, `a2b`. */
const numbered = /^(?:[A-Z]?[a-z]+\d{1,4}[A-Z]?[a-z]+|[a-z]\d[a-z])$/

/** Whether a part of a name in code reads like one: a word, words with capitals, with a number among them. */
export function isNamePart(part: string): boolean {
  return (
    part.length < 3 ||
    algorithm.test(part) ||
    (numbered.test(part) && !unspoken.test(part)) ||
    (pieces(part) <= 1 + part.length / 3 && !isNoise(part) && !isUnspokenMix(part))
  )
}

/** Whether lowercase letters, capitals and digits are mixed and hardly any of the letters belong to words. */
function isUnspokenMix(part: string): boolean {
  if (part.length < 7 || kindsIn(part) < 3) return false
  return spokenLetters(part) * 2 < part.replaceAll(/[^A-Za-z]/g, '').length
}

/** At least four letters of one word without a vowel, except abbreviations that programmers use. */
const silent =
  /(?:^|[^a-z])(?!https?|html|grpc|Https?|Html|Grpc)[B-DF-HJ-NP-TV-XZb-df-hj-np-tv-xz][b-df-hj-np-tv-xz]{3,5}(?![a-z])|(?:^|[^A-Z])(?!HTTP|HTML|HTTPS|GRPC)[B-DF-HJ-NP-TV-XZ]{4,}(?![A-Za-z])/
/** More consonants in a row than in any word, or in abbreviations that programmers use. */
const unspoken = /[bcdfghjklmnpqrstvwxz]{6}|[BCDFGHJKLMNPQRSTVWXZ]{6}/

/** The number of runs of one kind of character in a text; a capital and the lowercase letters after it are one run. */
function pieces(text: string): number {
  return text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^A-Za-z\d]+/g)?.length ?? 0
}

/** Whether a run of letters and digits alternates too often for words. Without digits it must alternate more. */
export function isNoise(run: string): boolean {
  if (run.length < 8 || !/[A-Za-z]/.test(run)) return false
  const count = pieces(run)
  if (!/\d/.test(run)) return run.length >= 12 && /[a-z]/.test(run) && count * 3 > run.length
  return count * 2.8 > run.length || (count * 5 > run.length && count > 3 && silent.test(run))
}

const uuid = /^\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?$/i

/** Whether a value is a UUID, also in braces: the id of a thing, or what some vendors call a key. */
export function isUuid(value: string): boolean {
  return uuid.test(value)
}

/**
 * Whether a value is random by its form alone: a run of letters and digits that alternate often, or one with many other
 * characters among them. UUIDs and digests in hexadecimal digits do not count, because nothing distinguishes them from names of
 * things.
 */
export function isStrong(value: string): boolean {
  if (value.length < 10 || uuid.test(value) || /^(?:0x)?[0-9a-f]+$|^[0-9A-F]+$/.test(value)) return false
  const runs = value.match(/[A-Za-z0-9]+/g) ?? []
  const random = runs.some((run) => isNoise(run) && (run.length >= 16 || kindsIn(run) >= 3))
  return (
    random ||
    runs.some((run) => run.length >= 12 && !/\d/.test(run) && isNoise(run)) ||
    (kindsIn(value) >= 4 && pieces(value) * 2.6 > value.length && !/\s/.test(value)) ||
    runs.some((run) => isRandomRun(run))
  )
}

/** Whether the body of a token looks random. */
export function isRandom(given: string): boolean {
  if (given.includes(written)) return false
  const value = given.slice(0, maxJudged)
  if (new Set(value).size < Math.min(7, value.length / 2)) return false
  if (!isWordy(value) || (/[A-Za-z0-9]{15}/.test(value) && /[A-Za-z]\d+[A-Za-z]/.test(value))) return true
  return holdsRandomRun(value) || (value.match(/[A-Za-z\d]{8,}/g) ?? []).some((run) => isGibberish(run))
}

/** Placeholders and markup within a sentence: `${x}`, `{{x}}`, `{count, plural, …}`, `<code>`, `%s`. */
const marks =
  /\$?\{\{?[^{}]{0,80}\}?\}|<\/?[A-Za-z][^<>]{0,60}>|%(?:\d\$)?[sd@]|(?<![A-Za-z\d])`[^`\n]{1,80}`(?![A-Za-z\d])/g
/** Letters of scripts that put no spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/gu
const minUnspaced = 3

/** Whether a text is a sentence or a list of words of any language, rather than a value. */
export function isSentence(value: string): boolean {
  // Replacing a mark with a hyphen separates no words, because passwords may contain one; a value that is only a mark is judged
  // as such.
  const text = value.replaceAll(marks, '-')
  const words = text.trim().split(/\s+/)
  if (words.length > 2 && words.filter((word) => isWordy(word)).length * 3 > words.length * 2) return true
  if (isWordy(text) && (value.match(marks)?.length ?? 0) > 1) return true
  const count = text.match(unspaced)?.length ?? 0
  if (count < minUnspaced) return false
  const rest = text.replaceAll(unspaced, ' ')
  return (count > 5 || !/\d/.test(rest)) && rest.split(/\s+/).every((word) => isWordy(word) || isIdentifier(word))
}

const phrase = /^[a-z]{3,12}(?:[ -][a-z]{3,12}){3,7}$/
/** Words of sentences; invented phrases contain none. */
const glue =
  /\b(?:the|and|for|you|your|with|must|enter|please|password|passphrase|not|are|has|have|from|this|that|least|choose|new|old|use|set|can|will|should|when|then|its|our|all|any|forgot|reset|confirm|repeat|again|required|invalid|wrong|incorrect|characters)\b/

/** Whether a text is a phrase invented as a password: words that do not make a sentence. */
export function isPassphrase(value: string): boolean {
  return phrase.test(value) && value.includes(' ') && !glue.test(value)
}
