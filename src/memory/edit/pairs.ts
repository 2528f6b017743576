/** A call and its output stay together: the model's side refuses a request that has only one of them. */
import type { HistoryItem } from '../history.ts'

/** Chosen items, and those that go along because they are the other half of one. Indices ascending, each once. */
export interface PairedChoice {
  indices: number[]
  along: number[]
}

/** Completes a choice by the other halves of its pairs. Indices that no item has are left out. */
export function withPairs(items: readonly HistoryItem[], chosen: Iterable<number>): PairedChoice {
  const wanted = new Set(chosen)
  const indices: number[] = []
  const along: number[] = []
  for (const { index, pair } of items) {
    const isChosen = wanted.has(index)
    if (!isChosen && (pair === undefined || !wanted.has(pair))) continue
    indices.push(index)
    if (!isChosen) along.push(index)
  }
  return { indices, along }
}
