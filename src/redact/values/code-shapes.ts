/** What distinguishes a name in code, a pattern, a colour or an expression from a secret value, by shape alone. */

/** Words, abbreviations and numbers of a name in code. */
const humps = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+/g
const speakable = /^[A-Z]?[a-z]{2,13}$/
/** Four consonants in a row, except those that occur in words. */
const unspoken =
  /(?!ngth|gths|nths|dths|pths|nthl|thms|thdr|nstr|nscr|bscr|bstr|pstr|stgr|rksp|rkfl|ghtn|nchm|nchr|ckch|ckdr|rtsw|ssth|ssph|ndsh|llsc|ckgr|ckst|ghts|mpts|rthr|ctpl|tchd|xtpr|rtst|tstr|rstr|lstr)[bcdfghjklmnpqrstvwxz]{4}/
/** Pairs of letters that hardly any word contains, except for those in common words of programs: `object`, `update`. */
const unlikely =
  /(?!bject|pdat|pgrad|kgro|pdow|hboa|kdow|kday|kbox|pboar|kdir|pdir|kcha|kflow|dvan|dvis|kdro|tgoi|tgre|hbou|hbor|pfil|pback|hdra|vscod)(?:q[^u]|[jvq][bcdfghjklmnpqrstwxz]|x[bdfgjkmnqrvwz]|z[bcdfgjkmnpqrstvwx]|[bcdfghjklmnpqrstvwxz]q(?!u)|[bdfghjklmptvwxz]qu|[bcdfghjklmpqstvwxz]x|[bcdfgjkpqvwx]z|w[cgjmpqvz]|h[bcdfghjkpqvxz]|k[bcdfgjkqvxz]|[bcfgpvwmlrst]j|[bcdfgkmptw]v|[fgjkpqvz]b|[gkmv]c|[jkpqvz]d|[bdghkmpqvwxz]f|[cfjkmpqtvwxz]g|[cfgijkv]w(?!o|r|h|e|i|a))/
const vowel = /[aeiouy]/i
/** Names of algorithms and formats, whose letters are not part of a word. */
const abbreviations =
  /PBKDF2?|P?K?HMAC|Hmac|S[Hh][Aa]\d{1,3}|AES\d{0,3}|RSA\d{0,4}|PKCS\d{0,2}|UTF\d{0,2}|MD5|OAuth[12]|Saml2|X509|X25519|EC(?:DSA|DH)|Ed25519|TripleDES|U?[Ii]nt(?:8|16|32|64)/g
/** Random texts switch between kinds of characters more often than names in code, and contain more digits. */
const maxNumbers = 3
const maxDigits = 8

/**
 * Whether a value is a name in code: words in camel or snake case, with a few numbers and abbreviations among them, such as
 * `CreateOAuth2TokenCommand`, `toUTF8String`, `EVP_PKEY_X25519`. Most of its letters belong to words.
 */
