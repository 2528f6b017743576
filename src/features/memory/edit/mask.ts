/** Which items of a memory the next request leaves out: plain data over indices, changed by pure functions. */

/**
 * Indices (from 1) that are left out. The empty mask lets everything through, and any mask lets through what came
 * after it was made.
 */
export type Mask = ReadonlySet<number>

/** Lets everything through. */
export const openMask: Mask = new Set()

/** The mask that leaves these out too. */
export function exclude(mask: Mask, indices: Iterable<number>): Mask {
  return new Set([...mask, ...indices])
}

/** The mask that lets these through again. */
export function include(mask: Mask, indices: Iterable<number>): Mask {
  const included = new Set(indices)
  return new Set([...mask].filter((index) => !included.has(index)))
}

/** The same mask for the list from which these items were taken: what stood behind one of them moves up by one. */
export function shiftDeleted(mask: Mask, indices: Iterable<number>): Mask {
  const deleted = ascending(new Set(indices))
  const shifted = new Set<number>()
  let below = 0
  for (const index of ascending(mask)) {
    while ((deleted[below] ?? Number.POSITIVE_INFINITY) < index) below++
    if (deleted[below] !== index) shifted.add(index - below)
  }
  return shifted
}

/** Indices in order, smallest first. */
export function ascending(indices: Iterable<number>): number[] {
  return [...indices].sort((a, b) => a - b)
}
