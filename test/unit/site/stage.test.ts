import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../../src/diagnostics/errors.ts'
import { openStagingArea } from '../../../src/site/output/staging-fs.ts'
import { sha256 } from '../../../src/util/hash.ts'
import { readFolder, writeFolder } from '../../helpers/folder.ts'
import { useTempDir } from '../../helpers/temp.ts'

type Files = Record<string, string>

async function build(out: string, files: Files) {
  const stage = await openStagingArea(out)
  for (const [path, content] of Object.entries(files)) stage.put({ path, content })
  return stage.commit()
}

/** The output folder without its manifest. */
function site(out: string): Files {
  const { 'manifest.json': _, ...files } = readFolder(out)
  return files
}

function stagings(out: string): string[] {
  return readdirSync(out).filter((name) => name.startsWith('.staging-'))
}

describe('a build', () => {
  test('creates the folder and writes all files, with a manifest', async () => {
    const out = join(useTempDir(), 'deep', 'site')
    const plan = await build(out, { 'index.html': 'home', 'sessions/a/index.html': 'ä' })
    expect(plan).toEqual({ written: ['index.html', 'sessions/a/index.html'], kept: [], removed: [] })
    expect(site(out)).toEqual({ 'index.html': 'home', 'sessions/a/index.html': 'ä' })
    expect(JSON.parse(readFolder(out)['manifest.json'] ?? '')).toEqual({
      schema: 'codex-export/manifest',
      version: 1,
      files: { 'index.html': sha256('home'), 'sessions/a/index.html': sha256('ä') },
    })
  })

  test('writes bytes unchanged', async () => {
    const out = useTempDir()
    const stage = await openStagingArea(out)
    const record = stage.put({ path: 'a.bin', content: new Uint8Array([0, 255, 10]) })
    await stage.commit()
    expect(statSync(join(out, 'a.bin')).size).toBe(3)
    expect(record.hash).toBe(sha256(new Uint8Array([0, 255, 10])))
  })

  test('writes texts of every length as UTF-8, one after the other', async () => {
    const out = useTempDir()
    const files = {
      'long.txt': '\u20AC'.repeat(1_200_000),
      'mid.txt': '\u20AC\uD800a'.repeat(300_000),
      'short.txt': 'ä',
    }
    await build(out, files)
    for (const [path, text] of Object.entries(files))
      expect(readFileSync(join(out, path)).equals(Buffer.from(text)), path).toBe(true)
  })

  test('writes nothing if the files are the same', async () => {
    const out = useTempDir()
    const files = { 'index.html': 'home', 'assets/x.css': 'a{}' }
    await build(out, files)
    const old = new Date('2020-01-01')
    for (const path of ['index.html', 'assets/x.css', 'manifest.json']) utimesSync(join(out, path), old, old)
    const before = readFolder(out)
    expect(await build(out, files)).toEqual({ written: [], kept: ['assets/x.css', 'index.html'], removed: [] })
    expect(readFolder(out)).toEqual(before)
    for (const path of ['index.html', 'assets/x.css', 'manifest.json']) {
      expect(statSync(join(out, path)).mtime).toEqual(old)
    }
  })

  test('removes files that are no longer made, and folders that this empties, and nothing else', async () => {
    const out = useTempDir()
    await build(out, { 'a/b/c.html': '1', 'a/d.html': '2', 'e/f.html': '3', 'g.html': '4' })
    writeFolder(out, { CNAME: 'example.com', 'e/mine.txt': 'mine' })
    expect((await build(out, { 'a/d.html': '2' })).removed).toEqual(['a/b/c.html', 'e/f.html', 'g.html'])
    expect(site(out)).toEqual({ CNAME: 'example.com', 'a/d.html': '2', 'e/mine.txt': 'mine' })
  })

  test('writes a file again if somebody changed it on disk', async () => {
    const out = useTempDir()
    await build(out, { 'index.html': 'home' })
    writeFolder(out, { 'index.html': 'hacked' })
    expect((await build(out, { 'index.html': 'home' })).written).toEqual(['index.html'])
    expect(site(out)).toEqual({ 'index.html': 'home' })
  })

  test('writes a file again if somebody removed it', async () => {
    const out = useTempDir()
    await build(out, { 'a/index.html': 'home', 'b.html': 'b' })
    rmSync(join(out, 'a'), { recursive: true })
    expect((await build(out, { 'a/index.html': 'home', 'b.html': 'b' })).written).toEqual(['a/index.html'])
    expect(site(out)).toEqual({ 'a/index.html': 'home', 'b.html': 'b' })
  })

  test('changes a file into a folder and back', async () => {
    const out = useTempDir()
    await build(out, { a: 'file', b: 'b' })
    await build(out, { 'a/x': 'inside', b: 'b' })
    expect(site(out)).toEqual({ 'a/x': 'inside', b: 'b' })
    await build(out, { a: 'file', b: 'b' })
    expect(site(out)).toEqual({ a: 'file', b: 'b' })
  })

  test('follows a link that is the output folder itself', async () => {
    const folder = useTempDir()
    mkdirSync(join(folder, 'real'))
    symlinkSync(join(folder, 'real'), join(folder, 'link'))
    await build(join(folder, 'link'), { 'index.html': 'home' })
    expect(site(join(folder, 'real'))).toEqual({ 'index.html': 'home' })
  })

  test('accepts the same file twice, but not with different content', async () => {
    const stage = await openStagingArea(useTempDir())
    const first = stage.put({ path: 'a', content: 'x' })
    expect(stage.put({ path: 'a', content: 'x' })).toEqual(first)
    expect(() => stage.put({ path: 'a', content: 'y' })).toThrow('Cannot write `a` twice with different content')
    expect(stage.plan().written).toEqual(['a'])
    await stage.abort()
  })

  test.each(['../x', '/x', 'a\\b', 'manifest.json', '.staging-x/y'])('refuses the path %j', async (path) => {
    const folder = useTempDir()
    const stage = await openStagingArea(join(folder, 'site'))
    expect(() => stage.put({ path, content: 'x' })).toThrow('Cannot write')
    await stage.abort()
    expect(readdirSync(folder)).toEqual([])
  })

  test('refuses further calls after commit or abort', async () => {
    const stage = await openStagingArea(useTempDir())
    await stage.commit()
    expect(() => stage.put({ path: 'a', content: 'x' })).toThrow('committed or aborted')
    expect(() => stage.keep('a', 'x')).toThrow('committed or aborted')
    expect(() => stage.tempDir()).toThrow('committed or aborted')
    await expect(stage.commit()).rejects.toThrow('committed or aborted')
    await stage.abort()
  })
})

