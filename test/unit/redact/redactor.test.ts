import { describe, expect, test } from 'vitest'
import { personalDefaults } from '../../../src/config/personal.ts'
import { findSecrets } from '../../../src/redact/find.ts'
import { redactor } from '../../../src/redact/redactor.ts'
import { redactStrings } from '../../../src/redact/strings.ts'
import { personalSearch } from '../../../src/survey/privacy.ts'
import { noise } from '../../helpers/planted.ts'

const token = (seed: number): string => ['gh', 'p_', noise(seed, 36)].join('')

describe('the numbers of secrets', () => {
  test('count the different values of a rule in the order in which they appear', () => {
    const { text } = redactor()
    expect(text(`${token(1)} ${token(2)} ${token(1)}`)).toBe(
      '[redacted:github-token] [redacted:github-token#2] [redacted:github-token]',
    )
    expect(text(token(2))).toBe('[redacted:github-token#2]')
  })

  test('start again in each session', () => {
    expect(redactor().text(token(2))).toBe('[redacted:github-token]')
  })

  test('are the same for a token that was cut, in either order', () => {
    const cut = `${token(2).slice(0, 20)}…`
    const first = redactor()
    expect(first.text(`${token(1)} ${token(2)}`)).toContain('#2')
    expect(first.text(cut)).toBe('[redacted:github-token#2]…')
    const second = redactor()
    expect(second.text(cut)).toBe('[redacted:github-token]…')
    expect(second.text(token(2))).toBe('[redacted:github-token]')
    expect(second.text(token(1))).toBe('[redacted:github-token#2]')
  })

  test('are the same for a token that is broken over lines', () => {
    const { text } = redactor()
    const broken = `${token(3).slice(0, 22)}\n${token(3).slice(22)}\nnext`
    expect(text(token(3))).toBe('[redacted:github-token]')
    expect(text(broken)).toBe('[redacted:github-token]\nnext')
  })
})

test('replacements are counted by rule', () => {
  const own = redactor()
  own.text(`${token(1)} ${token(1)}\nDB_PASSWORD=${noise(5, 12)}`)
  expect(own.counts).toEqual({ 'github-token': 2, 'named-secret': 1 })
})

test('a token that the end of a text cuts is redacted if it has eight characters of its body', () => {
  const { text } = redactor()
  expect(text(token(4).slice(0, 12))).toBe('[redacted:github-token]')
  expect(text(token(4).slice(0, 11))).toBe(token(4).slice(0, 11))
})

test('a line after a complete token is kept, unless it looks like the rest of a key', () => {
  const { text } = redactor()
  const key = ['s', 'k-proj-', noise(6, 60)].join('')
  expect(text(`${key}\nhello there`)).toBe('[redacted:openai-key]\nhello there')
  expect(text(`${key}\n${noise(7, 20)}\nhello`)).toBe('[redacted:openai-key#2]\nhello')
})

test.each([3, 15, 40])('none of %s tokens that are glued together is left', (count) => {
  const keys = Array.from({ length: count }, (_, index) => ['AI', 'za', noise(100 + index, 35)].join(''))
  for (const glue of ['', '/', '_', '\u001B[1m']) {
    const text = redactor().text(`a ${keys.join(glue)} z`)
    for (const key of keys) expect(text).not.toContain(key)
    expect(text.startsWith('a [redacted:google-') && text.endsWith(' z')).toBe(true)
  }
})

test('a long token in a long text is redacted as a whole once it is separated from another', () => {
  const words = 'lorem ipsum dolor '.repeat(300)
  const key = ['AI', 'za', noise(90, 35)].join('')
  const long = ['s', 'k-proj-', noise(91, 450)].join('')
  const text = redactor().text(`${words}${key}/${key}${long}/${long} ${words}`)
  expect(text).not.toContain(noise(91, 450).slice(-20))
  expect(text.startsWith(words) && text.endsWith(` ${words}`)).toBe(true)
})

test('the colours around a secret are kept', () => {
  expect(redactor().text(`\u001B[31m${token(8)}\u001B[0m end`)).toBe('\u001B[31m[redacted:github-token]\u001B[0m end')
})

