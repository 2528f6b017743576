/** A value that one session reveals as a secret, wherever else it occurs in sessions that belong together. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { features } from '../../../src/program.ts'
import { findRoots } from '../../../src/rollout/discover/homes-fs.ts'
import { build } from '../../../src/site/build.ts'
import { update } from '../../../src/site/stages-fs.ts'
import type { BuildOptions } from '../../../src/site/types.ts'
import { noise } from '../../helpers/planted.ts'
import { textsBelow } from '../../helpers/planted-site.ts'
import * as r from '../../helpers/records.ts'
import { buildSite, publicationWith, writeSession } from '../../helpers/site-build.ts'
import { siteTexts } from '../../helpers/site-text.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { plainBuild, quietHost } from '../../helpers/surroundings.ts'
import { shareTempDir, useTempDir } from '../../helpers/temp.ts'

const [first, second, third] = [threadNumber(1), threadNumber(2), threadNumber(3)]
const value = (seed: number): string => `${noise(seed, 7)}x4Q${noise(seed + 1, 7)}`
const reveals = (secret: string): r.Json[] => r.command('tells', 'cat .env', 0, `DB_PASSWORD=${secret}\n`)
const turn = (text: string): r.Json[] => [r.userItem(text), r.userEvent(text)]

/** Files of the site and the cache below a folder that contain a text, in any letter case. */
function holders(folder: string, secret: string): string[] {
  return holdersIn(bytesOf(folder), secret)
}

/** Paths and texts of all files of the site and the cache below a folder. */
function bytesOf(folder: string): ReturnType<typeof textsBelow> {
  return ['site', 'cache'].flatMap((part) => textsBelow(join(folder, part)))
}

function holdersIn(bytes: ReturnType<typeof textsBelow>, secret: string): string[] {
  const wanted = secret.toLowerCase()
  return bytes.flatMap(({ path, texts }) =>
    [path, ...texts].some((text) => text.toLowerCase().includes(wanted)) ? [path] : [],
  )
}

const echoes: readonly (readonly [name: string, put: (secret: string) => r.Json[]])[] = [
  ['a prompt, and with it the title and the outline', (secret) => turn(`I tried ${secret} at the door`)],
  ['an answer', (secret) => [r.answerItem(`It is \`${secret}\` now.`)]],
  ['a command', (secret) => r.command('login', `./login ${secret}`)],
  [
    'the name of a file',
    (secret) => [
      r.customCall('p', 'apply_patch', `*** Begin Patch\n*** Add File: notes-${secret}.txt\n+x\n*** End Patch`),
      r.customOutput('p', `Success. Updated the following files:\nA notes-${secret}.txt`),
    ],
  ],
  ['a long output', (secret) => r.command('log', 'cat log', 0, `${'line of a log\n'.repeat(3000)}${secret}\n`)],
  ['a failure', (secret) => r.command('fails', 'false', 1, `error: ${secret} was refused\n`)],
  ['reasoning', (secret) => [r.reasoningItem([`They gave ${secret}`])]],
  ['an unknown record', (secret) => [r.event('brand_new_kind', { note: { deep: [secret] } })]],
]

describe('an echo of a secret in the session that reveals it', () => {
  describe('of one kind', () => {
    const folder = shareTempDir()
    const cases = echoes.map(([name, put], index) => ({
      name,
      put,
      early: value(4 * index + 1),
      late: value(4 * index + 3),
    }))
    let bytes: ReturnType<typeof textsBelow>
    beforeAll(async () => {
      for (const [index, { put, early, late }] of cases.entries()) {
        const [before, after] = [threadNumber(2 * index + 1), threadNumber(2 * index + 2)]
        writeSession(folder, before, [...turn('Hello there'), ...put(early), ...reveals(early)])
        writeSession(folder, after, [...turn('Hello again'), ...reveals(late), ...put(late)])
      }
      await buildSite(folder, { search: true })
      bytes = bytesOf(folder)
    })

    test.each(cases)('is replaced in $name, before and after', ({ early, late }) => {
      expect(bytes.some(({ path }) => path.includes(threadNumber(1)))).toBe(true)
      expect(holdersIn(bytes, early)).toEqual([])
      expect(holdersIn(bytes, late)).toEqual([])
    })
  })

  test('is replaced on pages before the one that reveals it', async () => {
    const folder = useTempDir()
    const secret = value(1)
    const turns = Array.from({ length: 120 }, (_, index) => [
      ...turn(`Step ${index}${index === 3 ? ` with ${secret}` : ''}`),
      ...Array.from({ length: 8 }, (_item, part) =>
        r.command(`c${index}-${part}`, `make step-${index}-${part}`),
      ).flat(),
    ])
    writeSession(folder, first, [...turns.flat(), ...reveals(secret)])
    const { result } = await buildSite(folder)
    expect(result.pages).toBeGreaterThan(5)
    expect(holders(folder, secret)).toEqual([])
  })

  test('has the mark of the place that revealed it', async () => {
    const folder = useTempDir()
    const [one, two] = [value(1), value(3)]
    writeSession(folder, first, [
      ...turn(`Not ${two}?`),
      ...r.command('a', 'env', 0, `API_TOKEN=${one}\n`),
      ...reveals(two),
      r.answerItem(`First ${one}, then ${two}.`),
    ])
    const { texts } = await buildSite(folder)
    const markdown = texts.get(`sessions/${first}/index.md`)
    expect(markdown).toContain('First [redacted:named-secret#2], then [redacted:named-secret].')
  })
})

