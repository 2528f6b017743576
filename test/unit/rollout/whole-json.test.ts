import { expect, test } from 'vitest'
import { type ByteSource, bufferSource } from '../../../src/rollout/read/source.ts'
import { readDocument } from '../../../src/rollout/read/value.ts'

const read = (text: string) => readDocument(bufferSource(Buffer.from(text)))

test('a document gives its session and items', () => {
  const document = { session: { id: 'x' }, items: [{ type: 'message' }] }
  expect(read(JSON.stringify(document, null, 2))).toMatchObject(document)
  expect(read(`\ufeff${JSON.stringify(document)}`)).toMatchObject(document)
})

test.each(['{"session":{}', '[]', 'null', '{"session":{}}', '{"items":[]}', '{"session":{},"items":{}}', 'words'])(
  'a document %s is damaged',
  (text) => {
    expect(read(text)).toEqual({ fault: 'damaged-line' })
  },
)

test.each(['', ' \n'])('a document %j is empty', (text) => {
  expect(read(text)).toEqual({ fault: 'empty-file' })
})

test('a document over 256 MiB is not read', () => {
  const huge: ByteSource = {
    size: 256 * 1024 * 1024 + 1,
    read() {
      throw new Error('nothing may be read')
    },
    close() {},
  }
  expect(readDocument(huge)).toEqual({ fault: 'oversized-document' })
})

test('a document with millions of objects is refused, because they take sixty times its size', () => {
  const text = `{"session":{"id":"x"},"items":[${'{},'.repeat(2_000_000)}{}]}`
  expect(read(text)).toEqual({ fault: 'oversized-document' })
})
