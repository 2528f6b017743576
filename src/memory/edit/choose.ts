/** From selections as people type them to items of a memory. */
import { type Place, parseSelection, type Selection, selects } from '../../model/selection.ts'
import { itemAnchor } from '../../model/urls.ts'
import type { History, HistoryItem } from '../history.ts'
import { ascending } from './mask.ts'

/** Items that selections name, ascending, and what is to be said about the selections. */
export interface Choice {
  indices: number[]
  notes: string[]
}

/** A selection with the words that were typed for it. */
export interface TypedSelection {
  text: string
  selection: Selection
}

/**
 * Reads selections, several of them in one text with commas between: `3,7-12`, `turn:4`, `category:reasoning`, `l120`.
 * The first text that is none comes back as `fault`.
 */
export function readSelections(texts: readonly string[]): { selections: TypedSelection[] } | { fault: string } {
  const selections: TypedSelection[] = []
  for (const text of texts.flatMap((list) => list.split(',')).map((part) => part.trim())) {
    if (text === '') continue
    const selection = parseSelection(text)
    if (selection === undefined) return { fault: text }
    selections.push({ text, selection })
  }
  return { selections }
}

/** The items that any of the selections names. One that names none is told, a run that goes on behind the end too. */
export function chooseItems(history: History, selections: readonly TypedSelection[]): Choice {
  const { items } = history
  const chosen = new Set<number>()
  const notes: string[] = []
  for (const { text, selection } of selections) {
    const found = items.filter((item) => selectsItem(selection, item, history))
    for (const { index } of found) chosen.add(index)
    if (found.length === 0) notes.push(`\`${text}\` names no item; ${endOf(items.length)}.`)
    else if (selection.by === 'item' && selection.to > items.length)
      notes.push(`\`${text}\` goes on behind the end; ${endOf(items.length)}.`)
  }
  return { indices: ascending(chosen), notes }
}

function endOf(count: number): string {
  return count === 0 ? 'the memory is empty' : `the last item is ${count}`
}

/** An item that was made of several records counts as standing at each of them. */
function selectsItem(selection: Selection, { index, turn, category, sources }: HistoryItem, history: History): boolean {
  const place: Place = { item: index, category, ...(turn !== undefined && { turn }) }
  if (selection.by !== 'line') return selects(selection, place)
  return sources.some(({ line, segment }) => selects(selection, { ...place, line, ...segmentPlace(history, segment) }))
}

/** Later segments have eight digits of their rollout id before the line, as anchors of pages do. */
function segmentPlace({ segments }: History, index: number): Pick<Place, 'segment'> {
  const segment = segments[index]
  if (segment === undefined || segment.rolloutId === segment.threadId) return {}
  return { segment: itemAnchor(0, segment.rolloutId).slice(0, 8) }
}
