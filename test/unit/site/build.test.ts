/** What a build repeats, and what it keeps, if it follows another one. */

import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { features } from '../../../src/program.ts'
import { build } from '../../../src/site/build.ts'
import { type BuildOptions, type BuildResult, silent } from '../../../src/site/types.ts'
import { readFolder } from '../../helpers/folder.ts'
import * as r from '../../helpers/records.ts'
import { threadId } from '../../helpers/rollout.ts'
import { buildSite } from '../../helpers/site-build.ts'
import { plainBuild, quietHost } from '../../helpers/surroundings.ts'
import { useTempDir } from '../../helpers/temp.ts'

const patch = (path: string): string => `*** Begin Patch\n*** Add File: ${path}\n+gate\n*** End Patch`

/** A home with two sessions that each changed a file and ran a command that failed. */
function home(): string {
  const folder = join(useTempDir(), 'home')
  for (const number of [1, 2]) {
    const id = threadId(number)
    const records = [
      r.meta({ id, timestamp: r.instant(0), cwd: '/home/ada/engine', cli_version: '0.99.0' }),
      r.userItem(`Mend gate ${number}`),
      r.userEvent(`Mend gate ${number}`),
      r.customCall('c1', 'apply_patch', patch(`src/gate-${number}.ts`)),
      r.customOutput('c1', 'Success. Updated the following files:\nA src/gate.ts\n'),
      ...r.command('c2', `make test-${number}`, 2),
      r.answerItem('Done'),
    ]
    const text = r.envelopes(records).map((record) => `${JSON.stringify(record)}\n`)
    writeTo(folder, `sessions/2026/03/14/rollout-2026-03-14T09-00-0${number}-${id}.jsonl`, text.join(''))
  }
  return folder
}

