/** A home that disappeared never empties a site; sessions that somebody deselected are only reported. */

import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RemovalError } from '../../../src/diagnostics/errors.ts'
import { features } from '../../../src/program.ts'
import { build } from '../../../src/site/build.ts'
import type { BuildOptions, BuildResult } from '../../../src/site/types.ts'
import { readFolder, writeFolder } from '../../helpers/folder.ts'
import * as r from '../../helpers/records.ts'
import { plainBuild, quietHost } from '../../helpers/surroundings.ts'
import { useTempDir } from '../../helpers/temp.ts'

const idOf = (home: string, number: number): string =>
  `0199a1b2-${home === 'one' ? '1' : '2'}000-7000-8000-${String(number).padStart(12, '0')}`

function nameOf(id: string, folder = 'sessions/2026/03/14'): string {
  return `${folder}/rollout-2026-03-14T09-00-00-${id}.jsonl`
}

function textOf(id: string, cwd: string): string {
  const records = [r.meta({ id, timestamp: r.instant(0), cwd }), r.userItem(`Mend ${id}`), r.answerItem('Done')]
  return r
    .envelopes(records)
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')
}

/** A home `one` or `two` with numbered sessions, every second of them in another project. */
function writeHome(folder: string, home: 'one' | 'two', count: number, archived = 0): string {
  const path = join(folder, home)
  mkdirSync(join(path, 'sessions'), { recursive: true })
  writeFileSync(join(path, 'config.toml'), '')
  for (let number = 1; number <= count; number++) {
    const id = idOf(home, number)
    const place = number <= archived ? 'archived_sessions' : undefined
    writeFolder(path, { [nameOf(id, place)]: textOf(id, number % 2 === 0 ? '/work/even' : '/work/odd') })
  }
  return path
}

interface Place {
  folder: string
  homes: { path: string; label?: string }[]
}

function run({ folder, homes }: Place, change: Partial<BuildOptions> = {}): Promise<BuildResult> {
  const options: BuildOptions = {
    ...plainBuild(),
    homes,
    out: join(folder, 'site'),
    cache: join(folder, 'cache'),
    formats: ['html'],
    search: false,
    dryRun: false,
    ...change,
  }
  return build(options, quietHost({ homeDir: join(folder, 'user'), now: () => Date.UTC(2026, 2, 15) }), features)
}

/**
 * Builds, changes something, and builds again; returns the error of the second build, and whether the site is
 * unchanged.
 */
async function afterwards(
  at: Place,
  happen: () => void,
  change: Partial<BuildOptions> = {},
): Promise<{ error?: unknown; result?: BuildResult; same: boolean }> {
  await run(at)
  const before = readFolder(join(at.folder, 'site'))
  happen()
  const outcome = await run(at, change).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  )
  return { ...outcome, same: JSON.stringify(readFolder(join(at.folder, 'site'))) === JSON.stringify(before) }
}

