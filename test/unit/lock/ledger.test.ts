import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  decodeLedger,
  dispositionOf,
  encodeLedger,
  type Ledger,
  readLedger,
  scratchFolder,
  usableEntries,
  writeLedger,
} from '../../../src/features/lock/ledger-fs.ts'

import { useTempDir } from '../../helpers/temp.ts'

const ledger: Ledger = {
  facts: { salt: 'c2FsdA==', rounds: 7, check: 'abc' },
  shell: 'one',
  entries: new Map([
    ['index.html', { hash: '11', files: [{ path: 'index.html', hash: '22' }] }],
    ['assets/a.js', { hash: '33', files: [{ path: 'assets/ff.js', hash: '44' }] }],
    ['llms.txt', { hash: '55', files: [] }],
  ]),
}

describe('the ledger of a locked site', () => {
  it('is read as it was written, in a folder that only its owner can read', () => {
    const folder = join(useTempDir(), 'cache')
    expect(readLedger(folder)).toBeUndefined()
    writeLedger(folder, ledger)
    expect(readLedger(folder)).toEqual(ledger)
    expect(readdirSync(folder)).toEqual(['lock.json'])
    if (process.platform !== 'win32') expect(statSync(folder).mode & 0o077).toBe(0)
  })

  it('counts as absent if it is damaged, of another version, or names a forbidden path', () => {
    const text = encodeLedger(ledger)
    const broken = [
      ...['', 'null', '[]', '{}', text.slice(0, -3)],
      ...[text.replace('"version":1', '"version":2'), text.replace('"rounds":7', '"rounds":"7"')],
      ...[text.replace('"assets/ff.js"', '"../ff.js"'), text.replace('"44"', '44'), text.replace('"shell":"one",', '')],
    ]
    for (const damaged of broken) expect(decodeLedger(damaged), damaged).toBeUndefined()
    const folder = useTempDir()
    mkdirSync(join(folder, 'lock.json'))
    expect(readLedger(folder)).toBeUndefined()
    const other = useTempDir()
    writeFileSync(join(other, 'lock.json'), '{')
    expect(readLedger(other)).toBeUndefined()
    writeFileSync(join(other, 'lock.json'), text)
    expect(readLedger(other)).toEqual(ledger)
  })

  it('forgets pages inside an outdated login page, and nothing else', () => {
    expect(usableEntries(ledger, 'one')).toBe(ledger.entries)
    expect([...usableEntries(ledger, 'two').keys()]).toEqual(['assets/a.js', 'llms.txt'])
  })
})

describe('the disposition of a file', () => {
  it.each([
    ['page', ['index.html', 'sessions/x/2.html', 'sessions/x/index.md', 'sessions/x/index.json', 'sessions/x/l7.txt']],
    [
      'file',
      ['assets/site.0123456789.css', 'assets/a.png', 'catalog.0.js', 'pagefind/search.js', 'pagefind/index/e.pf_index'],
    ],
    ['open', ['favicon.svg', '.nojekyll']],
    ['none', ['404.html', 'llms.txt', 'build-report.json', 'robots.txt', '_headers', 'pagefind/index/e.pf_index.js']],
    ['none', ['pagefind/pagefind.js', 'pagefind/pagefind-entry.json', 'sw.js']],
  ])('is `%s` for %j', (fate, paths) => {
    expect(paths.map(dispositionOf)).toEqual(paths.map(() => fate))
  })
})

describe('the folder for unsealed files', () => {
  it('is in the cache, is made on first use and is removed with its contents', () => {
    const cache = join(useTempDir(), 'cache')
    const scratch = scratchFolder(cache)
    scratch.remove()
    const folder = scratch.path()
    expect(scratch.path()).toBe(folder)
    writeFileSync(join(folder, 'spool'), 'words')
    scratch.remove()
    expect(readdirSync(cache)).toEqual([])
  })

  it('of a build that was killed is removed, and that of a running build is kept', () => {
    const cache = useTempDir()
    // No system has process numbers as high as this.
    for (const name of ['unsealed-999999999', `unsealed-${process.ppid}`, 'unsealed-notes', 'blobs'])
      mkdirSync(join(cache, name))
    const scratch = scratchFolder(cache)
    scratch.path()
    scratch.remove()
    expect(readdirSync(cache).sort()).toEqual(['blobs', `unsealed-${process.ppid}`, 'unsealed-notes'].sort())
  })
})
