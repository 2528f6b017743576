/**
 * How files of a locked site are written. `templates/lock` reads the same form in the browser, so that a change here is
 * one there, and needs another `label`.
 *
 * A sealed part is 12 bytes of nonce and what AES-256-GCM made, with its tag, of: the length of what follows as four
 * bytes (big-endian), a gzip stream, and zeros up to a bucket of lengths. The stream holds a line of JSON (`PartHeader`)
 * and the bytes of the part. `label` and the part's name are authenticated with it, so that no part can pass for another.
 */

/** Stands in all that is derived or authenticated. */
export const label = 'codex-export lock 1'

/** Rounds of PBKDF2 with SHA-256: OWASP asks for 600,000; the login page takes a second on a phone. */
export const pbkdfRounds = 1_000_000

/** Bytes of a salt, of a key, of a nonce; characters of a name and of a check value. */
export const sizes: { readonly salt: number; readonly key: number; readonly nonce: number; readonly name: number } = {
  salt: 16,
  key: 32,
  nonce: 12,
  name: 32,
}

/** Bytes of a file that go into one part: what building and reading keep in memory at a time. */
export const partBytes: number = 4 << 20

/** What a part says of its file. */
export interface PartHeader {
  /** Path in the site as it would be without a lock. */
  path: string
  /** Number of parts of the file. */
  parts: number
  /** The beginning of the hash of the whole file: parts of different versions do not fit together. */
  version: string
}

/** What the keyed name of a part is made of, 0-based: the path alone for the first one. */
export function partKey(path: string, part: number): string {
  return part === 0 ? path : `${path}\0${part}`
}

/** What is authenticated beside a part. */
export function partLabel(name: string): string {
  return `${label} ${name}`
}

/** The first line of a part's stream. */
export function headerLine(header: PartHeader): string {
  return `${JSON.stringify(header)}\n`
}

/** A gzip stream with its length before it and zeros behind it. */
export function padded(stream: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(paddedLength(stream.length + 4))
  new DataView(bytes.buffer).setUint32(0, stream.length)
  bytes.set(stream, 4)
  return bytes
}

// Sizes of files tell much of what is in them: few different ones tell less.

/** What anything small is padded to. */
const minPaddedBytes = 1024

/**
 * Length of the bucket for a length, by the rule of Padmé (Nikitin et al., "Reducing Metadata Leakage from Encrypted
 * Files", 2019): as many significant bits as the logarithm of the logarithm of the length leaves. It adds 12 % at most,
 * above a kilobyte, and of a length `L` no more can be learned than about log log L bits.
 */
export function paddedLength(length: number): number {
  if (length <= minPaddedBytes) return minPaddedBytes
  const exponent = Math.floor(Math.log2(length))
  const kept = Math.floor(Math.log2(exponent)) + 1
  const step = 2 ** (exponent - kept)
  return Math.ceil(length / step) * step
}
