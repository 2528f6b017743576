import { expect, test } from 'vitest'
import { neededNames } from '../../../src/search/pagefind-fs.ts'
import { searchKey } from '../../../src/search/shards.ts'

const options = { generator: 'codex-export 1.0.0' }
const a = { path: 'sessions/a/index.html', hash: 'aa' }
const b = { path: 'sessions/b/index.html', hash: 'bb' }

test('the key is the same for the same pages in any order', () => {
  expect(searchKey([a, b], options)).toBe(searchKey([b, a], options))
})

test.each([
  ['a page was removed', [a], options],
  ['a page changed', [a, { ...b, hash: 'bc' }], options],
  ['a page moved', [a, { ...b, path: 'sessions/c/index.html' }], options],
  ['the script changed', [a, b], { ...options, script: 'x' }],
  ['the tool changed', [a, b], { ...options, generator: 'codex-export 1.0.1' }],
])('the key differs if %s', (_, pages, other) => {
  expect(searchKey(pages, other)).not.toBe(searchKey([a, b], options))
})

const entry = (wasm: string | null) => JSON.stringify({ languages: { xx: { hash: 'xx_1', wasm, page_count: 1 } } })
const names = [
  'pagefind.js',
  'pagefind-ui.js',
  'wasm.en.pagefind',
  'wasm.unknown.pagefind',
  'index/xx_1.pf_index',
  'pagefind-highlight.js',
]

test('only the engine that the entry names is needed', () => {
  expect(neededNames(names, entry('en'))).toEqual(['pagefind.js', 'wasm.en.pagefind', 'index/xx_1.pf_index'])
  expect(neededNames(names, entry(null))).toEqual(['pagefind.js', 'wasm.unknown.pagefind', 'index/xx_1.pf_index'])
})
