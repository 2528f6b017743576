import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { UsageError } from '../../../src/diagnostics/errors.ts'
import { type BeforeChange, openFolder } from '../../../src/features/publish/folder-fs.ts'
import { type PublishPlan, refuseWithdrawal } from '../../../src/features/publish/plan.ts'
import { openBucket } from '../../../src/features/publish/s3-fs.ts'
import { openBuiltSite, siteFiles } from '../../../src/features/publish/site-fs.ts'
import { journalName, type Store, syncSite } from '../../../src/features/publish/sync.ts'

import { readFolder, writeFolder } from '../../helpers/folder.ts'
import { type ObjectStore, startObjectStore } from '../../helpers/s3-server.ts'
import { missedByReaders, smallSite, withManifest, writeSite } from '../../helpers/small-site.ts'
import { useTempDir } from '../../helpers/temp.ts'

const before = smallSite({ sessions: { alder: 'one', birch: 'two', cedar: 'three' } })
const after = smallSite({ sessions: { birch: 'two, mended', cedar: 'three', dogwood: 'four' }, css: 'p{margin:0}' })

// These two sites need a step of each kind too, but few, because each step is one run of the test.
const few = smallSite({ sessions: { alder: 'one', birch: 'two' } })
const other = smallSite({ sessions: { birch: 'two, mended', cedar: 'three' }, css: 'p{margin:0}' })

/** A target with functions to look into it and to make it fail. */
interface Place {
  open: () => Promise<Store>
  files: () => Record<string, string>
  /** Allows this number of changes, and fails from then on. */
  failAfter: (changes: number) => void
}

function folderPlace(site: string): Place {
  const folder = join(useTempDir(), 'public')
  let changesLeft = Number.POSITIVE_INFINITY
  const beforeChange: BeforeChange = () => {
    if (changesLeft-- <= 0) throw new Error('killed')
  }
  return {
    open: async () => openFolder(folder, site, beforeChange),
    files: () => (existsSync(folder) ? readFolder(folder) : {}),
    failAfter: (changes) => {
      changesLeft = changes
    },
  }
}

async function bucketPlace(): Promise<Place> {
  const store = await startObjectStore()
  return {
    open: () => openBucket({ bucket: 'sessions', prefix: '' }, optionsOf(store)),
    files: store.texts,
    failAfter: (changes) => {
      store.changesLeft = changes
    },
  }
}

function optionsOf({ endpoint }: ObjectStore) {
  return { endpoint, region: 'us-east-1', pathStyle: true }
}

async function publish(site: string, store: Store, dryRun = false, allowRemoval = false): Promise<PublishPlan> {
  const built = openBuiltSite(site)
  const check = (plan: PublishPlan): void => {
    if (!allowRemoval) refuseWithdrawal(plan, store.name.replaceAll('`', ''))
  }
  const run = { dryRun, check, signal: new AbortController().signal, onPlan() {}, onStep() {} }
  try {
    const sourceOf = (path: string) => join(built.root, path)
    return await syncSite([...siteFiles(built, store.markKind)], store, { ...run, sourceOf })
  } finally {
    await store.close()
  }
}

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key-of-test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'no-secret')
  return () => vi.unstubAllEnvs()
})

