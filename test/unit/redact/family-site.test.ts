/** A value that one session tells as a secret, wherever else it stands in sessions that belong together. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { noise } from '../../helpers/planted.ts'
import { textsBelow } from '../../helpers/planted-site.ts'
import * as r from '../../helpers/records.ts'
import { buildSite, publicationWith, writeSession } from '../../helpers/site-build.ts'
import { siteTexts } from '../../helpers/site-text.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { useTempDir } from '../../helpers/temp.ts'

const [first, second, third] = [threadNumber(1), threadNumber(2), threadNumber(3)]
const value = (seed: number): string => `${noise(seed, 7)}x4Q${noise(seed + 1, 7)}`
const tells = (secret: string): r.Json[] => r.command('tells', 'cat .env', 0, `DB_PASSWORD=${secret}\n`)
const turn = (text: string): r.Json[] => [r.userItem(text), r.userEvent(text)]

/** Files of the site and the cache below a folder that hold a text, in any letter case. */
function holders(folder: string, secret: string): string[] {
  const found = ['site', 'cache'].flatMap((part) => textsBelow(join(folder, part)))
  const wanted = secret.toLowerCase()
  return found.flatMap(({ path, texts }) =>
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

describe('an echo in the session that tells it', () => {
  test.each(echoes)('is replaced in %s, before and behind', async (_name, put) => {
    const folder = useTempDir()
    const [early, late] = [value(1), value(3)]
    writeSession(folder, first, [...turn('Hello there'), ...put(early), ...tells(early)])
    writeSession(folder, second, [...turn('Hello again'), ...tells(late), ...put(late)])
    await buildSite(folder, { search: true })
    expect(holders(folder, early)).toEqual([])
    expect(holders(folder, late)).toEqual([])
  })

  test('is replaced on pages before the one that tells it', async () => {
    const folder = useTempDir()
    const secret = value(1)
    const turns = Array.from({ length: 120 }, (_, index) => [
      ...turn(`Step ${index}${index === 3 ? ` with ${secret}` : ''}`),
      ...Array.from({ length: 8 }, (_item, part) =>
        r.command(`c${index}-${part}`, `make step-${index}-${part}`),
      ).flat(),
    ])
    writeSession(folder, first, [...turns.flat(), ...tells(secret)])
    const { result } = await buildSite(folder)
    expect(result.pages).toBeGreaterThan(5)
    expect(holders(folder, secret)).toEqual([])
  })

  test('bears the mark of the place that told it', async () => {
    const folder = useTempDir()
    const [one, two] = [value(1), value(3)]
    writeSession(folder, first, [
      ...turn(`Not ${two}?`),
      ...r.command('a', 'env', 0, `API_TOKEN=${one}\n`),
      ...tells(two),
      r.answerItem(`First ${one}, then ${two}.`),
    ])
    const { texts } = await buildSite(folder)
    const markdown = texts.get(`sessions/${first}/index.md`)
    expect(markdown).toContain('First [redacted:named-secret#2], then [redacted:named-secret].')
  })
})

describe('an echo in another session', () => {
  const relations = [
    ['a fork', { forked_from_id: first }],
    ['a sub-agent', { source: { subagent: { thread_spawn: { parent_thread_id: first, depth: 1 } } } }],
    ['a review', { forked_from_id: first, source: { subagent: 'review' } }],
  ] as const
  test.each(relations)('is replaced in %s, whichever tells', async (_name, fields) => {
    for (const [teller, other] of [
      [first, second],
      [second, first],
    ]) {
      const folder = useTempDir()
      const secret = value(5)
      const of = (id: string): r.Json[] => [
        ...turn(id === other ? `Use ${secret} here` : 'Hello there'),
        ...(id === teller ? tells(secret) : []),
      ]
      writeSession(folder, first, of(first))
      writeSession(folder, second, of(second), fields)
      await buildSite(folder, { search: true })
      expect(holders(folder, secret)).toEqual([])
    }
  })

  test('is replaced where only a parent that is missing joins them', async () => {
    const folder = useTempDir()
    const secret = value(5)
    writeSession(folder, first, [...turn('Hello there'), ...tells(secret)], { forked_from_id: third })
    writeSession(folder, second, turn(`Use ${secret} here`), { forked_from_id: third })
    await buildSite(folder, { search: true })
    expect(holders(folder, secret)).toEqual([])
  })

  test('is replaced where the one that tells is not published', async () => {
    const folder = useTempDir()
    const secret = value(5)
    writeSession(folder, first, [...turn('Hello there'), ...tells(secret)])
    writeSession(folder, second, turn(`Use ${secret} here`), { forked_from_id: first })
    for (let build = 0; build < 2; build++) {
      await buildSite(folder, { exclude: [first] })
      expect(holders(folder, secret)).toEqual([])
    }
  })

  test('is replaced where what tells is left out of the pages', async () => {
    const folder = useTempDir()
    const secret = value(5)
    writeSession(folder, first, [...turn('Hello there'), ...tells(secret), r.answerItem(`It is ${secret}.`)])
    await buildSite(folder, { publication: publicationWith({}, { toolOutput: 'omit' }) })
    expect(holders(folder, secret)).toEqual([])
  })

  test('stays where the sessions have nothing to do with each other', async () => {
    const folder = useTempDir()
    const secret = value(5)
    writeSession(folder, first, [...turn('Hello there'), ...tells(secret)])
    writeSession(folder, second, turn(`Use ${secret} here`))
    await buildSite(folder)
    expect(holders(folder, secret)).not.toEqual([])
  })
})

describe('later builds', () => {
  /** All bytes of a site by path. */
  const siteOf = (folder: string): Map<string, string> => siteTexts(join(folder, 'site'))

  const rounds: readonly (readonly [name: string, change: (folder: string, secret: string) => void])[] = [
    ['a fork tells later', (folder, secret) => writeSession(folder, second, tells(secret), { forked_from_id: first })],
    [
      'the session itself tells later',
      (folder, secret) => writeSession(folder, first, [...early(secret), ...tells(secret)]),
    ],
    [
      'a fork echoes later',
      (folder, secret) => {
        writeSession(folder, third, [...turn('Hello'), ...tells(secret)], { forked_from_id: first })
      },
    ],
  ]
  const early = (secret: string): r.Json[] => [...turn(`Use ${secret}`), ...turn('Hello again')]

  test.each(rounds)('give the bytes of a first one where %s', async (_name, change) => {
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

  test('publish a value again that nothing tells any more, as a first one would', async () => {
    const [folder, fresh] = [useTempDir(), useTempDir()]
    const secret = value(7)
    for (const of of [folder, fresh]) writeSession(of, first, turn(`Use ${secret}`))
    writeSession(folder, second, [...turn('Hello there'), ...tells(secret)], { forked_from_id: first })
    writeSession(fresh, second, turn('Hello there'), { forked_from_id: first })
    await buildSite(folder)
    writeSession(folder, second, turn('Hello there'), { forked_from_id: first })
    await buildSite(folder)
    await buildSite(fresh)
    expect(siteOf(folder)).toEqual(siteOf(fresh))
  })
})
