import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { requireBuild, runCli, runProcess } from '../helpers/cli.ts'
import { writeFolder } from '../helpers/folder.ts'
import { bareRepository, git, reachableContents } from '../helpers/git.ts'
import * as r from '../helpers/records.ts'
import { type ObjectStore, startObjectStore } from '../helpers/s3-server.ts'
import { shareTempDir, useTempDir } from '../helpers/temp.ts'
import { type Contents, folderContents, tracesOf } from '../helpers/traces.ts'

beforeAll(requireBuild)

/** Occurs, with a suffix, in everything that the session to be withdrawn contains. */
const word = 'zorillaq'
const staying = '019cebe6-48a0-7000-8000-00000000c0de'
const leaving = '019cebe6-48a0-7000-8000-0000000abcde'

/** A PNG whose pixels spell a text. */
function pictureOf(text: string): string {
  const pixels = Buffer.from(text.padEnd(Math.ceil(text.length / 3) * 3))
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    size.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([size, body, sum])
  }
  const header = Buffer.from([0, 0, 0, pixels.length / 3, 0, 0, 0, 1, 8, 2, 0, 0, 0])
  const data = deflateSync(Buffer.concat([Buffer.from([0]), pixels]), { level: 0 })
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const chunks = [chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]
  return `data:image/png;base64,${Buffer.concat([signature, ...chunks]).toString('base64')}`
}

function rollout(id: string, records: r.Json[]): Record<string, string> {
  const text = r.envelopes(records).map((record) => `${JSON.stringify(record)}\n`)
  return { [`codex/sessions/2026/03/14/rollout-2026-03-14T09-00-00-${id}.jsonl`]: text.join('') }
}

const patch = `*** Begin Patch\n*** Add File: src/${word}patched.ts\n+const ${word}added = 1\n*** End Patch`

/** A home of two sessions; one has the word wherever a session can have one. */
function home(): Record<string, string> {
  const usual = [
    r.meta({ id: staying, timestamp: r.instant(0), cwd: '/srv/shop', cli_version: '0.80.0' }),
    r.started('turn-1'),
    r.userItem('Keep the cart over a reload'),
    r.answerItem('It is kept.'),
    r.complete('turn-1'),
  ]
  const marked = [
    r.meta({
      id: leaving,
      timestamp: r.instant(0),
      cwd: `/srv/${word}folder`,
      cli_version: '0.80.0',
      git: { branch: `${word}branch`, repository_url: `https://git.example.org/team/${word}repository.git` },
    }),
    r.started('turn-1'),
    r.item({
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: `A prompt of ${word}prompt` },
        { type: 'input_image', image_url: pictureOf(`the pixels of ${word}picture`) },
      ],
    }),
    r.reasoningItem([`**Thinking of ${word}thought**`]),
    ...r.command('c1', `cat ${word}command.txt`, 0, `${word}output\n${`${word}long `.repeat(4000)}\n`),
    ...r.command('c2', `${word}fails --now`, 1, `error: ${word}failure\n`),
    r.customCall('p1', 'apply_patch', patch),
    r.customOutput('p1', JSON.stringify({ output: 'Success.', metadata: { exit_code: 0 } })),
    r.call('m1', `mcp__${word}server__find`, { query: `${word}argument` }),
    r.output('m1', `${word}found`),
    r.answerItem(`An answer with ${word}answer and \`${word}code\``),
    r.complete('turn-1'),
  ]
  const names = { id: leaving, thread_name: `Title of ${word}title`, updated_at: r.instant(0) }
  return {
    ...rollout(staying, usual),
    ...rollout(leaving, marked),
    'codex/session_index.jsonl': `${JSON.stringify(names)}\n`,
  }
}

function config(more: string): string {
  return `export default {
  homes: [{ path: 'codex' }],
  siteUrl: 'https://example.org/logs/',
  formats: ['html', 'md', 'json'],
  searchOutputs: true,
  offline: true,
  ${more}
}\n`
}

/** A folder with a home, its site and the hosts to which the site was published. */
interface Published {
  cwd: string
  /** Objects of the bucket. */
  objects: ObjectStore['objects']
}

