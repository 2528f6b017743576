import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildCache } from '../../../src/site/cache/build-cache.ts'
import { cacheDirOf, checkCacheDir, defaultCacheDir } from '../../../src/site/cache/cache-folder-fs.ts'
import { type Cache, openCache } from '../../../src/site/cache/cache-fs.ts'
import { readFolder, writeFolder } from '../../helpers/folder.ts'
import { useTempDir } from '../../helpers/temp.ts'

const stamp = '1.2.3'

function filled(): string {
  const folder = join(useTempDir(), 'deep', 'cache')
  const cache = openCache(folder, stamp)
  cache.set('sessions/a', { size: 3, list: ['ä'] })
  cache.set('__proto__', 1)
  cache.setBlob('sessions/a', 'words of a')
  cache.setBlob('../b', new Uint8Array([0, 255]))
  cache.save()
  return folder
}

/** Removes all entries except those under some keys. */
function useOnly(cache: Cache, keys: Iterable<string>): void {
  for (const key of keys) cache.use(key)
  cache.forgetUnused()
}

test('returns what was saved', () => {
  const cache = openCache(filled(), stamp)
  expect(cache.get('sessions/a')).toEqual({ size: 3, list: ['ä'] })
  expect(cache.get('__proto__')).toBe(1)
  expect(cache.get('constructor')).toBeUndefined()
  expect(Buffer.from(cache.getBlob('sessions/a') ?? []).toString()).toBe('words of a')
  expect([...(cache.getBlob('../b') ?? [])]).toEqual([0, 255])
  expect(cache.getBlob('c')).toBeUndefined()
})

test('has only its own files in its folder, and they are for the owner alone', () => {
  const folder = filled()
  expect(Object.keys(readFolder(folder)).filter((path) => !/^(index\.json|blobs\/[0-9a-f]{64})$/.test(path))).toEqual(
    [],
  )
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, 'index.json')).mode & 0o777).toBe(0o600)
})

test('loses what was not saved, and keeps the saved index', () => {
  const folder = filled()
  openCache(folder, stamp).set('sessions/a', 'later')
  expect(openCache(folder, stamp).get('sessions/a')).toEqual({ size: 3, list: ['ä'] })
})

test('writes nothing if a save has no change', () => {
  const folder = filled()
  const old = new Date('2020-01-01')
  utimesSync(join(folder, 'index.json'), old, old)
  const cache = openCache(folder, stamp)
  cache.set('sessions/a', { size: 3, list: ['ä'] })
  cache.save()
  expect(statSync(join(folder, 'index.json')).mtime).toEqual(old)
})

test('writes no draft of its index after reading only, but does after each kind of change', () => {
  const folder = filled()
  // A folder with the name of the draft makes every attempt to write it fail.
  mkdirSync(join(folder, `index.json.${process.pid}.tmp`))
  const cache = openCache(folder, stamp)
  expect(cache.get('sessions/a')).toBeDefined()
  useOnly(cache, ['sessions/a', '__proto__', '../b'])
  expect(cache.save).not.toThrow()
  const changes: readonly ((changed: Cache) => void)[] = [
    (changed) => changed.set('sessions/b', 1),
    (changed) => changed.setBlob('c', 'words of c'),
    (changed) => useOnly(changed, ['sessions/a']),
  ]
  for (const change of changes) {
    const changed = openCache(folder, stamp)
    change(changed)
    expect(changed.save).toThrow('EISDIR')
  }
  expect(openCache(folder, 'another stamp').save).toThrow('EISDIR')
})

