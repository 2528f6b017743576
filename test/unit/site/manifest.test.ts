import { expect, test } from 'vitest'
import { decodeManifest, encodeManifest } from '../../../src/site/output/paths.ts'

const hash = 'a'.repeat(64)
const other = 'b'.repeat(64)

test('a manifest reads back what was written, in order of paths', () => {
  const text = encodeManifest([
    { path: 'b.html', hash },
    { path: 'B.html', hash: other },
    { path: 'a/"quoted"', hash },
  ])
  expect(Object.keys(JSON.parse(text).files)).toEqual(['B.html', 'a/"quoted"', 'b.html'])
  expect(text).toMatch(/\n$/)
  expect(decodeManifest(text.replace('a/\\"quoted\\"', 'a/quoted'))).toEqual({
    manifest: {
      schema: 'codex-export/manifest',
      version: 1,
      files: { 'B.html': other, 'a/quoted': hash, 'b.html': hash },
    },
  })
})

test('the order of the records does not change the bytes', () => {
  const records = ['x', 'y/z', 'a'].map((path) => ({ path, hash }))
  expect(encodeManifest(records)).toBe(encodeManifest(records.toReversed()))
})

test('an empty manifest is valid', () => {
  expect(decodeManifest(encodeManifest([]))).toMatchObject({ manifest: { files: {} } })
})

test('paths that are names of object members are plain entries', () => {
  const text = encodeManifest([
    { path: '__proto__', hash },
    { path: 'constructor', hash },
  ])
  const decoded = decodeManifest(text)
  expect('manifest' in decoded && Object.keys(decoded.manifest.files)).toEqual(['__proto__', 'constructor'])
})

function manifestOf(files: unknown): string {
  return JSON.stringify({ schema: 'codex-export/manifest', version: 1, files })
}

test.each([
  ['', 'not a manifest of codex-export'],
  ['{', 'not a manifest of codex-export'],
  ['null', 'not a manifest of codex-export'],
  ['[]', 'not a manifest of codex-export'],
  ['{"schema":"web-app"}', 'not a manifest of codex-export'],
  ['{"schema":"codex-export/manifest","version":2,"files":{}}', 'version `2`'],
  [manifestOf(undefined), 'lists no files'],
  [manifestOf([]), 'lists no files'],
  [manifestOf({ 'a.html': 1 }), '`a.html` has no hash'],
  [manifestOf({ 'a.html': 'abc' }), '`a.html` has no hash'],
  [manifestOf({ '../../etc/passwd': hash }), 'may not be listed'],
  [manifestOf({ '/etc/passwd': hash }), 'may not be listed'],
  [manifestOf({ 'manifest.json': hash }), 'may not be listed'],
])('%s is refused', (text, problem) => {
  const decoded = decodeManifest(text)
  expect('problem' in decoded && decoded.problem).toContain(problem)
})
