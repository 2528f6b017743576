/**
 * Attributes what a script printed to the calls from which it came: aligns the texts that the script prints, as far as they
 * are known, with the texts that were recorded.
 */

import { append } from '../../util/groups.ts'
import type { ScriptCall } from './machine.ts'
import { codeIn, execResult, type Fact, isCut, isResult, type Match, match, withoutCutHead } from './match.ts'
import type { Emission, Script } from './read-script-fs.ts'
import { callsOf, isKind, joinPieces, type Piece, piecesOf, unknown, type Value } from './value.ts'

/** What is known about the result of one call. */
export interface Found {
  /** The result as the script received it. */
  whole?: string
  /** What the call printed, or the pieces of it that the script printed. */
  output?: string
  exitCode?: number
}

/** Results by the number of their call, and the texts that come from no call alone. */
export interface Attribution {
  found: Map<number, Found>
  unattributed: string[]
  /** Calls that the script did not reach. */
  absent: Set<number>
  /** Calls that must have run, because something printed after them was recorded. */
  reached: Set<number>
}

/**
 * Aligns what a script prints with the recorded texts. `ended`: the script ran to its end, so nothing can be missing.
 * Total: if values and texts nest too deeply to be compared, no text is attributed.
 */
export function attribute(script: Script, parts: readonly string[], ended: boolean): Attribution {
  try {
    return attributed(script, parts, ended)
  } catch (error) {
    // A loop of the script may nest values, and a print of them JSON, deeper than our own stack.
    if (error instanceof RangeError) return { ...noAttribution(), unattributed: [...parts] }
    throw error
  }
}

function noAttribution(): Attribution {
  return { found: new Map(), unattributed: [], absent: new Set(), reached: new Set() }
}

function attributed(script: Script, parts: readonly string[], ended: boolean): Attribution {
  const { emissions, calls } = script
  const result = noAttribution()
  const texts = emissions.filter(({ kind }) => kind === 'text')
  const [only] = parts
  if (ended && texts.length > 1 && parts.length === 1 && only !== undefined && isCut(only)) {
    const matched = match(joinedTexts(texts), withoutCutHead(only), '')
    if (matched === undefined || !addMatch(matched, result)) result.unattributed.push(only)
    return result
  }
  const aligned = alignTexts({ texts, calls, parts, ended })
  for (const [index, part] of parts.entries()) {
    const alignment = aligned[index]
    if (alignment === undefined || !addMatch(alignment.matched, result)) result.unattributed.push(part)
    if (alignment?.emission !== undefined) markReached(alignment.emission, calls, result)
  }
  if (ended && aligned.length === parts.length) markAbsent(aligned.at(-1)?.emission, calls.length, result)
  if (result.unattributed.length === parts.length && mayPrintEach(script)) attributeByShape(calls.length, parts, result)
  return result
}

/** Marks the calls that must have run before a print that was recorded. */
function markReached(emission: Emission, calls: Script['calls'], { reached }: Attribution): void {
  const path = new Set(emission.path)
  for (const [index, call] of calls.slice(0, emission.calls).entries())
    if (!call.repeated && call.path.every((number) => path.has(number))) reached.add(index)
}

/** Marks the calls after a print with which the script ends: they did not run. */
function markAbsent(last: Emission | undefined, calls: number, { absent, found }: Attribution): void {
  if (last?.endsAt !== undefined) for (let call = last.endsAt; call < calls; call++) absent.add(call)
  for (const call of found.keys()) absent.delete(call)
}

function joinedTexts(texts: readonly Emission[]): Value {
  const pieces = texts.flatMap(({ value, code }, index): Piece[] => [
    ...(index === 0 ? [] : ['\n']),
    ...(isKind(value, 'list') || isKind(value, 'fields') ? [unknown(code, [value])] : piecesOf(value, code)),
  ])
  return joinPieces(pieces)
}

/** Adds what a text says; `false` if the text contains more than the results that were added. */
function addMatch(matched: Match, { found, absent }: Attribution): boolean {
  for (const call of matched.absent) absent.add(call)
  for (const fact of matched.facts) {
    const result = found.get(fact.call) ?? {}
    found.set(fact.call, result)
    addFact(result, fact)
  }
  return matched.complete
}