const oneHome = (count: number, archived = 0): Place => {
  const folder = useTempDir()
  return { folder, homes: [{ path: writeHome(folder, 'one', count, archived) }] }
}
const pathOf = ({ homes }: Place, number = 0): string => homes[number]?.path ?? ''
const remove = (path: string): void => rmSync(path, { recursive: true })
const removeSessions = (path: string, numbers: number[]): void => {
  for (const number of numbers) remove(join(path, nameOf(idOf('one', number))))
}
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('a build after a home', () => {
  it.each<[string, (path: string) => void]>([
    ['was removed', remove],
    ['became an empty mount point', (path) => [remove(path), mkdirSync(path)]],
    ['became a link that leads nowhere', (path) => [remove(path), symlinkSync('/nowhere/at/all', path)]],
    ['lost its folder of sessions', (path) => remove(join(path, 'sessions'))],
    ['has its folder of sessions under another name', (path) => renameSync(join(path, 'sessions'), join(path, 'old'))],
    ['has an empty folder of sessions', (path) => [remove(join(path, 'sessions')), mkdirSync(join(path, 'sessions'))]],
    [
      'has a file in place of that folder',
      (path) => [remove(join(path, 'sessions')), writeFileSync(join(path, 'sessions'), '')],
    ],
    [
      'has folders in place of its rollouts',
      (path) => {
        for (const number of [1, 2, 3])
          [remove(join(path, nameOf(idOf('one', number)))), mkdirSync(join(path, nameOf(idOf('one', number))))]
      },
    ],
    [
      'has only empty rollouts',
      (path) => {
        for (const number of [1, 2, 3]) truncateSync(join(path, nameOf(idOf('one', number))))
      },
    ],
  ])('%s stops with the numbers and does not change the site', async (_, happen) => {
    const at = oneHome(3)
    const { error, same } = await afterwards(at, () => happen(pathOf(at)))
    expect(error).toBeInstanceOf(RemovalError)
    expect(error).toMatchObject({ losses: [{ source: pathOf(at), had: 3, has: 0, lost: 3 }] })
    expect(String(error)).toContain('had 3 sessions and has none now')
    expect(String(error)).toContain('--allow-removal')
    expect(same).toBe(true)
  })

  it.each<[string, number[], boolean]>([
    ['six of ten', range(1, 6), true],
    ['five of ten', range(1, 5), false],
  ])('lost %s stops only if that is more than half', async (_, numbers, stops) => {
    const at = oneHome(10)
    const { error, result, same } = await afterwards(at, () => removeSessions(pathOf(at), numbers))
    expect([error instanceof RemovalError, same]).toEqual([stops, stops])
    if (!stops) expect(result?.withdrawn).toMatchObject([{ reason: 'vanished', sessions: { length: 5 } }])
  })

  it('lost eight of nine continues, because nine are few', async () => {
    const at = oneHome(9)
    expect((await afterwards(at, () => removeSessions(pathOf(at), range(1, 8)))).result?.sessions).toBe(1)
  })

  it('lost its archived sessions with their folder stops, even if most sessions remain', async () => {
    const at = oneHome(12, 4)
    const { error, same } = await afterwards(at, () => remove(join(pathOf(at), 'archived_sessions')))
    expect([error instanceof RemovalError, same]).toEqual([true, true])
    expect(String(error)).toContain('archived_sessions')
  })

  it('has other sessions in place of most of its own stops', async () => {
    const at = oneHome(10)
    const { error } = await afterwards(at, () => {
      removeSessions(pathOf(at), range(1, 10))
      for (const number of range(31, 40)) {
        writeFolder(pathOf(at), { [nameOf(idOf('one', number))]: textOf(idOf('one', number), '/work') })
      }
    })
    expect(error).toMatchObject({ losses: [{ had: 10, has: 10, lost: 10 }] })
  })

  it('moved its sessions to the archive continues', async () => {
    const at = oneHome(3)
    const { result } = await afterwards(at, () => {
      for (const number of [1, 2, 3]) {
        const from = join(pathOf(at), nameOf(idOf('one', number)))
        writeFolder(pathOf(at), { [nameOf(idOf('one', number), 'archived_sessions')]: readFileSync(from, 'utf8') })
        remove(from)
      }
      remove(join(pathOf(at), 'sessions'))
    })
    expect(result).toMatchObject({ sessions: 3, withdrawn: [] })
  })
})

describe('with two homes,', () => {
  const twoHomes = (labels: string[] = []): Place => {
    const folder = useTempDir()
    const homes = (['one', 'two'] as const).map((home, index) => {
      const label = labels[index]
      return { path: writeHome(folder, home, home === 'one' ? 2 : 30), ...(label === undefined ? {} : { label }) }
    })
    return { folder, homes }
  }

  it.each([[[]], [['laptop', 'server']], [['same', 'same']]])(
    'a build stops if the small one disappears, despite the large one (%j)',
    async (labels) => {
      const at = twoHomes(labels)
      const { error, same } = await afterwards(at, () => remove(pathOf(at)))
      expect(error).toMatchObject({ losses: [{ source: pathOf(at), had: 2, has: 0 }] })
      expect(same).toBe(true)
    },
  )

  it('one may be removed from the configuration, and this is reported', async () => {
    const at = twoHomes()
    await run(at)
    const result = await run({ ...at, homes: at.homes.slice(1) })
    expect(result).toMatchObject({ sessions: 30, withdrawn: [{ reason: 'home-removed', sessions: { length: 2 } }] })
  })

  it('a build stops if only an empty home remains in the configuration', async () => {
    const at = twoHomes()
    const empty = join(at.folder, 'empty')
    mkdirSync(join(empty, 'sessions'), { recursive: true })
    await run(at)
    await expect(run({ ...at, homes: [{ path: empty }] })).rejects.toBeInstanceOf(RemovalError)
  })

  it.each([[[]], [['laptop', 'server']]])(
    'a build knows which one disappeared even without its cache (%j)',
    async (labels) => {
      const at = twoHomes(labels)
      const { error, same } = await afterwards(at, () => {
        remove(join(at.folder, 'cache'))
        remove(join(pathOf(at), 'sessions'))
      })
      expect(error).toMatchObject({ losses: [{ source: pathOf(at), had: 2, has: 0, lost: 2 }] })
      expect(same).toBe(true)
    },
  )
})

