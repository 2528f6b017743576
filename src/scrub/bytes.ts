/** Bytes as text without loss: a byte that is not UTF-8 becomes a character for private use, and a byte again. */

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The last plane ends with 256 characters that nobody uses; JSON does not escape them. */
const firstStandIn = 0x10ff00

/** Text of some bytes; `exact` is `false` where it stands for bytes that are not UTF-8. */
export function decodeBytes(bytes: Uint8Array): { text: string; exact: boolean } {
  const text = tryDecode(bytes)
  return text === undefined ? { text: decodeParts(bytes), exact: false } : { text, exact: true }
}

function decodeParts(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0
    const length = sequenceLength(first)
    const part = tryDecode(bytes.subarray(at, at + length))
    parts.push(part ?? String.fromCodePoint(firstStandIn + first))
    at += part === undefined ? 1 : length
  }
  return parts.join('')
}

function sequenceLength(first: number): number {
  if (first < 0xc0) return 1
  if (first < 0xe0) return 2
  return first < 0xf0 ? 3 : 4
}

function tryDecode(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

/** The bytes of a text of `decodeBytes`. */
export function encodeBytes(text: string, exact: boolean): Buffer {
  if (exact) return Buffer.from(text)
  const parts = text.split(/([\u{10ff80}-\u{10ffff}])/u)
  return Buffer.concat(
    parts.map((part, at) =>
      at % 2 === 1 ? Buffer.from([(part.codePointAt(0) ?? firstStandIn) - firstStandIn]) : Buffer.from(part),
    ),
  )
}
