/** The one fact of EXIF that a picture cannot do without: which side is up. */
import { ascii, viewOf } from './bytes.ts'

const tag = 0x0112
const mostEntries = 1000

/** Orientation in a TIFF block, 2 to 8; `undefined` where it is upright, or not told in a way that can be read. */
export function orientationIn(tiff: Uint8Array): number | undefined {
  if (tiff.length < 14) return undefined
  const view = viewOf(tiff)
  const order = ascii(tiff, 0, 2)
  if (order !== 'II' && order !== 'MM') return undefined
  const little = order === 'II'
  const start = view.getUint32(4, little)
  if (start + 2 > tiff.length) return undefined
  const count = Math.min(view.getUint16(start, little), mostEntries)
  for (let index = 0; index < count; index++) {
    const entry = start + 2 + 12 * index
    if (entry + 12 > tiff.length) return undefined
    if (view.getUint16(entry, little) !== tag) continue
    const value = view.getUint16(entry + 8, little)
    return value >= 2 && value <= 8 ? value : undefined
  }
  return undefined
}

/** A TIFF block that tells an orientation and nothing else. */
export function orientationBlock(orientation: number): Uint8Array {
  const head = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1]
  const entry = [tag >> 8, tag & 255, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
  return new Uint8Array([...head, ...entry, 0, 0, 0, 0])
}
