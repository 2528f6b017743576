/** What tells a secret value from a name, a word, a placeholder or a digest. */

const placeholder =
  /^(?:x{3,}|\*{3,}|\.{3,}|[-_]+|0+|(?:your|my|some|the|an?|example|sample|dummy|fake|placeholder|changeme|change[-_]me|todo|none|null|undefined|true|false|string|redacted|hidden|masked|removed)(?:[-_ .].*)?)$/i
/** Values that are looked up when the program runs. */
const reference = /^[$%@<]|^\{\{|\$\{|\{\{|^(?:process|os|env|secrets?|vars?|config|self|this|settings|import)\./i
const call = /^[A-Za-z_$][\w$.]*\([^()]*\)$/
const dotted = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/
const uuid = /^\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?$/i
const digest = /^(?:sha(?:1|224|256|384|512)|md5|blake[23]\w?)[-:=]/i
const place = /^(?:~|\.{0,2}\/|[A-Za-z]:\\|[a-z][\w+.-]*:\/\/)/i
/** What `redactor` wrote. */
const written = '[redacted:'

/** Whether a value stands for a secret instead of being one: `xxxxx`, `<token>`, `$TOKEN`, `process.env.TOKEN`. */
export function isPlaceholder(value: string): boolean {
  return (
    value.includes(written) ||
    new Set(value).size < 5 ||
    placeholder.test(value) ||
    reference.test(value) ||
    dotted.test(value) ||
    call.test(value)
  )
}

/** Whether a value is made of words and small numbers: `my-app-secret-v2`. */
export function isWordy(value: string): boolean {
  return value
    .split(/[-_./:+=,]/)
    .every((part) =>
      /^(?:[A-Za-z]?[a-z]{0,24}|[A-Z]{0,24}|(?:[A-Z]?[a-z]+){1,4}|[A-Za-z]{0,12}\d{0,3}|\d{4})$/.test(part),
    )
}

/** Whether a value is known to be public: a UUID, a digest, a path or an address, a number. */
export function isPublic(value: string): boolean {
  return uuid.test(value) || digest.test(value) || place.test(value) || /^[\d.,:+-]+$/.test(value)
}

/** Whether the body of a token is random, as far as can be told. */
export function isRandom(value: string): boolean {
  return !value.includes(written) && new Set(value).size >= Math.min(7, value.length / 2) && !isWordy(value)
}

/** Whether a value mixes kinds of characters as keys do. */
export function isMixed(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length
  return kinds >= 2
}

/** Bits of information for each character of a value, by how often each stands in it. */
export function entropyOf(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}
