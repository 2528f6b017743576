/** Values after labels and in calls of single tools: the value is redacted, its surroundings are not. */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { noise } from '../../helpers/planted.ts'
import { fillRow, piecesOf } from '../../helpers/secret-rows.ts'

const redacted = (text: string): string => redactor().text(text)

/** `‹›` is the place of a password, which has two forms, `«»` that of a random token. */
const passwords = [`${noise(301, 7)}4#${noise(302, 6)}`, `${noise(303, 5)}7=${noise(304, 8)}`]
const tokens = [`${noise(305, 30)}7k`, `4${noise(306, 39)}`]

const rows: readonly string[] = [
  'networksetup -setairportnetwork en0 home ‹›',
  'dscl . -passwd /Users/guest ‹›',
  'doctl auth init -t «»',
  'production:\n  password: <%= ENV["DB"] || "‹›" %>\n',
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
  'hmac.New(sha256.New, []byte("«»"))',
  'OpenSSL::HMAC.hexdigest("SHA256", "«»", body)',
  "hash_hmac('sha256', $body, '«»')",
  'new SecretKeySpec("«»".getBytes(), "AES")',
  'Fernet(b"«»")',
  'User.objects.create_user("ada", "ada@x.example", "‹›")',
  'keyring.set_password("shop", "ada", "‹›")',
  "new Sequelize('shop', 'ada', '‹›', {})",
  'FTP("files.internal", "ada", "‹›")',
  'conn.simple_bind_s("cn=admin", "‹›")',
  "bcrypt.hash('‹›', 10)",
  'bcrypt.hashpw(b"‹›", salt)',
  "user.valid_password?('‹›')",
  'PASSWORD elastic = ‹›\n',
  'API key created: «»\n',
  'Incorrect API key provided: «». You can find yours.',
  'Access token:\n«»\n',
  'API-Schlüssel: «»\n',
  'La clave de API es `«»`.',
  'GET /signin?code=«»«»&state=1',
  'wrangler secret put API_KEY <<< «»\n',
  'BUNDLE_GITHUB__COM: ⟦«»:x-oauth-basic⟧',
  'rtmp://a.live.example/live2/«»',
  'AWS Access Key ID [None]: x\nAWS Secret Access Key [None]: «»\nDefault region name [None]: eu-1',
  'AWS Secret Access Key [****************ABCD]: «»',
  'Password (will be hidden): ‹›',
  'API key (press enter to skip) : «»',
  'Unseal Key 1 (will be hidden): ⟦«»abcd1234⟧',
  'Password for the [elastic] user successfully reset.\nNew value: ‹›\n',
  'Password for the elastic user (reset with `bin/reset -u elastic`):\n  ‹›\n',
  'Key                Value\n---                -----\nsecret_id          «»\nsecret_id_accessor x',
  'chpasswd:\n  list: |\n    root:‹›\n  expire: false',
  'db:\n  password: &pw ‹›\n  replica: *pw',
  '<member><name>password</name><value><string>‹›</string></value></member>',
  'AZURE_DEVOPS_EXT_PAT=«»',
  'VSCE_PAT: «»',
  '[{"name":"__Host-sid","value":"«»","path":"/"}]',
  '{"name":"auth_session","domain":".x.example","value":"«»"}',
  '{"value":"«»","domain":".x.example","name":"sid"}',
  '{"name":"x7","value":"«»","domain":".x.example","path":"/","expires":-1,"httpOnly":true}',
  "driver.add_cookie({'name': 'session', 'value': '«»'})",
  'document.cookie = "session=«»; path=/"',
  "cookies={'theme': 'dark', 'session': '«»'}",
  '"cookies": {"session": "«»"}',
  "res.cookie('session', '«»')",
  'setenv API_TOKEN «»\n',
  'SetEnv API_TOKEN «»\n',
  'Set-Item -Path Env:API_TOKEN -Value "«»"',
  '{"bearer": {"repo.internal": "«»"}}',
  'access-tokens = github.example=«»\n',
  'Credentials("Repository", "repo.internal", "ada", "‹›")',
  'client.get(url).basic_auth("ada", Some("‹›"))',
  'GET https://x.internal\nAuthorization: Basic ada ‹›\n\n',
  '{"key": "x", "value": "«»", "enabled": true, "type": "secret"}',
  '{"type": "secret", "key": "x", "value": "«»"}',
  'db_password = <<EOT\n‹›\nEOT\n',
  'api_token = <<-"END"\n  «»\n  END\n',
  'The API key you gave me (‹›‹›) works.',
  'The token I got is «».',
  "My password's ‹›, thanks",
  "I'll use `«»` as the token.",
  'use «» as an API key',
  'Das Passwort für den Server lautet ‹›',
  'La contraseña del servidor es ‹›.',
  'La clave es ‹›',
  'Le mot de passe de la base est ‹›.',
  'The credentials are ada:‹›\n',
  'login: ada / ‹›\n',
  'here is the token\n\n«»\n',
  'cookies.set("session", "«»", {})',
  'userlist u\n  user ada insecure-password ‹›\n',
  'cache_peer p.internal parent 3128 0 no-query login=ada:‹›\n',
  'enable secret 0 ‹›\n',
  'username ada privilege 15 secret ‹›\n',
  'username ada privilege 15 password 0 ‹›\n',
  '127.0.0.1:6379> AUTH ‹›\nOK',
  '127.0.0.1:6379[2]> auth ada ‹›\nOK',
  'account shop\nhost mail.internal\nuser ada\npassword ‹›\n',
  'npmAuthIdent: "ada:‹›"',
  '|  Type    |  SecureString  |\n|  Value   |  ‹›  |\n|  Version |  1  |',
  'DBI->connect("dbi:mysql:shop", "ada", "‹›")',
  "await userEvent.type(passwordInput, '‹›')",
  "fireEvent.change(passwordInput, { target: { value: '‹›' } })",
  'loginPage.passwordField().sendKeys("‹›")',
  'Connect-Shop -User ada -Password ‹› -Force\n',
  "jwt.sign({ id }, '‹›')",
  'grant_type=x&code_verifier=«»',
  '{"totp": "«»"}',
  'SAMLResponse=«»«»«»«»',
  'sentinel auth-pass mymaster ‹›\n',
  "\toption encryption 'psk2'\n\toption key '‹›'\n",
  "uci set wireless.@wifi-iface[0].key='‹›'\n",
  'K 8\npassword\nV 14\n‹›\nEND\n',
  'keychain.set("‹›", forKey: "password")',
  "SecretValue.unsafePlainText('‹›')",
  "wlan.connect('home', '‹›')",
  'new DirectoryEntry("LDAP://x.internal", "ada", "‹›")',
  "ONVIFCamera('cam.internal', 80, 'ada', '‹›')",
  'new UsernamePasswordCredentialsImpl(CredentialsScope.GLOBAL, "id", "x", "ada", "‹›")',
  'factory :user do\n  password { "‹›" }\nend',
]

