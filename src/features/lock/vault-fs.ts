/** The keys of a locked site, derived from a password and a salt, and what they are used for. */

import { isUtf8 } from 'node:buffer'
import { createCipheriv, createHmac, hkdfSync, pbkdf2, randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { type Diagnostic, diagnostic } from '../../diagnostics/codes.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import { reasonOf } from '../../util/reason.ts'

/** The public facts of a site's keys; login pages contain them. */
export interface LockFacts {
  /** Base64. */
  salt: string
  /** Rounds of PBKDF2. */
  rounds: number
  /** 32 hex digits that only the right password yields. */
  check: string
}

/** Keys in use. Only names and sealed bytes leave the vault. */
export interface Vault extends LockFacts {
  /** Keyed name of a part of a file, 32 hex digits. */
  nameOf(path: string, part?: number): string
  /** Seals a part under its name, with a fresh nonce. */
  seal(header: PartHeader, part: number, body: Uint8Array): Uint8Array
}

const derive = promisify(pbkdf2)

/** Derives the keys of a password, with a fresh salt if none is given. Takes half a second on another thread. */
export async function openVault(
  password: string,
  facts: Pick<LockFacts, 'salt' | 'rounds'> = { salt: randomBytes(sizes.salt).toString('base64'), rounds: pbkdfRounds },
): Promise<Vault> {
  const { salt, rounds } = facts
  const secret = password.normalize('NFC')
  const master = await derive(secret, Buffer.from(salt, 'base64'), rounds, sizes.key, 'sha256')
  const key = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', master, '', `${label} ${purpose}`, sizes.key))
  const [data, names] = [key('data'), key('names')]
  const nameOf = (path: string, part = 0): string =>
    createHmac('sha256', names).update(partKey(path, part)).digest('hex').slice(0, sizes.name)
  return {
    salt,
    rounds,
    check: key('check').toString('hex').slice(0, sizes.name),
    nameOf,
    seal(header, part, body) {
      const nonce = randomBytes(sizes.nonce)
      const cipher = createCipheriv('aes-256-gcm', data, nonce)
      cipher.setAAD(Buffer.from(partLabel(nameOf(header.path, part))))
      const stream = gzipSync(Buffer.concat([Buffer.from(headerLine(header)), body]))
      return Buffer.concat([nonce, cipher.update(padded(stream)), cipher.final(), cipher.getAuthTag()])
    },
  }
}

// Reads the password of a locked site from its file.

/** A password file holds one line; a larger file was given by mistake. */
const maxBytes = 4096

/** The password, and diagnostics about it and its file. Throws a `UsageError` that says what to do. */
export function readPassword(path: string): { password: string; diagnostics: Diagnostic[] } {
  const { text, mode } = read(path)
  const password = passwordOf(text)
  const refused = refusalOf(password)
  if (refused !== undefined) {
    throw new UsageError(
      `The password file \`${path}\` cannot be used: ${refused}. Put a longer password on its only line.`,
    )
  }
  const diagnostics: Diagnostic[] = []
  // On Windows the mode says nothing about who may read.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    diagnostics.push(diagnostic('password-readable', {}, `Run \`chmod 600\` on \`${path}\`.`))
  }
  const weakness = weaknessOf(password)
  if (weakness !== undefined) diagnostics.push(diagnostic('password-weak', {}, weakness))
  return { password, diagnostics }
}

function read(path: string): { text: string; mode: number } {
  try {
    const { mode, size } = statSync(path)
    if (size > maxBytes) throw new Error(`it has ${size} bytes`)
    const bytes = readFileSync(path)
    // Windows PowerShell writes UTF-16. Read as anything else, it is a password that nobody can type.
    if (!isUtf8(bytes) || bytes.includes(0)) throw new Error('it is not text in UTF-8. Save it in that encoding')
    return { text: bytes.toString('utf8'), mode }
  } catch (cause) {
    throw new UsageError(`The password file \`${path}\` cannot be read: ${reasonOf(cause)}.`, { cause })
  }
}

