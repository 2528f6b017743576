/** What commands print that read a secret: nothing but the command tells what it is. */
import { expect, test } from 'vitest'
import { nameOfFile, nameOfPrinted } from '../../../src/redact/rules/commands.ts'
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
]

const id = threadNumber(1)
const show = async (script: string, output: string): Promise<string> => {
  const records = r.command('c1', script, 0, output)
  const home = writeHome(useTempDir(), { [id]: [r.meta({ id, timestamp: r.instant(0) }), ...records] })
  return (await showFrom(home, id)).text
}

test.each(printing)('the answer of `%s` is no part of a page', async (script) => {
  const secret = noise(script.length, 20)
  const text = await show(script, `${secret}\n`)
  expect(text).toContain('[redacted:')
  expect(text).not.toContain(secret)
})

test('a value that a command printed is known wherever it stands', async () => {
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
  'cat package.json',
  'echo $HOME',
  'cat docs/secrets/readme.md',
  'cat tokens.txt',
  'git get secrets',
])('`%s` prints no secret', (script) => {
  expect(nameOfPrinted(script)).toBeUndefined()
})

test('words, sentences and paths in the answer stay', async () => {
  const text = await show('cat ~/.vault_pass', 'permission denied\nproduction\n/usr/share/vault\n')
  expect(text).toContain('production')
  expect(text).toContain('/usr/share/vault')
  expect(text).not.toContain('[redacted:')
})

test('a file whose name tells that it holds a secret hides it in patches, too', async () => {
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