describe.each(rows)('%s', (row) => {
  test('loses its value, and what is around it is kept', () => {
    for (const at of [0, 1]) {
      const value = (row.includes('‹›') ? passwords : tokens)[at] ?? ''
      const { text, before, after } = fillRow(row, value)
      const result = redacted(text)
      expect(piecesOf(value, 4).filter((piece) => result.includes(piece))).toEqual([])
      expect(result.slice(0, before.length)).toBe(before)
      const rest = result.slice(before.length)
      expect(rest.slice(rest.length - after.length)).toBe(after)
    }
  })
})

describe('the random values of a collection of cookies', () => {
  const values = [61, 62, 63].map((seed) => noise(seed, 16))
  test.each([
    "cookies={'sid': '«0»', 'theme': 'dark-mode-theme'}",
    "cookies={'theme': 'dark-mode-theme', 'sid': '«0»', 'lang': 'en', 'csrf': '«1»', 'third': '«2»'}",
    '"cookies": {\n  "a": "«0»",\n  "n": 17,\n  "on": true,\n  "b": "«1»",\n  "c": "«2»"\n}',
    "cookies = dict(sid='«0»', user=env['USER'], csrf=b'«1»')",
    "context.addCookies([{ name: 'a', value: '«0»', path: '/' }, { name: 'b', value: 'plain-words' }, { name: 'c', value: '«2»' }])",
  ])('are redacted in %j', (row) => {
    const text = row.replaceAll(/«(\d)»/g, (_, index: string) => values[Number(index)] ?? '')
    const shown = redacted(text)
    for (const value of values) expect(shown).not.toContain(value)
    expect(shown.replaceAll(/\[redacted:cookie(?:#\d)?\]/g, '«»')).toBe(row.replaceAll(/«\d»/g, '«»'))
  })

  test('are redacted even if there are many', () => {
    const many = Array.from({ length: 150 }, (_, index) => noise(index + 900, 16))
    const shown = redacted(`cookies = {${many.map((value, index) => `'c${index}': '${value}'`).join(', ')}}`)
    expect(many.filter((value) => shown.includes(value))).toEqual([])
  })

  test('are not assumed in a lock file with a package of that name', () => {
    const digest = `sha512-${noise(64, 86)}==`
    const text = `"cookies": {"version": "0.9.1", "resolved": "https://packages.example/cookies.tgz", "integrity": "${digest}"}`
    expect(redacted(text)).toBe(text)
  })
})

const words = 'ocean ladder velvet orbit candle prism walnut ember quartz meadow signal harbor'

test('the words of a wallet are redacted only if a label announces them', () => {
  expect(redacted(`seed phrase: ${words}\n`)).toBe('seed phrase: [redacted:seed-phrase]\n')
  expect(redacted(`export MNEMONIC="${words}"`)).not.toContain('velvet')
  expect(redacted(`I saw ${words} today.`)).toContain(words)
  expect(redacted('seed: the words of a sentence that goes on are none.')).not.toContain('[redacted')
})

describe('recovery codes of a second factor', () => {
  const codes = [1, 2, 3, 4].map((seed) => `${noise(340 + seed, 4, 'abcdefgh')}7-${noise(350 + seed, 4, 'abcdefgh')}2`)
  test.each([
    `Recovery codes:\n${codes.map((code) => `  ${code}`).join('\n')}\n`,
    `Backup codes\n\n${codes.map((code, index) => `${index + 1}. ${code}`).join('\n')}\n`,
    JSON.stringify({ recovery_codes: codes }),
  ])('are redacted in %j', (text) => {
    const shown = redacted(text)
    for (const code of codes) expect(shown).not.toContain(code)
  })

  test.each([
    'const backupCodes = ["code1", "code2"]',
    'backup_codes: string[]',
    'Recovery codes: enter 3 of 5',
    'recovery codes\n- step1 one\n- step2 two\n',
  ])('are not assumed in %j', (text) => {
    expect(redacted(text)).toBe(text)
  })
})

test('the seed of a second factor is redacted in groups, and in the export of a password manager', () => {
  const seed = noise(331, 32, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')
  const groups = (seed.match(/.{4}/g) ?? []).join(' ')
  expect(redacted(`Enter this key in your app: ${groups}\nNext`)).toBe(
    'Enter this key in your app: [redacted:otp-secret]\nNext',
  )
  expect(redacted(`name,login_username,login_totp\nshop,ada,${seed}\n`)).not.toContain(seed)
})

test('the keys of an account of Azure are redacted in answers and tables', () => {
  const [long, short] = [`${noise(332, 86)}==`, `${noise(333, 43)}=`]
  for (const text of [
    `{"primaryKey": "${short}", "secondaryKey": "${long}"}`,
    `KeyName    Permissions    Value\n---------  -----  -----\nkey1       FULL           ${long}\n`,
    `2026-01-01T00:00:00+00:00\tkey1\tFULL\t${long}\n`,
  ])
    expect([long, short].filter((key) => redacted(text).includes(key))).toEqual([])
})

test('the key of a network of sensors is redacted in numbers, in one line or several', () => {
  const bytes = Array.from({ length: 16 }, (_, at) => (at * 37 + 11) % 256)
  expect(redacted(`network_key: [${bytes.join(', ')}]\nchannel: 11`)).toBe(
    'network_key: [[redacted:config-password]]\nchannel: 11',
  )
  expect(redacted(`network_key:\n  - ${bytes.join('\n  - ')}\nchannel: 11`)).not.toContain(bytes.slice(3, 6).join('\n'))
})

test.each(['"', "'", ''])(
  'all secret numbers of a private JSON Web Key are redacted, and no public one: %j',
  (quote) => {
    const numbers = ['d', 'p', 'q', 'dp', 'dq', 'qi'].map((name, at) => [name, noise(340 + at, 86)] as const)
    const field = (name: string, value: string): string => `${quote}${name}${quote}: "${value}"`
    const modulus = noise(350, 342)
    const text = `{ ${[field('kty', 'RSA'), field('n', modulus), ...numbers.map(([name, value]) => field(name, value))].join(', ')} }`
    expect(numbers.filter(([, value]) => redacted(text).includes(value))).toEqual([])
    expect(redacted(text)).toContain(modulus)
    const shared = noise(351, 43)
    expect(redacted(`{ ${field('kty', 'oct')}, ${field('k', shared)} }`)).not.toContain(shared)
    expect(redacted(`{ ${field('kty', 'EC')}, ${field('x', shared)} }`)).toContain(shared)
  },
)

test('the answer to a digest is redacted, because a password can be guessed from it', () => {
  const digest = noise(352, 32, '0123456789abcdef')
  const head = `Authorization: Digest username="ada", realm="shop", nonce="${digest}", uri="/"`
  expect(redacted(`${head}, response="${digest}", qop=auth`)).toBe(
    `${head}, response="[redacted:password-hash]", qop=auth`,
  )
  expect(redacted(`response="${digest}"`)).toContain(digest)
})

test.each([
  'const passwordInput = screen.getByLabelText("Field2")',
  "await userEvent.type(nameInput, 'wombat77')",
  'the user names\npass tests12',
  'login-user x\npassword-file y12',
  'enable secret rotation',
  '> auth tokens are checked twice',
  'key1 FULL access',
  '{"primaryKey": "id", "secondaryKey": "created_at2"}',
  'network_key: !secret zigbee',
  'The code_verifier must have 43 characters.',
  'totp: 6 digits, 30 seconds',
  "option key 'value'",
  'defaults.set("dark2", forKey: "theme")',
  'describe "password" do\n  let(:field) { "password2" }\nend',
  'NEO4J_AUTH=none',
  'Enter the key code: it has four parts',
])('nothing is redacted in %j', (text) => expect(redacted(text)).toBe(text))

test('a secret access key next to an AWS key id is redacted', () => {
  const id = ['AK', 'IA', noise(360, 16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')].join('')
  const key = `${noise(361, 20)}/${noise(362, 18)}7`
  for (const text of [
    `ACCESSKEY\t${id}\t2026-11-27T10:00:00Z\t${key}\tActive\tada`,
    `${id}:${key}`,
    `${id}\n${key}\n`,
    `("${id}", "${key}")`,
  ])
    expect(redacted(text)).not.toContain(key.slice(-12))
  const commit = `${id} ${noise(363, 40, '0123456789abcdef')}`
  expect(redacted(commit)).toContain(commit.slice(-40))
})

/** Characters of `crypt`. None of these hashes is at the end of a sentence. */
const hash = (seed: number, length: number): string => noise(seed, length)

describe('hashes of passwords', () => {
  test.each([
    `root:‹$6$abcdefgh$${hash(321, 86)}›:19000:0:99999:7:::`,
    `ada:‹$y$j9T$${hash(322, 22)}$${hash(323, 43)}›:19000::::::`,
    `INSERT INTO users VALUES (1, '‹$2b$12$${hash(324, 53)}›');`,
    `‹$argon2id$v=19$m=65536,t=3,p=4$${hash(325, 22)}$${hash(326, 43)}›`,
    `ada:‹$apr1$${hash(327, 8)}$${hash(328, 22)}›`,
    `users=ada:$‹$apr1$$${hash(327, 8)}$$${hash(328, 22)}›`,
    `‹SCRAM-SHA-256$4096:${hash(329, 22)}==$${hash(330, 43)}=:${hash(331, 43)}=›`,
    `‹pbkdf2_sha256$600000$${hash(332, 12)}$${hash(333, 43)}=›`,
    `‹scrypt:32768:8:1$${hash(334, 16)}$${noise(335, 128, '0123456789abcdef')}›`,
    `userPassword: ‹{SSHA}${hash(336, 38)}==›`,
    `Administrator:500:‹${noise(337, 32, '0123456789abcdef')}:${noise(338, 32, '0123456789abcdef')}›:::`,
  ])('are redacted in %j', (row) => {
    expect(redacted(row.replaceAll(/[‹›]/g, ''))).toMatch(
      new RegExp(`^${row.split('‹')[0]?.replaceAll(/[$(]/g, '\\$&')}\\[redacted:[a-z-]+\\]`),
    )
  })

  test.each(['$2b$ and $6$ are kinds of crypt', 'echo $1$2$3', 'x=$5$name$', '{SSHA} is salted', 'a:1:::'])(
    'are not assumed in %j',
    (text) => {
      expect(redacted(text)).toBe(text)
    },
  )
})

test.each([
  'psk=password-file',
  'smtp.login("ada", "password")',
  "jwt.sign(claims, 'your-secret-key')",
  'Password:\n  minimum eight characters\n',
  'API key created: yes',
  'send "yes\\r"',
  'New value: 42 of 100',
  'secret_id: production-database-password',
  '{"name":"session","value":"a-word-of-many"}',
  '{"name":"sid","value":"$COOKIE_OF_SESSION"}',
  "cookies={'consent': 'accepted-by-all'}",
  'setenv LC_ALL en_US.UTF-8',
  'Set-Item -Path Env:API_TOKEN -Value $token2',
  '{"key": "x", "value": "{{token2}}", "type": "secret"}',
  'token = <<EOF\nhello there friend\nEOF',
  'policy_key = <<POLICY\n{\n  "Version": "2012-10-17"\n}\nPOLICY',
  'Authorization: Basic auth is required',
  'The key I used was src/config/Keys2.ts:12',
  'The password you type is checked against bcrypt2y',
  "the token's `exp2Claim`",
  'use src/lib/OAuth2Client.ts as the key file',
  'use userId:postId:version2 as the key',
  'Das Passwort für den Nutzer ist Pflichtfeld',
  'credentials: same-origin | include',
  'login: github / oauth2',
  'primary key\n`userId2_postId3`',
  'Press any key\n9f1873b5687d816b45c0d746e695ad73',
  'REG_NAME_PAT = r"(?:[^:/?#]|%[a-fA-F0-9]{2})*"',
  'Password (min 8 characters): required',
  'token: &TokenStream, kind: TokenKind2',
])('%s contains no secret', (text) => {
  expect(redacted(text)).toBe(text)
})
