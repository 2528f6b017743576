// Derives keys from a password, as `src/features/lock/vault-fs.ts` does.
import { toHex, utf8 } from './bytes.js'

/** Part of everything that is derived or authenticated. */
export const label = 'codex-export lock 1'

/** The 32 bytes from which all keys are derived; takes about a second. Salt and rounds are those of the page. */
export async function masterOf(password, { salt, rounds }) {
  const secret = await crypto.subtle.importKey('raw', utf8(password.normalize('NFC')), 'PBKDF2', false, ['deriveBits'])
  const rule = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: rounds }
  return new Uint8Array(await crypto.subtle.deriveBits(rule, secret, 256))
}

/** The key of the data, that of the names, and the value that shows whether they are the keys of this site. */
export async function keysOf(master) {
  const source = await crypto.subtle.importKey('raw', master, 'HKDF', false, ['deriveBits'])
  const derive = async (purpose) => {
    const rule = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8(`${label} ${purpose}`) }
    return new Uint8Array(await crypto.subtle.deriveBits(rule, source, 256))
  }
  const [data, names, check] = await Promise.all(['data', 'names', 'check'].map(derive))
  return {
    data: await crypto.subtle.importKey('raw', data, 'AES-GCM', false, ['decrypt']),
    names: await crypto.subtle.importKey('raw', names, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']),
    check: toHex(check).slice(0, 32),
    cache: new Map(),
  }
}

/** The name of the sealed file for a path, or for one of its later parts; each is computed once. */
export function nameOf({ names, cache }, path, part = 0) {
  const key = part === 0 ? path : `${path}\0${part}`
  if (!cache.has(key)) {
    const signature = crypto.subtle.sign('HMAC', names, utf8(key))
    cache.set(
      key,
      signature.then((bytes) => toHex(new Uint8Array(bytes)).slice(0, 32)),
    )
  }
  return cache.get(key)
}