describe('keep', () => {
  test('keeps a file of the old site by its hash', async () => {
    const out = useTempDir()
    await build(out, { 'a.html': 'a', 'b.html': 'b' })
    const stage = await openStagingArea(out)
    expect(stage.keep('a.html', sha256('a'))).toBe(true)
    expect(stage.keep('a.html', sha256('a'))).toBe(true)
    expect(await stage.commit()).toEqual({ written: [], kept: ['a.html'], removed: ['b.html'] })
    expect(site(out)).toEqual({ 'a.html': 'a' })
  })

  test('leaves a changed file to be made again if that is possible', async () => {
    const out = useTempDir()
    await build(out, { 'a.html': 'a', 'b.html': 'b' })
    const later = new Date(Date.now() + 10_000)
    writeFolder(out, { 'b.html': 'B' })
    for (const path of ['a.html', 'b.html']) utimesSync(join(out, path), later, later)
    const stage = await openStagingArea(out)
    expect(stage.keepUnchanged('a.html', sha256('a'))).toBe(true)
    expect(stage.keepUnchanged('b.html', sha256('b'))).toBe(false)
    expect(stage.keep('b.html', sha256('b'))).toBe(true)
    await stage.abort()
  })

  test('does not keep a file that has another hash, is unknown or is missing on disk', async () => {
    const out = useTempDir()
    await build(out, { 'a.html': 'a', 'b/c.html': 'c' })
    writeFolder(out, { mine: 'mine' })
    rmSync(join(out, 'b'), { recursive: true })
    const stage = await openStagingArea(out)
    expect(stage.keep('a.html', sha256('other'))).toBe(false)
    expect(stage.keep('mine', sha256('mine'))).toBe(false)
    expect(stage.keep('constructor', sha256('x'))).toBe(false)
    expect(stage.keep('b/c.html', sha256('c'))).toBe(false)
    stage.put({ path: 'a.html', content: 'new' })
    await stage.commit()
    expect(site(out)).toEqual({ 'a.html': 'new', mine: 'mine' })
  })
})

