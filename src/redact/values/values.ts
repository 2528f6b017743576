/** What distinguishes a secret value from a name, a word, a placeholder, an expression or a digest, by shape alone. */

import { isColour, isIdentifier, isMember, isMinified, isPattern, isSpoken, spokenLetters } from './code-shapes.ts'
import { holdsRandomRun, isGibberish, isRandomRun, kindsIn } from './letters.ts'

/** How much of a long value is judged; its beginning says enough. */
export const maxJudged = 256
/** What `redactor` writes. */
const written = '[redacted:'
/** The same in an address. */
const writtenInAddress = /%5[Bb]redacted:/

const blank =
  /^(?:x{3,}|\*{3,}|\.{3,}|[-_]+|0+|none|null|nil|undefined|true|false|string|str|text|redacted|hidden|masked|removed|todo|tbd|changeme|change[-_ ]?(?:me|it|this)|replace[-_ ]?(?:me|this)|base(?:16|32|58|64)(?:url)?(?:[- ]encoded)?|utf-?(?:8|16)(?:[bl]e)?|latin-?1|--[a-z][a-z\d]*(?:-[a-z\d]+)*|insert[-_ ].*|fill[-_ ]?(?:me|in).*)$/i
/** Words that begin a placeholder, if what follows consists of words, too: `my_x9F2kQ7m` is not a placeholder. */
const placeholders =
  /^(?:your?|my|some|the|an?|example|sample|dummy|fake|placeholder|test|demo|foo|default|new|old)(?=[-_ .])/i
