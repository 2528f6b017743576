/** Secrets of every kind in every place of a session, and every byte that is made of it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { build } from '../../../src/app/build.ts'
import { list } from '../../../src/app/list.ts'
import { silent } from '../../../src/app/progress.ts'
import type { BuildOptions, Host } from '../../../src/app/types.ts'
import { rules } from '../../../src/redact/rules/all.ts'
import { type Planted, planted } from '../../helpers/planted.ts'
import * as r from '../../helpers/records.ts'
import { showFrom, writeHome } from '../../helpers/show.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { shareTempDir } from '../../helpers/temp.ts'

const folder = shareTempDir()
const wrapping = new Set(rules.flatMap(({ id, wraps }) => (wraps ? [id] : [])))

/** A text whose middle is broken by something that terminals and writers put there. */
function broken({ secret, text }: Planted, by: string): string {
  const at = text.indexOf(secret) + Math.floor(secret.length / 2)
  return text.slice(0, at) + by + text.slice(at)
}

/** A place in a session, by the records that put a text there. */
const places: readonly (readonly [name: string, put: (secret: Planted) => r.Json[]])[] = [
  ['prompt', ({ text }) => [r.userItem(`Use this: ${text}`)]],
  ['second prompt', ({ text }) => [r.userItem(text)]],
  ['answer', ({ text }) => [r.answerItem(`It is \`${text}\` now.`)]],
  ['reasoning', ({ text }) => [r.reasoningItem([`They gave ${text}`])]],
  ['command', ({ text }) => r.command('c1', `echo '${text}' | deploy`)],
  ['argv', ({ text }) => [r.call('c2', 'shell', { command: ['deploy', text, '--now'] }), r.output('c2', 'done')]],
  ['output', ({ text }) => r.command('c3', 'cat notes', 0, `one\n${text}\nlast\n`)],
  ['long output', ({ text }) => r.command('c4', 'cat log', 0, `${'line of a log\n'.repeat(2000)}${text}\n`)],
  ['failure', ({ text }) => r.command('c5', 'false', 1, `error: ${text} was refused\n`)],
  ['patch', ({ text }) => patch('c6', 'notes.txt', text)],
  ['path', ({ text }) => patch('c7', `src/${text.replaceAll('\n', ' ')}/a.ts`, 'x')],
  ['MCP argument', ({ text }) => [r.call('c8', 'mcp__files__find', { query: text }), r.output('c8', text)]],
  [
    'nested JSON',
    ({ text }) => [
      r.call('c9', 'send', { body: JSON.stringify({ inner: JSON.stringify({ text }) }) }),
      r.output('c9', '{}'),
    ],
  ],
  ['coloured output', (secret) => r.command('c10', 'show', 0, `${broken(secret, '\u001B[1;31m')}\u001B[0m\n`)],
  [
    'wrapped output',
    (secret) =>
      secret.text === secret.secret && wrapping.has(secret.rule)
        ? r.command('c11', 'x', 0, `${broken(secret, '\n')}\n`)
        : [],
  ],
  ['unknown record', ({ text }) => [r.event('brand_new_kind', { note: { deep: [text] } })]],
  ['error', ({ text }) => [r.event('error', { message: `Cannot log in with ${text}` })]],
]

function patch(callId: string, path: string, text: string): r.Json[] {
  const lines = text.split('\n').map((line) => `+${line}`)
  const body = ['*** Begin Patch', `*** Add File: ${path}`, ...lines, '*** End Patch'].join('\n')
  return [
    r.customCall(callId, 'apply_patch', body),
    r.customOutput(callId, 'Success. Updated the following files:\nA x'),
  ]
}

const headPlaces = ['branch', 'remote', 'folder', 'name']
const byPlace = [...places.map(([name]) => name), ...headPlaces].map((_, index) => planted(index))
const kinds = byPlace[0]?.length ?? 0

function secretOf(place: number, kind: number): Planted {
  const secret = byPlace[place]?.[kind]
  if (secret === undefined) throw new Error(`no secret ${kind} for place ${place}`)
  return secret
}

/** One session a kind, with a secret of its own in each place. */
function records(kind: number): r.Json[] {
  const id = threadNumber(kind + 1)
  const [branch, remote, cwd] = [0, 1, 2].map((index) => secretOf(places.length + index, kind).text)
  const head = { id, timestamp: r.instant(0), cwd: `/home/ada/${cwd}`, git: { branch, repository_url: remote } }
  return [r.meta(head), ...places.flatMap(([, put], index) => put(secretOf(index, kind)))]
}

function host(): Host {
  const { signal } = new AbortController()
  return { signal, progress: silent, report: () => {}, now: () => 0, env: {}, homeDir: folder }
}

const filters = { projects: [], since: undefined, until: undefined, ids: [], archived: undefined, timeZone: 'UTC' }

