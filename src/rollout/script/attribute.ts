/**
 * Attributes what a script printed to the calls from which it came: aligns the texts that the script prints, as far as they
 * are known, with the texts that were recorded.
 */

import { append } from '../../util/groups.ts'
import { alignTexts } from './lay.ts'
import { type Fact, type Match, match } from './match.ts'
import type { Emission, Script } from './read-script-fs.ts'
import { codeIn, isCut, isResult, withoutCutHead } from './results.ts'
import { isKind, joinPieces, type Piece, piecesOf, unknown, type Value } from './value.ts'

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

function attributed({ emissions, calls }: Script, parts: readonly string[], ended: boolean): Attribution {
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
  if (calls.length > 1 && result.unattributed.length === parts.length) attributeByShape(calls.length, parts, result)
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
