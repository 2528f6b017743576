import { expect, test } from 'vitest'
import { templatesFolder } from '../../../src/config/package-fs.ts'

const { readState } = await import(`${templatesFolder}assets/search/state.js`)

const asked = (query: string) => readState(`https://example.org/search/index.html?${query}`).filters

test.each([
  ['2026-02', '2026-02-28'],
  ['2028-02', '2028-02-29'],
  ['2026-04', '2026-04-30'],
  ['2026-12', '2026-12-31'],
])('the month %s of an old address ends on a day that a date field accepts: %s', (month, last) => {
  expect(asked(`month=${month}`)).toEqual({ from: [`${month}-01`], to: [last] })
})

test.each(['2026-00', '2026-13', '2026-2', 'May'])('%s is not a month', (month) => {
  expect(asked(`month=${month}`)).toEqual({})
})
