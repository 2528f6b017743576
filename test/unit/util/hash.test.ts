import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256 } from '../../../src/util/hash.ts'

test('a text has the hash of its UTF-8, however long it is and wherever its wide characters are', () => {
  for (const length of [0, 5, 65_535, 65_536, 65_537, 200_000]) {
    for (const text of [
      'a'.repeat(length),
      `${'a'.repeat(length % 3)}${'😀'.repeat(length)}`,
      '\ud83d'.repeat(length),
    ]) {
      const expected = createHash('sha256').update(Buffer.from(text)).digest('hex')
      expect(sha256(text)).toBe(expected)
      expect(sha256(Buffer.from(text))).toBe(expected)
    }
  }
})
