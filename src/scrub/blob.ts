/** Base64 and ciphertext. */
import type { Random } from './random.ts'

/** Beginnings of pictures in base64, and the smallest picture of each format. */
const pictures: readonly (readonly [begin: string, picture: string])[] = [
  ['iVBORw0KGgo', 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='],
  [
    '/9j/',
    '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  ],
  ['R0lGOD', 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'],
  ['UklGR', 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'],
]

const base64 = /^[A-Za-z0-9+/_-]{64,}={0,2}$/
const dataUrl = /^data:([\w.+/-]{0,80})(?:;[\w=.-]{1,40})*;base64,([\w+/=-]*)$/
const mediaType = /^(?:image|audio|video)\/(?:png|jpeg|jpg|gif|webp|svg\+xml|avif|bmp|mpeg|mp3|mp4|wav|webm|ogg)$/
const cipher = /^gAAAA[\w-]{40,}={0,2}$/

/** Whether a text is nothing but base64 of some length. */
export function isBase64(text: string): boolean {
  return base64.test(text) && /[A-Z]/.test(text) && /[a-z0-9]/.test(text)
}

/** Whether a text is ciphertext of the model's service. */
export function isCipher(text: string): boolean {
  return cipher.test(text)
}

/** `x` of the same length; the head by which ciphertext is known stays. */
export function scrubCipher(text: string): string {
  const head = text.startsWith('gAAAA') ? 'gAAAA' : ''
  return head + 'x'.repeat(text.length - head.length)
}

/** A tiny picture for a picture, else characters of base64 of the same length. */
export function scrubBase64(text: string, random: Random): string {
  const picture = pictures.find(([begin]) => text.startsWith(begin))
  if (picture !== undefined) return picture[1]
  const padding = /=*$/.exec(text)?.[0] ?? ''
  const length = text.length - padding.length
  let made = ''
  for (let at = 0; at < length; at++) made += at % 4 === 3 ? random(10) : String.fromCharCode(65 + random(26))
  return made + padding
}

/** A `data:` URL with its content replaced, and its type where it is none of the usual; `undefined` for any other text. */
export function scrubDataUrl(text: string, random: Random): string | undefined {
  const [, type, content = ''] = dataUrl.exec(text) ?? []
  if (type === undefined) return undefined
  return `data:${mediaType.test(type) ? type : 'text/plain'};base64,${scrubBase64(content, random)}`
}

/** What stands in place of a text that is too long for memory: a tiny picture for a picture, nothing else is kept. */
export function scrubPicture(start: Buffer): { write: (part: Buffer) => void; end: () => string } | undefined {
  const text = start.toString('latin1')
  const head = /^data:[\w.+/-]{1,40};base64,/.exec(text)?.[0] ?? ''
  const picture = pictures.find(([begin]) => text.startsWith(begin, head.length))
  return picture === undefined ? undefined : { write() {}, end: () => head + picture[1] }
}
