import { expect, test } from 'vitest'
import { errorLines } from '../../../src/search/blocks.ts'

test('lines that report a failure are kept, without colours, each once', () => {
  const output = [
    'compiling 12 files',
    '\x1b[31merror[E0308]\x1b[0m: mismatched types',
    '  --> src/gate.rs:3:7',
    '\x1b[31merror[E0308]\x1b[0m: mismatched types',
    'TypeError: hinge is undefined',
    'done in 3 s',
  ].join('\n')
  expect(errorLines([output])).toBe('error[E0308]: mismatched types\nTypeError: hinge is undefined')
})

test('an output without such lines gives nothing', () => {
  expect(errorLines(['all is well', ''])).toBe('')
})

test('only a few of many lines are kept, and the end of a long output is read', () => {
  const many = Array.from({ length: 50 }, (_, index) => `error ${index}`).join('\n')
  expect(errorLines([many]).split('\n')).toHaveLength(6)
  expect(errorLines([`${'fine\n'.repeat(10_000)}fatal: no gate`])).toBe('fatal: no gate')
  expect(errorLines([`error ${'x'.repeat(5000)}`]).length).toBeLessThanOrEqual(300)
})