describe('an echo of a secret in another session', () => {
  const relations = [
    ['a fork', (parent: string): r.Json => ({ forked_from_id: parent })],
    [
      'a sub-agent',
      (parent: string): r.Json => ({ source: { subagent: { thread_spawn: { parent_thread_id: parent, depth: 1 } } } }),
    ],
    ['a review', (parent: string): r.Json => ({ forked_from_id: parent, source: { subagent: 'review' } })],
  ] as const
  describe('of the family', () => {
    const folder = shareTempDir()
    /** Two families of each kind: in one the older session reveals the secret, in the other the younger one. */
    const families = relations.map(([name, fields], index) => ({
      name,
      fields,
      secrets: [value(4 * index + 1), value(4 * index + 3)],
    }))
    let bytes: ReturnType<typeof textsBelow>
    beforeAll(async () => {
      let last = 0
      for (const { fields, secrets } of families) {
        for (const [revealing, secret] of secrets.entries()) {
          const [older, younger] = [threadNumber(++last), threadNumber(++last)]
          const of = (one: number): r.Json[] =>
            one === revealing ? [...turn('Hello there'), ...reveals(secret)] : turn(`Use ${secret} here`)
          writeSession(folder, older, of(0))
          writeSession(folder, younger, of(1), fields(older))
        }
      }
      await buildSite(folder, { search: true })
      bytes = bytesOf(folder)
    })

    test.each(families)('is replaced in $name, whichever reveals it', ({ secrets }) => {
      expect(bytes.some(({ path }) => path.includes(threadNumber(1)))).toBe(true)
      for (const secret of secrets) expect(holdersIn(bytes, secret)).toEqual([])
    })
  })

  test('is replaced if only a missing parent connects the sessions', async () => {
    const folder = useTempDir()
    const secret = value(5)
    writeSession(folder, first, [...turn('Hello there'), ...reveals(secret)], { forked_from_id: third })
    writeSession(folder, second, turn(`Use ${secret} here`), { forked_from_id: third })
    await buildSite(folder, { search: true })
    expect(holders(folder, secret)).toEqual([])
  })

  test('is replaced if the session that reveals it is not published', async () => {
    const folder = useTempDir()
    const secret = value(5)
    writeSession(folder, first, [...turn('Hello there'), ...reveals(secret)])
    writeSession(folder, second, turn(`Use ${secret} here`), { forked_from_id: first })
    for (let build = 0; build < 2; build++) {
      await buildSite(folder, { exclude: [first] })
      expect(holders(folder, secret)).toEqual([])
    }
  })

  test('is replaced once an unpublished session reveals it', async () => {
    const folder = useTempDir()
    const secret = value(5)
    writeSession(folder, first, turn('Hello there'))
    writeSession(folder, second, turn(`Use ${secret} here`), { forked_from_id: first })
    await buildSite(folder, { exclude: [first] })
    expect(holders(folder, secret)).not.toEqual([])
    writeSession(folder, first, [...turn('Hello there'), ...reveals(secret)])
    await buildSite(folder, { exclude: [first] })
    expect(holders(folder, secret)).toEqual([])
  })

  test('is replaced if what reveals it is omitted from the pages', async () => {
    const folder = useTempDir()
    const secret = value(5)
    writeSession(folder, first, [...turn('Hello there'), ...reveals(secret), r.answerItem(`It is ${secret}.`)])
    await buildSite(folder, { publication: publicationWith({}, { toolOutput: 'omit' }) })
    expect(holders(folder, secret)).toEqual([])
  })

  test('is kept if the sessions are unrelated', async () => {
    const folder = useTempDir()
    const secret = value(5)
    writeSession(folder, first, [...turn('Hello there'), ...reveals(secret)])
    writeSession(folder, second, turn(`Use ${secret} here`))
    await buildSite(folder)
    expect(holders(folder, secret)).not.toEqual([])
  })
})