function writeTo(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

interface Place {
  home: string
  out: string
  cache: string
}

function place(): Place {
  const folder = useTempDir()
  return { home: home(), out: join(folder, 'site'), cache: join(folder, 'cache') }
}

/** Builds into a folder, and returns the stages of the build too. */
async function run(
  { home: path, out, cache }: Place,
  change: Partial<BuildOptions> = {},
): Promise<BuildResult & { stages: string[] }> {
  const stages: string[] = []
  const options: BuildOptions = {
    ...plainBuild(),
    homes: [{ path }],
    title: 'Gates',
    out,
    cache,
    formats: ['html', 'md'],
    search: false,
    dryRun: false,
    ...change,
  }
  const progress = { ...silent, stage: (name: string) => stages.push(name) }
  const result = await build(
    options,
    quietHost({ progress, now: () => Date.UTC(2026, 2, 15), homeDir: path }),
    features,
  )
  return { ...result, stages }
}

const sessionFile = (path: string, number: number): string =>
  join(path, `sessions/2026/03/14/rollout-2026-03-14T09-00-0${number}-${threadId(number)}.jsonl`)
const forget = ({ cache }: Place): void => rmSync(join(cache, 'last-build.json'))

describe('a second build without changes', () => {
  it('has the same result, writes nothing, and ends before it reads sessions', async () => {
    const at = place()
    const first = await run(at)
    const site = readFolder(at.out)
    const second = await run(at)
    expect(second).toEqual({
      ...first,
      rendered: 0,
      written: 0,
      kept: first.written,
      removed: 0,
      stages: ['Looking for sessions'],
    })
    expect(readFolder(at.out)).toEqual(site)
  })

  it.each<[string, (at: Place) => void]>([
    ['a session grew', ({ home: path }) => appendFileSync(sessionFile(path, 1), '{"type":"event_msg"}\n')],
    ['a session has another time', ({ home: path }) => utimesSync(sessionFile(path, 1), 1, 1)],
    ['a session was removed', ({ home: path }) => rmSync(sessionFile(path, 1))],
    ['a thread was named', ({ home: path }) => writeTo(path, 'session_index.jsonl', '{}\n')],
    ['a page was removed', ({ out }) => rmSync(join(out, 'index.html'))],
    ['the manifest changed', ({ out }) => appendFileSync(join(out, 'manifest.json'), '\n')],
    [
      'the record of the last build is damaged',
      ({ cache }) => writeFileSync(join(cache, 'last-build.json'), '{"key":'),
    ],
  ])('examines everything if %s', async (_name, change) => {
    const at = place()
    await run(at)
    change(at)
    const { stages } = await run(at)
    expect(new Set(stages)).toEqual(
      new Set(['Looking for sessions', 'Reading sessions', 'Rendering sessions', 'Writing the site']),
    )
  })

  it('refuses to replace a folder where a page was', async () => {
    const at = place()
    await run(at)
    const page = join(at.out, 'index.html')
    rmSync(page)
    mkdirSync(page)
    await expect(run(at)).rejects.toThrow(/^`index\.html` in `.*` is not from codex-export/)
    expect(readdirSync(page)).toEqual([])
  })

  it.each(['index.html', `sessions/${threadId(1)}/index.html`, `sessions/${threadId(1)}/index.md`])(
    'writes %s again if somebody changed it',
    async (path) => {
      const at = place()
      await run(at)
      const site = readFolder(at.out)
      appendFileSync(join(at.out, path), 'changed')
      expect((await run(at)).written).toBe(1)
      expect(readFolder(at.out)).toEqual(site)
    },
  )

  it.each<[string, Partial<BuildOptions>]>([
    ['formats', { formats: ['html'] }],
    [
      'sessions',
      {
        projects: ['x'],
      },
    ],
  ])('examines everything if other %s are wanted', async (_name, change) => {
    const at = place()
    await run(at)
    expect((await run(at, change)).stages).toContain('Reading sessions')
    expect((await run(at, change)).stages).toEqual(['Looking for sessions'])
    expect((await run(at)).stages).toContain('Reading sessions')
  })

  it('examines everything if a template of the user changed, also in a subfolder', async () => {
    const at = place()
    const templatesDir = useTempDir()
    writeTo(templatesDir, 'html/not-found.eta', '<p>Gone</p>')
    const own = (): Promise<{ stages: string[]; written: number }> => run(at, { templatesDir })
    await own()
    expect((await own()).stages).toEqual(['Looking for sessions'])
    writeTo(templatesDir, 'html/not-found.eta', '<p>Gone for good</p>')
    expect((await own()).written).toBeGreaterThan(0)
  })

  it('examines everything after a build in which something failed', async () => {
    const at = place()
    mkdirSync(sessionFile(at.home, 3))
    const { diagnostics } = await run(at)
    expect(diagnostics.map(({ ruleId, level }) => [ruleId, level])).toEqual([['unreadable-file', 'fatal']])
    expect((await run(at)).stages).toContain('Reading sessions')
  })
})

describe('a build whose sessions did not change', () => {
  it('keeps every file, also of the pages around the sessions', async () => {
    const at = place()
    const first = await run(at)
    const site = readFolder(at.out)
    forget(at)
    const second = await run(at)
    expect(second).toMatchObject({ written: 0, kept: first.written })
    expect(second.stages).toContain('Rendering sessions')
    expect(readFolder(at.out)).toEqual(site)
  })

  it('restores what somebody removed from the site, byte for byte', async () => {
    const at = place()
    await run(at)
    const site = readFolder(at.out)
    rmSync(join(at.out, 'stats'), { recursive: true })
    expect(await run(at)).toMatchObject({ written: 1 })
    expect(readFolder(at.out)).toEqual(site)
  })

  it('renders sessions again if their details were lost', async () => {
    const at = place()
    await run(at)
    const site = readFolder(at.out)
    const blobs = join(at.cache, 'blobs')
    for (const name of readdirSync(blobs)) rmSync(join(blobs, name))
    rmSync(join(at.out, 'files'), { recursive: true })
    await run(at)
    expect(readFolder(at.out)).toEqual(site)
  })

  it('repairs damaged details within two builds', async () => {
    const at = place()
    await run(at)
    const site = readFolder(at.out)
    const blobs = join(at.cache, 'blobs')
    for (const name of readdirSync(blobs)) writeFileSync(join(blobs, name), '{}')
    rmSync(join(at.out, 'files'), { recursive: true })
    const { diagnostics, warnings } = await run(at)
    expect(diagnostics.map(({ ruleId }) => ruleId)).toEqual(['missing-detail', 'missing-detail'])
    expect(warnings).toBe(2)
    // Even if no session changes in between.
    expect((await run(at)).diagnostics).toEqual([])
    expect(readFolder(at.out)).toEqual(site)
  })
})

describe('a build after one session changed', () => {
  it('keeps all sessions on the pages that list files and failures', async () => {
    const at = place()
    await run(at)
    const more = [r.userItem('Go on'), r.userEvent('Go on'), r.customCall('c9', 'apply_patch', patch('src/new.ts'))]
    appendFileSync(
      sessionFile(at.home, 2),
      r
        .envelopes(more)
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    )
    await run(at)
    const [folder] = readdirSync(join(at.out, 'files')).filter((name) => name.startsWith('engine'))
    const html = readFileSync(join(at.out, 'files', folder ?? '', 'index.html'), 'utf8')
    for (const name of ['gate-1.ts', 'gate-2.ts', 'new.ts']) expect(html).toContain(name)
    const failures = readFileSync(join(at.out, 'failures/index.html'), 'utf8')
    for (const script of ['make test-1', 'make test-2']) expect(failures).toContain(script)
  })

  it('plans in a dry run what the next build does, and changes neither site nor cache', async () => {
    const at = place()
    await run(at)
    appendFileSync(sessionFile(at.home, 2), `${JSON.stringify(r.envelopes([r.answerItem('More')])[0])}\n`)
    const before = [readFolder(at.out), readFolder(at.cache)]
    const planned = await run(at, { dryRun: true })
    expect([readFolder(at.out), readFolder(at.cache)]).toEqual(before)
    const done = await run(at)
    expect([done.written, done.kept, done.removed]).toEqual([planned.written, planned.kept, planned.removed])
  })
})

describe('threads whose ids differ only by case', () => {
  it('have a page each', async () => {
    const folder = useTempDir()
    const ids = [threadId(0xabcd), threadId(0xabcd).toUpperCase(), 'gate', 'GATE']
    for (const [index, id] of ids.entries()) {
      const records = [
        r.meta({ id, timestamp: r.instant(0), cwd: '/home/ada/engine' }),
        r.userItem(`Mend gate ${index}`),
      ]
      const text = r.envelopes(records).map((record) => `${JSON.stringify(record)}\n`)
      writeTo(folder, `home/sessions/2026/03/14/copy-${index}.jsonl`, text.join(''))
    }
    const { result } = await buildSite(folder)
    expect(result.diagnostics).toEqual([])
    const titles = readdirSync(join(folder, 'site/sessions')).map(
      (name) => /<title>([^<]*)/.exec(readFileSync(join(folder, 'site/sessions', name, 'index.html'), 'utf8'))?.[1],
    )
    expect(titles.map((title) => /Mend gate \d/.exec(title ?? '')?.[0]).sort()).toEqual(
      ids.map((_, index) => `Mend gate ${index}`),
    )
  })
})

describe('a build in which some sessions changed', () => {
  /** Sessions of three projects on four days of two months. */
  const many = (): Place => {
    const at = place()
    const days = ['2026-03-14', '2026-03-14', '2026-03-17', '2026-04-02', '2026-04-02', '2026-04-09']
    for (const [index, day] of days.entries()) addSession(at, { number: index + 3, day, project: `part-${index % 3}` })
    return at
  }
  const addSession = (
    { home: path }: Place,
    { number, day, project, say = 'Oil it' }: Record<'day' | 'project', string> & { number: number; say?: string },
  ): void => {
    const id = threadId(number)
    const usage = { input_tokens: 100 * number, output_tokens: 10, total_tokens: 100 * number + 10 }
    const records = [
      r.meta({ id, timestamp: `${day}T09:00:00.000Z`, cwd: `/home/ada/${project}`, cli_version: '0.99.0' }),
      r.userItem(`${say} ${number}`),
      r.customCall('c1', 'apply_patch', patch(`src/${project}-${number}.ts`)),
      r.customOutput('c1', 'Success. Updated the following files:\nA src/gate.ts\n'),
      ...r.command('c2', `${project}-lint ${number}`, 1),
      ...r.command('c3', `git commit -m 'Oil ${number}'`, 0),
      r.event('token_count', { info: { total_token_usage: usage, last_token_usage: usage } }),
      r.answerItem('Oiled'),
    ]
    const start = Date.parse(`${day}T09:00:00.000Z`)
    const lines = records.map((record, second) => ({
      ...r.envelopes([record])[0],
      timestamp: new Date(start + second * 1000).toISOString(),
    }))
    const name = `rollout-${day}T09-00-0${number}-${id}.jsonl`
    writeTo(
      path,
      `sessions/${day.replaceAll('-', '/')}/${name}`,
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    )
  }
  const fileOf = ({ home: path }: Place, number: number): string => {
    const name = readdirSync(path, { recursive: true, encoding: 'utf8' }).find((entry) =>
      entry.includes(threadId(number)),
    )
    return join(path, name ?? '')
  }
  const append = (at: Place, number: number, records: Parameters<typeof r.envelopes>[0]): void =>
    appendFileSync(
      fileOf(at, number),
      r
        .envelopes(records)
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    )

  it.each<[string, (at: Place) => void]>([
    ['a session grew', (at) => append(at, 4, [r.userItem('Once more'), ...r.command('c9', 'part-1-lint again', 1)])],
    [
      'a session fails by a program that another project runs',
      (at) => append(at, 3, r.command('c9', 'part-1-lint', 3)),
    ],
    [
      'a session changed a file',
      (at) =>
        append(at, 5, [r.customCall('c9', 'apply_patch', patch('src/late.ts')), r.customOutput('c9', 'Success.')]),
    ],
    [
      'a session was named',
      (at) =>
        writeTo(
          at.home,
          'session_index.jsonl',
          `${JSON.stringify({ id: threadId(6), thread_name: 'The hinge', updated_at: r.instant(60) })}\n`,
        ),
    ],
    ['a session began between two days', (at) => addSession(at, { number: 9, day: '2026-03-16', project: 'part-0' })],
    ['a project began', (at) => addSession(at, { number: 9, day: '2026-04-09', project: 'engine-2' })],
    ['a session was removed', (at) => rmSync(fileOf(at, 5))],
    ['the last session of a day was removed', (at) => rmSync(fileOf(at, 8))],
    [
      'a page of another project was removed',
      (at) => {
        append(at, 3, [r.userItem('Once more')])
        rmSync(join(at.out, 'failures'), { recursive: true })
      },
    ],
    [
      'a page of another month was changed by hand',
      (at) => {
        append(at, 3, [r.userItem('Once more')])
        writeTo(at.out, 'months/2026-04/index.html', 'Mine')
        const later = Date.now() / 1000 + 60
        utimesSync(join(at.out, 'months/2026-04/index.html'), later, later)
      },
    ],
    [
      'a session revealed a secret that its title contains',
      (at) => {
        writeTo(
          at.home,
          'session_index.jsonl',
          `${JSON.stringify({ id: threadId(6), thread_name: 'Try tulip-gate-4711', updated_at: r.instant(60) })}\n`,
        )
        append(at, 6, r.command('c9', 'mysql --password=tulip-gate-4711', 0))
      },
    ],
  ])('makes the same site as a build from scratch: %s', async (_, change) => {
    const at = many()
    await run(at)
    append(at, 7, [r.userItem('Twice')])
    await run(at)
    change(at)
    await run(at, { allowRemoval: true })
    const folder = useTempDir()
    const fresh = { home: at.home, out: join(folder, 'site'), cache: join(folder, 'cache') }
    await run(fresh)
    expect(readFolder(at.out)).toEqual(readFolder(fresh.out))
  })

  it.each<[string, Partial<BuildOptions>]>([
    ['the time zone', { timeZone: 'Asia/Tokyo' }],
    ['the title', { title: 'Hinges' }],
  ])('makes the same site as a build from scratch under other options: %s', async (_, options) => {
    const at = many()
    await run(at)
    append(at, 7, [r.userItem('Twice')])
    await run(at, options)
    const folder = useTempDir()
    const fresh = { home: at.home, out: join(folder, 'site'), cache: join(folder, 'cache') }
    await run(fresh, options)
    expect(readFolder(at.out)).toEqual(readFolder(fresh.out))
  })
})
