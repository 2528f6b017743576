/** Key pairs of Ed25519. */

import { createPrivateKey, createPublicKey } from 'node:crypto'

/** What stands before the seed in a private key (PKCS #8). */
const head = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Whether 64 bytes are a seed and the public key that belongs to it. */
export function isEd25519Pair(bytes: readonly number[]): boolean {
  if (bytes.length !== 64 || bytes.some((byte) => byte > 255)) return false
  const key = createPrivateKey({ key: Buffer.from([...head, ...bytes.slice(0, 32)]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return spki.subarray(-32).equals(Buffer.from(bytes.slice(32)))
}
