import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type LedgerEntries, scratchFolder } from '../../../src/features/lock/ledger-fs.ts'
import { lockedStagingArea } from '../../../src/features/lock/locked-staging.ts'
import { openVault, partBytes, type Vault } from '../../../src/features/lock/vault-fs.ts'

import { openStagingArea } from '../../../src/site/output/staging-fs.ts'
import { sha256 } from '../../../src/util/hash.ts'
import { readFolder } from '../../helpers/folder.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { type Keys, sealedIn, unlock, unseal } from '../../helpers/unlock.ts'

const facts = { salt: Buffer.from('sixteen bytes ok').toString('base64'), rounds: 2 }
const password = 'tin drum, blue lantern'
let vault: Vault
let keys: Keys

beforeAll(async () => {
  vault = await openVault(password, facts)
  keys = await unlock(password, facts)
})

/** A locked staging area in a folder. */
async function open(folder: string, entries: LedgerEntries = new Map()) {
  const loginPage = (_: string, { name, sealed }: { name: string; sealed: string }): string =>
    `<template id="sealed" data-name="${name}">${sealed}</template>`
  const stage = await openStagingArea(join(folder, 'site'))
  return lockedStagingArea({ stage, vault, entries, loginPage, scratch: scratchFolder(join(folder, 'cache')) })
}

const read = (folder: string, path: string): string => readFileSync(join(folder, 'site', path), 'utf8')
const names = (folder: string): string[] =>
  readdirSync(join(folder, 'site'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'manifest.json')
    .map((entry) => entry.name)
    .sort()

describe('a locked staging area', () => {
  it('records files as they were given, and writes them sealed under keyed names', async () => {
    const folder = useTempDir()
    const stage = await open(folder)
    expect(stage.put({ path: 'index.html', content: 'home' })).toEqual({ path: 'index.html', hash: sha256('home') })
    stage.put({ path: 'projects/index.html', content: 'projects' })
    stage.put({ path: 'assets/site.css', content: 'css' })
    stage.put({ path: 'favicon.svg', content: '<svg/>' })
    stage.put({ path: 'llms.txt', content: 'words' })
    const plan = await stage.commit()
    expect(plan.written).toEqual(['assets/site.css', 'favicon.svg', 'index.html', 'projects/index.html'])
    const page = `${vault.nameOf('projects/index.html')}.html`
    expect(names(folder)).toEqual([`${vault.nameOf('assets/site.css')}.js`, page, 'favicon.svg', 'index.html'].sort())
    expect(read(folder, 'favicon.svg')).toBe('<svg/>')
    const { name, sealed } = sealedIn(read(folder, `pages/${page}`))
    expect((await unseal(keys, name, sealed)).body.toString()).toBe('projects')
  })

  it('cuts a long text into parts, and replaces only a part that is missing on the disk', async () => {
    const folder = useTempDir()
    const line = 'a line of a long text\n'
    const lines = Math.ceil((2.5 * partBytes) / line.length)
    const pieces = function* () {
      for (let at = 0; at < lines; at++) yield line
    }
    const first = await open(folder)
    const { hash } = await first.putPieces('sessions/a/index.json', pieces)
    await first.commit()
    expect(hash).toBe(sha256(line.repeat(lines)))
    const at = ['pages', 'assets', 'assets'].map((place, part) => {
      const name = vault.nameOf('sessions/a/index.json', part)
      return `${place}/${name}${part === 0 ? '.html' : '.js'}`
    })
    const bodies = await Promise.all(
      at.map(async (path, part) => {
        const { name, sealed } = sealedIn(read(folder, path))
        const { header, body } = await unseal(keys, name, sealed)
        expect(header, `part ${part}`).toEqual({ path: 'sessions/a/index.json', parts: 3, version: hash.slice(0, 32) })
        return body
      }),
    )
    expect(Buffer.concat(bodies).toString()).toBe(line.repeat(lines))

    const before = at.map((path) => read(folder, path))
    rmSync(join(folder, 'site', at[1] ?? ''))
    const second = await open(folder, first.entries())
    expect(second.keep('sessions/a/index.json', hash)).toBe(false)
    await second.putPieces('sessions/a/index.json', pieces)
    await second.commit()
    const after = at.map((path) => read(folder, path))
    expect(after.map((text, part) => text === before[part])).toEqual([true, false, true])
    const { name, sealed } = sealedIn(after[1] ?? '')
    expect((await unseal(keys, name, sealed)).body.equals(bodies[1] ?? Buffer.alloc(0))).toBe(true)
  })

  it('keeps what did not change without its content, by file and by folder', async () => {
    const folder = useTempDir()
    const first = await open(folder)
    for (const name of ['a', 'b', 'c']) first.put({ path: `pagefind/${name}.pf_index`, content: name })
    first.put({ path: 'index.html', content: 'home' })
    await first.commit()
    const before = readFolder(join(folder, 'site'))
    const second = await open(folder, first.entries())
    expect(second.keep('index.html', sha256('other'))).toBe(false)
    expect(second.keep('gone.html', sha256('home'))).toBe(false)
    expect(second.keep('index.html', sha256('home'))).toBe(true)
    second.put({ path: 'pagefind/a.pf_index', content: 'A' })
    second.keepFolder('pagefind/')
    const plan = await second.commit()
    expect({ ...plan, kept: plan.kept.toSorted() }).toEqual({
      written: ['pagefind/a.pf_index'],
      kept: ['index.html', 'pagefind/b.pf_index', 'pagefind/c.pf_index'],
      removed: [],
    })
    const after = readFolder(join(folder, 'site'))
    const files = Object.keys(after).filter((path) => path !== 'manifest.json')
    expect(files.sort()).toEqual(
      Object.keys(before)
        .filter((path) => path !== 'manifest.json')
        .sort(),
    )
    const changed = files.filter((path) => after[path] !== before[path])
    expect(changed).toEqual([`assets/${vault.nameOf('pagefind/a.pf_index')}.js`])
    expect([...second.entries().keys()].sort()).toEqual([
      'index.html',
      ...['a', 'b', 'c'].map((name) => `pagefind/${name}.pf_index`),
    ])
  })

  it('rejects a path with two contents', async () => {
    const stage = await open(useTempDir())
    stage.put({ path: 'a.html', content: 'one' })
    stage.put({ path: 'a.html', content: 'one' })
    expect(() => stage.put({ path: 'a.html', content: 'two' })).toThrow(
      'Cannot write `a.html` twice with different content',
    )
    await stage.abort()
  })

  it('has its unsealed files in the cache, and leaves none of them', async () => {
    const folder = useTempDir()
    const stage = await open(folder)
    expect(stage.tempDir().startsWith(join(folder, 'cache'))).toBe(true)
    await stage.abort()
    expect(readdirSync(join(folder, 'cache'))).toEqual([])
    expect(readdirSync(folder)).toEqual(['cache'])
  })
})
