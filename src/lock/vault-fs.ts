/** The keys of a locked site, from a password and a salt, and what is done with them. */
import { createCipheriv, createHmac, hkdfSync, pbkdf2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
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
