import { expect, test } from 'vitest'
import { ByteBuilder } from '../../../src/rollout/read/source.ts'
import { compareText } from '../../../src/util/compare.ts'
import { defined } from '../../../src/util/own.ts'

test('a byte builder copies its input, keeps the order and can be truncated', () => {
  const builder = new ByteBuilder(2)
  const part = Buffer.from('abc')
  builder.append(part)
  part.fill('x')
  builder.append(Buffer.from('defgh'))
  expect(builder.view().toString()).toBe('abcdefgh')
  builder.truncate(4)
  builder.truncate(9)
  builder.append(Buffer.from('!'))
  expect([builder.length, builder.view().toString()]).toEqual([5, 'abcd!'])
})

test('`defined` drops undefined fields and nothing else', () => {
  expect(Object.keys(defined({ a: undefined, b: null, c: 0, d: '', e: false }))).toEqual(['b', 'c', 'd', 'e'])
})

test('texts are compared by code units', () => {
  expect(['ä', 'b', 'B', 'a', 'b'].sort(compareText)).toEqual(['B', 'a', 'b', 'b', 'ä'])
})