function addFact(result: Found, { field, text }: Fact): void {
  if (field === 'exit') {
    const exitCode = codeIn(Number(text))
    if (text !== '' && exitCode !== undefined) result.exitCode = exitCode
  } else if (field === 'whole') result.whole ??= text
  else result.output = result.output === undefined || field === 'output' ? text : `${result.output}\n${text}`
}

/** Whether a script may print the result of each of its calls, of which it makes several. */
function mayPrintEach({ emissions, calls, unread }: Script): boolean {
  if (calls.length < 2 || unread.length > 0 || emissions.length === 0) return calls.length > 1
  const printed = new Set(callsOf(emissions.map(({ value }) => value)))
  return calls.every((_call, index) => printed.has(index))
}

/** If as many texts have the form of a result as there are calls, gives each call its text, in order. */
function attributeByShape(calls: number, parts: readonly string[], { found, unattributed }: Attribution): void {
  const shaped = parts.filter(isResult)
  if (shaped.length !== calls) return
  for (const [call, whole] of shaped.entries()) found.set(call, { whole })
  unattributed.length = 0
  append(
    unattributed,
    parts.filter((part) => !isResult(part)),
  )
}

// Decides which print of a script made each recorded text. Prints come in order; one in a branch may be missing, and after a
// point where the script may have ended, all may be. Of all ways to align the prints with the texts, those count in which the
// script's own words make up most of the texts; where these disagree about a text, its print is unknown.

/** What a text says, and its print. */
interface AlignedText {
  matched: Match
  /** The print that made it; absent if several would say the same. */
  emission: Emission | undefined
}

/** What a script prints, and the texts that were recorded. */
interface Prints {
  texts: readonly Emission[]
  calls: readonly ScriptCall[]
  parts: readonly string[]
  /** The script ran to its end, so nothing can be missing. */
  ended: boolean
}

/** Limits: pairs of a print and a text that are tried, and UTF-16 units that are read for them. */
const maxPairs = 20_000
const maxRead = 33_554_432

/** What each text says and which print made it; `undefined` if nothing shows it. */
function alignTexts(given: Prints): (AlignedText | undefined)[] {
  const repeated = given.texts.findIndex((emission) => emission.repeated)
  const prints = repeated < 0 ? given : { ...given, texts: given.texts.slice(0, repeated) }
  const rows = reachableRows(prints, repeated >= 0)
  const first = rows[0]?.get(0)
  if (first === undefined) return []
  const ends = [...rows].reverse().flatMap((row) => scoreRow(row, rows, prints, repeated >= 0))
  if (first.after === Number.NEGATIVE_INFINITY) return []
  const best = (cell: Cell, after: number): boolean => cell.before + after === first.after
  // Texts after the end of an alignment come from prints in loops whose number of rounds is unknown.
  const aligned = Math.min(...ends.filter((cell) => best(cell, 0)).map(({ part }) => part), prints.parts.length)
  return prints.parts.map((_text, part) => (part < aligned ? agreed(bestMatches(part, rows, best, prints)) : undefined))
}

/** A point of an alignment, after `print` prints and `part` texts. */
interface Cell {
  print: number
  part: number
  /** The highest evidence of all alignments that lead here. */
  before: number
  /** What the next text says if the next print made it, and how much that counts. */
  matched: Match | undefined
  weight: number
  /** The highest evidence of all alignments from here on; `-Infinity` if none leads to an end. */
  after: number
}

type Row = Map<number, Cell>

/** All cells that alignments reach from the beginning, by print, then by text; none if there are too many. */
function reachableRows(prints: Prints, isOpen: boolean): Row[] {
  const { texts, parts } = prints
  const rows: Row[] = [new Map([[0, cellAt(0, 0, 0)]])]
  let [pairs, read] = [0, 0]
  for (const [print, emission] of texts.entries()) {
    // If more texts than prints remain, something printed them that was not read.
    const min = isOpen ? 0 : parts.length - texts.length + print
    const cells = [...(rows[print]?.values() ?? [])].filter(({ part }) => part >= min)
    pairs += cells.length
    for (const { part } of cells) read += parts[part]?.length ?? 0
    if (pairs > maxPairs || read > maxRead) return []
    rows.push(rowAfter(cells, emission, prints))
  }
  return rows
}

