import { expect, test } from 'vitest'
import { readDocument } from '../../../src/rollout/read/document.ts'
import { type ByteSource, bufferSource } from '../../../src/rollout/read/source.ts'

const read = (text: string) => readDocument(bufferSource(Buffer.from(text)))

test('gives session and items of a document', () => {
  const document = { session: { id: 'x' }, items: [{ type: 'message' }] }
  expect(read(JSON.stringify(document, null, 2))).toMatchObject(document)
  expect(read(`\ufeff${JSON.stringify(document)}`)).toMatchObject(document)
})

test.each(['{"session":{}', '[]', 'null', '{"session":{}}', '{"items":[]}', '{"session":{},"items":{}}', 'words'])(
  'calls %s damaged',
  (text) => {
    expect(read(text)).toEqual({ fault: 'damaged-line' })
  },
)

test.each(['', ' \n'])('calls %j empty', (text) => {
  expect(read(text)).toEqual({ fault: 'empty-file' })
})

test('does not read a document over 256 MiB', () => {
  const huge: ByteSource = {
    size: 256 * 1024 * 1024 + 1,
    read() {
      throw new Error('nothing may be read')
    },
    close() {},
  }
  expect(readDocument(huge)).toEqual({ fault: 'oversized-document' })
})

test('does not build millions of objects, which take sixty times their text', () => {
  const text = `{"session":{"id":"x"},"items":[${'{},'.repeat(2_000_000)}{}]}`
  expect(read(text)).toEqual({ fault: 'oversized-document' })
})
