import { expect, test } from 'vitest'
import { isDeeper, splitObjects } from '../../../src/util/json.ts'

test.each([
  [1, 0, false],
  [[], 0, true],
  [[], 1, false],
  [{ a: [1] }, 1, true],
  [{ a: [1] }, 2, false],
  [[1, { a: { b: null } }], 2, true],
])('%j is deeper than %i: %s', (value, limit, expected) => {
  expect(isDeeper(value, limit)).toBe(expected)
})

test.each([
  ['{"a":1}', ['{"a":1}']],
  ['{"a":1}{"b":2}{}', ['{"a":1}', '{"b":2}', '{}']],
  ['{"a":"}{"}{"b":"\\"}{"}', ['{"a":"}{"}', '{"b":"\\"}{"}']],
  ['{"a":[{}{}]}', ['{"a":[{}{}]}']],
  ['{"a":"}{', ['{"a":"}{']],
  ['}{', ['}{']],
  ['', ['']],
])('%s is cut into %j', (text, parts) => {
  expect(splitObjects(text)).toEqual(parts)
})
