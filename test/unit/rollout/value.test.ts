import { describe, expect, test } from 'vitest'
import type { Line } from '../../../src/rollout/read/lines.ts'
import { parseLine } from '../../../src/rollout/read/value.ts'

function parse(content: string | Uint8Array, more: Partial<Line> = {}) {
  const bytes = Buffer.from(content)
  return parseLine({ number: 1, byteOffset: 0, byteLength: bytes.length, bytes, terminated: true, ...more })
}

const damaged = { values: [], faults: ['damaged-line'] }

describe('parseLine', () => {
  test('replaces lone surrogates and keeps pairs', () => {
    const { values } = parse('{"a":"x \\ud83d y","b":"\\ud83d\\ude00","c":["\\ude00"]}')
    expect(values).toEqual([{ a: 'x \ufffd y', b: '😀', c: ['\ufffd'] }])
  })

  test.each(['{"a":1}', '[1]', '"text"', '0', 'null', 'true'])('gives the one value of %s', (text) => {
    expect(parse(text)).toEqual({ values: [JSON.parse(text)], faults: [] })
  })

  test.each(['', ' ', '\t \r'])('gives neither value nor fault for the blank line %j', (text) => {
    expect(parse(text)).toEqual({ values: [], faults: [] })
  })

  test.each(['{', 'plain words', '{"a":1,}', '{"a":1}]', "{'a':1}", '{"a":"\u0001"}'])('calls %j damaged', (text) => {
    expect(parse(text)).toEqual(damaged)
  })

  test('calls a damaged line without newline torn', () => {
    expect(parse('{"a":"hal', { terminated: false })).toEqual({ values: [], faults: ['torn-last-line'] })
  })

  test('accepts a complete last line without newline', () => {
    expect(parse('{"a":1}', { terminated: false })).toEqual({ values: [{ a: 1 }], faults: [] })
  })

  test('drops NUL bytes around a record', () => {
    expect(parse('\0\0\0{"a":1}\0')).toEqual({ values: [{ a: 1 }], faults: ['nul-bytes'] })
    expect(parse('\0\0\0')).toEqual({ values: [], faults: ['nul-bytes'] })
  })

  test('drops the byte order mark of a file that was appended to another', () => {
    expect(parse('\ufeff{"a":1}')).toEqual({ values: [{ a: 1 }], faults: [] })
  })

  test('replaces bytes that are not UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')])
    expect(parse(bytes)).toEqual({ values: [{ a: '\ufffd' }], faults: ['bad-utf8'] })
  })

  test('does not mistake a recorded replacement character for damage', () => {
    expect(parse('{"a":"\ufffd"}')).toEqual({ values: [{ a: '\ufffd' }], faults: [] })
  })

  test('splits records that were run together', () => {
    expect(parse('{"a":1}{"b":"}{"}')).toEqual({ values: [{ a: 1 }, { b: '}{' }], faults: ['run-together'] })
    expect(parse('{"a":{"x":[]}}{"b":2}{"c":3}')).toEqual({
      values: [{ a: { x: [] } }, { b: 2 }, { c: 3 }],
      faults: ['run-together'],
    })
  })

  test('keeps the complete records of a line that also contains a torn one', () => {
    expect(parse('{"a":1}{"b":', { terminated: false })).toEqual({
      values: [{ a: 1 }],
      faults: ['torn-last-line', 'run-together'],
    })
    const half = '{"timestamp":"1","type":"x","payload":{"te'
    const whole = { timestamp: '2', type: 'session_meta', payload: { timestamp: '2', id: 'x' } }
    expect(parse(half + JSON.stringify(whole))).toEqual({ values: [whole], faults: ['damaged-line', 'run-together'] })
  })

  const record = (text: string) => ({ timestamp: '1', type: 'x', payload: { text, parts: [{ a: 1 }] } })
  const line = (text: string) => JSON.stringify(record(text))

  test.each([
    ['a space', ' '],
    ['a comma', ','],
    ['a comma and a space', ', '],
    ['a carriage return', '\r'],
    ['a tab', '\t'],
    ['carriage returns', '\r\r'],
    ['NUL bytes', '\0\0'],
    ['a byte order mark', '\ufeff'],
    ['nothing', ''],
  ])('reads all records that are on one line with %s between them', (_, gap) => {
    const { values, faults } = parse(['one', 'two }{', 'three'].map(line).join(gap) + gap)
    expect(values).toEqual(['one', 'two }{', 'three'].map(record))
    expect(faults.filter((fault) => fault !== 'nul-bytes')).toEqual(['run-together'])
  })

  test('reads records without an envelope that are on one line', () => {
    expect(parse('{"record_type":"state"} {"type":"message"}')).toEqual({
      values: [{ record_type: 'state' }, { type: 'message' }],
      faults: ['run-together'],
    })
  })

  test('reads the complete records next to a torn one, wherever that was torn', () => {
    const torn = line('some text, with "quotes", {"a":1} and [brackets]')
    for (let at = 1; at < torn.length; at++) {
      const half = torn.slice(0, at)
      const { values, faults } = parse(`${line('one')}${half}${line('two')}`)
      // Where an object may begin, the next record may as well be part of the torn one.
      const isInside = /(?:"payload":|"parts":|"a":|\[)$/.test(half) && !half.endsWith('and [')
      const texts = isInside ? ['one'] : ['one', 'two']
      expect([half, values]).toEqual([half, texts.map(record)])
      expect(faults).toEqual(['damaged-line', 'run-together'])
    }
  })

  test('reports damage if something is lost next to a complete record', () => {
    const saved = { values: [record('one')], faults: ['damaged-line'] }
    for (const text of [`${line('one')}xyz`, `xyz${line('one')}`, `"x" ${line('one')}`])
      expect(parse(text)).toEqual(saved)
    const cut = parse(`${line('one')} ${line('two').slice(0, -3)}`)
    expect(cut).toEqual({ values: [record('one')], faults: ['damaged-line', 'run-together'] })
  })

  test('does not take an object inside a torn record for a record', () => {
    const inner = { timestamp: '1', type: 'event_msg', payload: { type: 'agent_message', message: 'inner' } }
    const whole = JSON.stringify({ ...record('outer'), more: inner, list: [inner, inner], last: 1 })
    for (let at = 1; at < whole.length; at++)
      for (const text of [whole.slice(0, at), whole.slice(at)])
        if (text !== whole) expect([text, parse(text).values]).toEqual([text, []])
    expect(parse(whole.slice(0, -2).replaceAll(':{', ': {')).values).toEqual([])
  })

  test('reads a file whose lines end with carriage returns alone', () => {
    const texts = Array.from({ length: 50 }, (_, index) => `text ${index}`)
    expect(parse(texts.map(line).join('\r')).values).toEqual(texts.map(record))
    const half = line('half').slice(0, 40)
    expect(parse([line('one'), half, line('two')].join('\r'))).toEqual({
      values: [record('one'), record('two')],
      faults: ['damaged-line', 'run-together'],
    })
  })

  test('does not take a part of a torn record for a record', () => {
    const text = '{"timestamp":"1","type":"session_meta","payload":{"timestamp":"1","id":"x"}'
    expect(parse(text, { terminated: false })).toEqual({ values: [], faults: ['torn-last-line'] })
  })

  test('reads a line with very many records or brackets in bounded time', () => {
    const text = '{"a":1}'.repeat(10_000)
    expect(parse(text).values).toHaveLength(10_000)
    expect(parse(`{"x":"${'}{'.repeat(500_000)}`)).toEqual(damaged)
  })

  test('leaves out records that are nested too deeply', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    expect(parse(nested(512)).faults).toEqual([])
    expect(parse(nested(513))).toEqual({ values: [], faults: ['deep-json'] })
    expect(parse(nested(1_000_000))).toEqual({ values: [], faults: ['deep-json'] })
    expect(parse(`${'{"a":'.repeat(600)}1${'}'.repeat(600)}`).faults).toEqual(['deep-json'])
    expect(parse('['.repeat(1_000_000))).toEqual(damaged)
  })

  test('does not parse a long line that is nested too deeply or has too many values', () => {
    const deep = `{"a":${'['.repeat(600_000)}${']'.repeat(600_000)}}`
    expect(parse(deep)).toEqual({ values: [], faults: ['deep-json'] })
    const wide = `{"a":[${'{},'.repeat(500_000)}0]}`
    expect(parse(wide)).toEqual({ values: [], faults: ['oversized-line', 'damaged-line'] })
    const long = JSON.stringify({ a: '[{'.repeat(600_000) })
    expect(parse(long)).toEqual({ values: [JSON.parse(long)], faults: [] })
  })

  test('splits at most a hundred thousand records and treats the rest as damage', () => {
    const { values, faults } = parse('{"a":1}'.repeat(110_000))
    expect(values).toHaveLength(100_000)
    expect(faults).toEqual(['damaged-line', 'run-together'])
  })

  test('does not take brackets in texts for nesting', () => {
    const text = JSON.stringify({ a: '[{'.repeat(2000), b: Array.from({ length: 2000 }, () => [{}]) })
    expect(parse(text).faults).toEqual([])
  })

  test('reports that long values were left out', () => {
    expect(parse('{"a":"[omitted 9 bytes]"}', { omitted: 9 })).toEqual({
      values: [{ a: '[omitted 9 bytes]' }],
      faults: ['oversized-line'],
    })
    expect(parse('{"a":', { omitted: 9, oversized: true })).toEqual({
      values: [],
      faults: ['oversized-line', 'damaged-line'],
    })
  })
})
