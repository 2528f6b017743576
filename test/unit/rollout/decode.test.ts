import { describe, expect, it } from 'vitest'
import {
  asArray,
  asBoolean,
  asCount,
  asDuration,
  asExitCode,
  asHandle,
  asInstant,
  asNumber,
  asObject,
  asPath,
  asRemote,
  asSeconds,
  asString,
  asStrings,
  asText,
  takeOutOfBoundsCount,
} from '../../../src/rollout/parse/decode.ts'

describe('decoders', () => {
  it.each<[(value: unknown) => unknown, [unknown, unknown][]]>([
    [
      asObject,
      [
        [{ a: 1 }, { a: 1 }],
        [[1], undefined],
        [null, undefined],
        ['x', undefined],
      ],
    ],
    [
      asArray,
      [
        [[1], [1]],
        [{ 0: 1 }, []],
        [null, []],
      ],
    ],
    [
      asString,
      [
        ['', ''],
        [1, undefined],
        [null, undefined],
      ],
    ],
    [
      asText,
      [
        ['a', 'a'],
        [' ', undefined],
        ['', undefined],
        [1, undefined],
      ],
    ],
    [
      asNumber,
      [
        [1.5, 1.5],
        ['2', 2],
        [' 3 ', 3],
        ['-4.5', -4.5],
        ['', undefined],
        ['x', undefined],
        [Number.POSITIVE_INFINITY, undefined],
        [true, undefined],
      ],
    ],
    [
      asCount,
      [
        [1.6, 2],
        ['7', 7],
        [-1, undefined],
        [0, 0],
        [null, undefined],
      ],
    ],
    [
      asBoolean,
      [
        [true, true],
        [false, false],
        ['true', undefined],
        [1, undefined],
      ],
    ],
    [
      asStrings,
      [
        [
          ['a', 1, 'b', null],
          ['a', 'b'],
        ],
        ['a', []],
      ],
    ],
    [
      asInstant,
      [
        ['2026-03-14T09:26:53.589Z', '2026-03-14T09:26:53.589Z'],
        ['2026-03-14T09:26:53Z', '2026-03-14T09:26:53.000Z'],
        ['2026-03-14T10:26:53.5+01:00', '2026-03-14T09:26:53.500Z'],
        ['2026-13-14T09:26:53.589Z', undefined],
        ['2026-03-14T99:26:53.589Z', undefined],
        ['soon', undefined],
        ['', undefined],
        [1795295307, undefined],
      ],
    ],
    [
      asPath,
      [
        ['/home/ada', '/home/ada'],
        ['file:///home/ada/a%20b', '/home/ada/a b'],
        ['file://localhost/home/ada', '/home/ada'],
        ['file:///C:/Users/ada', 'C:/Users/ada'],
        ['file://server/share/a', '//server/share/a'],
        ['file:///home/100%', '/home/100%'],
        ['\\\\?\\C:\\Users', 'C:\\Users'],
        ['\\\\?\\UNC\\server\\share', '\\\\server\\share'],
        ['\\\\server\\share', '\\\\server\\share'],
        ['', undefined],
        [null, undefined],
      ],
    ],
    [
      asDuration,
      [
        [{ secs: 1, nanos: 500_000_000 }, 1500],
        [{ secs: 0, nanos: 1 }, 0],
        [{ secs: 2 }, 2000],
        [{ secs: -1, nanos: 0 }, undefined],
        [{ nanos: 5 }, undefined],
        ['1.25s', 1250],
        ['340ms', 340],
        ['a while', undefined],
        [12, 12],
        [-12, undefined],
      ],
    ],
    [
      asRemote,
      [
        ['https://ada:secret@git.example.com/a.git', 'https://git.example.com/a.git'],
        ['https://token@git.example.com/a@b.git', 'https://git.example.com/a@b.git'],
        ['git@git.example.com:a.git', 'git@git.example.com:a.git'],
        ['ssh://git@git.example.com/a', 'ssh://git.example.com/a'],
        ['', undefined],
      ],
    ],
  ])('%o', (decoder, cases) => {
    for (const [value, expected] of cases) expect({ value, is: decoder(value) }).toStrictEqual({ value, is: expected })
  })
})

describe('impossible values', () => {
  const absurd = [1e300, -1e300, 1e13, '1e308', Number.POSITIVE_INFINITY, Number.NaN, '123456789012345678901234567890']

  it.each<[(value: unknown) => unknown, unknown[]]>([
    [asNumber, absurd],
    [asCount, [...absurd, -1, '-0.5e9']],
    [asExitCode, [...absurd, 0.5, 2 ** 33, '4294967297']],
    [asHandle, [1e300, -7]],
    [asSeconds, [...absurd, -5, 1e9]],
    [asDuration, [...absurd, -5, { secs: -5, nanos: 1e30 }, { secs: 1e300 }, { secs: 1e9, nanos: 0 }, '99999999999s']],
    [
      asInstant,
      ['0000-00-00T00:00:00Z', '1969-12-31T23:59:59.000Z', '9999-12-31T00:00:00.000Z', '2100-01-01T00:00:00Z'],
    ],
    [asInstant, ['+275761-01-01T00:00:00.000Z', '2026-13-45T99:99:99.999Z', '-000001-01-01T00:00:00Z']],
  ])('are absent for %o, and are counted', (decode, values) => {
    takeOutOfBoundsCount()
    for (const value of values) {
      expect(decode(value), String(value)).toBeUndefined()
      expect(takeOutOfBoundsCount(), String(value)).toBeGreaterThan(0)
    }
  })

  it('do not include values of another type, which are only absent', () => {
    takeOutOfBoundsCount()
    for (const decode of [asNumber, asCount, asExitCode, asDuration]) {
      for (const value of ['', 'x', 'NaN', null, undefined, true, [], '1.2.3s']) expect(decode(value)).toBeUndefined()
    }
    expect(asInstant('yesterday')).toBeUndefined()
    expect(takeOutOfBoundsCount()).toBe(0)
  })

  it('do not include unusual values that occur', () => {
    expect(asExitCode(3_221_225_477)).toBe(3_221_225_477)
    expect(asExitCode(-1)).toBe(-1)
    expect(asCount(999_999_999_999)).toBe(999_999_999_999)
    expect(asDuration({ secs: 86_400 * 365, nanos: 0 })).toBe(31_536_000_000)
    expect(asInstant('2000-01-01T00:00:00Z')).toBe('2000-01-01T00:00:00.000Z')
    expect(asInstant('2026-02-31T09:00:00.000Z')).toBe('2026-03-03T09:00:00.000Z')
  })
})
