import { describe, expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'
import { noise } from '../../helpers/planted.ts'
import { tellingNames } from '../../helpers/telling-names.ts'

const digest = noise(601, 64, '0123456789abcdef')
const base64 = noise(602, 40)
const uuid = [8, 4, 4, 4, 12].map((length, index) => noise(610 + index, length, '0123456789abcdef')).join('-')

/** Lines as sessions hold them, under names that tell of secrets, without one; by what they are. */
const lines: Record<string, readonly string[]> = {
  'lines under telling names': tellingNames,
  'sentences of any language': [
    '"password": "Passwort vergessen?"',
    '"token": "トークンが無効です"',
    '"pass": "aria-level 값이 유효합니다."',
    '"password": "Ваш пароль изменён"',
    '"pass": "Le rôle ARIA est autorisé pour l’élément donné"',
    `"pass": "Elementin \${data.contrastRatio} rəng kontrastı kifayətdir"`,
    '"password": "Das Passwort muss mindestens {{min}} Zeichen haben"',
    '"password_too_short": "{count, plural, one {# Zeichen fehlt} other {# Zeichen fehlen}}"',
    '"pass": "元素具有 <code>title</code> 属性"',
    '"secret": "Το μυστικό κλειδί λείπει ακόμη"',
    '"password": "כל רכיבי הטופס תקינים"',
    '"password": "Hasło musi mieć co najmniej 8 znaków"',
    "password: 'Mot de passe oublié ?',",
    "token: 'El token caducó hace 15 minutos',",
    '"forgotPassword": "¿Olvidaste tu contraseña?"',
    '"apiKey": "Schlüssel für die API, z. B. aus dem Portal"',
    '"password": "รหัสผ่านไม่ถูกต้อง"',
  ],
  'encodings, options and names of code': [
    `const head = Buffer.from(user.name + ':' + user.password).toString('base64')`,
    "auth = Buffer.from(password, 'base64url')",
    '/** JWK "priv" (Private Key): base64url-encoded */',
    '- **build**: pass --debug-nghttp2 to the linker',
    'onresumptiontoken: onLastEventIdUpdate',
    'type DatabasePassword = V1UpdatePasswordBody',
    '"update-api-key": "v1UpdateProjectApiKey"',
    'const pattern = /https?:\\/\\/(.{1,256}):x-oauth-basic@/',
    'pattern: /trojan:\\/\\/(?<secret>[^\\s@]{6,128})@/',
  ],
  'checksums and versions beside a name': [
    `http_archive(\n    name = "rules_secret",\n    sha256 = "${digest}",\n    strip_prefix = "rules-1.2",\n)`,
    `("auth-token", checksum="${digest}", version="1.0")`,
    `Package("token-store", commit = '${digest.slice(0, 40)}')`,
    `secrets-1.2.tar.gz  ${digest}`,
    `| token-parser-2.1.tgz | ${digest} |`,
    `name = "secret-service"\nversion = "3.0.1"\nchecksum = "${digest}"`,
  ],
  'images and their tags': [
    `image: ghcr.io/ada/token-service:1.4@sha256:${digest}`,
    `image: registry.example.com:5000/team/secret-store:${digest.slice(0, 40)}`,
    `docker pull ada/auth-token:${digest.slice(0, 12)}-a1b2c3d4e5f6`,
    `FROM ghcr.io/ada/password-manager:v2.1.0-${digest.slice(0, 20)} AS base`,
    `"image": "localhost:5000/api-key:${digest.slice(0, 40)}"`,
  ],
  'what is encrypted': [
    `password: ENC[AES256_GCM,data:${base64},iv:${base64},tag:${base64},type:str]`,
    `"api_key": "ENC[AES256_GCM,data:${base64},iv:${base64},tag:${base64},type:str]"`,
    `db_password: ENC[PKCS7,${base64}${base64}]`,
    `spring.datasource.password=ENC(${base64})`,
    `spring.datasource.password={cipher}${digest}`,
    `db_password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  ${digest}\n  ${digest}`,
    `"secret_key": "vault:v1:${base64}${base64}"`,
    `encryptedData:\n  password: AgB${base64.repeat(8)}`,
    `DB_PASSWORD=encrypted:B${base64}${base64}`,
  ],
  'keys that open nothing, in two words': [
    `cache key=node-modules-linux-${digest} restored`,
    `Cache restored from key: cargo-x86_64-${digest}`,
    `public key: ${base64}abc=`,
    `# Public key: age1${noise(603, 58, 'qpzry9x8gf2tvdw0s3jn54khce6mua7l')}`,
    `primary key: ${base64}`,
    `continuation token: ${base64}`,
  ],
  'public keys and signatures by their form': [
    `"key": "${['MFkwEwYHKoZI', 'zj0CAQYIKoZI'].join('')}${base64}${base64}"`,
    `"key": "${['MIIBIjANBgkq', 'hkiG9w0BAQEFAAOCAQ8A'].join('')}${base64.repeat(4)}"`,
    `signing_key = "AAAA${['C3NzaC1lZDI1', 'NTE5AAAAI'].join('')}${base64}"`,
    `{"keyid": "SHA256:${base64}", "sig": "MEUCIQ${base64}${base64}=="}`,
  ],
  'attributes beside a name': [
    `<trusted-key id="${digest.slice(0, 40).toUpperCase()}" group="org.x"/>`,
    `<api-key ref="${base64}">`,
  ],
  'calls of a class whose name tells': [
    `JWT::decode('${['eyJ0eXAi', 'OiJKV1Q'].join('')}...', Object(Key))`,
    `Password::make(${noise(604, 4)}1x(y))`,
  ],
  'marks and references in place of a password': [
    'password: __DB2_PW__',
    'password: ##DB2_PW##',
    'password: %%DB2_PW%%',
    'password: "%env(resolve:DB2_PASSWORD)%"',
    'password: ssm:/prod/db2/pw',
    'Password=<YourStrong@Passw0rd>;',
    'https://x-access-token:$GH_TOKEN2@git.internal/x/y',
    'read -rsp "Password: " PASSWORD2',
    'API key: shp_live_4f2a••••••••',
    'password: bcrypt→argon2id; rehash on login',
    'password: ORA-01017: invalid username/password',
    String.raw`token: expect.stringMatching(/^[\w-]{32}$/)`,
    String.raw`password=\u30d1\u30b9\u30ef\u30fc\u30c9`,
    'pass = VkRenderPass(0x7f3a9b2c)',
  ],
  'users of servers as they come': [
    'amqp://guest:guest@localhost:5672/',
    'postgres://postgres:postgres@localhost:5432/postgres',
    'ftp://anonymous:anonymous@ftp.example.com/pub',
  ],
  'names of things under a weak name': [
    'key: Ctrl+Shift+F12',
    `"Key": "backups/${base64.slice(0, 16)}/x.tar"`,
    `key: assets/${base64.slice(0, 20)}.png`,
    'creds: instance-profile/EC2Role',
    `startKey=${digest.slice(0, 16)}&limit=10`,
    `blob key ${base64.slice(0, 28)} uploaded`,
    `sonar.projectKey=acme_shop_${base64.slice(0, 20)}`,
  ],
  'keys and tokens that all may know': [
    `PublicKeyToken=${digest.slice(0, 16)}`,
    `verify_key: ${digest}`,
    `GPG_KEY=${digest.slice(0, 40).toUpperCase()}`,
    `user.signingkey=${digest.slice(0, 40).toUpperCase()}`,
    `"traceToken": "${digest.slice(0, 32)}"`,
    `--starting-token ${base64}`,
    `RECAPTCHA_SITE_KEY=${base64}`,
    `NEXT_PUBLIC_SHOP_KEY=${base64}`,
    `checksum/secret: ${digest}`,
    '.password-toggle2::after{content:"x9"}',
  ],
  'rounds and instants': [
    'first-pass: 2026-11-01T10:15:00Z',
    'render_pass: 0x7f3a9b2c',
    'second pass: 412/412 tests',
    'password_seen: 2026-11-01T10:15:00.123+01:00',
  ],
  'the head of a signed token alone': [
    `token = ${['eyJhbGci', 'OiJIUzI1NiIsInR5'].join('')}...`,
    `${['eyJ0eXAi', 'OiJKV1QiLCJhbGciOi'].join('')}…`,
  ],
  'passwords that are words': [
    'password: some-name-with-word',
    'password: this-that-then-when',
    "password: 'Enter,please;Password'",
  ],
  'tokens of pages and texts': [
    'NEXT_PAGE_TOKEN=CAEQAhoKq81zW4tP9xN2',
    'sync_token: CPDAlvWDx70CEPDAlvWDx70C',
    'syncToken="q81zW4tP9xN2mK3v"',
  ],
  'statements that are none': [
    'Removes the directory identified by `path`.',
    'files to be transformed. Stylesheets are identified by their names',
    'a cached entry, identified by "content" and time',
    'this requirement can be identified as windows-1255.',
    'will invoke the default password callback',
    'reads a line such as machine id password path',
  ],
  'signatures and what is signed': [
    `signature: ${base64}=`,
    `"token_signature": "${base64}"`,
    `"sig": "${base64}${base64}=="`,
    `<enclosure sparkle:edSignature="${base64}${base64}==" length="7"/>`,
    `Signature: sig1=:${base64}==:`,
    `X-Signature=${digest}`,
  ],
  'tokens that make a request unique': [
    `clientToken=${uuid}`,
    `"client-token": "${uuid}"`,
    `idempotencyToken: "${uuid}"`,
    `CreationToken: ${uuid}`,
    `$deltatoken=${base64}`,
    `"nextDeltaToken": "${base64}"`,
    `queryKey: ['token', '${uuid}']`,
    `"LockToken": "${uuid}"`,
    `Client token: ${uuid}`,
    `aws wafv2 update-web-acl --lock-token ${uuid}`,
    `Sec-WebSocket-Key: ${base64.slice(0, 22)}==`,
  ],
  'keys of stores': [
    `Disk Storage (0.2ms) Uploaded file to key: ${base64.toLowerCase().slice(0, 28)} (checksum: x)`,
    `<Blob id: 41, key: "${base64.slice(0, 28)}", filename: "a.pdf">`,
    `Bucket: media, Key: "${base64.slice(0, 28)}"`,
    `WHERE "blobs"."key" = $1  [["key", "${base64.slice(0, 28)}"]]`,
    `1) "token:usage:${digest.slice(0, 16)}"`,
    'auth:password:reset:4821:x9K2m',
    `cache:token:${digest.slice(0, 16)}`,
    `active_storage key: ${base64.slice(0, 28)}`,
    `key           | ${base64.slice(0, 28)}\nfilename      | a.pdf`,
    `{"id":41,"key":"${base64.slice(0, 28)}","filename":"a.png"}`,
    `key=cache.cache_page.${digest.slice(0, 32)}.${digest.slice(32)}.en-us`,
  ],
  'calls cut at their first comma': [
    'password: argon2id(m=65536, t=3, p=4)',
    'password: scrypt(N=2^17,r=8,p=1)',
    'password: $argon2id$v=19$m=65536,t=3,p=4',
    "UPDATE users SET password = crypt($1, gen_salt('bf', 12))",
    'token = base64url(HMAC-SHA256(key, header || "." || payload))',
  ],
  'variables and names in code': [
    'pass: compositePass2D',
    'pass: ShadowMap3x3',
    '"pass": "Bloom2D"',
    'const o = { password: rawInput2, token: nextToken3 }',
    'x("app.auth.Argon2PasswordHasher", "app.auth.PBKDF2PasswordHasher")',
    '["password", "token2fa"]',
    '[--password PASSWORD1 [PASSWORD2 ...]]',
    '{"a": "x/token-svc"},"image":{"digest":"sha256:0a1b2c3d4e5f"}',
  ],
  'passwords that spell what they are': [
    `password: ${['P@ss', 'w0rd'].join('')}`,
    `Password: "${['Passw', '0rd!'].join('')}"`,
    `MSSQL_SA_PASSWORD=${['yourStrong(!)', 'Password'].join('')}`,
    `password='${['S3cr', '3t!'].join('')}'`,
    `DB_PASSWORD=${['Pa$$', 'w0rd123'].join('')}`,
    `SA_PASSWORD: "${['YourStrong@', 'Passw0rd'].join('')}"`,
  ],
  'what counts up': [
    `PASSWORD_CHARS=${['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'].join('')}`,
    `api_key: ${['0123456789abcdef', '0123456789abcdef'].join('')}`,
  ],
  'accounts on a chain of blocks': [`To (USDC token): 0x${digest.slice(0, 40)}`, `"token": "0x${digest.slice(0, 40)}"`],
  'code and options behind a name': [
    '.icon-pass:before,.icon-x:before{content:"x9"}',
    'LainiaKey=18683?LainiaName=Two4?Lainia=x7',
    'for(;r!==null;){if(r.key===l)if(r.tag===4&&r.info===o.info){n(e,r.b2)}}',
    'function verify(getKey: JWTVerifyGetKey<KeyType2>): void',
    'git commit token 3f2a1b4c5d6e7f8091a2b3c4d5e6f708192a3b4c',
    'the Bearer authentication2024 scheme',
    'author: pass:stage1',
  ],
  'passes and numbers': [
    'HumanEval pass: 131/164',
    'Boarding pass: LH1234',
    'season pass: 2026/27',
    'next pass: shadowMap4x',
    'Password <span class="hint">(min. 8)</span>',
  ],
  'links, pictures and files': [
    `![token flow](data:image/png;base64,${base64}${base64})`,
    `MD5 (token.json) = ${digest.slice(0, 32)}`,
  ],
  'messages of OpenPGP': [`"token": "${['wcF', 'MA'].join('')}${base64}${base64}"`],
  'versions and times': ['token: v2.1.0-rc.3+g1a2b3c4', 'secret: 3.3.3-1~bpo12+1', 'pwdChangedTime: 20261103101112Z'],
  'ids of users': [`level=warn msg="password check failed" user_id=${uuid}`],
  'receipts of queues': [`"ReceiptHandle":"${['AQ', 'EB'].join('')}${base64.repeat(4)}=="`],
  'lists of names': ['    "c_size_t", "c_int8_t", "token",\n    "c_int16_t", "c_int32_t", "c_int64_t",\n'],
}

/** The same shapes with something that is a secret. */
const secrets: readonly string[] = [
  '"password": "xK9# mQ2v 7Tpz"',
  '"password": "Zürich-7q#Lm2"',
  `create user app identified by ${'Tr0ub'}4dorX;`,
  `ALTER USER app IDENTIFIED BY "${'qP7x'}-Lm2Zt9"`,
  'user,password,role\nada,hX7#pLq2vN,admin\n',
  `clientToken=${base64}`,
  `https://cdn.internal/x?Expires=1&Signature=${base64}&Key-Pair-Id=K1`,
  `{ user: app, password: ${noise(605, 12)}7, port: 1 }`,
  `password: ${noise(606, 5)}(${noise(607, 6)}4`,
  `if (x.password.equals("${noise(608, 12)}7"))`,
  `export SMTP_PASSWORD='${noise(609, 4)}\`${noise(611, 6)}4\`${noise(612, 4)}'`,
  `<settingsSecurity><master>{${noise(613, 31)}}</master></settingsSecurity>`,
  `DB_PASSWORD='/${noise(614, 4)}7Qx/${noise(615, 8)}'`,
  'password: Kestrel-P@ss-8841',
]

describe('what only stands under a telling name', () => {
  for (const [what, texts] of Object.entries(lines))
    test.each(texts)(`is no secret among ${what}: %j`, (text) => {
      expect(findSecrets(text).map(({ rule, value }) => `${rule} ${value}`)).toEqual([])
    })

  test.each(secrets)('is a secret where it is made like one: %j', (text) => {
    expect(findSecrets(text)).not.toEqual([])
  })
})