/** The cells that are reached by matching the next print with the next text, or by skipping the print. */
function rowAfter(cells: readonly Cell[], emission: Emission, prints: Prints): Row {
  const next: Row = new Map()
  for (const cell of cells) {
    matchNext(cell, emission, prints)
    if (cell.matched !== undefined) reachCell(next, cell.print + 1, cell.part + 1, cell.before + cell.weight)
    if (mayBeSkipped(emission)) reachCell(next, cell.print + 1, cell.part, cell.before)
  }
  return next
}

function matchNext(cell: Cell, emission: Emission, prints: Prints): void {
  const text = prints.parts[cell.part]
  if (text === undefined) return
  cell.matched = match(emission.value, text, emission.code)
  cell.weight = (cell.matched?.evidence ?? 0) - Number(isUnlikely(emission, text, prints))
}

function cellAt(print: number, part: number, before: number): Cell {
  return { print, part, before, matched: undefined, weight: 0, after: Number.NEGATIVE_INFINITY }
}

function reachCell(row: Row, print: number, part: number, before: number): void {
  const cell = row.get(part)
  if (cell === undefined) row.set(part, cellAt(print, part, before))
  else cell.before = Math.max(cell.before, before)
}

/** Whether a text is hardly a print of a whole `exec_command` result: that is an object, so it prints as JSON. */
function isUnlikely({ value }: Emission, text: string, { calls }: Prints): boolean {
  const result = isKind(value, 'unknown') ? value.result : undefined
  return result?.field === 'whole' && calls[result.call]?.tool === 'exec_command' && !isResult(text)
}

function mayBeSkipped({ path }: Emission): boolean {
  return path.length > 0
}

/** Computes `after` for each cell of a row; the next row must have it. Returns the cells in which an alignment may end. */
function scoreRow(row: Row, rows: readonly Row[], prints: Prints, isOpen: boolean): Cell[] {
  const ends: Cell[] = []
  for (const cell of row.values()) {
    const emission = prints.texts[cell.print]
    const next = rows[cell.print + 1]
    if (mayEnd(cell, emission, prints, isOpen)) {
      cell.after = 0
      ends.push(cell)
    }
    if (emission === undefined) continue
    if (cell.matched !== undefined)
      cell.after = Math.max(cell.after, cell.weight + (next?.get(cell.part + 1)?.after ?? Number.NEGATIVE_INFINITY))
    if (mayBeSkipped(emission))
      cell.after = Math.max(cell.after, next?.get(cell.part)?.after ?? Number.NEGATIVE_INFINITY)
  }
  return ends
}

/** Whether the script may have ended before its next print, `emission`. */
function mayEnd({ part }: Cell, emission: Emission | undefined, { parts, ended }: Prints, isOpen: boolean): boolean {
  if (emission === undefined) return isOpen || part === parts.length
  return part === parts.length && (!ended || (emission.path.length === 0 && !emission.certain))
}

/** The prints that made a text in the best alignments. */
function bestMatches(
  part: number,
  rows: readonly Row[],
  best: (cell: Cell, after: number) => boolean,
  { texts }: Prints,
): { matched: Match; emission: Emission }[] {
  return rows.flatMap((row, print) => {
    const cell = row.get(part)
    const emission = texts[print]
    const next = rows[print + 1]?.get(part + 1)
    if (cell?.matched === undefined || emission === undefined || next === undefined) return []
    return best(cell, cell.weight + next.after) ? [{ matched: cell.matched, emission }] : []
  })
}

/** What a text says, if all alignments agree. */
function agreed(matches: readonly { matched: Match; emission: Emission }[]): AlignedText | undefined {
  const [first, ...others] = matches
  if (first === undefined || others.length === 0) return first
  const same = factsIn(first.matched)
  if (!others.every(({ matched }) => factsIn(matched) === same)) return undefined
  // The alignments may regard it as a result, its output or a piece of that; the text's own form decides.
  const facts = first.matched.facts.map(
    (fact): Fact => (fact.field === 'exit' || execResult(fact.text) === undefined ? fact : { ...fact, field: 'whole' }),
  )
  return { matched: { ...first.matched, facts, absent: [] }, emission: undefined }
}

/** The facts of a text as a key for comparison: a result, its output and a piece of that count as the same. */
function factsIn({ facts, complete }: Match): string {
  return JSON.stringify([facts.map(({ call, field, text }) => [call, field === 'exit', text]), complete])
}
