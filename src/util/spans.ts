/** Stretches on an axis, and how many of them become few. */

/** From one point to another, `to >= from`, standing for `count` things. */
export interface Span {
  from: number
  to: number
  count: number
}

/**
 * Spans by their start, at most `limit` of them: the narrowest gaps close first. A merged span keeps the other fields
 * of its first part. Takes time linear in the number of spans but for the sort.
 */
export function mergeSpans<S extends Span>(spans: readonly S[], limit: number): S[] {
  let merged = [...spans].sort((left, right) => left.from - right.from)
  const first = merged[0]?.from ?? 0
  const extent = merged.reduce((end, { to }) => Math.max(end, to), first) - first
  // Once the reach is the whole extent, one span is left.
  for (let reach = extent / 4096; merged.length > Math.max(1, limit); reach *= 2) merged = closed(merged, reach)
  return merged
}

function closed<S extends Span>(spans: readonly S[], reach: number): S[] {
  const merged: S[] = []
  for (const span of spans) {
    const last = merged.at(-1)
    if (last === undefined || span.from - last.to > reach) merged.push(span)
    else {
      const whole = { ...last, to: Math.max(last.to, span.to), count: last.count + span.count }
      merged[merged.length - 1] = whole
    }
  }
  return merged
}

/** A growing list of spans that never holds more than twice its limit. */
export interface SpanList<S extends Span> {
  add: (span: S) => void
  /** Sorted by start, at most the limit. */
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
