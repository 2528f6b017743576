import { expect, test } from 'vitest'
import { createPathRegistry, foldersOf, obstaclesTo, pathProblem } from '../../../src/site/output/paths.ts'

test.each([
  'index.html',
  'a',
  '.nojekyll',
  '_headers',
  'sessions/0199a213-0000-7000-8000-000000000001/index.html',
  'pagefind/fragment/en_33835ef.pf_fragment',
  'assets/site.0123abcd.css',
  'projects/x-con/index.html',
  'Ünïcode/名前.html',
  'sessions/manifest.json',
])('%j may be written', (path) => {
  expect(pathProblem(path)).toBeUndefined()
})

test.each([
  '',
  '/etc/passwd',
  '../x',
  'a/../b',
  'a/./b',
  '.',
  '..',
  'a//b',
  'a/',
  'a\\b',
  'a\0b',
  'a\nb',
  'a\u009bb',
  'a\ud800b',
  'c:/x',
  'a:stream',
  'con',
  'a/NUL.txt',
  'lpt1',
  'COM¹.log',
  'a.',
  'a /b',
  'what?.html',
  '.staging-1-0-000000000000/n0',
  'a/.staging-x',
  'manifest.json',
  'x'.repeat(201),
])('%j may not be written', (path) => {
  expect(pathProblem(path)).toEqual(expect.any(String))
})

test('folders of a path come nearest first', () => {
  expect(foldersOf('a/b/c.html')).toEqual(['a/b', 'a'])
  expect(foldersOf('c.html')).toEqual([])
})

test.each([[['a/b', 'a/b']], [['a/b', 'A/B']], [['a', 'a/b']], [['a/b/c', 'a/b']], [['\u00e9.html', 'e\u0301.html']]])(
  '%j cannot exist together',
  (paths) => {
    const registry = createPathRegistry()
    expect(() => {
      for (const path of paths) registry.add(path)
    }).toThrow('another file of the site is in the way')
  },
)

test('a registry accepts neighbours, and names an unsafe path that it refuses', () => {
  const registry = createPathRegistry()
  registry.add('a/b')
  registry.add('a/c')
  registry.add('ab')
  expect(() => registry.add('../x')).toThrow('Cannot write `../x`')
})

test('obstacles to paths are their folders as files, and files where they need a folder', () => {
  const isObstacle = obstaclesTo(['a/b/c.html', 'd'])
  expect(['a', 'a/b', 'd/e.html', 'd/e/f.html'].filter(isObstacle)).toHaveLength(4)
  expect(['a/b/c.html', 'a/b/d.html', 'd', 'e', 'a/bc'].filter(isObstacle)).toEqual([])
})
