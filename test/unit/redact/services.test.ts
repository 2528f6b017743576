/** Secrets of services and tools that only their form, their address or their surroundings reveal. */
import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'
import { redactor } from '../../../src/redact/redactor.ts'
import { namesOfPrinted } from '../../../src/redact/rules/printed.ts'
import { noise, walletKeyOf } from '../../helpers/planted.ts'

const redacted = (text: string): string => redactor().text(text)
const hex = (seed: number, length: number): string => noise(seed, length, '0123456789abcdef')
const lower = (seed: number, length: number): string => noise(seed, length, 'abcdefghijkmnopqrstuvwxyz23456789')
const uuid = (seed: number): string =>
  `${hex(seed, 8)}-${hex(seed + 1, 4)}-4${hex(seed + 2, 3)}-a${hex(seed + 3, 3)}-${hex(seed + 4, 12)}`
const bytes = (seed: number): string => Buffer.from(noise(seed, 32), 'latin1').toString('base64')
const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
const pair = Buffer.concat([Buffer.from(jwk.d ?? '', 'base64url'), Buffer.from(jwk.x ?? '', 'base64url')])
const signingKey = pair.toString('base64')
const digits = hex(71, 64)
const colons = (hex(72, 92).match(/.{30}|.+$/g) ?? []).map((line) => `    ${line.match(/../g)?.join(':')}`).join(':\n')
const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

const rows: readonly [what: string, text: string, ...secrets: string[]][] = [
  ['interface of WireGuard', `wg0\t${bytes(1)}\t${bytes(2)}\t51820\toff\n`, bytes(1)],
  ['interface of WireGuard in a diff', `@@\n+${bytes(1)}\t${bytes(2)}\t51820\toff\n`, bytes(1)],
  ['interface of WireGuard with a firewall mark', `${bytes(1)}\t${bytes(2)}\t51820\t0xca6c\n`, bytes(1)],
  [
    'peer of WireGuard',
    `${bytes(3)}\t${bytes(4)}\t203.0.113.9:51820\t10.0.0.2/32\t1700000000\t1234\t5678\toff\n`,
    bytes(4),
  ],
  ['key that wg sets', `wg set wg0 private-key <(echo ${bytes(5)})`, bytes(5)],
  ['key of Nix', `nix store sign --key-file <(echo "builder-7:${signingKey}")`, signingKey],
  ['key of Nix named after a host', `cache.example.org:${signingKey}`, signingKey],
  ['key of Zhipu', `curl https://open.bigmodel.cn/api -d '${hex(11, 32)}.${noise(12, 15)}4'`, noise(12, 15)],
  ['key of fal', `fal: ${uuid(13)}:${hex(14, 32)}`, hex(14, 32)],
  ['ephemeral key', `{"value": "ek_${hex(15, 32)}"}`, hex(15, 32)],
  ['server of MCP at Zapier', `https://mcp.zapier.com/api/mcp/s/${noise(16, 40)}==/mcp`, noise(16, 40)],
  ['server of MCP at n8n', `https://ada.app.n8n.cloud/mcp/${uuid(17)}/sse`, uuid(17)],
  ['server of MCP anywhere', `url = "https://tools.internal/v2/${noise(18, 32)}/sse"`, noise(18, 32)],
  ['server of MCP at Pipedream', `https://mcp.pipedream.net/${uuid(19)}/gmail`, uuid(19)],
  ['source of Pipedream', `curl https://${lower(20, 16)}.m.pipedream.net`, lower(20, 16)],
  ['workflow of n8n', `https://n8n.internal/webhook/${uuid(21)}`, uuid(21)],
  ['key in an address', `https://mcp.maps.internal/sse?key=${hex(22, 32)}`, hex(22, 32)],
  ['key of Smithery', `npx -y @smithery/cli run @ada/tool --key ${uuid(23)}`, uuid(23)],
  ['key with a beginning that many vendors use', `use sk_${noise(24, 36)}7aB`, noise(24, 36)],
  ['phrase below a label', `Save this seed phrase to recover your keypair:\n${phrase}\n=====`, phrase],
  ['phrase in a table', `Recovery phrase\n${phrase.replaceAll(/\w+/g, (word) => `1. ${word}`)}`, 'winner 1. thank'],
  ['phrase on a command line', `cast wallet import x --mnemonic "${phrase}"`, phrase],
  ['phrase in an object', `{"mnemonic": "${phrase}", "accounts": []}`, phrase],
  ['phrase in a list', `mnemonic = [${phrase.replaceAll(/\w+/g, '"$&",').slice(0, -1)}]`, 'winner'],
  ['phrase in capitals', `My seed: ${phrase.toUpperCase()}`, phrase.toUpperCase()],
  ['phrase below a line', `Mnemonic\n==================\n${phrase}`, phrase],
  ['wallet in a sentence', `imported ${walletKeyOf(1)} into it`, walletKeyOf(1)],
  ['wallet of the XRP Ledger', `use sEd${noise(51, 28)}`, noise(51, 28)],
  ['wallet of the XRP Ledger, older', `"master_seed": "s${noise(52, 28)}"`, noise(52, 28)],
  ['team of Honeycomb', `x-honeycomb-team: ${noise(53, 22)}`, noise(53, 22)],
  ['team of Honeycomb in a variable', `OTEL_EXPORTER_OTLP_HEADERS="x-honeycomb-team=${hex(54, 32)}"`, hex(54, 32)],
  ['service of PagerDuty', `{"routing_key": "${hex(55, 32)}", "event_action": "trigger"}`, hex(55, 32)],
  ['application of Telegram', `api_id = 1234567\napi_hash = "${hex(56, 32)}"`, hex(56, 32)],
  ['key of an integration', `Integration Key: ${hex(57, 32)}`, hex(57, 32)],
  ['key for writing', `ingest key: ${uuid(58)}`, uuid(58)],
  ['query of Firebase', `curl 'https://x.internal/a.json?auth=${hex(59, 40)}'`, hex(59, 40)],
  ['heartbeat', `curl https://x.internal/api/v1/heartbeat/${noise(60, 24)}`, noise(60, 24)],
  ['source of Sumo Logic', `https://x.internal/receiver/v1/http/${noise(61, 80)}==`, noise(61, 80)],
  ['input of Loggly', `https://logs-01.loggly.com/inputs/${uuid(62)}/tag/http/`, uuid(62)],
  ['intake of Datadog', `https://http-intake.logs.datadoghq.com/v1/input/${hex(63, 32)}`, hex(63, 32)],
  ['wallet in code', `new ethers.Wallet("0x${digits}")`, digits],
  ['keys of a chain for tests', `Private Keys\n====\n(0) 0x${digits}\n`, digits],
  ['key in settings', `accounts: ["0x${digits}"]`, digits],
  ['numbers of a key', `Private-Key: (256 bit)\npriv:\n${colons}\npub:\n    04:aa`, colons.slice(0, 40)],
  ['numbers of a key in XML', `<Exponent>AQAB</Exponent><D>${noise(25, 86)}==</D>`, noise(25, 86)],
  [
    'second factor in code',
    `pyotp.TOTP("${noise(26, 16, 'ABCDEFGHJKLMNPQRSTUV234567')}").now()`,
    noise(26, 16, 'ABCDEFGHJKLMNPQRSTUV234567'),
  ],
  [
    'second factor by hand',
    `Setup key: ${lower(27, 32).replaceAll(/[89]/g, '7').match(/.{4}/g)?.join(' ')}`,
    lower(27, 32).slice(0, 4),
  ],
  ['second factors of an app', `otpauth-migration://offline?data=${noise(28, 80)}%3D`, noise(28, 80)],
  ['login of .NET', `[System.Net.NetworkCredential]::new('ada', '${noise(29, 12)}4#')`, noise(29, 12)],
  ['token of Proxmox', `PVEAPIToken=root@pam!x=${uuid(30)}`, uuid(30)],
  ['password of a router', `password 7 ${noise(31, 20, '0123456789ABCDEF')}`, noise(31, 20, '0123456789ABCDEF')],
  ['keychain', `password: 0x${noise(32, 20, '0123456789ABCDEF')}  "${noise(33, 12)}4#"`, noise(33, 12)],
  ['passphrase of a network', 'psk="blue horse 42 sky"', 'blue horse 42 sky'],
  ['setting of a network', `802-11-wireless-security.psk:           ${noise(34, 12)}`, noise(34, 12)],
  ['row of parameters', `PARAMETERS\t/db\tSecureString\t${noise(35, 20)}4\t1`, noise(35, 20)],
  [
    'secret of Vault as JSON',
    `{"lease_id": "", "lease_duration": 0, "data": {"data": {"foo": "${noise(36, 12)}4#"}}}`,
    noise(36, 12),
  ],
]

