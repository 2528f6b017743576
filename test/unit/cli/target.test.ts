import { describe, expect, test } from 'vitest'
import { folderLink, isOwnHost, readTarget } from '../../../src/cli/serve/request.ts'

describe('a request target', () => {
  test.each([
    ['/', 'index.html', ''],
    ['/?q=a/../b', 'index.html', '?q=a/../b'],
    ['/index.html#l12', 'index.html', ''],
    ['/sessions/a/', 'sessions/a/index.html', ''],
    ['/sessions/a/2.html?q=1', 'sessions/a/2.html', '?q=1'],
    ['/a%20b.txt', 'a b.txt', ''],
    ['/%C3%A4.txt', 'ä.txt', ''],
    ['/%252e%252e/x', '%2e%2e/x', ''],
    ['/...', '...', ''],
  ])('%s is the path %s', (target, path, query) => {
    expect(readTarget(target)).toEqual({ kind: 'path', path, query })
  })

  test.each([
    '',
    '*',
    'http://evil.example/',
    'index.html',
    '/../etc/passwd',
    '/a/../../etc/passwd',
    '/a/./b',
    '/%2e%2e/etc/passwd',
    '/.%2e/x',
    '/a%2fb',
    '/a%2Fb',
    '/a%5cb',
    '/a\\b',
    '/..\\x',
    '/a%00b',
    '/a%0ab',
    '//evil.example/',
    '/a//b',
    '/%zz',
    '/%ff',
  ])('%j is bad', (target) => {
    expect(readTarget(target)).toEqual({ kind: 'bad' })
  })

  test.each(['a', 'sessions/a', 'a b/ä#?', '100%', 'x/javascript:alert(1)'])(
    'of a folder leads to the folder, also below the path of a proxy: %s',
    (path) => {
      const encoded = path.split('/').map(encodeURIComponent).join('/')
      const { pathname } = new URL(folderLink(path), `http://127.0.0.1/team/codex/${encoded}`)
      expect(readTarget(pathname)).toEqual({ kind: 'path', path: `team/codex/${path}/index.html`, query: '' })
    },
  )
})

describe('a Host header', () => {
  test.each(['127.0.0.1:8080', 'localhost:8080', 'LOCALHOST:8080', '[::1]:8080'])('%s is our own', (header) => {
    expect(isOwnHost(header, 8080)).toBe(true)
  })

  test.each([
    undefined,
    '',
    'evil.example',
    'evil.example:8080',
    'localhost',
    'localhost:81',
    '127.0.0.1.evil.example:8080',
  ])('%s is not our own', (header) => {
    expect(isOwnHost(header, 8080)).toBe(false)
  })

  test('needs no port on port 80', () => {
    expect(isOwnHost('localhost', 80)).toBe(true)
  })
})
