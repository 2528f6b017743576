/**
 * A secret that an item reveals is redacted in the lines that a search shows, also if that item contains no searched
 * word.
 */
import { expect, test } from 'vitest'
import { search } from '../../../src/api-fs.ts'
import { noise } from '../../helpers/planted.ts'
import * as r from '../../helpers/records.ts'
import { writeHome } from '../../helpers/show.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { useTempDir } from '../../helpers/temp.ts'

const id = threadNumber(1)
const secret = noise(11, 18)

const diff = (path: string): string => `*** Begin Patch\n*** Add File: ${path}\n+${secret}\n*** End Patch`

/** Records whose context reveals a secret. */
const revealing: [string, r.Json[]][] = [
  ['a command that prints it', r.command('c1', 'cat ~/.vault_pass', 0, `${secret}\n`)],
  ['a command that prints it from the environment', r.command('c1', 'printenv DB_PASSWORD', 0, `${secret}\n`)],
  ['an assignment', r.command('c1', 'cat .env', 0, `DB_PASSWORD=${secret}\n`)],
  ['a field of an argument', [r.call('c1', 'mcp__vault__put', { password: secret }), r.output('c1', 'ok')]],
  ['an argument of a program', r.command('c1', `mysql -u root -p${secret} shop`, 0, 'ok')],
  [
    'an input that a program asked for',
    [
      r.call('c1', 'exec_command', { cmd: 'sudo -k ls' }),
      r.output(
        'c1',
        'Chunk ID: a\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n[sudo] password for ada: ',
      ),
      r.call('c2', 'write_stdin', { session_id: 7, chars: `${secret}\n` }),
      r.output('c2', 'Chunk ID: b\nWall time: 1.0 seconds\nProcess exited with code 0\nOutput:\n'),
    ],
  ],
  [
    'an edit of a file with a revealing name',
    [r.customCall('c1', 'apply_patch', diff('deploy/db_password.txt')), r.customOutput('c1', 'Success')],
  ],
  [
    'an answer to a question for it',
    [r.answerItem('Please send me the database password.'), r.userItem(secret), r.userEvent(secret)],
  ],
  [
    'a quoted text of a script',
    [
      r.customCall(
        'c1',
        'exec',
        `const out = await tools.exec_command({cmd: "curl -u ada:${secret} https://example.com"})`,
      ),
      r.customOutput('c1', 'ok'),
    ],
  ],
]

test.each(revealing)('redacts a secret that is revealed by %s', async (_, records) => {
  const shown = r.command('c9', 'cat notes.txt', 0, `tomorrow ${secret} goes on\n`)
  const all = [r.meta({ id, timestamp: r.instant(0) }), r.userItem('Go'), r.userEvent('Go'), ...records, ...shown]
  const home = writeHome(useTempDir(), { [id]: all })
  const lines: string[] = []
  for await (const { turns } of search('tomorrow', { homes: [{ path: home }] }))
    lines.push(...turns.flatMap(({ texts }) => texts.flatMap((text) => text.lines.map((line) => line.text))))
  expect(
    lines.some((line) => /^tomorrow \[redacted:[\w-]+\] goes on$/.test(line)),
    lines.join('\n'),
  ).toBe(true)
  expect(lines.join('\n')).not.toContain(secret)
})

test('redacts a secret in the name of the project', async () => {
  const known = `${noise(12, 7)}x4Q${noise(13, 7)}`
  const reveals = r.command('c1', 'cat .env', 0, `DB_PASSWORD=${known}\n`)
  const head = r.meta({ id, timestamp: r.instant(0), cwd: `/srv/shop-${known}` })
  const home = writeHome(useTempDir(), { [id]: [head, r.userItem('tulips'), r.userEvent('tulips'), ...reveals] })
  const names: string[] = []
  for await (const { project } of search('tulips', { homes: [{ path: home }] })) names.push(project)
  expect(names).toEqual(['shop-[redacted:named-secret]'])
})
