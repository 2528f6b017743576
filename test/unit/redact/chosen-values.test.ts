/** Values that people make up: words with digits among them, and values that are shorter than any that a program generates. */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'

const redacted = (text: string): string => redactor().text(text)

/** Passwords that also resemble a size (`2x`, `3d`) or a name with a number. */
const passwords = ['tiger42x9q', 'hunter2x', 'monkey3d', 'kitten3x3', 'wombat77', 'maple_9931', 'blue-Castle-73']

describe('a password that somebody made up', () => {
  test.each([
    'password = ‹›',
    '[db]\npassword = ‹›\nhost = db',
    'DB_PASSWORD=‹›\nPORT=1',
    'password: ‹›',
    '{"password": "‹›"}',
    'spring.datasource.password=‹›',
    'pw: ‹›',
    'the password is ‹›',
    'My password is ‹›.',
    'Passwort: ‹›',
    'das Passwort ist ‹›',
    'mot de passe : ‹›',
    'la contraseña es ‹›',
    'a senha é ‹›',
    'hasło: ‹›',
    'het wachtwoord is ‹›',
    'lösenord: ‹›',
    'şifre: ‹›',
    'пароль: ‹›',
    '密码：‹›',
    'パスワードは‹›',
    '비밀번호: ‹›',
    'كلمة المرور: ‹›',
    'docker run -e POSTGRES_PASSWORD=‹› -p 5432:5432 postgres:16',
    "requests.get(url, auth=('ada', '‹›'))",
  ])('is found in %j', (place) => {
    const remaining = passwords.filter((value) => redacted(place.replace('‹›', value)).includes(value))
    expect(remaining).toEqual([])
  })
})

describe('a password that somebody made up, with whose it is before it', () => {
  test.each([
    'Passwort von X: ‹›',
    'Passwort von Ada ist ‹›',
    'Passwort für den Server: ‹›\n',
    'Password of ada: ‹›',
    '[sudo] password for ada: ‹›\n',
    'mot de passe de Ada : ‹›',
    'contraseña de Ada: ‹›',
    'Hasło do serwera: ‹›',
    'expect "assword:"\nsend "‹›\\r"\n',
    '[wifi-security]\nkey-mgmt=wpa-psk\npsk=‹›',
    'account default\nuser ada\npassword ‹›\n',
    'stats auth ada:‹›\n',
    'NEO4J_AUTH=neo4j/‹›\n',
    'remote_username ada\nremote_password ‹›\n',
  ])('is found in %j', (place) => {
    const remaining = ['tiger42x9q', 'wombat77', 'maple_9931', 'blue-Castle-73'].filter((value) =>
      redacted(place.replace('‹›', value)).includes(value),
    )
    expect(remaining).toEqual([])
  })

  test.each([
    'Password for the user: required',
    'the pass for lowering: inline2',
    'Passwort von Benutzern: mindestens acht Zeichen',
    'password sha256\n',
    'Password policy2\n',
    '- password field1\n',
  ])('is not assumed in %j', (text) => expect(redacted(text)).toBe(text))
})

describe('a value beside the name of a secret', () => {
  test.each([
    '[{"name":"DB_PASSWORD","value":"‹›"}]',
    '[{"Name":"DB_PASSWORD","Value":"‹›"}]',
    '{"value":"‹›","name":"DB_PASSWORD"}',
    '{"name":"DB_PASSWORD","slotSetting":false,"value":"‹›"}',
    'env:\n  - name: DB_PASSWORD\n    value: ‹›\n',
    'env:\n  - value: ‹›\n    name: DB_PASSWORD\n',
    'env:\n  - value: ‹›\n    name: DB_PASSWORD',
    'set {\n  name  = "db.password"\n  value = "‹›"\n}',
    'environment = [\n  { name = "DB_PASSWORD", value = "‹›" }\n]',
    '[[env]]\nname = "DB_PASSWORD"\nvalue = "‹›"\n',
    'environment:\n  - DB_PASSWORD=‹›\n',
    'name,value\nDB_HOST,db\nDB_PASSWORD,‹›\n',
    '| name | value |\n|---|---|\n| DB_PASSWORD | ‹› |\n',
    'NAME         VALUE\nDB_HOST      db\nDB_PASSWORD  ‹›\n',
    '│ NAME        │ VALUE │\n├─────────────┼───────┤\n│ DB_PASSWORD │ ‹› │\n',
    '<env name="DB_PASSWORD" value="‹›"/>',
    '<Name>DB_PASSWORD</Name><Value>‹›</Value>',
    "INSERT INTO settings VALUES ('smtp_password', '‹›');",
    "INSERT INTO `wp_options` VALUES (1,'home','x','yes'),(12,'smtp_password','‹›','yes');",
  ])('is found in %j', (place) => {
    const remaining = passwords.filter((value) => redacted(place.replace('‹›', value)).includes(value))
    expect(remaining).toEqual([])
  })

  test.each([
    'env:\n  - value: wombat77\n  - name: DB_PASSWORD\n',
    '| name | type |\n|---|---|\n| password | varchar60 |\n',
    '| DB_PASSWORD | section12 |\n',
    "cache.get(['users', 'password', 'field12', 'x'])",
  ])('is not assumed in %j', (text) => expect(redacted(text)).toBe(text))
})

