import { expect, test } from 'vitest'
import { type NextFile, orderSwap, planWrites } from '../../../src/site/output/plan.ts'

function next(path: string, staged: boolean): NextFile {
  return staged ? { path, hash: 'h', staged: true } : { path, hash: 'h' }
}

test('a plan tells written, kept and removed files', () => {
  const plan = planWrites({ a: '1', b: '1', gone: '1' }, [next('new', true), next('b', true), next('a', false)])
  expect(plan).toEqual({ written: ['b', 'new'], kept: ['a'], removed: ['gone'] })
})

test('a first build removes nothing', () => {
  expect(planWrites({}, [next('a', true)])).toEqual({ written: ['a'], kept: [], removed: [] })
})

test('what pages load is swapped before pages, and what leads to pages after them', () => {
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

test('files that the old site does not have go before all that replace one: nothing leads to them yet', () => {
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

test('what leads to pages is removed before them, and what they load after them', () => {
  const removed = ['assets/old.css', 'index.html', 'months/a.html', 'sessions/a/index.html', 'sessions/a/index.md']
  const { remove } = orderSwap({ written: [], kept: [], removed }, () => true)
  expect(remove).toEqual([
    ...['index.html', 'months/a.html', 'sessions/a/index.html', 'sessions/a/index.md', 'assets/old.css'],
  ])
})

test('an old file where a new one needs a folder, or the reverse, goes first', () => {
  const plan = { written: ['a/b/c', 'd'], kept: [], removed: ['a/b', 'd/e', 'f'] }
  expect(orderSwap(plan, () => false)).toEqual({ clear: ['a/b', 'd/e'], install: ['a/b/c', 'd'], remove: ['f'] })
})
