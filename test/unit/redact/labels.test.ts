/** Values behind labels and calls of single tools: the value goes, and what stands around it stays. */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { noise } from '../../helpers/planted.ts'

const redacted = (text: string): string => redactor().text(text)

/** `‹›` is where a password of two forms stands, `«»` where a random token does. */
const passwords = [`${noise(301, 7)}4#${noise(302, 6)}`, `${noise(303, 5)}7=${noise(304, 8)}`]
const tokens = [`${noise(305, 30)}7k`, `4${noise(306, 39)}`]

const rows: readonly string[] = [
  '"type": "random_password",\n"attributes": {\n"length": 16,\n"result": "«»",\n"x": 1}',
  'resource "random_password" "db" {\n    length = 32\n    result = "«»"\n}',
  '{"Name": "/prod/db", "Type": "SecureString", "Value": "«»", "Version": 1}',
  'sql.Open("mysql", "app:‹›@tcp(db.internal:3306)/shop")',
  'dsn=app:‹›@unix(/run/mysqld.sock)/shop',
  'network={\n  ssid="home"\n  psk="‹›"\n}',
  ': PSK "‹›"\n',
  'WIFI:T:WPA;S:home;P:‹›;;',
  '    Key Content            : ‹›\n',
  '<keyMaterial>‹›</keyMaterial>',
  'smtp.login("ada", "‹›")',
  'WiFi.begin("home", "‹›");',
  "new PDO($dsn, $user, '‹›')",
  "new mysqli('localhost', 'ada', '‹›', 'shop')",
  'DriverManager.getConnection(url, "ada", "‹›")',
  'La password è `‹›`.',
  'A senha é `‹›`.',
  'Пароль для входа — ‹›\n',
  'パスワードは `‹›` です',
  '비밀번호는 `‹›` 입니다',
  'WLAN-Schlüssel: ‹›\n',
  'A temporary password is generated for root@localhost: ‹›\n',
  "SET PASSWORD FOR 'ada'@'%' = PASSWORD('‹›');",
  '{"username":"ada","key":"«»"}',
  '{"email": "ada@x.example",\n  "key": "«»"}',
  'ParameterKey=DBPassword,ParameterValue=‹›',
  'array(1) {\n  ["password"]=>\n  string(14) "‹›"\n}',
  'DefaultPassword    REG_SZ    ‹›\n',
  'masterauth ‹›\n',
  'bindpw ‹›\nbase dc=shop',
  'rootpw --plaintext ‹›\n',
  '[smtp.shop.example]:587 ada:‹›\n',
  '<AutoLogon><Password><Value>‹›</Value></Password></AutoLogon>',
  'expect "assword:"; send -- "‹›\\r"',
  'net use Z: \\\\host\\share ‹› /user:ada',
  'etcdctl --user root:‹› get x',
  "curl -b 'PHPSESSID=«»' x",
  "cookies = {'sessionid': '«»'}",
  "jwt.sign(claims, '«»')",
  'hmac.new(b"«»", m)',
  'API key created: «»\n',
  'Incorrect API key provided: «». You can find yours.',
  'Access token:\n«»\n',
  'API-Schlüssel: «»\n',
  'La clave de API es `«»`.',
  'GET /signin?code=«»«»&state=1',
  'wrangler secret put API_KEY <<< «»\n',
  'BUNDLE_GITHUB__COM: «»:x-oauth-basic',
  'rtmp://a.live.example/live2/«»',
]

describe.each(rows)('%s', (row) => {
  test('the value goes, and what stands around it stays', () => {
    for (const at of [0, 1]) {
      const text = row.replaceAll('‹›', passwords[at] ?? '').replaceAll('«»', tokens[at] ?? '')
      const [before = ''] = row.split(/‹›|«»/)
      const result = redacted(text)
      expect(result).not.toContain((row.includes('‹›') ? passwords : tokens)[at])
      expect(result.startsWith(before)).toBe(true)
    }
  })
})

const words = 'ocean ladder velvet orbit candle prism walnut ember quartz meadow signal harbor'

test('the words of a wallet go where a label says so, and stay where none does', () => {
  expect(redacted(`seed phrase: ${words}\n`)).toBe('seed phrase: [redacted:seed-phrase]\n')
  expect(redacted(`export MNEMONIC="${words}"`)).not.toContain('velvet')
  expect(redacted(`I saw ${words} today.`)).toContain(words)
  expect(redacted('seed: the words of a sentence that goes on are none.')).not.toContain('[redacted')
})

test.each([
  'psk=password-file',
  'smtp.login("ada", "password")',
  "jwt.sign(claims, 'your-secret-key')",
  'Password:\n  minimum eight characters\n',
  'API key created: yes',
  'send "yes\\r"',
])('%s holds no secret', (text) => {
  expect(redacted(text)).toBe(text)
})