test('returns an index of any length, and writes the same file if nothing changed', () => {
  const folder = join(useTempDir(), 'cache')
  const values = Array.from(
    { length: 300 },
    (_, index) => [`session ${index}`, { text: '“ä” '.repeat(index) }] as const,
  )
  const save = (): string => {
    const cache = openCache(folder, stamp)
    for (const [key, value] of values) cache.set(key, value)
    cache.save()
    return readFileSync(join(folder, 'index.json'), 'utf8')
  }
  const text = save()
  expect(text.length).toBeGreaterThan(150_000)
  const cache = openCache(folder, stamp)
  expect(values.map(([key]) => [key, cache.get(key)])).toEqual(values)
  expect(save()).toBe(text)
  expect(readdirSync(folder).sort()).toEqual(['blobs', 'index.json'])
})

test.each([
  ['of another version of the tool', (text: string) => text.replace(stamp, '9.9.9')],
  ['of another schema', (text: string) => text.replace('codex-export/cache', 'x')],
  ['of another version of the schema', (text: string) => text.replace(/"version":\d+/, '"version":1')],
  ['cut in the middle', (text: string) => text.slice(0, 80)],
  ['without blobs', (text: string) => text.replace('"blobs"', '"x"')],
  ['with a list for entries', (text: string) => text.replace(/"entries":\{.*\},"blobs"/s, '"entries":[],"blobs"')],
  ['with one letter changed in a fact', (text: string) => text.replace('"size":3', '"size":7')],
  ['with one letter changed in a key', (text: string) => text.replace('sessions/a', 'sessions/b')],
  ['empty', () => ''],
])('an index %s counts as absent', (_, damage) => {
  const folder = filled()
  const path = join(folder, 'index.json')
  const text = readFileSync(path, 'utf8')
  expect(damage(text)).not.toBe(text)
  writeFileSync(path, damage(text))
  const cache = openCache(folder, stamp)
  expect(cache.get('sessions/a')).toBeUndefined()
  expect(cache.getBlob('sessions/a')).toBeUndefined()
  cache.set('new', 1)
  cache.save()
  expect(openCache(folder, stamp).get('new')).toBe(1)
})

test('a damaged line in the log of a killed build counts as absent, but not the others', () => {
  const folder = filled()
  const killed = openCache(folder, stamp, { keepsLog: true })
  for (const [key, size] of [
    ['sessions/b', 3],
    ['sessions/c', 4],
  ] as const)
    killed.set(key, { size }, { atOnce: true })
  const log = join(folder, readdirSync(folder).find((name) => name.startsWith('unsaved-')) ?? '')
  writeFileSync(log, readFileSync(log, 'utf8').replace('"size":3', '"size":7'))
  const cache = openCache(folder, stamp)
  expect(cache.get('sessions/a')).toEqual({ size: 3, list: ['ä'] })
  expect(cache.get('sessions/b')).toBeUndefined()
  expect(cache.get('sessions/c')).toEqual({ size: 4 })
})

const ways = [
  { way: 'in memory', options: {} },
  { way: 'read from disk', options: { keepsLog: true, fromDisk: true } },
]

/** The lines of the entries in the text of an index. */
function entryLines(text: string): string[] {
  const start = '"entries":{\n'
  const entries = text.slice(text.indexOf(start) + start.length, text.lastIndexOf('},"blobs":{\n'))
  return entries === '' ? [] : entries.slice(0, -1).split(',\n')
}

test.each(ways)(
  'an index is valid JSON for any keys and values, and contains exactly the used entries: $way',
  ({ options }) => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"', '\\', '\\"', '":', ',\n', '},"blobs":{\n', ''),
    )
    const change = fc.record({
      key: text,
      value: fc.option(fc.oneof(text, fc.array(text), fc.integer()), { nil: undefined }),
      atOnce: fc.boolean(),
    })
    const folder = join(useTempDir(), 'cache')
    fc.assert(
      fc.property(fc.array(fc.array(change), { minLength: 1, maxLength: 4 }), (builds) => {
        rmSync(folder, { recursive: true, force: true })
        const known = new Map<string, unknown>()
        for (const changes of builds) {
          const cache = openCache(folder, stamp, options)
          for (const { key, value, atOnce } of changes) {
            if (value === undefined) known.delete(key)
            else known.set(key, value)
            if (value !== undefined) cache.set(key, value, { atOnce })
          }
          useOnly(cache, known.keys())
          expect(new Map(cache.keys().map((key) => [key, cache.get(key)]))).toEqual(known)
          cache.save()
          cache.close()
          const text = readFileSync(join(folder, 'index.json'), 'utf8')
          expect(Object.keys(JSON.parse(text).entries)).toHaveLength(known.size)
          // Read line by line, because V8 of Node 24 confuses keys such as `\\` and `\n` in objects.
          const lines = Array.from(known, ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
          expect(entryLines(text).toSorted()).toEqual(lines.toSorted())
          const next = openCache(folder, stamp)
          expect(new Map(next.keys().map((key) => [key, next.get(key)]))).toEqual(known)
        }
      }),
      { numRuns: 60 },
    )
  },
)