/** Complete expressions for values that are looked up at run time: `$NAME`, `${NAME}`, `%NAME%`, `{{ name }}`, `$(command)`. */
const lookup =
  /^(?:\$\{\{[^{}]*\}\}|\$\{[^{}]*\}|\$\([^()]*\)|\{\{[^{}]*\}\}|\{%[^{}]*%\}|<%[^<>]*%>|#\{[^{}]*\}|%\([\w.]+\)[sdr]|%[sdvq]|\{[\w.]*\}|\[\[[^[\]]*\]\]|\?)(?:[/.:_-][\w/.$-]*)?$/
/** A lookup whose end is missing or that is among others; `${` and `{{` are not part of passwords. */
const opened =
  /^\$\{\{|^\. ?\$[A-Za-z_]|^(?:json|ya?ml|xml|bson|toml|form|db|gorm|mapstructure|validate|env|msgpack):\\?"[a-z]|^\$\{[A-Za-z_][\w.:-]*\}?|^\$\([a-z]|^\{\{|^<%|^\$[A-Z][A-Z\d_]{2,}@|^<(?:[Yy]our|YOUR|[Ee]nter|[Ii]nsert)[A-Z _-]/
/** Marks that a deployment tool replaces: `__NAME__`, `##NAME##`, `%env(NAME)%`. */
const mark = /^(##?|__|@@?|%%?|\$\$?)[A-Z][A-Z\d]*(?:[_.-][A-Z\d]+)*\1$|^%env\([\w:]+\)%$/
/** A call that checks against a pattern: `expect.stringMatching(/^a/)`. */
const matcher = /^[A-Za-z_$][\w$.]*\(\/.*\/[dgimsuvy]*\)?$/
/** Where a secret store holds the value: `ssm:/prod/db`. */
const reference =
  /^(?:ssm|aws-?sm|asm|gcp(?:-?sm)?|gsm|akv|vault|op|bws?|doppler|infisical|keyring|keychain|gopass|pass|env|file|sops|secret|secrets|ref\+\w{2,16}):\/?[A-Za-z][\w./#@-]*$/
const variable = /^(\${1,2}|[@%&:])(?:(?:env|script|global|private|local):)?([A-Za-z_]\w*)%?((?:[/.:[\])-].*)?)$/
const bracketed = /^<([^<>]{1,80})>?$/
/** How pages encode the brackets of a type or a placeholder. */
const entity = /^&(?:lt|#x3[Cc]|#60);/
const closingEntity = /&(?:gt|#x3[Ee]|#62);$/
const uuid = /^\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?$/i
const digest = /^(?:[\w.-]{1,128}@)?(?:sha(?:1|224|256|384|512)|md5|blake[23]\w?)[-:=]/i
/**
 * What only a key stored elsewhere opens, by its form: sops and eyaml, jasypt, ansible-vault, Vault's transit engine, Spring's
 * `{cipher}`, blobs of AWS KMS, sealed secrets, age and OpenPGP messages, dotenvx. It is meant to be kept in public.
 */
const ciphertext =
  /^(?:ENC\[[A-Z0-9_]{3,16},|ENC\([\w+/=-]{12,}\)?$|\$ANSIBLE_VAULT;\d|vault:v\d{1,4}:[\w+/=]{16}|\{cipher\}[\w+/=]{16}|AQICAH[\w+/]{40}|Ag[A-D][\w+/]{200}|-----BEGIN (?:AGE ENCRYPTED FILE|PGP MESSAGE)|(?:wc[BF]MA|hQ[EI]MA|hF4D|wV4D)[\w+/]{60}|YWdlLWVuY3J5cHRpb24|age-encryption\.org|encrypted:B[\w+/=]{60})/
/**
 * What is public by its form: the heads of public keys in DER and of OpenSSH, also after a host as in `known_hosts`, recipients of
 * age and minisign, elliptic-curve signatures in DER.
 */
const publicKey =
  /^(?:(?:[^\s"'`]{1,200} )?(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}) AAAA|MFkwEwYHKoZIzj0C|MHYwEAYHKoZIzj0C|MIGbMBAGByqGSM49|MIGfMA0GCSqGSIb3DQEBAQUAA4G|MII[BC]IjANBgkqhkiG9w0BAQEFAAOC|MCowBQYDK2V[uw]|AAAA(?:B3NzaC1|C3NzaC1|E2VjZHNh|G3NrLX|InNrLW)|age1[02-9ac-hj-np-z]{58}$|RW[QRST][\w+/]{53}$|ME[QUY]CI[A-D,Q][\w+/]{60,140}={0,2}$)/
const instant = /^\d{8,14}Z$|^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/
/** Versions of programs and packages: `v2.1.0-rc.3+g1a2b3c4`, `3.3.3-1~bpo12+1`, `7.25.3(@babel/core@7.25.2)`. */
const version =
  /^v?\d{1,4}(?:\.\d{1,4}){1,3}(?:(?:[-+~.](?:[a-z]{1,8}\d{0,4}|\d{1,4}|g?[0-9a-f]{7,12})){1,6}|(?:\(@?[\w./-]{1,80}@[^()\s]{1,80}(?:\([^()\s]{1,160}\))*\)){1,9})$/
/** The cost parameters of a hash, without the hash: `$argon2id$v=19$m=65536`. */
const hashCost = /^\$(?:argon2(?:id?|d)|scrypt|pbkdf2-\w{1,8})\$(?:v=\d{1,3}\$?)?(?:[a-z]{1,2}=\d{1,8}[,$]?){0,4}$/
/** A scheme is a word in lowercase, or in capitals; a host or a path follows it. */
const address =
  /^(?:(?:[a-z][a-z+.-]{0,20}\d?[a-z+.-]{0,12}|[A-Z][A-Z+.-]{1,20}\d?):\/\/(?:[\w[{$<%/.~*@:-]|$)|data:[a-z]+\/[a-z0-9.+-]+[;,])/
/** An address on a blockchain; keys have 64 digits. */
const account = /^0x[0-9a-fA-F]{40}$/
const path = /^(?:~|\.{0,2})\/|^[A-Za-z]:\\/
/**
 * Qualified names in code: `app.models.Argon2Hasher`, `std::fs::read2`. Two parts are too few, because a password may be made of
 * them.
 */
const qualified = /^[A-Za-z_]\w*(?:(?:\.|::|->|\\{1,2})[A-Za-z_]\w*){2,}$/

/** Character classes of a pattern. Random text next to them is a value that happens to contain one. */
const classes = /\[[^\]]*\]|\\{1,2}.|[$^]/g
/** `ghp_xxxxxxxx`, `sk-0000000000`, `shp_4f2a•••` */
const repeated = /([xX*0.#_-])\1{7,}|[•●∙▪█]{3}/

/**
 * Whether a value represents a secret instead of being one: `xxxxx`, `<token>`, `$TOKEN`, `process.env.TOKEN`. `isLiteral` means
 * that it is quoted, and so not code.
 */
export function isPlaceholder(value: string, isLiteral = false): boolean {
  return new Set(value).size < 5 || isStandIn(value, isLiteral)
}

/** The same where even a few characters, such as `toor`, may be a secret. */
export function isStandIn(value: string, isLiteral = false): boolean {
  return (
    value.includes(written) ||
    writtenInAddress.test(value) ||
    blank.test(value) ||
    repeated.test(value) ||
    isSequence(value) ||
    (placeholders.test(value) && isWordy(value)) ||
    isLookup(value) ||
    isTemplate(value) ||
    (isPattern(value) && isWordy(value.replaceAll(classes, ''))) ||
    (!isLiteral && !quotesNoise(value) && (isExpression(value.replace(entity, '<')) || isMinified(value)))
  )
}

/** Whether most of a value counts up, as in placeholders for a key or lists of its characters: `abcdef0123456789`. */
function isSequence(value: string): boolean {
  let counted = 0
  for (let at = 1, run = 1; at <= value.length; at++) {
    if (at < value.length && value.charCodeAt(at) === value.charCodeAt(at - 1) + 1) run++
    else {
      if (run > 3) counted += run
      run = 1
    }
  }
  return counted * 3 > value.length * 2
}

function isLookup(value: string): boolean {
  // What Maven encrypts is between braces, too.
  if (/^\{\w+\}$/.test(value) && isStrong(value)) return false
  if (lookup.test(value) || opened.test(value) || mark.test(value)) return true
  if (matcher.test(value) || (reference.test(value) && isWordy(value))) return true
  const [, head = '', name, rest = ''] = variable.exec(value) ?? []
  if (name !== undefined && !isVariable(head, name, rest)) return false
  const inner = name ?? bracketed.exec(value.replace(entity, '<').replace(closingEntity, '>'))?.[1]
  return (
    inner !== undefined && (isWordy(inner) || /^[A-Z]{3}[A-Z0-9]*(?:_(?:[A-Za-z0-9]{1,3}|[A-Z]{4,}))*$/.test(inner))
  )
}

/** How much more gibberish is allowed in names of variables, which programs shorten more than other words. */
const variableMargin = 0.6

/**
 * Whether a sign, a name and what follows are a variable, and not a password that begins like one: `@t-6xOnA8xKRYtsZ`,
 * `%czqNcfUK`.
 */
function isVariable(sign: string, name: string, rest: string): boolean {
  if (isGibberish(name, sign.startsWith('$') ? variableMargin : 0)) return false
  return isWordy(rest.replaceAll('`', '')) || (sign.startsWith('$') && !rest.startsWith('-'))
}

/** Whether a value is only a frame around lookups: `^${start}$`, `Bearer ${token}`. */
function isTemplate(value: string): boolean {
  if (!/\$\{[^{}]{1,80}\}/.test(value)) return false
  const rest = value.replaceAll(/\$\{[^{}]{1,80}\}/g, ' ').split(/\s+/)
  return rest.every((part) => isWordy(part) || !/[A-Za-z\d]{5}/.test(part))
}

const structure =
  /^(?:array|list|iterable|callable|class-string|map|set|vector)<[A-Za-z]|^[!*&([{]?[A-Za-z_$][\w$]*\??!?(?:[.[(]|::|->|\?\.|:`|\s*\?\?|!?$)|^<[A-Za-z]\w{3,}>?$|^[A-Z][a-z]\w{2,}<|^!?[$@%][A-Za-z_]\w{2,}(?:[{[]|->|$)/
const codeOnly = /^[\w$@%#.,()[\]{}<>:;?!'"`|&+*/=^ -]+$/
/** Matches a number that letters follow; no name begins with a number. */
const gluedNumber = /(?<![\w$])(?!0x)\d+[A-Za-z_$]\w{4}/
const numbers = /\b0x[\da-fA-F]+\b/g
const identifiers = /[A-Za-z_$][\w$]*/g

/** Whether a value is code that evaluates to one: a member, a call, an index, a type. Every name in it reads like a name. */
function isExpression(given: string): boolean {
  const value = given.replace(/^(?:`+|&quot;)/, '').replaceAll(/\.#(?=[A-Za-z_])/g, '.')
  if (isMember(value)) return true
  if (!structure.test(value) || !codeOnly.test(value) || !/[.([{<>]|::|->|:`/.test(value)) return false
  if (gluedNumber.test(value)) return false
  // A member has a name, and no argument begins with a binary operator.
  if (/\.[!%&+,/:;=@|~-]|\([%=,;|>^]/.test(value)) return false
  // An expression that continues in the next line, after a quote or a comma, need not close what it opened.
  if (!/["'`]|[([{,]$/.test(value) && !isBalanced(value)) return false
  return (value.replaceAll(numbers, '0').match(identifiers) ?? []).every(
    (name) => isIdentifier(name) || name.split(/[_$]/).every(isNamePart),
  )
}

/** The content of quoted strings, up to the end of the text if a quote is not closed. */
const strings = /(["'`])((?:(?!\1)[^\\]|\\.)*)(?:\1|$)/g

/** Whether a string in a piece of code is random. Then it is not code but a value, or code that reveals one. */
function quotesNoise(value: string): boolean {
  for (const [, , text = ''] of value.matchAll(strings)) if (holdsNoise(text)) return true
  return false
}

/** Whether a text that is quoted in code is random, apart from what a template inserts. */
function holdsNoise(text: string): boolean {
  return (text.replaceAll(/\$\{[^{}]*\}?/g, ' ').match(/[A-Za-z0-9]+/g) ?? []).some(isNoise)
}

/** A call that is cut at the comma after its first argument leaves one bracket open. */
const cutCall = /^[\w$.]*(?:[a-z][A-Z]|_|\.|->|::)[\w$.]*(?:(?:->|::)\w*)*\(/

function isBalanced(value: string): boolean {
  const count = (sign: string): number => value.split(sign).length
  const open = count('(') - count(')')
  return (
    (open === 0 || (cutCall.test(value) && open > -3 && open < 3)) &&
    count('[') === count(']') &&
    count('{') === count('}')
  )
}

const algorithm = /^(?:[Aa]rgon2(?:id|[di])|[Ee]d25519|[Xx]25519|secp\d{3}[kr]1|SECP\d{3}[KR]1)$/
/** An abbreviation with a number, then a word: `EC2Role`. */
const abbreviated = /^[A-Z]{1,4}\d([A-Z][a-z]{2,11})$/
/** A word followed by a number and a letter or two: `token2fa`. */
const suffixed = /^([a-z]{3,9})\d[a-z]{1,2}$/
/** A word, a number and a word: `Sha256Js`, `win32api`, `a2b`. */
const numbered = /^(?:[A-Z]?[a-z]+\d{1,4}[A-Z]?[a-z]+|[a-z]\d[a-z])$/

function isNamePart(part: string): boolean {
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
function isWordyPart(part: string): boolean {
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
function isNoise(run: string): boolean {
  if (run.length < 8 || !/[A-Za-z]/.test(run)) return false
  const count = pieces(run)
  if (!/\d/.test(run)) return run.length >= 12 && /[a-z]/.test(run) && count * 3 > run.length
  return count * 2.8 > run.length || (count * 5 > run.length && count > 3 && silent.test(run))
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

const digests = /(?<=[-_:./])(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})(?=[-_:./]|$)/g

/** Whether a value is words with digests among them, beginning with a word, as in cache keys: `modules-linux-x64-9f86d0…`. */
export function isNamedDigest(value: string): boolean {
  const words = value.replaceAll(digests, '')
  return words.length < value.length && isWordy(words)
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

/** Whether a value is the name of something in a module, a class or a namespace. */
export function isQualifiedName(value: string): boolean {
  return (
    qualified.test(value) && (value.match(identifiers) ?? []).every((name) => isIdentifier(name) || isWordyPart(name))
  )
}

/** Whether the form of a value shows that it is encrypted. */
export function isCiphertext(value: string): boolean {
  return ciphertext.test(value)
}

/** Whether a value is known to be public: a digest, a public key, encrypted data, a path or an address, a number. */
export function isPublic(value: string): boolean {
  return (
    ciphertext.test(value) ||
    publicKey.test(value) ||
    instant.test(value) ||
    isTokenHead(value) ||
    digest.test(value) ||
    address.test(value) ||
    account.test(value) ||
    version.test(value) ||
    hashCost.test(value) ||
    isPath(value) ||
    isColour(value) ||
    /^[\d.,:+/-]+%?$|^(?:ORA|TNS|PLS|SP2|AADSTS)-?\d{4,7}$/.test(value)
  )
}

const tokenHead = /^eyJ([\w-]*)(?:\.{3}|…)?$/
const headFields = /^\{"(?:alg|typ|kid|enc|cty|zip|jku|x5[tcu]|crit|b64)"/

/** Whether a value is the head of a signed token without the rest, which reveals only the algorithm. */
export function isTokenHead(value: string): boolean {
  const body = tokenHead.exec(value)?.[1]
  return body !== undefined && headFields.test(Buffer.from(`eyJ${body}`, 'base64url').toString('latin1'))
}

const chord =
  /^(?:(?:ctrl|control|cmd|command|alt|option|opt|shift|meta|super|win|mod|hyper|fn|[cmsa])[+-])+(?:\w{1,12}|\S)$/i

/** Whether a value is a key combination: `Ctrl+Shift+F12`. */
export function isChord(value: string): boolean {
  return chord.test(value)
}

const filePath = /^[\w@%+-][\w.@%+-]*(?:\/[\w.@%+-]+)+\.[a-z][a-z\d]{1,4}$/

/** Whether a value is a file in folders, as keys of object stores are: `avatars/9fKq.png`. */
export function isFileInFolder(value: string): boolean {
  return filePath.test(value) && isWordy(value.slice(0, value.indexOf('/')))
}

/** Whether a value is a UUID, also in braces: the id of a thing, or what some vendors call a key. */
export function isUuid(value: string): boolean {
  return uuid.test(value)
}

/** Whether a value is a path. A path consists of names of folders; a password may begin with a slash. */
function isPath(value: string): boolean {
  if (!path.test(value)) return false
  const [first = '', ...rest] = value.replace(path, '').split(/[\\/]/)
  const isFolder = isWordy(first) && (kindsIn(first) < 2 || spokenLetters(first) * 2 >= first.length)
  return isFolder && (rest.length > 0 || first.length > 2)
}

/** Whether the body of a token looks random. */
export function isRandom(given: string): boolean {
  if (given.includes(written)) return false
  const value = given.slice(0, maxJudged)
  if (new Set(value).size < Math.min(7, value.length / 2)) return false
  if (!isWordy(value) || (/[A-Za-z0-9]{15}/.test(value) && /[A-Za-z]\d+[A-Za-z]/.test(value))) return true
  return holdsRandomRun(value) || (value.match(/[A-Za-z\d]{8,}/g) ?? []).some((run) => isGibberish(run))
}
