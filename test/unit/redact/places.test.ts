/** Values where interpreters, pages, databases, calls and command lines put them. */
import { describe, expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'
import { redactor } from '../../../src/redact/redactor.ts'
import { redactStrings } from '../../../src/redact/strings.ts'
import { noise } from '../../helpers/planted.ts'
import { fillRow, piecesOf } from '../../helpers/secret-rows.ts'

const redacted = (text: string): string => redactor().text(text)

/** `‹›` is the place of a password, which has three forms, `«»` that of a random token. */
const passwords = [
  `${noise(401, 7)}4#${noise(402, 6)}`,
  `${noise(403, 5)}7b${noise(404, 6)}`,
  ['q7m2x9', 'kfj3w8'].join(''),
]
const tokens = [`${noise(405, 30)}7k`, `4${noise(406, 39)}`]

const rows: Readonly<Record<string, readonly string[]>> = {
  'what an interpreter answers': [
    ">>> os.environ['DB_PASSWORD']\n'‹›'",
    'In [3]: settings.DB_PASSWORD\nOut[3]: "‹›"',
    "> process.env.DB_PASSWORD\n'‹›'",
    'irb(main):001:0> ENV["DB_PASSWORD"]\n=> "‹›"',
    '[1] pry(main)> user.password\n=> "‹›"',
    'iex(1)> System.get_env("DB_PASSWORD")\n"‹›"',
    "(Pdb) p password\n'‹›'",
    '(Pdb) p db.password\n"‹›"\n(Pdb) n',
    "ipdb> p password\n'‹›'",
    '(gdb) p password\n$1 = "‹›"',
    '$password\n[1] "‹›"',
    '> Sys.getenv("DB_PASSWORD")\n[1] "‹›"',
    '1) "requirepass"\n2) "‹›"',
    '1) "user"\n2) "ada"\n3) "password"\n4) "‹›"',
  ],
  'statements and protocols': [
    "UPDATE settings SET value='«»' WHERE key='shop_api_key';",
    "UPDATE wp_options SET option_value = '«»' WHERE option_name = 'smtp_password'",
    "SELECT pgp_sym_encrypt(note, '‹›')",
    'COPY public.users (id, email, password) FROM stdin;\n1\ta@x.example\t‹›\n',
    'CONNECT scott/‹›@SHOP',
    'user default on >‹› ~* &* +@all',
    'a1 LOGIN "ada" "‹›"',
    '/msg NickServ identify ‹›',
    'wpa-psk ‹›',
  ],
  'pages and settings': [
    '<b>Password:</b> ‹›<br>',
    '<span class="x">"password"</span><span class="y">:</span> <span class="z">"‹›"</span>',
    '<label>Password <input value="‹›"></label>',
    '<label for="p">Password</label> <input id="p" value="‹›">',
    '<setting name="SmtpPassword" serializeAs="String">\n  <value>‹›</value>\n</setting>',
    '<property name="password"><value>‹›</value></property>',
    '- name: DB_PASSWORD\n  # of the shop\n  value: ‹›',
    "password: \"{{ lookup('env', 'X') | default('‹›', true) }}\"",
    "'password' => getenv('X') ?: '‹›',",
    '{"password": {"S": "‹›"}}',
    '{"envVarKey":"DB_PASSWORD","envVarValue":"‹›"}',
  ],
  calls: [
    'password := []byte("‹›")',
    `await page.fill('input[name="password"]', '‹›')`,
    "await page.fill('input[type=password]', '‹›')",
    "#0 /srv/x.php(12): PDO->__construct('mysql:host=db', 'ada', '‹›')",
    "new ClientSecretCredential(tenant, client, '«»')",
    'new SymmetricSecurityKey(Encoding.UTF8.GetBytes("«»"))',
    "boto3.Session('x', '«»')",
    "app.use(cookieParser('«»'))",
    "context.addCookies([{ name: 'session', value: '«»', path: '/' }])",
  ],
  'command lines': [
    'keytool -genkey -storepass ‹› -alias x',
    "jq -n --arg pw '‹›' '{pw: $pw}'",
    'consul kv put db/password ‹›',
    'pulumi config set --secret dbPassword ‹›',
    'crudini --set x.ini db password ‹›',
    'skopeo copy --dest-creds=⟦ada:‹›⟧ a b',
    'ctr images pull -u ada:‹› x',
    'mysqladmin -u root password ‹›',
    'REG ADD HKLM\\x /v Password /t REG_SZ /d ‹› /f',
    'Set-ItemProperty -Path x -Name DefaultPassword -Value "‹›"',
    'lftp -e "open -u ada,‹› host"',
    'kadmin -q "addprinc -pw ‹› ada"',
    'cvs -d :pserver:ada:‹›@host:/cvs login',
    'openssl passwd -6 -salt xy ‹›',
    'drush user:password admin "‹›"',
    'sonar-scanner -Dsonar.login=«»',
    "bash -lc 'DB_PASSWORD=‹› ./run now'",
    'sh -c "DB_PASSWORD=‹› ./run now"',
    '{"command":["bash","-lc","DB_PASSWORD=‹› ./run now"]}',
    String.raw`{"arguments":"{\"command\":[\"bash\",\"-lc\",\"DB_PASSWORD=‹› ./run now\"]}"}`,
    "eval 'DB_PASSWORD=‹› ./run now'",
    "ssh -p 22 ada@db 'DB_PASSWORD=‹› ./run now'",
    "su - ada -c 'DB_PASSWORD=‹› ./run now'",
    "docker run -e 'DB_PASSWORD=‹›' image",
  ],
  sentences: [
    '"‹›" is the password',
    "‹› (that's the password)",
    'pass it ‹› as password',
    'user/pass = ada / ‹›',
    'credentials (ada / ‹›)',
    'Password is: ‹›',
    '«» is my API key',
    '"«»" is the secret',
    'It was «» (the API token), I think',
    'run it with «» as your new GitHub token',
    '«» ist mein API-Schlüssel',
    '«» es la clave',
    '«» est le mot de passe',
    '«» 是我的密钥',
    '«» は API トークン',
  ],
  comments: [
    '«»  # API token',
    '«» // the secret key',
    '«» <- token',
    'export T=«» # github token',
    'x = "«»" -- api_key',
  ],
  columns: [
    "SELECT '«»' AS api_token, 1",
    'id name token\n1 bob «»\n2 eve «»\n',
    '   name                             token\n0   bob  «»\n1   eve  «»\n',
  ],
  'lines below a name': [
    'API_TOKEN\n«»\n',
    'Personal access token created\n\n  «»\n',
    'Client ID\nabc\nClient secret\n«»\n',
    '### Access token:\n\n    «»\n',
    '> Bearer token\r\n> «»\r\n',
    'API密钥\n«»',
    'ключ API:\n«»',
    'token\n«»\n«»\n',
  ],
  'names in other languages': [
    ...[
      'API-Schlüssel',
      'Zugangsdaten',
      'clé API',
      'Clé d’API',
      'clé secrète',
      "jeton d'accès",
      'token de acceso',
      'clave',
    ],
    ...['Chiave API', 'chave de API', 'API-sleutel', 'klucz API', 'API klíč', 'API-nyckel', 'API anahtarı', 'ключ API'],
    ...[
      'Токен доступа',
      'κλειδί API',
      'API密钥',
      '访问令牌',
      '金鑰',
      'APIキー',
      'アクセストークン',
      'API 키',
      '토큰',
      'مفتاح API',
    ],
  ].flatMap((name) => [`${name}: «»`, `${name} = «»`, `"${name}": "«»"`, `- ${name}：«»`]),
  'values in a row': [
    'Use the tokens «» and «» for both.',
    'My API keys are «», «» and «».',
    'token: «» or «»',
    'for t in «» «»; do curl -H "Authorization: Bearer $t" x; done',
  ],
  peppers: ['pepper = "«»"'],
  'marks around words': [
    'password: [-⟦‹›-]{+other⟧+}',
    '{+DB_PASSWORD=⟦‹›+⟧}',
    'password^I⟦‹›$⟧',
    'curl ^"https://x.internal^" --data-raw ^"^{^\\^"password^\\^":^\\^"‹›^\\^"^}^"',
  ],
}

/** Three kinds of characters are needed if only the place reveals the password. */
const variedOnly = /openssl|drush|sentence|is the password|that's the|as password/

describe.each(Object.entries(rows))('%s', (_, texts) => {
  test.each(texts)('lose their secret in %j', (row) => {
    const values = row.includes('«»') ? tokens : passwords.slice(0, variedOnly.test(row) ? 1 : 3)
    for (const value of values) {
      const { text, before, after } = fillRow(row, value)
      const result = redacted(text)
      expect(piecesOf(value, 4).filter((piece) => result.includes(piece))).toEqual([])
      expect(result.slice(0, before.length)).toBe(before)
      const rest = result.slice(before.length)
      expect(rest.slice(rest.length - after.length)).toBe(after)
    }
  })
})

test.each([
  ">>> user.password\n'hashed'",
  '>>> len(password)\n12',
  "> process.env.NODE_ENV\n'production'",
  '1) "token"\n2) "string"',
  '1) "maxmemory-policy"\n2) "allkeys-lru"',
  '$password\n[1] "character"',
  "UPDATE settings SET value='required' WHERE key='password_policy';",
  'user default on nopass ~* &* +@all',
  'connect acme/shop@main',
  '<b>Password:</b> required<br>',
  '<label>Password <input type="password" name="pw2"></label>',
  '<property name="passwordEncoder"><ref bean="bcrypt2"/></property>',
  'password: [-optional-]{+required+}',
  'await page.fill(\'input[name="password"]\', password)',
  'password := []byte(os.Getenv("DB_PASSWORD"))',
  "Hash::make('password')",
  "generate_password_hash('hunter')",
  'jq --arg token "$TOKEN" \'.token = $token\'',
  'Set-ItemProperty -Path x -Name Version -Value "1.2.3"',
  'smbclient //host/share -N -U ada2',
  'mkpasswd -m sha-512',
  "'password' => 'required|string|min:8'",
  "['password' => 'nullable|string|min:8|max:64|confirmed']",
  'this is the password field of form2',
  'abcdefghijklmnopqrst is the key of the map',
  'the tests that have to pass\n&#x3C;/Vond2x>\n\nmore',
  'the tests that have to pass\n</Vond2x>\n',
  'the token\nis_read_here_2',
  'const key\nsrc/components/list2.ts',
  '主键: user_id_2024',
  'キー: Ctrl+Shift+P2',
  'Fremdschlüssel: kunde_id_2',
  'ключ: значение1',
  'clave: nombre_usuario_1',
  'token de acceso: process.env.ACCESS_TOKEN',
  '密钥：<your-api-key-2>',
  'src/components/TokenList2.tsx is the token list',
  `${noise(41, 40, '0123456789abcdef')} is the commit of the token fix`,
  `const id = "${noise(42, 24)}" // a stable id, no token`,
  `cp ${noise(43, 20)} x # keyboard`,
  `for f in ${noise(44, 20)} ${noise(45, 20)}; do cat $f; done`,
  'the secret key is used\nby four other things1',
  'https://x.internal/a?token=%5Bredacted:github-token#2%5D',
])('%j contains no secret', (text) => {
  expect(findSecrets(text)).toEqual([])
})

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

test.each([
  ["Here's the key: ", ''],
  ['signature_key ', ''],
  ['npm config set //r/:_authToken ', ''],
  ['API token:\n\n    ', '\n'],
  ['', ' is my API key'],
  ['pepper = "', '"'],
])('a random token is found wherever its only digit is: %j', (before, after) => {
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const [head, tail] = [noise(600 + seed, 4 * seed - 1, letters), noise(620 + seed, 32 - 4 * seed, letters)]
    const value = `${head}7${tail}`
    expect(redacted(before + value + after)).not.toContain(value.slice(4, 20))
  }
})