test('a log stays readable if other processes write to it, or replace its file or the index', () => {
  const folder = filled()
  const cache = openCache(folder, stamp, { keepsLog: true, fromDisk: true })
  const set = (size: number): void =>
    cache.set(`sessions/${size}`, { size, text: 'ä'.repeat(70_000) }, { atOnce: true })
  set(1)
  const other = openCache(folder, stamp, { keepsLog: true })
  other.set('sessions/2', { size: 7 }, { atOnce: true })
  set(2)
  other.save()
  set(3)
  const sizes = [3, 1, 2].map((size) => (cache.get(`sessions/${size}`) as { size: number }).size)
  expect([...sizes, cache.get('sessions/a')]).toEqual([3, 1, 2, { size: 3, list: ['ä'] }])
  cache.save()
  cache.close()
  expect(openCache(folder, stamp).keys()).toEqual(['sessions/a', '__proto__', 'sessions/1', 'sessions/2', 'sessions/3'])
})

test('a blob that changed on disk counts as absent', () => {
  const folder = filled()
  for (const name of readdirSync(join(folder, 'blobs'))) writeFileSync(join(folder, 'blobs', name), 'forged')
  const cache = openCache(folder, stamp)
  expect(cache.getBlob('sessions/a')).toBeUndefined()
  expect(cache.getBlob('../b')).toBeUndefined()
})

test('a missing blob counts as absent', () => {
  const folder = filled()
  rmSync(join(folder, 'blobs'), { recursive: true })
  expect(openCache(folder, stamp).getBlob('sessions/a')).toBeUndefined()
})

test('removes unused entries with their blobs, and drafts, but nothing else', () => {
  const folder = filled()
  writeFolder(folder, { 'blobs/notes.txt': 'mine', [`blobs/${'a'.repeat(64)}.77.tmp`]: 'draft' })
  const cache = openCache(folder, stamp)
  useOnly(cache, ['sessions/a'])
  cache.save()
  expect(readdirSync(join(folder, 'blobs'))).toHaveLength(2)
  const again = openCache(folder, stamp)
  expect(again.get('sessions/a')).toBeDefined()
  expect(again.getBlob('sessions/a')).toBeDefined()
  expect(again.get('__proto__')).toBeUndefined()
  expect(again.getBlob('../b')).toBeUndefined()
})

test('a folder that cannot be written fails on save and not before', () => {
  const folder = useTempDir()
  writeFileSync(join(folder, 'cache'), 'a file')
  const cache = openCache(join(folder, 'cache'), stamp)
  cache.set('a', 1)
  expect(() => cache.save()).toThrow()
})

test('an index that is a folder counts as absent', () => {
  const folder = useTempDir()
  mkdirSync(join(folder, 'index.json'))
  expect(openCache(folder, stamp).get('a')).toBeUndefined()
})

