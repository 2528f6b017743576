/** Tokens as they come through terminals, pages, addresses and dumps. */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { noise } from '../../helpers/planted.ts'
import { piecesOf } from '../../helpers/secret-rows.ts'

const redacted = (text: string): string => redactor().text(text)
const token = ['gh', 'p_', noise(201, 36)].join('')
const [head, tail] = [token.slice(0, 20), token.slice(20)]

function dump(bytes: Buffer): string {
  const lines = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, line) => {
    const part = bytes.subarray(line * 16, line * 16 + 16)
    const words = (part.toString('hex').match(/.{1,4}/g) ?? []).join(' ')
    return `${(line * 16).toString(16).padStart(8, '0')}: ${words.padEnd(39)}  ${part.toString('latin1')}`
  })
  return lines.join('\n')
}

describe.each([
  ['a box', `+------+\n| ${head} |\n| ${tail} |\n+------+`],
  ['a box of lines', `│ ${head} │\n│ ${tail} │`],
  ['an indent', `Key:\n  ${head}\n  ${tail}\ndone`],
  ['a comment', `# ${head}\n# ${tail}`],
  ['a quotation', `> ${head}\n> ${tail}`],
  ['numbered lines', `  1\t${head}\n  2\t${tail}`],
  ['a backslash at the end of a line', `x ${head}\\\n${tail} -o y`],
  ['a zero-width character', `${head}\u200B${tail}`],
  ['a soft hyphen', `${head}\u00AD${tail}`],
  ['a word joiner', `${head}\u2060${tail}`],
  ['a variation selector', `${head}\uFE0F${tail}`],
  ['a combining joiner', `${head}\u034F${tail}`],
  ['a tag', `${head}\u{E0041}${tail}`],
  ['an invisible letter', `${head}\u3164${tail}`],
  ['a vowel separator', `${head}\u180E${tail}`],
  ['a change of direction', `${head}\u202E${tail}`],
  ['an escape of Rust', token.replace('_', '\\u{5f}')],
  ['zero bytes', token.split('').join('\0')],
  ['a backspace', `${head}x\b${tail}`],
  ['an escape of Markdown', token.replace('_', '\\_')],
  ['an escape of an address', token.replace('_', '%5F')],
  ['an escape of an escape of an address', token.replace('_', '%255F')],
  ['an entity', token.replace('_', '&#95;')],
  ['a named entity', token.replace('_', '&lowbar;')],
  ['base64', Buffer.from(token).toString('base64')],
  ['JSON in base64', Buffer.from(JSON.stringify({ a: 1, t: token })).toString('base64')],
  ['hexadecimal digits', Buffer.from(token).toString('hex')],
  ['literals joined over lines', `const key = '${head}' +\n  '${tail}'`],
  ['literals joined at the beginning of a line', `const key = "${head}"\n  + "${tail}"`],
  ['literals joined in one line', `key := "${head}" + "${tail}"`],
  ['literals one below the other', `KEY = (\n    '${head}'\n    '${tail}'\n)`],
  ['literals joined by a backslash', `KEY = "${head}" \\\n  "${tail}"`],
  ['a dump', dump(Buffer.from(`${token}\n`))],
  ['the token itself', `${token}${token}`],
])('a token that comes through %s', (_, text) => {
  test('is found', () => {
    const found = redacted(`before\n${text}\nand after that`)
    // Where the token is spelled in another way, nothing of that must be left either.
    for (const part of text.includes(head) ? [token] : [token, text])
      expect(piecesOf(part, 8).filter((piece) => found.includes(piece))).toEqual([])
    expect(found).toContain('[redacted:')
    expect(found.startsWith('before\n') && found.endsWith('\nand after that')).toBe(true)
  })
})

