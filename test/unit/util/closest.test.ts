/** A suggestion is close in spelling to what was written, or there is none. */
import { expect, test } from 'vitest'
import { closest } from '../../../src/util/closest.ts'

const words = ['out', 'help', 'port', 'since', 'until', 'codex-home', 'time-zone', 'no-open']

test.each([
  ['otu', 'out'],
  ['output', undefined],
  ['outt', 'out'],
  ['ouput', 'out'],
  ['pout', 'out'],
  ['hepl', 'help'],
  ['sinse', 'since'],
  ['untill', 'until'],
  ['codexhome', 'codex-home'],
  ['timezones', 'time-zone'],
])('%j stands for %j', (written, word) => {
  expect(closest(written, words)).toBe(word)
})

test.each(['host', 'user', 'h', 'cite', 'outside'])('%j is close to no word', (written) => {
  expect(closest(written, ['out', 'help', 'since', 'until', 'open', 'json'])).toBeUndefined()
})