test.each(rows)('a secret is redacted: %s', (_, text, ...secrets) => {
  const result = redacted(text)
  for (const secret of secrets) expect(result).not.toContain(secret)
})

describe('nothing is redacted', () => {
  test.each([
    `Sig: cache.example.org-1:${noise(41, 86)}==`,
    `trusted-public-keys = cache.example.org-1:${bytes(42)}`,
    `peer: ${bytes(43)}\n  endpoint: 203.0.113.9:51820`,
    `${bytes(44)}\t(none)\t203.0.113.9:51820\t10.0.0.2/32\t1700000000\t1234\t5678\toff`,
    'Seed words are made of the letters that your wallet shows and must not leave the machine for any reason',
    'seed: alpha bravo charlie delta',
    `${walletKeyOf(1).slice(0, -1)}z`,
    `L2${noise(46, 50, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`,
    'routing_key: order.created.v1',
    `api_hash: ${hex(47, 32)}`,
    'x-honeycomb-team: YOUR_API_KEY_GOES_HERE_NOW',
    'write key: user:{id}:profile',
    'https://api.example.com/login?auth=google',
    'https://api.example.com/api/v1/heartbeat/name-of-my-service-one',
    'https://docs.example.com/guides/how-to-write-a-server/mcp',
    'https://api.example.com/webhook/order-created-notification',
    'https://api.example.com/items?key=customer-orders-by-region',
    `chunk ${hex(45, 32)}.bundle`,
    'key_of_the_first_column_in_the_table',
    'psk="your-wifi-password"',
    'Enter this code manually if the picture does not load',
    '<P>Paragraphs of text</P>',
    '{"data": {"data": {"id": "gid-4f2a9c7e11"}}}',
  ])('in %s', (text) => {
    expect(findSecrets(text)).toEqual([])
  })
})

test.each([
  'wg show wg0 private-keys',
  'aws configure get aws_secret_access_key',
  'aws ecr get-login-password',
  'kubectl create token build',
  'cat .env | cut -d= -f2',
  'head -c 32 /dev/urandom | base64',
])('what `%s` prints is treated as a secret', (script) => {
  expect(namesOfPrinted(script)).toBeDefined()
})
