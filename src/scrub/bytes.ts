/** Bytes as text without loss: a byte that is not UTF-8 becomes a lone surrogate, and a byte again. */

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Text of some bytes; `exact` is `false` where it stands for bytes that are not UTF-8. */
export function decodeBytes(bytes: Uint8Array): { text: string; exact: boolean } {
  try {
    return { text: strict.decode(bytes), exact: true }
  } catch {
    return { text: decodeParts(bytes), exact: false }
  }
}

function decodeParts(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at] ?? 0)
    const part = tryDecode(bytes.subarray(at, at + length))
    text += part ?? String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
    at += part === undefined ? 1 : length
  }
  return text
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

/** The bytes of a text; where it is not `exact`, lone surrogates are the bytes that they stood for. */
export function encodeBytes(text: string, exact: boolean): Buffer {
  if (exact) return Buffer.from(text)
  // JSON writes a lone surrogate as an escape.
  const raw = text.replace(/\\udc([89a-f][0-9a-f])/g, (_, code: string) =>
    String.fromCharCode(0xdc00 + Number.parseInt(code, 16)),
  )
  const parts = raw.split(/((?<![\ud800-\udbff])[\udc80-\udcff])/)
  return Buffer.concat(
    parts.map((part, at) => (at % 2 === 1 ? Buffer.from([part.charCodeAt(0) - 0xdc00]) : Buffer.from(part))),
  )
}