describe.each([
  ...['k', 'prefix_', 'my-', '0.1-', '+', '%22', 'x=%3D'],
  'https://x.internal/19967526-a-page-with-a-long-name-of-words-',
  `${noise(205, 40, '0123456789abcdef')}-`,
  'the_name_of_a_variable_with_many_words_',
])('a token after %j', (before) => {
  test.each([
    ['OpenAI', ['s', 'k-proj-', noise(202, 48)].join('')],
    ['Hugging Face', ['h', 'f_', noise(203, 34)].join('')],
    ['AWS', ['AK', 'IA', noise(204, 16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')].join('')],
  ])('is found if it is of %s', (_, own) => {
    expect(redacted(`${before}${own} x`)).not.toContain(own.slice(-10))
  })
})

test.each(['task-runner-with-many-words-in-it', 'half_finished_feature_of_the_year', 'disk-3f2b8c1e7a544d0e9c8b2f6a'])(
  '%s is no token',
  (text) => {
    expect(redacted(text)).toBe(text)
  },
)

describe('the line after a complete token', () => {
  test.each([
    ['a commit', noise(205, 40, '0123456789abcdef')],
    ['a public key', ['pk', '_live_', noise(206, 24)].join('')],
  ])('is kept if it is %s', (_, below) => {
    expect(redacted(`${token}\n${below}\n`)).toBe(`[redacted:github-token]\n${below}\n`)
  })
})

/** Tokens with beginnings that are short, or words. */
const shortTokens = [
  ['dapi', noise(207, 32, '0123456789abcdef')].join(''),
  ['h', 'f_', noise(208, 34)].join(''),
  ['S', 'G.', noise(209, 22), '.', noise(210, 43)].join(''),
  ['AI', 'za', noise(211, 35)].join(''),
]

describe.each(shortTokens)('a token with a short beginning (%#)', (own) => {
  test.each([
    ['base64', (text: string) => `blob: ${Buffer.from(text).toString('base64')}`],
    ['base64 with a line end', (text: string) => `echo ${Buffer.from(`${text}\n`).toString('base64')} | base64 -d`],
    ['hexadecimal digits', (text: string) => `0x${Buffer.from(text).toString('hex')}`],
    [
      'JSON in base64',
      (text: string) => Buffer.from(JSON.stringify({ user: 'ada', credential: text })).toString('base64'),
    ],
    [
      'state of an address',
      (text: string) => `?state=${Buffer.from(JSON.stringify({ c: text })).toString('base64url')}&x=1`,
    ],
    ['an env file in base64', (text: string) => Buffer.from(`PORT=80\nAPI_TOKEN=${text}\nMODE=x\n`).toString('base64')],
  ])('is found through %s', (_, put) => {
    const text = put(own)
    const run = /[A-Za-z0-9+/_-]{40,}/.exec(text)?.[0] ?? text
    expect(redacted(text)).not.toContain(run.slice(-16))
  })
})

test('a password without a form of its own is found in JSON and YAML in base64', () => {
  for (const text of [
    JSON.stringify({ user: 'ada', password: `${noise(212, 14)}4#` }),
    `user: ada\npassword: ${noise(213, 14)}4\n`,
  ]) {
    const encoded = Buffer.from(text).toString('base64')
    expect(redacted(`data: ${encoded}\nx: 1`)).toBe('data: [redacted:named-secret]\nx: 1')
  }
})

test.each([
  JSON.stringify({ version: 3, sources: ['src/token.ts'], names: ['tokenize', 'secretOf', 'password'] }),
  'token: $TOKEN\nsecret: <your-secret>\npassword: changeme\n',
])('base64 of %j is not redacted', (text) => {
  const encoded = Buffer.from(text).toString('base64')
  expect(redacted(encoded)).toBe(encoded)
})

describe('a token that must begin a word', () => {
  const word = ['s', 'k_', noise(203, 48, '0123456789abcdef')].join('')

  test.each(['\\u001b[1m', '\\x22', '\\u0022', '&#34;'])('is found after %j at the beginning of a text', (before) => {
    expect(redacted(before + word)).not.toContain(word)
    expect(redacted(`x\n${before}${word}`)).not.toContain(word)
  })
})

describe('an encoded text over several lines', () => {
  const value = `${noise(220, 24)}7`
  const broken = (text: string, width: number, indent = ''): string =>
    (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).map((line) => indent + line).join('\n')

  test.each([
    [76, ''],
    [64, ''],
    [76, '    '],
    [60, '  '],
  ])('with lines of %s columns after %j is read as a whole, wherever its lines end', (width, indent) => {
    for (let before = 0; before < 40; before++) {
      const text = Buffer.from(`${'# '.repeat(12)}${'.'.repeat(before)}\nAPI_TOKEN=${value}\nPORT=1\n`).toString(
        'base64',
      )
      expect(redacted(`x\n${broken(text, width, indent)}\ny`)).toBe(`x\n${indent}[redacted:named-secret]\ny`)
    }
  })

  test('in hexadecimal digits is also read as a whole', () => {
    const text = Buffer.from(`# settings\nAPI_TOKEN=${value}\n# and no more than that`).toString('hex')
    expect(redacted(broken(text, 60))).toBe('[redacted:named-secret]')
  })

  test('is kept if it contains no secret', () => {
    const text = broken(
      Buffer.from('The token is kept in a vault, and the secret elsewhere. '.repeat(6)).toString('base64'),
      76,
    )
    expect(redacted(text)).toBe(text)
  })
})

describe('a secret that was encoded once more', () => {
  const parts = ['{"alg":"HS256","typ":"JWT"}', `{"sub":"${noise(221, 12)}"}`]
  const signed = [...parts.map((part) => Buffer.from(part).toString('base64url')), noise(222, 43)].join('.')

  test.each(['base64', 'hex'] as const)('is found if it is a signed token in %s', (encoding) => {
    expect(redacted(Buffer.from(`export ${signed}\n`).toString(encoding))).toBe('[redacted:jwt]')
  })

  const value = `${noise(223, 12)}7`
  test.each([
    ['powershell -EncodedCommand ', `$env:DB_PASSWORD = "${value}"`],
    ['pwsh -nop -enc ', `mysql -uroot -p${value} shop`],
    ['pwsh -e ', `git clone https://ada:${value}@git.internal/shop`],
    ['', `Connect-Shop -Password ${value}`],
  ])('is found in a PowerShell command after %j', (before, script) => {
    const text = redacted(before + Buffer.from(script, 'utf16le').toString('base64'))
    expect(text).toMatch(new RegExp(`^${before}\\[redacted:[a-z-]+\\]$`))
  })
})

describe('an address with a password', () => {
  const password = `${noise(226, 14)}7`
  const schemes = ['postgres', 'postgresql', 'mysql', 'mongodb+srv', 'redis', 'rediss', 'amqp', 'amqps', 'mssql']

  test.each(schemes)('for %s is found in base64 and hexadecimal digits, whatever is before it', (scheme) => {
    for (const before of ['', 'a ', 'ab=', 'URL:  '])
      for (const encoding of ['base64', 'base64url', 'hex', 'HEX'] as const) {
        const text = `${before}${scheme}://app:${password}@db.internal/shop`
        const given = Buffer.from(text).toString(encoding === 'HEX' ? 'hex' : encoding)
        const encoded = encoding === 'HEX' ? given.toUpperCase() : given
        expect(redacted(`echo ${encoded} | decode`), encoding).toMatch(/^echo \[redacted:[a-z-]+\] \| decode$/)
      }
  })
})

test.each(['sk-ant-api03-', 'glpat-', 'xoxb-12345678901-', 'AKIA', 'github_pat_', 'hf_'])(
  'a token that begins with %s is found in base64 of UTF-16',
  (beginning) => {
    for (const before of ['', 'x=', 'it is '])
      for (let seed = 0; seed < 20; seed++) {
        const token = beginning + noise(2300 + seed, beginning === 'AKIA' ? 16 : 40, 'ABCDEFGHJKLMNPQRSTUVWXYZ234567')
        const encoded = Buffer.from(before + token, 'utf16le').toString('base64')
        expect(redacted(`run ${encoded}`), token).not.toContain(encoded)
      }
  },
)

describe('a key block', () => {
  const lines = [0, 1, 2, 3, 4].map((seed) => noise(230 + seed, 64))
  const frame = (rest: readonly string[]): string[] => [
    `-----${'BEGIN'} RSA PRIVATE KEY-----`,
    ...rest,
    `-----${'END'} RSA PRIVATE KEY-----`,
  ]
  const block = frame([...lines, noise(240, 22)])
  const head = ['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,0123456789ABCDEF', '']

  test.each([
    ['as it is', block.join('\n')],
    ['with a head', frame([...head, ...lines]).join('\n')],
    ['with Windows line ends', block.join('\r\n')],
    ['escaped', block.join(String.raw`\n`)],
    ['escaped twice', block.join(String.raw`\\n`)],
    ['in entities', block.join('&#10;')],
    ['indented', block.map((line) => `    ${line}`).join('\n')],
    ['in a diff', block.map((line) => `+${line}`).join('\n')],
    ['with numbers', block.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`).join('\n')],
    ['found by a search', block.map((line, index) => `deploy/key.pem:${index + 1}:${line}`).join('\n')],
    ['as joined literals', block.map((line) => `"${line}\\n" +`).join('\n')],
    ['in a list', block.map((line) => `'${line}',`).join('\n  ')],
    ['in a box', block.map((line) => `│ ${line} │`).join('\n')],
    ['in a comment', block.map((line) => `# ${line}`).join('\n')],
    ['on one line', block.join(' ')],
    ['broken by a terminal', block.flatMap((line) => [line.slice(0, 60), line.slice(60)].filter(Boolean)).join('\n')],
    ['without its end', block.slice(0, 4).join('\n')],
    ['with lines left out', [...block.slice(0, 3), '...', ...block.slice(4)].join('\n')],
  ])('is redacted %s', (_, text) => {
    const result = redacted(`a ${text} z`)
    for (const line of block.slice(1, -1)) expect(result).not.toContain(line.slice(0, 14))
    expect(result).not.toContain('END RSA')
  })

  const code = Array.from({ length: 150 }, (_, index) => `  const value${index} = compute(${index}, "harmless")`).join(
    '\n',
  )
  test.each([
    `if (text.includes('${block[0]}')) {\n${code}\n}\nconst end = '${block.at(-1)}'`,
    `A key begins with ${block[0]} and\n${code}\nends with ${block.at(-1)}.`,
    `['${block[0]}', '${block.at(-1)}']`,
    `${block[0]}\n<your key>\n${block.at(-1)}`,
    `${block[0]}\nlist\nof\nwords\n${block.at(-1)}`,
  ])('that is only mentioned is kept with what follows: %#', (text) => {
    expect(redacted(text)).toBe(text)
  })
})
