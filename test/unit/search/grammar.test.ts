/** The grammar of questions, which the search of a site and the terminal's search share. */
import { describe, expect, test } from 'vitest'
import {
  asPasted,
  faultOf,
  hasOperators,
  kindOf,
  kinds,
  readingsOf,
  readTokens,
  type Token,
  tokensOf,
} from '../../../templates/assets/search/grammar.js'

/** A token as text: `-` excluded, `+` whole, `"…"` quoted, `"…` open, `|` joined with the one before. */
function written({ field, text, isExcluded, isWholeWord, isQuoted, isOpen, isJoined }: Token): string {
  const signs = `${isJoined ? '|' : ''}${isExcluded ? '-' : ''}${isWholeWord ? '+' : ''}`
  const quoted = isQuoted ? `"${text}"` : text
  return `${signs}${field === 'text' ? '' : `${field}:`}${isOpen ? `"${text}` : quoted}`
}

const read = (text: string): string[] => readTokens(tokensOf(text).map(({ source }) => source)).map(written)

describe('a question', () => {
  test.each([
    ['words', 'Mend  the gate', ['Mend', 'the', 'gate']],
    ['a phrase', '"mend the gate"', ['"mend the gate"']],
    ['a phrase that is still being typed', '"mend the', ['"mend the']],
    ['whole words', '+gate', ['+gate']],
    ['excluded words', 'gate -hinge -"oil can"', ['gate', '-hinge', '-"oil can"']],
    ['options of one letter, which exclude nothing', 'sed -n 1p -5 a', ['sed', '-n', '1p', '-5', 'a']],
    ['what looks like an exclusion, if nothing else is asked', '-rf', ['-rf']],
    ['an excluded phrase, even if nothing else is asked', '-"oil can"', ['-"oil can"']],
    ['excluded operators alone', '-project:shop -kind:edit', ['-project:shop', '-kind:edit']],
    ['excluded words with such operators', '-rf -is:failed', ['-rf', '-is:failed']],
    ['flags', '--no-verify -x', ['--no-verify', '-x']],
    ['alternatives', 'gate OR hinge OR "oil can" nail', ['gate', '|hinge', '|"oil can"', 'nail']],
    ['`OR` as a word if it joins nothing', 'OR gate OR', ['OR', 'gate', 'OR']],
    ['operators', 'file:a/b.ts tool:"find it" -tag:★', ['file:a/b.ts', 'tool:"find it"', '-tag:★']],
    ['excluded operators', 'gate -project:shop -file:"a b"', ['gate', '-project:shop', '-file:"a b"']],
    [
      'operators without a value, and what only looks like one',
      'kind: note:x https://a.b',
      ['kind:', 'note:x', 'https://a.b'],
    ],
    ['punctuation alone', '+ - "" gate', ['+', '-', 'gate']],
  ])('is read as %s', (_, text, tokens) => {
    expect(read(text)).toEqual(tokens)
  })

  test('gives the offsets of its tokens', () => {
    expect(tokensOf(' gate  -file:"a b" x')).toEqual([
      { source: 'gate', at: 1 },
      { source: '-file:"a b"', at: 7 },
      { source: 'x', at: 19 },
    ])
  })

  test.each([
    ['connection refused', false],
    ['well-known word', false],
    ['a "phrase"', true],
    ['one -two', true],
    ['one OR two', true],
    ['in person:ada', true],
    ['see https://a.b', false],
  ])('`%s` has operators: %s', (text, has) => {
    expect(hasOperators(text)).toBe(has)
  })

  test('accepts kinds in any case, singular or plural', () => {
    expect(['Prompts', 'SEARCHES', 'context', 'promptss', ''].map(kindOf)).toEqual([
      ...['prompt', 'search', 'context'],
      ...[undefined, undefined],
    ])
    expect(kinds.map((kind) => kindOf(`${kind}s`))).toEqual(kinds)
  })

  test.each([
    ['after:2026-03-01 before:2026-03 after:2026 before:7D', undefined],
    ['after:2026-0', undefined],
    ['after:yesterday before:"last week" after:mon before:12h', undefined],
    ['after:soon', '“soon” is no date; write 2026-03-01, 2026-03, yesterday, or 7d for a week ago.'],
    ['after:2026-3-1', '“2026-3-1” is no date; write 2026-03-01, 2026-03, yesterday, or 7d for a week ago.'],
    ['gate before:03/01', '“03/01” is no date; write 2026-03-01, 2026-03, yesterday, or 7d for a week ago.'],
    ['gate -before:2026', '“-before:2026” cannot be asked: leave the “-” out.'],
    ['is:done', 'There is no state “done”; there are failed, finished, interrupted, unfinished, running.'],
  ])('`%s` has the fault: %s', (text, fault) => {
    expect(faultOf(text)).toBe(fault)
  })
})

test('a text with excluded words is also read literally, because it may be a pasted command', () => {
  expect(asPasted('ls -la src/gate')).toBe('"ls -la src/gate"')
  expect(asPasted('git commit -am "Oil the hinge" -- gate')).toBe('"git commit -am" "Oil the hinge" "-- gate"')
  expect(asPasted('gate -hinge kind:command -project:shop')).toBe('"gate -hinge" kind:command -project:shop')
  for (const text of ['gate', 'sed -n gate', '-la', 'gate -"hinge"', 'gate -kind:output', '--no-verify gate'])
    expect(asPasted(text)).toBeUndefined()
})

describe('a text is read', () => {
  const asked = (text: string): string[] =>
    readingsOf(text).map(({ asked: one, isPasted }) => `${isPasted ? 'as pasted ' : ''}${one}`)

  test('only as typed, if it has no other meaning', () => {
    for (const text of ['gate', 'mend the "oil can" -kind:output', 'snake_case_name', 'gate[0]', '2 * 3 * 4'])
      expect(asked(text)).toEqual([text])
  })

  test('as a command first, and as a line that an edit removed last', () => {
    expect(asked('ls -la src')).toEqual(['as pasted "ls -la src"', 'ls -la src'])
    expect(asked('-mend the gate').slice(2)).toEqual(['as pasted "mend the gate"'])
  })

  test.each([
    ['- **Mend** the gate', '**Mend** the gate'],
    ['1. Mend the gate', 'Mend the gate'],
    ['- [x] Mend the gate', 'Mend the gate'],
    ['> 2) Mend the gate', 'Mend the gate'],
    ['## Mend the *gate*', 'Mend the gate'],
    ['see [gate.ts](src/a(1)/gate.ts:3), ![hinge](h.png)', 'see gate.ts, hinge'],
    ['with \\(p_{gate}\\) oil', 'with p_{gate} oil'],
  ])('without marks of Markdown last: %s', (text, plain) => {
    expect(asked(text)).toEqual([text, plain])
  })
})
