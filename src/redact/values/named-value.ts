/** Whether a value is a secret, under a telling name or where nothing but a password can be. */

import { isIdentifier, isSpoken, spokenLetters } from './code-shapes.ts'
import { entropyOf, holdsRandomRun, isGibberish, isMixed, isRandomWithPunctuation, kindsIn } from './letters.ts'
import { kindOfName, type NameKind } from './names.ts'
import { isPlaceholder } from './placeholders.ts'
import { isChord, isFileInFolder, isNamedDigest, isPublic, isQualifiedName } from './public.ts'
import { isPassphrase, isSentence, isStrong, isUuid, isWordy, maxJudged } from './randomness.ts'

const minPassword = 6
const minSecret = 12
const hex = /^(?:0x)?[0-9a-f]+$/i
/** Four groups of four letters, as Google and Apple issue passwords for programs. */
const fourFours = /^[a-z]{4}(?:(?: [a-z]{4}){3}|(?:-[a-z]{4}){3})$/
/** Escape sequences of terminals, as JSON, programs and shells write them. */
const escapedColours = /\\{1,8}(?:u001b|x1b|033|e)\[[\d;]{0,16}m/gi
/** Letters beyond ASCII, as JSON, Java and Python escape them. */
const escapedLetters = /\\{1,8}u((?!00[0-7])[\da-fA-F]{4})/g
const letterOf = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16))
/** Characters that occur in no kind of name. */
const odd = /[!"#$%&'()*;<>?@[\]^`{|}~]/
/**
 * Words about secrets: a value made of words that include one of them is the name of a value. `Monkey` and `Margaret` include
 * none.
 */
const aboutSecrets =
  /^(?:pass(?:words?|wd|phrase|code|wort|ed|ing)?|pwd?|secrets?|tokens?|keys?|cred(?:ential)?s?|auth\w*|values?|vals?|params?|parameters?|args?|arguments?|inputs?|env\w{0,7}|config\w*|users?|username|test\w{0,5}|examples?|dummy|samples?|argon|[bs]crypt|pbkdf|sha|hmac|ed)$/
/** The same glued to words that precede one: `mykey`, `apitoken`, `dbpass`. */
const gluedToSecret =
  /^(?:a|my|your|our|the|some|api|app|db|database|web|jwt|user|admin|root|client|server|service|access|public|private|master|session|super|new|old|default|temp|test|pre|un|sub)+(?:pass|password|passwd|pwd|secret|token|key|cred|auth|value|param|arg|input|env|config)s?$/
const wordsIn = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g

function isAboutSecrets(value: string): boolean {
  return (value.match(wordsIn) ?? []).some((word) => {
    const small = word.toLowerCase()
    return aboutSecrets.test(small) || gluedToSecret.test(small)
  })
}

/**
 * How sure the context makes it that a value belongs to the name, and that it is a text: `literal` is between quotes; `loose`
 * applies to cells of tables, words, and values after a space.
 */
export type Binding = 'literal' | 'firm' | 'loose'

/** Whether a value under a name is a secret: the name says so, and the value is not a word, a lookup or a path. */
export function isNamedSecret(value: string, name: string, binding: Binding = 'firm'): boolean {
  const kind = kindOfName(name)
  return kind !== undefined && isSecretOf(kind, value, binding)
}

/** The same for a name that was already judged. */
export function isSecretOf(kind: NameKind, given: string, binding: Binding): boolean {
  const value = given
    .slice(0, maxJudged)
    .replace(escapedColours, '')
    .replace(escapedLetters, letterOf)
    .trim()
    .replace(/[;,]+$/, '')
  if (value.length < minPassword) return false
  if (/^\d+$/.test(value)) return kind === 'password' && binding !== 'loose' && isNumericPassword(value)
  if (isNoSecretValue(kind, value, binding)) return false
  if (kind === 'password' && binding === 'literal' && isPassphrase(value)) return true
  if (isWordy(value) && (!/\d/.test(value) || isAboutSecrets(value))) return isOfLetters(kind, value, binding)
  if (isText(value) || isNameInCode(kind, value)) return false
  if (kind !== 'password') return !isNameOfThing(kind, value) && isOpener(kind, value, binding)
  return isUuid(value) ? binding !== 'loose' : isPassword(value, binding)
}

/** Passwords made of words with numbers are still passwords. */
function isNameInCode(kind: NameKind, value: string): boolean {
  return isIdentifier(value) && (kind !== 'password' || !/\d/.test(value) || isAboutSecrets(value))
}

/** Whether a value is a placeholder, a name, a documented sample, or public. */
function isNoSecretValue(kind: NameKind, value: string, binding: Binding): boolean {
  return (
    isPlaceholder(value, binding === 'literal') ||
    isPublic(value) ||
    isQualifiedName(value) ||
    isSized(kind, value) ||
    validators.test(value) ||
    isSample(value)
  )
}

/** Validation rules of a field, as frameworks write them: `required|string|min:8`. */
const validators = /^[a-z][a-z_]{1,24}(?::[\w,.-]{1,40})?(?:\|[a-z][a-z_]{1,24}(?::[\w,.-]{1,40})?){1,12}$/

const sized = /^[A-Za-z_]{3,40}(?:[1-4][Dd]|\d{1,2}[a-z]\d{1,2}|[2-8]x)$/
/** The same for a pass of a renderer. People end passwords like that, too, but rarely with a capital in them. */
const sizedPass = /^(?=.*[A-Z])[A-Za-z_]{3,40}(?:[1-4]D|\d{1,2}x\d{1,2})$/

/** Whether a value is the words of a name followed by a size or a dimension: `bloomPass2D`, `shadowMap3x3`. */
function isSized(kind: NameKind, value: string): boolean {
  return (kind === 'password' ? sizedPass : sized).test(value) && spokenLetters(value) * 2 >= value.length
}

/** The letters that punctuation and digits represent in `P@ssw0rd`. */
const spelled: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}
const sample =
  /^(?:(?:your?|my|the|very|super|strong|secure|simple|some|new|old|test|demo|example|sample|dummy|fake|admin|root|user|db|database|default|temp|initial|change|me|it)*(?:password|passwort|passwd|passphrase|passw|pass|pwd|secret|changeme|letmein|welcome)){1,2}$/

