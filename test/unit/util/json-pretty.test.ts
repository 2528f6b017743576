import { describe, expect, it } from 'vitest'
import { prettyJson } from '../../../src/util/json.ts'

describe('prettyJson', () => {
  it('indents objects and lists', () => {
    expect(prettyJson('{"a":[1,"two"],"b":{}}')).toBe('{\n  "a": [\n    1,\n    "two"\n  ],\n  "b": {}\n}')
  })

  it('indents text with other whitespace', () => {
    expect(prettyJson(' { "a b" :\t"c  d" } \n')).toBe('{\n  "a b": "c  d"\n}')
  })

  it.each([
    ['a number too large for a double', '{"id":12345678901234567890}'],
    ['a number that would be written differently', '[1.0]'],
    ['a repeated key', '{"a":1,"a":2}'],
    ['an escape that would be lost', '["\\u0041"]'],
    ['text that is no JSON', '{"a":'],
    ['a bare value', '"text"'],
    ['nothing', ''],
  ])('returns nothing for %s', (_name, text) => {
    expect(prettyJson(text)).toBeUndefined()
  })
})
