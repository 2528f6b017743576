/** Pictures without what they say beside their pixels: places, times, names, texts, thumbnails, hidden files behind them. */
import { ascii, joined } from './bytes.ts'
import { gifParts } from './gif.ts'
import { jpegParts } from './jpeg.ts'
import { pngParts } from './png.ts'
import { webpParts } from './webp.ts'

/**
 * A PNG, JPEG, WebP or GIF without metadata; pixels, colours, frames and which side is up stay as they are. `undefined`
 * for other formats, and where the parts of the picture cannot be told apart.
 */
export function withoutMetadata(bytes: Uint8Array): Uint8Array | undefined {
  const parts = partsOf(bytes)
  return parts === undefined ? undefined : joined(parts)
}

function partsOf(bytes: Uint8Array): Uint8Array[] | undefined {
  const head = ascii(bytes, 0, 12)
  if (bytes.length < 12) return undefined
  if (head.startsWith('\x89PNG\r\n\x1A\n')) return pngParts(bytes)
  if (head.startsWith('\xFF\xD8\xFF')) return jpegParts(bytes)
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return webpParts(bytes)
  return /^GIF8[79]a/.test(head) ? gifParts(bytes) : undefined
}