describe('later builds', () => {
  /** All bytes of a site by path. */
  const siteOf = (folder: string): Map<string, string> => siteTexts(join(folder, 'site'))

  const rounds: readonly (readonly [name: string, change: (folder: string, secret: string) => void])[] = [
    [
      'a fork reveals a secret later',
      (folder, secret) => writeSession(folder, second, reveals(secret), { forked_from_id: first }),
    ],
    [
      'the session itself reveals a secret later',
      (folder, secret) => writeSession(folder, first, [...early(secret), ...reveals(secret)]),
    ],
    [
      'another fork reveals a secret later',
      (folder, secret) => {
        writeSession(folder, third, [...turn('Hello'), ...reveals(secret)], { forked_from_id: first })
      },
    ],
  ]
  const early = (secret: string): r.Json[] => [...turn(`Use ${secret}`), ...turn('Hello again')]

  test.each(rounds)('give the same bytes as a first build if %s', async (_name, change) => {
    const [folder, fresh] = [useTempDir(), useTempDir()]
    const secret = value(7)
    writeSession(folder, first, early(secret))
    writeSession(folder, second, turn('Hello there'), { forked_from_id: first })
    await buildSite(folder, { search: true })
    expect(holders(folder, secret)).not.toEqual([])
    change(folder, secret)
    await buildSite(folder, { search: true })
    expect(holders(folder, secret)).toEqual([])
    cpSync(join(folder, 'home'), join(fresh, 'home'), { recursive: true, preserveTimestamps: true })
    await buildSite(fresh, { search: true })
    expect(siteOf(folder)).toEqual(siteOf(fresh))

    const again = await buildSite(folder, { search: true, dryRun: true })
    expect(again.result.written).toBe(0)
  })

  test('publish a value again that nothing reveals any more, as a first build would', async () => {
    const [folder, fresh] = [useTempDir(), useTempDir()]
    const secret = value(7)
    for (const of of [folder, fresh]) writeSession(of, first, turn(`Use ${secret}`))
    writeSession(folder, second, [...turn('Hello there'), ...reveals(secret)], { forked_from_id: first })
    writeSession(fresh, second, turn('Hello there'), { forked_from_id: first })
    await buildSite(folder)
    writeSession(folder, second, turn('Hello there'), { forked_from_id: first })
    await buildSite(folder)
    await buildSite(fresh)
    expect(siteOf(folder)).toEqual(siteOf(fresh))
  })
})

describe('sessions whose rollouts are missing', () => {
  test.each([
    ['their fork', { forked_from_id: first }],
    ['a fork of the same session', { forked_from_id: third }],
  ])('are removed if %s reveals a secret that they show, and others are kept', async (_, head) => {
    const folder = useTempDir()
    const secret = value(11)
    const build = async () => (await buildSite(folder, { search: true, missing: 'keep' })).result
    const removed = writeSession(folder, first, turn(`Use ${secret}`), { forked_from_id: third })
    const plain = writeSession(folder, threadNumber(5), turn('All is well'), { forked_from_id: third })
    writeSession(folder, third, turn('Begin'))
    await build()
    for (const path of [removed, plain]) rmSync(path)
    const kept = await build()
    expect(kept.diagnostics.map(({ ruleId }) => ruleId)).toEqual(['kept-session', 'kept-session'])
    expect(holders(folder, secret)).not.toEqual([])
    writeSession(folder, second, reveals(secret), head)
    const rules = (await build()).diagnostics.map(({ ruleId }) => ruleId).filter((rule) => rule !== 'missing-parent')
    expect(rules.toSorted()).toEqual(['kept-session', 'lost-session'])
    expect(holders(folder, secret)).toEqual([])
  })

  test('are removed even if a watch has shown the session that reveals the secret before', async () => {
    const folder = useTempDir()
    const secret = value(13)
    const [out, cache] = [join(folder, 'site'), join(folder, 'cache')]
    const homes = [{ path: join(folder, 'home') }]
    const options: BuildOptions = { ...plainBuild({ homes }), out, cache, missing: 'keep', liveMs: 0 }
    const host = quietHost({ now: () => Date.parse('2026-03-20T00:00:00Z'), homeDir: '/home/ada' })
    const removed = writeSession(folder, first, turn(`Use ${secret}`))
    writeSession(folder, third, turn('Begin'))
    await build(options, host, features)
    rmSync(removed)
    await build(options, host, features)
    expect(holders(folder, secret)).not.toEqual([])
    writeSession(folder, second, reveals(secret), { forked_from_id: first })
    expect(await update({ options, host, features, roots: findRoots(homes, host), cacheDir: cache })).toBe(1)
    await build(options, host, features)
    expect(holders(folder, secret)).toEqual([])
  })
})
