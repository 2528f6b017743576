/** Looks for values that another scanner named, so that a finding gets its line, its anchor and its words. */

/** A value and the rule by which it was found. */
export interface NamedValue {
  rule: string
  value: string
}

/** A search for some values. */
export interface ValueSearch {
  find(text: string): { start: number; end: number; rule: string }[]
  /** Values that no text held as they are: a scanner may have decoded them. */
  unseen(): NamedValue[]
}

/** A search for values, the same one only once. */
export function valueSearch(values: readonly NamedValue[]): ValueSearch {
  const byValue = new Map(values.map((named) => [named.value, named]))
  const seen = new Set<string>()
  return {
    find(text) {
      return [...byValue.values()].flatMap(({ value, rule }) => {
        const found: { start: number; end: number; rule: string }[] = []
        for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
          found.push({ start: at, end: at + value.length, rule })
        }
        if (found.length > 0) seen.add(value)
        return found
      })
    },
    unseen: () => [...byValue.values()].filter(({ value }) => !seen.has(value)),
  }
}
