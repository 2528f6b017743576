import { expect, test } from 'vitest'
import { matchesTag, readRange } from '../../../src/cli/serve/request.ts'
import { contentType, guardHeaders } from '../../../src/cli/serve/site-files-fs.ts'

test.each([
  [undefined, false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
])('If-None-Match %s against "a" is %s', (header, expected) => {
  expect(matchesTag(header, '"a"')).toBe(expected)
})

test.each([
  ['bytes=0-3', { first: 0, last: 3 }],
  ['bytes=4-', { first: 4, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-30', { first: 0, last: 9 }],
  ['bytes=8-30', { first: 8, last: 9 }],
  ['bytes=10-', 'none'],
  ['bytes=-0', 'none'],
  [undefined, 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=5-2', 'whole'],
  ['bytes=0-1,3-4', 'whole'],
  ['items=0-1', 'whole'],
])('Range %s of ten bytes is %j', (header, expected) => {
  expect(readRange(header, 10)).toEqual(expected)
})

test('a range of an empty file is outside of it', () => {
  expect(readRange('bytes=0-', 0)).toBe('none')
  expect(readRange('bytes=-1', 0)).toBe('none')
})

test.each([
  ['index.html', 'text/html; charset=utf-8'],
  ['a/b.MD', 'text/markdown; charset=utf-8'],
  ['pagefind/pagefind.js', 'text/javascript; charset=utf-8'],
  ['pagefind/wasm.en.pagefind', 'application/octet-stream'],
  ['_headers', 'application/octet-stream'],
  ['x.constructor', 'application/octet-stream'],
  ['a.html.exe', 'application/octet-stream'],
])('%s is %s', (path, type) => {
  expect(contentType(path)).toBe(type)
})

test('all types are only for pages of the same origin, because any script could load a script', () => {
  for (const type of ['text/html; charset=utf-8', 'text/javascript; charset=utf-8', 'text/plain'])
    expect(guardHeaders(type)).toMatchObject({ 'cross-origin-resource-policy': 'same-origin' })
})

test('no type is sniffed, and a picture cannot run scripts', () => {
  for (const type of ['text/html; charset=utf-8', 'image/svg+xml', 'text/plain']) {
    expect(guardHeaders(type)).toMatchObject({ 'x-content-type-options': 'nosniff' })
  }
  expect(guardHeaders('image/svg+xml')['content-security-policy']).toContain('sandbox')
})