function options(home: string, fields: Partial<BuildOptions> = {}): BuildOptions {
  const look = { title: 'Logs', timeZone: 'UTC', language: 'en', generator: 'codex-export 0.0.0' }
  return {
    sources: { homes: [{ path: home }] },
    filters,
    look: {
      ...look,
      description: undefined,
      siteUrl: 'https://example.org/logs/',
      templatesDir: undefined,
      prices: undefined,
      plugins: [],
    },
    out: join(folder, 'site'),
    cache: join(folder, 'cache'),
    formats: ['html', 'md', 'json'],
    search: true,
    searchOutputs: true,
    dryRun: false,
    ...fields,
  }
}

/** Eight characters of each secret, from its end and from its middle, by where they were planted. */
function needles(): Map<string, string> {
  const found = new Map<string, string>()
  for (const [place, secrets] of byPlace.entries()) {
    const name = [...places.map(([own]) => own), ...headPlaces][place]
    for (const { kind, secret } of secrets) {
      const middle = Math.floor(secret.length / 2)
      for (const piece of [secret.slice(-8), secret.slice(middle - 8, middle), secret.slice(middle, middle + 8)])
        if (/^[A-Za-z0-9]{8}$/.test(piece)) found.set(piece.toLowerCase(), `${kind} in ${name}`)
    }
  }
  return found
}

/** Where planted secrets are left in a text, tags and case aside. */
function survivorsIn(text: string, wanted: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>()
  for (const form of [text, text.replace(/<[^>]*>/g, '')]) {
    for (const [run] of form.toLowerCase().matchAll(/[a-z0-9]{8,}/g)) {
      for (let at = 0; at + 8 <= run.length; at++) {
        const place = wanted.get(run.slice(at, at + 8))
        if (place !== undefined) found.add(place)
      }
    }
  }
  return [...found]
}

/** All that the bytes of a file may say: as they are, unpacked, and decoded where a script wraps them. */
function readings(bytes: Buffer): string[] {
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes
  const text = plain.toString('latin1')
  const wrapped = Array.from(text.matchAll(/["'`]([A-Za-z0-9+/]{40,}={0,2})["'`]/g), ([, data = '']) =>
    Buffer.from(data, 'base64'),
  )
  return [
    text,
    ...wrapped
      .filter((data) => data[0] === 0x1f && data[1] === 0x8b)
      .map((data) => gunzipSync(data).toString('latin1')),
  ]
}

function survivorsBelow(root: string): string[] {
  const wanted = needles()
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      const texts = [entry.name, ...readings(readFileSync(path))]
      return texts.flatMap((text) => survivorsIn(text, wanted)).map((what) => `${what}: ${path.slice(root.length + 1)}`)
    })
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
  await build(options(home), host())
}, 120_000)

describe('of secrets of every kind in every place', () => {
  test('there are enough of both', () => {
    expect(kinds).toBeGreaterThan(60)
    expect(byPlace.length).toBeGreaterThan(12)
  })

  test('none is left in any byte of the site, the search index unpacked', () => {
    expect(survivorsBelow(join(folder, 'site'))).toEqual([])
  })

  test('none is left in what the next build finds in the cache', () => {
    expect(survivorsBelow(join(folder, 'cache'))).toEqual([])
  })

  test('none is left after a second build, which reads facts anew that the first one did not keep', async () => {
    await build(options(home, { searchOutputs: false }), host())
    expect(survivorsBelow(join(folder, 'site'))).toEqual([])
  })

  test('none is left in the list', async () => {
    const { rows } = await list({ sources: { homes: [{ path: home }] }, filters }, host())
    expect(rows).toHaveLength(kinds)
    expect(survivorsIn(JSON.stringify(rows), needles())).toEqual([])
  })

  test.each(['md', 'text', 'html', 'json'] as const)('none is left in a transcript shown as %s', async (format) => {
    for (const kind of [0, 15, 53, 63]) {
      const { text } = await showFrom(home, threadNumber(kind + 1), { format })
      expect(survivorsIn(text, needles())).toEqual([])
    }
  })

  test('all of them are there without redaction, where such a site would show them', async () => {
    const { text } = await showFrom(home, threadNumber(1), { format: 'json', redact: false })
    const left = survivorsIn(text, needles())
    for (const [name] of places) expect(left).toContainEqual(expect.stringContaining(` in ${name}`))
  })

  test('lists and pages number them alike, from the names of a session on', async () => {
    const { rows } = await list({ sources: { homes: [{ path: home }] }, filters }, host())
    const { text } = await showFrom(home, threadNumber(2), { format: 'md' })
    const title = rows.find(({ id }) => id === threadNumber(2))?.title ?? ''
    expect(title).toContain('[redacted:openai-key]')
    expect(text).toContain(title.replaceAll('[', '\\['))
    expect(text).toContain('#2]')
  })
})
