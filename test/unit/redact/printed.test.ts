/** Secrets that only what is next to them reveals: what commands print, and what people type when asked for it. */
import { expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { nameOfFile, namesOfPrinted } from '../../../src/redact/rules/printed.ts'
import type { Session } from '../../../src/transcript/trast.ts'
import { noise } from '../../helpers/planted.ts'
import * as r from '../../helpers/records.ts'
import { showFrom, writeHome } from '../../helpers/show.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { useTempDir } from '../../helpers/temp.ts'

const printing: readonly string[] = [
  'printenv DB_PASSWORD',
  'echo $DB_PASSWORD',
  'printf "%s\\n" "$API_TOKEN"',
  'docker exec app printenv API_TOKEN',
  'cat ~/.vault_pass',
  'cat /run/secrets/db',
  'head -1 token.txt',
  'base64 -d < api_key.txt',
  'cat config/master.key',
  'op read op://team/db/field',
  'pass show team/db',
  'kubectl -n app get secret db -o jsonpath={.data.db} | base64 -d',
  'terraform output -raw db_password',
  'heroku config:get SECRET_KEY_BASE -a app',
  'gcloud secrets versions access latest --secret=db',
  'cd deploy && openssl rand -base64 24',
  'jq -r .db.password config.json',
  "awk -F= '/DB_PASSWORD/{print $2}' .env",
  'node -p process.env.DB_PASSWORD',
  'psql -tA -c "select api_token from users limit 1"',
]

const id = threadNumber(1)
const show = async (script: string, output: string): Promise<string> => {
  const records = r.command('c1', script, 0, output)
  const home = writeHome(useTempDir(), { [id]: [r.meta({ id, timestamp: r.instant(0) }), ...records] })
  return (await showFrom(home, id)).text
}

test.each(printing)('the output of `%s` is redacted on a page', async (script) => {
  const secret = noise(script.length, 20)
  const text = await show(script, `${secret}\n`)
  expect(text).toContain('[redacted:')
  expect(text).not.toContain(secret)
})

test('a value that a command printed is known wherever it occurs', async () => {
  const secret = noise(7, 18)
  const records = [
    ...r.command('c1', 'cat ~/.vault_pass', 0, `${secret}\n`),
    ...r.command('c2', `./login ${secret}`, 0, `hello ${secret}`),
  ]
  const home = writeHome(useTempDir(), { [id]: [r.meta({ id, timestamp: r.instant(0) }), ...records] })
  expect((await showFrom(home, id)).text).not.toContain(secret)
})

test.each([
  'cat src/password.ts',
  'cat /etc/passwd',
  'cat rootfs/etc/passwd',
  'cat package.json',
  'echo $HOME',
  'cat docs/secrets/readme.md',
  'cat tokens.txt',
  'git get secrets',
])('`%s` prints no secret', (script) => {
  expect(namesOfPrinted(script)).toBeUndefined()
})

test('all keys in a file of keys are redacted even if it is long, and words in it are kept', async () => {
  const keys = Array.from({ length: 1200 }, (_, index) => `aK7${noise(index + 31, 9)}b2C${noise(index + 9031, 9)}xW5`)
  const text = await show('cat deploy/api_keys.txt', `${keys.join('\n')}\nproduction\n`)
  expect(keys.filter((key) => text.includes(key))).toEqual([])
  expect(text).toContain('production')
})

test('all values of a long table are known if they occur without its heading', async () => {
  const values = Array.from({ length: 1500 }, (_, index) => `K7${noise(index + 1, 8)}x9Q${index}`)
  const head = ['id,pass', 'word'].join('')
  const records = [
    ...r.command('c1', 'cat users.csv', 0, `${head}\n${values.map((value, row) => `${row},${value}`).join('\n')}\n`),
    ...r.command(
      'c2',
      'tail -n 300 users.csv',
      0,
      `${values
        .slice(1200)
        .map((value, row) => `${row},${value}`)
        .join('\n')}\n`,
    ),
  ]
  const text = await shown(records)
  expect(values.filter((value) => text.includes(value))).toEqual([])
})

test('words, sentences and paths in the output are kept', async () => {
  const text = await show('cat ~/.vault_pass', 'permission denied\nproduction\n/usr/share/vault\n')
  expect(text).toContain('production')
  expect(text).toContain('/usr/share/vault')
  expect(text).not.toContain('[redacted:')
})

test('a file whose name reveals that it contains a secret is redacted in patches, too', async () => {
  const secret = noise(21, 20)
  const patch = `*** Begin Patch\n*** Add File: deploy/.vault_pass\n+${secret}\n*** End Patch`
  const home = writeHome(useTempDir(), {
    [id]: [
      r.meta({ id, timestamp: r.instant(0) }),
      r.customCall('p1', 'apply_patch', patch),
      r.customOutput('p1', 'Done'),
    ],
  })
  expect(nameOfFile('deploy/.vault_pass')).toBe('.vault_pass')
  expect((await showFrom(home, id)).text).not.toContain(secret)
})

const shown = async (records: readonly r.Json[], format: 'md' | 'json' = 'md'): Promise<string> => {
  const home = writeHome(useTempDir(), { [id]: [r.meta({ id, timestamp: r.instant(0) }), ...records] })
  return (await showFrom(home, id, { format })).text
}
const running = (text: string): string =>
  `Chunk ID: a\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n${text}`
const ended = (text: string): string =>
  `Chunk ID: b\nWall time: 1.0 seconds\nProcess exited with code 0\nOutput:\n${text}`

/** A program that prints something while it runs, what is typed then, and what it prints last. */
const dialogue = (printed: string, typed: string, last: string): r.Json[] => [
  r.call('c1', 'exec_command', { cmd: 'run' }),
  r.output('c1', running(printed)),
  r.call('c2', 'write_stdin', { session_id: 7, chars: typed }),
  r.output('c2', ended(last)),
]

test.each([
  ['[sudo] password for ada: ', 'open sesame'],
  ['Adgangskode: ', noise(31, 14)],
  ['Enter your token (hidden): ', noise(30, 14)],
])('what is typed after the prompt `%s` is redacted on a page', async (prompt, typed) => {
  const text = await shown(dialogue(prompt, `${typed}\n`, 'done\n'))
  expect(text).toContain('[redacted:')
  expect(text).not.toContain(typed)
})

test.each([
  ['>>> ', 'print(17)'],
  ['tokens=> ', 'select version2();'],
  ['Overwrite the token? ', 'sure, why not'],
])('what is typed after the prompt `%s` is kept', async (prompt, typed) => {
  const text = await shown(dialogue(prompt, `${typed}\n`, 'done\n'))
  expect(text).toContain(typed)
  expect(text).not.toContain('[redacted:')
})

test('a secret whose halves are in two outputs is found', async () => {
  const secret = noise(32, 24)
  const text = await shown(dialogue(`A=1\nDB_PASSWORD=${secret.slice(0, 5)}`, '', `${secret.slice(5)}\nB=2\n`))
  expect(text).not.toContain(secret.slice(0, 5))
  expect(text).not.toContain(secret.slice(5))
  expect(text).toContain('B=2')
})

test('a secret at the end of an output is counted once', async () => {
  const text = await shown(dialogue(`DB_PASSWORD=${noise(34, 16)}; `, '', 'done\n'), 'json')
  expect((JSON.parse(text) as { session: Session }).session.stats.redacted).toEqual({ 'named-secret': 1 })
})

test('a word of a command is redacted because of the word before it, in the tree, too', async () => {
  const command = ['sshpass', '-p', 'summer-rain-2024-blue', 'ssh', 'ada@host']
  const records = [r.call('c1', 'shell', { command }), r.output('c1', '{"output":"ok","metadata":{"exit_code":0}}')]
  expect(await shown(records, 'json')).not.toContain('summer-rain-2024-blue')
})

test.each([
  [
    'a question',
    (secret: string) => [
      r.call('q1', 'request_user_input', {
        questions: [{ id: 'k', header: 'Password', question: 'What is the password of the database?', options: [] }],
      }),
      r.output('q1', JSON.stringify({ answers: { k: { answers: [secret] } } })),
    ],
  ],
  [
    'an answer that asks',
    (secret: string) => [r.answerItem('Please send me the admin password.'), r.userItem(secret), r.userEvent(secret)],
  ],
  [
    'an answer that asks, among words',
    (secret: string) => [
      r.answerItem('Which API key should I use?'),
      r.userItem(`here it is: ${secret}`),
      r.userEvent(`here it is: ${secret}`),
    ],
  ],
])('what is given to %s is redacted on a page', async (_, records) => {
  const secret = noise(33, 16)
  expect(await shown([r.userItem('Log in'), r.userEvent('Log in'), ...records(secret)])).not.toContain(secret)
})

test('a choice that answers a question about a token is kept', async () => {
  const text = await shown([
    r.answerItem('Which API key should I use, that of option1 or that of option2?'),
    r.userItem('option2'),
    r.userEvent('option2'),
  ])
  expect(text).toContain('option2')
  expect(text).not.toContain('[redacted:')
})

test('a prompt that follows an answer about passwords is kept', async () => {
  const text = await shown([
    r.answerItem('Shall I tell the user which password rules failed?'),
    r.userItem('Yes, in src/forms/login2.ts'),
    r.userEvent('Yes, in src/forms/login2.ts'),
  ])
  expect(text).toContain('src/forms/login2.ts')
})

test.each([
  (secret: string) => `cat > token.txt <<'END'\n${secret}\nEND`,
  (secret: string) => `cat <<TOKEN > deploy/.vault_pass\n${secret}\nTOKEN`,
  (secret: string) => `sudo tee /run/secrets/db >/dev/null <<-EOF\n\t${secret}\n\tEOF`,
  (secret: string) => `printf '%s' '${secret}' | sudo tee -a api_key.txt`,
  (secret: string) => `{"fields": [{"name": "Confirm password", "type": "textbox", "value": "${secret}"}]}`,
  (secret: string) => `- textbox "Kennwort *" [active] [ref=e4]: ${secret}`,
])('what is stored with a telling name is found: %#', (text) => {
  const secret = noise(35, 14)
  expect(redactor().text(text(secret))).not.toContain(secret)
})

test.each([
  '{"name": "Password reset page", "type": "text", "value": "release-12"}',
  '{"name": "PASSWORD_HASH_ROUNDS", "value": "100000"}',
  'cat > notes.txt <<EOF\nrelease-12b\nEOF',
  'echo build-7f > out.txt',
])('%s contains no secret', (text) => {
  expect(redactor().text(text)).toBe(text)
})
