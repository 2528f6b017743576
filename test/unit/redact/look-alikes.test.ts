import { expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'
import { lookAlikes } from '../../helpers/look-alikes.ts'

const texts = lookAlikes()

test('there are hundreds of look-alikes', () => {
  expect(texts.length).toBeGreaterThan(200)
})

test.each(texts)('nothing is found in %j', (text) => {
  expect(findSecrets(text).map(({ start, end, rule }) => `${rule}: ${text.slice(start, end)}`)).toEqual([])
})