describe('letters of double width', () => {
  test.each([
    ['ｐａｓｓｗｏｒｄ：‹tiger42x9q›', 'ｐａｓｓｗｏｒｄ：'],
    ['ＰＡＳＳＷＯＲＤ＝‹tiger42x9q›', 'ＰＡＳＳＷＯＲＤ＝'],
    ['パスワード：‹ｔｉｇｅｒ４２ｘ９ｑ›', 'パスワード：'],
    ['ａｐｉ＿ｋｅｙ＝‹k9Xq2mP7vBw3Rt5Yz8›', 'ａｐｉ＿ｋｅｙ＝'],
  ])('do not hide a name or a value: %s', (row, before) => {
    expect(redacted(row.replaceAll(/[‹›]/g, ''))).toBe(`${before}[redacted:named-secret]`)
  })

  test.each(['ＡＰＩを呼び出す（例：ｔｏｋｅｎの値）', 'ＰＤＦ２ファイル、ＯＫ？', '密码：（８〜２０文字）'])(
    'are no secret in %s',
    (text) => expect(redacted(text)).toBe(text),
  )
})

test.each([
  'ssh ada@10.0.0.3 (pw ‹›)',
  'change vnc password ‹›',
  '| DB_PASSWORD | ‹› |',
  "the server's password ‹› works",
])('a password in which letters and digits alternate is found in a sentence or a cell: %j', (place) =>
  expect(redacted(place.replace('‹›', 'tiger42x9q'))).not.toContain('tiger42x9q'),
)

describe('a short secret in which letters and digits alternate', () => {
  test.each([
    "const secret = '‹›'",
    'SECRET_KEY = "‹›"',
    'JWT_SECRET=‹›\nPORT=1',
    'app.use(session({ secret: "‹›", resave: false }))',
  ])('is found in %j', (place) => {
    for (const value of ['tiger42x9q', 'k3yb0ard9cat', 'fox7den12owl', 'x7Kq2mP9'])
      expect(redacted(place.replace('‹›', value))).not.toContain(value)
  })

  test.each(["secret: 'db-credentials-2'", 'const apiKey = "abc123"', "token: '4f1c2b7a9d'", "secret: 'vault12'"])(
    'is not assumed in %j',
    (text) => expect(redacted(text)).toBe(text),
  )
})

describe('a short password in an address', () => {
  test.each([
    'amqp://ada:‹abc›@mq',
    'BROKER=amqp://ada:‹q7x›@mq:5672//',
    'mysql://root:‹toor›@db/app',
    'mongodb://root:‹root1›@db',
    'redis://:‹a1b2›@cache:6379',
    'postgres://app:‹7391›@db/app',
  ])('is found in %j', (row) => {
    const [before = '', rest = ''] = row.split('‹')
    expect(redacted(row.replace(/[‹›]/g, ''))).toBe(`${before}[redacted:url-credentials]${rest.split('›')[1]}`)
  })

  test.each([
    'amqp://guest:guest@mq',
    'https://user:pass@example.com',
    'https://abc:xyz@example.com',
    'http://u:p@host',
    'postgres://app:***@db/app',
    'postgres://app:xxx@db/app',
    'postgres://app:$PW@db/app',
    'see http://localhost:8080/a@b',
  ])('is not assumed in %j', (text) => expect(redacted(text)).toBe(text))
})