interface Surroundings {
  remote: string
  store: ObjectStore
  /** Builds the site and publishes it to folder, branch and bucket. */
  buildAndPublish: () => Promise<void>
  places: () => [name: string, contents: Contents][]
}

async function surroundings(cwd: string): Promise<Surroundings> {
  const remote = join(cwd, 'remote.git')
  const store = await startObjectStore()
  const keys = {
    AWS_ACCESS_KEY_ID: 'key-of-test',
    AWS_SECRET_ACCESS_KEY: 'no-secret',
    AWS_EC2_METADATA_DISABLED: 'true',
  }
  const env = { HOME: cwd, XDG_CACHE_HOME: join(cwd, 'cache'), GIT_CONFIG_NOSYSTEM: '1', ...keys }
  const bucket = ['s3://sessions', '--endpoint', store.endpoint, '--region', 'us-east-1', '--path-style']
  const run = async (...args: string[]): Promise<void> => {
    // The library for buckets takes its keys from the process.
    const { status, stderr } = await (args[1] === 's3' ? runProcess : runCli)(args, { cwd, env })
    expect(status, `${args.join(' ')}\n${stderr}`).toBe(0)
  }
  return {
    remote,
    store,
    buildAndPublish: async () => {
      await run('build')
      await run('publish', 'dir', '--to', 'public')
      await run('publish', 'git', '--to', remote)
      await run('publish', 's3', '--to', ...bucket)
    },
    places: () => [
      ['site', folderContents(join(cwd, 'site'))],
      ['folder', folderContents(join(cwd, 'public'))],
      ['branch', reachableContents(remote)],
      ['bucket', [...store.objects].map(([key, { body }]) => [key, body] as const)],
    ],
  }
}

const shared = shareTempDir()
let published: Promise<Published> | undefined

/** Publishes both sessions, once for all tests: each continues with a copy. */
async function publishBoth(): Promise<Published> {
  const cwd = join(shared, 'both')
  mkdirSync(cwd)
  bareRepository(cwd)
  writeFolder(cwd, { ...home(), 'site.config.ts': config('') })
  const { store, buildAndPublish, places } = await surroundings(cwd)
  await buildAndPublish()
  for (const [name, contents] of places()) {
    // That the word is found now, in files of every kind, proves that the search for it works.
    const found = tracesOf(word, contents).join('\n')
    const folders = ['assets/', 'projects/', 'files/', 'failures/']
    for (const part of ['index.html', 'index.md', 'index.json', 'feed.xml', ...folders])
      expect(found, name).toContain(part)
    for (const part of ['.png', '.txt', '.pf_fragment', '.pf_index', '.pf_fragment.js', '.pf_index.js', 'llms.txt'])
      expect(found, name).toContain(part)
  }
  return { cwd, objects: store.objects }
}

test.each([
  ['its rollout was deleted', '', true],
  ['a curation hides it', `curation: { sessions: { '${leaving}': { hidden: true } } },`, false],
  ['it is excluded', `exclude: ['${leaving}'],`, false],
  ['it no longer passes the filters', "projects: ['shop'],", false],
])(
  'no byte of a session remains in the site and at its hosts if %s',
  async (_why, more, isDeleted) => {
    published ??= publishBoth()
    const { cwd: both, objects } = await published
    const cwd = useTempDir()
    cpSync(both, cwd, { recursive: true, preserveTimestamps: true })
    const { remote, store, buildAndPublish, places } = await surroundings(cwd)
    for (const [key, object] of objects) store.objects.set(key, object)

    if (isDeleted) rmSync(join(cwd, Object.keys(rollout(leaving, []))[0] ?? ''))
    writeFileSync(join(cwd, 'site.config.ts'), config(more))
    await buildAndPublish()
    for (const [name, contents] of places()) {
      const known = [...contents]
      expect(tracesOf(word, known), name).toEqual([])
      expect(tracesOf(leaving, known), name).toEqual([])
      expect(tracesOf('Keep the cart', known), name).not.toEqual([])
    }
    expect(git(remote, 'rev-list', '--count', '--all').trim()).toBe('1')
  },
  180_000,
)
