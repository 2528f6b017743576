/** Small changes of a text by position. */

import type { Node } from 'unist'

/** Replaces the UTF-16 units from `start` to `end` (exclusive) by `text`; equal places insert. */
export interface Splice {
  start: number
  end: number
  text: string
}

/** Makes the changes. Of two that overlap the earlier one counts; insertions at one place keep their order. */
export function applySplices(value: string, splices: readonly Splice[]): string {
  const ordered = [...splices].sort((a, b) => a.start - b.start || a.end - b.end)
  const parts: string[] = []
  let from = 0
  for (const { start, end, text } of ordered) {
    if (start < from) continue
    parts.push(value.slice(from, start), text)
    from = end
  }
  parts.push(value.slice(from))
  return parts.join('')
}

/** Where a node stands in its text, or `undefined` for a node that the parser made up. */
export function rangeOf(node: Node): { start: number; end: number } | undefined {
  const start = node.position?.start.offset
  const end = node.position?.end.offset
  return start === undefined || end === undefined ? undefined : { start, end }
}

/** What lines after the first of a block at `start` begin with: its quotes, and spaces for its list markers. */
export function linePrefix(value: string, start: number): string {
  return value.slice(value.lastIndexOf('\n', start - 1) + 1, start).replace(/[^>\t ]/g, ' ')
}
