/** Every rule has a planted sample: a new rule fails here until a text is added that it finds by itself. */
import { describe, expect, test } from 'vitest'
import { kinds, tokenRules } from '../../../src/redact/kinds/kinds.ts'
import { type Rule, secretsAt } from '../../../src/redact/rule.ts'
import { rules } from '../../../src/redact/rules/all.ts'
import { beginSearch } from '../../../src/redact/search.ts'
import { keyPairOf, noise, planted, walletKeyOf } from '../../helpers/planted.ts'
import { code, drawings } from '../../helpers/qr-codes.ts'
import { sampleOf } from '../../helpers/token-samples.ts'

const password = `${noise(901, 7)}4#${noise(902, 6)}`
const token = `${noise(903, 30)}7k`
const hex = noise(904, 32, '0123456789abcdef')
const uuid = [8, 4, 4, 4, 12].map((length, at) => noise(905 + at, length, '0123456789abcdef')).join('-')
const github = ['gh', 'p_', noise(926, 36)].join('')
const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const walletKey = walletKeyOf(1)
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** `‹›` is the place of a password, `«»` that of a random token. */
const rows: readonly string[] = [
  'DefaultEndpointsProtocol=https;AccountKey=«»==',
  `abc${8}Q~${noise(910, 33)}`,
  `${hex}-us12`,
  `org-${noise(911, 10)}A4${noise(912, 10)}`,
  `{"kty": "EC", "d": "${noise(913, 43)}"}`,
  `PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n${noise(914, 60)}\nPrivate-MAC: ${hex}`,
  `BEGIN RSA PRIVATE KEY ${noise(918, 64)}`,
  'https://hooks.slack.com/services/«»',
  'https://discord.com/api/webhooks/112233445566778899/«»',
  `123456789:AA${noise(915, 33)}`,
  'https://ada:‹›@db.internal/shop',
  'https://«»@git.internal/shop.git',
  'Authorization: Basic «»',
  'curl -H "X: Bearer «»"',
  'Cookie: sid=«»; theme=dark',
  'machine git.internal login ada password ‹›',
  'db.internal:5432:shop:ada:‹›',
  '  db.internal:5432:shop:ada:‹›',
  '--user ada:‹›',
  'then login ada:‹› there',
  'Admin login:\nada\n‹›\n',
  "PRAGMA key = '‹›';",
  `Product key: ${[0, 1, 2, 3, 4].map((at) => noise(960 + at, 5, 'BCDFGHJKMPQRTVWXY2346789')).join('-')}`,
  '.internal\tTRUE\t/\tTRUE\t1999999999\tsid\t«»',
  `{"auths": {"r.internal": {"auth": "${base64(`ada:${password}`)}"}}}`,
  "CREATE USER app WITH PASSWORD '‹›';",
  "CREATE USER app IDENTIFIED BY '‹›';",
  "create user app identified by '‹›';",
  'Login: ada@example.com / ‹›',
  'requirepass ‹›',
  ...drawings.map(([, draw]) => draw(code(29, 1))),
  'deploy -u ada -p ‹› now',
  'deploy -p ‹› -u ada',
  'radius-server key ‹›',
  walletKey,
  `master_seed: s${noise(971, 28, base58)}`,
  `x-honeycomb-team: ${noise(972, 22)}`,
  '…231 tokens truncated…«»',
  '…231 tokens truncated…‹›@db.internal:5432/shop',
  'postgres://ada:‹›…',
  'The password changed from ‹› to another one',
  'The password was something1 but now it is ‹›',
  'The password is either ‹› or something1',
  'пароль от базы ‹›',
  'Type ‹› when it asks for the password',
  'It is ‹› (password)',
  "echo '‹›' | docker login --password-stdin",
  'PGPASSWORD=‹› psql -h db',
  'DB_PASSWORD=‹› ./run',
  "sudo -S true <<< '‹›'",
  "printf '%s\n' '‹›' | sudo -S true",
  "printf '%s\n%s\n' '‹›' '‹›' | passwd ada",
  "gcloud secrets create db --data-file=<(printf '%s\n' '‹›')",
  "gcloud secrets create db --data-file=<(printf '‹›')",
  'passwd ada <<EOF\n‹›\n‹›\nEOF\n',
  'https://«»:x-oauth-basic@git.internal/shop',
  `$6$salt$${noise(920, 86)}`,
  `{SSHA}${noise(921, 38)}==`,
  `Administrator:500:${hex}:${noise(922, 32, '0123456789abcdef')}:::`,
  'document.cookie = "session=«»"',
  "cookies={'s': '«»'}",
  "res.cookie('s', '«»')",
  '{"name": "sid", "value": "«»"}',
  '{"value": "«»", "name": "sid"}',
  'secret_id          «»',
  'chpasswd:\n  list: |\n    root:‹›\n',
  'New value: ‹›\n',
  'machine git.internal login «» password x-oauth-basic',
  'requests.get(url, auth=("«»", ""))',
  'ssh.connect("db.internal", 22, "ada", "‹›")',
  'btoa("ada:‹›")',
  `AUTH PLAIN ${base64(`\0ada\0${password}`)}`,
  `<master>{${base64(noise(916, 31))}}</master>`,
  'DriverManager.getConnection("jdbc:x:y", "ada", "‹›")',
  'jdbc:oracle:thin:scott/‹›@//db:1521/ORCL',
  'resource "random_password" "db" {\n    length = 32\n    result = "«»"\n}',
  'sql.Open("mysql", "app:‹›@tcp(db.internal:3306)/shop")',
  'deploy --token «» --now',
  'https://x.internal/a?X-Amz-Signature=«»',
  'mysql -u root -p‹› shop',
  'network={\n  ssid="home"\n  psk="‹›"\n}',
  'WIFI:T:WPA;S:home;P:‹›;;',
  'PHPSESSID=«»',
  'smtp.login("ada", "‹›")',
  "new mysqli('localhost', 'ada', '‹›', 'shop')",
  "jwt.sign(payload, '«»')",
  "hmac.new(b'«»', body)",
  'hmac.New(sha256.New, []byte("«»"))',
  'new SecretKeySpec("«»".getBytes(), "AES")',
  'keyring.set_password("shop", "ada", "‹›")',
  'conn.simple_bind_s("cn=admin", "‹›")',
  "bcrypt.hash('‹›', 10)",
  'PASSWORD elastic = ‹›',
  'Unseal Key 1: «»abcd1234',
  'WLAN-Schlüssel: ‹›\n',
  'La password è `‹›`.',
  'A temporary password is generated for root@localhost: ‹›\n',
  'API key created: «»\n',
  'Your token is:\n«»\n',
  'The password:\n\n```\n«»\n```\n',
  "SET PASSWORD FOR 'ada'@'%' = PASSWORD('‹›');",
  'ParameterKey=DBPassword,ParameterValue=‹›',
  'array(1) {\n  ["password"]=>\n  string(14) "‹›"\n}',
  'DefaultPassword    REG_SZ    ‹›\n',
  'masterauth ‹›\n',
  '[smtp.internal]:587 ada:‹›',
  'BUNDLE_GEMS__INTERNAL__COM=«»',
  '<AutoLogon>\n<Password>\n<Value>‹›</Value>',
  `Secret ID: ${uuid}`,
  '::add-mask::«»',
  'https://x.internal/api?code=«»«»',
  'echo ‹› > ~/.vault_pass',
  '$ cat ~/.vault_pass\n‹›\n',
  'Please use ‹› as the password.',
  '{"element": "Password field", "ref": "e12", "text": "‹›"}',
  '- textbox "Password" [active] [ref=e12]: ‹›',
  "cat > token.txt <<'EOF'\n«»\nEOF",
  'cat <<END > token.txt\n«»\nEND',
  'The admin password changed to ‹›.',
  '密码是‹›',
  'send "‹›\\r"',
  'rtmp://live.internal/live2/«»',
  'Seed phrase: ripple castle velvet orbit lunar gadget puzzle shrimp walnut ankle tissue frozen',
  base64(`{"password": "${password}"}`),
  base64(`{"key": "${['gh', 'p_', noise(917, 36)].join('')}"}`),
  Buffer.from(`API_TOKEN=${token}`).toString('hex'),
  `pwsh -enc ${Buffer.from(`mysql -uroot -p${password}`, 'utf16le').toString('base64')}`,
  `L7: -----BEGIN OpenVPN Static key V1-----\nL8: ${hex}\nL9: ${hex}\nL10: -----END OpenVPN Static key V1-----`,
  `-----BEGIN OpenVPN Static key V1-----\n${hex}\n${hex}\n-----END OpenVPN Static key V1-----`,
  'export BW_SESSION="«»"',
  'trojan://‹›@proxy.internal:443',
  'password = "‹›"',
  '密码: ‹›',
  `"account_id": "${uuid}"`,
  `{"username": "ada", "key": "${hex}"}`,
  'kind: Secret\nstringData:\n  db: ‹›\n',
  '{"kind": "Secret", "stringData": {"db": "‹›"}}',
  'kubectl get secret db -o yaml | base64 -d\n‹›',
  'Key      Value\n---      -----\nvalue    «»',
  "printf '%s\\n%s\\n' ‹› ‹› | passwd ada",
  "echo -n 'ada:‹›' | base64",
  'exec.Command("mysql", "-p‹›")',
  '{"sensitive": true, "type": "string", "value": "‹›"}',
  `kubectl patch secret db -p '{"data": {"db": "‹›"}}'`,
  'ACL SETUSER ada on >‹› ~* +@all',
  "SELECT crypt('‹›', gen_salt('bf'))",
  'ftp> user ada ‹›',
  '{"kty": "oct", "k": "«»"}',
  JSON.stringify(keyPairOf(7)),
  'ada:{PLAIN}‹›',
  'https://shop.internal/invite/«»',
  "child.expect('password:')\nchild.sendline('‹›')",
  'cat userlist.txt\n"ada" "‹›"',
  `${['AK', 'IA', noise(923, 16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')].join('')}:${noise(924, 39)}7`,
  'Authorization: Basic ada ‹›\n',
  '{"value": "«»", "type": "secret"}',
  'access-tokens = git.internal=«»',
  'setenv API_TOKEN «»',
  `https://x.internal/?appid=${hex}`,
  'Credentials("Repository", "repo.internal", "ada", "‹›")',
  'here is the token\n\n«»\n',
  'use «» as the token',
  'The token you gave me («») works',
  "My password's ‹›",
  'Das Passwort für den Server lautet ‹›',
  ...[', ', 'u8, '].map((sign) => `[${[...github].map((letter) => letter.charCodeAt(0)).join(sign)}]`),
  ...[', 0x', ' ', ':'].map((sign) => `0x${Buffer.from(github).toString('hex').match(/../g)?.join(sign)}`),
  Array.from(github, (letter) => `chr(${letter.charCodeAt(0)})`).join('.'),
  `fal ${hex.slice(0, 8)}-${hex.slice(0, 4)}-4${hex.slice(1, 4)}-a${hex.slice(1, 4)}-${hex.slice(0, 12)}:${hex}`,
  `open.bigmodel.cn ${hex}.${noise(927, 16)}`,
  'use sk_«»A5b with care',
  `password: 0x${noise(928, 20, '0123456789ABCDEF')}  "‹›"`,
  "new NetworkCredential('ada', '‹›')",
  '/db\tSecureString\t‹›\t1',
  `PVEAPIToken=root@pam!x=${uuid}`,
  `password 7 ${noise(929, 20, '0123456789ABCDEF')}`,
  `https://mcp.internal/sse?key=${hex}`,
  'https://tools.internal/«»/mcp',
  'psk="blue horse 42 sky"',
  `priv:\n    ${hex.match(/../g)?.join(':')}\npub:`,
  `<D>${noise(930, 86)}==</D>`,
  `${base64(noise(931, 32))}\t${base64(noise(932, 32))}\t51820\toff\n`,
  `wg set wg0 private-key <(echo ${base64(noise(933, 32))})`,
  `cache-1:${Buffer.from(keyPairOf(7)).toString('base64')}`,
  `new Wallet("0x${hex}${noise(934, 32, '0123456789abcdef')}")`,
  `(0) 0x${hex}${noise(935, 32, '0123456789abcdef')}`,
  'otpauth-migration://offline?data=«»',
  `pyotp.TOTP("${noise(936, 16, 'ABCDEFGHJKLMNPQRSTUV234567')}")`,
  '{"lease_duration": 0, "data": {"data": {"foo": "‹›"}}}',
  ">>> os.environ['DB_PASSWORD']\n'‹›'\n",
  '> Sys.getenv("DB_PASSWORD")\n[1] "‹›"\n',
  '1) "requirepass"\n2) "‹›"\n',
  'user ada on >‹› ~* +@all',
  'CONNECT scott/‹›@SHOP',
  "SELECT pgp_sym_encrypt(note, '‹›')",
  'kadmin -q "addprinc -pw ‹› ada"',
  'a1 LOGIN ada ‹›\n',
  'sonar.login=«»',
  '<label>Password <input value="‹›"></label>',
  "Hash::make('‹›')",
  "check_password_hash(known, '‹›')",
  "AES.new(b'«»', AES.MODE_CBC)",
  'boto3.Session("x", "«»")',
  'Minio("store.internal", "x", "«»")',
  "context.addCookies([{ name: 'x', value: '«»' }])",
  '"‹›" is the password',
  'Use the tokens «» and «» for both.',
  'for t in «» «»; do curl -H "Authorization: Bearer $t" x; done',
  `-----${'BEGIN'} PRIVATE KEY-----<p>${noise(940, 64)}</p>-----${'END'} PRIVATE KEY-----`,
  'Recovery codes:\nabcd7-efgh2\nbcde7-fgha2\ncdef7-ghab2\n',
  `Authorization: Digest username="ada", response="${noise(941, 32, '0123456789abcdef')}"`,
  'user ada insecure-password ‹›',
  'enable secret 0 ‹›',
  "option key '‹›'\n",
  'keychain.set("‹›", forKey: "password")',
  'new DirectoryEntry("LDAP://x.internal", "ada", "‹›")',
  "ONVIFCamera('cam.internal', 80, 'ada', '‹›')",
  'new UsernamePasswordCredentialsImpl(x.GLOBAL, "id", "x", "ada", "‹›")',
  'localhost:6379> AUTH ‹›',
  'user ada\npassword ‹›\n',
  'npmAuthIdent: "ada:‹›"',
  '|  Type   |  SecureString  |\n|  Value  |  ‹›  |',
  `"primaryKey": "${noise(942, 43)}="`,
  'SAMLResponse=«»«»«»«»',
  `network_key: [${Array.from({ length: 16 }, (_, at) => at * 7).join(', ')}]`,
  'DBI->connect("dbi:mysql:shop", "ada", "‹›")',
  "userEvent.type(passwordInput, '‹›')",
  'expect "password: "\nsend "‹›\\r"',
  'Connect-Shop -Password ‹› -Force',
]

