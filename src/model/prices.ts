/** Prices that a user gave. */

/** Price of a million tokens of one model. */
export interface ModelPrice {
  /** Input that was not read from the provider's cache. */
  input: number
  /** Input from the cache. */
  cached: number
  output: number
  /** Input that was written to the cache; without it such input costs as any other. */
  cacheWrite?: number
}

/** A dated price table. */
export interface PriceTable {
  /** Day on which the prices held, `YYYY-MM-DD`; shown with every cost. */
  date: string
  /** ISO 4217 code, for example `USD`. */
  currency: string
  /** By the model's name as the rollout has it. */
  models: Readonly<Record<string, ModelPrice>>
}