// What counts as a password. Anyone who has the folder of a site may guess as long as they like.

/** Shorter passwords are refused, or cause a warning. */
const minLength = 10
const advised = 16

/** The password in a file, without a byte order mark and one line end at its end. */
function passwordOf(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r?\n$/, '')
}

/** A clause that says why a password is refused, or `undefined`. */
function refusalOf(password: string): string | undefined {
  if (password.trim() === '') return 'it is empty'
  if (/[^\P{Cc}\t\r\n]/u.test(password)) return 'it contains a control character, which nobody can type'
  if (/[\r\n]/.test(password)) return 'it has more than one line, but a password is typed on one'
  const characters = [...password]
  if (characters.length < minLength) return `the password is shorter than ${minLength} characters`
  if (new Set(characters).size < 5) return 'the password has fewer than five different characters'
  return undefined
}

/** A sentence about a password that is allowed but easy to guess, or `undefined`. */
function weaknessOf(password: string): string | undefined {
  const { length } = [...password]
  if (length >= advised) return undefined
  return `It has ${length} characters. Use five random words, or at least ${advised} characters.`
}

// How files of a locked site are written. `templates/lock` reads the same format in the browser, so a change here must also be
// made there, and needs another `label`.
//
// A sealed part is 12 bytes of nonce, then the output of AES-256-GCM, with its tag. What is encrypted is: the length of the
// stream as four bytes (big-endian), a gzip stream, and zeros up to a bucket of lengths. The stream holds a line of JSON
// (`PartHeader`) and the bytes of the part. `label` and the part's name are authenticated with it, so that no part can pass for
// another.

/** Included in everything that is derived or authenticated. */
const label = 'codex-export lock 1'

/** Rounds of PBKDF2 with SHA-256. OWASP asks for 600,000; the login page takes a second on a phone. */
export const pbkdfRounds = 1_000_000

/** Bytes of a salt, of a key, of a nonce; characters of a name and of a check value. */
const sizes: { readonly salt: number; readonly key: number; readonly nonce: number; readonly name: number } = {
  salt: 16,
  key: 32,
  nonce: 12,
  name: 32,
}

/** Bytes of a file that go into one part, which is what building and reading keep in memory at a time. */
export const partBytes: number = 4 << 20

/** What a part says about its file. */
interface PartHeader {
  /** Its path in the site without a lock. */
  path: string
  /** Number of parts of the file. */
  parts: number
  /** The beginning of the hash of the whole file, because parts of different versions do not fit together. */
  version: string
}

/** What the keyed name of a part is derived from; `part` is 0-based, and the first one has the path alone. */
function partKey(path: string, part: number): string {
  return part === 0 ? path : `${path}\0${part}`
}

/** What is authenticated together with a part. */
function partLabel(name: string): string {
  return `${label} ${name}`
}

/** The first line of a part's stream. */
function headerLine(header: PartHeader): string {
  return `${JSON.stringify(header)}\n`
}

/** A gzip stream with its length before it and zeros after it. */
function padded(stream: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(paddedLength(stream.length + 4))
  new DataView(bytes.buffer).setUint32(0, stream.length)
  bytes.set(stream, 4)
  return bytes
}

// Sizes of files reveal much about their content; few different sizes reveal less.

/** The size to which anything smaller is padded. */
const minPaddedBytes = 1024

/**
 * Length of the bucket for a length, by the rule of Padmé (Nikitin et al., "Reducing Metadata Leakage from Encrypted Files",
 * 2019): as many significant bits as the logarithm of the logarithm of the length allows. It adds at most 12 % above a kilobyte,
 * and reveals no more than about log log L bits of a length `L`.
 */
export function paddedLength(length: number): number {
  if (length <= minPaddedBytes) return minPaddedBytes
  const exponent = Math.floor(Math.log2(length))
  const kept = Math.floor(Math.log2(exponent)) + 1
  const step = 2 ** (exponent - kept)
  return Math.ceil(length / step) * step
}
