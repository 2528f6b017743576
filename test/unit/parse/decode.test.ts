import { describe, expect, it } from 'vitest'
import {
  asArray,
  asBoolean,
  asCount,
  asDuration,
  asInstant,
  asNumber,
  asObject,
  asPath,
  asRemote,
  asString,
  asStrings,
  asText,
} from '../../../src/parse/decode.ts'

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