describe('the output folder is refused, and nothing touched, if it', () => {
  async function refused(out: string, message: string): Promise<void> {
    const error = await openStagingArea(out).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(UsageError)
    expect(error).toHaveProperty('message', expect.stringContaining(message))
  }

  test('contains files but no manifest', async () => {
    const out = useTempDir()
    writeFolder(out, { 'thesis.tex': 'years' })
    await refused(out, `\`${out}\` contains \`thesis.tex\` but no site of codex-export. Choose another \`--out\``)
    expect(readFolder(out)).toEqual({ 'thesis.tex': 'years' })
  })

  test.each(['{"name":"web app"}', 'not JSON', '{"schema":"codex-export/manifest","version":1,"files":{"../x":"1"}}'])(
    'contains another manifest: %s',
    async (text) => {
      const out = useTempDir()
      writeFolder(out, { 'manifest.json': text })
      await refused(out, 'cannot be used')
      expect(readFolder(out)).toEqual({ 'manifest.json': text })
    },
  )

  test('is a file', async () => {
    const folder = useTempDir()
    writeFolder(folder, { site: 'x' })
    await refused(join(folder, 'site'), 'is not a folder')
  })

  test('is a link to nowhere', async () => {
    const folder = useTempDir()
    symlinkSync(join(folder, 'gone'), join(folder, 'site'))
    await refused(join(folder, 'site'), 'is a link to a folder that does not exist')
  })

  test('is being written by another build', async () => {
    const out = useTempDir()
    const first = await openStagingArea(out)
    first.put({ path: 'a', content: 'x' })
    await refused(out, `Another build is writing to \`${out}\``)
    await first.commit()
    expect(site(out)).toEqual({ a: 'x' })
    await (await openStagingArea(out)).abort()
  })
})

describe('somebody else’s file', () => {
  test('in place of ours is refused by name, and stays', async () => {
    const out = useTempDir()
    await build(out, { 'index.html': 'home' })
    writeFolder(out, { '404.html': 'mine' })
    const stage = await openStagingArea(out)
    expect(() => stage.put({ path: '404.html', content: 'ours' })).toThrow('`404.html` in')
    await stage.abort()
    expect(site(out)).toEqual({ '404.html': 'mine', 'index.html': 'home' })
  })

  test('that appears during the build is refused before the swap', async () => {
    const out = useTempDir()
    await build(out, { 'index.html': 'home' })
    const stage = await openStagingArea(out)
    stage.put({ path: '404.html', content: 'ours' })
    writeFolder(out, { '404.html': 'mine' })
    await expect(stage.commit()).rejects.toThrow(UsageError)
    await stage.abort()
    expect(site(out)).toEqual({ '404.html': 'mine', 'index.html': 'home' })
  })

  test('above or below ours is refused', async () => {
    const out = useTempDir()
    await build(out, { 'index.html': 'home', 'b/ours': 'x' })
    writeFolder(out, { a: 'mine', 'b/c/mine': 'mine' })
    mkdirSync(join(out, 'empty'))
    const stage = await openStagingArea(out)
    expect(() => stage.put({ path: 'a/x.html', content: 'x' })).toThrow('`a` in')
    expect(() => stage.put({ path: 'b', content: 'x' })).toThrow('`b/c/mine` in')
    expect(() => stage.put({ path: 'empty', content: 'x' })).toThrow('`empty` in')
    await stage.abort()
  })

  test('is not removed if it replaced a file of ours', async () => {
    const out = useTempDir()
    await build(out, { 'a.html': 'a', 'b.html': 'b' })
    rmSync(join(out, 'b.html'))
    writeFolder(out, { 'b.html/mine': 'mine' })
    await build(out, { 'a.html': 'a' })
    expect(site(out)).toEqual({ 'a.html': 'a', 'b.html/mine': 'mine' })
  })

  test('is not reached through a link: neither written, kept nor removed', async () => {
    const folder = useTempDir()
    const out = join(folder, 'site')
    await build(out, { 'index.html': 'home', 'sessions/a.html': 'a' })
    rmSync(join(out, 'sessions'), { recursive: true })
    writeFolder(folder, { 'elsewhere/a.html': 'a' })
    symlinkSync(join(folder, 'elsewhere'), join(out, 'sessions'))
    const stage = await openStagingArea(out)
    expect(() => stage.put({ path: 'sessions/b.html', content: 'b' })).toThrow('`sessions` in')
    expect(() => stage.keep('sessions/a.html', sha256('a'))).toThrow(UsageError)
    stage.put({ path: 'index.html', content: 'home' })
    await expect(stage.commit()).rejects.toThrow('is a link or a device')
    await stage.abort()
    expect(readFolder(join(folder, 'elsewhere'))).toEqual({ 'a.html': 'a' })
  })

  test('is not written through a link in place of ours', async () => {
    const folder = useTempDir()
    const out = join(folder, 'site')
    await build(out, { 'index.html': 'home' })
    rmSync(join(out, 'index.html'))
    writeFolder(folder, { target: 'precious' })
    symlinkSync(join(folder, 'target'), join(out, 'index.html'))
    const stage = await openStagingArea(out)
    expect(() => stage.put({ path: 'index.html', content: 'new' })).toThrow(UsageError)
    await stage.abort()
    expect(readFolder(folder)['target']).toBe('precious')
  })

  test('with a name like staging is not touched', async () => {
    const out = useTempDir()
    await build(out, { a: 'x' })
    writeFolder(out, { '.staging-notes/todo': 'mine' })
    await build(out, { b: 'y' })
    expect(site(out)).toEqual({ '.staging-notes/todo': 'mine', b: 'y' })
  })
})

