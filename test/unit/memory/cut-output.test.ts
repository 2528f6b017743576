/** Outputs as builds sent them that record a limit. */
import { expect, it } from 'vitest'
import { cutMiddle, cutOutput } from '../../../src/features/memory/history/items.ts'
import { output, user } from '../../helpers/remember.ts'

it('short outputs, other items and calls without a limit are not cut', () => {
  const short = output('a', 'short')
  expect(cutOutput(short, { unit: 'bytes', limit: 100 })).toEqual(short)
  const said = user('x'.repeat(500))
  expect(cutOutput(said, { unit: 'bytes', limit: 100 })).toBe(said)
  const long = output('a', 'x'.repeat(500))
  expect(cutOutput(long, undefined)).toBe(long)
})

it('a limit in bytes is exceeded by a fifth, and a token counts as four bytes', () => {
  const sent = (unit: 'bytes' | 'tokens') =>
    String(cutOutput(output('a', 'x'.repeat(5000)), { unit, limit: 100 })['output'])
  expect(sent('bytes')).toBe(`${'x'.repeat(60)}…4880 chars truncated…${'x'.repeat(60)}`)
  expect(sent('tokens')).toBe(`${'x'.repeat(240)}…1130 tokens truncated…${'x'.repeat(240)}`)
})

it('the parts of an output share the limit', () => {
  const text = (value: string) => ({ type: 'input_text', text: value })
  const item = { ...output('a'), output: [text('x'.repeat(100)), { type: 'input_image' }, text('y'.repeat(100))] }
  expect(cutOutput(item, { unit: 'bytes', limit: 100 })['output']).toEqual([
    text('x'.repeat(100)),
    { type: 'input_image' },
    text(`${'y'.repeat(10)}…80 chars truncated…${'y'.repeat(10)}`),
  ])
})

it('no character is split, and the marks count whole characters', () => {
  expect(cutMiddle('😀'.repeat(10), 18, 'bytes')).toBe('😀😀…6 chars truncated…😀😀')
  expect(cutMiddle('ä'.repeat(10), 9, 'bytes')).toBe('ää…6 chars truncated…ää')
})
