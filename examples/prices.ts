/**
 * A price table for `site.config.ts`:
 *
 *     import { defineConfig } from 'codex-export'
 *     import { prices } from './prices.ts'
 *
 *     export default defineConfig({ prices })
 *
 * It takes the place of the table that ships with the program. These are list prices of a million tokens in US dollars, as known
 * on the given day: compare them with your own bill before you trust a sum, and change the day when you change a price.
 */
export const prices = {
  date: '2025-11-01',
  currency: 'USD',
  models: {
    'gpt-5': { input: 1.25, cached: 0.125, output: 10 },
    'gpt-5-codex': { input: 1.25, cached: 0.125, output: 10 },
    'gpt-5-mini': { input: 0.25, cached: 0.025, output: 2 },
    'codex-mini-latest': { input: 1.5, cached: 0.375, output: 6 },
  },
}
