/** Keys as lists of their bytes after a name, and numbers that only look like one. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'

const key = createHash('sha256').update('a made-up key').digest()
const decimal = [...key].join(', ')
const pairs = (key.toString('hex').match(/../g) ?? []).join(' ')
const hex = pairs.replaceAll(/\w+/g, '0x$&,').slice(0, -1)

test.each([
  ...[`secretKey: [${decimal}]`, `{"privateKey": [${[...key]}]}`, `secretKey: [${decimal.replaceAll(',', '')}]`],
  ...[
    `var secretKey = []byte{${decimal}}`,
    `var secretKey = []byte{${hex}}`,
    `const SECRET_KEY: [u8; 32] = [${decimal}];`,
  ],
  ...[`static const uint8_t aes_key[32] = { ${hex} };`, `byte[] secretKey = { ${hex.replaceAll('0x', '(byte) 0x')} };`],
  ...[`byte[] secretKey = {${[...key].map((byte) => (byte << 24) >> 24)}};`, `val secretKey = byteArrayOf(${hex})`],
  ...[`secretKey = Uint8Array.from([${decimal}])`, `privateKey: Uint8Array(32) [\n  ${decimal}\n]`],
  ...[`key = bytes([${decimal}])`, `secretKey: <Buffer ${pairs}>`, JSON.stringify({ privateKey: key })],
  ...[JSON.stringify(JSON.stringify({ privateKey: key })), `private key: ${pairs.replaceAll(' ', ':')}`],
  ...[`Secret key: ${pairs}`, `+  "secretKey": [\n${[...key].map((byte) => `+    ${byte}`).join(',\n')}\n+  ]`],
  `api_key = [${[...Buffer.from('kX9mQ2vL7tZp4RwB8sNd')].join(', ')}]`,
])('a key is redacted in %j', (text) => {
  expect(findSecrets(text)).toHaveLength(1)
})

test.each([
  ...[
    'key: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]',
    `publicKey: [${decimal}]`,
    `pubkey = [${decimal}]`,
  ],
  `token = [${Array.from({ length: 20 }, (_, index) => index * 13).join(', ')}]`,
  'tokens: [1212, 318, 257, 1332, 286, 262, 11241, 7509, 13, 50256, 40, 716, 257, 1332, 286, 262]',
  ...['uint8_t secret_key[32] = {0};', 'SECRET_KEY: [u8; 32] = [0; 32];', 'secretKey = new Uint8Array(32)'],
  ...[`Deploy key: ${pairs.slice(0, 47).replaceAll(' ', ':')}`, `SSH key: ${pairs.slice(0, 47).replaceAll(' ', ':')}`],
  ...[`Signing key SHA-256: ${pairs.replaceAll(' ', ':')}`, `publicKey: <Buffer ${pairs}>`, `key: [${decimal}, 7]`],
  ...['The secret: 10 20 30 40 50 60', 'private key: 00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00'],
  'api_key = [97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112]',
])('nothing is redacted in %j', (text) => {
  expect(findSecrets(text)).toEqual([])
})
