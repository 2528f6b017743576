import { expect, test } from 'vitest'
import { orderSwap, planWrites } from '../../../src/write/plan.ts'

function next(path: string, staged: boolean) {
  return staged ? { path, hash: 'h', staged: 'n0' } : { path, hash: 'h' }
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
    'sessions/b/index.html',
    'sessions/b/l12.txt',
  ]
  expect(orderSwap({ written, kept: [], removed: ['old.html'] })).toEqual({
    clear: [],
    install: [
      'assets/site.css',
      'sessions/b/l12.txt',
      'sessions/b/index.html',
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

test('an old file where a new one needs a folder, or the reverse, goes first', () => {
  const plan = { written: ['a/b/c', 'd'], kept: [], removed: ['a/b', 'd/e', 'f'] }
  expect(orderSwap(plan)).toEqual({ clear: ['a/b', 'd/e'], install: ['a/b/c', 'd'], remove: ['f'] })
})