/**
 * Whether a value only spells what it is, as documents print it: `P@ssw0rd!`, `YourStrong!Passw0rd`, `S3cr3t123`. Anyone who
 * guesses begins with these.
 */
function isSample(value: string): boolean {
  if (value.length > 40) return false
  const given = value.replace(/\d{0,4}[!@#$%^&*.?~_-]{0,3}\d{0,2}$/, '')
  // An `@` may represent a letter or separate words.
  return [given, given.replaceAll('@', '')].some((text) =>
    sample.test(
      text
        .replaceAll(/[@43105$7]/g, (sign) => spelled[sign] ?? sign)
        .replaceAll(/[^A-Za-z]/g, '')
        .toLowerCase(),
    ),
  )
}

/** Whether a value is a sentence, or two words with a number as in labels: `min. 8`. */
function isText(value: string): boolean {
  return isSentence(value) || (/\s/.test(value) && isWordy(value))
}

/** Whether a value is what keys of stores, caches and keyboards look like, which no secret does. */
function isNameOfThing(kind: NameKind, value: string): boolean {
  return isFileInFolder(value) || (kind === 'weak' && (isNamedDigest(value) || isChord(value)))
}

const piecesOfPattern = /\(\?[:=!<]|\[\^[^\]]*\]/g

function isOpener(kind: NameKind, value: string, binding: Binding): boolean {
  if (kind === 'weak') return isStrong(value)
  // Some names that end with `PAT` mean patterns. Random text next to a piece of a pattern is a value that happens to contain it.
  const rest = value.replaceAll(piecesOfPattern, '')
  if (rest !== value && !(rest.match(/[A-Za-z0-9]+/g) ?? []).some(isStrong)) return false
  return isUuid(value) || isKeyOfGroups(value) || isToken(value, binding)
}

/** Groups of capitals and digits, all of the same length, as in licence keys: `7QK2M-X9D4R-…`. */
function isKeyOfGroups(value: string): boolean {
  const [first = '', ...others] = value.split('-')
  if (others.length < 2 || !/^[A-Z\d]{4,8}(?:-[A-Z\d]{4,8}){2,7}$/.test(value)) return false
  return others.every(({ length }) => length === first.length) && (value.match(/[A-Z]\d|\d[A-Z]/g)?.length ?? 0) > 1
}

/** Whether a value that has the form of words is a secret nevertheless. */
function isOfLetters(kind: NameKind, value: string, binding: Binding): boolean {
  if (isRandomLetters(kind, value, binding)) return true
  return (kind !== 'weak' && isAppPassword(value)) || (kind === 'password' && isScrambled(value, binding))
}

/** Fewer letters under the name of a token are the name of a thing. */
const minTokenLetters = 16
/** What is not quoted may be a variable, and after a space it may be a word of any language. */
const doubt: Readonly<Record<Binding, number>> = { literal: 0, firm: 0.2, loose: 0.6 }

/** Whether letters of one case or both are random, which is the only evidence without a digit or punctuation. */
function isRandomLetters(kind: NameKind, value: string, binding: Binding): boolean {
  if (kind === 'weak' || (kind === 'secret' && value.length < minTokenLetters)) return false
  return isGibberish(value, doubt[binding])
}

/** Whether digits alone were made up by somebody: not a date, and not the same few over and over. */
function isNumericPassword(value: string): boolean {
  return !isPlaceholder(value, true) && !/^(?:19|20)\d{6}$/.test(value)
}

/** Whether a value has the form of an app password. Four words joined by hyphens are a name; random letters in groups are not. */
export function isAppPassword(value: string): boolean {
  if (!fourFours.test(value)) return false
  return value.includes(' ') || value.split('-').some((group) => !isSpoken(group))
}

const minScrambled = 8
/** Punctuation of code, which also separates short names. */
const codePunctuation = /[.([{=:<>|&?]/

/** Whether letters of both cases with punctuation among them resemble no word, so that no digit is needed. */
function isScrambled(value: string, binding: Binding): boolean {
  if (binding === 'loose' || value.length < minScrambled || /\s/.test(value) || kindsIn(value) < 3) return false
  if (!/[A-Za-z][^\w\s.-]+[A-Za-z]/.test(value) || (binding === 'firm' && codePunctuation.test(value))) return false
  const letters = value.replaceAll(/[^A-Za-z]/g, '')
  return letters.length >= minScrambled && (spokenLetters(value) * 3 < letters.length || isRandomWithPunctuation(value))
}

/** Lowercase letters or capitals with digits scattered among them: unlike any word, and not all of them hexadecimal digits. */
function isScattered(value: string): boolean {
  if (!/^(?:[a-z\d]{10,64}|[A-Z\d]{10,64})$/.test(value) || hex.test(value)) return false
  return (value.match(/\d+|[A-Za-z]+/g)?.length ?? 0) * 2 > value.length + 2
}

function isPassword(value: string, binding: Binding): boolean {
  if (isRandomLetters('password', value, binding)) return true
  if (binding !== 'loose') return isMixed(value)
  if (isStrong(value) || isScattered(value) || holdsRandomRun(value) || isHexKey(value)) return true
  if (isMixedUp(value)) return true
  if (isWordy(value)) return isChosen(value)
  return kindsIn(value) >= 3 && value.length >= 8
}

/**
 * Words and a number as people choose passwords, with capitals or punctuation: `Dragon4821!`, `Blue-Castle-73`, `fox7-Den-12`.
 */
const chosen =
  /^(?=\D*\d[^\d]*\d)(?=.*[A-Z]|[a-z]+[-_.@#$]?\d)[A-Z]?[a-z]{3,16}\d{0,4}(?:(?:[-_.@#$%&*!][A-Za-z]|[A-Z])[a-z]{2,16}\d{0,4}){0,3}(?:[-_.@#$]?\d{2,6})?[!@#$%^&*?]{0,3}$/
/** Names of algorithms, encodings, systems and steps, which contain numbers, too. */
const numberedName =
  /^(?:base|utf|sha|md|rsa|aes|des|ed|curve|argon|oauth|http|tls|ssl|ipv|windows|ubuntu|debian|python|node|java|version|ver|step|section|chapter|figure|table|line|level|phase|part|type|string|char|varchar|int|uint|float)(?=[^a-z]|$)/i

function isChosen(value: string): boolean {
  return value.length >= 8 && kindsIn(value) >= 3 && chosen.test(value) && !numberedName.test(value)
}

function isHexKey(value: string): boolean {
  return hex.test(value) && value.length >= 16 && entropyOf(value) > 2.5
}

const minMixedUp = 8

/** Whether letters and digits alternate in a short literal as in no name and no digest: `tiger42x9q`. */
function isMixedUp(value: string): boolean {
  if (!/^[A-Za-z\d]+$/.test(value) || value.length < minMixedUp || hex.test(value) || isWordy(value)) return false
  return (value.match(/\d+/g)?.length ?? 0) > 1 && (value.match(/[A-Za-z]+/g)?.length ?? 0) > 1
}

function isToken(value: string, binding: Binding): boolean {
  if (isRandomLetters('secret', value, binding)) return true
  if (value.length < minSecret) return isStrong(value) || (binding !== 'loose' && isMixedUp(value))
  // Words and numbers with characters that occur in no name: somebody made them up to be a secret.
  if (isWordy(value)) return binding !== 'loose' && kindsIn(value) > 2 && odd.test(value)
  if (hex.test(value)) return isHexKey(value)
  if (binding === 'loose') return isStrong(value) || holdsRandomRun(value)
  return isMixed(value) && /\d|[A-Z].*[a-z].*[A-Z]/.test(value) && entropyOf(value) >= 3
}

const minUser = 16
const minMixedUser = 20

/**
 * Whether a value in the position of a user name is a token. Many servers accept one there, with a word or nothing as password.
 */
export function isTokenForUser(value: string): boolean {
  if (value.length < minUser || isPlaceholder(value) || isPublic(value)) return false
  if (isUuid(value) || isStrong(value)) return true
  if (hex.test(value)) return value.length >= 2 * minUser && entropyOf(value) > 2.5
  const letters = value.replaceAll(/[^A-Za-z]/g, '').length
  return value.length >= minMixedUser && /\d/.test(value) && !isWordy(value) && spokenLetters(value) * 2 < letters
}

// Judges values where nothing but a password can be, so that even a short or simple one counts.

/** A lookup, a mark, an option, a path, punctuation: what is no password where nothing else can be. */
const noPassword =
  /^[$%<{[`*@…/-]|^[!?)\]}'"|]+$|^([x*.•_])\1*$|^(?:your?|my|some|the|an?|example|sample|dummy|fake|placeholder|replace|insert)[-_ .]|^(?:none|null|nil|true|false|foo|ba[rz])$/i
/** Words that follow the option in a sentence about it. */
const aboutOption =
  /^(?:flags?|options?|switch|arguments?|parameters?|and|or|is|are|was|to|with|without|instead|if|in|on|for|from|the|an?|as|you|it|of|by)$/i
/** What documents write in place of a password: `db_pass`, `user-password`, `MYSQL_ROOT`. */
export const nameOfPassword: RegExp =
  /^(?:(?:my|your?|the|new|old|api|access|db|database|mysql|redis|root|admin|user|service|app|some)[-_ ]?)*(?:pass(?:word|wd|phrase|code|w)?|pwd|pw|secret|token|api[-_]?key|auth|key)s?$/i
const constant = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/

/** Whether a value is a password if nothing but a password can be where it is. */
export function isOnlyPassword(value: string): boolean {
  const word = value.replace(/[.,;:!?)\]}'"|]+$/, '')
  return word !== '' && ![noPassword, aboutOption, nameOfPassword, constant].some((form) => form.test(word))
}
