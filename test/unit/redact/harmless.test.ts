import { describe, expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'
import { noise } from '../../helpers/planted.ts'
import { tellingNames } from '../../helpers/telling-names.ts'

const digest = noise(601, 64, '0123456789abcdef')
const base64 = noise(602, 40)

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
  'lists of names': ['    "c_size_t", "c_int8_t", "token",\n    "c_int16_t", "c_int32_t", "c_int64_t",\n'],
}

/** The same shapes with something that is a secret. */
const secrets: readonly string[] = [
  '"password": "xK9# mQ2v 7Tpz"',
  '"password": "Zürich-7q#Lm2"',
  `create user app identified by ${'Tr0ub'}4dorX;`,
  `ALTER USER app IDENTIFIED BY "${'qP7x'}-Lm2Zt9"`,
  'user,password,role\nada,hX7#pLq2vN,admin\n',
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