export function isIdentifier(given: string): boolean {
  const value = given.replaceAll(abbreviations, 'Name')
  if (!/^[#@$]?[A-Za-z_]\w{3,95}$/.test(value)) return false
  const parts = value.match(humps) ?? []
  const numbers = parts.filter((part) => /\d/.test(part))
  if (numbers.length > maxNumbers || numbers.join('').length > maxDigits) return false
  if (/^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/.test(value)) return isConstant(parts)
  const isCased = /[a-z][A-Z]|[A-Z]{2}[a-z]|_/.test(value)
  const words = parts.filter(isSpoken)
  const long = words.filter(({ length }) => length > 3)
  const { length } = value.replaceAll('_', '')
  return isCased && words.join('').length >= 0.62 * length && long.join('').length >= 0.45 * length
}

/** How many letters of a text belong to words of at least three letters, split at capitals and punctuation. */
export function spokenLetters(text: string): number {
  const words = (text.match(humps) ?? []).filter((part) => part.length > 2 && isSpoken(part))
  return words.join('').length
}

/** Whether a word in lowercase, perhaps with a capital first, is pronounceable. */
export function isSpoken(part: string): boolean {
  return speakable.test(part) && vowel.test(part) && !unspoken.test(part) && !unlikely.test(part.toLowerCase())
}

/** `EVP_PKEY_X25519`: words in capitals, more letters than digits. */
function isConstant(parts: readonly string[]): boolean {
  const letters = parts.filter((part) => /^[A-Z]{2,12}$/.test(part))
  const spoken = letters.filter((part) => vowel.test(part) || part.length < 5).join('').length
  return letters.length > 1 && spoken >= 0.58 * parts.join('').length
}

const pattern =
  /\[\^?[^\]]*(?:a-z|A-Z|0-9|0-7)|\(\?(?:[:=!]|<[=!])|\\{1,2}[swdbSWD](?:[*+?]|\{\d)|\\x[\dA-F]{2}-\\x|\\\.\\\(/

/** Whether a value is the source of a pattern. */
export function isPattern(value: string): boolean {
  return pattern.test(value)
}

/** A colour, alone or with words of its style; more of a style sheet may follow. */
const colour =
  /^(?:(?:bold|italic|underline|noinherit|bg:|border:|\d+px|solid|dashed) ?){0,4}#(?:[\dA-Fa-f]{3,4}|[\dA-Fa-f]{6}|[\dA-Fa-f]{8})(?![\w-])/

/** Whether a value is a colour. */
export function isColour(value: string): boolean {
  return colour.test(value)
}

const codeOnly = /^[\w$#.,()[\]{}<>:;?!'"`|&+*/=\\@~ -]+$/
const codeBegin =
  /^(?:!{0,2}[A-Za-z_$][\w$]{0,2}|![01]|null|true|false|void 0|[A-Z]\w+\.\w+|(?:function|async|new|await|yield|return|private|public|protected|static|readonly)\b)(?=[,;)}\]?&|(=.:\s]|$)/
const joint = /[\w$)\]'"`](?:[:=]{1,3}|!==?|&&|\|\||\?\??|[,;({]|\.)[ ]?[!\w$({["'`]/g
const names = /[A-Za-z_$][\w$]*/g

/** Whether a value without quotes is a piece of minified code: short names joined by operators, and names of members. */
export function isMinified(value: string): boolean {
  const code = value.replaceAll(/(["'`])(?:(?!\1)[^\\\n]|\\.){0,80}(?:\1|$)/g, '""')
  if (!codeBegin.test(code) || !codeOnly.test(code)) return false
  if ((code.match(joint) ?? []).length < (/^![01]|^null|[({]/.test(code) ? 1 : 2)) return false
  const own = code.match(names) ?? []
  const long = own.filter((name) => name.length > 3)
  const members = code.match(/[\w$\])]\.[A-Za-z]\w*/g) ?? []
  if (long.join('').length < 0.2 * code.length && members.length < 2) return false
  return long.every((name) => isSpoken(name) || isIdentifier(name))
}

/** What follows a name without quotes in style sheets, options of games and minified code. */
const afterName =
  /^:?(?:before|after|hover|focus|active|checked|disabled|root|not\(|is\(|where\(|has\(|nth-|first-|last-)(?![\w-]*\d)|^\d+\?[A-Za-z]\w*=|^[\w$]{1,3}\)(?:if|for|while|return|\{|[&|?;,])/

/** Whether what follows a name without quotes is more of the code around it. */
export function isCodeAfterName(value: string): boolean {
  return afterName.test(value)
}

/** Whether a value reads like the name of a type: `JWTVerifyGetKey`. */
export function isTypeName(given: string): boolean {
  const value = given.replaceAll(abbreviations, 'Name')
  return /^[A-Z][A-Za-z]{5,60}$/.test(value) && spokenLetters(value) * 4 >= value.length * 3
}

/**
 * What is code, whatever its name: a member of the object itself, a member called with no argument or a word, the method that a
 * comment declares, a value of a type, a duration.
 */
const member =
  /^(?:\$this->[A-Za-z_]|(?:self|this|cls)(?:\.[A-Za-z_]\w{0,63}){1,4}$|[A-Za-z_$][\w$]{0,31}(?:\.[A-Za-z_$][\w$]{0,31}){1,4}\(\w{0,12}\)$|(?:null|void|string|bool|int|array|mixed|static) \w{1,64}\(|&?(?:\w{1,32}\.)?[A-Z]\w{2,64}\{\}?$|\d{1,4}\.(?:second|minute|hour|day|week|month|year)s?$)/

/** Whether a value's form alone shows that it is such code. */
export function isMember(value: string): boolean {
  return member.test(value)
}
