import fc from 'fast-check'
import { VFile } from 'vfile'
import { describe, expect, it, test } from 'vitest'
import { type LimitOptions, pageLimits, treeLimits } from '../../../src/transcript/plugins/limit.ts'
import { pageLimiter } from '../../../src/transcript/preset.ts'
import type { Literal } from '../../../src/transcript/trast.ts'
import * as tree from '../../helpers/tree.ts'

/** Cuts a node with small limits, or with the given ones. */
async function cut<T extends Literal & { type: 'output' | 'text' }>(
  node: T,
  limits: LimitOptions = { output: { maxLength: 20, head: 8, tail: 4 }, literal: 10 },
): Promise<T> {
  const child = node.type === 'output' ? tree.command('x', [node as never]) : tree.user([node as never])
  await pageLimiter(limits).run(tree.session([tree.turn([child])]), new VFile())
  return node
}

describe('a literal', () => {
  it('stays as it is up to its limit', async () => {
    expect(await cut(tree.output('x'.repeat(20)))).not.toHaveProperty('omitted')
    expect(await cut(tree.text('x'.repeat(10)))).not.toHaveProperty('omitted')
  })

  it('keeps its head and, in an output, its tail', async () => {
    expect(await cut(tree.text('0123456789ab'))).toMatchObject({
      value: '0123456789',
      omitted: { bytes: 2, by: 'limit', at: 10 },
    })
    expect(await cut(tree.output('0123456789abcdefghijklmn'))).toMatchObject({
      value: '01234567klmn',
      omitted: { bytes: 12, by: 'limit', at: 8 },
    })
  })

  it('is cut at a line end if one is near', async () => {
    expect((await cut(tree.output('012345\n789abcdefghijk\nmno'))).value).toBe('012345\nmno')
  })

  it('is not cut inside a code point', async () => {
    const { value, omitted } = await cut(tree.text('012345678🚀end'))
    expect(value).toBe('012345678')
    expect(omitted?.bytes).toBe(7)
    expect((await cut(tree.output(`${'x'.repeat(20)}🚀abc`))).value).toBe('xxxxxxxxabc')
  })

  it('is not cut inside an escape sequence', async () => {
    expect((await cut(tree.text('0123456\u001B[31mred'))).value).toBe('0123456')
    expect((await cut(tree.output(`${'x'.repeat(18)}\u001B[38;5;208mok`))).value).toBe('xxxxxxxxok')
  })

  it('replaces the note that Codex cut it', async () => {
    const { omitted } = await cut(tree.text('0123456789ab', { omitted: { bytes: 0, by: 'codex' } }))
    expect(omitted).toEqual({ bytes: 2, by: 'limit', at: 10 })
  })

  test('is cut once, and what is left and the omitted bytes add up to the whole', async () => {
    const pieces = fc.array(
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 9 }),
        fc.constantFrom('\n', '🚀', '\u001B[31m', '\u001B]0;title\u0007', '\u001B'),
      ),
      { maxLength: 30 },
    )
    await fc.assert(
      fc.asyncProperty(pieces, async (parts) => {
        const whole = parts.join('')
        const node = await cut(tree.output(whole))
        const { value, omitted } = node
        if (omitted === undefined) expect(value).toBe(whole)
        else {
          const head = value.slice(0, omitted.at)
          const tail = value.slice(omitted.at)
          expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true)
          expect(Buffer.byteLength(whole) - Buffer.byteLength(value)).toBe(omitted.bytes)
          // A code point that was cut in two would become a replacement character.
          expect(Buffer.from(value).toString('utf8')).toBe(value)
        }
        expect(await cut(structuredClone(node))).toEqual(node)
      }),
    )
  })

  it('is at most 1 MiB in a tree and 16 KiB on a page', async () => {
    const long = 'x'.repeat(2_000_000)
    expect((await cut(tree.text(long), treeLimits)).value).toHaveLength(1_048_576)
    expect((await cut(tree.output(long), pageLimits)).value).toHaveLength(8192)
  })
})
