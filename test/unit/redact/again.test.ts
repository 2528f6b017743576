/** What is found in a text depends on that text alone, not on what was searched before. */
import { expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'
import { planted } from '../../helpers/planted.ts'

const writings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => btoa(`A=b\n${text}\nC=d\n`),
  (text) => (btoa(`${'a line of a file\n'.repeat(9)}${text}\n`).match(/.{1,76}/g) ?? []).join('\n'),
  (text) => btoa(btoa(`password=${text}`)),
  (text) => Buffer.from(`token=${text}`).toString('hex'),
  (text) => `[${Array.from(text, (character) => character.charCodeAt(0)).join(', ')}]`,
  (text) => JSON.stringify({ tokens: { ci: text, cd: [text] } }),
  (text) => `'${text.slice(0, 12)}' + '${text.slice(12)}'`,
]
const texts = planted().flatMap(({ text }) => writings.map((write) => write(text)))
const foundIn = (text: string): string[] => findSecrets(text).map(({ start, end, rule }) => `${start} ${end} ${rule}`)
const first = texts.map(foundIn)

test('the same text searched twice in a row gives the same findings', () => {
  for (const text of texts) expect(foundIn(text)).toEqual(foundIn(text))
})

test('all texts searched in another order give the same findings', () => {
  expect(texts.map(foundIn).toReversed()).toEqual(first.toReversed())
  expect(texts.toReversed().map(foundIn)).toEqual(first.toReversed())
})

test('a text that contains an encoded secret twice gives a finding for each', () => {
  for (const { text } of planted()) {
    const encoded = btoa(`A=b\nDB_PASSWORD=k7Gh2mQp9sLx4wZt\n${text}\n`)
    const found = foundIn(`first ${encoded} then ${encoded} at last`)
    const [one, other] = [6, 6 + encoded.length + 6]
    expect(found.map((finding) => finding.split(' ').slice(0, 2).map(Number))).toEqual([
      [one, one + encoded.length],
      [other, other + encoded.length],
    ])
  }
})
