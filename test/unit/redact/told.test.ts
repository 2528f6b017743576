/** Passwords as people choose them, and keys by their form, in the sentences in which people give them to an agent. */
import { describe, expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'

const chosen = [
  'Wombat4821',
  'Dragon77!',
  'hunter2-Wombat-77',
  'mango-Castle-tiger42',
  'RocketFalcon31',
  'Tiger@Pepper88',
  'Fa1c0n#9x',
  'q7Rw-2vKx-Ty',
]
/** One word and a number, which is the name of something whenever a sentence leaves a doubt. */
const numbered = ['wombat77', 'falcon2031']

/** `‹›` is the place of the password. */
const sure = [
  'my password is ‹›',
  'My password is ‹›.',
  'password is: ‹›',
  'the password for the server is `‹›`',
  'Your new password is:\n\n    ‹›\n',
  'Das Passwort lautet:\n‹›',
  'client.username_pw_set("ada", "‹›")',
  'the password of the old box was ‹›, I think',
  'password will be ‹›',
  'the password should now be ‹›',
  'change the password to "‹›"',
  'the password has been changed to ‹›',
  'the password was changed from ‹› to another one',
  'the key passphrase is ‹›',
  'the sudo pw is ‹›',
  "the password's ‹›",
  'use password ‹› for the box',
  'log in with password ‹›',
  'the new password ‹› works',
  'enter ‹› as password',
  'type ‹› when it asks for the password',
  'answer ‹› at the sudo password prompt',
  'it will ask for a password, it is ‹›',
  'when prompted for the password use ‹›',
  'password prompt: ‹›',
  '‹› is my password',
  '"‹›" is the sudo password',
  '‹› (password)',
  'das Passwort für den Server lautet ‹›',
  'le mot de passe est ‹›',
  'la contraseña es ‹›',
  'a senha é ‹›',
  'пароль — ‹›',
  'パスワードは‹›です',
  '密码是‹›',
  '비밀번호는 ‹›',
  'credentials: ada / ‹›',
  'login is ada / ‹›',
  'log in with ada / ‹›',
  'sign in using ada@example.com / ‹›',
  'you can log in as ada with ‹›',
  'basic auth ada:‹›',
  'WiFi: Attic / ‹›',
  'sign in as ada@example.com with ‹›',
  'try ‹› for the password',
  'das neue Passwort wäre ‹›',
  'mdp : ‹›',
  'identifiants : ada / ‹›',
  'пароль от базы: ‹›',
  'пароль такой: ‹›',
  '用密码‹›登录',
  '账号ada，密码‹›，登录后台',
  'パスワードを‹›に変更しました',
  'PW：‹›',
  '“password”: “‹›”',
]
const doubtful = [
  'Das Passwort vom Server: ‹›',
  'Das Passwort von Ada: ‹›',
  'password ‹›',
  'password - ‹›',
  'test account: ada@example.com / ‹›',
  'Melde dich mit ada und ‹› an',
  'the password was forgotten, but is now ‹›',
  'login ada:‹› works',
  'Staging login:\n  ada\n  ‹›\n',
  'пароль от базы ‹›',
  'senha do banco: ‹›',
]

/** Sentences about passwords that contain none. */
const harmless = [
  'The password is required.',
  'The password is hashed with argon2id.',
  'the password is sha256-hashed before it is stored',
  'password is base64',
  'The password will be encrypted with AES256.',
  'password was changed to be optional in v2.14.0',
  'the password should be at least 12 characters',
  'set the password to null',
  'the password is `process.env.DB_PASSWORD2`',
  'the password for the server is in 1Password',
  'token2 is the password field',
  'use validator2 for the password field',
  'I pass it to formatName2 later',
  'pass force_zip64 to use that format',
  'when it asks for the password use the keychain',
  'log in with GitHub / Google',
  'Login: staging / production',
  'User: read / write2',
  'enter user_name2 as the password hash column',
  'password, email2, phone',
  'The password is either empty or encrypted with AES256.',
  'the password was optional but is now required',
  'пароль от сервера ubuntu22',
  'логин и пароль для user123',
  '用户名和密码user2都不能为空',
  'パスワードをhash2に変換する',
  'docker run --user node:node22 shop',
  'Login:\nname\nlast-name2\n',
  'login system:masters2',
]

const found = (text: string): string[] => findSecrets(text).map(({ value }) => value)

describe('a password in a sentence', () => {
  test.each(sure)('is found: %s', (frame) => {
    for (const password of [...chosen, ...numbered])
      expect(found(frame.replace('‹›', password)), password).toEqual([password])
  })

  test.each(doubtful)('is found if it is more than a word and a number: %s', (frame) => {
    for (const password of chosen) expect(found(frame.replace('‹›', password)), password).toEqual([password])
  })

  test.each(harmless)('is not assumed in: %s', (text) => expect(found(text)).toEqual([]))
})

describe('a password for a program', () => {
  test.each([
    'mosquitto_passwd -b passwords ada ‹›',
    'doveadm pw -p ‹›',
    'slappasswd -s ‹›',
    'govc about -u ada -p ‹›',
    'pdbedit -a ada <<< ‹›',
    'requirepass ‹›',
    'bcrypt.hashSync("‹›", 10)',
    "password_hash('‹›', PASSWORD_DEFAULT)",
  ])('is found: %s', (command) => {
    for (const password of [...chosen, ...numbered])
      expect(found(command.replace('‹›', password)), password).toEqual([password])
  })
})

describe('a key in a sentence', () => {
  const keys = ['4b7f19c2-8d3e-4a61-9f05-c2d7e81b3a90', 'X4R7T-9QK2M-B8WZ3-LH5VD']

  test.each([
    'A chave da API é ‹›',
    'API密钥是‹›',
    'APIキーは‹›です',
    'token - ‹›',
    'my api key is ‹›',
    'the session token is ‹›',
    '‹› is the API key',
    'use ‹› as the api key',
    'activation key ‹›',
    'application key: ‹›',
    '| API key | ‹› |',
    'API_KEY    ‹›',
    '#define API_KEY "‹›"',
  ])('is found as a UUID and in groups: %s', (frame) => {
    for (const key of keys) expect(found(frame.replace('‹›', key)), key).toEqual([key])
  })

  test.each([
    'the cache key is ‹›',
    'thread ‹›',
    'the public key is ‹›',
    'token type SHA256-RSA204-PKCS15',
    'the token id is ‹›',
  ])('is not assumed in: %s', (frame) => {
    for (const key of keys) expect(found(frame.replace('‹›', key)), key).toEqual([])
  })
})
