import { describe, expect, it } from 'vitest'
import { prettyJson } from '../../../src/util/json.ts'

describe('prettyJson', () => {
  it('indents objects and lists', () => {
    expect(prettyJson('{"a":[1,"two"],"b":{}}')).toBe('{\n  "a": [\n    1,\n    "two"\n  ],\n  "b": {}\n}')
  })

  it('indents text that was spaced in another way', () => {
    expect(prettyJson(' { "a b" :\t"c  d" } \n')).toBe('{\n  "a b": "c  d"\n}')
  })

  it.each([
    ['a number too large for a double', '{"id":12345678901234567890}'],
    ['a number whose writing would change', '[1.0]'],
    ['a key that is there twice', '{"a":1,"a":2}'],
    ['an escape that would be lost', '["\\u0041"]'],
    ['text that is no JSON', '{"a":'],
    ['a bare value', '"text"'],
    ['nothing', ''],
  ])('leaves %s as it is', (_name, text) => {
    expect(prettyJson(text)).toBeUndefined()
  })
})
