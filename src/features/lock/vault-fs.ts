/** The keys of a locked site, from a password and a salt, and what is done with them. */

import { createCipheriv, createHmac, hkdfSync, pbkdf2, randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { type Diagnostic, diagnostic } from '../../diagnostics/codes.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import { reasonOf } from '../../util/reason.ts'
import { headerLine, label, type PartHeader, padded, partKey, partLabel, pbkdfRounds, sizes } from './format.ts'

/** What everybody may know of a site's keys; login pages bear it. */
export interface LockFacts {
  /** Base64. */
  salt: string
  /** Rounds of PBKDF2. */
  rounds: number
  /** 32 hex digits that the right password alone gives. */
  check: string
}

/** Keys at work. Nothing of them leaves but names and sealed bytes. */
export interface Vault extends LockFacts {
  /** Keyed name of a part of a file, 32 hex digits. */
  nameOf(path: string, part?: number): string
  /** Seals a part under its name, with a fresh nonce. */
  seal(header: PartHeader, part: number, body: Uint8Array): Uint8Array
}

const derive = promisify(pbkdf2)

/** Makes the keys of a password, with a fresh salt where none is given. Takes half a second of another thread. */
export async function openVault(
  password: string,
  known: Pick<LockFacts, 'salt' | 'rounds'> = { salt: randomBytes(sizes.salt).toString('base64'), rounds: pbkdfRounds },
): Promise<Vault> {
  const { salt, rounds } = known
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

/** A password file holds one line; whatever is larger was named by mistake. */
const maxBytes = 4096

/** The password, with what is to be said about it and its file. Throws a `UsageError` that tells what to do. */
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
    return { text: readFileSync(path, 'utf8'), mode }
  } catch (cause) {
    throw new UsageError(`The password file \`${path}\` cannot be read: ${reasonOf(cause)}.`, { cause })
  }
}

// What counts as a password. Anybody who has the folder of a site may guess as long as he likes.

/** Characters below which a password is refused, and below which it is warned of. */
const shortest = 10
const advised = 16

/** The password that a file holds: one line end at its end is not part of it. */
function passwordOf(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r?\n$/, '')
}

/** A clause that says why a password is refused, or `undefined`. */
function refusalOf(password: string): string | undefined {
  if (password.trim() === '') return 'it is empty'
  if (/[\r\n]/.test(password)) return 'it has more than one line, but a password is typed on one'
  const characters = [...password]
  if (characters.length < shortest) return `the password is shorter than ${shortest} characters`
  if (new Set(characters).size < 5) return 'the password has fewer than five different characters'
  return undefined
}

/** A sentence on a password that is allowed but easy to guess, or `undefined`. */
function weaknessOf(password: string): string | undefined {
  const { length } = [...password]
  if (length >= advised) return undefined
  return `It has ${length} characters. Use five random words, or at least ${advised} characters.`
}
