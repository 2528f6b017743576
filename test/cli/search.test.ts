/** `search`: turns of the sessions themselves, as they may be shown. */
import { readdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { main } from '../../src/cli/main.ts'
import * as program from '../../src/program.ts'
import { textWidth } from '../../src/util/columns.ts'
import { stripAnsi } from '../../src/util/printable.ts'
import { requireBuild, runCli, runProcess } from '../helpers/cli.ts'
import { writeFolder } from '../helpers/folder.ts'
import {
  answerEvent,
  answerItem,
  command,
  customCall,
  customOutput,
  developerItem,
  envelopes,
  type Json,
  meta,
  userEvent,
  userItem,
} from '../helpers/records.ts'
import { threadNumber } from '../helpers/summary.ts'
import { useTempDir } from '../helpers/temp.ts'
import { fakeWorld } from '../helpers/world.ts'
import { zstdFrame } from '../helpers/zstd.ts'

const sample = fileURLToPath(new URL('../../fixtures/home', import.meta.url))
const [parent, child] = ['019c0001-0000-7000-8000-000000000001', '019c0002-0000-7000-8000-000000000002'] as const
// Joined here, so that no scanner takes this file for a leak.
const token = ['ghp', 'J7dK2mQ9xW4vB8nR5tY1pL6sF3hG0aZcE7uT'].join('_')
const password = 'qX7#vT2m!Lw9'
/** A secret that looks like words with punctuation. */
const phrase = 'sunny!meadow!7walk'
/** A secret that is revealed by the command that prints it. */
const printed = 'qX7vT2mLw9Zk'

beforeAll(requireBuild)

function rollout(id: string, head: Json, records: readonly Json[]): string {
  const lines = [meta({ id, cwd: '/home/sam/shop', cli_version: '0.98.0', ...head }), ...records]
  return `${envelopes(lines)
    .map((line) => JSON.stringify(line))
    .join('\n')}\n`
}

const said = (prompt: string, answer: string): Json[] => [
  userItem(prompt),
  userEvent(prompt),
  answerItem(answer),
  answerEvent(answer),
]

/** A session, a compressed one that it started, and a broken file. */
function home(): string {
  const folder = useTempDir()
  const day = 'sessions/2026/03/14/rollout-2026-03-14T09-00-00-'
  const first = [
    ...said(`Use ${token} here`, 'Done.'),
    ...said('Print it', 'It says hello.'),
    ...command('c1', 'cat out.txt', 1, `hello wörld\nDB_PASSWORD=${password}\n\u001b[31mred\u001b[0m\n`),
  ]
  const third = [
    ...command('c2', 'cat .env', 1, `MAIL_PASSWORD=${phrase}\n`),
    ...command('c3', 'cat notes.txt', 1, `tomorrow ${phrase} is over\n`),
    ...command('c4', 'cat db_password.txt', 1, `${printed}\n`),
    ...command('c5', 'cat notes.txt', 1, `tomorrow ${printed} goes on\n`),
  ]
  writeFolder(folder, { [`${day}${parent}.jsonl`]: rollout(parent, {}, [...first, ...third]) })
  const second = rollout(child, { parent_thread_id: parent }, said(`Try ${password} again`, 'hello from the child'))
  writeFileSync(join(folder, `${day}${child}.jsonl.zst`), zstdFrame(second))
  return folder
}

const search = (args: string[], cwd = useTempDir()) => runCli(['search', ...args], { cwd })
const turnsOf = (stdout: string): [string, number][] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const { id, turns } = JSON.parse(line) as { id: string; turns: { number: number }[] }
      return turns.map(({ number }): [string, number] => [id, number])
    })

