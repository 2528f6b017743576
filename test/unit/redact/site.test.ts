/** Secrets of every kind in every place of a session, and every byte that is made of it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { list } from '../../../src/cli/list-sessions.ts'
import { features } from '../../../src/program.ts'
import { build } from '../../../src/site/build.ts'
import { type Planted, planted } from '../../helpers/planted.ts'
import { places, textsBelow, wholeBuild } from '../../helpers/planted-site.ts'
import * as r from '../../helpers/records.ts'
import { showFrom, writeHome } from '../../helpers/show.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { everySession, quietHost } from '../../helpers/surroundings.ts'
import { shareTempDir } from '../../helpers/temp.ts'

const folder = shareTempDir()

const headPlaces = ['branch', 'remote', 'folder', 'name']
const byPlace = [...places.map(([name]) => name), ...headPlaces].map((_, index) => planted(index))
const kinds = byPlace[0]?.length ?? 0

function secretOf(place: number, kind: number): Planted {
  const secret = byPlace[place]?.[kind]
  if (secret === undefined) throw new Error(`no secret ${kind} for place ${place}`)
  return secret
}

/** One session for each kind, with a different secret in each place. */
function records(kind: number): r.Json[] {
  const id = threadNumber(kind + 1)
  const [branch, remote, cwd] = [0, 1, 2].map((index) => secretOf(places.length + index, kind).text)
  const head = { id, timestamp: r.instant(0), cwd: `/home/ada/${cwd}`, git: { branch, repository_url: remote } }
  return [r.meta(head), ...places.flatMap(([, put], index) => put(secretOf(index, kind)))]
}

/** A part of a secret. */
interface Needle {
  /** What was planted, and where. */
  what: string
  /** Sixteen characters of the secret that contain the part. */
  around: string
}

/** Eight characters of each secret, from its end and from its middle. */
function needles(): Map<string, Needle> {
  const found = new Map<string, Needle>()
  for (const [place, secrets] of byPlace.entries()) {
    const name = [...places.map(([own]) => own), ...headPlaces][place]
    for (const { kind, secret } of secrets) {
      const lower = secret.toLowerCase()
      const middle = Math.floor(secret.length / 2)
      const centre = lower.slice(Math.max(0, middle - 8), middle + 8)
      for (const [piece, around] of [
        [lower.slice(-8), lower.slice(-16)],
        [lower.slice(middle - 8, middle), centre],
        [lower.slice(middle, middle + 8), centre],
      ] as const)
        if (/^[a-z0-9]{8}$/.test(piece)) found.set(piece, { what: `${kind} in ${name}`, around })
    }
  }
  return found
}

/** The digits of a SHA-256. In thousands of them, eight digits of a secret occur by chance, but not sixteen. */
const isDigest = /^[0-9a-f]{64}$/

/** Which planted secrets are left in a text, regardless of tags and letter case. */
function survivorsIn(text: string, wanted: ReadonlyMap<string, Needle>): string[] {
  const found = new Set<string>()
  for (const form of [text, text.replace(/<[^>]*>/g, '')]) {
    for (const [run] of form.toLowerCase().matchAll(/[a-z0-9]{8,}/g)) {
      for (let at = 0; at + 8 <= run.length; at++) {
        const needle = wanted.get(run.slice(at, at + 8))
        if (needle !== undefined && (!isDigest.test(run) || run.includes(needle.around))) found.add(needle.what)
      }
    }
  }
  return [...found]
}

function survivorsBelow(root: string): string[] {
  const wanted = needles()
  return textsBelow(root).flatMap(({ path, texts }) =>
    texts.flatMap((text) => survivorsIn(text, wanted)).map((what) => `${what}: ${path}`),
  )
}

let home = ''

beforeAll(async () => {
  const sessions = Array.from({ length: kinds }, (_, kind) => [threadNumber(kind + 1), records(kind)] as const)
  home = writeHome(folder, Object.fromEntries(sessions))
  const names = sessions.map(([id], kind) => {
    const { text } = secretOf(places.length + 3, kind)
    return kind % 2 === 0 ? `${JSON.stringify({ id, thread_name: `About ${text}`, updated_at: r.instant(0) })}\n` : ''
  })
  writeFileSync(join(home, 'session_index.jsonl'), names.join(''))
  await build(wholeBuild(home, folder), quietHost({ homeDir: folder }), features)
})

describe('secrets of every kind in every place', () => {
  test('are planted in sufficient number', () => {
    expect(kinds).toBeGreaterThan(60)
    expect(byPlace.length).toBeGreaterThan(12)
    const assets = textsBelow(join(folder, 'site', 'assets')).map(({ path }) => path)
    expect(assets).toContainEqual(expect.stringMatching(/\.png$/))
    expect(assets).toContainEqual(expect.stringMatching(/\.jpg$/))
  })

  test('are left in no byte of the site, even with its search index unpacked', () => {
    expect(survivorsBelow(join(folder, 'site'))).toEqual([])
  })

  test('are left in no file that the next build finds in the cache', () => {
    expect(survivorsBelow(join(folder, 'cache'))).toEqual([])
  })

  test('are left in no byte after a second build, which reads the facts that were not cached', async () => {
    await build(wholeBuild(home, folder, { searchOutputs: false }), quietHost({ homeDir: folder }), features)
    expect(survivorsBelow(join(folder, 'site'))).toEqual([])
  })

  test('are left in no row of `list`', async () => {
    const { rows } = await list({ homes: [{ path: home }], ...everySession }, quietHost({ homeDir: folder }))
    expect(rows).toHaveLength(kinds)
    expect(survivorsIn(JSON.stringify(rows), needles())).toEqual([])
  })

  test.each(['md', 'text', 'html', 'json'] as const)('are left in no transcript shown as %s', async (format) => {
    for (const kind of [0, 15, 53, 63]) {
      const { text } = await showFrom(home, threadNumber(kind + 1), { format })
      expect(survivorsIn(text, needles())).toEqual([])
    }
  })

  test('are all kept without redaction, except in pictures', async () => {
    const { text } = await showFrom(home, threadNumber(1), { format: 'json', redact: false })
    const survivors = survivorsIn(text, needles())
    // What pictures contain besides their pixels is in no tree.
    for (const [name] of places.filter(([own]) => own !== 'picture'))
      expect(survivors).toContainEqual(expect.stringContaining(` in ${name}`))
  })

  test('get the same numbers in lists and on pages, beginning with the names of a session', async () => {
    const { rows } = await list({ homes: [{ path: home }], ...everySession }, quietHost({ homeDir: folder }))
    const { text } = await showFrom(home, threadNumber(2), { format: 'md' })
    const title = rows.find(({ id }) => id === threadNumber(2))?.title ?? ''
    expect(title).toContain('[redacted:openai-key]')
    expect(text).toContain(title.replaceAll('[', '\\['))
    expect(text).toContain('#2]')
  })
})
