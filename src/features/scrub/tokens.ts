/** The parts of a line that are not plain words: addresses, paths, ids, numbers. */

import { fillPictogram, fillWord, type Random, randomOf } from './filler.ts'
import type { Names } from './names.ts'
import { keptPhrases, keptWords } from './vocabulary.ts'

/** What a replacement depends on. */
export interface Scope {
  names: Names
  /** Determines the replacements; nobody who has only the result knows it. */
  secret: string
}

/** A run of letters and digits that is not a word, such as a key. */
const mixedRun = String.raw`(?<![A-Za-z0-9])(?=[A-Za-z]{0,200}\d)(?=\d{0,200}[A-Za-z])[A-Za-z0-9]{16,}`
const mixed = new RegExp(mixedRun)

/** Whether a text of letters, digits and punctuation contains what may be a key, even where a word is expected. */
export function mayHoldKey(text: string): boolean {
  return mixed.test(text)
}

type Replace = (text: string, scope: Scope, random: Random) => string

const id: Replace = (text, { names }) => names.id(text)
const host: Replace = (text, { names }) => names.host(text)
const path: Replace = (text, { names }) => names.path(text)
const segment: Replace = (text, { names }) => names.segment(text)

/**
 * Kinds of parts in the order in which they are tried. Repetitions are bounded and begin only at the start of a run, so that a
 * line takes time proportional to its length.
 */
const kinds: readonly (readonly [pattern: string, replace: Replace])[] = [
  [keptPhrases.join('|'), (text) => text],
  [String.raw`data:[\w.+/-]{1,80}(?:;[\w=.-]{1,40}){0,4};base64,[A-Za-z0-9+/=]*`, dataUrlPart],
  [String.raw`(?<![\w+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s<>"'\x60\u0000-\u001f]{1,4000}`, url],
  [String.raw`<\/?[A-Za-z][\w-]{0,63}(?=[\s>\/])`, tag],
  [String.raw`(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){0,8}(?::[\w./@~-]{1,1000})?`, address],
  ['(?<![0-9A-Fa-f-])[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(?![0-9A-Fa-f])', id],
  ['(?<![A-Za-z0-9])[a-z]{2,5}_[A-Za-z0-9]{16,}', id],
  ['(?<![A-Za-z0-9+/])(?=[A-Za-z]{0,200}[0-9+/])[A-Za-z0-9+/]{64,}={0,2}', base64],
  [String.raw`(?<![\p{L}\p{N}])(?:[A-Za-z]:|\\)(?:[\\/]{1,4}[\p{L}\p{N}_@.+-]{1,255}){1,64}`, path],
  [String.raw`(?<![\p{L}\p{N}_@.+-])(?:~|[\p{L}\p{N}_@.+-]{1,255})?(?:\/[\p{L}\p{N}_@.+-]{1,255}){1,64}`, path],
  [String.raw`(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])`, host],
  [
    String.raw`(?<![\w.-])[\w-]{1,100}(?:\.[\w-]{1,20}){0,3}\.(?:tsx?|jsx?|mjs|cjs|json|jsonl|md|py|rs|go|rb|java|kt|cs?|cpp|hp?p?|sh|sql|ya?ml|toml|txt|html?|css|png|jpe?g|csv|lock|env|log)(?![\w-])`,
    segment,
  ],
  [String.raw`(?<![\w.-])(?:[\w-]{1,63}\.){1,6}(?:com|org|net|io|dev|app|ai|local|internal)(?![\w-])`, host],
  [String.raw`(?<![A-Za-z0-9])(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[0-9a-f]{7,64}(?![A-Za-z0-9])`, id],
  [mixedRun, id],
  [String.raw`(?<!\d)\d{1,4}(?:[ .-]\d{1,4}){2,5}(?!\d)`, groupedDigits],
  [String.raw`\d{5,}`, (text, { names }) => names.digits(text)],
  [String.raw`\p{L}[\p{L}\p{M}]*`, word],
  [String.raw`\p{Extended_Pictographic}`, (text, _scope, random) => fillPictogram(text, random)],
]

const part = new RegExp(kinds.map(([pattern]) => `(${pattern})`).join('|'), 'gu')

/** A text of one line with all its parts replaced; equal texts give equal results. */
export function scrubTokens(text: string, scope: Scope): string {
  if (text === '') return text
  const random = randomOf(scope.secret, text)
  return text.replace(part, (found: string, ...groups: unknown[]) => {
    const kind = kinds[groups.findIndex((group, at) => at < kinds.length && group !== undefined)]
    return kind === undefined ? found : kind[1](found, scope, random)
  })
}

function word(text: string, _scope: Scope, random: Random): string {
  return keptWords.has(text) ? text : fillWord(text, random)
}

/** The opening and closing tag of an element remain a pair. */
function tag(text: string, { names }: Scope): string {
  const [, head = '', name = ''] = /^(<\/?(?:external_)?)(.*)$/.exec(text) ?? []
  return head + names.segment(name)
}

