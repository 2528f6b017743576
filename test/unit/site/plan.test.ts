import { expect, test } from 'vitest'
import { type NextFile, orderSwap, planWrites } from '../../../src/site/output/plan.ts'

function next(path: string, staged: boolean): NextFile {
  return staged ? { path, hash: 'h', staged: true } : { path, hash: 'h' }
}

test('a plan lists written, kept and removed files', () => {
  const plan = planWrites({ a: '1', b: '1', gone: '1' }, [next('new', true), next('b', true), next('a', false)])
  expect(plan).toEqual({ written: ['b', 'new'], kept: ['a'], removed: ['gone'] })
})

test('a first build removes nothing', () => {
  expect(planWrites({}, [next('a', true)])).toEqual({ written: ['a'], kept: [], removed: [] })
})

test('files that pages load are swapped before the pages, and files that link to pages after them', () => {
  const written = [
    '404.html',
    'assets/site.css',
    'index.html',
    'months/2026-03/index.html',
    'pagefind/index/en_1.pf_index',
    'pagefind/pagefind-entry.json',
    'pagefind/pagefind.js',
    'sessions/b/2.html',
    'sessions/b/index.html',
    'sessions/b/index.md',
    'sessions/b/l12.txt',
    'sessions/c/index.html',
    'sessions/c/index.md',
  ]
  expect(orderSwap({ written, kept: [], removed: ['old.html'] }, () => true)).toEqual({
    clear: [],
    install: [
      'assets/site.css',
      'sessions/b/index.md',
      'sessions/b/l12.txt',
      'sessions/b/2.html',
      'sessions/b/index.html',
      'sessions/c/index.md',
      'sessions/c/index.html',
      'months/2026-03/index.html',
      'pagefind/index/en_1.pf_index',
      'pagefind/pagefind.js',
      'pagefind/pagefind-entry.json',
      '404.html',
      'index.html',
    ],
    remove: ['old.html'],
  })
})

test('new files are installed before files that replace old ones, because nothing links to them yet', () => {
  const written = [
    'index.html',
    'sessions/a/index.html',
    'sessions/new/index.html',
    'assets/new.css',
    'months/new.html',
  ]
  const { install } = orderSwap({ written, kept: [], removed: [] }, (path) => !path.includes('new'))
  expect(install).toEqual([
    ...['assets/new.css', 'sessions/new/index.html', 'months/new.html'],
    ...['sessions/a/index.html', 'index.html'],
  ])
})

test('files that link to pages are removed before these, and files that pages load after them', () => {
  const removed = ['assets/old.css', 'index.html', 'months/a.html', 'sessions/a/index.html', 'sessions/a/index.md']
  const { remove } = orderSwap({ written: [], kept: [], removed }, () => true)
  expect(remove).toEqual([
    ...['index.html', 'months/a.html', 'sessions/a/index.html', 'sessions/a/index.md', 'assets/old.css'],
  ])
})

test('an old file that blocks a new folder, or the reverse, is removed first', () => {
  const plan = { written: ['a/b/c', 'd'], kept: [], removed: ['a/b', 'd/e', 'f'] }
  expect(orderSwap(plan, () => false)).toEqual({ clear: ['a/b', 'd/e'], install: ['a/b/c', 'd'], remove: ['f'] })
})
