/** Secrets in what programs print, quote and pack, one inside another. */
import { describe, expect, test } from 'vitest'
import { personalDefaults } from '../../../src/config/personal.ts'
import { redactor } from '../../../src/redact/redactor.ts'
import { personalSearch } from '../../../src/survey/privacy.ts'
import { noise } from '../../helpers/planted.ts'

/** The secret, and a text that reveals it. */
const statements: readonly (readonly [kind: string, secret: string, text: string])[] = [
  ['token', ['gh', 'p_', noise(401, 36)].join(''), 'run with ‹› now'],
  ['variable', noise(402, 24), 'DB_PASSWORD=‹›'],
  ['JSON', noise(403, 32), '{\n  "host": "db",\n  "api_key": "‹›",\n  "x": 1\n}'],
  ['YAML', noise(404, 32), 'auth:\n  password: ‹›\n  user: ada'],
  ['address', noise(405, 20), 'DATABASE_URL=postgres://app:‹›@db.internal/shop'],
  ['header', noise(406, 40), 'curl -H "Authorization: Bearer ‹›" https://api.example.com/v1'],
  ['code', noise(407, 28), "const stripeSecret = '‹›';"],
  ['profile', noise(408, 40), `aws_access_key_id = AK${'IA'}QWERTYUIOPASDFGH\naws_secret_access_key = ‹›`],
  ['cookie', noise(409, 32), 'Cookie: sid=‹›; theme=dark'],
]
const frames = ['‹›', 'services:\n  web:\n    image: shop:1.4\n‹›\nLOG_LEVEL=debug\nPORT=8080\n']

type Wrapper = (text: string) => string

const lines =
  (write: (line: string, number: number) => string): Wrapper =>
  (text) =>
    text
      .split('\n')
      .map((line, index) => write(line, index + 1))
      .join('\n')
const escaped = (text: string, sign: string): string => text.replaceAll(sign, `\\${sign}`)
const asPage: Wrapper = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const ofLines: Readonly<Record<string, Wrapper>> = {
  'added lines': lines((line) => `+${line}`),
  'removed lines': lines((line) => `-${line}`),
  'cat -n': lines((line, number) => `${String(number).padStart(6)}\t${line}`),
  'cat -A': lines((line) => `${line}$`),
  'grep -n': lines((line, number) => `src/app.env:${number}:${line}`),
  'rg -C': lines((line, number) => `src/app.env-${number}-${line}`),
  indent: lines((line) => `      ${line}`),
  quotation: lines((line) => `> ${line}`),
  box: lines((line) => `│ ${line.padEnd(60)} │`),
  table: lines((line) => `| ${line.padEnd(60)} |`),
  'docker compose': lines((line) => `web-1  | ${line}`),
  log: lines((line) => `[INFO] 2026-03-04 05:06:07 - ${line}`),
  journal: lines((line) => `Mar 04 05:06:07 host app[123]: ${line}`),
  'git blame': lines((line, number) => `a1b2c3d4 (Ada 2026-03-04 05:06:07 +0000 ${number}) ${line}`),
  list: lines((line) => `- ${line}`),
  bold: lines((line) => `**${line}**`),
  'code of Markdown': lines((line) => `\`${line}\``),
  comment: lines((line) => `// ${line}`),
  gron: lines((line) => `json.lines[0] = ${JSON.stringify(line)};`),
  colour: lines((line) => `\u001B[32m${line}\u001B[0m`),
}
const ofTexts: Readonly<Record<string, Wrapper>> = {
  JSON: (text) => JSON.stringify({ output: text, metadata: { exit_code: 0 } }),
  notebook: (text) =>
    JSON.stringify(
      text.split('\n').map((line) => `${line}\n`),
      undefined,
      1,
    ),
  'list of Python': (text) =>
    `[${text
      .split('\n')
      .map((line) => `'${escaped(line, "'")}'`)
      .join(', ')}]`,
  'bytes of Python': (text) => `b'${escaped(escaped(text, '\\'), "'").replaceAll('\n', '\\n')}'`,
  SQL: (text) => `INSERT INTO notes VALUES (7, '${text.replaceAll("'", "''")}');`,
  CSV: (text) => `id,note\n7,"${text.replaceAll('"', '""')}"\n`,
  XML: (text) => `<note>${asPage(text)}</note>`,
  page: (text) => `<pre><code>${asPage(text)}</code></pre>`,
  'here document': (text) => `cat > .env <<'EOF'\n${text}\nEOF`,
  shell: (text) => `bash -lc ${JSON.stringify(text)}`,
  'quotes of a shell': (text) => `bash -lc '${text.replaceAll("'", String.raw`'\''`)}'`,
  'block of YAML': (text) => `data: |\n${lines((line) => `  ${line}`)(text)}\n`,
  patch: (text) => `*** Begin Patch\n*** Add File: a.env\n${lines((line) => `+${line}`)(text)}\n*** End Patch`,
  'joined strings': (text) =>
    text
      .split('\n')
      .map((line) => JSON.stringify(`${line}\n`))
      .join(' +\n  '),
  'returns and line ends': (text) => text.replaceAll('\n', '\r\n'),
}
const wrappers = Object.entries({ ...ofLines, ...ofTexts })

/** Whether at least half of the pieces of a secret that occur in a text are still in it after redaction. */
function isLeft(secret: string, text: string): boolean {
  const pieces = Array.from({ length: secret.length - 7 }, (_, index) => secret.slice(index, index + 8))
  const shown = pieces.filter((piece) => text.includes(piece))
  const redacted = redactor().text(text)
  expect(shown, text).not.toEqual([])
  return shown.filter((piece) => redacted.includes(piece)).length * 2 > shown.length
}

