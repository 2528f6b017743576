/** Which items of a list are shown, and in which order. */
import type { EditView } from '../app/prune.ts'

/** How the list is shown. */
export interface RowOrder {
  /** Oldest first, or largest first. */
  bySize: boolean
  /** Only items that have this text in them; all where it is empty. */
  filter: string
}

/** Positions of the items that are shown, from 0. */
export function rowsOf(view: EditView, { bySize, filter }: RowOrder): number[] {
  const words = filter.trim().toLowerCase()
  const rows = view.items.flatMap((item, at) => (words === '' || hasWords(view, item, words) ? [at] : []))
  const tokens = (at: number): number => view.items[at]?.tokens ?? 0
  return bySize ? rows.toSorted((a, b) => tokens(b) - tokens(a) || a - b) : rows
}

function hasWords(view: EditView, { index, category, preview }: EditView['items'][number], words: string): boolean {
  if (category.toLowerCase().includes(words) || preview.toLowerCase().includes(words)) return true
  return view.textOf(index).toLowerCase().includes(words)
}