describe.each(['folder', 'bucket'])('a %s', (kind) => {
  const makePlace = (site: string): Promise<Place> | Place => (kind === 'folder' ? folderPlace(site) : bucketPlace())

  test('holds exactly the site after a publish, and a second publish changes nothing', async () => {
    const parent = useTempDir()
    const site = writeSite(parent, before)
    const place = await makePlace(site)
    const first = await publish(site, await place.open())
    expect(first.added).toHaveLength(Object.keys(before).length)
    expect(place.files()).toEqual(before)
    const second = await publish(site, await place.open())
    expect(second).toMatchObject({ added: [], changed: [], removed: [] })
    expect(second.kept).toHaveLength(Object.keys(before).length)
    writeSite(parent, after)
    const third = await publish(site, await place.open())
    expect(third.removed).toContain('sessions/alder/index.html')
    expect(place.files()).toEqual(after)
  })

  test('does not lose most of its sessions unless that is allowed', async () => {
    const parent = useTempDir()
    const sessions = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`s${index}`, `text ${index}`]))
    const few = smallSite({ sessions: Object.fromEntries(Object.entries(sessions).slice(0, 5)) })
    const place = await makePlace(writeSite(parent, smallSite({ sessions })))
    await publish(join(parent, 'site'), await place.open())
    const files = place.files()
    writeSite(parent, few)
    const refused = publish(join(parent, 'site'), await place.open())
    await expect(refused).rejects.toMatchObject({ losses: [{ had: 12, has: 5, lost: 7 }] })
    expect(place.files()).toEqual(files)
    await expect(publish(join(parent, 'site'), await place.open(), true)).rejects.toThrow('--allow-removal')
    await publish(join(parent, 'site'), await place.open(), false, true)
    expect(place.files()).toEqual(few)
  })

  test('keeps the files that others put there', async () => {
    const parent = useTempDir()
    const site = writeSite(parent, before)
    const place = await makePlace(site)
    await publish(site, await place.open())
    const store = await place.open()
    await store.putText('notes/mine.txt', 'mine')
    await store.putText('sessions/alder/mine.txt', 'mine')
    await store.close()
    writeSite(parent, after)
    await publish(site, await place.open())
    expect(place.files()).toEqual({ ...after, 'notes/mine.txt': 'mine', 'sessions/alder/mine.txt': 'mine' })
  })

  test('is refused and not changed if a file of somebody else has a path of the site', async () => {
    const site = writeSite(useTempDir(), before)
    const place = await makePlace(site)
    const store = await place.open()
    await store.putText('index.html', 'mine')
    await expect(publish(site, store)).rejects.toThrow('`index.html` in ')
    expect(place.files()).toEqual({ 'index.html': 'mine' })
  })

  test('with a manifest of another program is refused', async () => {
    const site = writeSite(useTempDir(), before)
    const place = await makePlace(site)
    const store = await place.open()
    await store.putText('manifest.json', '{"name":"An app","files":{"a.html":"b"}}')
    await expect(publish(site, store)).rejects.toThrow('`manifest.json` in ')
  })

  test('is not changed by a plan', async () => {
    const site = writeSite(useTempDir(), before)
    const place = await makePlace(site)
    const plan = await publish(site, await place.open(), true)
    expect(plan.added).toContainEqual(
      expect.objectContaining({ path: 'index.html', size: before['index.html']?.length }),
    )
    expect(place.files()).toEqual({})
  })

  test('has no page without its files after a killed publish, and the next publish completes it', async () => {
    const parent = useTempDir()
    const site = writeSite(parent, few)
    const place = await makePlace(site)
    for (let changes = 0; ; changes++) {
      place.failAfter(Number.POSITIVE_INFINITY)
      writeSite(parent, few)
      await publish(site, await place.open())
      writeSite(parent, other)
      place.failAfter(changes)
      const failure = await publish(site, await place.open()).then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(missedByReaders(place.files()), `after ${changes} changes`).toEqual([])
      place.failAfter(Number.POSITIVE_INFINITY)
      await publish(site, await place.open())
      expect(place.files(), `after ${changes} changes`).toEqual(other)
      if (failure === undefined) break
      expect(changes).toBeLessThan(100)
    }
  }, 120_000)

  test('loses the files of an interrupted first publish when another site is published', async () => {
    const parent = useTempDir()
    const site = writeSite(parent, before)
    const place = await makePlace(site)
    place.failAfter(9)
    await expect(publish(site, await place.open())).rejects.toThrow()
    expect(Object.keys(place.files())).toContain(journalName)
    place.failAfter(Number.POSITIVE_INFINITY)
    writeSite(parent, after)
    await publish(site, await place.open())
    expect(place.files()).toEqual(after)
  })
})

test('nothing is written through a link that leads out of the folder', async () => {
  const parent = useTempDir()
  const site = writeSite(parent, before)
  const folder = join(parent, 'public')
  const elsewhere = join(parent, 'elsewhere')
  mkdirSync(folder)
  mkdirSync(elsewhere)
  symlinkSync(elsewhere, join(folder, 'sessions'))
  await expect(publish(site, openFolder(folder, site))).rejects.toThrow('`sessions` in ')
  expect(readFolder(elsewhere)).toEqual({})
})

test('a publish removes drafts of killed processes, but not of running ones; a dry run removes none', async () => {
  const parent = useTempDir()
  const site = writeSite(parent, before)
  const folder = join(parent, 'public')
  const ended = spawnSync(process.execPath, ['--eval', '']).pid
  const [dead, alive] = [`.codex-export-publishing-${ended}.tmp`, `.codex-export-publishing-${process.ppid}.tmp`]
  writeFolder(folder, { [dead]: 'half', [alive]: 'half' })
  await publish(site, openFolder(folder, site), true)
  expect(readFolder(folder)).toEqual({ [dead]: 'half', [alive]: 'half' })
  await publish(site, openFolder(folder, site))
  expect(readFolder(folder)).toEqual({ ...before, [alive]: 'half' })
})