describe('keepFolder', () => {
  test('keeps what is in a folder, except files that are replaced, and nothing else', async () => {
    const out = join(useTempDir(), 'site')
    await build(out, { 'a.html': 'a', 'index/x': 'x', 'index/y': 'y', 'indexes/z': 'z' })
    const stage = await openStagingArea(out)
    stage.put({ path: 'index/x', content: 'new' })
    stage.keepFolder('index/')
    expect(await stage.commit()).toEqual({
      written: ['index/x'],
      kept: ['index/y'],
      removed: ['a.html', 'indexes/z'],
    })
  })
})

describe('the digest', () => {
  test('differs for other files or other bytes, but not for another order', async () => {
    const digest = async (...files: [string, string][]): Promise<string> => {
      const stage = await openStagingArea(join(useTempDir(), 'site'))
      for (const [path, content] of files) stage.put({ path, content })
      await stage.abort()
      return stage.digest()
    }
    const one = await digest(['a.html', 'a'], ['b.html', 'b'])
    expect(await digest(['b.html', 'b'], ['a.html', 'a'])).toBe(one)
    expect(await digest(['a.html', 'a'])).not.toBe(one)
    expect(await digest(['a.html', 'a'], ['b.html', 'c'])).not.toBe(one)
    expect(await digest(['a.html', 'a'], ['c.html', 'b'])).not.toBe(one)
  })
})

describe('abort', () => {
  test('leaves the old site byte for byte and no staging', async () => {
    const out = useTempDir()
    await build(out, { 'index.html': 'old' })
    const before = readFolder(out)
    const stage = await openStagingArea(out)
    stage.put({ path: 'index.html', content: 'new' })
    writeFileSync(join(stage.tempDir(), 'x'), 'x')
    await stage.abort()
    await stage.abort()
    expect(readFolder(out)).toEqual(before)
  })

  test('leaves no folder if there was none', async () => {
    const out = join(useTempDir(), 'site')
    const stage = await openStagingArea(out)
    stage.put({ path: 'index.html', content: 'new' })
    await stage.abort()
    expect(existsSync(out)).toBe(false)
  })
})

describe('the temporary folder', () => {
  test('is in staging, is always the same, and is removed by commit', async () => {
    const out = useTempDir()
    const stage = await openStagingArea(out)
    const temp = stage.tempDir()
    expect(stage.tempDir()).toBe(temp)
    expect(temp.startsWith(join(out, '.staging-'))).toBe(true)
    writeFileSync(join(temp, 'spool'), 'x')
    await stage.commit()
    expect(existsSync(temp)).toBe(false)
    expect(stagings(out)).toEqual([])
  })
})

describe('a dry run', () => {
  test('plans but writes nothing', async () => {
    const out = useTempDir()
    await build(out, { 'a.html': 'a', 'b.html': 'b', 'c.html': 'c' })
    const before = readFolder(out)
    const stage = await openStagingArea(out, { dryRun: true })
    stage.put({ path: 'a.html', content: 'new' })
    stage.put({ path: 'b.html', content: 'b' })
    const temp = stage.tempDir()
    writeFileSync(join(temp, 'spool'), 'x')
    expect(readFolder(out)).toEqual(before)
    expect(await stage.commit()).toEqual({ written: ['a.html'], kept: ['b.html'], removed: ['c.html'] })
    expect(readFolder(out)).toEqual(before)
    expect(existsSync(temp)).toBe(false)
  })

  test('creates no folder and refuses what a build refuses', async () => {
    const folder = useTempDir()
    const stage = await openStagingArea(join(folder, 'site'), { dryRun: true })
    stage.put({ path: 'a.html', content: 'a' })
    expect((await stage.commit()).written).toEqual(['a.html'])
    expect(readdirSync(folder)).toEqual([])
    writeFolder(folder, { 'x.txt': 'x' })
    await expect(openStagingArea(folder, { dryRun: true })).rejects.toThrow(UsageError)
  })
})
