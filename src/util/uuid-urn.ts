/** Names that stay, as URNs. */
import { sha256 } from './hash.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** `urn:uuid:…` of a text: the text itself where it is a UUID, else a UUID of version 8 made of its hash (RFC 9562). */
export function uuidUrn(text: string): string {
  const lower = text.toLowerCase()
  return `urn:uuid:${uuid.test(lower) ? lower : hashed(text)}`
}

function hashed(text: string): string {
  const digits = sha256(text)
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16)
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, variant + digits.slice(17, 20)]
  return [...parts, digits.slice(20, 32)].join('-')
}
