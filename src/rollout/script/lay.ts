/**
 * Which print of a script each text is of that came. Prints come in order; one in a branch may not come, and behind a place
 * where the script may have ended, none may. Of all ways to lay the prints over the texts those count in which the script's
 * own words make up most; where these ways disagree about a text, nothing tells what it is of.
 */

import type { Emission, ScriptCall } from './machine.ts'
import { type Fact, type Match, match } from './match.ts'
import { execResult, isResult } from './results.ts'
import { isKind } from './value.ts'

/** A text and what it tells. */
export interface Laid {
  matched: Match
  /** The print that it is of; none where several would tell the same. */
  emission: Emission | undefined
}

/** What a script prints and what came of it. */
export interface Prints {
  texts: readonly Emission[]
  calls: readonly ScriptCall[]
  parts: readonly string[]
  /** The script ran to its end, so that nothing can be missing. */
  ended: boolean
}

/** Pairs of a print and a text that are tried, and UTF-16 units that are read for them. */
const maxPairs = 20_000
const maxRead = 33_554_432

/** For each text what it is of: `undefined` where nothing tells. */
export function layOver(given: Prints): (Laid | undefined)[] {
  const repeated = given.texts.findIndex((emission) => emission.repeated)
  const prints = repeated < 0 ? given : { ...given, texts: given.texts.slice(0, repeated) }
  const rows = reach(prints, repeated >= 0)
  const first = rows[0]?.get(0)
  if (first === undefined) return []
  const ends = [...rows].reverse().flatMap((row) => goBack(row, rows, prints, repeated >= 0))
  if (first.behind === Number.NEGATIVE_INFINITY) return []
  const best = (cell: Cell, behind: number): boolean => cell.before + behind === first.behind
  // Behind the end of a way, texts are of prints in loops whose rounds are not known.
  const laid = Math.min(...ends.filter((cell) => best(cell, 0)).map(({ part }) => part), prints.parts.length)
  return prints.parts.map((_text, part) => (part < laid ? agreed(waysOf(part, rows, best, prints)) : undefined))
}

/** A place on the way: so many prints and texts are behind it. */
interface Cell {
  print: number
  part: number
  /** Most evidence of all ways that lead here. */
  before: number
  /** What the next text tells if the next print is laid over it, and how much that counts. */
  matched: Match | undefined
  weight: number
  /** Most evidence of all ways on from here; `-Infinity` where none leads to an end. */
  behind: number
}

type Row = Map<number, Cell>

/** All places that a way from the beginning comes to, by print, then by text; none where these are too many. */
function reach(prints: Prints, isOpen: boolean): Row[] {
  const { texts, parts } = prints
  const rows: Row[] = [new Map([[0, cellAt(0, 0, 0)]])]
  let [pairs, read] = [0, 0]
  for (const [print, emission] of texts.entries()) {
    // More texts than prints are of something that was not seen.
    const min = isOpen ? 0 : parts.length - texts.length + print
    const cells = [...(rows[print]?.values() ?? [])].filter(({ part }) => part >= min)
    pairs += cells.length
    for (const { part } of cells) read += parts[part]?.length ?? 0
    if (pairs > maxPairs || read > maxRead) return []
    rows.push(rowBehind(cells, emission, prints))
  }
  return rows
}

/** The places that are reached by laying the next print, or by passing over it. */
function rowBehind(cells: readonly Cell[], emission: Emission, prints: Prints): Row {
  const next: Row = new Map()
  for (const cell of cells) {
    lay(cell, emission, prints)
    if (cell.matched !== undefined) goTo(next, cell.print + 1, cell.part + 1, cell.before + cell.weight)
    if (mayBeSkipped(emission)) goTo(next, cell.print + 1, cell.part, cell.before)
  }
  return next
}

function lay(cell: Cell, emission: Emission, prints: Prints): void {
  const text = prints.parts[cell.part]
  if (text === undefined) return
  cell.matched = match(emission.value, text, emission.code)
  cell.weight = (cell.matched?.evidence ?? 0) - Number(isUnlikely(emission, text, prints))
}

function cellAt(print: number, part: number, before: number): Cell {
  return { print, part, before, matched: undefined, weight: 0, behind: Number.NEGATIVE_INFINITY }
}

function goTo(row: Row, print: number, part: number, before: number): void {
  const cell = row.get(part)
  if (cell === undefined) row.set(part, cellAt(print, part, before))
  else cell.before = Math.max(cell.before, before)
}

/** `exec_command` gives an object: printed as it is, that is JSON. */
function isUnlikely({ value }: Emission, text: string, { calls }: Prints): boolean {
  const result = isKind(value, 'unknown') ? value.result : undefined
  return result?.field === 'whole' && calls[result.call]?.tool === 'exec_command' && !isResult(text)
}

function mayBeSkipped({ path }: Emission): boolean {
  return path.length > 0
}

/** Finds what is behind each place of a row, once that of the next row is known. Gives the places where a way may end. */
function goBack(row: Row, rows: readonly Row[], prints: Prints, isOpen: boolean): Cell[] {
  const ends: Cell[] = []
  for (const cell of row.values()) {
    const emission = prints.texts[cell.print]
    const next = rows[cell.print + 1]
    if (mayEnd(cell, emission, prints, isOpen)) {
      cell.behind = 0
      ends.push(cell)
    }
    if (emission === undefined) continue
    if (cell.matched !== undefined)
      cell.behind = Math.max(cell.behind, cell.weight + (next?.get(cell.part + 1)?.behind ?? Number.NEGATIVE_INFINITY))
    if (mayBeSkipped(emission))
      cell.behind = Math.max(cell.behind, next?.get(cell.part)?.behind ?? Number.NEGATIVE_INFINITY)
  }
  return ends
}

/** Whether a script may have ended where the next print is `emission`. */
function mayEnd({ part }: Cell, emission: Emission | undefined, { parts, ended }: Prints, isOpen: boolean): boolean {
  if (emission === undefined) return isOpen || part === parts.length
  return part === parts.length && (!ended || (emission.path.length === 0 && !emission.certain))
}

/** The prints that a text is of in the best ways. */
function waysOf(
  part: number,
  rows: readonly Row[],
  best: (cell: Cell, behind: number) => boolean,
  { texts }: Prints,
): { matched: Match; emission: Emission }[] {
  return rows.flatMap((row, print) => {
    const cell = row.get(part)
    const emission = texts[print]
    const on = rows[print + 1]?.get(part + 1)
    if (cell?.matched === undefined || emission === undefined || on === undefined) return []
    return best(cell, cell.weight + on.behind) ? [{ matched: cell.matched, emission }] : []
  })
}

/** What all ways tell of a text. */
function agreed(ways: readonly { matched: Match; emission: Emission }[]): Laid | undefined {
  const [first, ...others] = ways
  if (first === undefined || others.length === 0) return first
  const same = factsIn(first.matched)
  if (!others.every(({ matched }) => factsIn(matched) === same)) return undefined
  // They may tell it as a result, as its output or as a piece of that: its own form says what it is.
  const facts = first.matched.facts.map(
    (fact): Fact => (fact.field === 'exit' || execResult(fact.text) === undefined ? fact : { ...fact, field: 'whole' }),
  )
  return { matched: { ...first.matched, facts, absent: [] }, emission: undefined }
}

/** The facts of a text for a comparison: a result, its output and a piece of that tell the same. */
function factsIn({ facts, complete }: Match): string {
  return JSON.stringify([facts.map(({ call, field, text }) => [call, field === 'exit', text]), complete])
}
