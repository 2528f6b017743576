/**
 * Gives what a script printed back to the calls from which it came: lays the texts that the script prints, as far as they
 * are known, over the texts that were recorded.
 */

import { append } from '../../util/groups.ts'
import { layOver } from './lay.ts'
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

/** Results by the number of their call, and the texts that belong to the script alone. */
export interface Attribution {
  found: Map<number, Found>
  rest: string[]
  /** Calls that the script did not reach. */
  absent: Set<number>
  /** Calls that must have run, because something printed after them was recorded. */
  passed: Set<number>
}

/**
 * Lays what a script prints over the recorded texts. `ended`: the script ran to its end, so nothing can be missing. Total:
 * if values and texts nest too deeply to be compared, all texts are the script's.
 */
export function attribute(script: Script, parts: readonly string[], ended: boolean): Attribution {
  try {
    return attributed(script, parts, ended)
  } catch (error) {
    // A loop of the script may nest values, and a print of them JSON, deeper than our own stack.
    if (error instanceof RangeError) return { ...noAttribution(), rest: [...parts] }
    throw error
  }
}

function noAttribution(): Attribution {
  return { found: new Map(), rest: [], absent: new Set(), passed: new Set() }
}

function attributed({ emissions, calls }: Script, parts: readonly string[], ended: boolean): Attribution {
  const result = noAttribution()
  const texts = emissions.filter(({ kind }) => kind === 'text')
  const [only] = parts
  if (ended && texts.length > 1 && parts.length === 1 && only !== undefined && isCut(only)) {
    const matched = match(asOne(texts), withoutCutHead(only), '')
    if (matched === undefined || !take(matched, result)) result.rest.push(only)
    return result
  }
  const laid = layOver({ texts, calls, parts, ended })
  for (const [index, part] of parts.entries()) {
    const own = laid[index]
    if (own === undefined || !take(own.matched, result)) result.rest.push(part)
    if (own?.emission !== undefined) pass(own.emission, calls, result)
  }
  if (ended && laid.length === parts.length) leaveOut(laid.at(-1)?.emission, calls.length, result)
  if (calls.length > 1 && result.rest.length === parts.length) byShape(calls.length, parts, result)
  return result
}

/** Marks the calls that must have run before a print that was recorded. */
function pass(emission: Emission, calls: Script['calls'], { passed }: Attribution): void {
  const path = new Set(emission.path)
  for (const [index, call] of calls.slice(0, emission.calls).entries())
    if (!call.repeated && call.path.every((number) => path.has(number))) passed.add(index)
}

/** Marks the calls after a print with which the script ends: they did not run. */
function leaveOut(last: Emission | undefined, calls: number, { absent, found }: Attribution): void {
  if (last?.endsAt !== undefined) for (let call = last.endsAt; call < calls; call++) absent.add(call)
  for (const call of found.keys()) absent.delete(call)
}

function asOne(texts: readonly Emission[]): Value {
  const pieces = texts.flatMap(({ value, code }, index): Piece[] => [
    ...(index === 0 ? [] : ['\n']),
    ...(isKind(value, 'list') || isKind(value, 'fields') ? [unknown(code, [value])] : piecesOf(value, code)),
  ])
  return joinPieces(pieces)
}

/** Adds what a text says; `false` if the text contains more than the results that were added. */
function take(matched: Match, { found, absent }: Attribution): boolean {
  for (const call of matched.absent) absent.add(call)
  for (const fact of matched.facts) {
    const known = found.get(fact.call) ?? {}
    found.set(fact.call, known)
    addFact(known, fact)
  }
  return matched.complete
}

function addFact(known: Found, { field, text }: Fact): void {
  if (field === 'exit') {
    const exitCode = codeIn(Number(text))
    if (text !== '' && exitCode !== undefined) known.exitCode = exitCode
  } else if (field === 'whole') known.whole ??= text
  else known.output = known.output === undefined || field === 'output' ? text : `${known.output}\n${text}`
}

/** If as many texts have the form of a result as there are calls, gives each call its text, in order. */
function byShape(calls: number, parts: readonly string[], { found, rest }: Attribution): void {
  const shaped = parts.filter(isResult)
  if (shaped.length !== calls) return
  for (const [call, whole] of shaped.entries()) found.set(call, { whole })
  rest.length = 0
  append(
    rest,
    parts.filter((part) => !isResult(part)),
  )
}
