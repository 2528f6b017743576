/**
 * Random values of every alphabet, with a name or sentence that says what they are: at most one in a hundred is missed.
 */
import { expect, test } from 'vitest'
import { kinds } from '../../../src/redact/kinds/kinds.ts'
import { redactor } from '../../../src/redact/redactor.ts'
import { noise } from '../../helpers/planted.ts'
import { sampleOf } from '../../helpers/token-samples.ts'

const [small, digits] = ['abcdefghijklmnopqrstuvwxyz', '0123456789']
const capitals = small.toUpperCase()

/** Alphabets of keys and passwords that programs generate, with the length of each. */
const alphabets: Readonly<Record<string, readonly [letters: string, length: number]>> = {
  'letters and digits, 24': [small + capitals + digits, 24],
  'letters and digits, 32': [small + capitals + digits, 32],
  'small letters and digits': [small + digits, 24],
  'hexadecimal digits, 32': [`${digits}abcdef`, 32],
  'hexadecimal digits, 40': [`${digits}abcdef`, 40],
  'hexadecimal digits, 64': [`${digits}abcdef`, 64],
  'base 32': [`${capitals}234567`, 32],
}

/** `‹›` is the place of the value. */
const places: readonly string[] = [
  'Das Passwort für den Server lautet ‹›',
  'La password è `‹›`.',
  "My password's ‹›, thanks",
  'La contraseña del servidor es ‹›.',
  'The admin password changed to ‹›.',
  '密码是‹›',
  'A temporary password is generated for root@localhost: ‹›\n',
  'Password for the [elastic] user successfully reset.\nNew value: ‹›\n',
  "bcrypt.hash('‹›', 10)",
  "Hash::make('‹›')",
  'send "‹›\\r"',
  'API key created: ‹›\n',
  'Token generated: ‹›\n',
  'ENV API_TOKEN ‹›\nCMD x',
  'set -gx API_TOKEN ‹›',
  'setx API_TOKEN ‹›',
  '| DB_PASSWORD | ‹› |',
  'the admin password (‹›) works',
  'API_TOKEN\n‹›\n',
  'smtp.login("ada", "‹›")',
]

test.each(Object.entries(alphabets))('at most one in a hundred values is missed: %s', (_, [letters, length]) => {
  for (const place of places) {
    const values = Array.from({ length: 100 }, (__, seed) => noise(7000 + seed, length, letters))
    const remaining = values.filter((value) =>
      redactor()
        .text(place.replace('‹›', () => value))
        .includes(value),
    )
    expect(remaining.length, `${place}: ${remaining}`).toBeLessThan(2)
  }
})

test('at most three of sixty samples of each token type in the table are missed', () => {
  const remaining = kinds.filter(({ form }) => {
    const samples = Array.from({ length: 60 }, (_, seed) => sampleOf(form, 40 * form.length + seed))
    return samples.filter((token) => redactor().text(`a: ${token}\nb`).includes(token)).length > 3
  })
  expect(remaining.map(({ form }) => form)).toEqual([])
})

test('passwords with punctuation are found, even if it comes first or no digit is among it', () => {
  const alphabet = `${small}${capitals}${digits}!@#$%^&*()_+-=.:?~`
  for (const place of ['{"password": "‹›"}', 'password = "‹›"', "DB_PASSWORD='‹›'\n"]) {
    const values = Array.from({ length: 400 }, (_, seed) => noise(7300 + seed, 20, alphabet)).filter(
      (value) => !/'/.test(value),
    )
    const prefixed = ['@', '%', ':', '&'].flatMap((sign) => values.slice(0, 50).map((value) => sign + value))
    const lettered = Array.from({ length: 200 }, (_, seed) => noise(7900 + seed, 16, `${small}${capitals}!@#%`))
    const remaining = [...values, ...prefixed, ...lettered].filter((value) =>
      redactor()
        .text(place.replace('‹›', () => value))
        .includes(value),
    )
    expect(remaining.length, `${place}: ${remaining}`).toBeLessThan(8)
  }
})

test.each([
  '@types/node-18',
  '%APPDATA%/shop',
  ':password_confirmation',
  '&db-password',
  '$HOME/.ssh/id_ed25519',
  ':py:data:`bytes`',
])('a variable, a reference or a role is no password: %s', (value) => {
  const text = `password: ${value}\nhost: db\n`
  expect(redactor().text(text)).toBe(text)
})

test('a UUID that a shell or an image sets as a token is a secret', () => {
  const uuid = [8, 4, 4, 4, 12].map((length, at) => noise(7100 + at, length, `${digits}abcdef`)).join('-')
  for (const before of ['ENV API_TOKEN ', 'set -gx API_TOKEN ', 'setx API_TOKEN '])
    expect(redactor().text(`${before}${uuid}\n`)).not.toContain(uuid)
})

const chosen = ['Dragon4821!', 'Summer2031', 'Blue-Castle-73', 'Monkey7041!', 'Margaret1987', 'Denver_2040!']

test.each([
  'The password is `‹›`.',
  "My password's ‹›, thanks",
  'Das Passwort für den Server lautet ‹›',
  'The admin password changed to ‹›.',
  'credentials (ada / ‹›)',
  'login: ada / ‹›\n',
  '| DB_PASSWORD | ‹› |',
  'DB_PASSWORD=‹›\nX=1',
  '{"password": "‹›"}',
  "new mysqli('localhost', 'ada', '‹›', 'shop')",
  "bcrypt.hash('‹›', 10)",
])('a word with a number that somebody chose as a password is found: %j', (place) => {
  for (const value of chosen) expect(redactor().text(place.replace('‹›', () => value))).not.toContain(value)
})

test.each([
  'The password is Base64-encoded.',
  'password: mykey2 of the apitoken1',
  'The password is UTF16 text',
  '| password | VARCHAR(255) |',
  "The password's Argon2id hash",
  'Das Passwort für den Server lautet wie-immer',
  'the password is stored in the keychain',
  "The key's Base64URLStringDecoder2 is public",
  'API_TOKEN\nReadableStreamDefaultReader2\n',
  'Key created: 4f1c2b7a9d3e4f1c2b7a9d3e4f1c2b7a\n',
  'ENV API_TOKEN $API_TOKEN',
  'ENV API_TOKEN changeme',
])('nothing is redacted in %j', (text) => {
  expect(redactor().text(text)).toBe(text)
})
