/** What is around a secret in prose, Markdown, markup, shells and terminals does not hide it. */
import { expect, test } from 'vitest'
import { kinds } from '../../../src/redact/kinds/kinds.ts'
import { redactor } from '../../../src/redact/redactor.ts'
import { planted } from '../../helpers/planted.ts'
import { sampleOf } from '../../helpers/token-samples.ts'

/** `‹›` is the place of the secret. */
const surroundings: readonly string[] = [
  '\n‹›\n',
  '"‹›"',
  '`‹›`',
  '**‹›**',
  '*‹›*',
  '_‹›_',
  '__‹›__',
  '___‹›___',
  '~~‹›~~',
  '(‹›)',
  '[‹›]',
  '{‹›}',
  '<‹›>',
  '<code>‹›</code>',
  '<!--‹›-->',
  '&quot;‹›&quot;',
  '「‹›」',
  '“‹›”',
  '，‹›，',
  '：‹›。',
  '值‹›值',
  '값은‹›입니다',
  '– ‹› –',
  '…‹›…',
  '- ‹›',
  '1. ‹›\n',
  '> ‹›\n',
  '| ‹› |',
  '# ‹›\n',
  '// ‹›\n',
  '/*‹›*/',
  '\u001B[31m‹›\u001B[0m',
  '\\u001b[31m‹›\\u001b[0m',
  '\\"‹›\\"',
  '\\n‹›\\n',
  '%20‹›%20',
  '\u200B‹›\u200B',
  '$‹›',
  '>>>‹›<<<',
  'Run:‹›;',
]

const samples = [
  ...planted(3),
  ...kinds.map(({ id, vendor, what, form }, index) => {
    const secret = sampleOf(form, index + 5)
    return { kind: `${vendor}, ${what}`, rule: id, secret, text: secret }
  }),
]
const replaces = (text: string, secret: string): boolean => !redactor().text(text).includes(secret)
/** Short samples may look like words by chance, whatever surrounds them, and are left out here. */
const found = samples.filter(({ text, secret }) => replaces(text, secret))

test('nearly all samples are found if nothing surrounds them', () => {
  expect(found.length).toBeGreaterThan(samples.length - 5)
})

test.each(surroundings.map((around) => [JSON.stringify(around), around]))('%s does not hide a secret', (_, around) => {
  const missed = found.filter(
    ({ text, secret }) => !replaces(`look at ${around.replace('‹›', () => text)} please`, secret),
  )
  expect(missed.map(({ kind }) => kind)).toEqual([])
})

const key = Array.from({ length: 3 }, (_, line) => sampleOf('{b:64}', line + 40)).join('\n')
const frame = (dashes: string, kind: string): string =>
  `${dashes}BEGIN ${kind}${dashes}\n${key}\n${dashes}END ${kind}${dashes}`

test.each([
  ['of four dashes', frame('---- ', 'SSH2 ENCRYPTED PRIVATE KEY')],
  ['of long dashes', frame('—', 'RSA PRIVATE KEY')],
  ['without an end', frame('-----', 'RSA PRIVATE KEY').slice(0, 170)],
  ['without dashes, on one line', `BEGIN EC PRIVATE KEY ${key.replaceAll('\n', ' ')} END EC PRIVATE KEY`],
  ['with a heading', `BEGIN RSA PRIVATE KEY\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n${key}`],
  ['of PuTTY, cut off', `PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPrivate-Lines: 14\n${key}`],
])('no line of a key in a frame %s is left', (_, text) => {
  const out = redactor().text(`The key:\n${text}\nworks.`)
  for (const line of key.split('\n')) if (text.includes(line)) expect(out).not.toContain(line)
})

test('a key that ends with its data centre is found even if a dash follows', () => {
  const key = sampleOf('{h:32}', 77)
  expect(redactor().text(`key ${key}-us12-archive and ${key}-us12-`)).not.toContain(key)
})

test('a table is read by its rule even if words precede its heading', () => {
  const out = redactor().text('Users are: | name | password |\n|---|---|\n| ada | kT7rw2Qm9xLp |\n')
  expect(out).not.toContain('kT7rw2Qm9xLp')
})