describe('the default cache folder', () => {
  const homeDir = '/home/sam'

  test("is in the user's cache folder and has a readable name", () => {
    const folder = defaultCacheDir('/srv/My Site', { env: {}, homeDir, platform: 'linux' })
    expect(folder).toMatch(/^\/home\/sam\/\.cache\/codex-export\/my-site-[0-9a-f]{12}$/)
  })

  test('differs for outputs of the same name', () => {
    const host = { env: {}, homeDir, platform: 'linux' as const }
    expect(defaultCacheDir('/a/site', host)).not.toBe(defaultCacheDir('/b/site', host))
    expect(defaultCacheDir('/a/site/', host)).toBe(defaultCacheDir('/a/x/../site', host))
  })

  test.each([
    ['linux', { XDG_CACHE_HOME: '/var/cache/sam' }, '/var/cache/sam/codex-export/site-'],
    ['linux', { XDG_CACHE_HOME: 'relative' }, '/home/sam/.cache/codex-export/site-'],
    ['darwin', {}, '/home/sam/Library/Caches/codex-export/site-'],
  ] as const)('follows the conventions of %s with %j', (platform, env, start) => {
    expect(defaultCacheDir('/a/site', { env, homeDir, platform }).startsWith(start)).toBe(true)
  })

  test('follows the conventions of Windows', () => {
    const env = { LOCALAPPDATA: 'C:\\Users\\Sam\\AppData\\Local' }
    const start = 'C:\\Users\\Sam\\AppData\\Local\\codex-export\\site-'
    expect(defaultCacheDir('D:\\site', { env, homeDir: 'C:\\Users\\Sam', platform: 'win32' }).startsWith(start)).toBe(
      true,
    )
    expect(
      defaultCacheDir('D:\\site', { env: {}, homeDir: 'C:\\Users\\Sam', platform: 'win32' }).startsWith(start),
    ).toBe(true)
  })
})

describe('a cache folder', () => {
  test.each(['/srv/site', '/srv/site/', '/srv/site/.cache', '/srv/other/../site/cache', '/srv/site/..cache'])(
    '%s is refused because it is inside the site /srv/site',
    (cache) => {
      expect(() => checkCacheDir(cache, '/srv/site')).toThrow('is inside the output folder `/srv/site`')
    },
  )

  test('is refused if a link leads into the site, even if the folder does not exist yet', () => {
    const folder = useTempDir()
    mkdirSync(join(folder, 'site'))
    symlinkSync(join(folder, 'site'), join(folder, 'link'))
    for (const cache of ['link', 'link/cache', 'link/a/b'])
      expect(() => checkCacheDir(join(folder, cache), join(folder, 'site'))).toThrow('is inside the output folder')
    expect(() => checkCacheDir(join(folder, 'site/cache'), join(folder, 'link'))).toThrow('is inside the output folder')
    expect(() => checkCacheDir(join(folder, 'cache'), join(folder, 'link'))).not.toThrow()
  })

  const folderOf = (cache: string): string => cacheDirOf({ out: '/srv/site', cache }, { env: {}, homeDir: '/home/sam' })

  test.each<Record<string, string>>([
    { 'notes.txt': '' },
    { 'index.json': '{}' },
    { 'blobs/picture.png': '' },
    { 'unfinished/page.html': '', '.git/config': '' },
  ])('with files that no build wrote is refused and not changed: %j', (files) => {
    const cache = useTempDir()
    writeFolder(cache, files)
    expect(() => folderOf(cache)).toThrow(/ contains `.+` but no cache of codex-export\. Choose another `--cache`/)
  })

  test('is refused if it is a file', () => {
    const cache = join(useTempDir(), 'file')
    writeFileSync(cache, '')
    expect(() => folderOf(cache)).toThrow(`\`${cache}\` is not a folder. Choose another \`--cache\`.`)
  })

  test('may be missing, empty, from an interrupted build, or contain other files too', () => {
    const cache = join(useTempDir(), 'cache')
    expect(folderOf(cache)).toBe(cache)
    mkdirSync(cache)
    expect(folderOf(cache)).toBe(cache)
    openCache(cache, stamp, { keepsLog: true }).setBlob('a', 'words')
    expect(folderOf(cache)).toBe(cache)
    openCache(cache, stamp).save()
    writeFileSync(join(cache, 'notes.txt'), '')
    expect(folderOf(cache)).toBe(cache)
  })

  test.each(['/srv/cache', '/srv/site-cache', '/srv', '/'])(
    '%s is accepted because it is outside the site /srv/site',
    (cache) => {
      expect(() => checkCacheDir(cache, '/srv/site')).not.toThrow()
    },
  )
})

