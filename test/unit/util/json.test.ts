import { expect, test } from 'vitest'
import { hashKey, sha256 } from '../../../src/util/hash.ts'
import { detached, isDeeper, isObject, jsonOf, measureJson, parseJson, repeatedKey } from '../../../src/util/json.ts'

test.each([
  [1, 0, false],
  [[], 0, true],
  [[], 1, false],
  [{ a: [1] }, 1, true],
  [{ a: [1] }, 2, false],
  [[1, { a: { b: null } }], 2, true],
])('%j is nested deeper than %i: %s', (value, limit, expected) => {
  expect(isDeeper(value, limit)).toBe(expected)
})

const nodeMajor = Number.parseInt(process.versions.node, 10)

test('the JSON of a value is undefined if it is nested too deeply for the engine', () => {
  expect(jsonOf({ a: [1, 'b'] })).toBe('{"a":[1,"b"]}')
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  // V8 of Node 26 writes values of any depth.
  expect(jsonOf(parseJson(deep))).toBe(nodeMajor < 26 ? undefined : deep)
})

test.each([
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  ['{}', false],
  [undefined, false],
])('%j is a JSON object: %s', (value, expected) => {
  expect(isObject(value)).toBe(expected)
})

test.each([
  ['1', 9, { depth: 0, containers: 0 }],
  ['{"a":[1,{}],"b":{}}', 9, { depth: 3, containers: 4 }],
  ['{"[[[":"\\"{{"}', 9, { depth: 1, containers: 1 }],
  ['[[[', 9, { depth: 3, containers: 3 }],
  [']][', 9, { depth: 0, containers: 1 }],
  ['[],[],[],[]', 2, { depth: 1, containers: 3 }],
])('the size of %s, counted up to %i containers, is %j', (text, most, expected) => {
  expect(measureJson(text, most)).toEqual(expected)
})

test('a detached value is equal, and shares nothing with the original', () => {
  const value = { text: 'half a pair: \ud800', list: [{ at: 1.5 }, null] }
  const copy = detached(value)
  expect(copy).toEqual(value)
  copy.list.pop()
  expect(value.list).toHaveLength(2)
})

test('a hash key is the beginning of the SHA-256', () => {
  expect(hashKey('päge')).toBe(sha256('päge').slice(0, 24))
})

test.each([
  ['{"a":{"a":1},"b":{"a":"a"}}', undefined],
  ['{"a":1,"b":[{"c":1},{"c":2}],"\\u0061":2}', 'a'],
  ['{"x":{"\\"a:":1, "b" : 2,\n"\\"a:"\n:3}}', '"a:'],
  ['["a","a",{"k":"{\\"k\\":1}"}]', undefined],
])('the repeated key of an object in %s is %s', (text, key) => {
  expect(repeatedKey(text)).toBe(key)
})
