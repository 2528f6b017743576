/** The texts in CBOR (RFC 8949), the form of Pagefind's word lists. */

/** Length of the argument behind the first byte of an item, by its low five bits. */
const widths: Readonly<Record<number, number>> = { 24: 1, 25: 2, 26: 4, 27: 8 }

/**
 * All text strings in a run of CBOR items, in order, whatever they stand in: heads follow each other, so no tree is
 * needed. `undefined` where the bytes are no CBOR.
 */
export function cborTexts(bytes: Uint8Array): string[] | undefined {
  const texts: string[] = []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for (let at = 0; at < bytes.length; ) {
    const head = readHead(view, at)
    if (head === undefined || head.end + head.length > bytes.length) return undefined
    at = head.end + head.length
    if (head.isText) texts.push(decoder.decode(bytes.subarray(head.end, at)))
  }
  return texts
}

interface Head {
  /** Where what it announces begins. */
  end: number
  /** Bytes of the string behind it; 0 where it announces no string, or one in parts, which have heads of their own. */
  length: number
  isText: boolean
}

function readHead(view: DataView, at: number): Head | undefined {
  const first = view.getUint8(at)
  const [major, low] = [first >> 5, first & 31]
  const end = at + 1 + (widths[low] ?? 0)
  if ((low > 27 && low < 31) || end > view.byteLength) return undefined
  const isString = (major === 2 || major === 3) && low !== 31
  return { end, length: isString ? argument(view, at + 1, low) : 0, isText: isString && major === 3 }
}

function argument(view: DataView, at: number, low: number): number {
  switch (low) {
    case 24:
      return view.getUint8(at)
    case 25:
      return view.getUint16(at)
    case 26:
      return view.getUint32(at)
    case 27:
      return Number(view.getBigUint64(at))
    default:
      return low
  }
}
