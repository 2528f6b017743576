import { expect, test } from 'vitest'
import { prices as example } from '../../../examples/prices.ts'
import { listPrices, pricesFrom } from '../../../src/config/prices.ts'

const price = { input: 2, cached: 0.5, output: 10 }
const table = { date: '2026-11-01', currency: 'USD', models: { 'm-1': price, 'm-2': { ...price, cacheWrite: 0 } } }

test('a price table is accepted unchanged', () => {
  expect(pricesFrom(table)).toEqual(table)
})

test('the example is a price table', () => {
  expect(pricesFrom(example)).toEqual(example)
})

test.each([
  ['no object', 'cheap'],
  ['nothing', null],
  ['a list', [table]],
  ['no day', { ...table, date: undefined }],
  ['a day that does not exist', { ...table, date: '2026-02-30' }],
  ['an instant', { ...table, date: '2026-11-01T00:00:00Z' }],
  ['a symbol for a currency', { ...table, currency: '$' }],
  ['no models', { ...table, models: {} }],
  ['models in a list', { ...table, models: [price] }],
  ['an unknown key', { ...table, discount: 1 }],
  ['a price without output', { ...table, models: { 'm-1': { input: 1, cached: 1 } } }],
  ['a price below zero', { ...table, models: { 'm-1': { ...price, input: -1 } } }],
  ['an infinite price', { ...table, models: { 'm-1': { ...price, output: Number.POSITIVE_INFINITY } } }],
  ['a price in words', { ...table, models: { 'm-1': { ...price, cached: '1' } } }],
  ['a price with an unknown key', { ...table, models: { 'm-1': { ...price, batch: 1 } } }],
  ['one bad price among good ones', { ...table, models: { 'm-1': price, 'm-2': 3 } }],
])('%s is no price table', (_, value) => {
  expect(pricesFrom(value)).toBeUndefined()
})

test('the table in the package is a price table, and each of its prices has a source and a day', () => {
  expect(pricesFrom(listPrices)).toEqual(listPrices)
  for (const [model, price] of Object.entries(listPrices.models)) {
    expect(price.source, model).toMatch(/^https:/)
    expect(price.date, model).toMatch(/^2026-/)
  }
})

test('prices are turned off by `false`', () => {
  expect(pricesFrom(false)?.models).toEqual({})
  expect(pricesFrom(true)).toBeUndefined()
})

test.each([{ source: 'http://a.example' }, { source: 7 }, { date: '2026-13-01' }, { from: 'x' }])(
  'a price with %j is rejected',
  (fields) => {
    const price = { input: 1, cached: 1, output: 1, ...fields }
    expect(pricesFrom({ date: '2026-01-01', currency: 'USD', models: { a: price } })).toBeUndefined()
  },
)
