import { describe, expect, it } from 'vitest'
import type { PriceTable } from '../../../src/config/prices.ts'
import { costText } from '../../../src/render/pages/totals.ts'
import { costOf, sumCosts } from '../../../src/transcript/cost.ts'

const prices: PriceTable = {
  date: '2026-11-01',
  currency: 'EUR',
  models: {
    'm-1': { input: 2, cached: 0.5, output: 10 },
    'm-2': { input: 2, cached: 0.5, output: 10, cacheWrite: 4 },
    free: { input: 0, cached: 0, output: 0 },
  },
}
const used = (input: number, cached: number, output: number, rest = {}) => ({
  ...{ input, cached, output, reasoning: 0, ...rest },
  total: input + output,
})
const million = 1_000_000

describe('the cost of tokens', () => {
  it.each([
    ['fresh input', { 'm-1': used(million, 0, 0) }, 2],
    ['cached input, which input includes', { 'm-1': used(million, million, 0) }, 0.5],
    ['a mix', { 'm-1': used(3 * million, million, million) }, 14.5],
    ['cache writes at the price of input', { 'm-1': used(million, 0, 0, { cacheWrite: million }) }, 2],
    ['cache writes at a price of their own', { 'm-2': used(2 * million, 500_000, 0, { cacheWrite: million }) }, 5.25],
    ['more cached than there was input', { 'm-1': used(1, million, 0) }, 0.5],
    ['several models', { 'm-1': used(million, 0, 0), 'm-2': used(0, 0, million) }, 12],
    ['a model without charge', { free: used(million, 0, million) }, 0],
    ['reasoning, which output includes', { 'm-1': used(0, 0, million, { reasoning: million }) }, 10],
  ])('is right for %s', (_, usage, amount) => {
    const cost = costOf(usage, prices)
    expect(cost?.amount).toBeCloseTo(amount, 10)
    expect(cost).toMatchObject({ currency: 'EUR', date: '2026-11-01', unpriced: 0 })
  })

  it('is unknown, not zero, for a model without a price', () => {
    expect(costOf({ other: used(10, 0, 5) }, prices)).toEqual({ currency: 'EUR', date: '2026-11-01', unpriced: 15 })
    expect(costOf({ other: used(10, 0, 5), free: used(1, 0, 1) }, prices)).toMatchObject({ amount: 0, unpriced: 15 })
  })

  it.each(['constructor', '__proto__', 'M-1', 'm-1 '])('finds no price for the model %j', (model) => {
    expect(costOf(Object.fromEntries([[model, used(10, 0, 5)]]), prices)).toMatchObject({ unpriced: 15 })
  })

  it('is undefined if the configuration turned prices off', () => {
    expect(costOf({ 'm-1': used(10, 0, 5) }, { ...prices, models: {} })).toBeUndefined()
  })

  it('is undefined without tokens', () => {
    expect(costOf({}, prices)).toBeUndefined()
    expect(costOf({ 'm-1': used(0, 0, 0) }, prices)).toBeUndefined()
  })
})

describe('costs of several sessions', () => {
  const cost = { currency: 'EUR', date: '2026-11-01', unpriced: 0 }

  it('are added up, including the tokens without a price', () => {
    expect(
      sumCosts([
        { ...cost, amount: 1.5 },
        { ...cost, unpriced: 7 },
        { ...cost, amount: 2, unpriced: 1 },
      ]),
    ).toEqual({
      ...cost,
      amount: 3.5,
      unpriced: 8,
    })
  })

  it('have no amount if none has one, and are undefined if there are none', () => {
    expect(sumCosts([{ ...cost, unpriced: 7 }])).toEqual({ ...cost, unpriced: 7 })
    expect(sumCosts([])).toBeUndefined()
  })
})

describe('a cost as text', () => {
  it.each([
    [0, '0.00 EUR at prices of 2026-11-01'],
    [0.00001, 'less than 0.0001 EUR at prices of 2026-11-01'],
    [0.01234, '0.0123 EUR at prices of 2026-11-01'],
    [0.9949, '0.9949 EUR at prices of 2026-11-01'],
    [0.9999, '1.00 EUR at prices of 2026-11-01'],
    [12.345, '12.35 EUR at prices of 2026-11-01'],
    [1234567.891, '1,234,567.89 EUR at prices of 2026-11-01'],
  ])('of %d gives the date of the prices', (amount, text) => {
    expect(costText({ amount, currency: 'EUR', date: '2026-11-01', unpriced: 0 })).toBe(text)
  })

  it('says how many tokens have no price', () => {
    const cost = { currency: 'EUR', date: '2026-11-01', unpriced: 1234 }
    expect(costText(cost)).toBe('')
    expect(costText({ ...cost, amount: 2 })).toBe('2.00 EUR at prices of 2026-11-01, no price known for 1.2k tokens')
  })
})
