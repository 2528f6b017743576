/** Key pairs of Ed25519. */

import { createPrivateKey, createPublicKey } from 'node:crypto'

/** What stands before the seed in a private key (PKCS #8). */
const head = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Whether 64 bytes are a seed and the public key that belongs to it; `true` where the system has no Ed25519 to tell by. */
export function isEd25519Pair(bytes: readonly number[]): boolean {
  if (bytes.length !== 64 || bytes.some((byte) => byte > 255)) return false
  const der = Buffer.from([...head, ...bytes.slice(0, 32)])
  try {
    const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
    return key
      .export({ format: 'der', type: 'spki' })
      .subarray(-32)
      .equals(Buffer.from(bytes.slice(32)))
  } catch {
    // Some systems allow approved algorithms alone.
    return true
  }
}