describe('search', () => {
  it('prints the turns that contain the words, newest session first', async () => {
    const run = await search(['hello', '--codex-home', home(), '--personal'])
    expect(run.status, run.stderr).toBe(0)
    const shown = run.stdout.replaceAll(/ +$/gm, '').split('\n')
    expect(shown.map((line) => line.split('  ')[0]).filter((word) => word?.startsWith('019c'))).toEqual([child, parent])
    expect(run.stdout).toContain('    output     hello wörld\n')
    expect(run.stderr).toContain('2 turns in 2 sessions')
  })

  it('says how to exclude what Codex itself told the model, if that is most of the result', async () => {
    const folder = useTempDir()
    const day = 'sessions/2026/03/14/rollout-2026-03-14T09-00-00-'
    const rules = developerItem('<permissions instructions>Ask for permission.</permissions instructions>')
    writeFolder(folder, {
      [`${day}${parent}.jsonl`]: rollout(parent, {}, [rules, ...said('Which permission?', 'None.'), rules]),
      [`${day}${child}.jsonl`]: rollout(child, {}, [rules, ...said('Go on', 'Done.')]),
    })
    const say = async (...args: string[]) => (await search([...args, '--codex-home', folder])).stderr.trimEnd()
    const advice =
      '3 turns in 2 sessions; 2 of them only in context that Codex added: put `-- -kind:context` at the end'
    expect(await say('permission')).toContain(advice)
    const without = await search(['permission', '--codex-home', folder, '--', '-kind:context'])
    expect(without.stderr).toMatch(/1 turn in 1 session\n$/)
    expect(await say('permission', 'kind:context')).toMatch(/3 turns in 2 sessions$/)
    expect((await search(['--codex-home', folder, '--', 'permission'])).stderr).toContain('put `-kind:context` at')
  })

  it('finds a pasted command with its options, and says how to exclude words', async () => {
    const asked = async (query: string) => {
      const { status, stdout, stderr } = await search([query, '--count', '--codex-home', sample])
      return [status, stdout.trimStart().split(' ')[0], stderr.split('\n').at(-2)]
    }
    expect(await asked('pdftotext -layout tables/far-skerry-2026.pdf - | sed -n 88,96p')).toEqual([
      ...[
        0,
        '1',
        expect.stringMatching(
          /; they hold the text exactly as typed \(to leave out a word, put it in quotes: `-"word"`\)$/,
        ),
      ],
    ])
    expect(await asked("sed -n '88,96p'")).toEqual([1, '', expect.stringContaining('Nothing was found')])
    expect(await asked('sed -n 88,96p')).toEqual([0, '1', '1 turn in 1 session'])
    expect(await asked('pdftotext -"layout"')).toEqual([1, '', expect.stringContaining('Nothing was found')])
    expect(await asked('pdftotext -ziggurat')).toEqual([0, '1', '1 turn in 1 session'])
  })

  it.each([40, 44, 50, 60, 80, 120])(
    'fits its lines to a terminal of %d columns, and keeps ids whole',
    async (columns) => {
      const folder = useTempDir()
      const title = 'Explain how the wörter of this 看板 are counted, and then paint the garden gate again'
      writeFolder(folder, {
        [`sessions/2026/03/14/rollout-2026-03-14T09-00-00-${parent}.jsonl`]: rollout(parent, {}, said(title, 'Done.')),
      })
      const lines = async (...args: string[]) => {
        const world = fakeWorld(['search', 'gate', '--codex-home', folder, ...args], { cwd: folder }, { columns })
        await main(world, async () => program)
        return stripAnsi(world.out()).trimEnd().split('\n')
      }
      const [count = '', ...others] = await lines('--count')
      expect(count).toMatch(columns > 45 ? / {4}1 {2}019c0001-.* {2}Exp/ : / {4}1 {2}019c0001-[-0-9]{27}/)
      expect(count.includes('shop')).toBe(columns >= 80)
      expect(others).toEqual([])
      const room = Math.max(columns, 7 + parent.length)
      for (const line of [count, ...(await lines()).slice(0, 2)]) expect(textWidth(line)).toBeLessThanOrEqual(room)
    },
  )

  it('counts the lines of a turn if a text contains several of them', async () => {
    const folder = useTempDir()
    const twice = command('c1', 'cat out.txt', 0, 'hello\nworld\nhello again\n')
    const lines = [...said('Print it', 'Done.'), ...twice]
    const day = 'sessions/2026/03/14/rollout-2026-03-14T09-00-00-'
    writeFolder(folder, { [`${day}${parent}.jsonl`]: rollout(parent, {}, lines) })
    const run = await search(['hello', '--context', '1', '--codex-home', folder])
    expect(run.stdout).toMatch(/ 1 place, 2 lines\n {4}output {5}hello\n {15}world\n/)
    const alone = await search(['hello', '--context', '0', '--codex-home', folder])
    expect(alone.stdout).toMatch(/ 1 place, 2 lines\n {4}output {5}hello\n {15}hello again\n/)
    const refused = await search(['hello', '--context', 'all', '--codex-home', folder])
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('expected a whole number from 0')])
  })

  it.each<[string[], [string, number][]]>([
    [['WÖRLD'], [[parent, 2]]],
    [['hello -child'], [[parent, 2]]],
    [['hello', 'is:failed'], [[parent, 2]]],
    [['red', 'kind:output'], [[parent, 2]]],
    [['nowhere', 'OR', 'from the child'], [[child, 1]]],
    [
      ['hel+o\\s', '--regex'],
      [
        [child, 1],
        [parent, 2],
      ],
    ],
    [['hello', '--id', child], [[child, 1]]],
  ])('%j finds %j', async (args, turns) => {
    const run = await search([...args, '--json', '--codex-home', home()])
    expect(turnsOf(run.stdout), run.stderr).toEqual(turns)
  })

  it.each([
    ['page_39', `for (const n of [38, 39]) await tools.exec_command({ cmd: \`open page_\${n}\` })`],
    [
      'user_list.ts',
      "const [a, b] = ['user', 'list']; await tools.exec_command({ cmd: 'cat ' + a + '_' + b + '.ts' })",
    ],
    ['alphabet', "await tools.exec_command({ cmd: ['alpha', 'bet'].join('') })"],
  ])('finds %s, which a script of code mode composes', async (word, script) => {
    const folder = useTempDir()
    const long = Array.from({ length: 3000 }, (_, index) => command(`c${index}`, 'ls', 0, 'a\nb\n'.repeat(9))).flat()
    const made = [customCall('s1', 'exec', script), customOutput('s1', 'Script completed\nOutput:\n')]
    const lines = [...said('Open them', 'Done.'), ...long, ...made]
    const day = 'sessions/2026/03/14/rollout-2026-03-14T09-00-00-'
    writeFolder(folder, { [`${day}${parent}.jsonl`]: rollout(parent, {}, lines) })
    const run = await search([word, '--json', '--codex-home', folder])
    expect(turnsOf(run.stdout), run.stderr).toEqual([[parent, 1]])
    const none = await search([`${word}x`, '--json', '--codex-home', folder])
    expect([none.status, none.stdout]).toEqual([1, ''])
  })

  it('says that filters apply, in the same words whether or not a filtered session has the words', async () => {
    const folder = home()
    const messageFor = async (args: readonly string[]): Promise<string> => {
      const run = await search([...args, '--codex-home', folder])
      expect([run.status, run.stdout]).toEqual([1, ''])
      return run.stderr.slice(run.stderr.indexOf('Nothing was found'))
    }
    for (const filter of [['-p', 'nope'], ['after:2030-01-01'], ['tag:nope'], ['--archived']]) {
      const text = await messageFor(['hello', ...filter])
      expect(text).toContain('Nothing was found. Searched everything that is kept of the sessions in ')
      expect(text).toMatch(/ that pass the filters\.\n$/)
      expect(await messageFor(['unsaid', ...filter])).toBe(text)
      expect(await messageFor([token, ...filter])).toBe(text)
    }
    expect(await messageFor(['unsaid'])).not.toContain('filters')
  })

  it.each([token, token.slice(4), password])('confirms no secret: %s', async (secret) => {
    const run = await search([secret, '--codex-home', home()])
    expect([run.status, run.stdout]).toEqual([1, ''])
    expect(run.stderr).toContain('Nothing was found')
    const open = await search([secret, '--no-redact', '--json', '--codex-home', home()])
    expect(turnsOf(open.stdout).length).toBeGreaterThan(0)
  })

  it('names projects like `list`, so that those that end alike are told apart', async () => {
    const folder = useTempDir()
    const day = 'sessions/2026/03/14/rollout-2026-03-14T09-00-00-'
    writeFolder(folder, {
      [`${day}${parent}.jsonl`]: rollout(parent, { cwd: '/home/sam/sea/app' }, said('Look', 'Done.')),
      [`${day}${child}.jsonl`]: rollout(child, { cwd: '/home/sam/land/app' }, said('Look', 'Done.')),
    })
    const projects = async (args: readonly string[]): Promise<string[]> => {
      const { stdout } = await runCli([...args, '--json', '--codex-home', folder], { cwd: useTempDir() })
      return Array.from(stdout.matchAll(/"project": ?"([^"]*)"/g), ([, name = '']) => name).toSorted()
    }
    expect(await projects(['search', 'look'])).toEqual(['land/app', 'sea/app'])
    expect(await projects(['list'])).toEqual(['land/app', 'sea/app'])
    // A project that is not searched must not show in the name of another.
    expect(await projects(['search', 'look', '--project', 'sea'])).toEqual(['app'])
    expect(await projects(['list', '--project', 'sea'])).toEqual(['app'])
  })

  it.each([`project:${token.slice(0, 9)}`, `-project:${token.slice(0, 9)}`, `project:${token}`])(
    'confirms no secret in the name of a branch or a folder: %s',
    async (query) => {
      const folder = useTempDir()
      const head = { cwd: `/srv/${token}/shop`, git: { branch: `try-${token}`, commit_hash: 'a'.repeat(40) } }
      writeFolder(folder, {
        [`sessions/2026/03/14/rollout-2026-03-14T09-00-00-${parent}.jsonl`]: rollout(
          parent,
          head,
          said('Look', 'Done.'),
        ),
      })
      const found = async (args: readonly string[]): Promise<number> =>
        turnsOf((await search(['--json', '--codex-home', folder, ...args])).stdout).length
      expect(await found(['--', query])).toBe(query.startsWith('-') ? 1 : 0)
      expect(await found(['--', 'project:/srv/'])).toBe(1)
      expect(await found(['--', 'project:try-'])).toBe(1)
      expect(await found(['--no-redact', '--', query])).toBe(query.startsWith('-') ? 0 : 1)
      expect(await found(['look', '--project', token])).toBe(0)
    },
  )

  it.each(['the', 'error', 'src', 'test', 'currency'])(
    'finds %s in all items, like a regular expression',
    async (word) => {
      const [plain, expression] = await Promise.all(
        [[word], [word, '--regex']].map((query) => search([...query, '--json', '--codex-home', sample])),
      )
      expect(turnsOf(plain?.stdout ?? '').length).toBeGreaterThan(0)
      expect(plain?.stdout).toBe(expression?.stdout)
    },
  )

  it('reads many large sessions in several threads, and prints them newest first', async () => {
    const [folder, coverage] = [useTempDir(), useTempDir()]
    const ids = Array.from({ length: 8 }, (_, number) => threadNumber(number + 1))
    const long = 'nothing of that kind stands here\n'.repeat(12_000)
    for (const [number, id] of ids.entries()) {
      const outputs = Array.from({ length: 12 }, (_, index) => command(`c${index}`, 'cat log', 1, long)).flat()
      const records = [...said('Look', 'Done.'), ...outputs, ...said('And', `The needle of ${number}.`)]
      const day = `2026-03-1${number}`
      writeFolder(folder, {
        [`sessions/2026/03/1${number}/rollout-${day}T09-00-00-${id}.jsonl`]: rollout(
          id,
          { timestamp: `${day}T09:00:00.000Z` },
          records,
        ),
      })
    }
    const args = ['search', 'needle', '--json', '--codex-home', folder]
    const run = await runProcess(args, { cwd: folder, env: { NODE_V8_COVERAGE: coverage } })
    expect(
      turnsOf(run.stdout).map(([id]) => id),
      run.stderr,
    ).toEqual(ids.toReversed())
    // The engine writes a file for each thread.
    expect(readdirSync(coverage).length).toBeGreaterThan(availableParallelism() > 1 ? 1 : 0)
  })

  it('redacts a secret that is revealed by an item without the searched words', async () => {
    const run = await search(['tomorrow', '--codex-home', home()])
    expect(run.stdout).toMatch(/tomorrow \[redacted:[\w-]+\] is over/)
    expect(run.stdout).toMatch(/tomorrow \[redacted:[\w-]+\] goes on/)
  })

  it('shows no control character, and no colour without a terminal', async () => {
    const run = await search(['red', '--context', '1', '--codex-home', home()])
    expect(run.stdout).toContain('red')
    expect(run.stdout).not.toContain('\u001b')
  })

  it('links to the site if it has the session', async () => {
    const cwd = useTempDir()
    const asked = ['currency column', 'kind:prompt', '--codex-home', sample]
    const [[id = ''] = []] = turnsOf((await search([...asked, '--json'], cwd)).stdout)
    const args = ['build', '--codex-home', sample, '--id', id, '--no-search', '--cache', join(cwd, 'cache')]
    const built = await runCli(args, { cwd })
    expect(built.status, built.stderr).toBe(0)
    const run = await search(asked, cwd)
    expect(run.stdout).toMatch(/\n {4}file:\/\/\S+\/site\/sessions\/[0-9a-f-]{36}\/index\.html#l\d+\n/)
  })

  it('says what is wrong with a question', async () => {
    const run = await search(['kind:colour', 'x', '--codex-home', sample])
    expect([run.status, run.stdout]).toEqual([2, ''])
    expect(run.stderr).toContain('Unknown `kind:colour`; use one of ')
  })

  it('needs a question', async () => {
    const run = await search(['--codex-home', sample])
    expect(run.status).toBe(2)
  })
})
