/** How else a known value may be written. */

/** A shorter piece of an encoded value reveals too little. */
const minEncoded = 10

/**
 * The value, and its spellings inside other texts: escaped as JSON once and twice, as XML, percent-encoded, in letters of one
 * case, and as hexadecimal digits and base64 of its bytes, also in the middle of something longer. The value itself comes first.
 */
export function spellingsOf(value: string): string[] {
  const json = escaped(value)
  const bytes = Buffer.from(value, 'utf8')
  const all = [value, json, escaped(json), xml(value), ...percent(value), value.toLowerCase(), value.toUpperCase()]
  all.push(...hexadecimal(bytes), ...base64(bytes), ...base64(Buffer.from(value, 'utf16le')))
  return [...new Set(all)].filter((text, index) => index === 0 || text.length >= minEncoded)
}

function escaped(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}

function xml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** As programs write it in an address, with uppercase and lowercase escapes. Unpaired surrogates cannot be encoded. */
function percent(value: string): string[] {
  const escapePunctuation = (text: string): string =>
    text.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  if (/\p{Cs}/u.test(value)) return []
  const plain = [encodeURIComponent(value), encodeURI(value), escapePunctuation(encodeURIComponent(value))]
  const small = plain.map((text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))
  return [...plain, ...small, ...[...plain, ...small].map((text) => text.replaceAll('%20', '+'))]
}

function hexadecimal(bytes: Buffer): string[] {
  const digits = bytes.toString('hex')
  return [digits, digits.toUpperCase()]
}

/**
 * Three bytes become four characters, and what precedes a value shifts it by zero, one or two bytes. Characters at its edges that
 * also depend on other bytes are left out.
 */
function base64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const end = Math.floor(((before + bytes.length) * 4) / 3)
    const inner = text.slice(Math.ceil((before * 4) / 3), (before + bytes.length) % 3 === 0 ? text.length : end)
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