test('knows which blobs exist without reading them, and forgets one with changed content', () => {
  const folder = filled()
  const cache = openCache(folder, stamp)
  expect([cache.hasBlob('sessions/a'), cache.hasBlob('../b'), cache.hasBlob('c')]).toEqual([true, true, false])
  cache.setBlob('c', 'new')
  expect(cache.hasBlob('c')).toBe(true)
  for (const name of readdirSync(join(folder, 'blobs'))) writeFileSync(join(folder, 'blobs', name), 'else')
  expect(cache.getBlob('sessions/a')).toBeUndefined()
  expect([cache.hasBlob('sessions/a'), cache.hasBlob('../b')]).toEqual([false, true])
  rmSync(join(folder, 'blobs'), { recursive: true })
  expect(openCache(folder, stamp).hasBlob('../b')).toBe(false)
})

test('writes a blob again only if its bytes changed, or its file is missing or cut off', () => {
  const folder = filled()
  const [name = ''] = readdirSync(join(folder, 'blobs')).filter(
    (file) => readFileSync(join(folder, 'blobs', file), 'utf8') === 'words of a',
  )
  const path = join(folder, 'blobs', name)
  const old = new Date('2020-01-01')
  const set = (content: string): string => {
    utimesSync(path, old, old)
    const cache = openCache(folder, stamp)
    cache.setBlob('sessions/a', content)
    cache.save()
    const isOld = statSync(path).mtimeMs === old.getTime()
    return `${isOld ? 'stays' : 'written'}: ${Buffer.from(openCache(folder, stamp).getBlob('sessions/a') ?? []).toString()}`
  }
  expect(set('words of a')).toBe('stays: words of a')
  expect(set('other words')).toBe('written: other words')
  writeFileSync(path, 'other')
  expect(set('other words')).toBe('written: other words')
})

test('an abandoned build with another stamp does not touch the blobs of this one', () => {
  const folder = filled()
  openCache(folder, 'other').setBlob('sessions/a', 'words under other options')
  expect(Buffer.from(openCache(folder, stamp).getBlob('sessions/a') ?? []).toString()).toBe('words of a')
})

test('what is shown of a thread is stored with its scan, and is removed with it', () => {
  const folder = useTempDir()
  const cache = buildCache(openCache(join(folder, 'shown'), 'stamp'))
  const thread = { id: 't', archived: false, segments: [], duplicates: [] }
  const shown = { plan: '', texts: [[0, 'Fix ~/shop']] } as const
  // A scan that contains a secret is not kept.
  cache.setShown(thread, shown)
  expect(cache.scan(thread, () => '')).toBeUndefined()
  const counts = { turns: 0, prompts: 0, lines: 1, bytes: 1, outline: [], pages: [], rolledBack: [] }
  const facts = { threadId: 't', title: 'Fix /home/ada/shop', titleFrom: 'prompt' as const, cwds: [], ...counts }
  cache.setScan(thread, { facts, diagnostics: [] }, 'before')
  cache.setShown(thread, shown)
  expect(cache.scan(thread, () => 'before')).toMatchObject({ facts, shown })
  expect(cache.scan(thread, () => 'after')).toBeUndefined()
  expect(cache.scan({ ...thread, name: 'Renamed' }, () => 'before')).toBeUndefined()
  cache.forget(thread)
  cache.save()
  expect(buildCache(openCache(join(folder, 'shown'), 'stamp')).scan(thread, () => 'before')).toBeUndefined()
})
