/** PNG: chunks with a name. */
import { ascii, viewOf } from './bytes.ts'

const signature = 8
/** Chunks that pictures are drawn from; texts, times, EXIF and unknown ones go, what stands behind the end too. */
const kept: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs acTL fcTL fdAT'.split(' '),
)

/** The parts of a PNG that it is drawn from; `undefined` where its chunks do not reach its end. */
export function pngParts(bytes: Uint8Array): Uint8Array[] | undefined {
  const view = viewOf(bytes)
  const parts = [bytes.subarray(0, signature)]
  for (let place = signature; place + 12 <= bytes.length; ) {
    const end = place + 12 + view.getUint32(place)
    const name = ascii(bytes, place + 4, place + 8)
    if (end > bytes.length || !/^[A-Za-z]{4}$/.test(name)) return undefined
    if (kept.has(name)) parts.push(bytes.subarray(place, end))
    if (name === 'IEND') return parts
    place = end
  }
  return undefined
}
