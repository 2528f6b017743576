/** Stretches on an axis, and merging them until few are left. */

/** A stretch from one point to another, with `to >= from`, that stands for `count` things. */
export interface Span {
  from: number
  to: number
  count: number
}

/**
 * Spans sorted by start and merged until at most `limit` are left: the narrowest gaps are closed first, the earliest of equal
 * ones. A merged span keeps the other fields of its first part.
 */
export function mergeSpans<S extends Span>(spans: readonly S[], limit: number): S[] {
  const sorted = [...spans].sort((left, right) => left.from - right.from)
  const surplus = sorted.length - Math.max(1, limit)
  if (surplus <= 0) return sorted
  const widths = gapsOf(sorted)
  const narrowest = widths.map((_, index) => index).sort((a, b) => (widths[a] ?? 0) - (widths[b] ?? 0) || a - b)
  const closed = new Set(narrowest.slice(0, surplus))
  const merged: S[] = []
  for (const [index, span] of sorted.entries()) {
    const last = merged.at(-1)
    if (last === undefined || !closed.has(index - 1)) merged.push(span)
    else merged[merged.length - 1] = { ...last, to: Math.max(last.to, span.to), count: last.count + span.count }
  }
  return merged
}

/** The gap after each span but the last, up to the start of the next one; negative if they overlap. */
function gapsOf(sorted: readonly Span[]): number[] {
  let end = Number.NEGATIVE_INFINITY
  return sorted.slice(1).map(({ from }, index) => {
    end = Math.max(end, sorted[index]?.to ?? end)
    return from - end
  })
}

/** A growing list of spans that never holds more than twice its limit. */
export interface SpanList<S extends Span> {
  add: (span: S) => void
  /** Sorted by start, at most `limit` of them. */
  spans: () => S[]
}

/** An empty list for `limit` spans. */
export function spanList<S extends Span>(limit: number): SpanList<S> {
  let held: S[] = []
  return {
    add(span) {
      held.push(span)
      if (held.length > 2 * limit) held = mergeSpans(held, limit)
    },
    spans: () => mergeSpans(held, limit),
  }
}
