/** Secrets without a form of their own, which only their surroundings reveal. */
import { expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { keyPairOf, noise } from '../../helpers/planted.ts'

const redacted = (text: string): string => redactor().text(text)
const value = `${noise(701, 7)}3${noise(702, 6)}`

test.each([
  '====== Data ======\nKey      Value\n---      -----\nstripe   ‹›\n',
  'Key                 Value\n---                 -----\nusername            ada\nvalue               ‹›',
  "echo -n 'ada:‹›' | base64",
  "printf '%s' ada:‹› | base64 -w0",
  "printf '%s\\n%s\\n' ‹› ‹› | passwd ada",
  `printf '%s\\n' "‹›" "‹›" | sudo passwd ada`,
  "read -rsp 'Password: ' PASS <<< ‹›",
  'initdb -D data --pwfile=<(echo ‹›)',
  "kubectl get secret db -o jsonpath='{.data.pw}' | base64 -d\n‹›\n",
  'security find-generic-password -s shop -w\n‹›',
  "child.expect('[Pp]assword:')\nchild.sendline('‹›')",
  '# /etc/pgbouncer/userlist.txt\n"ada" "‹›"\n"grace" "‹›"\n',
  'ada:{PLAIN}‹›:1000:1000',
  'https://shop.internal/reset-password/‹›kT7rw2Qm9xLp?lang=de',
  'See https://shop.internal/auth/password/reset/‹›kT7rw2Qm9xLp.',
  'https://shop.internal/invitations/‹›kT7rw2Qm9xLp/accept',
  '{"kty":"oct","alg":"HS256","k":"‹›kT7rw2Qm9xLp"}',
  '{"k":"‹›kT7rw2Qm9xLp","kty":"oct"}',
])('a secret is redacted in %j', (row) => {
  const text = redacted(row.replaceAll('‹›', value))
  expect(text).not.toContain(value)
  expect(text.replaceAll(/\[redacted:[^\]]+\]/g, '‹›')).toBe(row.replace('kT7rw2Qm9xLp', ''))
})

test.each([
  `====== Metadata ======\nKey                Value\n---                -----\ncreated_time       2026-01-02T03:04:05.678Z\nnonce              ${value}\n`,
  'Key      Value\n---      -----\nvalue    production\n',
  "echo -n 'hello:worlds' | base64",
  `echo -n 'ada:${value}' | tr a-z A-Z`,
  "printf '%s\\n%s\\n' first-line second-line | sort",
  `read -r LINE <<< name-${value.slice(0, 3)}`,
  'diff --file=<(echo one-of-two) b',
  "kubectl get secret db -o jsonpath='{.data.pw}' | base64 -d\ndone",
  `kubectl get secrets -o name\nsecret/db-${value}`,
  `child.expect('login:')\nchild.sendline('${value}')`,
  `"appid" "${value}"\n`,
  'auth=({PLAIN}password, {noop}secret)',
  'https://shop.internal/reset-password/choose-a-new-password',
  'https://shop.internal/reset-password/[token]/page-of-the-form.tsx',
  'app/invite/components-of-page2/index.ts',
  `{"kty":"RSA","k":"${value}kT7rw2Qm9xLp"}`,
])('nothing is redacted in %j', (text) => {
  expect(redacted(text)).toBe(text)
})

test('the key pair of a wallet is redacted, and other lists of 64 numbers are not', () => {
  const pair = keyPairOf(3)
  expect(redacted(JSON.stringify(pair))).toBe('[[redacted:private-key]]')
  const other = JSON.stringify(pair.toReversed())
  expect(redacted(other)).toBe(other)
})
