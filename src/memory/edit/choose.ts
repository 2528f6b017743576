/** From selectors to items of a memory. */
import { UsageError } from '../../diagnostics/errors.ts'
import { type Place, selects } from '../../model/selection.ts'
import { itemAnchor } from '../../model/urls.ts'
import type { History, HistoryItem } from '../history.ts'
import { toolNames } from '../tool-name.ts'
import { ascending } from './mask.ts'
import type { Selector, Term } from './selector.ts'
import { isOlder } from './turns.ts'

/** Items that selectors name, ascending, and what is to be said about the selectors. */
export interface Choice {
  indices: number[]
  notes: string[]
}

/** Whether an item fits a term, by index. */
type Fits = (item: HistoryItem) => boolean

/**
 * The items that any of the selectors names. One that names none is told, a run that goes on behind the end too. Throws
 * `UsageError` for a tool that no item is of.
 */
export function chooseItems(history: History, selectors: readonly Selector[]): Choice {
  const { items } = history
  const chosen = new Set<number>()
  const notes: string[] = []
  for (const { text, terms } of selectors) {
    const tests = terms.map((term) => fitsTerm(term, history))
    const found = items.filter((item) => tests.every((fits) => fits(item)))
    for (const { index } of found) chosen.add(index)
    if (found.length === 0) notes.push(`\`${text}\` names no item; ${endOf(items.length)}.`)
    else if (terms.some((term) => goesOn(term, items.length)))
      notes.push(`\`${text}\` goes on behind the end; ${endOf(items.length)}.`)
  }
  return { indices: ascending(chosen), notes }
}

function endOf(count: number): string {
  return count === 0 ? 'the memory is empty' : `the last item is ${count}`
}

function goesOn(term: Term, count: number): boolean {
  return term.by === 'place' && term.selection.by === 'item' && term.selection.to > count
}

function fitsTerm(term: Term, history: History): Fits {
  switch (term.by) {
    case 'place':
      return (item) => isAt(term.selection, item, history)
    case 'category':
      return ({ category }) => category === term.category
    case 'tokens':
      return ({ tokens }) => tokens >= term.from && tokens <= term.to
    case 'tool':
      return fitsTool(term.name, history)
    case 'older':
    case 'before':
      return isOlder(history.items, term)
  }
}

function fitsTool(name: string, { items }: History): Fits {
  const names = toolNames(items)
  const pattern = new RegExp(`^(?:.*\\.)?${name.split('*').map(escaped).join('.*')}$`, 'i')
  const known = [...new Set(names.values())]
  if (known.some((tool) => pattern.test(tool))) {
    const chosen = new Set([...names].flatMap(([index, tool]) => (pattern.test(tool) ? [index] : [])))
    return ({ index }) => chosen.has(index)
  }
  const there = known.length === 0 ? 'it holds no call of a tool' : `there are ${known.toSorted().join(', ')}`
  throw new UsageError(`No item of the memory is of a tool \`${name}\`; ${there}.`)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** An item that was made of several records counts as standing at each of them. */
function isAt(
  selection: Extract<Term, { by: 'place' }>['selection'],
  { index, turn, category, sources }: HistoryItem,
  history: History,
): boolean {
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
