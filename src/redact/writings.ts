/** How else a value may be written. */

/** Shorter pieces of an encoded value say too little. */
const minEncoded = 10

/**
 * The value, and the ways in which it stands inside other texts: escaped as JSON once and twice, as XML, percent-encoded,
 * and in base64, also in the middle of something longer. The value itself comes first.
 */
export function writingsOf(value: string): string[] {
  const json = escaped(value)
  const all = [value, json, escaped(json), xml(value), ...percent(value), ...base64(value)]
  return [...new Set(all)].filter((text, index) => index === 0 || text.length >= minEncoded)
}

function escaped(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}

function xml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** As programs write it in an address, in capitals and in small letters; unpaired surrogates cannot be. */
function percent(value: string): string[] {
  const signs = (text: string): string =>
    text.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  if (/\p{Cs}/u.test(value)) return []
  const plain = [encodeURIComponent(value), encodeURI(value), signs(encodeURIComponent(value))]
  const small = plain.map((text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))
  return [...plain, ...small, ...[...plain, ...small].map((text) => text.replaceAll('%20', '+'))]
}

/**
 * Three bytes are four characters: what stands before a value moves it by none, one or two bytes. Characters at its edges
 * that other bytes decide too are left out.
 */
function base64(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8')
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const end = Math.floor(((before + bytes.length) * 4) / 3)
    const inner = text.slice(Math.ceil((before * 4) / 3), (before + bytes.length) % 3 === 0 ? text.length : end)
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
