/**
 * What `check` reports about private data in sessions: where it is, whether a build replaces it, and never the value.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { personalOff } from '../../../src/config/personal.ts'
import { presets } from '../../../src/config/publication.ts'
import type { Finding } from '../../../src/diagnostics/finding.ts'
import type { CheckOptions, CheckResult } from '../../../src/features/audit/check.ts'
import { check } from '../../../src/features/audit/check.ts'
import { checkJson, checkText } from '../../../src/features/audit/check-text.ts'
import { checkSarif } from '../../../src/features/audit/sarif.ts'
import { lookAlikes } from '../../helpers/look-alikes.ts'
import { noise, planted } from '../../helpers/planted.ts'
import * as r from '../../helpers/records.ts'
import { sarifFaults } from '../../helpers/sarif.ts'
import { writeHome } from '../../helpers/show.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { everySession, quietHost } from '../../helpers/surroundings.ts'
import { shareTempDir, useTempDir } from '../../helpers/temp.ts'

const folder = shareTempDir()
const id = threadNumber(1)
const tokens = Array.from(
  { length: 10 },
  (_, place) => planted(place).find(({ kind }) => kind === 'GitHub personal')?.text ?? '',
)

function token(place: number): string {
  return tokens[place] ?? ''
}

const records = [
  r.meta({ id, timestamp: r.instant(0), cwd: '/home/ada/shop', git: { branch: `fix-${token(0)}` } }),
  r.userItem(`Use ${token(1)} in /home/ada/shop, says ada@lovelace.home.arpa`),
  r.answerItem(`It is \`${token(2)}\` now.`),
  ...r.command('c1', `deploy --token ${token(3)}`, 0, `logged in with\n${token(4)}\n`),
  r.customCall(
    'c2',
    'apply_patch',
    ['*** Begin Patch', '*** Add File: a.txt', `+${token(5)}`, '*** End Patch'].join('\n'),
  ),
  r.customOutput('c2', 'Success. Updated the following files:\nA a.txt'),
  r.call('c3', 'mcp__files__find', { query: token(6) }),
  r.output('c3', token(7)),
  r.event('brand_new_kind', { note: { deep: [token(8)] } }),
  r.event('error', { message: `Refused: ${token(9)}` }),
]

let home = ''
let result: CheckResult

function checkOf(path: string, options: Partial<CheckOptions> = {}): Promise<CheckResult> {
  return check({ homes: [{ path }], ...everySession, plugins: [], ...options }, quietHost())
}

beforeAll(async () => {
  home = writeHome(folder, { [id]: records })
  result = await checkOf(home)
})

function secrets({ findings }: Pick<CheckResult, 'findings'>): Finding[] {
  return findings.filter(({ ruleId }) => ruleId.startsWith('secret/'))
}

describe('secrets of a session', () => {
  test('are reported with the kind of text that contains them', () => {
    expect([...new Set(secrets(result).map(({ field }) => field))].toSorted()).toEqual(
      [
        'answer',
        'argument',
        'branch',
        'command',
        'error',
        'output',
        'patch',
        'prompt',
        'title',
        'unknown record',
      ].toSorted(),
    )
  })

  test('are reported as arguments even if a key has the name of a built-in property', async () => {
    const named = [
      r.meta({ id, timestamp: r.instant(0) }),
      r.call('c1', 'mcp__files__find', { constructor: { a: token(1) } }),
      r.event('brand_new_kind', { constructor: token(2) }),
    ]
    const found = secrets(await checkOf(writeHome(useTempDir(), { [id]: named })))
    expect(found.map(({ field }) => field)).toEqual(['argument', 'unknown record'])
  })

  test('are reported with rollout, line, turn and anchor', () => {
    const answer = secrets(result).find(({ field }) => field === 'answer')
    const line = records.findIndex((record) => JSON.stringify(record).includes(token(2))) + 1
    expect(answer).toMatchObject({ ruleId: 'secret/github-token', session: id, line, place: `l${line}`, turn: 1 })
    expect(answer?.file).toMatch(/^sessions\/.*\.jsonl$/)
  })

  test('are warnings even if a build replaces them, because the key was printed', () => {
    expect(secrets(result).every(({ level, replaced }) => level === 'warning' && replaced === true)).toBe(true)
  })

  test('are reported as kept if a build would keep them', async () => {
    const open = await checkOf(home, { redact: false })
    expect(secrets(open).every(({ replaced }) => replaced === false)).toBe(true)
    expect(checkText(open)).toContain('A build with these options keeps it.')
    expect(checkText(result)).toMatch(
      /^secret\/github-token \(warning, \d+\): A text contains a secret\. A build replaces it\.$/m,
    )
  })

  test('are quoted in no form of the result', () => {
    const sarif = checkSarif({ version: '1.0.0', subject: 'sessions', ...result })
    for (const text of [checkText(result), checkJson(result), sarif]) {
      for (const value of tokens) {
        for (let at = 4; at + 8 <= value.length; at++) expect(text).not.toContain(value.slice(at, at + 8))
      }
    }
  })

  test('are shown between masked words, which help to find them', () => {
    const output = secrets(result).find(({ field }) => field === 'output')
    expect(output?.message).toContain('Around it: `xxxxxx xx xxxx [redacted:github-token]`.')
  })
})

test('a secret in the name of an unknown record is quoted in no form of the result', async () => {
  const name = `strange_${token(8)}`
  const path = writeHome(`${folder}/named`, {
    [threadNumber(3)]: [
      r.meta({ id: threadNumber(3), timestamp: r.instant(0), cwd: '/srv' }),
      r.userItem('Go'),
      { type: name, payload: {} },
      r.event(name),
    ],
  })
  const found = await checkOf(path)
  expect(Object.keys(found.lines.unknown)).toHaveLength(2)
  const sarif = checkSarif({ version: '1.0.0', subject: 'sessions', ...found })
  for (const text of [checkText(found), checkJson(found), sarif]) expect(text).not.toContain(token(8))
  expect(checkText(found)).toContain('strange_[redacted:github-token]')
})

describe('the error that ended a turn', () => {
  test('is reported once, whichever nodes contain it', async () => {
    const path = writeHome(`${folder}/ended`, {
      [threadNumber(2)]: [
        r.meta({ id: threadNumber(2), timestamp: r.instant(0), cwd: '/srv' }),
        r.started('t1'),
        r.userItem('Go'),
        r.event('task_complete', { turn_id: 't1', error: { message: `Refused: ${token(9)}` } }),
      ],
    })
    const found = secrets(await checkOf(path))
    expect(found.map(({ field, count = 1 }) => [field, count])).toEqual([['error', 1]])
  })
})

describe('personal data of a session', () => {
  const personal = ({ findings }: CheckResult): string[] =>
    findings.filter(({ ruleId }) => ruleId.startsWith('personal/')).map((item) => `${item.ruleId} ${item.level}`)

  test('is a note if a build replaces it, or if nobody asked for its replacement', () => {
    expect(new Set(personal(result))).toEqual(new Set(['personal/home-folder info', 'personal/email info']))
  })

  test('is a warning if a build would keep what it replaces by default', async () => {
    const open = await checkOf(home, { personal: personalOff })
    expect(personal(open)).toContain('personal/home-folder warning')
    expect(checkText(open)).toContain('A build with these options keeps it.')
  })

  test('is reported once for each session and rule, with the count', () => {
    const homes = result.findings.filter(({ ruleId }) => ruleId === 'personal/home-folder')
    expect(homes).toHaveLength(1)
    expect(homes[0]?.count).toBeGreaterThan(1)
  })
})

test('what the options publish although their preset omits it is reported', async () => {
  const visibility = { ...presets.public, toolOutput: 'fold', images: 'show' } as const
  const open = await checkOf(home, { preset: 'public', publication: { visibility, curation: {} } })
  const loosened = ({ findings }: CheckResult): string[] =>
    findings.filter(({ ruleId }) => ruleId === 'loosened-preset').map(({ message }) => message)
  expect(loosened(open)).toEqual([expect.stringContaining('`toolOutput`'), expect.stringContaining('`images`')])
  expect(sarifFaults(checkSarif({ version: '1.0.0', subject: 'sessions', ...open }))).toEqual([])
  const strict = await checkOf(home, { preset: 'public', publication: { visibility: presets.public, curation: {} } })
  expect(loosened(strict)).toEqual([])
  expect(secrets(strict).some(({ field }) => field === 'output')).toBe(false)
})

test('look-alikes of secrets are no findings', async () => {
  const other = useTempDir()
  const path = writeHome(other, {
    [id]: [r.meta({ id, timestamp: r.instant(0) }), ...lookAlikes().map((text) => r.userItem(text))],
  })
  expect(secrets(await checkOf(path))).toEqual([])
})

describe('a secret that only its context reveals', () => {
  const running = (text: string): string =>
    `Chunk ID: a\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n${text}`
  const ended = (text: string): string =>
    `Chunk ID: b\nWall time: 1.0 seconds\nProcess exited with code 0\nOutput:\n${text}`
  const dialogue = (printed: string, typed: string, last: string): r.Json[] => [
    r.call('c1', 'exec_command', { cmd: 'run' }),
    r.output('c1', running(printed)),
    r.call('c2', 'write_stdin', { session_id: 7, chars: typed }),
    r.output('c2', ended(last)),
  ]
  const asked = { id: 'k', header: 'Password', question: 'What is the password of the database?', options: [] }
  const cases: [what: string, field: string, line: number, records: (secret: string) => r.Json[]][] = [
    ['a file that a command printed', 'output', 2, (secret) => r.command('c1', 'cat ~/.vault_pass', 0, `${secret}\n`)],
    [
      'a file in a patch',
      'patch',
      2,
      (secret) => [
        r.customCall('p1', 'apply_patch', `*** Begin Patch\n*** Add File: .vault_pass\n+${secret}\n*** End Patch`),
        r.customOutput('p1', 'Done'),
      ],
    ],
    ['what was typed', 'input', 2, (secret) => dialogue('Password: ', `${secret}\n`, 'done\n')],
    [
      'what was typed as words',
      'input',
      2,
      (secret) => dialogue('Password: ', `${secret.replaceAll(/[^a-z]/g, 'o').slice(0, 6)}\n`, 'done\n'),
    ],
    [
      'two outputs',
      'output',
      2,
      (secret) => dialogue(`DB_PASSWORD=${secret.slice(0, 5)}`, '', `${secret.slice(5)}\nB=2\n`),
    ],
    [
      'the answer to a question',
      'question',
      2,
      (secret) => [
        r.call('q1', 'request_user_input', { questions: [asked] }),
        r.output('q1', JSON.stringify({ answers: { k: { answers: [secret] } } })),
      ],
    ],
    [
      'a reply',
      'prompt',
      5,
      (secret) => [
        r.userItem('Log in'),
        r.userEvent('Log in'),
        r.answerItem('Please send me the admin password.'),
        r.userItem(secret),
        r.userEvent(secret),
      ],
    ],
  ]
  // Values of nine characters are not searched for elsewhere.
  const lengths = [9, 16]

  test.each(lengths.flatMap((length) => cases.map((item) => [length, ...item] as const)))(
    'is found in %i characters of %s',
    async (length, _, field, line, records) => {
      const path = writeHome(useTempDir(), {
        [id]: [r.meta({ id, timestamp: r.instant(0) }), ...records(noise(33, length))],
      })
      const found = secrets(await checkOf(path, { redact: false }))
      expect(found).toEqual([expect.objectContaining({ field, line, session: id, replaced: false })])
    },
  )
})