test('the word after an option in a list is the value of that option', () => {
  const value = ['hunter', 'Zq8!w'].join('-')
  expect(redacted(`args: ["--user", "ada", "--password", "${value}"]`)).not.toContain(value)
})

describe('the parts of a private key', () => {
  const lines = [0, 1, 2, 3].map((seed) => noise(430 + seed, 64))
  const block = [`-----${'BEGIN'} PRIVATE KEY-----`, ...lines, `-----${'END'} PRIVATE KEY-----`]
  test.each([
    ['in cells', block.map((line, index) => `<tr><td>${index}</td><td>${line}</td></tr>`).join('\n')],
    ['in paragraphs', block.map((line) => `<p>${line}</p>`).join('')],
    ['between lines of a log', block.map((line) => `${line}\n[info] request took 12 ms`).join('\n')],
    ['that a command writes', block.map((line) => `echo ${line}>>key`).join('\n')],
    ['in a side-by-side comparison', block.map((line) => `${line.padEnd(70)} <`).join('\n')],
    ['in a mail', block.map((line) => `${line.slice(0, 40)}=\n${line.slice(40)}`).join('\n')],
    ['in a form', encodeURIComponent(block.join('\n')).replaceAll('%20', '+')],
  ])('%s are redacted', (_, text) => {
    const result = redacted(text)
    for (const line of lines) {
      expect(result).not.toContain(line.slice(4, 24))
      expect(result).not.toContain(line.slice(-20))
    }
  })

  test('are redacted with their encoding', () => {
    for (const text of [
      Buffer.from(block.join('\n')).toString('hex'),
      Buffer.from(Buffer.from(block.join('\n')).toString('base64')).toString('base64'),
    ])
      expect(redacted(`x ${text} y`)).toBe('x [redacted:private-key] y')
  })
})

test('a token whose end is in the next output is also redacted if that output is shown alone', () => {
  const token = ['gh', 'p_', noise(440, 36)].join('')
  const outputs = [token.slice(0, 20), `${token.slice(20)}\ndone`]
  const own = redactor()
  own.beginPassage('page')
  const children = outputs.map((value) => ({ type: 'output', value }))
  redactStrings({ type: 'command', script: 'show', children }, own)
  expect(children.map(({ value }) => value)).toEqual(['[redacted:github-token]', '\ndone'])
  expect(own.text(outputs[1] ?? '')).toBe('[redacted:named-secret]\ndone')
})