const texts = [
  ...planted().map(({ text }) => text),
  ...rows.map((row) => row.replaceAll('‹›', password).replaceAll('«»', token)),
]

/** Whether a rule finds a secret in a text by itself, at any place where one of its anchors begins. */
function finds(rule: Rule, text: string): boolean {
  beginSearch(text)
  return rule.anchors.some((anchor) => {
    for (let place = text.indexOf(anchor); place >= 0; place = text.indexOf(anchor, place + 1))
      if (secretsAt(text, place, rule).length > 0) return true
    return false
  })
}

const described = (rule: Rule) => [`${rule.id}: ${rule.anchors.slice(0, 3).join(', ')}`, rule] as const
const tokens = new Set<Rule>(tokenRules)

describe('a planted sample', () => {
  test.each(rules.filter((rule) => !tokens.has(rule)).map(described))('is found by %s', (_, rule) => {
    expect(texts.filter((text) => finds(rule, text))).not.toEqual([])
  })

  test('of each form of a token is found by the rule of that form', () => {
    expect(tokenRules.length).toBe(kinds.length)
    const missed = kinds.filter(({ form }, index) => {
      const rule = tokenRules[index]
      return rule === undefined || ![1, 2, 3].some((seed) => finds(rule, ` ${sampleOf(form, seed + form.length)} `))
    })
    expect(missed.map(({ vendor, what }) => `${vendor}: ${what}`)).toEqual([])
  })

  test('is required for more than forty rules that are not for tokens', () => {
    expect(rules.filter((rule) => !tokens.has(rule)).length).toBeGreaterThan(40)
  })
})