describe('a deselection', () => {
  const even = { projects: ['even'] }
  it.each<[string, Partial<BuildOptions>, number]>([
    ['all but a project', even, 10],
    ['all projects', { projects: ['nothing'] }, 0],
    ['earlier days', { since: '2026-05-01' }, 0],
    ['all but one id', { ids: [idOf('one', 7)] }, 1],
    ['archived sessions', { archived: false }, 5],
  ])('of %s is reported and never refused', async (_, change, left) => {
    const at = oneHome(20, 15)
    const { result } = await afterwards(at, () => {}, change)
    expect(result?.sessions).toBe(left)
    expect(result?.withdrawn).toMatchObject([{ reason: 'deselected', sessions: { length: 20 - left } }])
  })

  it('is distinguished from sessions that disappeared meanwhile', async () => {
    const at = oneHome(12)
    const { result } = await afterwards(at, () => removeSessions(pathOf(at), [2]), {
      projects: ['odd'],
    })
    expect(result?.withdrawn.map(({ reason, sessions }) => [reason, sessions.length]).toSorted()).toEqual([
      ['deselected', 5],
      ['vanished', 1],
    ])
  })

  it('may also be an allowed removal, which stays valid for later builds', async () => {
    const at = oneHome(3)
    const { result } = await afterwards(at, () => remove(pathOf(at)), { allowRemoval: true })
    expect(result).toMatchObject({ sessions: 0, withdrawn: [{ reason: 'vanished' }] })
    mkdirSync(join(pathOf(at), 'sessions'), { recursive: true })
    expect((await run(at)).sessions).toBe(0)
  })
})

describe('a first build', () => {
  it('of an empty home makes an empty site', async () => {
    const at = oneHome(0)
    expect((await run(at)).sessions).toBe(0)
    expect(existsSync(join(at.folder, 'site/index.html'))).toBe(true)
  })

  it('without the default home makes one too, and names the home as missing', async () => {
    const at = { folder: useTempDir(), homes: [] }
    const { places } = await run(at)
    expect(places).toEqual([`${join('~', '.codex')} (it does not exist)`])
  })

  it('of a named home that does not exist is refused, whatever is allowed', async () => {
    const at = oneHome(2)
    await run(at)
    const typo = { ...at, homes: [{ path: join(at.folder, 'typo') }] }
    await expect(run(typo, { allowRemoval: true })).rejects.toThrow('Cannot look for sessions in')
  })
})

it('a default home that disappeared stops the build', async () => {
  const folder = useTempDir()
  const at = { folder, homes: [] }
  mkdirSync(join(folder, 'user'))
  renameSync(writeHome(folder, 'one', 2), join(folder, 'user/.codex'))
  const { error, same } = await afterwards(at, () => remove(join(folder, 'user/.codex')))
  expect(error).toMatchObject({ losses: [{ source: join(folder, 'user/.codex'), had: 2, has: 0 }] })
  expect(String(error)).toContain('it does not exist')
  expect(same).toBe(true)
})

it('pages that are kept without their sources are kept without asking', async () => {
  const at = oneHome(2)
  const { result } = await afterwards(at, () => remove(join(pathOf(at), 'sessions')), { missing: 'keep' })
  expect(result).toMatchObject({ sessions: 2, withdrawn: [] })
})

it('the report lists the sessions of each home without its path', async () => {
  const folder = useTempDir()
  const homes = [{ path: writeHome(folder, 'one', 2), label: 'laptop' }, { path: writeHome(folder, 'two', 1) }]
  await run({ folder, homes })
  const text = readFileSync(join(folder, 'site/build-report.json'), 'utf8')
  expect(JSON.parse(text)).toMatchObject({ homes: [{ label: 'laptop', sessions: 2 }, { sessions: 1 }] })
  expect(text).not.toContain(folder)
})