test.each(['auth.json', 'session_index.jsonl', 'archived_sessions/rollout.jsonl', 'sessions/2026/01/01/rollout.jsonl'])(
  'a site is not published into a Codex home, recognised by %s',
  (path) => {
    const parent = useTempDir()
    const site = writeSite(parent, before)
    writeFolder(join(parent, 'home'), { [path]: '{}' })
    expect(() => openFolder(join(parent, 'home'), site)).toThrow('is a Codex home')
  },
)

test.each([
  ['index.json', '{"schema":"codex-export/cache","version":1}'],
  ['homes.json', '{"schema":"codex-export/homes","version":1,"homes":[]}'],
])('a site is not published into the cache of a build, recognised by %s', (name, text) => {
  const parent = useTempDir()
  const site = writeSite(parent, before)
  writeFolder(join(parent, 'cache'), { [name]: text })
  expect(() => openFolder(join(parent, 'cache'), site)).toThrow('is a cache of codex-export')
})

test('a site is not published among the sessions of a Codex home, but may be published next to them', () => {
  const parent = useTempDir()
  const site = writeSite(parent, before)
  writeFolder(join(parent, 'home'), { 'sessions/2026/01/01/rollout.jsonl': '{}' })
  for (const folder of ['sessions', 'sessions/2026', 'sessions/new/folder', 'archived_sessions'])
    expect(() => openFolder(join(parent, 'home', folder), site)).toThrow('is where Codex keeps its sessions')
  expect(() => openFolder(join(parent, 'home', 'public'), site)).not.toThrow()
})