describe.each(statements)('a %s', (_, secret, statement) => {
  const texts = frames.map((frame) => frame.replace('‹›', statement.replace('‹›', secret)))

  test('is found in what any two tools wrote, one inside the other', () => {
    const missed: string[] = []
    for (const [inner, first] of wrappers)
      for (const [outer, second] of wrappers)
        for (const text of texts)
          if (inner !== outer && isLeft(secret, second(first(text)))) missed.push(`${inner} in ${outer}`)
    expect(missed).toEqual([])
  })
})

/** Changes of the characters of a text, not of its surroundings. */
const encodings: Readonly<Record<string, Wrapper>> = {
  'non-breaking spaces': (text) => text.replaceAll(' ', '\u00A0'),
  'wide spaces': (text) => text.replaceAll(' ', '\u3000'),
  'printf %q': (text) => text.replaceAll(/[^\w\n./:@%+=-]/g, String.raw`\$&`),
  'a form': (text) => `body=${encodeURIComponent(text).replaceAll('%20', '+')}&x=1`,
  'a page in a form': (text) => `body=${encodeURIComponent(asPage(text)).replaceAll('%20', '+')}&x=1`,
  'a string in an address': (text) => encodeURIComponent(JSON.stringify(text)),
  'colours in an address': (text) =>
    encodeURIComponent(text.replaceAll(/[A-Za-z][\w.-]+(?=[:= ])/g, '\u001B[36m$&\u001B[39m')),
  'colours without escape characters': (text) =>
    text.replaceAll(/(?<![\w/])[A-Z_a-z]+(?=[:= "])|(?<=": )"\w+"/g, '[0;32m$&[0m'),
  'colours as cat -v shows them': (text) => text.replaceAll(/[A-Z_a-z]+(?=[:= "])/g, '^[[1;34m$&^[[0m'),
  'a terminal of 80 columns': (text) =>
    lines((line) => line.replaceAll(/.{80}(?=.)/g, '$&\n'))(`${'$ '.padEnd(76, '.')}${text}`),
}

describe.each(statements)('a %s in other characters', (kind, secret, statement) => {
  test.each(Object.entries(encodings))('is found through %s', (name, change) => {
    const text = change(frames[1]?.replace('‹›', statement.replace('‹›', secret)) ?? '')
    expect(isLeft(secret, text), `${kind}, ${name}`).toBe(false)
  })
})

/**
 * Values that only their names reveal: one of letters and digits, one with characters that quotes and escapes change.
 */
const named: readonly (readonly [kind: string, value: string])[] = [
  ['of letters and digits', noise(410, 24)],
  ['with signs', String.raw`k7Rw2#xq'9L"m4&p$Qz8\t5`],
]

describe.each(named)('a value %s that another text revealed', (_, value) => {
  /** Pieces of five characters of the value that no writing changes, to see what is left of it. */
  const pieces = Array.from({ length: value.length - 4 }, (_piece, index) => value.slice(index, index + 5)).filter(
    (piece) => /^[A-Za-z0-9]+$/.test(piece),
  )
  const leftOf = (text: string): string[] => {
    const session = redactor()
    session.beginPassage('page')
    const first = session.text(JSON.stringify({ user: 'ada', password: value }))
    expect(first).toContain('[redacted:')
    const redacted = session.text(text)
    return pieces.filter((piece) => text.includes(piece) && redacted.includes(piece))
  }

  test('is found in what any two tools wrote, one inside the other', () => {
    const missed: string[] = []
    for (const [inner, first] of wrappers)
      for (const [outer, second] of wrappers)
        if (inner !== outer && leftOf(second(first(`we use ${value} here`))).length > 0)
          missed.push(`${inner} in ${outer}`)
    expect(missed).toEqual([])
  })

  test.each(Object.entries(encodings))('is found through %s', (_name, change) => {
    expect(leftOf(change(`we use ${value} here`))).toEqual([])
  })

  test('is found if a search highlighted a part of it', () => {
    const [head, tail] = [value.slice(0, 9), value.slice(9)]
    expect(leftOf(`${head}\u001B[01;31m\u001B[K${tail}\u001B[m\u001B[K`)).toEqual([])
    expect(leftOf(`<span>${head}</span>${tail}`)).toEqual([])
  })
})

/** Texts that reveal a user whose name is known from the folder of the session. */
const ofUsers: readonly (readonly [kind: string, text: string])[] = [
  ['prompt', 'quentinz@buildbox17:~/shop$ ls'],
  ['home folder', 'Reading /home/quentinz/shop/src/app.ts now'],
  ['home folder of Windows', String.raw`type C:\Users\quentinz\AppData\x.txt`],
  ['long listing', 'drwxr-xr-x  5 quentinz staff  160 Mar  4 05:06 src'],
  ['environment', 'SHELL=/bin/bash\nUSER=quentinz\nLOGNAME=quentinz'],
  ['login', 'ssh quentinz@10.0.0.7 uptime'],
]

describe.each(ofUsers)('the name of a user in a %s', (_, statement) => {
  test('is replaced in what any two tools wrote, one inside the other', () => {
    const missed: string[] = []
    for (const [inner, first] of wrappers) {
      for (const [outer, second] of wrappers) {
        const session = redactor(personalSearch({ ...personalDefaults }, '/home/builder')())
        session.learn(['/home/quentinz/shop'], [])
        if (session.text(second(first(statement))).includes('quentinz')) missed.push(`${inner} in ${outer}`)
      }
    }
    expect(missed).toEqual([])
  })
})

test('lines of prose of equal width keep their line breaks', () => {
  const prose =
    'Each request is signed, and what the server gives for the signature is the token\nwhich later requests carry; without it, each of them is asked to sign in with a\npassword that the account holds.'
  expect(redactor().text(prose)).toBe(prose)
})