/** What is no base64 after all may be a path without any other punctuation. */
function base64(text: string, { names }: Scope, random: Random): string {
  return isBase64(text) ? scrubBase64(text, random) : names.path(text)
}

function dataUrlPart(text: string, _scope: Scope, random: Random): string {
  return scrubDataUrl(text, random) ?? text
}

/** Phone numbers and card numbers are written in groups; dates have eight digits and stay. */
function groupedDigits(text: string, { names }: Scope): string {
  const all = text.replace(/\D/g, '')
  if (all.length < 9) return text
  const replaced = [...names.digits(all)]
  return text.replace(/\d/g, () => replaced.shift() ?? '')
}

function address(text: string, { names }: Scope): string {
  const [, user = '', machine = '', rest = ''] = /^([^@]*)@([^:]*)(.*)$/s.exec(text) ?? []
  return `${user === 'git' ? user : names.segment(user)}@${names.host(machine)}${names.path(rest)}`
}

const urlParts = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/)([^/?#]*)([^?#]*)(.*)$/s

/** Scheme, port and punctuation stay; a file URL gets the same names as a path. */
function url(text: string, { names }: Scope): string {
  const [, scheme = '', authority = '', path = '', query = ''] = urlParts.exec(text) ?? []
  const [, user = '', machine = '', port = ''] = /^(.*@)?(.*?)(:\d+)?$/s.exec(authority) ?? []
  const newAuthority = `${user.replace(/[^:@]+/g, (name) => names.segment(name))}${names.host(machine)}${port}`
  return (
    keepScheme(scheme, names) +
    newAuthority +
    names.path(decoded(path)) +
    query.replace(/[^?#&=;/,]+/g, (value) => names.segment(decoded(value)))
  )
}

const schemes = /^(?:https?|file|ssh|git|ftp|wss?|app|plugin|vscode|mcp):\/\/$/i

function keepScheme(scheme: string, names: Names): string {
  return schemes.test(scheme) ? scheme : scheme.replace(/^[^:]+/, (name) => names.segment(name))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).replace(/[\s"\\\p{Cc}]/gu, '-')
  } catch {
    return text
  }
}

// Base64 and ciphertext.

/** How pictures begin in base64, and the smallest picture of each format. */
const pictures: readonly (readonly [begin: string, picture: string])[] = [
  ['iVBORw0KGgo', 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='],
  [
    '/9j/',
    '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  ],
  ['R0lGOD', 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'],
  ['UklGR', 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'],
]

const base64Run = /^[A-Za-z0-9+/_-]{64,}={0,2}$/
const dataUrl = /^data:([\w.+/-]{0,80})(?:;[\w=.-]{1,40})*;base64,([\w+/=-]*)$/
const mediaType = /^(?:image|audio|video)\/(?:png|jpeg|jpg|gif|webp|svg\+xml|avif|bmp|mpeg|mp3|mp4|wav|webm|ogg)$/
const cipher = /^gAAAA[\w-]{40,}={0,2}$/

/** Whether a text is only base64 of some length. Letters with few capitals among them are a word, however long. */
export function isBase64(text: string): boolean {
  if (!base64Run.test(text) || !/[A-Z]/.test(text) || !/[a-z0-9]/.test(text)) return false
  return /[\d+/]/.test(text) || text.replaceAll(/[^A-Z]/g, '').length * 4 > text.length
}

/** Whether a text is ciphertext of the model service. */
export function isCipher(text: string): boolean {
  return cipher.test(text)
}

/** `x` repeated to the same length; the head that identifies ciphertext stays. */
export function scrubCipher(text: string): string {
  const head = text.startsWith('gAAAA') ? 'gAAAA' : ''
  return head + 'x'.repeat(text.length - head.length)
}

/** A tiny picture for a picture, else base64 characters of the same length. */
export function scrubBase64(text: string, random: Random): string {
  const picture = pictures.find(([begin]) => text.startsWith(begin))
  if (picture !== undefined) return picture[1]
  const padding = /(?<!=)=*$/.exec(text)?.[0] ?? ''
  const length = text.length - padding.length
  let made = ''
  for (let at = 0; at < length; at++) made += at % 4 === 3 ? random(10) : String.fromCharCode(65 + random(26))
  return made + padding
}

/** A `data:` URL with its content replaced, and its type as well if it is unusual; `undefined` for any other text. */
export function scrubDataUrl(text: string, random: Random): string | undefined {
  const [, type, content = ''] = dataUrl.exec(text) ?? []
  if (type === undefined) return undefined
  return `data:${mediaType.test(type) ? type : 'text/plain'};base64,${scrubBase64(content, random)}`
}

/** The replacement for a text that is too long for memory: a tiny picture for a picture; nothing else is kept. */
export function scrubPicture(start: Buffer): { write: (part: Buffer) => void; end: () => string } | undefined {
  const text = start.toString('latin1')
  const head = /^data:[\w.+/-]{1,40};base64,/.exec(text)?.[0] ?? ''
  const picture = pictures.find(([begin]) => text.startsWith(begin, head.length))
  return picture === undefined ? undefined : { write() {}, end: () => head + picture[1] }
}