test.each([
  ['file', '`file` is not a folder'],
  ['file/x', '`file` is not a folder'],
  ['lost', '`lost` is a link to nothing'],
  ['lost/x', '`lost` is a link to nothing'],
  ['circle', 'its links form a circle'],
])('a folder that cannot be written to is refused before anything is read: %s', (path, reason) => {
  const parent = useTempDir()
  writeFolder(parent, { file: '' })
  symlinkSync('nowhere', join(parent, 'lost'))
  symlinkSync('circle', join(parent, 'circle'))
  const open = (): unknown => openFolder(join(parent, path), join(parent, 'site'))
  expect(open).toThrow(UsageError)
  expect(open).toThrow(`${reason.replace('`', `\`${parent}/`)}. Choose another \`--to\`.`)
})

test('a site is not published into itself or into a folder that contains it', () => {
  const parent = useTempDir()
  const site = writeSite(parent, before)
  expect(() => openFolder(join(site, 'public'), site)).toThrow('overlap')
  expect(() => openFolder(parent, site)).toThrow('overlap')
  symlinkSync(site, join(parent, 'link'))
  expect(() => openFolder(join(parent, 'link', 'public'), site)).toThrow('overlap')
  expect(() => openFolder(join(parent, 'site-public'), site)).not.toThrow()
})

test('a file that was changed after the build is reported and not published', async () => {
  const site = writeSite(useTempDir(), before)
  writeFileSync(join(site, 'index.html'), 'by hand')
  const folder = join(useTempDir(), 'public')
  await expect(publish(site, openFolder(folder, site))).rejects.toThrow('`index.html` in ')
  expect(existsSync(folder)).toBe(false)
})

test('a build that replaces the site while it is read is reported as such', () => {
  const root = writeSite(useTempDir(), before)
  const replaced = openBuiltSite(root)
  const start = readFileSync(join(root, 'index.html'))
  writeFileSync(join(root, 'index.html'), 'of the next build')
  writeFolder(root, { '.staging-1-0-000000000000/journal.json': '{}' })
  expect(() => [...siteFiles(replaced, 'sha256')]).toThrow('while it was read. Nothing was published: publish again.')
  rmSync(join(root, '.staging-1-0-000000000000'), { recursive: true })
  expect(() => [...siteFiles(replaced, 'sha256')]).toThrow('is not as the build wrote it')
  writeFileSync(join(root, 'index.html'), start)
  expect([...siteFiles(replaced, 'sha256')]).toHaveLength(replaced.hashes.size)
  // Changed after the last file was read: this manifest is not that of the files that were read.
  writeFileSync(join(root, 'manifest.json'), '{}')
  expect(() => [...siteFiles(replaced, 'sha256')]).toThrow('while it was read')
})

test('a file that changes while it is being published is refused', async () => {
  const parent = useTempDir()
  const site = writeSite(parent, before)
  const folder = join(parent, 'public')
  const store = openFolder(folder, site, ({ action, path }) => {
    if (action === 'write' && path === journalName) writeFileSync(join(site, 'sessions/birch/index.md'), 'by hand')
  })
  await expect(publish(site, store)).rejects.toThrow('`sessions/birch/index.md` changed while it was being published')
  expect(existsSync(join(folder, 'index.html'))).toBe(false)
})

test('a file is replaced by a folder of the same name', async () => {
  const parent = useTempDir()
  const site = writeSite(parent, withManifest({ 'index.html': 'a', notes: 'b' }))
  const folder = join(parent, 'public')
  await publish(site, openFolder(folder, site))
  writeSite(parent, withManifest({ 'index.html': 'a', 'notes/index.html': 'b' }))
  await publish(site, openFolder(folder, site))
  expect(readFileSync(join(folder, 'notes/index.html'), 'utf8')).toBe('b')
})

test('a bucket gets content types and cache times, and files outside the prefix are not touched', async () => {
  const store = await startObjectStore()
  store.objects.set('index.html', { body: Buffer.from('of another site'), headers: {} })
  const site = writeSite(useTempDir(), {
    ...withManifest({
      ...smallSite({ sessions: { alder: 'one' } }),
      'assets/drawing.svg': '<svg/>',
      'favicon.svg': '<svg/>',
    }),
  })
  const bucket = await openBucket({ bucket: 'sessions', prefix: 'logs/' }, optionsOf(store))
  await publish(site, bucket)
  const headersOf = (path: string) => store.objects.get(`logs/${path}`)?.headers
  const sheet = [...store.objects.keys()].find((key) => key.endsWith('.css'))?.slice('logs/'.length) ?? ''
  const forGood = 'public, max-age=31536000, immutable'
  expect(headersOf(sheet)).toEqual({ 'content-type': 'text/css; charset=utf-8', 'cache-control': forGood })
  expect(headersOf('index.html')).toEqual({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
  expect(headersOf('assets/drawing.svg')).toMatchObject({ 'content-disposition': 'attachment' })
  expect(headersOf('favicon.svg')).not.toHaveProperty('content-disposition')
  expect(store.texts()['index.html']).toBe('of another site')
})

test('a store without a region is refused before anything is sent', async () => {
  const store = await startObjectStore()
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, '/absent')
  for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION']) vi.stubEnv(name, undefined)
  const { region: _, ...options } = optionsOf(store)
  await expect(openBucket({ bucket: 'sessions', prefix: '' }, options)).rejects.toThrow('give it with `--region`')
  expect(store.requests).toEqual([])
})

test('a file that is too large to hold in memory reaches a bucket complete', async () => {
  const store = await startObjectStore()
  const large = 'a line of a very long session\n'.repeat(400_000)
  const site = writeSite(useTempDir(), withManifest({ 'index.html': 'a', 'sessions/alder/index.json': large }))
  await publish(site, await openBucket({ bucket: 'sessions', prefix: '' }, optionsOf(store)))
  expect(store.texts()['sessions/alder/index.json'] === large).toBe(true)
})

test.each([
  ['another-bucket', 'the bucket does not exist'],
  ['sessions', 'access is denied'],
])('an error of the store is explained: %s', async (bucket, words) => {
  const store = await startObjectStore()
  store.changesLeft = 0
  const site = writeSite(useTempDir(), before)
  await expect(publish(site, await openBucket({ bucket, prefix: '' }, optionsOf(store)))).rejects.toThrow(words)
})

test('a folder without a site, or with a build in progress, is not published', () => {
  const parent = useTempDir()
  writeFolder(parent, { 'other/index.html': 'mine', 'site/.staging-1-0-000000000000/journal.json': '{}' })
  expect(() => openBuiltSite(join(parent, 'other'))).toThrow('contains no site')
  expect(() => openBuiltSite(join(parent, 'absent'))).toThrow('contains no site')
  expect(() => openBuiltSite('my site')).toThrow('`codex-export build --out "my site"`')
  expect(() => openBuiltSite(join(parent, 'site'))).toThrow('is running or was interrupted')
})
