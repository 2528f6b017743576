import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decodeHead } from '../../../src/rollout/parse/head.ts'
import { readHead } from '../../../src/rollout/read/head-fs.ts'
import { VanishedFileError } from '../../../src/rollout/read/source.ts'
import { messageLine, metaLine, rolloutAt, threadId, writeRollout } from '../../helpers/rollout.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { zstdFrame } from '../../helpers/zstd.ts'

const id = threadId(1)
const options = {
  decodeHead,
  spoolDir: () => {
    throw new Error('no temporary file is needed')
  },
}

/** The head of a file that is written with this content. */
function headOf(content: string | Uint8Array, name = 'a.jsonl', facts: { nameId?: string } = {}) {
  const file = writeRollout(join(useTempDir(), name), content)
  return readHead({ ...file, ...facts }, options)
}

describe('readHead', () => {
  test('finds the header in the first line', async () => {
    const { head, diagnostics } = await headOf(`${metaLine({ id })}\n${messageLine('Hello')}\n`)
    expect(head).toMatchObject({ threadId: id, idFrom: 'meta', generation: 'G2', cwd: '/home/ada/engine' })
    expect(diagnostics).toEqual([])
  })

  test('finds a header in a single line without newline', async () => {
    expect((await headOf(metaLine({ id }))).head).toMatchObject({ threadId: id, idFrom: 'meta' })
  })

  test('reads a first line of some megabytes', async () => {
    const { head } = await headOf(`${metaLine({ id, base_instructions: { text: 'x'.repeat(3_000_000) } })}\n`)
    expect(head).toMatchObject({ threadId: id, idFrom: 'meta' })
  })

  test('finds the header after damaged lines', async () => {
    const { head, diagnostics } = await headOf(`{"timestamp":"2026\n\0\0\n${metaLine({ id })}\n`)
    expect(head).toMatchObject({ threadId: id, idFrom: 'meta' })
    expect(diagnostics).toEqual([])
  })

  test('takes the id from the name if there is no header, and says so', async () => {
    const { head, diagnostics } = await headOf(`${messageLine('Hello')}\n`, 'a.jsonl', { nameId: threadId(2) })
    expect(head).toMatchObject({ threadId: threadId(2), idFrom: 'name', startedAt: '2026-03-14T09:27:00.000Z' })
    expect(diagnostics.map(({ ruleId, file }) => [ruleId, file])).toEqual([['missing-head', 'a.jsonl']])
  })

  test('does not look for a header beyond 64 KiB', async () => {
    const { head } = await headOf(`${messageLine('x'.repeat(1000))}\n`.repeat(70) + metaLine({ id }))
    expect(head).toMatchObject({ threadId: 'a', idFrom: 'path' })
  })

  test.each(['', '\n', '\r\n\r\n', '   '])('calls a file of %j empty and gives no head', async (content) => {
    const { head, diagnostics } = await headOf(content)
    expect(head).toBeUndefined()
    expect(diagnostics.map(({ ruleId }) => ruleId)).toEqual(['empty-file'])
  })

  test('reads compressed files, even if they are cut off', async () => {
    const filler = Array.from({ length: 2000 }, (_, index) => messageLine(`Prompt ${index}`)).join('\n')
    const bytes = zstdFrame(`${metaLine({ id })}\n${filler}\n`, 4000)
    for (const content of [bytes, bytes.subarray(0, bytes.length / 2)]) {
      expect((await headOf(content, 'a.jsonl.zst')).head).toMatchObject({ threadId: id, idFrom: 'meta' })
    }
  })

  test('reads a long first line of a compressed file', async () => {
    const text = `${metaLine({ id, base_instructions: { text: 'x'.repeat(300_000) } })}\n`
    expect((await headOf(zstdFrame(text), 'a.jsonl.zst')).head).toMatchObject({ threadId: id, idFrom: 'meta' })
  })

  test('reads UTF-16 files', async () => {
    const { head } = await headOf(Buffer.from(`\ufeff${metaLine({ id })}\r\n`, 'utf16le'))
    expect(head).toMatchObject({ threadId: id, idFrom: 'meta' })
  })

  test('reads session documents', async () => {
    const session = { timestamp: '2025-05-01T08:00:00.000Z', id, instructions: '' }
    const { head, diagnostics } = await headOf(JSON.stringify({ session, items: [] }, null, 2), 'rollout-x.json')
    expect(head).toEqual({ generation: 'G0', threadId: id, idFrom: 'meta', startedAt: session.timestamp })
    expect(diagnostics).toEqual([])
  })

  test('identifies a damaged session document by its file name', async () => {
    const damaged = await headOf('{"session":', 'rollout-x.json')
    expect(damaged.head).toMatchObject({ threadId: 'rollout-x', idFrom: 'path' })
    expect(damaged.diagnostics.map(({ ruleId }) => ruleId)).toEqual(['missing-head'])
    const empty = await headOf('', 'rollout-x.json')
    expect(empty.head).toBeUndefined()
    expect(empty.diagnostics.map(({ ruleId }) => ruleId)).toEqual(['empty-file'])
  })

  test('throws if the file does not exist', async () => {
    await expect(readHead(rolloutAt(join(useTempDir(), 'gone.jsonl')), options)).rejects.toThrow(VanishedFileError)
  })
})