describe('strings of a value', () => {
  test('are redacted at every depth, including names of fields, but not ids and types', () => {
    const value = { type: token(1), id: token(1), deep: [{ note: `a ${token(1)}`, [token(2)]: 3 }] }
    redactStrings(value, redactor())
    expect(value).toEqual({
      type: token(1),
      id: token(1),
      deep: [{ note: 'a [redacted:github-token]', '[redacted:github-token#2]': 3 }],
    })
  })

  test('lose no field if its name becomes that of another', () => {
    const read = { '/home/ada/x': 1, '~/x': 2, '/home/bob/x': { '/home/ada/y': 3 }, '~/x (2)': 4, '/home/eve/x': 5 }
    redactStrings(read, redactor(personalSearch(personalDefaults, '')()))
    expect(read).toEqual({ '~/x': 2, '~/x (2)': 4, '~/x (3)': 1, '~/x (4)': { '~/y': 3 }, '~/x (5)': 5 })
    const again = structuredClone(read)
    redactStrings(again, redactor(personalSearch(personalDefaults, '')()))
    expect(again).toEqual(read)
  })

  test('are all kept if many fields get the same name', () => {
    const count = 2000
    const many = Object.fromEntries(Array.from({ length: count }, (_, index) => [`/home/u${index}/x`, index]))
    redactStrings(many, redactor(personalSearch(personalDefaults, '')()))
    expect(Object.keys(many)).toHaveLength(count)
    expect(many[`~/x (${count})`]).toBe(count - 1)
  })

  test('are redacted by the name of their field, and after an option in a list', () => {
    const secret = noise(9, 24)
    const value = { password: secret, argv: ['deploy', '--token', secret, '--verbose', 'yes'] }
    redactStrings(value, redactor())
    expect(value).toEqual({
      password: '[redacted:named-secret]',
      argv: ['deploy', '--token', '[redacted:named-secret]', '--verbose', 'yes'],
    })
  })
})

describe('answers that are secret', () => {
  test('get numbered marks like any secret, whatever they look like', () => {
    const { answer, counts } = redactor()
    expect([answer('open sesame'), answer('hush'), answer('open sesame')]).toEqual([
      '[redacted:secret-answer]',
      '[redacted:secret-answer#2]',
      '[redacted:secret-answer]',
    ])
    expect(counts).toEqual({ 'secret-answer': 3 })
  })

  test('are recognised wherever they occur, unless they are short', () => {
    const { answer, text } = redactor()
    answer('open sesame')
    answer('yes')
    expect(text('echo "open sesame" | login --now yes')).toBe('echo "[redacted:secret-answer]" | login --now yes')
  })
})

test('kinds and ids of nodes are kept, except in what was recorded unchanged', () => {
  const secret = token(9)
  const node = {
    type: 'unknown',
    id: 'l4',
    threadId: `0199a434-7c0e-7f27-bf35-403c78c2fa11 ${secret}`,
    recordType: `odd ${secret}`,
    data: {
      sources: [
        { line: 4, kind: 'event_msg/token_count' },
        { line: 5, kind: `odd/${secret}` },
      ],
    },
    payload: { type: secret, id: secret, sources: [secret], kind: 'plain', inner: { type: secret } },
  }
  redactStrings(node, redactor())
  expect(JSON.stringify(node)).not.toContain(secret)
  expect(node).toMatchObject({ type: 'unknown', id: 'l4', payload: { type: '[redacted:github-token]', kind: 'plain' } })
  expect(node.data.sources[0]).toEqual({ line: 4, kind: 'event_msg/token_count' })
})

describe('a text that is repeated', () => {
  test('is not searched again until something is learned', () => {
    const searched: string[] = []
    const { text } = redactor({
      find(given) {
        searched.push(given)
        return findSecrets(given)
      },
    })
    for (const given of ['timestamp', 'echo', 'timestamp', 'echo', 'timestamp']) expect(text(given)).toBe(given)
    expect(searched).toEqual(['timestamp', 'echo'])
  })

  test('is replaced once its value is known', () => {
    const { text, named, beginPassage: passage } = redactor()
    passage('page')
    const value = `${noise(3, 6)}!${noise(4, 6)}?7`
    expect(text(value)).toBe(value)
    named(value, 'DB_PASSWORD')
    expect(text(value)).toBe('[redacted:named-secret]')
  })

  test('is replaced once its name is known', () => {
    const { text } = redactor(personalSearch(personalDefaults, '')())
    expect(text('quendolin')).toBe('quendolin')
    text('quendolin@glimmer:~/shop$ ls')
    expect(text('quendolin')).toBe('user')
  })
})

describe('lines of the same length are not one that a terminal cut', () => {
  const secrets = [61, 62, 63, 64].map((seed) => `${noise(seed, 11)}4+${noise(seed + 10, 13)}`)

  test('if each begins with a variable', () => {
    const text = secrets.map((secret, index) => `DB${index}00_PASSWORD=${secret}`).join('\n')
    expect(redactor().text(text)).toBe(
      [
        'DB000_PASSWORD=[redacted:named-secret]',
        ...[2, 3, 4].map((number) => `DB${number - 1}00_PASSWORD=[redacted:named-secret#${number}]`),
      ].join('\n'),
    )
  })

  test('and each value is known, even if they were redacted as one', () => {
    const own = redactor()
    own.beginPassage('page')
    own.text(secrets.map((secret, index) => `password-${index}-word: ${secret}`).join('\n'))
    for (const secret of secrets) expect(own.text(`It is ${secret} there`)).not.toContain(secret)
  })
})
