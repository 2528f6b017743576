/** Parts of a session as people name them: for what is published, and for what the model remembers. */

import { defined } from '../util/own.ts'

/** A range of turns, items or lines, with both ends included and counted from 1; or everything in one category. */
export type Selection =
  | { by: 'turn' | 'item'; from: number; to: number }
  | { by: 'line'; from: number; to: number; segment?: string }
  | { by: 'category'; category: string }

/** What is known about the position of something; a selection that needs more does not match. */
export interface SelectionTarget {
  /** Number of the turn in its thread, from 1. */
  turn?: number
  /** Index of the item in the model's memory, from 1. */
  item?: number
  /** Physical line of its first record. */
  line?: number
  /** First 8 digits of the rollout id, in later segments of a thread. */
  segment?: string
  category?: string
}

const forms: readonly [RegExp, (parts: Record<string, string | undefined>) => Selection][] = [
  [
    /^(?<by>turn|item):(?<from>\d+)(?:-(?<to>\d+))?$/,
    ({ by, ...ends }) => ({ by: by === 'turn' ? 'turn' : 'item', ...run(ends) }),
  ],
  [/^(?<from>\d+)(?:-(?<to>\d+))?$/, (ends) => ({ by: 'item', ...run(ends) })],
  [/^l(?<from>\d+)(?:-l(?<to>\d+))?$/, (ends) => ({ by: 'line', ...run(ends) })],
  [
    /^(?<segment>[\da-f]{8})-l(?<from>\d+)(?:-(?:\k<segment>-)?l(?<to>\d+))?$/,
    ({ segment, ...ends }) => ({ by: 'line', ...run(ends), ...defined({ segment }) }),
  ],
  [/^category:(?<category>[A-Za-z]+)$/, ({ category = '' }) => ({ by: 'category', category })],
]

/**
 * Reads one selection: `turn:3`, `turn:3-5`, `item:7`, `7`, `7-12`, `l120`, `l120-l188` (anchors of the page, which in later
 * segments begin with eight digits), `category:reasoning`. `undefined` for anything else, for a range that runs backwards, and for
 * one that ends in another segment than it begins in.
 */
export function parseSelection(text: string): Selection | undefined {
  for (const [pattern, make] of forms) {
    const parts = pattern.exec(text.trim())?.groups
    if (parts === undefined) continue
    const selection = make(parts)
    return selection.by !== 'category' && selection.from > selection.to ? undefined : selection
  }
  return undefined
}

function run({ from = '', to = from }: Record<string, string | undefined>): { from: number; to: number } {
  return { from: Number(from), to: Number(to) }
}

/** A selection as people write it. */
export function formatSelection(selection: Selection): string {
  if (selection.by === 'category') return `category:${selection.category}`
  const { by, from, to } = selection
  const before = by === 'line' && selection.segment !== undefined ? `${selection.segment}-` : ''
  const [first, last] = by === 'line' ? [`${before}l${from}`, `${before}l${to}`] : [`${by}:${from}`, String(to)]
  return from === to ? first : `${first}-${last}`
}

/** Whether a selection includes what is at a position. */
export function selects(selection: Selection, target: SelectionTarget): boolean {
  if (selection.by === 'category') return target.category === selection.category
  const number = target[selection.by]
  if (number === undefined || number < selection.from || number > selection.to) return false
  return selection.by !== 'line' || selection.segment === target.segment
}
