/**
 * Opens what a build sealed, with the browser's API and not with our code: a second reading of the form that
 * `src/features/lock/vault-fs.ts` describes.
 */
import { webcrypto } from 'node:crypto'
import { gunzipSync } from 'node:zlib'

const { subtle } = webcrypto
const label = 'codex-export lock 1'

/** Keys of a locked site. */
export interface Keys {
  data: webcrypto.CryptoKey
  names: webcrypto.CryptoKey
  check: string
}

/** The keys that a password derives. */
export async function unlock(password: string, facts: { salt: string; rounds: number }): Promise<Keys> {
  const secret = await subtle.importKey('raw', Buffer.from(password.normalize('NFC')), 'PBKDF2', false, ['deriveBits'])
  const salt = Buffer.from(facts.salt, 'base64')
  const master = await subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: facts.rounds },
    secret,
    256,
  )
  const source = await subtle.importKey('raw', master, 'HKDF', false, ['deriveBits'])
  const derive = (purpose: string): Promise<ArrayBuffer> => {
    const info = Buffer.from(`${label} ${purpose}`)
    return subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }, source, 256)
  }
  return {
    data: await subtle.importKey('raw', await derive('data'), 'AES-GCM', false, ['decrypt']),
    names: await subtle.importKey('raw', await derive('names'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']),
    check: Buffer.from(await derive('check'))
      .toString('hex')
      .slice(0, 32),
  }
}

/** Keyed name of a part of a file. */
export async function nameOf({ names }: Keys, path: string, part = 0): Promise<string> {
  const key = part === 0 ? path : `${path}\0${part}`
  return Buffer.from(await subtle.sign('HMAC', names, Buffer.from(key)))
    .toString('hex')
    .slice(0, 32)
}

/** Header and body of a sealed part. Rejects if the key, name or bytes differ from those it was sealed with. */
export async function unseal(
  { data }: Keys,
  name: string,
  sealed: Uint8Array,
): Promise<{ header: { path: string; parts: number; version: string }; body: Buffer }> {
  const rule = { name: 'AES-GCM', iv: sealed.subarray(0, 12), additionalData: Buffer.from(`${label} ${name}`) }
  const plain = Buffer.from(await subtle.decrypt(rule, data, sealed.subarray(12)))
  const stream = gunzipSync(plain.subarray(4, 4 + plain.readUInt32BE(0)))
  const end = stream.indexOf('\n')
  return { header: JSON.parse(stream.subarray(0, end).toString()), body: stream.subarray(end + 1) }
}

/** Name and sealed bytes in the text of a login page or in the script of a part. */
export function sealedIn(text: string): { name: string; sealed: Buffer } {
  const page = /<template id="sealed"[^>]* data-name="(\w+)"[^>]*>([^<]+)<\/template>/.exec(text)
  const [, name, base64] = page ?? /^codexSealed\("(\w+)","([^"]+)"\)\n$/.exec(text) ?? []
  if (name === undefined || base64 === undefined) throw new Error('Nothing is sealed in this text')
  return { name, sealed: Buffer.from(base64, 'base64') }
}
