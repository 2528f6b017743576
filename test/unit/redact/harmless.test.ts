import { describe, expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'
import { tellingNames } from '../../helpers/telling-names.ts'

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
