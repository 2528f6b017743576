// Decrypts what a build sealed; `src/features/lock/vault-fs.ts` describes the format.
import { fromBase64, utf8 } from './bytes.js'
import { label } from './keys.js'

/** The length of the nonce before the ciphertext, in bytes. */
const nonceLength = 12

/** The header and the body of a part. Rejects if it was changed, or sealed with another key or under another name. */
export async function unseal({ data }, name, base64) {
  const bytes = fromBase64(base64)
  const rule = { name: 'AES-GCM', iv: bytes.subarray(0, nonceLength), additionalData: utf8(`${label} ${name}`) }
  const plain = await crypto.subtle.decrypt(rule, data, bytes.subarray(nonceLength))
  const length = new DataView(plain).getUint32(0)
  const stream = new Blob([new Uint8Array(plain, 4, length)]).stream().pipeThrough(new DecompressionStream('gzip'))
  const whole = new Uint8Array(await new Response(stream).arrayBuffer())
  const end = whole.indexOf(10)
  return { header: JSON.parse(new TextDecoder().decode(whole.subarray(0, end))), body: whole.subarray(end + 1) }
}
