// Converts bytes to and from text.

export function fromBase64(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** Bytes in base64, for a key: a long array would be too many arguments. */
export function toBase64(bytes) {
  return btoa(String.fromCharCode(...bytes))
}

export function toHex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function utf8(text) {
  return new TextEncoder().encode(text)
}

/** The pieces joined to one array. */
export function joined(pieces) {
  if (pieces.length === 1) return pieces[0]
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
