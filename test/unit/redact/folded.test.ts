/** YAML scalars that are folded over lines lose all of them, and nothing that follows. */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { noise } from '../../helpers/planted.ts'

const redacted = (text: string): string => redactor().text(text)
const first = `${noise(701, 4)}#7${noise(702, 3)}`
const second = `${noise(703, 3)}9${noise(704, 3)}`

describe.each([
  ['without quotes', 'password: ‹1›\n  ‹2›\nuser: ada\n'],
  ['over three lines', 'password: ‹1›\n  ‹2›\n   ‹2›\nuser: ada\n'],
  ['without quotes, with words between', 'password: ‹1›\n  correct horse\n  ‹2› battery\nuser: ada\n'],
  ['in double quotes', 'password: "‹1›\n  ‹2›"\nuser: ada\n'],
  ['in double quotes, with words between', 'password: "‹1›\n  some more words\n  ‹2›" # why\nuser: ada\n'],
  ['in single quotes', "db:\n  password: '‹1›\n    ‹2›'\n  user: ada\n"],
  ['in a list', 'users:\n- password: ‹1›\n    ‹2›\n  user: ada\n'],
  ['under a quoted key', '"password": ‹1›\n  ‹2›\n"user": ada\n'],
])('a scalar %s', (_how, given) => {
  const text = given.replaceAll('‹1›', first).replaceAll('‹2›', second)

  test('loses all its lines', () => {
    const result = redacted(text)
    expect(result).not.toContain(first)
    expect(result).not.toContain(second)
    expect(result).toMatch(/user"?: ada\n$/)
  })

  test('loses them in an escaped text, too', () => {
    const result = redacted(JSON.stringify({ text }))
    expect(result).not.toContain(first)
    expect(result).not.toContain(second)
    expect(result).toContain('ada')
  })
})

test('line ends of Windows do not end a scalar', () => {
  expect(redacted(`password: ${first}\r\n  ${second}\r\nuser: ada\r\n`)).toBe(
    'password: [redacted:named-secret]\r\nuser: ada\r\n',
  )
})

test.each([
  ['another key', `db:\n  password: ‹›\n    user: ada2-b\n`],
  ['a line that is not indented further', `db:\n  password: ‹›\n  ${second}\n`],
  ['a sentence', 'Password: ‹›\n    Then log in with it.\n'],
  ['a sentence before another key', 'Password: ‹›\n    Then log in with it.\nUser: ada\n'],
  ['words before no key', 'password: ‹›\n  some more words\n\nSee below.\n'],
  ['an address', 'Password: ‹›\n    https://shop.internal/a9\n'],
  ['a comment', 'password: ‹›\n    # changed2\n'],
  ['the next string', 'password: "‹›\n    name: "ada"\n'],
  ['an item of a list', 'password: ‹›\n    - ada2-b\n'],
])('a value does not continue with %s', (_what, given) => {
  expect(redacted(given.replace('‹›', first))).toBe(given.replace('‹›', '[redacted:named-secret]'))
})

test.each([
  ['a folded block', 'password: >-\n  ‹1›\nuser: ada\n'],
  ['a literal block', 'password: |\n  ‹1›\nuser: ada\n'],
  ['a value of several lines', 'password: ‹1›\n  ‹2›\nuser: ada\n'],
])('line ends of Windows in a string do not hide %s', (_how, given) => {
  const text = given.replaceAll('‹1›', first).replaceAll('‹2›', second).replaceAll('\n', '\r\n')
  for (const [value, end] of [
    [JSON.stringify({ text }), /user: ada\\r\\n"\}$/],
    [JSON.stringify(JSON.stringify({ text })), /user: ada\\\\r\\\\n/],
  ] as const) {
    const result = redacted(value)
    expect(result).not.toContain(first)
    expect(result).not.toContain(second)
    expect(result).toMatch(end)
  }
})

describe('a property of several lines', () => {
  test.each(['db.password=', 'db.password = ', '+db.password: '])('after %s loses all of them', (head) => {
    for (const end of ['\n', '\r\n']) {
      const given = `${head}${first}\\${end}    ${second}\\${end}  x${end}db.user=ada${end}`
      expect(redacted(given)).toBe(`${head}[redacted:named-secret]${end}db.user=ada${end}`)
    }
  })

  test('begins below its name', () => {
    expect(redacted(`db.password=\\\n    ${first}\ndb.user=ada\n`)).toBe(
      'db.password=\\\n    [redacted:named-secret]\ndb.user=ada\n',
    )
  })

  test.each(['USER=ada2-b', '--name ada2-b', '&& ada2-b'])('does not continue with %s', (next) => {
    expect(redacted(`DB_PASSWORD=${first}\\\n  ${next}\n`)).toBe(`DB_PASSWORD=[redacted:named-secret]\\\n  ${next}\n`)
  })
})
